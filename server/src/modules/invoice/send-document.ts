import type { FastifyReply } from 'fastify'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { answerWithFile, sendDocument } from '../document/index.ts'
import { pdfDataOf } from './invoice-pdf.builder.ts'
import { tryInvoice } from './pods/draw-invoice.ts'
import { visibleInvoices } from './invoice.policy.ts'
import { invoiceView } from './invoice.query.ts'
import { fileNameOf } from './invoice.rules.ts'

/**
 * Answers with the frozen PDF of a sent invoice, or with a draft as it would look now. Errors: `not_found` for a
 * carrier's invoice, which has no document of ours, `paper_missing` for a sent one whose PDF is not made yet.
 */
export async function sendInvoiceDocument(ctx: Ctx, id: number, reply: FastifyReply): Promise<void> {
  const { documentId, entityType, paper } = await invoiceView(ctx, visibleInvoices(ctx), id)
  if (entityType !== 'customer') throw new AppError('not_found')
  if (documentId !== null) return sendDocument(ctx, documentId, reply)
  if (paper !== null) throw new AppError('paper_missing')
  const invoice = await ctx.db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  // On its way to KSeF it has a number, and is a draft to everybody.
  const shown = { ...invoice, number: null, seller: invoice.seller!, buyer: invoice.buyer! }
  const data = await pdfDataOf(ctx, shown)
  const { bytes } = await tryInvoice(ctx, data, invoice.language)
  const title = fileNameOf({ ...shown, correction: data.correctionOf }, invoice.language)
  answerWithFile(reply, { title, contentType: 'application/pdf', sizeBytes: bytes.length }, bytes)
}
