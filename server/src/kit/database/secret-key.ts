import { hkdfSync } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from './db.ts'

declare module './db.ts' {
  interface Tables {
    secret_key_check: { isOnly: true; check: Buffer }
  }
}

/** The node's SECRET_KEY is not the one of the database; the start stops and says so. */
export class SecretKeyError extends Error {}

/** Derived as the vault's key is, for a purpose of its own: one tells nothing about the other. */
const checkOf = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'waybill secret key check', 32))

/**
 * Makes sure that this node has the key of the other nodes and of the start before: with another one second factors
 * and the links of waiting mails could not be opened. The first key counts; `isNewAccepted` puts this one in its
 * place. Errors: SecretKeyError.
 */
export async function checkSecretKey(
  db: Kysely<Tables>,
  secretKey: string,
  { isNewAccepted = false }: { isNewAccepted?: boolean } = {},
): Promise<void> {
  const check = checkOf(secretKey)
  await db
    .insertInto('secret_key_check')
    .values({ isOnly: true, check })
    .onConflict((conflict) =>
      isNewAccepted ? conflict.column('isOnly').doUpdateSet({ check }) : conflict.column('isOnly').doNothing(),
    )
    .execute()
  const kept = await db.selectFrom('secret_key_check').select('check').executeTakeFirstOrThrow()
  if (!kept.check.equals(check))
    throw new SecretKeyError(
      'SECRET_KEY is not the one that this database was used with before. Give this node the same SECRET_KEY, or the ' +
        'same secret.key in DATA_DIR, as the others and as the last start. If that key is lost, start once with ' +
        '--accept-secret-key: second factors must then be set up anew, and links in waiting mails are not sent.',
    )
}
