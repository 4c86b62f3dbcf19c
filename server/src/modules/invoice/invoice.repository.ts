import { createHash } from 'node:crypto'
import { sql, type Insertable, type RawBuilder } from 'kysely'
import type { InvoiceWrite } from '@waybill/contract/invoice/invoice'
import {
  CANCELED_INVOICE,
  FIRST_INVOICE_STATUS,
  UNSENT_INVOICE,
  type InvoiceSide,
} from '@waybill/contract/invoice/status'
import { childrenOf, saveChildren } from '../../kit/records/children.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { Tables } from '../../kit/database/db.ts'
import type { EInvoiceFacts } from './e-invoice/facts.query.ts'
import type { KsefFacts } from './ksef/ksef-facts.query.ts'
import type { PdfData } from './invoice-pdf.builder.ts'
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
  | 'currency'
  | 'vatGroups'
  | 'iban'
  | 'notes'
  | 'language'
  | 'paymentPeriodDays'
  | 'documentCreationDate'
  | 'dueDate'
  | 'isDueAgreed'
  | 'servicePeriodFrom'
  | 'servicePeriodTo'
  | 'seller'
  | 'buyer'
  | 'state'
  | 'correctionReason'
>

export type DraftLine = NonNullable<InvoiceWrite['lines']>[number] & {
  netCents: number
  billsFreight: boolean
  billsExtra: boolean
}

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
        extraId: 'bigint',
        billsExtra: 'boolean',
        correctsLineId: 'bigint',
        correctedQuantity: 'double precision',
        correctedUnitPriceCents: 'bigint',
      },
      rows: lines.map((line) => ({
        ...line,
        correctsLineId: line.correctsLineId ?? null,
        correctedQuantity: line.correctedQuantity ?? null,
        correctedUnitPriceCents: line.correctedUnitPriceCents ?? null,
      })),
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

/** Freight and extras of these lines may be billed anew: the invoice is canceled. */
export async function freeBilled(ctx: Ctx, invoiceId: number): Promise<void> {
  await ctx.db
    .updateTable('invoice_line')
    .set({ billsFreight: false, billsExtra: false })
    .where('invoiceId', '=', invoiceId)
    .where((eb) => eb.or([eb('billsFreight', '=', true), eb('billsExtra', '=', true)]))
    .execute()
}

interface Counted {
  last: number
  lastDate: string | null
}

/**
 * The last number of a company's year, from a row that stays locked until the transaction ends: the next one who asks
 * waits for its outcome, and a rollback gives the number back. So none is given twice and none is left out
 * (domain, Invoices).
 */
export async function lockCounter(ctx: Ctx, companyId: number, year: number): Promise<Counted> {
  const { rows } = await sql<Counted>`
    insert into invoice_counter ("companyId", year, last) values (${companyId}, ${year}, 0)
    on conflict ("companyId", year) do update set last = invoice_counter.last returning last, "lastDate"
  `.execute(ctx.db)
  return rows[0]!
}

/** Moves a counter that is locked. */
export async function moveCounter(ctx: Ctx, companyId: number, year: number, to: Counted): Promise<void> {
  await ctx.db
    .updateTable('invoice_counter')
    .set(to)
    .where('companyId', '=', companyId)
    .where('year', '=', year)
    .execute()
}

/** The VAT groups of an invoice's corrections that were sent and not canceled. */
export async function sentCorrectionGroups(ctx: Ctx, originalId: number) {
  const corrections = await ctx.db
    .selectFrom('invoice')
    .select('vatGroups')
    .where('correctionOfId', '=', originalId)
    .where('frozenAt', 'is not', null)
    // On its way to KSeF one is numbered, and not sent.
    .where('status', 'not in', [UNSENT_INVOICE, CANCELED_INVOICE])
    .execute()
  return corrections.flatMap((correction) => correction.vatGroups)
}

export const readInvoice = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirst()

/** The invoice's row, locked until the transaction ends; undefined where there is none. */
export const lockInvoice = (ctx: Ctx, id: number) =>
  ctx.db.selectFrom('invoice').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The same of one that was read before; error `not_found` where it was deleted in between. */
export async function lockReadInvoice(ctx: Ctx, id: number) {
  const invoice = await lockInvoice(ctx, id)
  if (!invoice) throw new AppError('not_found')
  return invoice
}

/**
 * Keeps the prices of an invoice's orders as they are until the transaction ends; `no key update` where it will change
 * their extras itself.
 */
export async function lockOrdersOf(
  ctx: Ctx,
  invoiceId: number,
  strength: 'share' | 'no key update' = 'share',
): Promise<void> {
  await sql`select id from "order" where id in (select "orderId" from invoice_order where "invoiceId" = ${invoiceId})
    order by id for ${sql.raw(strength)}`.execute(ctx.db)
}

// ---------------------------------------------------------------- papers

/** All that the paper shows, but for the picture, which is kept once. */
type Printed = Omit<PdfData, 'seller'> & {
  seller: Omit<PdfData['seller'], 'logo'>
  /** left out where the PDF alone is the invoice */
  eInvoice?: EInvoiceFacts
  /** of companies that issue in KSeF */
  ksef?: KsefFacts
}

/** What the paper of an invoice will show, and what it is called. */
export interface NewPaper extends Pick<Tables['invoice_paper'], 'invoiceId' | 'logoHash' | 'language' | 'title'> {
  printed: Printed
}

/** Keeps a picture for papers; returns its hash. */
export async function keepLogo(ctx: Ctx, logo: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(logo).digest('hex')
  await ctx.db
    .insertInto('invoice_logo')
    .values({ hash, png: Buffer.from(logo) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return hash
}

/** Writes what the paper of an invoice will show; the database wants it before the invoice is frozen. */
export async function insertPaper(ctx: Ctx, { printed, ...paper }: NewPaper): Promise<void> {
  await ctx.db
    .insertInto('invoice_paper')
    .values({ ...paper, printed: JSON.stringify(printed) })
    .execute()
}

export interface UnmadePaper extends Pick<NewPaper, 'printed' | 'language'> {
  logo: Buffer | null
  frozenAt: string
  /** as the row of the invoice has them, which what is made must say too */
  amountCents: number
  vatCents: number
  totalCents: number
}

/** What a paper that is not made yet shows; undefined where it is made, or there is none. */
export const unmadePaper = (ctx: Ctx, invoiceId: number): Promise<UnmadePaper | undefined> =>
  ctx.db
    .selectFrom('invoice_paper as paper')
    .innerJoin('invoice', 'invoice.id', 'paper.invoiceId')
    .leftJoin('invoice_logo as logo', 'logo.hash', 'paper.logoHash')
    .select(['paper.printed', 'paper.language', 'logo.png as logo', 'invoice.frozenAt'])
    .select(['invoice.amountCents', 'invoice.vatCents', 'invoice.totalCents'])
    .where('paper.invoiceId', '=', invoiceId)
    .where('paper.documentId', 'is', null)
    .executeTakeFirst() as Promise<UnmadePaper | undefined>

/** Locks a paper until the transaction ends; undefined where it is made by now. */
export const lockUnmadePaper = (ctx: Ctx, invoiceId: number) =>
  ctx.db
    .selectFrom('invoice_paper')
    .select('title')
    .where('invoiceId', '=', invoiceId)
    .where('documentId', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export async function markMade(ctx: Ctx, invoiceId: number, documentId: number): Promise<void> {
  await ctx.db
    .updateTable('invoice_paper')
    .set({ documentId, madeAt: nowOf(ctx) })
    .where('invoiceId', '=', invoiceId)
    .execute()
}

/** Writes what was made of an invoice by its hash, before its paper is marked as made. */
export async function insertArtifacts(
  ctx: Ctx,
  invoiceId: number,
  artifacts: readonly Omit<Tables['invoice_artifact'], 'invoiceId' | 'madeAt'>[],
): Promise<void> {
  const madeAt = nowOf(ctx)
  await ctx.db
    .insertInto('invoice_artifact')
    .values(artifacts.map((artifact) => ({ ...artifact, invoiceId, madeAt })))
    .execute()
}

export async function noteFailedTry(ctx: Ctx, invoiceId: number, triedAt: string): Promise<void> {
  await ctx.db
    .updateTable('invoice_paper')
    .set((eb) => ({ tries: eb('tries', '+', 1), triedAt }))
    .where('invoiceId', '=', invoiceId)
    .where('documentId', 'is', null)
    .execute()
}

/** Invoices that were sent before a moment and have no paper yet; a thousand at most. */
export async function unmadePapers(ctx: Ctx, before: string): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('invoice_paper as paper')
    .innerJoin('invoice', 'invoice.id', 'paper.invoiceId')
    .select('paper.invoiceId')
    .where('paper.documentId', 'is', null)
    .where('invoice.frozenAt', '<=', before)
    // One whose file is made waits for somebody who types its number.
    .where(sql<boolean>`not exists (select 1 from ksef_submission s where s."invoiceId" = paper."invoiceId"
      and s.state = 'awaited' and s."documentId" is not null)`)
    .orderBy('paper.invoiceId')
    .limit(1000)
    .execute()
  return rows.map(({ invoiceId }) => invoiceId)
}
