import { sql } from 'kysely'
import type { SignInWays, Tokens, TwoFactorChallenge } from '@waybill/contract/session'
import { inTransaction, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { findProvidedRole, giveProvidedRole, makeProvidedUser, type ProvidedRole } from '../../user/index.ts'
import { admit, type Caller } from '../admit.ts'
import { isAnyKept } from '../passkey/kept-passkeys.ts'
import { relyingPartyOf } from '../passkey/relying-party.ts'
import { openAttempt, spendAttempt, type AttemptCookie } from './attempt.ts'
import type { BrowserAnswer, ProvedPerson, ProviderSettings } from './provider-settings.ts'

/** The page of ours to which the provider sends people back. */
const redirectUriOf = (ctx: Ctx): string => `${ctx.ports.publicUrl}/auth/provider`

function providerOf(ctx: Ctx) {
  const { provider } = ctx.ports
  if (provider === null) throw new AppError('not_found')
  return provider
}

/** Tells the log why the provider let nobody in: the words alone, as what it answered may hold tokens. */
async function tellingWhy<T>(ctx: Ctx, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const reasons: string[] = []
    for (let cause = error; cause instanceof Error; cause = cause.cause) reasons.push(cause.message)
    ctx.log.warn({ reason: reasons.join(': ') }, 'a sign-in by the identity provider failed')
    throw error
  }
}

/** How people get in here. */
export const readSignInWays = async (ctx: Ctx): Promise<SignInWays> => ({
  passwords: ctx.ports.passwordOnlyFor === null ? 'all' : 'emergency',
  provider: ctx.ports.provider && { label: ctx.ports.provider.settings.label },
  passkeys: relyingPartyOf(ctx.ports.publicUrl) !== null && (await isAnyKept(ctx)),
})

/** Begins a sign-in by the provider. Errors: `provider_away`, `not_found` where there is none. */
export async function beginProviderSignIn(ctx: Ctx, cookie: AttemptCookie): Promise<{ url: string }> {
  const provider = providerOf(ctx)
  const keys = await openAttempt(ctx, cookie)
  return { url: await tellingWhy(ctx, provider.begin(redirectUriOf(ctx), keys)) }
}

/**
 * Ends it with what the provider sent back. A person's own second factor is asked for as after a password. Errors:
 * `provider_sign_in_failed`, `provider_unverified`, `provider_no_account`, `provider_away`, `not_found`.
 */
export async function endProviderSignIn(
  ctx: Ctx,
  answer: BrowserAnswer,
  caller: Caller & { attempt: AttemptCookie },
): Promise<Tokens | TwoFactorChallenge> {
  const provider = providerOf(ctx)
  const keys = await spendAttempt(ctx, caller.attempt, answer.state)
  if (keys === null) throw new AppError('provider_sign_in_failed')
  const proved = await tellingWhy(ctx, provider.finish(redirectUriOf(ctx), keys, answer))
  const known = await inTransaction(ctx, (inner) => personFor(inner, proved, provider.settings))
  if ('refusal' in known) {
    await audit(ctx, { ownerKind: 'user', ownerId: known.userId ?? 0, action: 'signInRefused' })
    throw new AppError(known.refusal)
  }
  return admit(ctx, known.userId, caller)
}

type Known = { userId: number } | { refusal: 'provider_unverified' | 'provider_no_account'; userId: number | null }

const noAccount = (userId: number | null): Known => ({ refusal: 'provider_no_account', userId })

/** The person of ours, by an earlier link or a verified address, or one that is made. */
async function personFor(ctx: Ctx, proved: ProvedPerson, settings: ProviderSettings): Promise<Known> {
  // Two first sign-ins of one person at once would make them twice.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`provider ${proved.subject}`}, 0))`.execute(ctx.db)
  const role = await roleFor(ctx, proved, settings)
  const linked = await ctx.db
    .selectFrom('user_identity as identity')
    .innerJoin('user', 'user.id', 'identity.userId')
    .select(['user.id', 'user.state'])
    .where('identity.issuer', '=', proved.issuer)
    .where('identity.subject', '=', proved.subject)
    .executeTakeFirst()
  if (linked) return allowed(ctx, linked, role)
  if (proved.email === null) return { refusal: 'provider_unverified', userId: null }
  if (settings.domains.length > 0 && !settings.domains.includes(proved.email.split('@').at(-1)!)) return noAccount(null)
  const addressed = await ctx.db
    .selectFrom('user')
    .select(['id', 'state'])
    .where(sql<boolean>`lower(email) = ${proved.email}`)
    .executeTakeFirst()
  if (addressed) {
    const known = await allowed(ctx, addressed, role)
    if (!('refusal' in known)) await link(ctx, proved, known.userId)
    return known
  }
  if (role === 'none' || settings.createRole === null) return noAccount(null)
  const given = role ?? (await findProvidedRole(ctx, settings.createRole))
  if (given === null) return noAccount(null)
  const userId = await makeProvidedUser(ctx, { ...proved, email: proved.email }, given)
  await link(ctx, proved, userId)
  return { userId }
}

/** The role that the claim gives; null where roles are given by hand, `none` where the claim gives none that exists. */
async function roleFor(
  ctx: Ctx,
  { roleValues }: ProvedPerson,
  { roles }: ProviderSettings,
): Promise<ProvidedRole | 'none' | null> {
  if (roles === null) return null
  const first = roles.titles.find(({ value }) => roleValues.includes(value))
  return (first && (await findProvidedRole(ctx, first.title))) ?? 'none'
}

async function allowed(
  ctx: Ctx,
  { id, state }: { id: number; state: string },
  role: ProvidedRole | 'none' | null,
): Promise<Known> {
  if (state !== 'active' || role === 'none') return noAccount(id)
  if (role !== null) await giveProvidedRole(ctx, id, role)
  return { userId: id }
}

async function link(ctx: Ctx, { issuer, subject }: ProvedPerson, userId: number): Promise<void> {
  await ctx.db
    .insertInto('user_identity')
    .values({ issuer, subject, userId, linkedAt: nowOf(ctx) })
    .execute()
  await audit(ctx, { ownerKind: 'user', ownerId: userId, action: 'providerLinked', actorId: userId })
}
