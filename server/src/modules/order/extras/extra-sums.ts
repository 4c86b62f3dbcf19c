import { sql } from 'kysely'
import { orderBudget } from '@waybill/contract/order/money'
import type { Ctx } from '../../../kit/context/context.ts'

interface Found {
  id: number
  customerPriceCents: number | null
  carrierCostCents: number | null
  priceCents: number
  costCents: number
}

/**
 * Writes what the approved extras of these orders come to, and the margins with them. The caller holds their locks; no
 * version changes, because who has the order open typed nothing of it (decision 079).
 */
export async function refreshExtraSums(ctx: Ctx, orderIds: readonly number[]): Promise<void> {
  const { rows } = await sql<Found>`
    select o.id, o."customerPriceCents", o."carrierCostCents",
      coalesce(sum(e."netPriceCents"), 0)::bigint as "priceCents",
      coalesce(sum(e."netCostCents"), 0)::bigint as "costCents"
    from "order" o left join order_extra e on e."orderId" = o.id and e.state = 'approved'
    where o.id = any(${orderIds}::bigint[]) group by o.id
  `.execute(ctx.db)
  const sums = rows.map(({ id, customerPriceCents, carrierCostCents, priceCents, costCents }) => {
    const { incomeCents, marginBp } = orderBudget({
      customerPriceCents,
      customerVatBp: null,
      routes: [{ assignment: { costCents: carrierCostCents } }],
      extras: [{ priceCents, costCents }],
    })
    return { id, priceCents, costCents, incomeCents, marginBp }
  })
  await sql`
    update "order" o set "extrasPriceCents" = x."priceCents", "extrasCostCents" = x."costCents",
      "incomeCents" = x."incomeCents", "marginBp" = x."marginBp"
    from jsonb_to_recordset(${JSON.stringify(sums)}::jsonb) as x(id bigint, "priceCents" bigint, "costCents" bigint,
      "incomeCents" bigint, "marginBp" int)
    where o.id = x.id and (o."extrasPriceCents", o."extrasCostCents", o."incomeCents", o."marginBp")
      is distinct from (x."priceCents", x."costCents", x."incomeCents", x."marginBp")
  `.execute(ctx.db)
}

/** Sources of a merge give their extras to its result, which names for each the order that is billed. */
export async function giveExtras(ctx: Ctx, sourceIds: readonly number[], resultId: number): Promise<void> {
  const { numAffectedRows } = await sql`
    update order_extra set "orderId" = ${resultId}, "sourceOrderId" = "orderId", "routeId" = null,
      version = version + 1 where "orderId" = any(${sourceIds}::bigint[])`.execute(ctx.db)
  if (numAffectedRows) await refreshExtraSums(ctx, [resultId, ...sourceIds])
}

/** The way back: each extra of a result to the order that is billed. */
export async function returnExtras(ctx: Ctx, resultId: number, sourceIds: readonly number[]): Promise<void> {
  const { numAffectedRows } = await sql`
    update order_extra set "orderId" = "sourceOrderId", "sourceOrderId" = null, "routeId" = null,
      version = version + 1 where "orderId" = ${resultId} and "sourceOrderId" is not null`.execute(ctx.db)
  if (numAffectedRows) await refreshExtraSums(ctx, [resultId, ...sourceIds])
}
