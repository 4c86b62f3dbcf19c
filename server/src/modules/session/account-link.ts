import { sql } from 'kysely'
import type { AccountLinkType } from '@waybill/contract/email'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { hashSecret, newSecret } from '../../kit/context/secrets.ts'
import './session.table.ts'

/** A forgotten password is in a hurry (api, Sign-in); an invitation may wait for a free day. */
const LIFE_MINUTES: Readonly<Record<AccountLinkType, number>> = { password_recovery: 60, invitation: 7 * 24 * 60 }

declare module '../../kit/context/events.ts' {
  interface Events {
    /** The token is told and not looked up: only its digest is kept. */
    'account.linkMade': { userId: number; purpose: AccountLinkType; token: string; expiresAt: string }
  }
}

/**
 * Makes the token of a mail's link, in the caller's transaction; who hears of it writes the mail. Earlier links for the
 * same purpose end with a new one: the newest mail is the one that counts.
 */
export async function makeAccountLink(
  ctx: Ctx,
  { id, email }: { id: number; email: string },
  purpose: AccountLinkType,
): Promise<void> {
  const token = newSecret()
  await ctx.db.deleteFrom('account_token').where('userId', '=', id).where('purpose', '=', purpose).execute()
  const expiresAt = new Date(ctx.clock.now().getTime() + LIFE_MINUTES[purpose] * 60_000).toISOString()
  await ctx.db
    .insertInto('account_token')
    .values({ hash: hashSecret(token), userId: id, purpose, email, createdAt: nowOf(ctx), expiresAt })
    .execute()
  await tell(ctx, { type: 'account.linkMade', userId: id, purpose, token, expiresAt })
}

/**
 * Uses a token up, and with it every other of the person; null for one that is unknown, used, too old, or went to an
 * address that is no longer theirs.
 */
export async function spendAccountToken(ctx: Ctx, token: string): Promise<{ userId: number; email: string } | null> {
  const spent = await ctx.db
    .deleteFrom('account_token')
    .using('user')
    .whereRef('user.id', '=', 'account_token.userId')
    .where('account_token.hash', '=', hashSecret(token))
    .where('account_token.expiresAt', '>', nowOf(ctx))
    .where('user.state', '=', 'active')
    .where(sql<boolean>`lower("user".email) = lower(account_token.email)`)
    .returning(['account_token.userId', 'account_token.email'])
    .executeTakeFirst()
  if (!spent) return null
  await ctx.db.deleteFrom('account_token').where('userId', '=', spent.userId).execute()
  return spent
}
