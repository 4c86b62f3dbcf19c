import { createHash } from 'node:crypto'
import { COPY_PARTS, type CopyPart } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import type { Order, OrderRoute } from '@waybill/contract/order/order'

/** What a transport order said, each part in eight letters: enough to see which of them has changed since. */
export type CarrierCopy = Record<CopyPart, string>

/** Whom of a carrier a transport order was sent to, and what it said: a withdrawal goes to the same person. */
export interface CarrierTold {
  carrierCompanyId: number
  title: string
  language: Language
  name: string | null
  phone: string | null
  email: string | null
  copy: CarrierCopy
  /** told before the route was planned: the pair stands until it is planned and left again, exchanged or canceled */
  isEarly?: true
}

/** Whom of a carrier a mail goes to. */
export type ToldReader = Omit<CarrierTold, 'copy' | 'isEarly'>

const hashed = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)

type Assignment = NonNullable<OrderRoute['assignment']>

/** What the transport order of a route says now. */
export function carrierCopy(order: Order, route: OrderRoute, assignment: Assignment): CarrierCopy {
  const stops = route.locationIds.flatMap(
    (id) => order.locations.find((stop) => stop.id === id && stop.canceledAt === null) ?? [],
  )
  const moved = new Set(stops.flatMap(({ cargoActions }) => cargoActions.map(({ cargoId }) => cargoId)))
  const said: Record<CopyPart, unknown> = {
    driver: [assignment.driverIds, assignment.driverText],
    plate: assignment.plateNumber,
    vehicle: [assignment.vehicleTypeId ?? order.vehicleTypeId, order.isLiftRequired, order.isTransshipmentForbidden],
    // Left out where none was agreed: what was told before there was one is not different for it.
    cost: [
      assignment.costCents,
      assignment.vatBp,
      ...(assignment.paymentPeriodDays === null ? [] : [assignment.paymentPeriodDays]),
    ],
    stops: stops.map((stop) => [
      stop.id,
      stop.kind,
      stop.companyTitle,
      stop.address,
      stop.postal,
      stop.city,
      stop.countryId,
      stop.contactPerson,
      stop.phone,
      stop.reference,
      stop.comment,
      stop.specialInstructions,
      stop.cargoActions,
    ]),
    times: stops.map(({ termin, plannedAt }) => [termin, plannedAt]),
    cargo: order.cargo
      .filter(({ id }) => moved.size === 0 || moved.has(id))
      .map(
        ({ sourceOrder: _source, customer: _customer, customerId: _customerId, valueCents: _value, ...line }) => line,
      ),
    instructions: assignment.extraData,
  }
  return Object.fromEntries(COPY_PARTS.map((part) => [part, hashed(said[part])])) as CarrierCopy
}

export const carrierTold = (
  order: Order,
  route: OrderRoute,
  assignment: Assignment,
  { id, title, language }: { id: number; title: string; language: Language },
): string => {
  const told: CarrierTold = {
    carrierCompanyId: id,
    title,
    language,
    name: assignment.disponentName,
    phone: assignment.disponentPhone,
    email: assignment.disponentEmail,
    copy: carrierCopy(order, route, assignment),
  }
  return JSON.stringify(told)
}

export const readCarrierTold = (told: string | null): CarrierTold | null =>
  told === null ? null : (JSON.parse(told) as CarrierTold)

/** What was told, where the mail goes to others than the address on record: later ones go there as well. */
export function toldTo(told: string | null, receivers: readonly string[]): string | null {
  const carrier = readCarrierTold(told)
  const [first] = receivers
  if (carrier === null || first === undefined || receivers.includes(carrier.email ?? '')) return told
  return JSON.stringify({ ...carrier, email: first } satisfies CarrierTold)
}

/** What was told early, once the route is planned; null where nothing changes by that. */
export function toldInTime(told: string | null): string | null {
  const carrier = readCarrierTold(told)
  if (!carrier?.isEarly) return null
  const { isEarly: _early, ...rest } = carrier
  return JSON.stringify(rest)
}

/** The parts of a transport order that are no longer as the carrier was told. */
export const partsThatDiffer = ({ copy }: Pick<CarrierTold, 'copy'>, now: CarrierCopy): CopyPart[] =>
  COPY_PARTS.filter((part) => copy[part] !== now[part])

/** The transport order that a carrier has in hand. */
export interface CopyInHand {
  told: CarrierTold
  toldAt: string
}

/** A mail to a carrier that has left, or is on its way. */
export interface SentToCarrier {
  routeId: number | null
  variant: string | null
  told: string | null
  toldAt: string
}

/** What the carriers of a route were told, by what was said to them last. */
export interface RouteTold {
  /** what the carrier of the route has in hand; null where it was told nothing, or that it is withdrawn */
  inHand: CopyInHand | null
  /** what the route's carriers were told last, whoever has it now: a withdrawal goes to that one */
  last: CarrierTold | null
}

/** Of the mails to the carriers of an order, in the order in which they were said: what those of a route know. */
export function routeTold(sent: readonly SentToCarrier[], { id, assignment }: OrderRoute): RouteTold {
  const mail = sent.findLast(({ routeId }) => routeId === id)
  const last = readCarrierTold(mail?.told ?? null)
  const isTheirs = last !== null && assignment?.carrierCompanyId === last.carrierCompanyId
  const isInHand = mail !== undefined && mail.variant !== 'withdrawn' && isTheirs
  return { inHand: isInHand ? { told: last, toldAt: mail.toldAt } : null, last }
}
