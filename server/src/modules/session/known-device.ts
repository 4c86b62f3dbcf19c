import type { FastifyReply, FastifyRequest } from 'fastify'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret, newSecret } from '../../kit/context/secrets.ts'
import './session.table.ts'

/** A device that nobody signs in on for half a year is a stranger again. */
export const DEVICE_DAYS = 180
const SECRET = /^[A-Za-z0-9_-]{43}$/

/** A secret in a cookie of the browser that calls: null where it brings none, and the way to give it one. */
export interface SecretCookie {
  secret: string | null
  set(value: string, seconds: number): void
}

/**
 * The cookie of that name, out of reach of scripts and sent to `path` alone. Under an address of https its name says
 * that only such a page can have set it (RFC 6265bis, `__Secure-`).
 */
export function secretCookieOf(
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, path }: { name: string; path: string },
): SecretCookie {
  const isSecure = ctx.ports.publicUrl.startsWith('https:')
  const fullName = isSecure ? `__Secure-${name}` : name
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  const given = pairs.find(([known]) => known === fullName)?.[1] ?? ''
  return {
    secret: SECRET.test(given) ? given : null,
    set: (value, seconds) => {
      const rights = `HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
      void reply.header('Set-Cookie', `${fullName}=${value}; Path=${path}; Max-Age=${seconds}; ${rights}`)
    },
  }
}

/** The device of a call: the secret that it brought, if any, and the way to give it one. */
export interface Device {
  secret: string | null
  keep(secret: string): void
}

/**
 * The device that this request comes from. The cookie opens nothing: it is sent to `token` alone and says only that
 * somebody has signed in here before.
 */
export function deviceOf(ctx: Ctx, request: FastifyRequest, reply: FastifyReply): Device {
  const { secret, set } = secretCookieOf(ctx, request, reply, { name: 'waybill_device', path: '/api/token' })
  return { secret, keep: (kept) => set(kept, DEVICE_DAYS * 86_400) }
}

/**
 * What guesses on this device are counted by, or null where this person has never signed in on it. Nobody (null) is
 * looked up like somebody: the time tells nothing about an address.
 */
export async function knownDeviceOf(ctx: Ctx, { secret }: Device, userId: number | null): Promise<string | null> {
  if (secret === null) return null
  const hash = hashSecret(secret)
  const known = await ctx.db
    .selectFrom('known_device')
    .select('userId')
    .where('hash', '=', hash)
    .where('userId', '=', userId ?? 0)
    .executeTakeFirst()
  return known ? `device ${hash.toString('hex')} ${userId}` : null
}

/**
 * Notes that this person has signed in on this device. A secret that is known for nobody was not made here, so the
 * device gets another: else somebody could choose it for a stranger's browser.
 */
export async function rememberDevice(ctx: Ctx, device: Device, userId: number): Promise<void> {
  const isOurs =
    device.secret !== null &&
    (await ctx.db
      .selectFrom('known_device')
      .select('userId')
      .where('hash', '=', hashSecret(device.secret))
      .limit(1)
      .executeTakeFirst()) !== undefined
  const secret = isOurs ? device.secret! : newSecret()
  await ctx.db
    .insertInto('known_device')
    .values({ hash: hashSecret(secret), userId, lastUsedAt: nowOf(ctx) })
    .onConflict((conflict) => conflict.columns(['hash', 'userId']).doUpdateSet({ lastUsedAt: nowOf(ctx) }))
    .execute()
  device.keep(secret)
}
