import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference, text } from '../kit/fields.ts'
import { ORDER_ACCESS } from '../permissions.ts'

const COUNTRY_BEFORE = /^[a-z]{1,3}-/i
const AREA_LENGTH = 2

/**
 * The area of a postal code, by its first two letters or digits: `D-22113` → `22`. Null where there are not as many.
 */
export function postalArea(postal: string | null | undefined): string | null {
  const area = (postal ?? '')
    .trim()
    .replace(COUNTRY_BEFORE, '')
    .replace(/[^a-z0-9]/gi, '')
    .slice(0, AREA_LENGTH)
    .toUpperCase()
  return area.length === AREA_LENGTH ? area : null
}

interface LaneEnd {
  readonly countryCode: string
  readonly postal?: string | null | undefined
}

/** From where to where, by country and postal area: `DE 22>PL 60`. Null while an end has no postal code. */
export function laneKeyOf(from: LaneEnd | undefined, to: LaneEnd | undefined): string | null {
  const [area, other] = [postalArea(from?.postal), postalArea(to?.postal)]
  return area === null || other === null ? null : `${from!.countryCode} ${area}>${to!.countryCode} ${other}`
}

/** Orders that one answer shows, at most. */
export const MAX_LANE_ORDERS = 5

export const LaneOrder = z.object({
  id,
  number: z.string(),
  customer: reference,
  customerPriceCents: z.number().int(),
  incomeCents: z.number().int().nullable(),
  marginBp: z.number().int().nullable(),
  /** below this the margin is low, by the company of the order */
  marginWarningBp: z.number().int(),
  createdAt: z.string(),
})
export type LaneOrder = z.output<typeof LaneOrder>

/**
 * The last orders with a price between the same two postal areas. Errors: `unknown_reference` for a
 * country that does not exist.
 */
export const findSameLane = endpoint({
  method: 'GET',
  path: '/orders/same-lane',
  access: ORDER_ACCESS,
  summary: 'The last orders between the same two postal areas, with their prices',
  query: z.strictObject({
    fromCountryId: idText,
    fromPostal: text(20),
    toCountryId: idText,
    toPostal: text(20),
    exceptId: idText.optional(),
  }),
  reply: z.object({ items: z.array(LaneOrder) }),
})
