import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Ctx } from '../../kit/context/context.ts'
import { createTurns, type Turns } from '../../kit/context/turns.ts'

// OWASP's second recommended setting: 19 MiB, two passes. Twenty-five sign-ins at once still fit into a small machine.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// A hash keeps a core busy for some 30 ms. Half of the cores are for them, so that lists stay fast while many sign in.
const atOnce = Math.max(1, Math.floor(availableParallelism() / 2))

/** Strangers wait for each other, and people who are known do not wait for them. */
export const strangersTurns: Turns = createTurns({ atOnce, waiting: 100 })
export const knownTurns: Turns = createTurns({ atOnce, waiting: 100 })

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
