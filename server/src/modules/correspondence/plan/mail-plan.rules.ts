import {
  BEFORE_ARRIVING_MINUTES,
  type AgainstUndo,
  type EmailType,
  type SuppressedReason,
} from '@waybill/contract/email'
import { POD_REFUSED } from '@waybill/contract/email/email-rules'
import { epochOf } from '@waybill/contract/kit/local-time'
import type { Order, OrderLocation, OrderRoute } from '@waybill/contract/order/order'
import { provenDropOffs } from '@waybill/contract/order/papers/pod'
import { isDropOff } from '@waybill/contract/order/schedule'
import { terminRange } from '@waybill/contract/order/termin/termin'
import {
  isCanceled,
  isInTransit,
  isLoaded,
  isNew,
  isReadOnlyOrder,
  isScheduled,
  isUnloaded,
  PLANNED_STATUSES,
  UNDER_WAY_STATUSES,
  UNDO_SECONDS,
} from '@waybill/contract/order/status'
import { carrierCopy, partsThatDiffer, readCarrierTold, toldInTime } from '../mail/carrier-told.rules.ts'

/*
 * Which mails an order wants, and what that means for those that are planned already. Nothing here knows of rows or
 * jobs: a save, a move, an undo each end in the same question, asked of the order as it is now. What was rendered has
 * left our hands: it is never taken back, and of each cause there is one mail.
 */

/** A mail that an order wants. */
export interface WantedMail {
  /** what it is for, once in an order: two mails of one key are one */
  key: string
  type: EmailType
  variant: string
  routeId: number | null
  locationId: number | null
  /** whose mail it is; null: the carrier's */
  customerId: number | null
  /** milliseconds since 1970 */
  dueAt: number
  /** what it tells, as far as a later mail must know whether that has changed */
  told: string | null
}

/** A mail that is there, whatever became of it. */
export interface KnownMail {
  id: number
  key: string
  type: EmailType
  variant: string | null
  routeId: number | null
  customerId: number | null
  dueAt: number
  told: string | null
  /** by itself, not by hand */
  isAutomatic: boolean
  /**
   * `planned`: it can still be moved and dropped; `held`: the same, but something was missing; `rendered`: its words
   * are fixed, on the way or beyond
   */
  state: 'planned' | 'held' | 'rendered' | 'suppressed'
  reason: SuppressedReason | null
}

export type PlanStep =
  | { step: 'plan'; mail: WantedMail }
  | ({ step: 'move' | 'revive'; id: number; dueAt: number } & Pick<WantedMail, 'variant' | 'told' | 'routeId'>)
  | { step: 'drop'; id: number; reason: SuppressedReason }
  /** what left keeps another word of what it told */
  | { step: 'note'; id: number; told: string }

/** A proof of delivery that was accepted, and whose cargo it proves. */
export interface AcceptedPod {
  documentId: number
  routeId: number | null
  /** the drop-offs that it proves; null: all of its route, or of the order */
  locationIds: readonly number[] | null
}

/** One that was refused: its carrier is told why. */
export interface RefusedPod extends AcceptedPod {
  title: string
  reason: string
  /** when: each refusal is told of once */
  refusedAt: string
}

export interface PlanFacts {
  order: Order
  /** in the order in which they were settled: what was said last comes last */
  known: readonly KnownMail[]
  pods: readonly AcceptedPod[]
  refusedPods: readonly RefusedPod[]
  /** causes that were there before mails were planned (decision 063) */
  passed: ReadonlySet<string>
  /** a person saves it for the first time: an import tells nobody */
  isFirstSave: boolean
  now: number
}

const isPlanned = ({ status }: OrderRoute): boolean => PLANNED_STATUSES.includes(status)

/** What the driver information tells; null while driver or plate are missing. */
function driverTold({ assignment }: OrderRoute): string | null {
  if (assignment === null || !assignment.plateNumber) return null
  if (assignment.driverIds.length === 0 && !assignment.driverText) return null
  return JSON.stringify([assignment.plateNumber, assignment.driverIds, assignment.driverText])
}

const stopsOf = (order: Order, route: OrderRoute): OrderLocation[] =>
  route.locationIds.flatMap((id) => order.locations.find((stop) => stop.id === id && stop.canceledAt === null) ?? [])

/** The customers whose cargo these stops move; where none is named, all of the order's. */
function customersAt(order: Order, stops: readonly OrderLocation[], action?: 'DROP_OFF'): number[] {
  if (order.customerIds.length < 2) return order.customerIds
  const moved = new Set(
    stops.flatMap(({ cargoActions }) =>
      cargoActions.filter((one) => action === undefined || one.action === action).map(({ cargoId }) => cargoId),
    ),
  )
  if (moved.size === 0) return order.customerIds
  const owners = new Set(
    order.cargo.filter(({ id }) => moved.has(id)).map(({ customerId }) => customerId ?? order.customerIds[0]!),
  )
  return order.customerIds.filter((id) => owners.has(id))
}

/** When a stop will be reached, as far as a mail can promise it: planned, or the beginning of its appointment. */
export function arrivalOf({ plannedAt, termin, timeZone }: OrderLocation): number | null {
  if (plannedAt !== null) return Date.parse(plannedAt)
  if (termin === null || termin.kind === 'before' || termin.timeFrom === null) return null
  return epochOf(terminRange(termin, timeZone).startAt)
}

const isReached = ({ arrivedAt, unloadedAt }: OrderLocation): boolean => arrivedAt !== null || unloadedAt !== null

type Draft = Omit<WantedMail, 'dueAt' | 'routeId' | 'locationId' | 'told' | 'variant'> &
  Partial<Pick<WantedMail, 'dueAt' | 'routeId' | 'locationId' | 'told' | 'variant'>>

/** Everything that the order as it is now calls for, whether it is there already or not. */
export function wantedMails({
  order,
  known,
  pods,
  refusedPods,
  isFirstSave,
  now,
}: Omit<PlanFacts, 'passed'>): WantedMail[] {
  if (isReadOnlyOrder(order.status)) return []
  const soon = now + UNDO_SECONDS * 1000
  const mail = (draft: Draft): WantedMail => ({
    variant: 'standard',
    routeId: null,
    locationId: null,
    dueAt: soon,
    told: null,
    ...draft,
  })
  const created =
    isCanceled(order.status) || order.isMergeResult
      ? []
      : order.customerIds
          .map((customerId) => mail({ key: `created:${customerId}`, type: 'order_created', customerId }))
          .filter(({ key }) => isFirstSave || known.some((one) => one.key === key))
  return [
    ...created,
    ...order.routes.flatMap((route) => [
      ...carrierMails(route, known, mail),
      ...(isCanceled(route.status) ? [] : roadMails(order, route, known, now, mail)),
    ]),
    ...(isCanceled(order.status) ? [] : podMails(order, known, pods, mail)),
    ...(isCanceled(order.status) ? [] : refusedPods.flatMap((pod) => refusalMails(order, pod, mail))),
  ]
}

type Make = (draft: Draft) => WantedMail

/** What was rendered for a customer on a route, the latest last. */
const renderedOf = (known: readonly KnownMail[], type: EmailType, routeId: number, customerId: number | null) =>
  known.filter(
    (one) => one.type === type && one.routeId === routeId && one.customerId === customerId && one.state === 'rendered',
  )

/**
 * What has come to an end for a customer, the latest last: what was rendered, and what was let go for good. A later
 * cause is a mail of its own; with the name of one that was let go it would never be planned.
 */
const settledOf = (known: readonly KnownMail[], type: EmailType, routeId: number | null, customerId: number) =>
  known.filter(
    (one) =>
      one.type === type &&
      (routeId === null || one.routeId === routeId) &&
      one.customerId === customerId &&
      (one.state === 'rendered' || (one.state === 'suppressed' && !REVIVABLE.includes(one.reason))),
  )

/** The key of the next one: the first number that none has which came to an end. */
function numbered(prefix: string, settled: readonly KnownMail[]): string {
  const taken = new Set(settled.map(({ key }) => key))
  let number = 0
  while (taken.has(`${prefix}${number}`)) number += 1
  return `${prefix}${number}`
}

/**
 * Of the mails to one carrier of a route that have left: true where one confirms what none withdraws. A withdrawal may
 * have been planned, let go and taken up again since, so the last of them is not the one that left last.
 */
const hasTransportOrder = (theirs: readonly KnownMail[]): boolean =>
  theirs.filter(({ key }) => key.startsWith('resolved:')).length >
  theirs.filter(({ variant }) => variant === 'withdrawn').length

/** The transport order to the carrier, once for each time that route and carrier come together, and its withdrawal. */
function carrierMails(route: OrderRoute, known: readonly KnownMail[], mail: Make): WantedMail[] {
  const { id: routeId, assignment } = route
  const carrierId = assignment?.carrierCompanyId ?? null
  const told = renderedOf(known, 'order_resolved', routeId, null)
  const carriers = new Set([...told.map((one) => carrierOfKey(one.key)), ...(carrierId === null ? [] : [carrierId])])
  return [...carriers].flatMap((carrier) => {
    const theirs = told.filter((one) => carrierOfKey(one.key) === carrier)
    const isTold = hasTransportOrder(theirs)
    const nth = theirs.filter(({ variant }) => variant === 'withdrawn').length
    // What was told early and withdrawn since says nothing of the transport order that stands.
    const first = theirs.findIndex(({ key }) => key === `resolved:${routeId}:${carrier}:${nth}`)
    const isEarly = isTold && theirs.slice(first).some((one) => readCarrierTold(one.told)?.isEarly === true)
    const hasPair = carrier === carrierId && (isPlanned(route) || (isEarly && isNew(route.status)))
    const draft = { type: 'order_resolved' as const, routeId, customerId: null }
    // What was confirmed stays wanted as long as the pair lives: it is known, so nothing comes of it.
    if (hasPair && (isTold || UNDER_WAY_STATUSES.includes(route.status)))
      return [
        mail({ ...draft, key: `resolved:${routeId}:${carrier}:${nth}`, variant: 'confirmed' }),
        // A change is sent by a person alone; once it is planned it stays wanted with the pair.
        ...known
          .filter(({ key, state }) => state !== 'suppressed' && key.startsWith(`changed:${routeId}:${carrier}:`))
          .map((one) => mail({ ...draft, key: one.key, variant: 'changed', dueAt: one.dueAt })),
      ]
    if (!hasPair && isTold)
      return [
        mail({
          ...draft,
          key: `withdrawn:${routeId}:${carrier}:${nth}`,
          variant: 'withdrawn',
          told: theirs.at(-1)!.told,
        }),
      ]
    return []
  })
}

/**
 * What a transport order that a person writes is for, and which of the known ones it takes the place of. Null: a
 * withdrawal that nothing calls for; the carrier still has the route, or was told nothing.
 */
export function carrierCause(
  routeId: number,
  carrierId: number,
  variant: string | null,
  facts: Omit<PlanFacts, 'passed'>,
): { key: string; inPlaceOf: number | null } | null {
  const { known } = facts
  const theirs = renderedOf(known, 'order_resolved', routeId, null).filter(({ key }) => carrierOfKey(key) === carrierId)
  const nth = theirs.filter((one) => one.variant === 'withdrawn').length
  const unsent = (key: string) => known.find((one) => one.key === key && one.state !== 'rendered')
  if (variant === 'withdrawn') {
    const wanted = wantedMails(facts).find((one) => one.key === `withdrawn:${routeId}:${carrierId}:${nth}`)
    const waiting = wanted && unsent(wanted.key)
    return waiting === undefined ? null : { key: waiting.key, inPlaceOf: waiting.id }
  }
  const key = `resolved:${routeId}:${carrierId}:${nth}`
  if (!hasTransportOrder(theirs)) return { key, inPlaceOf: unsent(key)?.id ?? null }
  const change = known.find(
    (one) =>
      one.key.startsWith(`changed:${routeId}:${carrierId}:`) && (one.state === 'planned' || one.state === 'held'),
  )
  return { key: change?.key ?? changeKey(routeId, carrierId, known), inPlaceOf: change?.id ?? null }
}

/** The key of the next change that a carrier is sent. */
export const changeKey = (routeId: number, carrierId: number, known: readonly Pick<KnownMail, 'key'>[]): string => {
  const prefix = `changed:${routeId}:${carrierId}:`
  return `${prefix}${known.filter(({ key }) => key.startsWith(prefix)).length}`
}

const carrierOfKey = (key: string): number => Number(key.split(':')[2])

/** What the customers hear while a route is driven. */
function roadMails(order: Order, route: OrderRoute, known: readonly KnownMail[], now: number, mail: Make) {
  const { id: routeId, status } = route
  const stops = stopsOf(order, route)
  const customers = customersAt(order, stops)
  const wanted: WantedMail[] = []
  for (const customerId of customers) {
    wanted.push(...driverMails(route, customerId, known, mail))
    if (isLoaded(status))
      wanted.push(mail({ key: `loaded:${routeId}:${customerId}`, type: 'loading_confirmation', routeId, customerId }))
    if (isUnloaded(status))
      wanted.push(
        mail({ key: `unloaded:${routeId}:${customerId}`, type: 'unloading_confirmation', routeId, customerId }),
      )
  }
  if (!isScheduled(status) && !isInTransit(status)) return wanted
  for (const stop of stops.filter((one) => isDropOff(one) && !isReached(one))) {
    const arrival = arrivalOf(stop)
    if (arrival === null || arrival <= now) continue
    const dueAt = arrival - BEFORE_ARRIVING_MINUTES * 60_000
    for (const customerId of customersAt(order, [stop], 'DROP_OFF'))
      wanted.push(
        mail({
          key: `arriving:${stop.id}:${customerId}`,
          type: 'before_arriving',
          routeId,
          locationId: stop.id,
          customerId,
          dueAt,
        }),
      )
  }
  return wanted
}

/** Driver and plate, once they are known; again where they change before the loading. */
function driverMails(route: OrderRoute, customerId: number, known: readonly KnownMail[], mail: Make): WantedMail[] {
  const told = driverTold(route)
  if (told === null) return []
  const { id: routeId, status } = route
  const before = settledOf(known, 'driver_information', routeId, customerId)
  const isDue =
    before.length === 0 ? UNDER_WAY_STATUSES.includes(status) : told !== before.at(-1)!.told && isScheduled(status)
  if (!isDue) return []
  return [
    mail({
      key: numbered(`driver:${routeId}:${customerId}:`, before),
      type: 'driver_information',
      // Of what never left nothing has changed.
      variant: before.some(({ state }) => state === 'rendered') ? 'changed' : 'first',
      routeId,
      customerId,
      told,
    }),
  ]
}

/** The customers whose cargo was dropped off where a proof of delivery speaks of. */
function customersProven(order: Order, pod: AcceptedPod): number[] {
  const stops = provenDropOffs(pod, order.locations).filter(({ canceledAt }) => canceledAt === null)
  // A paper for stops that are gone proves nothing to nobody; one of an order without stops speaks of all of it.
  return stops.length === 0 && pod.locationIds !== null ? [] : customersAt(order, stops, 'DROP_OFF')
}

/** The one route that a proof of delivery speaks of; null where there are several or none. */
function routeProven(order: Order, pod: AcceptedPod): number | null {
  if (pod.locationIds === null) return pod.routeId
  const routes = new Set(provenDropOffs(pod, order.locations).map(({ routeId }) => routeId))
  return routes.size === 1 ? [...routes][0]! : null
}

/** Proofs of delivery that a customer has not been sent yet; what is accepted within the pause goes together. */
function podMails(order: Order, known: readonly KnownMail[], pods: readonly AcceptedPod[], mail: Make): WantedMail[] {
  return order.customerIds.flatMap((customerId) => {
    const settled = settledOf(known, 'pods', null, customerId)
    const covered = new Set(settled.flatMap(({ told }) => podsTold(told)))
    const open = pods
      .filter(({ documentId }) => !covered.has(documentId))
      .filter((pod) => customersProven(order, pod).includes(customerId))
    if (open.length === 0) return []
    const routeIds = new Set(open.map((pod) => routeProven(order, pod)))
    return [
      mail({
        key: numbered(`pods:${customerId}:`, settled),
        type: 'pods',
        customerId,
        routeId: routeIds.size === 1 ? [...routeIds][0]! : null,
        told: JSON.stringify(open.map(({ documentId }) => documentId)),
      }),
    ]
  })
}

/** The carriers of a proof of delivery hear why it does not count; where nobody knows whose it is, nobody. */
function refusalMails(order: Order, pod: RefusedPod, mail: Make): WantedMail[] {
  const routeId = routeProven(order, pod) ?? (order.routes.length === 1 ? order.routes[0]!.id : null)
  const route = order.routes.find(({ id }) => id === routeId)
  if (!route || isCanceled(route.status) || !route.assignment?.carrierCompanyId) return []
  return [
    mail({
      key: `${refusalKey(pod.documentId)}${pod.refusedAt}`,
      type: 'other_emails',
      variant: POD_REFUSED,
      customerId: null,
      routeId: route.id,
      told: JSON.stringify({ title: pod.title, reason: pod.reason }),
    }),
  ]
}

const refusalKey = (documentId: number): string => `podRefused:${documentId}:`

/** What the mail about a refused proof of delivery says of it. */
export const refusalTold = (told: string | null): Pick<RefusedPod, 'title' | 'reason'> | null =>
  told === null ? null : (JSON.parse(told) as Pick<RefusedPod, 'title' | 'reason'>)

/** The documents that a mail with proofs of delivery carries. */
export const podsTold = (told: string | null): number[] => (told === null ? [] : (JSON.parse(told) as number[]))

/** True where a mail that has left speaks of a proof of delivery. */
export const tellsOfPod = ({ key, type, state, told }: KnownMail, documentId: number): boolean =>
  state === 'rendered' &&
  (key.startsWith(refusalKey(documentId)) || (type === 'pods' && podsTold(told).includes(documentId)))

/** Why a mail was let go that may be wanted once more: its cause was taken back, or was too early. */
const REVIVABLE: readonly (SuppressedReason | null)[] = ['overtaken', 'notOnTheWay', 'tooLate', 'orderCanceled']

/** What it tells now, in which words, and of which route: that may be another one, with the same stop. */
const as = ({ variant, told, routeId }: WantedMail) => ({ variant, told, routeId })

/** What is to be done so that the order's mails are what it wants now. Doing it twice changes nothing. */
export function planSteps(facts: PlanFacts): PlanStep[] {
  const { order, known, passed, now } = facts
  const wanted = new Map(
    wantedMails(facts)
      .filter(({ key }) => !passed.has(key))
      .map((mail) => [mail.key, mail]),
  )
  const steps: PlanStep[] = []
  const soon = now + UNDO_SECONDS * 1000
  for (const mail of known) {
    const want = wanted.get(mail.key)
    wanted.delete(mail.key)
    if (mail.state === 'rendered') {
      const told = toldEarly(order, mail)
      if (told !== null) steps.push({ step: 'note', id: mail.id, told })
      continue
    }
    if (mail.state === 'planned' || mail.state === 'held') {
      if (want === undefined) steps.push({ step: 'drop', id: mail.id, reason: dropReason(order, mail, now) })
      // Maybe what was missing is there now.
      else if (mail.state === 'held') steps.push({ ...as(want), step: 'revive', id: mail.id, dueAt: soon })
      // A status mail keeps the time at which it was caused; one before an arrival moves with the plan.
      else if (want.type === 'before_arriving' && !isInTime(mail.dueAt, want.dueAt, now))
        steps.push({ ...as(want), step: 'move', id: mail.id, dueAt: want.dueAt })
      // Its stop may be on another route by now.
      else if (want.type !== 'order_resolved' && (want.told !== mail.told || want.routeId !== mail.routeId))
        steps.push({ ...as(want), step: 'move', id: mail.id, dueAt: mail.dueAt })
      continue
    }
    if (want !== undefined && REVIVABLE.includes(mail.reason) && mayRevive(order, mail, want))
      steps.push({
        ...as(want),
        step: 'revive',
        id: mail.id,
        dueAt: Math.max(want.dueAt, now + UNDO_SECONDS * 1000),
      })
  }
  for (const mail of wanted.values()) steps.push({ step: 'plan', mail })
  return steps
}

/** Of a transport order that left before its route was planned, once that is: a step back ends the pair now. */
const toldEarly = ({ routes }: Order, { type, routeId, told }: KnownMail): string | null =>
  type === 'order_resolved' && routes.some((route) => route.id === routeId && isPlanned(route))
    ? toldInTime(told)
    : null

/** True where the carrier of one of these routes has a transport order, and nobody has said that it is withdrawn. */
export function leavesCarrierUntold(routeIds: readonly number[], known: readonly KnownMail[]): boolean {
  // A row loses its route with it; its key does not.
  const [routeOf, pairOf] = [
    ({ key }: KnownMail) => Number(key.split(':')[1]),
    ({ key }: KnownMail) => key.split(':').slice(1, 3).join(':'),
  ]
  const theirs = known.filter((one) => one.type === 'order_resolved' && routeIds.includes(routeOf(one)))
  return [...Map.groupBy(theirs, pairOf).values()].some((pair) => {
    const told = pair.filter(({ state }) => state === 'rendered')
    const last = pair.findLastIndex(({ variant, state }) => variant !== 'withdrawn' && state === 'rendered')
    // Somebody has seen to it that the carrier hears nothing.
    const isLetGo = pair
      .slice(last + 1)
      .some(
        ({ variant, state, reason }) =>
          variant === 'withdrawn' && state === 'suppressed' && !REVIVABLE.includes(reason),
      )
    return hasTransportOrder(told) && !isLetGo
  })
}

/** Why the order calls for a mail no longer. */
type DropReason = Extract<SuppressedReason, 'merged' | 'orderCanceled' | 'tooLate' | 'overtaken'>

/** What is overdue, or will be within the pause of the move that let it go, leaves at once or after it: no move. */
const isInTime = (dueAt: number, wantedAt: number, now: number): boolean =>
  dueAt === wantedAt || (wantedAt <= Math.max(now, dueAt) && dueAt <= now + UNDO_SECONDS * 1000)

/** What was not on the way when it was due leaves once the route is, or another one that its stop is on by now. */
const mayRevive = ({ routes }: Order, { reason }: KnownMail, { routeId }: WantedMail): boolean =>
  reason !== 'notOnTheWay' || routes.some(({ id, status }) => id === routeId && isInTransit(status))

function dropReason({ status, routes }: Order, { routeId, type, dueAt }: KnownMail, now: number): DropReason {
  if (isReadOnlyOrder(status)) return 'merged'
  if (isCanceled(status) || routes.some((route) => route.id === routeId && isCanceled(route.status)))
    return 'orderCanceled'
  return type === 'before_arriving' && dueAt <= now ? 'tooLate' : 'overtaken'
}

/**
 * Why a mail whose time has come does not go after all, or null: asked again when it is written, because the job may
 * be late.
 */
export function reasonAgainst(
  facts: PlanFacts,
  mail: { id: number; type: EmailType; routeId: number | null; locationId: number | null },
): SuppressedReason | null {
  const step = planSteps(facts).find((one) => one.step !== 'plan' && one.id === mail.id)
  if (step?.step === 'drop') return step.reason
  if (mail.type !== 'before_arriving') return null
  const stop = facts.order.locations.find(({ id }) => id === mail.locationId)
  const arrival = stop ? arrivalOf(stop) : null
  if (arrival === null || arrival <= facts.now) return 'tooLate'
  const route = facts.order.routes.find(({ id }) => id === mail.routeId)
  return route && isInTransit(route.status) ? null : 'notOnTheWay'
}

/** What becomes of a mail that a person has let go and wants again: planned for then, or why it stays as it is. */
type Again = { dueAt: number; mail: WantedMail } | { against: AgainstUndo }

const isChange = ({ key }: Pick<KnownMail, 'key'>): boolean => key.startsWith('changed:')

/** True where a later one of the same numbered cause has left, or is about to. */
function isReplaced({ id, key }: KnownMail, known: readonly KnownMail[]): boolean {
  if (!/^(driver|pods|changed):/.test(key)) return false
  const cause = key.slice(0, key.lastIndexOf(':') + 1)
  return known.some((one) => one.id > id && one.state !== 'suppressed' && one.key.startsWith(cause))
}

/**
 * Takes up a mail that a person has let go, if the order calls for it as though it had been planned all the time. One
 * before an arrival leaves by the plan of now, another at its time; what is past leaves after the pause.
 */
export function plannedAgain(facts: Omit<PlanFacts, 'passed'>, mail: KnownMail): Again {
  const known = facts.known.map(
    (one): KnownMail => (one.id === mail.id ? { ...one, state: 'planned', reason: null } : one),
  )
  const want = wantedMails({ ...facts, known }).find(({ key }) => key === mail.key)
  // Of drivers and proofs of delivery the order wants one mail at a time; a change is sent by a person.
  if (want !== undefined && isChange(mail) && isReplaced(mail, known)) return { against: 'replaced' }
  if (want !== undefined) {
    const dueAt = want.type === 'before_arriving' ? want.dueAt : mail.dueAt
    return { dueAt: dueAt > facts.now ? dueAt : facts.now + UNDO_SECONDS * 1000, mail: want }
  }
  const reason = dropReason(facts.order, mail, facts.now)
  if (reason !== 'overtaken') return { against: reason }
  return { against: isReplaced(mail, known) ? 'replaced' : 'overtaken' }
}

/**
 * Why a transport order that a person wrote, and took back before it left, cannot leave with its own words after all;
 * null where it can: they have to be so, and nothing may have been said in its place.
 */
export function againstWritten(facts: Omit<PlanFacts, 'passed'>, mail: KnownMail): AgainstUndo | null {
  const { order, known } = facts
  if (isReadOnlyOrder(order.status)) return 'merged'
  const route = order.routes.find(({ id }) => id === mail.routeId)
  const told = readCarrierTold(mail.told)
  if (!route || told === null) return 'overtaken'
  const isNext = carrierCause(route.id, told.carrierCompanyId, mail.variant, facts)?.key === mail.key
  if (mail.variant === 'withdrawn') return isNext ? null : 'overtaken'
  if (isCanceled(route.status)) return 'orderCanceled'
  const { assignment } = route
  if (assignment?.carrierCompanyId !== told.carrierCompanyId) return 'overtaken'
  if (partsThatDiffer(told, carrierCopy(order, route, assignment)).length > 0) return 'overtaken'
  return (isChange(mail) ? isReplaced(mail, known) : !isNext) ? 'replaced' : null
}
