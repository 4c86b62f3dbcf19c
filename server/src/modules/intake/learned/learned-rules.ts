import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { LearnedRuleRow } from '@waybill/contract/intake/learned-rule'
import { LEARNED_FIELDS, type LearnedRule, type Reading } from '@waybill/contract/intake/reading'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { customerOfSender } from '../draft/known.query.ts'
import { learnedFields } from '../reading/parts/learned.ts'
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

/** Keeps a rule; one that says otherwise of the same field ends. Must run inside a transaction. */
export async function keepRule(ctx: Ctx, customerId: number, { field, label, position }: LearnedRule): Promise<void> {
  await ctx.db
    .deleteFrom('learned_rule')
    .where('customerId', '=', customerId)
    .where('field', '=', field)
    .where(sql<boolean>`(label, position) is distinct from (${label}::text, ${position}::text)`)
    .execute()
  const row = { customerId, field, label, position, lastUsedAt: null, learnedAt: nowOf(ctx) }
  await ctx.db
    .insertInto('learned_rule')
    .values({ ...row, learnedById: actorOf(ctx).userId })
    // The same one is there, or a colleague was faster by a moment.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function refuseUnknown(ctx: Ctx, customerId: number): Promise<void> {
  const found = await ctx.db.selectFrom('customer').select('id').where('id', '=', customerId).executeTakeFirst()
  if (!found) throw new AppError('not_found')
}

/** The rules of one customer. Errors: `not_found`. */
export async function listRules(ctx: Ctx, customerId: number): Promise<{ items: LearnedRuleRow[] }> {
  await refuseUnknown(ctx, customerId)
  const items = await ctx.db
    .selectFrom('learned_rule')
    .select(['id', 'field', 'label', 'position', 'usedCount', 'lastUsedAt', 'learnedAt'])
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom('user as who')
          .select([sql.ref<number>('who.id').as('id'), 'who.fullName as title'])
          .whereRef('who.id', '=', 'learned_rule.learnedById'),
      ).as('learnedBy'),
    )
    .where('customerId', '=', customerId)
    .execute()
  return { items: items.toSorted((a, b) => LEARNED_FIELDS.indexOf(a.field) - LEARNED_FIELDS.indexOf(b.field)) }
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
