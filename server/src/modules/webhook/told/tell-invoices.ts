import { isPaidInvoice, type InvoiceStatus } from '@waybill/contract/invoice/status'
import type { WebhookEvent } from '@waybill/contract/webhook/webhook'
import type { Ctx, Reaction } from '../../../kit/context/context.ts'
import { addressOf, tellWebhooks } from '../tell-webhooks.ts'

/** One message about an invoice as it stands now. */
const tellInvoice = (ctx: Ctx, type: WebhookEvent, invoiceId: number, more: object = {}): Promise<void> =>
  tellWebhooks(ctx, [type], async () => {
    const { id, entityType, number, innerNumber, version, status } = await ctx.db
      .selectFrom('invoice')
      .select(['id', 'entityType', 'number', 'innerNumber', 'version', 'status'])
      .where('id', '=', invoiceId)
      .executeTakeFirstOrThrow()
    const url = addressOf(ctx, `invoices/${id}`)
    const data = { id, side: entityType, number, innerNumber, version, status, ...more, url }
    return [{ type, record: { kind: 'invoice', id }, data }]
  })

export const tellInvoiceSent: Reaction<'invoice.wentOut'> = (ctx, { invoiceId }) =>
  tellInvoice(ctx, 'invoice.sent', invoiceId)

/** Told of the original: it is what was corrected. */
export const tellInvoiceCorrected: Reaction<'invoice.corrected'> = (ctx, { invoiceId, originalId }) =>
  tellInvoice(ctx, 'invoice.corrected', originalId, { correctionId: invoiceId })

const EVENT_OF_STATUS: Readonly<Partial<Record<InvoiceStatus, WebhookEvent>>> = {
  approved: 'invoice.approved',
  paid: 'invoice.paid',
  canceled: 'invoice.canceled',
}

export const tellInvoiceMoved: Reaction<'invoice.moved'> = (ctx, { invoiceId, from, to }) => {
  const type = isPaidInvoice(from) ? 'invoice.unpaid' : EVENT_OF_STATUS[to]
  return type === undefined ? Promise.resolve() : tellInvoice(ctx, type, invoiceId, { from })
}
