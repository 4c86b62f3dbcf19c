import { sql } from 'kysely'
import { QUOTE_TRIES_A_MINUTE, type QuotePage } from '@waybill/contract/public/quote-page'
import { inTransaction, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { networkOf } from '../../kit/http/network.ts'
import { audit } from '../../kit/records/audit.ts'
import { countTry, triesOf, untilNextMinute } from '../upload-link/index.ts'
import { pageStateOf, quotePage, quoteWith, type OpenedQuote } from './quote-page.query.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** a customer has answered a quote by its link */
    'quote.answered': { quoteId: number; isAccepted: boolean }
  }
}

const tooMany = (ctx: Ctx) => new AppError('rate_limited', { retryAfter: untilNextMinute(ctx) })

/**
 * What a token opens. Errors: `not_found`, the same for a token that is unknown, malformed, expired or withdrawn;
 * `rate_limited` for a link that is asked too often, and for an address that has tried too many wrong ones. A token is
 * 256 bits and looked up by its digest, so that how long it takes tells nothing.
 */
export async function openQuote(ctx: Ctx, token: string, ip: string): Promise<OpenedQuote> {
  const guesses = `line ${networkOf(ip).line}`
  const opened = await quoteWith(ctx, hashSecret(token))
  if (opened === undefined) {
    if ((await countTry(ctx, guesses)) > QUOTE_TRIES_A_MINUTE) throw tooMany(ctx)
    throw new AppError('not_found')
  }
  // Who guesses learns nothing more, not even that one of them was right.
  if ((await triesOf(ctx, guesses)) > QUOTE_TRIES_A_MINUTE) throw tooMany(ctx)
  if ((await countTry(ctx, `quote ${opened.id}`)) > QUOTE_TRIES_A_MINUTE) throw tooMany(ctx)
  return opened
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
