import type { Querying } from '../backup/restored-outbox.ts'
import type { SecretKeys } from '../kit/context/vault.ts'
import { keyCheckOf, SecretKeyError } from '../kit/database/secret-key.ts'
import { SILENT_SECONDS } from '../modules/operations/index.ts'
import { keysOfDatabase } from './keys-of-database.ts'
import { changeKeys, endLinks, type SealedAnew } from './rotate-keys.ts'

export interface Rotated extends SealedAnew {
  /** of the new key */
  number: number
  /** links that worked and open no more */
  deadLinks: number
}

/** The least length of a secret key, in characters. */
const LEAST_LENGTH = 32

/** Whether this is the newest key of the database; false where it knows none. */
export async function isNewest(client: Querying, key: string): Promise<boolean> {
  const { rows } = await client.query<{ check: Buffer }>('select "check" from secret_key_check for update')
  return rows[0]?.check.equals(keyCheckOf(key)) ?? false
}

async function refuseWhileServed(client: Querying): Promise<void> {
  const { rows } = await client.query<{ host: string; port: number }>(
    `select host, port from node where "seenAt" > clock_timestamp() - ${SILENT_SECONDS} * interval '1 second'
      order by host, port`,
  )
  if (rows.length === 0) return
  throw new SecretKeyError(
    `Waybill serves this database: ${rows.map(({ host, port }) => `${host}:${port}`).join(', ')}. Stop it first, on ` +
      'every node; one that was cut off counts for a minute and a half.',
  )
}

/**
 * Puts a new key in the place of the one that counts, in the caller's transaction. `isCompromised`: somebody else may
 * have the old ones, so that they are dropped and all links end. Errors: SecretKeyError.
 */
export async function rotateSecretKey(
  client: Querying,
  { key, next, isCompromised, now }: { key: string; next: string; isCompromised: boolean; now: Date },
): Promise<Rotated> {
  // It holds the row, for which a start waits: whoever starts meanwhile finds the new key.
  if (!(await isNewest(client, key)))
    throw new SecretKeyError('SECRET_KEY, or secret.key in DATA_DIR, is not the newest key of this database.')
  await refuseWhileServed(client)
  const opens = await keysOfDatabase(client, key)
  if (next.length < LEAST_LENGTH)
    throw new SecretKeyError(`The new key holds ${next.length} characters, and at least ${LEAST_LENGTH} are needed.`)
  if ([opens.newest, ...opens.former].some((known) => known.key === next))
    throw new SecretKeyError('The new key was used here before: make another one.')
  const number = opens.newest.number + 1
  const former = isCompromised ? [] : [opens.newest, ...opens.former]
  const seals: SecretKeys = { newest: { number, key: next }, former }
  const anew = await changeKeys(client, { opens, seals }, now)
  return { number, ...anew, deadLinks: isCompromised ? await endLinks(client, now) : 0 }
}
