import { sql } from 'kysely'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import type { Network } from '../../kit/http/network.ts'
import './session.table.ts'

/**
 * Some wrong tries are free, then comes a pause that doubles with each further one: a minute at first, an hour at
 * most. Counted in the database, so that several nodes agree.
 */
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000
/** A wrong try is forgotten after a day. */
const MEMORY_MS = 86_400_000

/** What wrong tries are counted by, and how many are free. */
export interface Subject {
  name: string
  free: number
}

// As the database gives it back: half a character is none there.
const subject = (name: string, free = 10): Subject => ({ name: name.toWellFormed(), free })

/** Guesses at a code, or at the password in a session that is open: the account is known. */
const codeOf = (userId: number): Subject => subject(`code ${userId}`)
export const ownPasswordOf = (userId: number): Subject => subject(`password ${userId}`)

const accountOf = (address: string): Subject => subject(`account ${address}`, 30)
const pairName = (address: string, line: string): string => `pair ${address} ${line}`

/** All accounts together at one line, and at its site. */
export const networkSubjects = ({ line, site }: Network): Subject[] => [
  subject(`line ${line}`, 50),
  subject(`site ${site}`, 100),
]

/**
 * What a try to sign in is counted by (decision 041). On a device that is known for this account the device alone,
 * so that guesses from elsewhere keep nobody out; on any other the account at this line, the account from
 * everywhere, the line and its site for all accounts.
 */
export const signInSubjects = (address: string, { line, site }: Network, knownDevice: string | null): Subject[] =>
  knownDevice === null
    ? [subject(pairName(address, line)), accountOf(address), ...networkSubjects({ line, site })]
    : [subject(knownDevice)]

/** A try with a passkey alone: the passkey at this line, so that nobody elsewhere keeps its owner out; the networks. */
export const passkeySubjects = (passkey: string, { line, site }: Network): Subject[] => [
  subject(`passkey ${passkey} ${line}`),
  ...networkSubjects({ line, site }),
]

/** Errors: `rate_limited` with Retry-After while one of the subjects pauses; the longest pause is told. */
export async function refuseGuessing(ctx: Ctx, subjects: readonly Subject[]): Promise<void> {
  const now = ctx.clock.now().getTime()
  const counted = await ctx.db
    .selectFrom('sign_in_failure')
    .select(['subject', sql<number>`count(*)::int`.as('failures'), sql<string>`max(at)`.as('last')])
    .where(
      'subject',
      'in',
      subjects.map(({ name }) => name),
    )
    .where('at', '>', new Date(now - MEMORY_MS).toISOString())
    .groupBy('subject')
    .execute()
  const until = Math.max(
    0,
    ...counted.map(({ subject: name, failures, last }) => {
      const beyond = failures - subjects.find((one) => one.name === name)!.free
      return beyond < 0 ? 0 : Date.parse(last) + Math.min(FIRST_PAUSE_MS * 2 ** beyond, LONGEST_PAUSE_MS)
    }),
  )
  if (until > now) throw new AppError('rate_limited', { retryAfter: Math.max(1, (until - now) / 1000) })
}

const countFailure = async (ctx: Ctx, subjects: readonly Subject[]): Promise<void> =>
  void (await ctx.db
    .insertInto('sign_in_failure')
    .values(subjects.map(({ name }) => ({ subject: name, at: nowOf(ctx) })))
    .execute())

/**
 * Lets a try count: those of one subject wait for each other, so that a hundred at once count as a hundred, and of
 * many at once those after the last free one learn nothing. `attempt` answers null for a wrong try; that is counted
 * although the call is refused. A right one takes back what was counted for the first subject alone: who has an
 * account of their own must not begin anew at their line with it. Answers what `attempt` did. Errors: `rate_limited`.
 */
export async function judge<T>(
  ctx: Ctx,
  subjects: readonly Subject[],
  attempt: (ctx: Ctx) => Promise<T | null>,
): Promise<T | null> {
  return inTransaction(ctx, async (inner) => {
    // In one order, or two calls could wait for each other for ever.
    for (const name of subjects.map((one) => one.name).toSorted())
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(inner.db)
    await refuseGuessing(inner, subjects)
    const found = await attempt(inner)
    if (found === null) await countFailure(inner, subjects)
    else await inner.db.deleteFrom('sign_in_failure').where('subject', '=', subjects[0]!.name).execute()
    return found
  })
}

/** A new password by mail ends the pauses of its account everywhere: who reads the mail is the owner. */
export const forgetGuesses = async (ctx: Ctx, address: string): Promise<void> =>
  void (await ctx.db
    .deleteFrom('sign_in_failure')
    .where(sql<boolean>`(subject = ${accountOf(address).name} or starts_with(subject, ${pairName(address, '')}))`)
    .execute())

/** One try at a second factor of a person. Errors: the refusal, `rate_limited`. */
export async function tryCode<T>(
  ctx: Ctx,
  userId: number,
  attempt: (ctx: Ctx) => Promise<T | null>,
  refusal: 'invalid_code' | 'passkey_refused' = 'invalid_code',
): Promise<T> {
  // The password is known to anybody who gets here: the account is counted, from wherever the tries come.
  const result = await judge(ctx, [codeOf(userId)], attempt)
  if (result === null) {
    await audit(ctx, { ownerKind: 'user', ownerId: userId, action: 'codeRefused' })
    throw new AppError(refusal)
  }
  return result
}
