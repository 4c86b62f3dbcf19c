import { sql, type RawBuilder } from 'kysely'
import { ORDER_ACCESS, RATE_CARD_ACCESS, hasPermission } from '@waybill/contract/permissions'
import { CARD_KINDS, CARD_RIGHTS, type CardKind } from '@waybill/contract/quote/rate-card'
import { actorOf, type Ctx, type OwnerRule } from '../../kit/context/context.ts'
import { titleBy } from '../../kit/records/owners.ts'
import './quote.table.ts'

/** True where the caller sees the quotes of everybody. */
export const seesAllQuotes = (ctx: Ctx): boolean => hasPermission(actorOf(ctx), 'ORDERS_MANAGEMENT')

/** Whether a department is one of the company that an administrator has set. */
export const ofDepartments = (ctx: Ctx, department: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${department} in (select d.id from department d where d."companyId" = ${ctx.companyFilter})`

/**
 * The quotes that the caller may know of, a condition over the table `quote`. ORDERS_MANAGEMENT: all. ASSIGNED_ORDERS:
 * those that the caller made or works on. The administrators' company filter narrows by the department's company.
 */
export function visibleQuotes(ctx: Ctx): RawBuilder<boolean> {
  const actor = actorOf(ctx)
  const conditions: RawBuilder<boolean>[] = []
  if (!seesAllQuotes(ctx))
    conditions.push(
      hasPermission(actor, 'ASSIGNED_ORDERS')
        ? sql<boolean>`(quote."caseWorkerId" = ${actor.userId} or quote."createdById" = ${actor.userId})`
        : sql<boolean>`false`,
    )
  if (ctx.companyFilter !== null) conditions.push(ofDepartments(ctx, sql`quote."departmentId"`))
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** History and mails of a quote are seen by who may see the quote. */
export const quoteOwner: OwnerRule = {
  read: ORDER_ACCESS,
  write: ORDER_ACCESS,
  visible: (ctx, ownerId) =>
    sql<boolean>`exists (select 1 from quote where quote.id = ${ownerId} and ${visibleQuotes(ctx)})`,
  title: titleBy('quote', 'number'),
  seesAll: seesAllQuotes,
}

/** The kinds of rate cards that the caller keeps. */
export const ownCardKinds = (ctx: Ctx): CardKind[] =>
  CARD_KINDS.filter((kind) => hasPermission(actorOf(ctx), CARD_RIGHTS[kind]))

export const rateCardOwner: OwnerRule = {
  read: RATE_CARD_ACCESS,
  write: RATE_CARD_ACCESS,
  visible: (ctx, ownerId) =>
    sql<boolean>`exists (select 1 from rate_card card where card.id = ${ownerId}
      and card.kind = any(${ownCardKinds(ctx)}::text[]))`,
  title: titleBy('rate_card', 'title'),
  seesAll: (ctx) => ownCardKinds(ctx).length === CARD_KINDS.length,
}
