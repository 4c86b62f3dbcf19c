import { sql, type Insertable } from 'kysely'
import type { Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import { insertRows, type NewRow } from '../../kit/database/insert-rows.ts'
import { visibleRuns } from './payment-file.policy.ts'
import './payment-file.table.ts'

/** Locks invoices until the transaction ends, always in the same order, so that two who want the same ones queue. */
export async function lockInvoices(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await sql`select id from invoice where id = any(${ids}::bigint[]) order by id for update`.execute(ctx.db)
  // Nobody takes a confirmation back while its account is being paid.
  await sql`select b.id from carrier_bank_account b where b."carrierCompanyId" in (
      select i."carrierCompanyId" from invoice i where i.id = any(${ids}::bigint[]))
    order by b.id for share`.execute(ctx.db)
}

/** The next number of a run, from a row that stays locked until the transaction ends: no gap, none twice. */
export async function nextRunNumber(ctx: Ctx, year: number): Promise<string> {
  const { rows } = await sql<{ last: number }>`
    insert into payment_file_counter (year, last) values (${year}, 1)
      on conflict (year) do update set last = payment_file_counter.last + 1 returning last
  `.execute(ctx.db)
  return `${String(year % 100).padStart(2, '0')}-${String(rows[0]!.last).padStart(3, '0')}`
}

type Run = Insertable<Tables['payment_file']>
type Payment = Omit<NewRow<'payment_file_payment'>, 'paymentFileId' | 'position'>

export interface NewRun {
  run: Run
  xml: Buffer
  payments: readonly { payment: Payment; items: readonly { invoiceId: number; amountCents: number }[] }[]
}

/** Writes a run with its bytes, its payments and the invoices of each; returns its id. */
export async function insertRun(ctx: Ctx, { run, xml, payments }: NewRun): Promise<number> {
  const { id } = await ctx.db.insertInto('payment_file').values(run).returning('id').executeTakeFirstOrThrow()
  await ctx.db.insertInto('payment_file_content').values({ paymentFileId: id, xml }).execute()
  await insertRows(
    ctx,
    'payment_file_payment',
    payments.map(({ payment }, position) => ({ ...payment, paymentFileId: id, position })),
  )
  const written = await ctx.db
    .selectFrom('payment_file_payment')
    .select('id')
    .where('paymentFileId', '=', id)
    .orderBy('position')
    .execute()
  const items = payments.flatMap(({ items: ofPayment }, position) =>
    ofPayment.map((item) => ({ ...item, paymentFileId: id, paymentId: written[position]!.id })),
  )
  await insertRows(ctx, 'payment_file_item', items)
  await sql`
    update payment_file set "searchKey" = search_key(concat_ws(' ', number, "fileName", "messageId",
      (select string_agg(distinct c.title, ' ') from payment_file_payment p
        join carrier_company c on c.id = p."carrierCompanyId" where p."paymentFileId" = ${id}),
      (select string_agg(p.remittance, ' ' order by p.position) from payment_file_payment p
        where p."paymentFileId" = ${id})))
      where id = ${id}
  `.execute(ctx.db)
  return id
}

/** A run that the caller may know of, locked until the transaction ends; undefined where there is none. */
export const lockRun = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('payment_file')
    .selectAll()
    .where('id', '=', id)
    .where(visibleRuns(ctx))
    .forUpdate()
    .executeTakeFirst()

/** The invoices that a run pays: not those of payments that came back. */
export async function validInvoices(ctx: Ctx, paymentFileId: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('payment_file_item')
    .select('invoiceId')
    .where('paymentFileId', '=', paymentFileId)
    .where('isValid', '=', true)
    .execute()
  return rows.map(({ invoiceId }) => invoiceId)
}

/** The payment of a run that holds an invoice; undefined where none does. */
export const paymentHolding = (ctx: Ctx, paymentFileId: number, invoiceId: number) =>
  ctx.db
    .selectFrom('payment_file_item as item')
    .innerJoin('payment_file_payment as payment', 'payment.id', 'item.paymentId')
    .select(['payment.id', 'payment.carrierCompanyId', 'payment.iban', 'payment.amountCents', 'payment.returnedAt'])
    .where('item.paymentFileId', '=', paymentFileId)
    .where('item.invoiceId', '=', invoiceId)
    .executeTakeFirst()

/** Frees the invoices of a run, or of one payment of it, for another run. */
export async function freeItems(ctx: Ctx, which: { paymentFileId: number } | { paymentId: number }): Promise<number[]> {
  const [column, id] = Object.entries(which)[0] as ['paymentFileId' | 'paymentId', number]
  const rows = await ctx.db
    .updateTable('payment_file_item')
    .set({ isValid: false })
    .where(column, '=', id)
    .where('isValid', '=', true)
    .returning('invoiceId')
    .execute()
  return rows.map(({ invoiceId }) => invoiceId)
}
