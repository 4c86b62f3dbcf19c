import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../src/kit/database/db.ts'
import { migrateToLatest } from '../src/kit/database/migrate.ts'
import { emptyDatabase, freshDatabase } from './postgres.ts'

it('brings an empty database to the newest shape, and a second time does nothing', async () => {
  const empty = await emptyDatabase()
  const { db, close } = openDatabase(empty.ownerUrl)
  try {
    expect(await migrateToLatest(db)).not.toEqual([])
    expect(await migrateToLatest(db)).toEqual([])
  } finally {
    await close()
    await empty.drop()
  }
})

it('lets two nodes migrate one empty database at the same time', async () => {
  const empty = await emptyDatabase()
  const nodes = [openDatabase(empty.ownerUrl), openDatabase(empty.ownerUrl)]
  try {
    const applied = await Promise.all(nodes.map((node) => migrateToLatest(node.db)))
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
  } finally {
    for (const node of nodes) await node.close()
    await empty.drop()
  }
})

it('gives every test file a database of its own', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  const first = openDatabase(one.ownerUrl)
  const second = openDatabase(other.ownerUrl)
  try {
    await sql`create table mine (id int)`.execute(first.db)
    const seen = await sql<{ found: string | null }>`select to_regclass('mine')::text as found`.execute(second.db)
    expect(seen.rows[0]?.found).toBeNull()
  } finally {
    await first.close()
    await second.close()
    await one.drop()
    await other.drop()
  }
})
