import { sql } from 'kysely'
import type { Tokens } from '@waybill/contract/session'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { SESSIONS_ENDED, tellNodes } from '../../kit/database/changes.ts'
import { hashSecret, newSecret, successorOf } from '../../kit/context/secrets.ts'
import './session.table.ts'

declare module '../../kit/context/context.ts' {
  interface Ports {
    sessions: SessionLimits
  }
}

/** How long people stay signed in (decision 003). */
export interface SessionLimits {
  /** after the last renewal of its tokens */
  idleSeconds: number
  /** after the sign-in, however often it is renewed */
  longestSeconds: number
}

/** Where a session is used from: what its owner knows it by. */
export interface Visitor {
  ip: string
  userAgent: string | null
}

/** 15 minutes for an access token (api, Sign-in). */
const ACCESS_SECONDS = 15 * 60
/** Two tabs that renew at once are no theft (api, Sign-in). */
const GRACE_MS = 10_000
/** An answer that got lost is asked for again within this time (decision 003): a page loads in seconds. */
const REPEAT_MS = 60_000

const later = (ctx: Ctx, seconds: number): string => new Date(ctx.clock.now().getTime() + seconds * 1000).toISOString()

/** A new access token of a session, which it does not outlive. */
async function newAccessToken(ctx: Ctx, sessionId: number): Promise<Pick<Tokens, 'token' | 'expiresIn'>> {
  const token = newSecret()
  const { expiresAt } = await ctx.db
    .insertInto('access_token')
    .columns(['hash', 'sessionId', 'expiresAt'])
    .expression((eb) =>
      eb
        .selectFrom('session')
        .select([
          sql<Buffer>`${hashSecret(token)}::bytea`.as('hash'),
          'id',
          sql<string>`least("expiresAt", ${later(ctx, ACCESS_SECONDS)}::timestamptz)`.as('expiresAt'),
        ])
        .where('id', '=', sessionId),
    )
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  const leftMs = Date.parse(expiresAt) - ctx.clock.now().getTime()
  return { token, expiresIn: Math.max(1, Math.min(ACCESS_SECONDS, Math.ceil(leftMs / 1000))) }
}

/** Opens a session for a person who has proved who they are. */
export async function openSession(ctx: Ctx, userId: number, { ip, userAgent }: Visitor): Promise<Tokens> {
  const refreshToken = newSecret()
  const { id } = await ctx.db
    .insertInto('session')
    .values({
      userId,
      refreshHash: hashSecret(refreshToken),
      createdAt: nowOf(ctx),
      lastUsedAt: nowOf(ctx),
      expiresAt: later(ctx, Math.min(ctx.ports.sessions.idleSeconds, ctx.ports.sessions.longestSeconds)),
      endedAt: null,
      userAgent: userAgent?.slice(0, 250) ?? null,
      lastAddress: ip.slice(0, 100),
      pendingSecret: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(ctx, { ownerKind: 'user', ownerId: userId, action: 'signedIn', actorId: userId })
  return { ...(await newAccessToken(ctx, id)), refreshToken }
}

/** By the limits as they are now too: they may have become shorter since the session was renewed. */
export const isAlive = (ctx: Ctx) =>
  sql<boolean>`"endedAt" is null and "expiresAt" > ${nowOf(ctx)}
    and "lastUsedAt" > ${later(ctx, -ctx.ports.sessions.idleSeconds)}
    and "createdAt" > ${later(ctx, -ctx.ports.sessions.longestSeconds)} and exists (select 1 from "user" holder
    where holder.id = session."userId" and holder.state = 'active')`

/**
 * Spends a refresh token for a new pair; one atomic UPDATE decides who wins.
 * Errors: `token_spent` within 10 s of its rotation, `token_reused` later (the family ends), else `unauthenticated`.
 */
export async function renewSession(
  ctx: Ctx,
  { refreshToken, key }: { refreshToken: string; key?: string | undefined },
  ip: string,
): Promise<Tokens> {
  const spent = hashSecret(refreshToken)
  const next = key === undefined ? newSecret() : successorOf(refreshToken, key)
  const renewed = await inTransaction(ctx, async (inner) => {
    const session = await inner.db
      .updateTable('session')
      .set({
        refreshHash: hashSecret(next),
        lastUsedAt: nowOf(inner),
        lastAddress: ip.slice(0, 100),
        expiresAt: sql`least(${later(inner, inner.ports.sessions.idleSeconds)}::timestamptz,
          "createdAt" + make_interval(secs => ${inner.ports.sessions.longestSeconds}))`,
      })
      .where('refreshHash', '=', spent)
      .where(isAlive(inner))
      .returning('id')
      .executeTakeFirst()
    if (!session) return null
    await inner.db
      .insertInto('spent_refresh_token')
      .values({ hash: spent, sessionId: session.id, spentAt: nowOf(inner) })
      .execute()
    await inner.db
      .deleteFrom('access_token')
      .where('sessionId', '=', session.id)
      .where('expiresAt', '<', nowOf(inner))
      .execute()
    return { ...(await newAccessToken(inner, session.id)), refreshToken: next }
  })
  if (renewed) return renewed
  const known = await ctx.db.selectFrom('spent_refresh_token').selectAll().where('hash', '=', spent).executeTakeFirst()
  if (!known) throw new AppError('unauthenticated')
  const spentFor = ctx.clock.now().getTime() - Date.parse(known.spentAt)
  // The first answer got lost with a page that was closed or reloaded: nobody else could know what follows this token
  // with this key. Later the same two are a copy in somebody else's hands.
  if (key !== undefined && spentFor <= REPEAT_MS) {
    const repeated = await ctx.db
      .selectFrom('session')
      .select('id')
      .where('refreshHash', '=', hashSecret(next))
      .where(isAlive(ctx))
      .executeTakeFirst()
    if (repeated) return { ...(await newAccessToken(ctx, repeated.id)), refreshToken: next }
  }
  if (spentFor <= GRACE_MS) throw new AppError('token_spent')
  await endSessions(ctx, sql<boolean>`id = ${known.sessionId}`)
  throw new AppError('token_reused')
}

// A message of the database holds 8,000 bytes at most.
const MOST_TOLD = 100

/**
 * Ends sessions; their access tokens stop working at once, and pages that listen hear it from their node at once.
 * Answers how many there were.
 */
export async function endSessions(ctx: Ctx, which: ReturnType<typeof sql<boolean>>): Promise<number> {
  const ended = await ctx.db
    .updateTable('session')
    .set({ endedAt: nowOf(ctx) })
    .where(which)
    .where('endedAt', 'is', null)
    .returning('userId')
    .execute()
  const ids = [...new Set(ended.map(({ userId }) => userId))]
  for (let from = 0; from < ids.length; from += MOST_TOLD)
    await tellNodes(ctx.db, { kind: SESSIONS_ENDED, ids: ids.slice(from, from + MOST_TOLD) })
  return ended.length
}

/**
 * Ends everything that would let a person in without asking again: sessions but the kept one, and sign-ins that wait
 * for a code. After a new password, another role, a deactivation.
 */
export async function endAccess(ctx: Ctx, userId: number, keptSessionId: number | null = null): Promise<void> {
  await endSessions(
    ctx,
    keptSessionId === null
      ? sql<boolean>`"userId" = ${userId}`
      : sql<boolean>`"userId" = ${userId} and id <> ${keptSessionId}`,
  )
  await ctx.db.deleteFrom('sign_in_challenge').where('userId', '=', userId).execute()
}

/**
 * Reaction to another role, position or state: one's own session goes on, unless the new role asks for a second
 * factor that is missing.
 */
export async function endAccessOfChanged(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  await endAccess(ctx, userId, ctx.actor?.userId === userId ? ctx.actor.sessionId : null)
  await endSessions(ctx, sql<boolean>`"userId" = ${userId} and ${lacksTwoFactor}`)
}

/** Reaction to a role that begins to ask for a second factor: its holders without one sign in anew and set it up. */
export async function endAccessWithoutTwoFactor(ctx: Ctx, { roleId }: { roleId: number }): Promise<void> {
  await endSessions(
    ctx,
    sql<boolean>`"userId" in (select id from "user" where "roleId" = ${roleId}) and ${lacksTwoFactor}`,
  )
}

const lacksTwoFactor = sql<boolean>`
  exists (select 1 from "user" holder join user_role role on role.id = holder."roleId"
    where holder.id = session."userId" and role."isTwoFactorRequired")
  and not exists (select 1 from two_factor where two_factor."userId" = session."userId")
  and not exists (select 1 from passkey where passkey."userId" = session."userId")
`
