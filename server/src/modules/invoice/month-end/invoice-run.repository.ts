import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { InvoiceRunStatus } from '@waybill/contract/invoice/month-end/month-end'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import type { Tables } from '../../../kit/database/db.ts'
import { insertRows, type NewRow } from '../../../kit/database/insert-rows.ts'
import { notHeld } from '../../../kit/database/restore-hold.ts'
import type { RunFault } from './invoice-run.table.ts'

type Run = Insertable<Tables['invoice_run']>
type NewItem = Omit<NewRow<'invoice_run_item'>, 'runId' | 'position'>

/** Writes a run with its invoices; the database refuses a second one of a company that is not over. */
export async function insertRun(ctx: Ctx, run: Run, items: readonly NewItem[]): Promise<number> {
  const { id } = await ctx.db.insertInto('invoice_run').values(run).returning('id').executeTakeFirstOrThrow()
  await insertRows(
    ctx,
    'invoice_run_item',
    items.map((item, index) => ({ ...item, runId: id, position: index + 1 })),
  )
  return id
}

export const readRun = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('invoice_run').selectAll().where('id', '=', id).executeTakeFirst()

/** The run's row, locked until the transaction ends. */
export const lockRun = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('invoice_run').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** What is to be sent. */
export type RunItem = Pick<Tables['invoice_run_item'], 'customerId' | 'netCents'> & { id: number; orderIds: number[] }

/**
 * Takes the next invoice of a run that nobody has in hand, or has had in hand since before a moment; of a run that is
 * to stop only such a lost one. Undefined where there is none.
 */
export async function claimItem(
  ctx: Ctx,
  { id: runId, status }: { id: number; status: InvoiceRunStatus },
  lostBefore: string,
): Promise<RunItem | undefined> {
  const { rows } = await sql<RunItem>`
    update invoice_run_item set status = 'sending', "claimedAt" = ${nowOf(ctx)}
    where id = (select id from invoice_run_item where "runId" = ${runId}
      and ((status = 'waiting' and ${status === 'running'})
        or (status = 'sending' and "claimedAt" < ${lostBefore}::timestamptz))
      order by position limit 1 for update skip locked)
    returning id, "customerId", "netCents", "orderIds"
  `.execute(ctx.db)
  return rows[0]
}

/** An item that is being sent, locked until the transaction ends; undefined where its result is known by now. */
export const lockOpenItem = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('invoice_run_item')
    .select(['id', 'invoiceId'])
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .forUpdate()
    .executeTakeFirst()

export async function updateItem(
  ctx: Ctx,
  id: number,
  change: { invoiceId: number | null } | { status: 'sent' } | { status: 'failed'; fault: RunFault },
): Promise<void> {
  const { fault, ...rest } = { fault: undefined, ...change }
  await ctx.db
    .updateTable('invoice_run_item')
    .set({ ...rest, ...(fault && { fault: JSON.stringify(fault) }) })
    .where('id', '=', id)
    .execute()
}

/** Ends a run of which nothing waits or is sent any more; of one that is to stop, what waits is left. */
export async function finishRun(ctx: Ctx, runId: number): Promise<void> {
  const run = await lockRun(ctx, runId)
  if (!run || run.status === 'finished') return
  if (run.status === 'stopping')
    await ctx.db
      .updateTable('invoice_run_item')
      .set({ status: 'stopped' })
      .where('runId', '=', runId)
      .where('status', '=', 'waiting')
      .execute()
  const open = await ctx.db
    .selectFrom('invoice_run_item')
    .select('id')
    .where('runId', '=', runId)
    .where('status', 'in', ['waiting', 'sending'])
    .limit(1)
    .executeTakeFirst()
  if (open) return
  await ctx.db
    .updateTable('invoice_run')
    .set((eb) => ({ status: 'finished', finishedAt: nowOf(ctx), version: eb('version', '+', 1) }))
    .where('id', '=', runId)
    .execute()
}

const freeRuns = (ctx: Ctx) =>
  ctx.db
    .selectFrom('invoice_run')
    .select('id')
    .where('status', '<>', 'finished')
    .where(notHeld('invoice_run', sql.ref('invoice_run.id')))

/** Runs that are not over, and that wait for no word after a restore. */
export const openRuns = async (ctx: Ctx): Promise<number[]> => (await freeRuns(ctx).execute()).map(({ id }) => id)

/** True where a run may go on: it is not over, and waits for no word after a restore. */
export const mayGoOn = async (ctx: Ctx, id: number): Promise<boolean> =>
  (await freeRuns(ctx).where('id', '=', id).executeTakeFirst()) !== undefined
