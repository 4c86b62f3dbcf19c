import { sql } from 'kysely'
import { CANCELED_ORDER } from '@waybill/contract/order/status'
import { MARKS_A_MINUTE } from '@waybill/contract/public/tracking-link'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { admitToken } from '../upload-link/index.ts'
import { tokenOf, type TrackingLink } from './tracking-link.repository.ts'

interface FoundLink extends TrackingLink {
  isOver: boolean
}

// What is compared where nothing was found, so that this takes as long.
const NOBODY = { orderId: 0, customerId: 0, nonce: Buffer.alloc(16), tokenHash: null } as const

/**
 * A link with this digest; over where it expired, was revoked, its customer left the order, or the order was the result
 * of a merge that was undone: what it carried is in other orders again.
 */
async function linkWith(ctx: Ctx, tokenHash: Buffer): Promise<FoundLink | undefined> {
  const { rows } = await sql<FoundLink>`
    select l.*, (l."revokedAt" is not null or l."expiresAt" <= ${nowOf(ctx)}
        or not exists (select 1 from order_customer c
          where c."orderId" = l."orderId" and c."customerId" = l."customerId")
        or exists (select 1 from "order" o where o.id = l."orderId" and o."isMergeResult"
          and o.status = ${CANCELED_ORDER} and not exists (
            select 1 from "order" source where source."mergedIntoId" = o.id))) as "isOver"
      from tracking_link l where l."tokenHash" = ${tokenHash}
  `.execute(ctx.db)
  return rows[0]
}

/**
 * The link of a token; who asks for its mark alone is counted apart. Errors: `not_found` and `rate_limited`, as of
 * every link that opens a public page.
 */
export async function findTrackingLink(
  ctx: Ctx,
  token: string,
  ip: string,
  asks: 'page' | 'mark' = 'page',
): Promise<TrackingLink> {
  const found = await linkWith(ctx, hashSecret(token))
  const right = tokenOf(ctx, found ?? NOBODY)
  const counted =
    asks === 'mark'
      ? { subject: `tracking mark ${found?.id ?? 0}`, most: MARKS_A_MINUTE }
      : { subject: `tracking ${found?.id ?? 0}` }
  return admitToken(ctx, { token, ip, found, right, ...counted })
}
