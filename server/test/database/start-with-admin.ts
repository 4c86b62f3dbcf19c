import { hash } from '@node-rs/argon2'
import { firstStart } from '../../seeds/first-start.ts'
import { openDatabase } from '../../src/kit/database/db.ts'

export const ADMIN = { email: 'admin@waybill.example', password: 'Correct-Horse-7' }

/**
 * The password of everybody in the tests. The product's own hashes keep a core busy for a tenth of a second each, and
 * people sign in a thousand times here. A hash says itself how it was made, so that these are compared in the same way.
 */
export const quickHash = hash(ADMIN.password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/** The first start of a migrated database, whose administrator has a hash that is quickly compared. */
export async function startWithAdmin(url: string, now: Date): Promise<void> {
  const { db, pool, close } = openDatabase(url, { max: 1 })
  await firstStart({ db, now, adminEmail: ADMIN.email, adminPassword: ADMIN.password })
  await pool.query('update "user" set "passwordHash" = $1', [await quickHash])
  await close()
}
