import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { LearnedRuleRow } from '@waybill/contract/intake/learned-rule'
import { LEARNED_FIELDS, type LearnedField, type LearnedRule, type Reading } from '@waybill/contract/intake/reading'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { customerOfSender } from '../draft/known.query.ts'
import { visibleMails } from '../intake.policy.ts'
import { learnedFields } from '../reading/parts/learned.ts'
import type { Tried } from './try-rule.ts'
import '../intake.table.ts'

/** What was learned of the customer whose sender an address is. */
export const rulesOfSender =
  (ctx: Ctx) =>
  async (address: string | null): Promise<LearnedRule[]> => {
    const customerId = await customerOfSender(ctx, address)
    if (customerId === null) return []
    return ctx.db
      .selectFrom('learned_rule')
      .select(['field', 'label', 'position'])
      .where('customerId', '=', customerId)
      .orderBy('id')
      .execute()
  }

/** Counts a mail for each rule that it was read with; not again where it was read with it before. */
export async function countUses(
  ctx: Ctx,
  { address, reading, before }: { address: string | null; reading: Reading; before: Reading | null },
): Promise<void> {
  const counted = before === null ? [] : learnedFields(before, LEARNED_FIELDS)
  const fields = learnedFields(reading, LEARNED_FIELDS).filter((field) => !counted.includes(field))
  const customerId = fields.length === 0 ? null : await customerOfSender(ctx, address)
  if (customerId === null) return
  await ctx.db
    .updateTable('learned_rule')
    .set({ usedCount: sql`"usedCount" + 1`, lastUsedAt: nowOf(ctx) })
    .where('customerId', '=', customerId)
    .where('field', 'in', fields)
    .execute()
}

/** The fields of which something was learned of a customer. */
export async function fieldsLearned(ctx: Ctx, customerId: number): Promise<LearnedField[]> {
  const rows = await ctx.db.selectFrom('learned_rule').select('field').where('customerId', '=', customerId).execute()
  return rows.map(({ field }) => field)
}

/** Keeps a rule; one that says otherwise of the same field ends. Must run inside a transaction. */
export async function keepRule(
  ctx: Ctx,
  { customerId, mailId }: { customerId: number; mailId: number },
  { field, label, position }: LearnedRule,
  { triedCount, foundCount }: Tried,
): Promise<void> {
  await ctx.db
    .deleteFrom('learned_rule')
    .where('customerId', '=', customerId)
    .where('field', '=', field)
    .where(sql<boolean>`(label, position) is distinct from (${label}::text, ${position}::text)`)
    .execute()
  const row = { customerId, mailId, field, label, position, triedCount, foundCount, lastUsedAt: null }
  await ctx.db
    .insertInto('learned_rule')
    .values({ ...row, learnedAt: nowOf(ctx), learnedById: actorOf(ctx).userId })
    // The same one is there, or a colleague was faster by a moment.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function refuseUnknown(ctx: Ctx, customerId: number): Promise<void> {
  const found = await ctx.db.selectFrom('customer').select('id').where('id', '=', customerId).executeTakeFirst()
  if (!found) throw new AppError('not_found')
}

/** The rules of one customer, or those that a mail taught. */
async function rulesWhere(ctx: Ctx, column: 'customerId' | 'mailId', id: number): Promise<LearnedRuleRow[]> {
  const items = await ctx.db
    .selectFrom('learned_rule')
    .select(['id', 'field', 'label', 'position', 'usedCount', 'lastUsedAt', 'learnedAt', 'triedCount', 'foundCount'])
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom('user as who')
          .select([sql.ref<number>('who.id').as('id'), 'who.fullName as title'])
          .whereRef('who.id', '=', 'learned_rule.learnedById'),
      ).as('learnedBy'),
    )
    .where(column, '=', id)
    .execute()
  return items.toSorted((a, b) => LEARNED_FIELDS.indexOf(a.field) - LEARNED_FIELDS.indexOf(b.field))
}

/** The rules of one customer. Errors: `not_found`. */
export async function listRules(ctx: Ctx, customerId: number): Promise<{ items: LearnedRuleRow[] }> {
  await refuseUnknown(ctx, customerId)
  return { items: await rulesWhere(ctx, 'customerId', customerId) }
}

async function refuseUnseen(ctx: Ctx, mailId: number): Promise<void> {
  const found = await ctx.db
    .selectFrom('intake_mail')
    .select('id')
    .where('id', '=', mailId)
    .where(visibleMails(ctx))
    .executeTakeFirst()
  if (!found) throw new AppError('not_found')
}

/** What saving the order of a mail taught. Errors: `not_found`. */
export async function listTaught(ctx: Ctx, mailId: number): Promise<{ items: LearnedRuleRow[] }> {
  await refuseUnseen(ctx, mailId)
  return { items: await rulesWhere(ctx, 'mailId', mailId) }
}

/** Takes back what one's own correction in a mail taught. Errors: `not_found`. */
export async function deleteTaught(ctx: Ctx, mailId: number, id: number): Promise<Record<string, never>> {
  await refuseUnseen(ctx, mailId)
  const { numDeletedRows } = await ctx.db
    .deleteFrom('learned_rule')
    .where('id', '=', id)
    .where('mailId', '=', mailId)
    .where('learnedById', '=', actorOf(ctx).userId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('not_found')
  return {}
}

/** Errors: `not_found`. */
export async function deleteRule(ctx: Ctx, customerId: number, id: number): Promise<Record<string, never>> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('learned_rule')
    .where('id', '=', id)
    .where('customerId', '=', customerId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('not_found')
  return {}
}
