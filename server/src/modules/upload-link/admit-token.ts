import { timingSafeEqual } from 'node:crypto'
import { UPLOAD_TRIES_A_MINUTE } from '@waybill/contract/public/upload-link'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { networkOf } from '../../kit/http/network.ts'
import { countTry, triesOf, untilNextMinute } from './upload-link.repository.ts'

interface Call<Link> {
  /** of the caller */
  ip: string
  /** what was found by the token's digest */
  found: Link | undefined
  /** by what the calls of this link are counted; undefined where nothing was found */
  subject: string | undefined
  /** how many of them a minute has room for */
  most: number
}

interface Knock<Link> {
  /** as it was given */
  token: string
  ip: string
  found: Link | undefined
  /** the token that the link found has, or the one of a link that is nobody's: working it out takes as long */
  right: string
  subject: string
  most?: number
}

const tooMany = (ctx: Ctx) => new AppError('rate_limited', { retryAfter: untilNextMinute(ctx) })

/**
 * Lets in who has found something by a token. A token of 256 bits that is looked up by its digest needs no more: how
 * long it takes tells nothing. Errors: `not_found`, the same for every token that opens nothing; `rate_limited` for a
 * link that is asked too often, and for an address that has tried too many wrong ones, whichever page they were of.
 * Counted outside of any transaction, so that it stays counted.
 */
export async function admitFound<Link>(ctx: Ctx, { ip, found, subject, most }: Call<Link>): Promise<Link> {
  const guesses = `line ${networkOf(ip).line}`
  if (found === undefined || subject === undefined) {
    if ((await countTry(ctx, guesses)) > UPLOAD_TRIES_A_MINUTE) throw tooMany(ctx)
    throw new AppError('not_found')
  }
  // Who guesses learns nothing more, not even that one of them was right.
  if ((await triesOf(ctx, guesses)) > UPLOAD_TRIES_A_MINUTE) throw tooMany(ctx)
  if ((await countTry(ctx, subject)) > most) throw tooMany(ctx)
  return found
}

/**
 * Lets a link in whose token is right and which is not over. Errors: as `admitFound`, `not_found` after the same work
 * for a token that is unknown, malformed, revoked, expired or made with another installation's key.
 */
export async function admitToken<Link extends { isOver: boolean }>(
  ctx: Ctx,
  { token, ip, found, right, subject, most = UPLOAD_TRIES_A_MINUTE }: Knock<Link>,
): Promise<Link> {
  // What is given is compared as a digest: a token of another length takes as long.
  const isRight = timingSafeEqual(hashSecret(token), hashSecret(right))
  return admitFound(ctx, { ip, found: isRight && found?.isOver === false ? found : undefined, subject, most })
}
