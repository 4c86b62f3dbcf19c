import { sql } from 'kysely'
import type { KnownPlace } from '@waybill/contract/order/known-places'
import type { Ctx } from '../../../kit/context/context.ts'
import type { OrderCondition } from '../order.policy.ts'

// What a year of a steady customer goes to; more would not be looked through, nor read cheaply.
const ORDERS_READ = 200
const PLACES = 60

/**
 * The places of a customer's latest orders, each once as it was written last; those of orders that the caller may not
 * see do not exist.
 */
export async function knownPlaces(ctx: Ctx, visible: OrderCondition, customerId: number): Promise<KnownPlace[]> {
  const { rows } = await sql<KnownPlace>`
    with latest as (
      select "order".id from (
        select oc."orderId" from order_customer oc where oc."customerId" = ${customerId} order by oc."orderId" desc
          limit ${sql.lit(ORDERS_READ)}
      ) of_customer join "order" on "order".id = of_customer."orderId"
      where ${visible}
    ), place as (
      select distinct on (lower(l."companyTitle"), lower(coalesce(l.postal, '')), lower(coalesce(l.address, ''))) l.*
      from latest join location l on l."orderId" = latest.id
      where l."companyTitle" is not null
      order by lower(l."companyTitle"), lower(coalesce(l.postal, '')), lower(coalesce(l.address, '')), l.id desc
    )
    select "companyTitle", address, "countryId", postal, city, latitude, longitude, "contactPerson", phone, comment
    from place order by id desc limit ${sql.lit(PLACES)}
  `.execute(ctx.db)
  return rows
}
