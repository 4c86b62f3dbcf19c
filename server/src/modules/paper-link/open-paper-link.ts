import { sql } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { admitToken } from '../upload-link/index.ts'
import { tokenOf, type PaperLink } from './paper-link.repository.ts'

// What is compared where nothing was found, so that this takes as long.
const NOBODY = { carrierCompanyId: 0, documentType: 'EU_LICENSE', nonce: Buffer.alloc(16), tokenHash: null } as const

/** The link of a token; over where it expired, was replaced, or its carrier is no partner any more. */
export async function openPaperLink(ctx: Ctx, token: string, ip: string): Promise<PaperLink> {
  const { rows } = await sql<PaperLink & { isOver: boolean }>`
    select l.*, (l."revokedAt" is not null or l."expiresAt" <= ${nowOf(ctx)} or not exists (
        select 1 from carrier_company k where k.id = l."carrierCompanyId" and k.state = 'active')) as "isOver"
      from paper_link l where l."tokenHash" = ${hashSecret(token)}
  `.execute(ctx.db)
  const [found] = rows
  const right = tokenOf(ctx, found ?? NOBODY)
  return admitToken(ctx, { token, ip, found, right, subject: `paper ${found?.id ?? 0}` })
}
