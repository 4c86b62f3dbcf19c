import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { hashSecret, newSecret } from '../../../kit/context/secrets.ts'
import '../session.table.ts'

/** Time to find the key, or to scan a picture with the phone. */
export const LIFE_MS = 5 * 60_000

/** What a signature is asked for; it counts for nothing else. */
export interface Purpose {
  /** a new passkey, in this session and for this handle */
  adding?: { sessionId: number; userHandle: Buffer }
  /** the second factor of the sign-in with this challenge; with neither, a sign-in by the passkey alone */
  signInHash?: Buffer
}

/** Thirty-two random bytes that a passkey shall sign; good once. */
export async function openPasskeyChallenge(ctx: Ctx, { adding, signInHash }: Purpose): Promise<string> {
  const challenge = newSecret()
  await ctx.db
    .insertInto('passkey_challenge')
    .values({
      hash: hashSecret(challenge),
      sessionId: adding?.sessionId ?? null,
      userHandle: adding?.userHandle ?? null,
      signInHash: signInHash ?? null,
      expiresAt: new Date(ctx.clock.now().getTime() + LIFE_MS).toISOString(),
    })
    .execute()
  return challenge
}

/** What the browser says that it had signed. */
function challengeIn(clientDataJSON: string): string | null {
  try {
    const told = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown } | null
    return typeof told?.challenge === 'string' ? told.challenge : null
  } catch {
    return null
  }
}

/**
 * Uses up the challenge that was signed; null for one that is unknown, over, used, or was made for another purpose.
 * One DELETE decides.
 */
export async function spendPasskeyChallenge(
  ctx: Ctx,
  clientDataJSON: string,
  { sessionId = null, signInHash = null }: { sessionId?: number | null; signInHash?: Buffer | null },
): Promise<{ challenge: string; userHandle: Buffer | null } | null> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === null) return null
  const spent = await ctx.db
    .deleteFrom('passkey_challenge')
    .where('hash', '=', hashSecret(challenge))
    .where('expiresAt', '>', nowOf(ctx))
    .where('sessionId', sessionId === null ? 'is' : '=', sessionId)
    .where('signInHash', signInHash === null ? 'is' : '=', signInHash)
    .returning('userHandle')
    .executeTakeFirst()
  return spent ? { challenge, ...spent } : null
}
