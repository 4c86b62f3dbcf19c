import { sql, type Insertable } from 'kysely'
import type { Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import { insertRows } from '../../kit/database/insert-rows.ts'
import type { BookedRow } from './booked-rows.rules.ts'
import { visibleBatches } from './bookkeeping.policy.ts'
import type { Sources } from './sources.query.ts'

/** Lets one person at a time make batches of a company, until the transaction ends. */
export async function lockBookkeeping(ctx: Ctx, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('bookkeeping'), ${companyId}::int)`.execute(ctx.db)
}

/** The next count of a batch in a month; void ones keep theirs. */
export async function nextCounter(ctx: Ctx, companyId: number, month: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(counter), 0) + 1 as next from bookkeeping_batch
      where "companyId" = ${companyId} and month = ${month}
  `.execute(ctx.db)
  return rows[0]!.next
}

interface NewBatch {
  batch: Insertable<Tables['bookkeeping_batch']>
  /** null: a company without numbers of DATEV */
  bytes: Buffer | null
  rows: readonly BookedRow[]
  sources: Sources
}

/** Writes a batch with its bytes, its rows and what it holds; returns its id. */
export async function insertBatch(ctx: Ctx, { batch, bytes, rows, sources }: NewBatch): Promise<number> {
  const { id } = await ctx.db.insertInto('bookkeeping_batch').values(batch).returning('id').executeTakeFirstOrThrow()
  if (bytes !== null) await ctx.db.insertInto('bookkeeping_file').values({ batchId: id, bytes }).execute()
  await insertRows(
    ctx,
    'bookkeeping_row',
    // The day of service stands in the file alone.
    rows.map(({ serviceDate: _serviceDate, ...row }, position) => ({ ...row, batchId: id, position })),
  )
  const ids = (of: readonly { id: number }[]) => of.map((one) => one.id)
  const invoiceIds = [...ids(sources.invoices), ...ids(sources.carrierInvoices)]
  await sql`
    insert into bookkeeping_item ("batchId", "invoiceId", "paymentId", "payablePaymentId")
    select ${id}::bigint, one, null::bigint, null::bigint from unnest(${invoiceIds}::bigint[]) as one
    union all select ${id}, null, one, null from unnest(${ids(sources.payments)}::bigint[]) as one
    union all select ${id}, null, null, one from unnest(${ids(sources.carrierPayments)}::bigint[]) as one
  `.execute(ctx.db)
  return id
}

/** A batch that the caller may know of, locked until the transaction ends; undefined where there is none. */
export const lockBatch = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('bookkeeping_batch')
    .selectAll()
    .where('id', '=', id)
    .where(visibleBatches(ctx))
    .forUpdate()
    .executeTakeFirst()

/** Marks a batch as void and frees what it holds. */
export async function writeVoid(
  ctx: Ctx,
  { id, version }: { id: number; version: number },
  columns: { voidedAt: string; voidedById: number; voidReason: string },
): Promise<void> {
  await ctx.db
    .updateTable('bookkeeping_batch')
    .set({ ...columns, version: version + 1 })
    .where('id', '=', id)
    .execute()
  await ctx.db
    .updateTable('bookkeeping_item')
    .set({ isValid: false })
    .where('batchId', '=', id)
    .where('isValid', '=', true)
    .execute()
}
