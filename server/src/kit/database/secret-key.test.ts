import { expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database/postgres.ts'
import { openDatabase } from './db.ts'
import { checkSecretKey, SecretKeyError } from './secret-key.ts'

const [first, second] = ['first key of thirty-two characters', 'second key of thirty-two characters']

it('a node with another key than the first one does not start, until the new key is accepted', async () => {
  const fresh = await freshDatabase()
  const { db, pool, close } = openDatabase(fresh.url)
  try {
    await checkSecretKey(db, first)
    await expect(checkSecretKey(db, second)).rejects.toThrow(SecretKeyError)
    await expect(checkSecretKey(db, second)).rejects.toThrow(/SECRET_KEY is not the one .* --accept-secret-key/)
    await checkSecretKey(db, first)
    const { rows } = await pool.query(`select encode("check", 'escape') as kept from secret_key_check`)
    expect(rows).toHaveLength(1)
    expect(rows[0].kept).not.toContain('first key')
    expect(await checkSecretKey(db, second, { isNewAccepted: true })).toEqual({
      newest: { number: 2, key: second },
      former: [],
    })
    expect((await checkSecretKey(db, second, { isNewAccepted: true })).newest.number).toBe(2)
    await expect(checkSecretKey(db, first)).rejects.toThrow(SecretKeyError)
  } finally {
    await close()
    await fresh.drop()
  }
})

it('of two nodes that start at once with different keys one starts', async () => {
  const fresh = await freshDatabase()
  const { db, close } = openDatabase(fresh.url)
  try {
    const starts = await Promise.allSettled([checkSecretKey(db, first), checkSecretKey(db, second)])
    expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  } finally {
    await close()
    await fresh.drop()
  }
})
