import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { TwoFactorSetup } from '@waybill/contract/session'
import { audit } from '../../kit/records/audit.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import './session.table.ts'

/** RFC 6238 as every authenticator app does it: SHA-1, six digits, thirty seconds. A clock may be half a minute off. */
const PERIOD_SECONDS = 30
const RECOVERY_CODES = 10
// Crockford's base 32, without letters that look like digits; 24 of them are 120 bits, so a plain digest is enough.
const RECOVERY_LETTERS = 24
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** What a secret of a second factor is sealed for. */
export const secondFactorContext = (userId: number): string => `second factor of ${userId}`

/** A new secret, sealed: it counts only once a code of it was confirmed. */
export async function newTwoFactorSecret(ctx: Ctx, userId: number): Promise<Buffer> {
  const { generateSecret } = await import('otplib')
  return ctx.ports.vault.seal(generateSecret(), secondFactorContext(userId))
}

/** What an app needs to know of a sealed secret. */
export async function describeSetup(ctx: Ctx, userId: number, sealed: Buffer): Promise<TwoFactorSetup> {
  const [{ generateURI }, { default: qrCode }] = await Promise.all([import('otplib'), import('qrcode')])
  const secret = ctx.ports.vault.open(sealed, secondFactorContext(userId))
  if (secret === null) throw new Error('a secret that was sealed a moment ago cannot be opened')
  const { email } = await ctx.db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  const otpauthUrl = generateURI({ issuer: 'Waybill', label: email, secret })
  return { secret, otpauthUrl, qrSvg: await qrCode.toString(otpauthUrl, { type: 'svg', margin: 2 }) }
}

const plain = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()
const isSixDigits = (code: string): boolean => /^\d{6}$/.test(code)

/** The thirty seconds to which a code belongs, or null for a wrong one. */
async function stepOf(ctx: Ctx, userId: number, sealed: Buffer, code: string): Promise<number | null> {
  const secret = ctx.ports.vault.open(sealed, secondFactorContext(userId))
  if (secret === null) {
    // SECRET_KEY was changed: recovery codes still work, and an administrator can reset the second factor.
    ctx.log.error({ userId }, 'the second factor cannot be opened with this SECRET_KEY')
    return null
  }
  const { verify } = await import('otplib')
  const epoch = Math.floor(ctx.clock.now().getTime() / 1000)
  const result = await verify({ secret, token: code, epoch, period: PERIOD_SECONDS, epochTolerance: PERIOD_SECONDS })
  return result.valid ? Math.floor(epoch / PERIOD_SECONDS) + result.delta : null
}

/**
 * Uses a code up: a code of the app in or before the last step, and a recovery code, work once. One atomic UPDATE
 * decides.
 */
export async function spendCode(ctx: Ctx, userId: number, given: string): Promise<boolean> {
  const code = plain(given)
  if (!isSixDigits(code)) {
    const used = await ctx.db
      .updateTable('recovery_code')
      .set({ usedAt: nowOf(ctx) })
      .where('hash', '=', recoveryHash(userId, code))
      .where('usedAt', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) return false
    await audit(ctx, { ownerKind: 'user', ownerId: userId, action: 'recoveryCodeUsed' })
    return true
  }
  const factor = await ctx.db.selectFrom('two_factor').select('secret').where('userId', '=', userId).executeTakeFirst()
  const step = factor ? await stepOf(ctx, userId, factor.secret, code) : null
  if (step === null) return false
  const used = await ctx.db
    .updateTable('two_factor')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return used.numUpdatedRows === 1n
}

// Of the person, too: a code found in one account opens no other.
const recoveryHash = (userId: number, code: string): Buffer => hashSecret(`${userId} ${code}`)

function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(RECOVERY_LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.match(/.{4}/g)!.join('-')
}

/**
 * Switches a second factor on with a first code of its secret; answers the recovery codes, or null for a wrong code
 * or where there is one already.
 */
export async function confirmTwoFactor(
  ctx: Ctx,
  userId: number,
  sealed: Buffer,
  given: string,
): Promise<string[] | null> {
  const code = plain(given)
  const step = isSixDigits(code) ? await stepOf(ctx, userId, sealed, code) : null
  if (step === null) return null
  const made = await ctx.db
    .insertInto('two_factor')
    .values({ userId, secret: sealed, lastStep: step, confirmedAt: nowOf(ctx) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) return null
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await ctx.db
    .insertInto('recovery_code')
    .values(codes.map((one) => ({ hash: recoveryHash(userId, plain(one)), userId, usedAt: null })))
    .execute()
  await audit(ctx, { ownerKind: 'user', ownerId: userId, action: 'twoFactorEnabled' })
  return codes
}

/** The second factors that a person has, and whether the role asks for one. */
export async function secondFactorsOf(
  ctx: Ctx,
  userId: number,
): Promise<{ hasCode: boolean; hasPasskey: boolean; isTwoFactorRequired: boolean }> {
  const { rows } = await sql<{ hasCode: boolean; hasPasskey: boolean; isTwoFactorRequired: boolean }>`
    select exists (select 1 from two_factor where two_factor."userId" = holder.id) as "hasCode",
      exists (select 1 from passkey where passkey."userId" = holder.id) as "hasPasskey",
      coalesce(role."isTwoFactorRequired", false) as "isTwoFactorRequired"
    from "user" holder left join user_role role on role.id = holder."roleId"
    where holder.id = ${userId}
  `.execute(ctx.db)
  return rows[0]!
}

/** Those who take second factors of one person away wait for each other: two must not take the last two at once. */
export const lockSecondFactors = async (ctx: Ctx, userId: number): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(hashtextextended(${`second factors of ${userId}`}, 0))`.execute(ctx.db))

/** Takes a second factor away with its recovery codes; false where there is none. */
export async function dropTwoFactor(
  ctx: Ctx,
  userId: number,
  action: 'twoFactorDisabled' | 'twoFactorReset',
): Promise<boolean> {
  const dropped = await ctx.db.deleteFrom('two_factor').where('userId', '=', userId).executeTakeFirst()
  if (dropped.numDeletedRows === 0n) return false
  await audit(ctx, { ownerKind: 'user', ownerId: userId, action })
  return true
}
