import { hash, verify } from '@node-rs/argon2'

// OWASP's second recommended setting: 19 MiB, two passes. Twenty-five sign-ins at once still fit into a small machine.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS)

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
