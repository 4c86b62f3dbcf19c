import type { Querying } from '../backup/restored-outbox.ts'
import { oneKey, openFormerKeys, type SecretKeys } from '../kit/context/vault.ts'

/** The key of a command with those before it, of a database that may be older than these. */
export async function keysOfDatabase(client: Querying, key: string): Promise<SecretKeys> {
  const { rows: tables } = await client.query<{ isThere: boolean }>(
    `select to_regclass('public.former_secret_key') is not null as "isThere"`,
  )
  if (!tables[0]!.isThere) return oneKey(key)
  const { rows: newest } = await client.query<{ number: number }>('select number from secret_key_check')
  const { rows: former } = await client.query<{ number: number; sealed: Buffer }>(
    'select number, sealed from former_secret_key',
  )
  return { newest: { number: newest[0]?.number ?? 1, key }, former: openFormerKeys(key, former) }
}
