// A small model of an order's mails: the order as far as its mails look at it, the rows, the clock, and a job that
// never fails. What became of it is judged in `properties.ts`.
import type { EmailType, SuppressedReason } from '@waybill/contract/email'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import type { Order } from '@waybill/contract/order/order'
import { isNew, PLANNED_STATUSES, type RouteStatus } from '@waybill/contract/order/status'
import {
  carrierCause,
  leavesCarrierUntold,
  plannedAgain,
  planSteps,
  reasonAgainst,
  type AcceptedPod,
  type KnownMail,
} from '../../src/modules/correspondence/plan/mail-plan.rules.ts'

const START = Date.parse('2026-11-23T08:00:00Z')
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const PREFERENCES = ['orderCreated', 'driverInformation', 'pickup', 'delivery', 'pod'] as const
export const STATUSES: RouteStatus[] = [
  'new',
  'scheduled',
  'in_transit',
  'arrived',
  'delivered',
  'completed',
  'canceled',
]
export const PLATE = 'PO 4T112'
/** Of the texts for carriers, those that a person may choose. */
export const CARRIER_TEXTS = ['confirmed', 'changed', 'withdrawn'] as const

/** Two customers in one order with one route: each has a line of the cargo and a drop-off of its own. */
export interface Ids {
  order: number
  /** the first one */
  route: number
  loading: number
  customers: readonly { id: number; lineId: number; dropId: number }[]
  carriers: readonly [number, number]
}
const IDS: Ids = {
  order: 1,
  route: 7,
  loading: 21,
  customers: [
    { id: 5, lineId: 3, dropId: 22 },
    { id: 6, lineId: 4, dropId: 23 },
  ],
  carriers: [9, 10],
}

export interface Row extends KnownMail {
  locationId: number | null
  writtenDownAt: number
  /** when its words were fixed, or it was let go */
  settledAt: number | null
}

export interface Drop {
  arrival: number | null
  isReached: boolean
}

interface Rendered {
  key: string
  type: EmailType
  variant: string | null
  customerId: number | null
  at: number
  status: RouteStatus
  drop: Drop | null
  since: number
}

const carrierOfKey = (key: string): number => Number(key.split(':')[2])

/** The order, its mails and the clock; jobs do what is due at that moment, or once they run again. */
export class World {
  now = START
  /** the jobs stand still until then */
  busyUntil = START
  status: RouteStatus = 'new'
  since = START
  /** null: the order has none */
  routeId: number | null
  /** all that there ever were */
  routeIds: number[]
  carrierId: number | null
  /** carriers that a person told of a route that was not planned, and has not been since */
  early = new Set<number>()
  driver: string | null = null
  drops = new Map<number, Drop>()
  unwanted = new Map<number, Set<string>>()
  /** switches that were off at any time */
  wasOff = new Map<number, Set<string>>()
  pods: AcceptedPod[] = []
  rows: Row[] = []
  rendered: Rendered[] = []
  /** why mails were let go, for a while or for good */
  reasons = new Set<SuppressedReason>()
  history: { at: number; status: RouteStatus; routeId: number | null }[] = []
  /** when the jobs ran: both ends are part of it */
  ran: [number, number][] = []
  /** moments at which the order changed before jobs that had begun saw to what was due */
  raced = new Set<number>()
  readonly ids: Ids

  constructor(ids: Ids = IDS) {
    this.ids = ids
    this.routeId = ids.route
    this.routeIds = [ids.route]
    this.carrierId = ids.carriers[0]
    this.note()
    for (const { id } of ids.customers) {
      this.drops.set(id, { arrival: null, isReached: false })
      this.unwanted.set(id, new Set())
      this.wasOff.set(id, new Set())
    }
  }

  /** The order, as far as its mails look at it. */
  order(): Order {
    const { ids, routeId } = this
    return {
      id: ids.order,
      status: this.status,
      isMergeResult: false,
      customerIds: ids.customers.map(({ id }) => id),
      cargo: ids.customers.map(({ id, lineId }) => ({ id: lineId, customerId: id })),
      locations: [
        {
          id: ids.loading,
          kind: 'loading',
          routeId,
          canceledAt: null,
          cargoActions: ids.customers.map(({ lineId }) => ({ cargoId: lineId, action: 'PICK_UP' })),
        },
        ...ids.customers.map(({ id, lineId, dropId }) => {
          const { arrival, isReached } = this.drops.get(id)!
          return {
            id: dropId,
            kind: 'unloading',
            routeId,
            canceledAt: null,
            plannedAt: arrival === null ? null : new Date(arrival).toISOString(),
            termin: null,
            timeZone: 'Europe/Berlin',
            arrivedAt: isReached ? 'reached' : null,
            unloadedAt: null,
            cargoActions: [{ cargoId: lineId, action: 'DROP_OFF' }],
          }
        }),
      ],
      routes: (routeId === null ? [] : [routeId]).map((id) => ({
        id,
        status: this.status,
        locationIds: [ids.loading, ...ids.customers.map(({ dropId }) => dropId)],
        assignment: {
          carrierCompanyId: this.carrierId,
          ownFleet: false,
          driverIds: [],
          driverText: this.driver,
          plateNumber: PLATE,
        },
      })),
    } as unknown as Order
  }

  facts() {
    return {
      order: this.order(),
      known: this.known(),
      pods: this.pods,
      refusedPods: [],
      passed: new Set<string>(),
      isFirstSave: this.rows.length === 0,
      now: this.now,
    }
  }

  /** In the order in which they were settled. */
  known(): Row[] {
    const at = (row: Row) => row.settledAt ?? row.writtenDownAt
    return this.rows.toSorted((one, other) => at(one) - at(other) || one.id - other.id)
  }

  /** As `order.written` does. */
  plan() {
    for (const step of planSteps(this.facts())) {
      if (step.step === 'plan') {
        const { mail } = step
        if (this.rows.some(({ key }) => key === mail.key)) throw new Error(`planned twice: ${mail.key}`)
        const state = { state: 'planned' as const, reason: null, isAutomatic: true }
        this.rows.push({ ...mail, ...state, ...this.writtenDown(), settledAt: null })
        continue
      }
      const row = this.rows.find(({ id }) => id === step.id)!
      if (step.step === 'drop') this.let(row, step.reason)
      else if (step.step === 'note') row.told = step.told
      else {
        const { dueAt, variant, told, routeId } = step
        Object.assign(row, { state: 'planned', reason: null, dueAt, variant, told, routeId, settledAt: null })
      }
    }
    if (this.routeId !== null && PLANNED_STATUSES.includes(this.status)) this.early.clear()
    // Doing it twice changes nothing.
    const left = planSteps(this.facts())
    if (left.length > 0) throw new Error(`not settled: ${JSON.stringify(left)}`)
  }

  private writtenDown() {
    return { id: this.rows.length + 1, writtenDownAt: this.now }
  }

  let(row: Row, reason: SuppressedReason) {
    Object.assign(row, { state: 'suppressed', reason, settledAt: this.now })
    this.reasons.add(reason)
  }

  /** A person lets one go. */
  cancel(row: Row) {
    Object.assign(row, { state: 'suppressed', reason: 'canceled', settledAt: this.now })
  }

  /** A person takes that back; gives why it stays as it is, or null. */
  undoCancel(row: Row) {
    const again = plannedAgain(this.facts(), row)
    if ('against' in again) return again.against
    const { variant, told, routeId } = again.mail
    const words = { state: 'planned', reason: null, settledAt: null, dueAt: again.dueAt }
    Object.assign(row, { ...words, variant, told, routeId })
    return null
  }

  isUnwanted({ customerId, type }: Row): boolean {
    const { preference } = EMAIL_RULES[type]
    return preference !== null && this.unwanted.get(customerId!)!.has(preference)
  }

  /** Those whose time has come, in the order of their time. */
  due(until = this.now): Row[] {
    return this.rows
      .filter(({ state, dueAt }) => state === 'planned' && dueAt <= until)
      .toSorted((one, other) => one.dueAt - other.dueAt || one.id - other.id)
  }

  /** What the job does with one whose time has come. */
  handle(row: Row) {
    const reason = reasonAgainst(this.facts(), row) ?? (this.isUnwanted(row) ? 'preference' : null)
    if (reason !== null) return this.let(row, reason)
    this.leave(row)
  }

  /** It goes, as the order is now. */
  private leave(row: Row) {
    row.state = 'rendered'
    row.settledAt = this.now
    const { key, type, variant, customerId } = row
    const { status, since } = this
    const drop = customerId === null ? null : { ...this.drops.get(customerId)! }
    this.rendered.push({ key, type, variant, customerId, at: this.now, status, drop, since })
    if (variant === 'withdrawn') this.early.delete(carrierOfKey(key))
  }

  /**
   * A transport order that a person writes: it takes the place of one that waits. A withdrawal that nothing calls for
   * is a mail beside the plan.
   */
  tellCarrier(variant: (typeof CARRIER_TEXTS)[number]) {
    const { routeId, carrierId, rows, now: dueAt } = this
    if (routeId === null || carrierId === null) return
    const sent = this.known().filter((row) => row.type === 'order_resolved' && row.state === 'rendered')
    const last = sent.findLast((row) => row.routeId === routeId)
    const carrier = variant === 'withdrawn' && last ? carrierOfKey(last.key) : carrierId
    const cause = carrierCause(routeId, carrier, variant, this.facts())
    if (cause === null) return
    const isEarly = variant !== 'withdrawn' && isNew(this.status)
    const words = {
      key: cause.key,
      type: 'order_resolved' as const,
      variant,
      routeId,
      locationId: null,
      customerId: null,
      dueAt,
      told: JSON.stringify({ carrierCompanyId: carrier, ...(isEarly && { isEarly }) }),
      state: 'rendered' as const,
      reason: null,
      isAutomatic: false,
      settledAt: dueAt,
    }
    const waiting = rows.find(({ id }) => id === cause.inPlaceOf)
    if (waiting) Object.assign(waiting, words)
    else rows.push({ ...words, ...this.writtenDown() })
    this.leave(waiting ?? rows.at(-1)!)
    if (isEarly) this.early.add(carrier)
  }

  /** The job: everything due up to a moment, in the order of its time. */
  pass(milliseconds: number) {
    const end = this.now + milliseconds
    if (this.busyUntil <= end) this.ran.push([Math.max(this.now, this.busyUntil), end])
    while (this.busyUntil <= end) {
      const [next] = this.due(end)
      if (!next) break
      this.now = Math.max(this.now, this.busyUntil, next.dueAt)
      this.handle(next)
    }
    this.now = end
  }

  /** Without a route there is nobody to assign. */
  assign(change: Partial<Pick<World, 'carrierId' | 'driver'>>) {
    if (this.routeId !== null) Object.assign(this, change)
  }

  /** How it stands now, for what is asked of its past. */
  private note() {
    this.history.push({ at: this.now, status: this.status, routeId: this.routeId })
  }

  move(status: RouteStatus) {
    if (status === this.status || (this.routeId === null && !['new', 'canceled'].includes(status))) return
    this.status = status
    this.since = this.now
    this.note()
  }

  /** It has another route, or none: of what was about the one before only the key names it. */
  drive(routeId: number | null) {
    if (routeId === this.routeId) return
    for (const one of [...this.rows, ...this.pods]) if (one.routeId === this.routeId) one.routeId = null
    this.routeId = routeId
    if (routeId !== null) this.routeIds.push(routeId)
    this.note()
  }

  /** As a save takes it away: one that is planned stays, and one whose carrier would not know. */
  removeRoute() {
    if (this.routeId === null || !isNew(this.status) || leavesCarrierUntold([this.routeId], this.known())) return
    this.drive(null)
    this.carrierId = null
    this.driver = null
  }

  addRoute() {
    if (this.routeId !== null) return
    this.drive(Math.max(...this.routeIds) + 1)
    this.carrierId = this.ids.carriers[0]
  }

  prefer(customerId: number, preference: string, isOn: boolean) {
    if (isOn) this.unwanted.get(customerId)!.delete(preference)
    else for (const off of [this.unwanted, this.wasOff]) off.get(customerId)!.add(preference)
  }

  /** A proof of delivery for the stops of these customers; null: for all. */
  prove(customerIds: readonly number[] | null) {
    const { customers } = this.ids
    const locationIds = customerIds?.map((one) => customers.find(({ id }) => id === one)!.dropId) ?? null
    this.pods.push({ documentId: 100 + this.pods.length, routeId: this.routeId, locationIds })
  }
}
