import { sql } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { admitToken } from './admit-token.ts'
import { tokenOf, type UploadLink } from './upload-link.repository.ts'

interface FoundLink extends UploadLink {
  isOver: boolean
}

// What is compared where nothing was found, so that this takes as long.
const NOBODY = { assignmentId: 0, nonce: Buffer.alloc(16), tokenHash: null } as const

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

/** The link of a token. Errors as `admitToken` names them. */
export async function findLink(ctx: Ctx, token: string, ip: string): Promise<UploadLink> {
  const found = await linkWith(ctx, hashSecret(token))
  const right = tokenOf(ctx, found ?? NOBODY)
  return admitToken(ctx, { token, ip, found, right, subject: `link ${found?.id ?? 0}` })
}
