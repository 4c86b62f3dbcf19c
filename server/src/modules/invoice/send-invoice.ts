import { sql } from 'kysely'
import { invoiceNumber } from '@waybill/contract/company'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { allowedInvoiceMoves, isBilled, isSendable } from '@waybill/contract/invoice/status'
import { dueDate as dueDateOf } from '@waybill/contract/invoice/totals'
import { localOf } from '@waybill/contract/kit/local-time'
import { audit } from '../../kit/records/audit.ts'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { keepFile, storeDocument } from '../document/index.ts'
import { billingCustomer, sellingCompany } from './billing.query.ts'
import { pdfDataOf } from './invoice-pdf.builder.ts'
import { refuseExcess } from './correct-invoice.ts'
import { visibleInvoices } from './invoice.policy.ts'
import { invoiceView } from './invoice.query.ts'
import { freeFreight, lockInvoice, nextCounter, refreshSearchKeys, sentCorrectionGroups } from './invoice.repository.ts'
import { cancelsOut, fileNameOf, STATUS_COLUMNS } from './invoice.rules.ts'

/** The mail as the preview page holds it; nothing is added behind it. */
export interface InvoiceMail {
  to: string[]
  cc: string[]
  subject: string
  html: string
}

declare module '../../kit/context/events.ts' {
  interface Events {
    /** `mail` is null where the invoice was handed over without one */
    'invoice.sent': { invoiceId: number; documentId: number; mail: InvoiceMail | null }
    'invoice.moved': { invoiceId: number; from: string; to: string }
  }
}

type Row = NonNullable<Awaited<ReturnType<typeof lockInvoice>>>

/** The first of a sent pair: the correction's original, which must still be billed. */
async function lockOriginal(ctx: Ctx, id: number): Promise<Row> {
  const original = await lockInvoice(ctx, id)
  if (!original || !isBilled(original.status)) throw new AppError('conflict')
  return original
}

/**
 * A correction that, with those before it, takes the original back in full cancels it,
 * and its freight may be billed anew (domain, Invoices).
 */
async function cancelIfTakenBack(ctx: Ctx, original: Row): Promise<void> {
  if (!cancelsOut([...original.vatGroups, ...(await sentCorrectionGroups(ctx, original.id))])) return
  const at = nowOf(ctx)
  await ctx.db
    .updateTable('invoice')
    .set({ status: 'canceled', statusDate: at, canceledAt: at, version: original.version + 1 })
    .where('id', '=', original.id)
    .execute()
  await freeFreight(ctx, original.id)
  await audit(ctx, {
    ownerKind: 'invoice',
    ownerId: original.id,
    action: 'moved',
    before: { status: original.status },
    after: { status: 'canceled' },
  })
  await tell(ctx, { type: 'invoice.moved', invoiceId: original.id, from: original.status, to: 'canceled' })
}

/**
 * Sends a customer's invoice: number, dates, frozen amounts and recipient, the PDF as a file of the invoice,
 * and the mail, all in the caller's transaction.
 * The counter is locked as late as can be, for as long as it takes to render the PDF, which shows the number,
 * and to commit.
 * Errors: `illegal_transition`, `stale_version`, `too_few` lines, `exceeds_original`,
 * `conflict` for an inactive one or a correction whose original is not billed any more.
 */
export async function sendInvoice(ctx: Ctx, id: number, version: number, mail: InvoiceMail | null): Promise<Invoice> {
  const visible = visibleInvoices(ctx)
  await invoiceView(ctx, visible, id)
  const invoice = await lockInvoice(ctx, id)
  if (!invoice) throw new AppError('not_found')
  if (!isSendable(invoice.entityType, invoice.status)) {
    throw new AppError('illegal_transition', {
      from: invoice.status,
      to: 'sent',
      allowed: allowedInvoiceMoves(invoice.entityType, invoice.status).map((move) => move.to),
    })
  }
  if (invoice.version !== version) throw new AppError('stale_version', { current: await invoiceView(ctx, visible, id) })
  if (invoice.state !== 'active') throw new AppError('conflict')
  const { count } = await ctx.db
    .selectFrom('invoice_line')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('invoiceId', '=', id)
    .executeTakeFirstOrThrow()
  if (count === 0) throw fieldError('lines', 'too_few', { min: 1 })
  const original = invoice.correctionOfId === null ? null : await lockOriginal(ctx, invoice.correctionOfId)
  // Others may have been sent since the draft; the original's lock keeps further ones out.
  if (original) await refuseExcess(ctx, original, invoice.vatGroups)

  // An address put right since the draft counts; a correction goes to whom the original went to.
  const company = (await sellingCompany(ctx, invoice.companyId!))!
  const buyer = original ? invoice.buyer! : (await billingCustomer(ctx, invoice.billingCustomerId!))!.buyer
  const seller = original ? invoice.seller! : company.seller
  const at = nowOf(ctx)
  const invoiceDate = localOf(at, company.timeZone).date
  const dueDate = dueDateOf(invoiceDate, invoice.paymentPeriodDays!)
  const year = Number(invoiceDate.slice(0, 4))
  const printed = await pdfDataOf(ctx, { ...invoice, seller, buyer, invoiceDate, dueDate })

  // From here on every other sending of this company waits for us.
  const number = invoiceNumber(company.invoiceNumberPattern, year, await nextCounter(ctx, company.id, year))
  const bytes = await ctx.ports.invoicePdf({ ...printed, number }, invoice.language)
  const title = fileNameOf(
    { number, innerNumber: invoice.innerNumber, isCorrection: original !== null },
    invoice.language,
  )
  const documentId = await storeDocument(ctx, {
    owner: { kind: 'invoice', id },
    documentType: 'CUSTOMER_INVOICE',
    title,
    contentType: 'application/pdf',
    kept: await keepFile(ctx, bytes),
  })
  await ctx.db
    .updateTable('invoice')
    .set({
      number,
      invoiceDate,
      dueDate,
      iban: seller.iban,
      seller: JSON.stringify(seller),
      buyer: JSON.stringify(buyer),
      documentId,
      frozenAt: at,
      status: 'sent',
      statusDate: at,
      [STATUS_COLUMNS.sent]: at,
      version: version + 1,
    })
    .where('id', '=', id)
    .execute()
  await refreshSearchKeys(ctx, sql`invoice.id = ${id}`)
  if (original) await cancelIfTakenBack(ctx, original)
  await audit(ctx, {
    ownerKind: 'invoice',
    ownerId: id,
    action: 'sent',
    before: { status: 'created' },
    after: { status: 'sent', number, invoiceDate, dueDate },
  })
  await tell(ctx, { type: 'invoice.sent', invoiceId: id, documentId, mail })
  return invoiceView(ctx, visible, id)
}
