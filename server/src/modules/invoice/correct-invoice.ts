import type { Invoice, InvoiceWrite } from '@waybill/contract/invoice/invoice'
import { isCorrectable } from '@waybill/contract/invoice/status'
import type { VatGroup } from '@waybill/contract/invoice/totals'
import { audit } from '../../kit/records/audit.ts'
import { tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { correctedLines, mirrorOf } from './correction/corrected-lines.rules.ts'
import { billedBefore } from './correction/sale.query.ts'
import { checkCorrectionLines, summed, type Draft } from './invoice.builder.ts'
import { visibleInvoices } from './invoice.policy.ts'
import { invoiceView } from './invoice.query.ts'
import { insertInvoice, lockInvoice, saveParts, sentCorrectionGroups } from './invoice.repository.ts'
import { exceedsOriginal } from './invoice.rules.ts'

type Lines = NonNullable<InvoiceWrite['lines']>

/**
 * Errors: `exceeds_original` at the lines where a correction with these groups, and those that were sent before it,
 * take back more than was invoiced.
 */
export async function refuseExcess(
  ctx: Ctx,
  original: { id: number; vatGroups: readonly VatGroup[] },
  groups: readonly VatGroup[],
): Promise<void> {
  if (exceedsOriginal(original.vatGroups, [...(await sentCorrectionGroups(ctx, original.id)), ...groups]))
    throw fieldError('lines', 'exceeds_original')
}

/**
 * A correction as it is about to be written: seller, buyer, orders, language and service period are the original's,
 * its lines those of the body or, left out, the mirror of what is still billed; where nothing is left of a rate, its
 * VAT is the exact rest. Errors: `read_only`, `exceeds_original`, and those of lines.
 */
export async function correctionDraft(
  ctx: Ctx,
  correction: Pick<Invoice, 'correctionOfId'> & Partial<Invoice>,
  body: Pick<InvoiceWrite, 'lines'> & Partial<InvoiceWrite>,
): Promise<Draft> {
  const original = await ctx.db
    .selectFrom('invoice')
    .selectAll()
    .where('id', '=', correction.correctionOfId!)
    .executeTakeFirstOrThrow()
  const orders = await ctx.db
    .selectFrom('invoice_order')
    .select('orderId')
    .where('invoiceId', '=', original.id)
    .orderBy('orderId')
    .execute()
  const orderIds = orders.map((order) => order.orderId)
  const fields: FieldFault[] = []
  if (body.orderIds && [...body.orderIds].sort((a, b) => a - b).join() !== orderIds.join())
    fields.push({ path: 'orderIds', code: 'read_only' })
  for (const path of ['companyId', 'billingCustomerId', 'carrierCompanyId', 'routeId'] as const) {
    if (body[path] !== undefined && body[path] !== null && body[path] !== original[path])
      fields.push({ path, code: 'read_only' })
  }
  if (body.correctionReason === null) fields.push({ path: 'correctionReason', code: 'required' })
  if (fields.length > 0) throw new AppError('validation', { fields })
  const billed = await billedBefore(ctx, original.id, correction.id ?? null)
  const written = correctedLines(body.lines ?? mirrorOf(billed.lines), billed.lines)
  await checkCorrectionLines(ctx, written, orderIds)
  const { seller, buyer, language } = original
  const { lines, sums } = summed(written, {
    sellerCountryCode: seller!.countryCode,
    language,
    bills: false,
    before: billed.groups,
  })
  await refuseExcess(ctx, original, JSON.parse(sums.vatGroups) as VatGroup[])
  const servicePeriodFrom = body.servicePeriodFrom ?? original.servicePeriodFrom
  const servicePeriodTo = body.servicePeriodTo ?? original.servicePeriodTo
  if (servicePeriodFrom !== null && servicePeriodTo !== null && servicePeriodTo < servicePeriodFrom)
    throw fieldError('servicePeriodTo', 'ends_before_start')
  return {
    lines,
    orderIds,
    columns: {
      ...sums,
      servicePeriodFrom,
      servicePeriodTo,
      companyId: original.companyId,
      billingCustomerId: original.billingCustomerId,
      carrierCompanyId: null,
      routeId: original.routeId,
      number: null,
      iban: original.iban,
      notes: body.notes ?? null,
      language,
      paymentPeriodDays: body.paymentPeriodDays ?? original.paymentPeriodDays,
      documentCreationDate: null,
      dueDate: null,
      isDueAgreed: false,
      seller: JSON.stringify(seller),
      buyer: JSON.stringify(buyer),
      state: body.state ?? 'active',
      ...(body.correctionReason !== undefined && { correctionReason: body.correctionReason }),
    },
  }
}

/**
 * Writes a correction of a sent or paid invoice as a draft of its own (domain, Invoices):
 * without lines it takes back all that is still billed, with none it is a draft of nothing yet.
 * Errors: `conflict` for one that was never sent, is canceled, or is itself a correction,
 * whose mistakes the next correction of the original puts right.
 */
export async function correctInvoice(
  ctx: Ctx,
  id: number,
  version: number,
  { lines, reason }: { lines: Lines | null; reason: string },
): Promise<Invoice> {
  const current = await invoiceView(ctx, visibleInvoices(ctx), id)
  const original = await lockInvoice(ctx, id)
  if (original?.version !== version) throw new AppError('stale_version', { current })
  if (!isCorrectable(original)) throw new AppError('conflict')
  // The lines of the original have ids of their own.
  const written = lines?.map(({ id: _id, ...line }) => ({ ...line, extraId: null })) ?? null
  const draft = await correctionDraft(ctx, { correctionOfId: id }, { lines: written })
  const correctionId = await insertInvoice(ctx, 'customer', draft.columns, {
    correctionOfId: id,
    correctionReason: reason,
  })
  await saveParts(ctx, correctionId, draft.lines, draft.orderIds)
  await audit(ctx, { ownerKind: 'invoice', ownerId: correctionId, action: 'created', reason })
  await tell(ctx, { type: 'invoice.created', invoiceId: correctionId })
  return invoiceView(ctx, visibleInvoices(ctx), correctionId)
}
