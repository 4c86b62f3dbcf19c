import { sql } from 'kysely'
import { MOST_COLLECTIVE, type CollectiveDelivery } from '@waybill/contract/document'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Order, OrderLocation } from '@waybill/contract/order/order'
import {
  arrivalAt,
  certifiedOf,
  isSameFirm,
  quarterOf,
  type Certified,
} from '@waybill/contract/order/papers/certificate'
import { SUMMED_STATUSES } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { loadOrder, visibleOrders } from '../../order/index.ts'

const PAPER = 'ORDER_ARRIVAL_CERTIFICATE'

/** One delivery of a quarter, as a collective confirmation finds it. */
export interface FoundDelivery {
  order: Order
  meant: Certified<OrderLocation>
  /** YYYY-MM-DD, by the clock there */
  arrivedOn: string
}

/** What deliveries that are confirmed together have in common. */
export interface Gathered {
  order: Order
  meant: Certified<OrderLocation>
  /** whose cargo it is */
  customerId: number | null
  /** who loads the goods, as the order names them; null: the customer themselves */
  sender: string | null
  /** `2026-11`, of the arrival */
  month: string
}

/** Who loads the goods that a certificate is about, as far as their stops name a firm. */
export const senderOf = ({ pickUps }: Pick<Certified<OrderLocation>, 'pickUps'>): OrderLocation | undefined =>
  pickUps.find(({ companyTitle }) => companyTitle !== null)

/** Whose cargo a certificate is about: that of its first line. */
export const ownerOf = (order: Order, { cargoIds }: Certified): number | null =>
  order.cargo.find(({ id }) => cargoIds.includes(id))?.customerId ?? null

/** Days by which the zones of two stops can differ from that of the server's day. */
const ZONE_DAYS = 1

/** The customer's orders in which something reached that firm in the quarter, those alone that the caller may see. */
async function likelyOrders(ctx: Ctx, { order, meant, customerId, month }: Gathered): Promise<number[]> {
  const [first, last] = quarterOf(month)
  const { rows } = await sql<{ id: number }>`
    select "order".id from "order" join order_customer of on of."orderId" = "order".id
      where of."customerId" = ${customerId} and "order"."departmentId" = ${order.department.id}
        and "order".status = any(${SUMMED_STATUSES}::text[]) and ${visibleOrders(ctx)}
        and exists (select 1 from location stop where stop."orderId" = "order".id and stop."canceledAt" is null
          and lower(regexp_replace(btrim(stop."companyTitle"), '\\s+', ' ', 'g'))
            = lower(regexp_replace(btrim(${meant.dropOff.companyTitle}), '\\s+', ' ', 'g'))
          and coalesce(stop."arrivedAt", stop."unloadedAt")
            >= ${`${first}-01`}::date - ${sql.lit(ZONE_DAYS)}
          and coalesce(stop."arrivedAt", stop."unloadedAt")
            < ${`${last}-01`}::date + interval '1 month' + ${sql.lit(`${ZONE_DAYS} day`)}::interval)
      order by "order".id desc limit ${sql.lit(MOST_COLLECTIVE + 1)}
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** What can be confirmed together with a delivery, the earliest first, without itself. */
export async function deliveriesWith(ctx: Ctx, gathered: Gathered): Promise<FoundDelivery[]> {
  const { order, meant, customerId, sender, month } = gathered
  if (meant.kind !== 'arrival' || meant.dropOff.companyTitle === null || customerId === null) return []
  const [first, last] = quarterOf(month)
  const found: FoundDelivery[] = []
  for (const id of await likelyOrders(ctx, gathered)) {
    const other = id === order.id ? order : await loadOrder(ctx, id)
    for (const one of certifiedOf(PAPER, other)) {
      const { dropOff, kind } = one
      const at = arrivalAt(dropOff)
      const from = senderOf(one)?.companyTitle ?? null
      if (at === null || kind !== 'arrival' || dropOff.id === meant.dropOff.id) continue
      if (!isSameFirm(dropOff.companyTitle, meant.dropOff.companyTitle) || ownerOf(other, one) !== customerId) continue
      if (from !== sender && !isSameFirm(from, sender)) continue
      const arrivedOn = localOf(at, dropOff.timeZone).date
      const arrivedIn = arrivedOn.slice(0, 7)
      if (arrivedIn >= first && arrivedIn <= last) found.push({ order: other, meant: one, arrivedOn })
    }
  }
  return found
    .toSorted((one, other) => one.arrivedOn.localeCompare(other.arrivedOn) || one.order.id - other.order.id)
    .slice(0, MOST_COLLECTIVE)
}

/** The same for the window in which they are ticked. */
export async function shownDeliveries(ctx: Ctx, found: readonly FoundDelivery[]): Promise<CollectiveDelivery[]> {
  const ids = [...new Set(found.map(({ order }) => order.id))]
  const { rows } = await sql<{ ownerId: number }>`
    select distinct "ownerId" from document
      where "ownerKind" = 'order' and "documentType" = ${PAPER} and "ownerId" = any(${ids}::bigint[])
        and "deletedAt" is null
  `.execute(ctx.db)
  const certified = new Set(rows.map(({ ownerId }) => ownerId))
  return found.map(({ order, meant: { dropOff, cargoIds }, arrivedOn }) => {
    const weights = order.cargo.flatMap(({ id, weightKg }) => (cargoIds.includes(id) ? (weightKg ?? []) : []))
    return {
      orderId: order.id,
      dropOffId: dropOff.id,
      number: order.number,
      reference: order.customerOrderNumber,
      place: dropOff.city,
      arrivedOn,
      weightKg: weights.length === 0 ? null : weights.reduce((sum, one) => sum + Math.round(one * 1000), 0) / 1000,
      hasCertificate: certified.has(order.id),
    }
  })
}
