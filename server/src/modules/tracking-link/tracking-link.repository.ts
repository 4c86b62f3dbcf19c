import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { trackingToken } from '../../kit/context/vault.ts'
import { linkAddress } from '../../kit/mail/link-places.ts'
import type { Tables } from '../../kit/database/db.ts'
import './tracking-link.table.ts'

export type TrackingLink = Selectable<Tables['tracking_link']>

const NONCE_BYTES = 16
const LIFE_MONTHS = 12

/** What a link is about: the part of one customer in an order. */
export type TrackingSubject = Pick<TrackingLink, 'orderId' | 'customerId'>

type Made = TrackingSubject & Pick<TrackingLink, 'nonce'> & { tokenHash: Buffer | null }

export const tokenOf = (ctx: Pick<Ctx, 'ports'>, { orderId, customerId, ...made }: Made): string =>
  trackingToken(ctx.ports.vault, [orderId, customerId], made)

export const urlOf = (ctx: Pick<Ctx, 'ports'>, link: Made): string =>
  linkAddress(ctx.ports.publicUrl, 'tracking', tokenOf(ctx, link))

/** The links of an order that work. */
export const workingLinks = (ctx: Ctx, orderId: number): Promise<TrackingLink[]> =>
  ctx.db
    .selectFrom('tracking_link')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', nowOf(ctx))
    .execute()

/** Writes a link, in the caller's transaction; the one before ends with it. */
export async function insertLink(ctx: Ctx, subject: TrackingSubject): Promise<void> {
  await revokeLinks(ctx, subject)
  const nonce = randomBytes(NONCE_BYTES)
  const now = ctx.clock.now()
  const expiresAt = new Date(now)
  expiresAt.setUTCMonth(expiresAt.getUTCMonth() + LIFE_MONTHS)
  await ctx.db
    .insertInto('tracking_link')
    .values({
      ...subject,
      nonce,
      tokenHash: hashSecret(tokenOf(ctx, { ...subject, nonce, tokenHash: null })),
      createdAt: now.toISOString(),
      createdById: ctx.actor?.userId ?? null,
      expiresAt: expiresAt.toISOString(),
    })
    .execute()
}

/** Ends the links of a customer of an order, expired ones too; false where there was none. */
export async function revokeLinks(ctx: Ctx, { orderId, customerId }: TrackingSubject): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('tracking_link')
    .set({ revokedAt: nowOf(ctx), revokedById: ctx.actor?.userId ?? null })
    .where('orderId', '=', orderId)
    .where('customerId', '=', customerId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes that links have left with a mail. */
export async function noteSent(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await ctx.db
    .updateTable('tracking_link')
    .set({ sentAt: nowOf(ctx) })
    .where('id', 'in', ids)
    .execute()
}
