import { sql, type Insertable, type Updateable } from 'kysely'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import { insertRows } from '../../kit/database/insert-rows.ts'
import { visibleStatements } from './bank-statement.policy.ts'
import type { ReadEntry } from './camt.rules.ts'
import './bank-statement.table.ts'

/** Writes a statement; null where this very file was read in before. */
export async function insertStatement(ctx: Ctx, row: Insertable<Tables['bank_statement']>): Promise<number | null> {
  const made = await ctx.db
    .insertInto('bank_statement')
    .values(row)
    .onConflict((conflict) => conflict.constraint('conflict__bank_statement').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

/** Writes the entries of a statement that no other has brought; answers how many these are. */
export function insertEntries(
  ctx: Ctx,
  { statementId, iban }: { statementId: number; iban: string },
  entries: readonly (Omit<ReadEntry, 'identity' | 'hasOwnReference'> & { key: string; resemblesId: number | null })[],
): Promise<number> {
  // In one order, so that two who bring the same ones queue.
  const rows = entries
    .map((entry, position) => ({ ...entry, statementId, iban, position }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return insertRows(ctx, 'bank_entry', rows, { unlessThere: 'conflict__bank_entry' })
}

/** Which of these keys are stored, each with its entry and statement. */
export async function storedKeys(
  ctx: Ctx,
  iban: string,
  keys: readonly string[],
): Promise<Map<string, { id: number; statementId: number }>> {
  const rows = await ctx.db
    .selectFrom('bank_entry')
    .select(['key', 'id', 'statementId'])
    .where('iban', '=', iban)
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .execute()
  return new Map(rows.map(({ key, ...stored }) => [key, stored]))
}

/** The other statements of an account, as far as they say which of them follow each other. */
export const statementsBeside = (ctx: Ctx, { id, iban }: { id: number; iban: string }) =>
  ctx.db
    .selectFrom('bank_statement')
    .select(['id', 'sha256', 'position', 'number', 'fromDate', 'toDate', 'openingCents', 'closingCents'])
    .where('iban', '=', iban)
    .where('id', '<>', id)
    .execute()

/** Where an entry stands that came before. */
export async function statementOfKey(ctx: Ctx, iban: string, key: string): Promise<number> {
  const { statementId } = await ctx.db
    .selectFrom('bank_entry')
    .select('statementId')
    .where('iban', '=', iban)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return statementId
}

/** Entries of statements that the caller may know of, locked until the transaction ends, in the order of their ids. */
export const lockEntries = (ctx: Ctx, ids: readonly number[]) =>
  ctx.db
    .selectFrom('bank_entry')
    .innerJoin('bank_statement', 'bank_statement.id', 'bank_entry.statementId')
    .selectAll('bank_entry')
    .select('bank_statement.companyId')
    .where(sql<boolean>`bank_entry.id = any(${ids}::bigint[])`)
    .where(visibleStatements(ctx))
    .orderBy('bank_entry.id')
    .forUpdate('bank_entry')
    .execute()
export type LockedEntry = Awaited<ReturnType<typeof lockEntries>>[number]

type Settled = Pick<
  Updateable<Tables['bank_entry']>,
  'status' | 'paymentId' | 'paymentFileId' | 'returnedPaymentId' | 'reason'
>

/** Says what became of an entry; answers its new version. */
export async function settleEntry(ctx: Ctx, { id, version }: LockedEntry, settled: Settled): Promise<number> {
  const isOpen = settled.status === 'open'
  await ctx.db
    .updateTable('bank_entry')
    .set({
      paymentId: null,
      paymentFileId: null,
      returnedPaymentId: null,
      reason: null,
      ...settled,
      settledAt: isOpen ? null : nowOf(ctx),
      settledById: isOpen ? null : actorOf(ctx).userId,
      version: version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
  return version + 1
}

/** From now on a payment from this account is known to be of this customer. */
export async function learnPayer(
  ctx: Ctx,
  { id: entryId, partnerIban: iban }: LockedEntry,
  customerId: number,
): Promise<void> {
  if (iban === null) return
  await ctx.db
    .insertInto('payer_account')
    .values({ iban, customerId, entryId, confirmedAt: nowOf(ctx), confirmedById: actorOf(ctx).userId })
    .onConflict((conflict) => conflict.constraint('conflict__payer_account').doNothing())
    .execute()
}

/** What was learned by an entry was a mistake. */
export async function forgetPayer(ctx: Ctx, entryId: number): Promise<void> {
  await ctx.db.deleteFrom('payer_account').where('entryId', '=', entryId).execute()
}
