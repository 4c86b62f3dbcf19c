import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { UPLOAD_TRIES_A_MINUTE } from '@waybill/contract/public/upload-link'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { networkOf } from '../../kit/http/network.ts'
import { countTry, tokenOf, triesOf, untilNextMinute, type UploadLink } from './upload-link.repository.ts'

interface FoundLink extends UploadLink {
  isOver: boolean
}

// What is compared where nothing was found, so that this takes as long.
const NOBODY = { assignmentId: 0, nonce: Buffer.alloc(16), isOver: true } as const

/** A link with this digest; over where it expired, was revoked, or its carrier no longer drives that route. */
async function linkWith(ctx: Ctx, tokenHash: Buffer): Promise<FoundLink | undefined> {
  const { rows } = await sql<FoundLink>`
    select l.*, (l."revokedAt" is not null or l."expiresAt" <= ${nowOf(ctx)} or not exists (
        select 1 from assignment a where a.id = l."assignmentId" and a."routeId" = l."routeId"
          and a."carrierCompanyId" = l."carrierCompanyId")) as "isOver"
      from upload_link l where l."tokenHash" = ${tokenHash}
  `.execute(ctx.db)
  return rows[0]
}

const tooMany = (ctx: Ctx) => new AppError('rate_limited', { retryAfter: untilNextMinute(ctx) })

/**
 * The link of a token. Errors: `not_found`, the same and after the same work for a token that is unknown, malformed,
 * revoked, expired or made with another installation's key; `rate_limited` for a link that is asked too often, and for
 * an address that has tried too many wrong ones. Counted outside of any transaction, so that it stays counted.
 */
export async function findLink(ctx: Ctx, token: string, ip: string): Promise<UploadLink> {
  const { line } = networkOf(ip)
  const guesses = `line ${line}`
  const found = await linkWith(ctx, hashSecret(token))
  // What is given is compared as a digest: a token of another length takes as long.
  const isRight = timingSafeEqual(hashSecret(token), hashSecret(tokenOf(ctx, found ?? NOBODY)))
  if (!isRight || found === undefined || found.isOver) {
    if ((await countTry(ctx, guesses)) > UPLOAD_TRIES_A_MINUTE) throw tooMany(ctx)
    throw new AppError('not_found')
  }
  // Who guesses learns nothing more, not even that one of them was right.
  if ((await triesOf(ctx, guesses)) > UPLOAD_TRIES_A_MINUTE) throw tooMany(ctx)
  if ((await countTry(ctx, `link ${found.id}`)) > UPLOAD_TRIES_A_MINUTE) throw tooMany(ctx)
  return found
}
