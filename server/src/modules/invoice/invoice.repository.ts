import { sql, type Insertable, type RawBuilder } from 'kysely'
import type { InvoiceWrite } from '@waybill/contract/invoice/invoice'
import { CANCELED_INVOICE, FIRST_INVOICE_STATUS, type InvoiceSide } from '@waybill/contract/invoice/status'
import { childrenOf, saveChildren } from '../../kit/records/children.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import { STATUS_COLUMNS } from './invoice.rules.ts'
import './invoice.table.ts'

type Columns = Insertable<Tables['invoice']>

/** What a save writes of the header; the rest is given once, or belongs to the status. */
export type DraftColumns = Pick<
  Columns,
  | 'companyId'
  | 'billingCustomerId'
  | 'carrierCompanyId'
  | 'routeId'
  | 'number'
  | 'amountCents'
  | 'vatBp'
  | 'vatCents'
  | 'totalCents'
  | 'vatGroups'
  | 'iban'
  | 'notes'
  | 'language'
  | 'paymentPeriodDays'
  | 'documentCreationDate'
  | 'dueDate'
  | 'servicePeriodFrom'
  | 'servicePeriodTo'
  | 'seller'
  | 'buyer'
  | 'state'
>

export type DraftLine = NonNullable<InvoiceWrite['lines']>[number] & { netCents: number; billsFreight: boolean }

/** What every invoice is called from its creation on, out of one sequence. */
export const innerNumber = (next: number): string => `IN-${String(next).padStart(6, '0')}`

/** Writes a new invoice's header under the next inner number; returns its id. */
export async function insertInvoice(
  ctx: Ctx,
  entityType: InvoiceSide,
  columns: DraftColumns,
  correction?: { correctionOfId: number; correctionReason: string },
): Promise<number> {
  const at = nowOf(ctx)
  const status = FIRST_INVOICE_STATUS[entityType]
  const { rows } = await sql<{ next: number }>`select nextval('invoice_inner_number') as next`.execute(ctx.db)
  const { id } = await ctx.db
    .insertInto('invoice')
    .values({
      correctionOfId: null,
      correctionReason: null,
      ...emptyDates,
      ...columns,
      ...correction,
      entityType,
      innerNumber: innerNumber(rows[0]!.next),
      status,
      statusDate: at,
      [STATUS_COLUMNS[status]]: at,
      invoiceDate: null,
      documentId: null,
      frozenAt: null,
      creatorId: ctx.actor?.userId ?? null,
      createdAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const emptyDates = {
  createdStatusAt: null,
  sentAt: null,
  paidAt: null,
  canceledAt: null,
  receivedAt: null,
  approvedAt: null,
  inProgressAt: null,
}

/** Makes the stored lines and orders those of the draft, and the search key with them. */
export async function saveParts(
  ctx: Ctx,
  invoiceId: number,
  lines: readonly DraftLine[],
  orderIds: readonly number[],
): Promise<void> {
  await saveChildren(
    ctx,
    invoiceId,
    childrenOf({
      table: 'invoice_line',
      parent: 'invoiceId',
      path: 'lines',
      columns: {
        kind: 'text',
        text: 'text',
        quantity: 'double precision',
        unitPriceCents: 'bigint',
        netCents: 'bigint',
        vatBp: 'int',
        vatCategory: 'text',
        orderId: 'bigint',
        routeId: 'bigint',
        billsFreight: 'boolean',
      },
      rows: lines,
    }),
  )
  await sql`delete from invoice_order where "invoiceId" = ${invoiceId}
    and "orderId" <> all(${orderIds}::bigint[])`.execute(ctx.db)
  await sql`insert into invoice_order ("invoiceId", "orderId") select ${invoiceId}, unnest(${orderIds}::bigint[])
    on conflict do nothing`.execute(ctx.db)
  await refreshSearchKeys(ctx, sql`invoice.id = ${invoiceId}`)
}

/** What the list's search looks through: numbers first, so that the first letters of a number find it. */
export async function refreshSearchKeys(ctx: Ctx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update invoice set "searchKey" = search_key(concat_ws(' ', invoice.number, invoice."innerNumber",
      (select c.title from customer c where c.id = invoice."billingCustomerId"), (select c.title from carrier_company c
        where c.id = invoice."carrierCompanyId"),
      (select string_agg(concat_ws(' ', o.number, o."customerOrderNumber"), ' ' order by o.id) from invoice_order link
        join "order" o on o.id = link."orderId" where link."invoiceId" = invoice.id)))
    where ${which}
  `.execute(ctx.db)
}

/** The freight of these lines may be billed anew: the invoice is canceled. */
export async function freeFreight(ctx: Ctx, invoiceId: number): Promise<void> {
  await ctx.db
    .updateTable('invoice_line')
    .set({ billsFreight: false })
    .where('invoiceId', '=', invoiceId)
    .where('billsFreight', '=', true)
    .execute()
}

/**
 * The next number of a company's year, from a row that stays locked until the transaction ends: the next one who asks
 * waits for its outcome, and a rollback gives the number back. So none is given twice and none is left out
 * (domain, Invoices).
 */
export async function nextCounter(ctx: Ctx, companyId: number, year: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into invoice_counter ("companyId", year, last) values (${companyId}, ${year}, 1)
    on conflict ("companyId", year) do update set last = invoice_counter.last + 1 returning last
  `.execute(ctx.db)
  return rows[0]!.last
}

/** The VAT groups of an invoice's corrections that were sent and not canceled. */
export async function sentCorrectionGroups(ctx: Ctx, originalId: number) {
  const corrections = await ctx.db
    .selectFrom('invoice')
    .select('vatGroups')
    .where('correctionOfId', '=', originalId)
    .where('frozenAt', 'is not', null)
    .where('status', '<>', CANCELED_INVOICE)
    .execute()
  return corrections.flatMap((correction) => correction.vatGroups)
}

/** The invoice's row, locked until the transaction ends; undefined where there is none. */
export const lockInvoice = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('invoice').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
