import type { FastifyReply } from 'fastify'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { answerWithFile } from '../document/index.ts'
import { runView } from './payment-file.query.ts'

/** Answers with the bytes of a run as they were made. Errors: `not_found`, `file_deleted`. */
export async function sendPaymentFile(ctx: Ctx, id: number, reply: FastifyReply): Promise<void> {
  const { fileName, deletedAt } = await runView(ctx, id)
  if (deletedAt !== null) throw new AppError('file_deleted')
  const { xml } = await ctx.db
    .selectFrom('payment_file_content')
    .select('xml')
    .where('paymentFileId', '=', id)
    .executeTakeFirstOrThrow()
  answerWithFile(reply, { title: fileName, contentType: 'application/xml', sizeBytes: xml.length }, xml)
}
