import { sql } from 'kysely'
import type { z } from 'zod'
import { laneKeyOf, MAX_LANE_ORDERS, type findSameLane, type LaneOrder } from '@waybill/contract/order/lane'
import { NOT_SUMMED_STATUSES } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { fieldError } from '../../../kit/context/errors.ts'
import { visibleOrders } from '../order.policy.ts'
import '../order.table.ts'

// Of a busy lane somebody may see the newest few only: further back nobody looks.
const MOST_READ = 500

// Literals, so that the partial index is seen to fit.
const NOT_SUMMED = sql.join(NOT_SUMMED_STATUSES.map((status) => sql.lit(status)))

type Query = z.output<typeof findSameLane.query>

/**
 * The last orders of a lane that the caller may know of, the newest first. Error:
 * `unknown_reference` for a country that does not exist.
 */
export async function ordersOfLane(
  ctx: Ctx,
  { fromCountryId, fromPostal, toCountryId, toPostal, exceptId }: Query,
): Promise<{ items: LaneOrder[] }> {
  const { rows: countries } = await sql<{
    id: number
    code: string
  }>`select id, code from country where id in (${fromCountryId}, ${toCountryId})`.execute(ctx.db)
  const endAt = (path: string, countryId: number, postal: string) => {
    const country = countries.find(({ id }) => id === countryId)
    if (!country) throw fieldError(path, 'unknown_reference')
    return { countryCode: country.code, postal }
  }
  const laneKey = laneKeyOf(
    endAt('fromCountryId', fromCountryId, fromPostal),
    endAt('toCountryId', toCountryId, toPostal),
  )
  if (laneKey === null) return { items: [] }
  const { rows } = await sql<Omit<LaneOrder, 'customer'> & { customerId: number; customerTitle: string }>`
    select newest.id, newest.number, newest."customerId", newest."customerTitle", newest."customerPriceCents",
      newest."incomeCents", newest."marginBp", newest."createdAt", company."marginWarningBp"
    from (
      select "order".* from (
        select * from "order"
        where "laneKey" = ${laneKey} and "laneKey" is not null and "customerPriceCents" is not null
          and status not in (${NOT_SUMMED})
        order by "createdAt" desc, id desc limit ${sql.lit(MOST_READ)}
      ) "order" where ${visibleOrders(ctx)} and "order".id <> ${exceptId ?? 0}
      order by "order"."createdAt" desc, "order".id desc limit ${sql.lit(MAX_LANE_ORDERS)}
    ) newest join department d on d.id = newest."departmentId" join company on company.id = d."companyId"
    order by newest."createdAt" desc, newest.id desc
  `.execute(ctx.db)
  return {
    items: rows.map(({ customerId, customerTitle, ...row }) => ({
      ...row,
      customer: { id: customerId, title: customerTitle },
    })),
  }
}
