import { consignmentsOf, type Consignment } from '../consignment.ts'
import type { Stop } from '../schedule.ts'
import { isCanceled, type OrderStatus } from '../status.ts'

/** The papers that prove to a tax office where goods have gone. */
export const CERTIFICATES = ['ORDER_ARRIVAL_CERTIFICATE', 'ORDER_EXPORT_CERTIFICATE'] as const
export type Certificate = (typeof CERTIFICATES)[number]

export const isCertificate = (paper: string): paper is Certificate =>
  (CERTIFICATES as readonly string[]).includes(paper)

// The members of the European Union since 1 February 2020 (Treaty on European Union, article 52).
const UNION = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '))

/** The country whose tax office the certificate of arrival is made for (§ 17b UStDV). */
const HOME = 'DE'

export interface CertifiedStop extends Stop {
  readonly id: number
  readonly countryCode: string
  readonly companyTitle: string | null
  readonly routeId: number | null
}

/** As much of an order as its certificates look at; stops in the order in which they are driven. */
export interface CertifiedOrder<Place extends CertifiedStop = CertifiedStop> {
  readonly cargo: readonly { readonly id: number }[]
  readonly locations: readonly Place[]
  readonly routes: readonly { readonly id: number; readonly status: OrderStatus }[]
}

/**
 * What a certificate is about: the goods that one stop takes. `arrival`: from Germany to another member of the Union;
 * `export`: out of the Union; `delivery`: everything else, confirmed without a paragraph of the law.
 */
export interface Certified<Place extends CertifiedStop = CertifiedStop> {
  kind: 'arrival' | 'delivery' | 'export'
  dropOff: Place
  pickUps: Place[]
  cargoIds: number[]
}

function pairsOf<Place extends CertifiedStop>({ cargo, locations, routes }: CertifiedOrder<Place>): Consignment[] {
  const canceled = new Set(routes.filter(({ status }) => isCanceled(status)).map(({ id }) => id))
  const driven = locations.filter(({ routeId }) => routeId === null || !canceled.has(routeId))
  return consignmentsOf({ cargo, locations: driven }, { locationIds: driven.map(({ id }) => id) })
}

function kindOf(paper: Certificate, from: CertifiedStop, to: CertifiedStop): Certified['kind'] | null {
  const isExport = UNION.has(from.countryCode) && !UNION.has(to.countryCode)
  if (paper === 'ORDER_EXPORT_CERTIFICATE') return isExport ? 'export' : null
  return from.countryCode === HOME && to.countryCode !== HOME && UNION.has(to.countryCode) ? 'arrival' : 'delivery'
}

/**
 * The certificates of a kind that an order can have, one for each drop-off, in the order of the stops. Where goods from
 * Germany and from elsewhere arrive at one stop, the certificate of arrival is about those from Germany.
 */
export function certifiedOf<Place extends CertifiedStop>(
  paper: Certificate,
  order: CertifiedOrder<Place>,
): Certified<Place>[] {
  const pairs = pairsOf(order).flatMap(({ pickUpId, dropOffId, cargoIds }) => {
    const [from, to] = [pickUpId, dropOffId].map((id) => order.locations.find((stop) => stop.id === id)!) as [
      Place,
      Place,
    ]
    const kind = kindOf(paper, from, to)
    return kind === null ? [] : [{ kind, from, to, cargoIds }]
  })
  return order.locations.flatMap((dropOff) => {
    const here = pairs.filter(({ to }) => to === dropOff)
    const kind = here.find((pair) => pair.kind === 'arrival')?.kind ?? here[0]?.kind
    if (kind === undefined) return []
    const meant = here.filter((pair) => pair.kind === kind)
    return [
      { kind, dropOff, pickUps: meant.map(({ from }) => from), cargoIds: meant.flatMap(({ cargoIds }) => cargoIds) },
    ]
  })
}

/** The instant of the arrival at a stop; null while nobody has told it. */
export const arrivalAt = ({ arrivedAt, unloadedAt }: Stop) => arrivedAt ?? unloadedAt ?? null

/** The reason why an order can have no certificate of this kind now, or null. */
export function missingForCertificate(
  paper: Certificate,
  order: CertifiedOrder,
  dropOffId: number | null,
): 'consignment_missing' | 'no_export' | 'nothing_delivered' | 'nothing_loaded' | null {
  const all = certifiedOf(paper, order)
  if (all.length === 0)
    return paper === 'ORDER_EXPORT_CERTIFICATE' && pairsOf(order).length > 0 ? 'no_export' : 'consignment_missing'
  const meant = dropOffId === null ? all : all.filter(({ dropOff }) => dropOff.id === dropOffId)
  if (paper === 'ORDER_EXPORT_CERTIFICATE')
    return meant.some(({ pickUps }) => pickUps.every(({ loadedAt }) => loadedAt != null)) ? null : 'nothing_loaded'
  return meant.some(({ dropOff }) => arrivalAt(dropOff) !== null) ? null : 'nothing_delivered'
}

/** Which of several is meant where nobody says: the first that can be made, else the first. */
export const usualCertified = <Place extends CertifiedStop>(
  paper: Certificate,
  order: CertifiedOrder<Place>,
): Certified<Place> | null => {
  const all = certifiedOf(paper, order)
  return all.find(({ dropOff }) => missingForCertificate(paper, order, dropOff.id) === null) ?? all[0] ?? null
}

const bare = (title: string | null): string => (title ?? '').replace(/\s+/g, ' ').trim().toLowerCase()

/** True where two names mean one firm: the buyer of goods is never who sends them. */
export const isSameFirm = (one: string | null, other: string | null): boolean =>
  bare(one) !== '' && bare(one) === bare(other)

/** The firm at the drop-off, who is proposed as the buyer; null where none is named, or it is the sender. */
export const consigneeOf = <Place extends CertifiedStop>({ dropOff, pickUps }: Certified<Place>): Place | null =>
  dropOff.companyTitle === null || pickUps.some((stop) => isSameFirm(stop.companyTitle, dropOff.companyTitle))
    ? null
    : dropOff

const MONTHS_OF_A_QUARTER = 3

/**
 * The first and the last month of the quarter in which a month lies: of `2026-11`, `2026-10` and `2026-12`. A quarter
 * is the longest time that a collective confirmation holds (§ 17b (2) sentence 1 no. 2 UStDV).
 */
export function quarterOf(month: string): readonly [first: string, last: string] {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const first = number - ((number - 1) % MONTHS_OF_A_QUARTER)
  const written = (one: number) => `${year}-${String(one).padStart(2, '0')}`
  return [written(first), written(first + MONTHS_OF_A_QUARTER - 1)]
}
