import type { Reading } from '@waybill/contract/intake/reading'
import type { Quote, QuoteWrite } from '@waybill/contract/quote/quote'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { createQuote } from '../../quote/index.ts'
import { settledOf } from '../intake.query.ts'
import { lockMail, refuseInHand, refuseSaved, refuseSettled, updateMail } from '../intake.repository.ts'
import { asOrder, draftCount } from './draft-order.rules.ts'

/** Makes a quote of one draft of a mail. Errors: as the contract names them. */
export async function quoteDraft(ctx: Ctx, mailId: number, position: number, body: QuoteWrite): Promise<Quote> {
  const mail = await lockMail(ctx, mailId)
  const before = await settledOf(ctx, mailId)
  refuseSaved(before, position)
  refuseSettled(mail)
  await refuseInHand(ctx, mail)
  const count = draftCount(asOrder(mail.reading as Reading))
  if (position >= count) throw new AppError('not_found')
  const quote = await createQuote(ctx, body)
  const { userId } = actorOf(ctx)
  await ctx.db
    .insertInto('intake_quote')
    .values({ mailId, position, quoteId: quote.id, createdAt: nowOf(ctx), createdById: userId })
    .execute()
  await updateMail(ctx, mail, { state: before.length + 1 >= count ? 'saved' : 'drafted', assignedToId: userId })
  return quote
}
