// A Waybill that reads from a standby. Another database of the same server stands for it, with other records in it, so
// that a page says where it was read, and with the two functions that tell how far a standby is.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../../test/app.ts'
import { openSilentLine, type SilentLine } from '../../../test/database/silent-line.ts'
import { buildServer } from '../../app/server.ts'
import { openDatabase, type Database } from './db.ts'
import { openStandby, stateOfStandby } from './standby.ts'

const primary = useTestApp()
const copy = useTestApp()

const ANSWERS_IN_MS = 1000
const opened: Database[] = []
let line: SilentLine
let app: Awaited<ReturnType<typeof buildServer>>['app']
let token: string
let key: string

/** Changes what only reads. */
const onCopy = (statement: string) => copy.asOwner(`set transaction read write; ${statement}`)

/** Says up to where the standby has replayed, to connections that ask from now on. */
const replay = (position: string) => onCopy(`update standby.log set replayed = '${position}'`)

/** A Waybill with connections of its own to the standby: what they have seen of its log is not known yet. */
async function startWaybill(): Promise<void> {
  const open = (url: string, max: number) => {
    const database = openDatabase(url, { max, answersInMs: ANSWERS_IN_MS })
    opened.push(database)
    return database
  }
  const database = open(line.url, 4)
  const built = await buildServer({
    database,
    doorDatabase: open(line.url, 2),
    standby: openStandby(database, open(copy.databaseUrl, 4)),
    ports: primary.ports,
    clock: primary.clock,
    health: { isDraining: false, parts: {} },
    logger: null,
  })
  app = built.app
}

beforeAll(async () => {
  await primary.admin.post('vehicle-types', { title: 'Of the primary' })
  await copy.admin.post('vehicle-types', { title: 'Of the standby' })
  line = await openSilentLine(primary.databaseUrl)
  token = (await primary.signIn(ADMIN.email, ADMIN.password)).body.token
  const made = await primary.admin.post('api-keys', {
    title: 'Tacho',
    ownerId: await primary.idOf('user', 'email', ADMIN.email),
    permissions: ['ORDERS_MANAGEMENT'],
    days: 30,
  })
  key = made.body.token
  // Who is at the door is known to a standby, too.
  for (const table of ['session', 'access_token', 'api_key']) {
    const { rows } = await primary.database.pool.query<{ row: string }>(
      `select to_json(t)::text as row from ${table} t`,
    )
    await copy.asOwner(`delete from ${table}`)
    for (const { row } of rows)
      await copy.asOwner(`insert into ${table} overriding system value
        select * from json_populate_record(null::${table}, '${row}')`)
  }
  const [{ name }] = (await copy.database.pool.query<{ name: string }>('select current_database() as name')).rows as [
    { name: string },
  ]
  await copy.asOwner(`
    create schema standby;
    create table standby.log (replayed pg_lsn);
    insert into standby.log values ('0/1');
    create function standby.pg_is_in_recovery() returns boolean language sql as 'select true';
    create function standby.pg_last_wal_replay_lsn() returns pg_lsn language sql as 'select replayed from standby.log';
    grant usage on schema standby to public;
    grant select on standby.log to public;
    alter database ${name} set search_path = standby, pg_catalog, public;
    alter database ${name} set default_transaction_read_only = on`)
  await startWaybill()
})
afterAll(async () => {
  await app.close()
  line.close()
  for (const database of opened) await database.close()
})

const call = (method: 'GET' | 'POST', path: string, payload?: object, headers: Record<string, string> = {}) =>
  app.inject({
    method,
    url: `/api/${path}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload && { payload }),
  })
const titles = async (): Promise<string[]> => {
  const answer = await call('GET', 'vehicle-types')
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().items.map(({ title }: { title: string }) => title)
}
const OF_PRIMARY = expect.arrayContaining(['Of the primary'])
const OF_STANDBY = expect.arrayContaining(['Of the standby'])

it('is passed by as long as it has not replayed what was safe when the call came', async () => {
  expect(await titles()).toEqual(OF_PRIMARY)
})

it('answers who only reads while the primary is silent, and not when that is back', { timeout: 60_000 }, async () => {
  line.fallSilent()
  expect(await titles()).toEqual(OF_STANDBY)
  expect(await titles()).toEqual(OF_STANDBY)
  await expect.poll(titles, { timeout: 20_000 }).toEqual(OF_PRIMARY)
})

it('is read once it has', async () => {
  await replay('FFFFFFFF/0')
  expect(await titles()).toEqual(OF_STANDBY)
})

it('takes lists, records and files, and nothing that is written', async () => {
  const made = await call('POST', 'vehicle-types', { title: 'Written' })
  expect(made.statusCode, made.body).toBe(201)
  expect((await primary.admin.get('vehicle-types?q=Written')).body.items).toHaveLength(1)
  expect((await copy.database.pool.query(`select id from vehicle_type where title = 'Written'`)).rows).toEqual([])
  // The record that was written is not there, as this standby replays nothing.
  expect((await call('GET', `vehicle-types/${made.json().id}`)).statusCode).toBe(404)
  const detailed = await call('GET', 'vehicle-types', undefined, { 'additional-groups': 'detailed' })
  expect(detailed.json().items.map(({ title }: { title: string }) => title)).toEqual(OF_STANDBY)
  const file = await call('GET', 'vehicle-types/export?format=csv')
  expect(file.body).toContain('Of the standby')
  // Who took it out of the house stands where everything is written.
  const { rows } = await primary.database.pool.query(`select id from audit_entry where action = 'exported'`)
  expect(rows).toHaveLength(1)
})

it('leaves to the primary what it cannot do', async () => {
  await onCopy('alter table vehicle_type rename to vehicle_type_gone')
  expect(await titles()).toEqual(OF_PRIMARY)
  await onCopy('alter table vehicle_type_gone rename to vehicle_type')
  expect(await titles()).toEqual(OF_STANDBY)
})

it('answers a refusal of its own, which the primary is not asked about', async () => {
  expect((await call('GET', 'vehicle-types?perPage=7')).statusCode).toBe(422)
  expect((await app.inject({ url: '/api/vehicle-types' })).statusCode).toBe(401)
})

it('goes on answering people and keys while the primary cannot be reached; who writes hears of it', async () => {
  line.close()
  expect(await titles()).toEqual(OF_STANDBY)
  const refused = await call('POST', 'vehicle-types', { title: 'Lost' })
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'unavailable'])
  // That a key was used is noted when the primary is back.
  const ofKey = await call('GET', 'vehicle-types', undefined, { authorization: `Bearer ${key}` })
  expect([ofKey.statusCode, ofKey.json().items?.map(({ title }: { title: string }) => title)]).toEqual([
    200,
    OF_STANDBY,
  ])
  const unknown = await call('GET', 'vehicle-types', undefined, { authorization: `Bearer ${key.slice(0, -2)}xx` })
  expect(unknown.statusCode).toBe(401)
  expect(await titles()).toEqual(OF_STANDBY)
})

it('is known by its system: neither the primary itself nor the database of another one', async () => {
  const url = primary.databaseUrl
  expect(await stateOfStandby({ url, readUrl: copy.databaseUrl })).toBe('standby')
  expect(await stateOfStandby({ url, readUrl: url })).toBe('primary')
  await onCopy(`create function standby.pg_control_system() returns table (system_identifier bigint) language sql
    as 'select 4711::bigint'`)
  expect(await stateOfStandby({ url, readUrl: copy.databaseUrl })).toBe('other system')
})
