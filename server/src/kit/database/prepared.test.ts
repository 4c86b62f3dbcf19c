import { sql, type CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type FreshDatabase } from '../../../test/database/postgres.ts'
import { openSilentLine } from '../../../test/database/silent-line.ts'
import { openDatabase, type Database } from './db.ts'
import { fromDatabase } from '../context/errors.ts'
import { plannedWithValues } from './prepared.ts'

let fresh: FreshDatabase
let database: Database

beforeAll(async () => {
  fresh = await freshDatabase()
  // One connection, so that each statement meets what the last one left.
  database = openDatabase(fresh.ownerUrl, { max: 1 })
  await database.pool.query(
    'create table thing (id bigint primary key, title text); insert into thing values (1, $$one$$), (2, $$two$$)',
  )
})

afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const prepared = async (part: string) => {
  const { rows } = await database.pool.query<{ statement: string }>(
    'select statement from pg_prepared_statements where strpos(statement, $1) > 0',
    [part],
  )
  return rows.length
}
const thing = (id: number) =>
  sql<{ id: number; title: string }>`select * from thing where id = ${id}`.execute(database.db)

describe('prepared statements', () => {
  test('a statement gets a name when it comes back, once, whatever its values', async () => {
    await sql`select title as seldom from thing where id = ${1}`.execute(database.db)
    for (const id of [1, 2, 1]) expect((await thing(id)).rows[0]?.id).toBe(id)
    expect(await prepared('as seldom')).toBe(0)
    expect(await prepared('select * from thing')).toBe(1)
  })

  test('one that is planned with its values gets none', async () => {
    const skewed = plannedWithValues(
      sql`select count(*) from thing where title = ${'one'}`.compile(database.db) as CompiledQuery<unknown>,
    )
    for (let turn = 0; turn < 4; turn += 1) await database.db.executeQuery(skewed)
    expect(await prepared('count(*) from thing')).toBe(0)
  })

  test('a column that a newer node added does not stop what is prepared', async () => {
    await database.pool.query('alter table thing add column colour text')
    expect((await thing(2)).rows).toEqual([{ id: 2, title: 'two', colour: null }])
  })

  test('in a transaction it is an answer that asks to try again, and the next try succeeds', async () => {
    for (let turn = 0; turn < 3; turn += 1) await thing(1)
    await database.pool.query('alter table thing add column size text')
    const inTransaction = () =>
      database.db.transaction().execute((trx) => sql`select * from thing where id = ${1}`.execute(trx))
    const refusal = await inTransaction().catch((error: unknown) => error)
    expect(fromDatabase(refusal)?.code).toBe('unavailable')
    expect((await inTransaction()).rows).toHaveLength(1)
  })

  test('there are never more than two hundred', async () => {
    for (let shape = 0; shape < 260; shape += 1) {
      for (let turn = 0; turn < 3; turn += 1)
        await sql`select ${sql.lit(shape)} as many where ${true}`.execute(database.db)
    }
    const count = await prepared('as many')
    expect(count).toBeGreaterThan(150)
    expect(count).toBeLessThanOrEqual(200)
  })
})

describe('a database that gives no answer any more', () => {
  const one = (over: Pick<Database, 'db'>) => sql<{ one: number }>`select 1 as one`.execute(over.db)
  const refusalOf = async (call: Promise<unknown>) =>
    fromDatabase(
      await call.then(
        () => null,
        (error: unknown) => error,
      ),
    )?.code

  test('lets nobody wait for ever, in a transaction or not, and is asked anew over another connection', {
    tags: 'long',
  }, async () => {
    const line = await openSilentLine(fresh.url)
    const over = openDatabase(line.url, { max: 1, answersInMs: 300 })
    await one(over)
    line.fallSilent()
    expect(await refusalOf(one(over))).toBe('unavailable')
    expect((await one(over)).rows).toEqual([{ one: 1 }])
    const inTransaction = over.db.transaction().execute(async (trx) => {
      line.fallSilent()
      await one({ db: trx as unknown as Database['db'] })
    })
    expect(await refusalOf(inTransaction)).toBe('unavailable')
    expect((await one(over)).rows).toEqual([{ one: 1 }])
    line.fallSilent()
    expect(await refusalOf(over.pool.query('select 1'))).toBe('unavailable')
    expect((await over.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await over.close()
    line.close()
  })
})
