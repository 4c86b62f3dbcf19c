import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createBusyWatch } from '../../kit/context/busy.ts'
import type { Ctx } from '../../kit/context/context.ts'
import { createTurns, type Turns } from '../../kit/context/turns.ts'

// OWASP's second recommended setting: 19 MiB, two passes. Twenty-five sign-ins at once still fit into a small machine.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// A hash keeps a core busy for some 30 ms. Half of the cores are for them, so that lists stay fast while many sign in;
// half of that time where the process has more to do than it can: of two cores one is half of all there is.
const HASHES = {
  atOnce: Math.max(1, Math.floor(availableParallelism() / 2)),
  waiting: 100,
  rests: createBusyWatch({ share: 0.9, everyMs: 100 }),
}

/** Strangers wait for each other, and people who are known do not wait for them. */
export const strangersTurns: Turns = createTurns(HASHES)
export const knownTurns: Turns = createTurns(HASHES)

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS)

/** Where passwords are switched off, one administrator keeps theirs for emergencies (decision 112). */
export const mayUsePassword = (
  { ports: { passwordOnlyFor } }: Ctx,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): boolean => passwordOnlyFor === null || (isAdmin && email.toLowerCase() === passwordOnlyFor)

let decoy: Promise<string> | undefined

/**
 * Compares in the same time whether or not there is a hash, so that an unknown address answers no sooner (design §9,
 * rule 7).
 */
export async function isPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const matches = await verify(storedHash ?? (await decoy), password)
  return matches && storedHash !== null
}
