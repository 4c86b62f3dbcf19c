import type { FastifyReply } from 'fastify'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { answerWithFile, sendDocument } from '../document/index.ts'
import { pdfDataOf } from './invoice-pdf.builder.ts'
import { visibleInvoices } from './invoice.policy.ts'
import { invoiceView } from './invoice.query.ts'
import { fileNameOf } from './invoice.rules.ts'

/**
 * Answers with the frozen PDF of a sent invoice, or with a draft as it would look now. A carrier's invoice has no
 * document of ours: `not_found`.
 */
export async function sendInvoiceDocument(ctx: Ctx, id: number, reply: FastifyReply): Promise<void> {
  const { documentId, entityType } = await invoiceView(ctx, visibleInvoices(ctx), id)
  if (entityType !== 'customer') throw new AppError('not_found')
  if (documentId !== null) return sendDocument(ctx, documentId, reply)
  const invoice = await ctx.db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const bytes = await ctx.ports.invoicePdf(
    await pdfDataOf(ctx, { ...invoice, seller: invoice.seller!, buyer: invoice.buyer! }),
    invoice.language,
  )
  const title = fileNameOf({ ...invoice, isCorrection: invoice.correctionOfId !== null }, invoice.language)
  answerWithFile(reply, { title, contentType: 'application/pdf', sizeBytes: bytes.length }, bytes)
}
