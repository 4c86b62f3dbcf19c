import { sql } from 'kysely'
import { QUOTE_TRIES_A_MINUTE, type QuotePage } from '@waybill/contract/public/quote-page'
import { inTransaction, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { audit } from '../../kit/records/audit.ts'
import { admitFound } from '../upload-link/index.ts'
import { pageStateOf, quotePage, quoteWith, type OpenedQuote } from './quote-page.query.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** a customer has answered a quote by its link */
    'quote.answered': { quoteId: number; isAccepted: boolean }
  }
}

/** What a token opens. Errors: as `admitFound`, `not_found` for a quote that was withdrawn or has expired, too. */
export async function openQuote(ctx: Ctx, token: string, ip: string): Promise<OpenedQuote> {
  const found = await quoteWith(ctx, hashSecret(token))
  return admitFound(ctx, { ip, found, subject: found && `quote ${found.id}`, most: QUOTE_TRIES_A_MINUTE })
}

/**
 * Writes what a customer answers. Error: `conflict` where the last day is over, or the other answer was given. The same
 * once more changes nothing.
 */
export const answerQuote = (
  ctx: Ctx,
  token: string,
  { isAccepted, remark }: { isAccepted: boolean; remark: string | null },
): Promise<QuotePage> =>
  inTransaction(ctx, async (inner) => {
    const tokenHash = hashSecret(token)
    // Somebody of ours who withdraws it at this moment comes before or after, never in between.
    await sql`select id from quote where "tokenHash" = ${tokenHash} for no key update`.execute(inner.db)
    const opened = await quoteWith(inner, tokenHash)
    if (opened === undefined) throw new AppError('not_found')
    const state = isAccepted ? 'accepted' : 'refused'
    const before = pageStateOf(inner, opened)
    if (before === state) return quotePage(inner, opened)
    if (before !== 'open') throw new AppError('conflict')
    await sql`update quote set state = ${state}, "answeredAt" = ${nowOf(inner)}, "answeredBy" = 'link',
      "answerRemark" = ${remark}, version = version + 1 where id = ${opened.id}`.execute(inner.db)
    await audit(inner, {
      ownerKind: 'quote',
      ownerId: opened.id,
      action: isAccepted ? 'quoteAcceptedByLink' : 'quoteRefusedByLink',
      ...(remark !== null && { after: { answerRemark: remark } }),
    })
    await tell(inner, { type: 'quote.answered', quoteId: opened.id, isAccepted })
    return quotePage(inner, (await quoteWith(inner, tokenHash))!)
  })
