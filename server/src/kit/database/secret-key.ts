import { hkdfSync } from 'node:crypto'
import type { Kysely } from 'kysely'
import { openFormerKeys, type SecretKeys } from '../context/vault.ts'
import type { Tables } from './db.ts'

declare module './db.ts' {
  interface Tables {
    secret_key_check: { isOnly: true; check: Buffer; number: number; changedAt: string | null }
    former_secret_key: { number: number; sealed: Buffer; retiredAt: string }
  }
}

/** The node's SECRET_KEY is not the one of the database; the start stops and says so. */
export class SecretKeyError extends Error {}

/** What tells keys apart. Derived as the vault's key is, for a purpose of its own: one tells nothing of the other. */
export const keyCheckOf = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'waybill secret key check', 32))

/** Whether this is the newest key of the database. */
export async function isNewestKey(db: Kysely<Tables>, secretKey: string): Promise<boolean> {
  const kept = await db.selectFrom('secret_key_check').select('check').executeTakeFirst()
  return kept?.check.equals(keyCheckOf(secretKey)) ?? false
}

/**
 * Makes sure that this node has the key of the other nodes and of the start before: with another one second factors
 * and the links of waiting mails could not be opened. The first key counts; `isNewAccepted` puts this one in its
 * place, without those before it, which only the lost one opens. Gives it with the keys before it. Errors:
 * SecretKeyError.
 */
export async function checkSecretKey(
  db: Kysely<Tables>,
  secretKey: string,
  { isNewAccepted = false }: { isNewAccepted?: boolean } = {},
): Promise<SecretKeys> {
  const check = keyCheckOf(secretKey)
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('secret_key_check')
      .values({ isOnly: true, check, number: 1, changedAt: null })
      .onConflict((conflict) => conflict.column('isOnly').doNothing())
      .execute()
    // Locked, so that a key that is being changed is waited for.
    const kept = await trx
      .selectFrom('secret_key_check')
      .select(['check', 'number'])
      .forUpdate()
      .executeTakeFirstOrThrow()
    const isSame = kept.check.equals(check)
    if (!isSame && !isNewAccepted)
      throw new SecretKeyError(
        'SECRET_KEY is not the one that this database was used with before. Give this node the same SECRET_KEY, or ' +
          'the same secret.key in DATA_DIR, as the others and as the last start; where npm run rotate-key was cut ' +
          'off, run it once more. If that key is lost, start once with --accept-secret-key: second factors must then ' +
          'be set up anew, and links in waiting mails are not sent.',
      )
    const number = isSame ? kept.number : kept.number + 1
    if (!isSame) {
      await trx.updateTable('secret_key_check').set({ check, number }).execute()
      await trx.deleteFrom('former_secret_key').execute()
    }
    const sealed = await trx.selectFrom('former_secret_key').select(['number', 'sealed']).execute()
    return { newest: { number, key: secretKey }, former: openFormerKeys(secretKey, sealed) }
  })
}
