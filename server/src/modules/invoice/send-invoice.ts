import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { z } from 'zod'
import { invoiceNumber } from '@waybill/contract/company'
import type { Invoice, sendInvoice as sendEndpoint } from '@waybill/contract/invoice/invoice'
import { isHandedOver } from '@waybill/contract/e-invoice/ksef-states'
import { allowedInvoiceMoves, isBilled, isSendable } from '@waybill/contract/invoice/status'
import { dueDate as dueDateOf } from '@waybill/contract/invoice/totals'
import { needsBuyersVatNumber } from '@waybill/contract/invoice/vat'
import { localOf } from '@waybill/contract/kit/local-time'
import { audit } from '../../kit/records/audit.ts'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { areNumbersHeld } from '../../kit/database/restore-hold.ts'
import { holdDocuments } from '../document/index.ts'
import { afterSent } from './after-sent.ts'
import { billingCustomer, sellingCompany, type SellingCompany } from './billing.query.ts'
import { factsFor, findingFaults, makeXml, refuseOtherAmounts } from './e-invoice/prove-e-invoice.ts'
import type { EInvoiceFacts } from './e-invoice/facts.query.ts'
import { ksefFactsFor, type KsefFacts } from './ksef/ksef-facts.query.ts'
import { reservedNumber } from './ksef/submission.query.ts'
import { fetchRates } from './ksef/nbp/fetch-rates.ts'
import { proveKsef, refuseBeforeOthers, submitToKsef } from './ksef/send-by-ksef.ts'
import { pdfDataOf, type PdfData } from './invoice-pdf.builder.ts'
import { refuseExcess } from './correct-invoice.ts'
import { tryInvoice } from './pods/draw-invoice.ts'
import { drawPods } from './pods/draw-pods.ts'
import { refitDraft, refitted } from './correction/refit-draft.ts'
import { scheduleMaking } from './make-paper.ts'
import { visibleInvoices } from './invoice.policy.ts'
import { invoiceView } from './invoice.query.ts'
import {
  insertPaper,
  keepLogo,
  lockCounter,
  lockInvoice,
  lockOrdersOf,
  moveCounter,
  readInvoice,
  refreshSearchKeys,
} from './invoice.repository.ts'
import { fileNameOf, STATUS_COLUMNS } from './invoice.rules.ts'
import type { Buyer, Seller } from './invoice.table.ts'

/** The mail as its page held it, or what is null of it as the department's text says. */
export type InvoiceMail = z.output<typeof sendEndpoint.body>

declare module '../../kit/context/events.ts' {
  interface Events {
    /**
     * In the transaction that gives the number, before it is given. `mail` is null where the invoice is handed over
     * without one; it may leave once the paper is made. `isByRun`: one of many, that nobody looked at.
     */
    'invoice.sent': { invoiceId: number; mail: InvoiceMail | null; isByRun: boolean }
    /** it is sent, and has its number: at once, or where KSeF decides, once that has accepted it */
    'invoice.wentOut': { invoiceId: number }
    /** a correction has its number, and its original is not canceled by it yet */
    'invoice.corrected': { invoiceId: number; originalId: number }
    /** In the same transaction: now it has its number, and others wait for ours; only what takes no time. */
    'invoice.numbered': { invoiceId: number; number: string; invoiceDate: string; dueDate: string }
  }
}

type Row = NonNullable<Awaited<ReturnType<typeof lockInvoice>>>

/** What an invoice is about to say: compared before the number is given with what was proved. */
export interface ProvedInvoice {
  seller: Seller
  buyer: Buyer
  printed: PdfData
  /** null where the PDF alone is the invoice */
  eInvoice: EInvoiceFacts | null
  /** null where the company issues none in KSeF; there KSeF stands in for what the customer wants */
  ksef: KsefFacts | null
}

interface Sendable {
  invoice: Row
  /** of a correction */
  original: Row | null
  /** an address put right since the draft counts; a correction goes to whom the original went to */
  buyer: Buyer
  company: SellingCompany
}

/**
 * An invoice that may be sent, by every rule. Errors: `not_found`, `illegal_transition`, `stale_version`, `too_few`
 * lines, `exceeds_original`, `vat_number_missing` at the category of a line, `conflict` for an inactive one or a
 * correction whose original is not billed any more.
 */
async function sendable(
  ctx: Ctx,
  id: number,
  version: number,
  read: (ctx: Ctx, id: number) => Promise<Row | undefined>,
): Promise<Sendable> {
  const visible = visibleInvoices(ctx)
  await invoiceView(ctx, visible, id)
  const invoice = await read(ctx, id)
  if (!invoice) throw new AppError('not_found')
  if (!isSendable(invoice.entityType, invoice.status)) {
    throw new AppError('illegal_transition', {
      from: invoice.status,
      to: 'sent',
      allowed: allowedInvoiceMoves(invoice.entityType, invoice.status).map((move) => move.to),
    })
  }
  if (invoice.frozenAt !== null) throw new AppError('ksef_undecided')
  if (invoice.version !== version) throw new AppError('stale_version', { current: await invoiceView(ctx, visible, id) })
  if (invoice.state !== 'active') throw new AppError('conflict')
  const lines = await ctx.db
    .selectFrom('invoice_line')
    .select(['vatCategory', 'netCents'])
    .where('invoiceId', '=', id)
    .orderBy('position')
    .execute()
  if (lines.length === 0) throw fieldError('lines', 'too_few', { min: 1 })
  let original: Row | null = null
  if (invoice.correctionOfId !== null) {
    original = (await read(ctx, invoice.correctionOfId)) ?? null
    if (!original || !isBilled(original.status)) throw new AppError('conflict')
    await refuseBeforeOthers(ctx, invoice)
    // Others may have been sent since the draft; once the original is locked, no further one is.
    await refuseExcess(ctx, original, invoice.vatGroups)
    if ((await refitted(ctx, invoice)) !== null)
      throw new AppError('stale_version', { current: await invoiceView(ctx, visible, id) })
  }
  const buyer = original ? invoice.buyer! : (await billingCustomer(ctx, invoice.billingCustomerId!))!.buyer
  // What was billed so before there was this rule may be taken back.
  const fields = lines.flatMap(({ vatCategory, netCents }, index): FieldFault[] =>
    needsBuyersVatNumber(vatCategory) && buyer.vatNumber === null && (!original || netCents > 0)
      ? [{ path: `lines.${index}.vatCategory`, code: 'vat_number_missing' }]
      : [],
  )
  if (fields.length > 0) throw new AppError('validation', { fields })
  return { invoice, original, buyer, company: (await sellingCompany(ctx, invoice.companyId!))! }
}

const today = (ctx: Ctx, { timeZone }: SellingCompany): string => localOf(nowOf(ctx), timeZone).date
const yearOf = (date: string): number => Number(date.slice(0, 4))

async function pictureOf(
  ctx: Ctx,
  { invoice, original, buyer, company }: Sendable,
  { number, invoiceDate }: Pick<PdfData, 'number' | 'invoiceDate'>,
): Promise<ProvedInvoice> {
  const seller = original ? invoice.seller! : company.seller
  const dueDate = dueDateOf(invoiceDate!, invoice.paymentPeriodDays!)
  const shown = { ...invoice, seller, buyer, number, invoiceDate, dueDate }
  const printed = await pdfDataOf(ctx, shown)
  const ksef = await ksefFactsFor(ctx, shown, printed)
  const eInvoice = ksef === null ? await factsFor(ctx, shown) : null
  return { seller, buyer, printed, eInvoice, ksef }
}

/** The same, and where it needs exchange rates that nobody has entered, NBP is asked before. */
async function pictureWithRates(ctx: Ctx, found: Sendable, shown: Parameters<typeof pictureOf>[2]) {
  const first = await pictureOf(ctx, found, shown)
  const missing = first.ksef?.ratesMissing ?? []
  if (missing.length === 0 || ctx.ports.nbp === null) return first
  await fetchRates(ctx, missing)
  return pictureOf(ctx, found, shown)
}

const withoutPods = ({ pods: _pods, ...printed }: PdfData): PdfData => printed

/** Proofs that could not be drawn, and one that was accepted or drawn meanwhile, stay files. */
function withPodsOf({ pods = [], ...printed }: PdfData, proved: PdfData): PdfData {
  const shown = pods.filter(({ fileKey }) => proved.pods?.some((pod) => pod.fileKey === fileKey))
  return shown.length === 0 ? printed : { ...printed, pods: shown }
}

/**
 * The first step of sending, outside of any transaction: every rule is asked, and the paper is drawn once with a
 * number that stands for the real one. What fails here uses up no number. Errors: see `sendable`, `e_invoice_rule` at
 * each field that hinders an electronic invoice, and what the renderer throws.
 */
export async function proveInvoice(ctx: Ctx, id: number, version: number): Promise<ProvedInvoice> {
  const { orderIds } = await invoiceView(ctx, visibleInvoices(ctx), id)
  await refitDraft(ctx, id, version)
  const found = await sendable(ctx, id, version, readInvoice)
  const invoiceDate = today(ctx, found.company)
  const number = invoiceNumber(found.company.invoiceNumberPattern, yearOf(invoiceDate), 1)
  if (found.original === null) await drawPods(ctx, orderIds)
  const proved = await pictureWithRates(ctx, found, { number, invoiceDate })
  const { language } = found.invoice
  const { printed, eInvoice, ksef } = proved
  if (ksef !== null) {
    await proveKsef(ctx, found.invoice, { printed, ksef })
    return proved
  }
  const fields = eInvoice === null ? [] : await findingFaults(ctx, found.invoice, { printed, eInvoice })
  if (fields.length > 0) throw new AppError('validation', { fields })
  const xml = eInvoice === null ? null : makeXml(printed, eInvoice, language)
  await refuseOtherAmounts({ ...found.invoice, printed }, xml)
  const { hasPods } = await tryInvoice(ctx, printed, language, { facturX: xml?.inPdf })
  return hasPods ? proved : { ...proved, printed: withoutPods(printed) }
}

/**
 * The next number and its date: the day on which the counter is ours, for who waited may find another one, at the turn
 * of a year with another counter; and never a day before that of the number before.
 */
async function nextNumber(
  ctx: Ctx,
  company: SellingCompany,
  reserved: string | null,
): Promise<{ number: string; invoiceDate: string }> {
  // Its date is that of the day: numbers that came after it may be of days before.
  if (reserved !== null) return { number: reserved, invoiceDate: today(ctx, company) }
  if (await areNumbersHeld(ctx.db, company.id)) throw new AppError('numbers_held')
  for (;;) {
    const year = yearOf(today(ctx, company))
    const { last, lastDate } = await lockCounter(ctx, company.id, year)
    const day = today(ctx, company)
    if (yearOf(day) !== year) continue
    const invoiceDate = lastDate !== null && lastDate > day ? lastDate : day
    await moveCounter(ctx, company.id, year, { last: last + 1, lastDate: invoiceDate })
    return { number: invoiceNumber(company.invoiceNumberPattern, year, last + 1), invoiceDate }
  }
}

/**
 * The second step of sending, in the caller's transaction: number, dates, parties, all that the paper shows, the mail
 * that waits for the paper and the job that makes it, in one commit; nothing in it takes long. Errors: see `sendable`;
 * `stale_version` too where an address, an order's number or anything else on the paper is no longer as it was proved;
 * `numbers_held` where nobody has said since a restore which number was used last.
 */
export async function numberInvoice(
  ctx: Ctx,
  id: number,
  version: number,
  { proved, mail, isByRun = false }: { proved: ProvedInvoice; mail: InvoiceMail | null; isByRun?: boolean },
): Promise<Invoice> {
  const found = await sendable(ctx, id, version, lockInvoice)
  await lockOrdersOf(ctx, id)
  const { invoice, company } = found
  const visible = visibleInvoices(ctx)
  await holdDocuments(ctx, proved.printed.pods?.map(({ documentId }) => documentId) ?? [])
  const now = await pictureOf(ctx, found, proved.printed)
  const shown = { ...now, printed: withPodsOf(now.printed, proved.printed) }
  if (!isDeepStrictEqual(shown, proved))
    throw new AppError('stale_version', { current: await invoiceView(ctx, visible, id) })
  const { seller, buyer } = proved
  await ctx.db
    .updateTable('invoice')
    .set({ iban: seller.iban, seller: JSON.stringify(seller), buyer: JSON.stringify(buyer) })
    .where('id', '=', id)
    .execute()
  const { logo, ...printedSeller } = proved.printed.seller
  const logoHash = logo ? await keepLogo(ctx, logo) : null
  await tell(ctx, { type: 'invoice.sent', invoiceId: id, mail, isByRun })

  // From here on every other sending of this company waits for us.
  const { number, invoiceDate } = await nextNumber(ctx, company, await reservedNumber(ctx, id))
  const at = nowOf(ctx)
  const dueDate = dueDateOf(invoiceDate, invoice.paymentPeriodDays!)
  const { language, innerNumber } = invoice
  const printed = {
    ...proved.printed,
    seller: printedSeller,
    number,
    invoiceDate,
    dueDate,
    ...(proved.eInvoice && { eInvoice: proved.eInvoice }),
    ...(proved.ksef && { ksef: proved.ksef }),
  }
  const title = fileNameOf({ number, innerNumber, correction: printed.correctionOf, buyer }, language)
  const paper = { invoiceId: id, printed, logoHash, language, title }
  // What KSeF has not accepted is numbered and frozen, and not sent.
  const isSent = proved.ksef === null || !isHandedOver(proved.ksef.mode)
  if (proved.ksef !== null) await submitToKsef(ctx, invoice, { facts: proved.ksef, paper })
  if (isSent) {
    await insertPaper(ctx, paper)
    await scheduleMaking(ctx, id)
  }
  await ctx.db
    .updateTable('invoice')
    .set({
      number,
      invoiceDate,
      dueDate,
      frozenAt: at,
      ...(isSent && { status: 'sent' as const, statusDate: at, [STATUS_COLUMNS.sent]: at }),
      version: version + 1,
    })
    .where('id', '=', id)
    .execute()
  await refreshSearchKeys(ctx, sql`invoice.id = ${id}`)
  await tell(ctx, { type: 'invoice.numbered', invoiceId: id, number, invoiceDate, dueDate })
  if (isSent) await afterSent(ctx, invoice)
  await audit(ctx, {
    ownerKind: 'invoice',
    ownerId: id,
    action: isSent ? 'sent' : 'ksefQueued',
    before: { status: 'created' },
    after: { status: isSent ? 'sent' : 'created', number, invoiceDate, dueDate },
  })
  return invoiceView(ctx, visible, id)
}
