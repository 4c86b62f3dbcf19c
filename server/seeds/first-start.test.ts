import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError } from '../src/config.ts'
import { openDatabase, type Database } from '../src/kit/database/db.ts'
import { freshDatabase } from '../test/database/postgres.ts'
import { firstStart } from './first-start.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  database = openDatabase(fresh.ownerUrl, { max: 2 })
})

afterAll(async () => {
  await database.close()
  await drop()
})

const start = (adminPassword: string | null) =>
  firstStart({ db: database.db, now: new Date(), adminEmail: 'admin@waybill.example', adminPassword })
const people = async () => (await database.pool.query('select email from "user"')).rows

test('refuses a password that strangers try first, keeps nothing, and says which setting', async () => {
  for (const known of ['password123', 'Qwertyuiop!!', 'ILOVEYOU1'])
    await expect(start(known), known).rejects.toThrow(
      new ConfigError('ADMIN_PASSWORD: stands on lists of stolen passwords; please choose another'),
    )
  expect(await people()).toEqual([])
})

test('begins with another one, and asks no more about it later', async () => {
  expect(await start('Feder-Kran-Torgau-8')).toEqual({ isFirst: true, password: null })
  expect(await people()).toEqual([{ email: 'admin@waybill.example' }])
  expect(await start('password123')).toEqual({ isFirst: false, password: null })
})

test('brings no text of a department: what stands in templates is the product’s own', async () => {
  for (const table of ['email_template', 'paper_template', 'mail_snippet'])
    expect((await database.pool.query(`select count(*)::int as count from ${table}`)).rows, table).toEqual([
      { count: 0 },
    ])
})
