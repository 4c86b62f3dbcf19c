// An import whose server is killed while it writes leaves nothing behind; sent again, it comes in once.
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../src/kit/database/db.ts'
import { ADMIN } from '../app.ts'
import { newInstallation, type Installation } from './installation.ts'

const ROWS = 2000
const KEY = 'killed-in-the-middle'

let installation: Installation
let database: Database
let token: string

beforeAll(async () => {
  installation = await newInstallation()
  installation.start()
  await installation.untilReady(60_000)
  token = (await installation.call('POST', 'token', { body: ADMIN }))!.body.token
  database = openDatabase(installation.databaseUrl(), { max: 2 })
  const ask = async (query: string) => (await database.pool.query<{ id: number }>(query)).rows[0]!.id
  const customer = { title: 'Hansa Bau GmbH', alias: 'HANSA', countryId: await ask(`select id from country limit 1`) }
  const made = await installation.call('POST', 'customers', { body: customer, token })
  if (made?.status !== 201) throw new Error(`customer: ${JSON.stringify(made)}`)
})

afterAll(async () => {
  await database?.close()
  await installation?.remove()
})

/** Null: no answer came. */
async function commit(): Promise<{ status: number; created: number } | null> {
  const { rows } = await database.pool.query<{ title: string }>('select abbreviation as title from department limit 1')
  const lines = Array.from({ length: ROWS }, (_, row) => `HANSA;KILL-${row};${rows[0]!.title};Łódź;PL;Köln;DE;Sofas`)
  const titles =
    'Kunde;Auftragsnummer des Kunden;Abteilung;Beladung: Ort;Beladung: Land;Entladung: Ort;Entladung: Land;Fracht'
  const form = new FormData()
  form.set('commit', '1')
  form.set('file', new Blob([[titles, ...lines].join('\n')]), 'orders.csv')
  try {
    const response = await fetch(`${installation.url}/orders/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': KEY },
      body: form,
    })
    return { status: response.status, created: ((await response.json()) as { created: number }).created }
  } catch {
    return null
  }
}

const stored = async () =>
  (
    await database.pool.query<{ orders: number; parts: number; entries: number; answers: number }>(
      `select (select count(*)::int from "order") as orders, (select count(*)::int from location) as parts,
        (select count(*)::int from audit_entry where "ownerKind" = 'order') as entries,
        (select count(*)::int from idempotency_key where scope like '%${KEY}') as answers`,
    )
  ).rows[0]

it('leaves nothing of an import that was killed while it wrote, and takes it in once afterwards', async () => {
  let isAnswered = false
  const answer = commit().finally(() => {
    isAnswered = true
  })
  const isWriting = async () =>
    (
      await database.pool.query(
        `select 1 from pg_locks where mode = 'RowExclusiveLock' and relation = '"order"'::regclass
          and pid <> pg_backend_pid()`,
      )
    ).rows.length > 0
  while (!(await isWriting())) {
    if (isAnswered) throw new Error(`answered before it wrote: ${JSON.stringify(await answer)}`)
    await wait(1)
  }
  await installation.killServer()
  expect(await answer).toBeNull()

  installation.start()
  await installation.untilReady(60_000)
  expect(await stored()).toEqual({ orders: 0, parts: 0, entries: 0, answers: 0 })
  const whole = { orders: ROWS, parts: 2 * ROWS, entries: ROWS, answers: 1 }
  expect(await commit()).toEqual({ status: 200, created: ROWS })
  expect(await stored()).toEqual(whole)
  expect(await commit()).toEqual({ status: 200, created: ROWS })
  expect(await stored()).toEqual(whole)
}, 240_000)
