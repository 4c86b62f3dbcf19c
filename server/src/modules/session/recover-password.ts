import { sql } from 'kysely'
import { audit } from '../../kit/records/audit.ts'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { networkOf } from '../../kit/http/network.ts'
import { makeAccountLink, spendAccountToken } from './account-link.ts'
import { forgetGuesses } from './guessing.ts'
import { assertNotPersonal, assertUnknownPassword } from './known-passwords.ts'
import { hashPassword, mayUsePassword } from './password.ts'
import { endAccess } from './tokens.ts'

/** No more than this many mails an hour for one address; a whole office may sit behind one network address. */
const MAX_PER_ADDRESS = 5
const MAX_PER_NETWORK = 100
const HOUR_MS = 3_600_000

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    recover_password: { requestId: number }
  }
}

/**
 * Notes that somebody asked, and leaves the rest to a job: the answer comes in the same time, after the same work,
 * whether or not the address is known. Beyond the limits nothing more is sent and nothing else is said.
 */
export async function askForPasswordMail(ctx: Ctx, email: string, ip: string): Promise<void> {
  const address = email.trim().toLowerCase()
  const { line } = networkOf(ip)
  await inTransaction(ctx, async (inner) => {
    const { id } = await inner.db
      .insertInto('recovery_request')
      .values({ address, ip: line, at: nowOf(inner), handledAt: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const since = new Date(inner.clock.now().getTime() - HOUR_MS).toISOString()
    const { rows } = await sql<{ isFlood: boolean }>`
      select (select count(*) from recovery_request where address = ${address} and at > ${since}) > ${MAX_PER_ADDRESS}
        or (select count(*) from recovery_request where ip = ${line} and at > ${since}) > ${MAX_PER_NETWORK}
        as "isFlood"
    `.execute(inner.db)
    if (rows[0]!.isFlood) inner.log.warn({ requestId: id }, 'too many questions for a new password')
    else await inner.ports.jobs.enqueue(inner, 'recover_password', { requestId: id })
  })
}

/** Writes the mail, if somebody with this address may sign in. Run twice it writes one. */
export const recoverPassword: JobDefinition<'recover_password'> = {
  handle: (ctx, { requestId }) =>
    inTransaction(ctx, async (inner) => {
      const request = await inner.db
        .updateTable('recovery_request')
        .set({ handledAt: nowOf(inner) })
        .where('id', '=', requestId)
        .where('handledAt', 'is', null)
        .returning('address')
        .executeTakeFirst()
      if (!request) return
      const user = await inner.db
        .selectFrom('user')
        .select(['id', 'email', 'isAdmin'])
        .where(sql<boolean>`lower(email) = ${request.address}`)
        .where('state', '=', 'active')
        .executeTakeFirst()
      if (user && mayUsePassword(inner, user)) await makeAccountLink(inner, user, 'password_recovery')
    }),
}

/**
 * Sets a password with the token of a mail; every session of the person ends. Errors: `passwords_differ`,
 * `password_known`, `password_personal`, `invalid_link`.
 */
export async function resetPassword(
  ctx: Ctx,
  token: string,
  { password, confirmPassword }: { password: string; confirmPassword: string },
): Promise<void> {
  if (password !== confirmPassword) throw fieldError('confirmPassword', 'passwords_differ')
  await assertUnknownPassword('password', password)
  await inTransaction(ctx, async (inner) => {
    const spent = await spendAccountToken(inner, token)
    if (!spent) throw new AppError('invalid_link')
    const { userId, email } = spent
    const { fullName } = await inner.db
      .selectFrom('user')
      .select('fullName')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    // Whose link it is, is known from here on; what is refused leaves it as it was.
    assertNotPersonal('password', password, { fullName, email })
    await inner.db
      .updateTable('user')
      .set({ passwordHash: await hashPassword(password) })
      .where('id', '=', userId)
      .execute()
    await endAccess(inner, userId)
    await forgetGuesses(inner, email.toLowerCase())
    await audit(inner, { ownerKind: 'user', ownerId: userId, action: 'passwordReset' })
  })
}
