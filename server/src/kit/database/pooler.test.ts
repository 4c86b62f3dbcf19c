// A Waybill whose calls go through a pooler by transaction, beside one that goes past it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../../test/app.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'
import { testPorts, type TestPorts } from '../../../test/ports.ts'
import { openPooler, type Pooler } from '../../../test/database/transaction-pooler.ts'
import { buildServer } from '../../app/server.ts'
import { openDatabase, type Database } from './db.ts'
import { missingSettings, settleRole } from './pooler.ts'

const test = useTestApp()
let pooler: Pooler
let database: Database
let door: Database
let ports: TestPorts
let pooled: Awaited<ReturnType<typeof buildServer>>['app']
let world: OrderWorld
let customerId: number

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Hansa Bau GmbH', 'DE')
  await settleRole(test.databaseUrl)
  pooler = await openPooler(test.databaseUrl)
  database = openDatabase(pooler.url, { max: 4, isPrepared: false })
  door = openDatabase(pooler.url, { max: 2, isPrepared: false })
  ports = await testPorts(test.databaseUrl)
  const built = await buildServer({
    database,
    doorDatabase: door,
    ports,
    clock: test.clock,
    health: { isDraining: false, parts: {} },
    logger: null,
  })
  pooled = built.app
})
afterAll(async () => {
  await pooled.close()
  await ports.close()
  await database.close()
  await door.close()
  await pooler.close()
})

const call = async (token: string, url: string, payload?: object) => {
  const answer = await pooled.inject({
    method: payload === undefined ? 'GET' : 'POST',
    url: `/api/${url}`,
    headers: { authorization: `Bearer ${token}`, 'additional-groups': 'detailed' },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const signedIn = async (): Promise<string> => {
  const answer = await pooled.inject({ method: 'POST', url: '/api/token', payload: ADMIN })
  expect(answer.statusCode).toBe(200)
  return answer.json().token
}

describe('a pooler by transaction', () => {
  it('refuses connections that want settings of their own, and loses named statements', async () => {
    const other = await openPooler(test.databaseUrl)
    const refused = openDatabase(other.url, { max: 1 })
    await expect(refused.pool.query('select 1')).rejects.toThrow('unsupported startup parameter: options')
    await refused.close()
    const named = openDatabase(other.url, { max: 1, isPrepared: false })
    const client = await named.pool.connect()
    const ask = () => client.query({ name: 'one', text: 'select 1' })
    await ask()
    await expect(ask()).rejects.toThrow('prepared statement "one" does not exist')
    client.release(true)
    await named.close()
    await other.close()
  })

  it('has what each connection has to know from the role', async () => {
    expect(await missingSettings(pooler.url)).toEqual([])
    await test.database.pool.query(`alter role current_user in database "${new URL(test.databaseUrl).pathname.slice(1)}"
      reset all`)
    const before = await openPooler(test.databaseUrl)
    expect(await missingSettings(before.url)).toEqual(['lock_timeout', 'statement_timeout'])
    await before.close()
    await settleRole(test.databaseUrl)
  })
})

describe('a Waybill behind it', () => {
  it('lets people in and serves them: calls that come back, many at once, each in its own transaction', {
    tags: 'long',
  }, async () => {
    const token = await signedIn()
    const made = await Promise.all(
      Array.from({ length: 8 }, () => call(token, 'orders', plainOrder(world, customerId))),
    )
    expect(made.map(({ status }) => status)).toEqual(Array(8).fill(201))
    for (let turn = 0; turn < 4; turn += 1) {
      const answers = await Promise.all([
        call(token, 'orders?status[]=new'),
        call(token, `orders/${made[turn]!.body.id}`),
        call(token, 'orders?q=Hansa'),
        call(token, 'customers'),
        call(token, 'audit'),
        call(token, 'operations'),
      ])
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
      expect(answers[0]!.body.items.length).toBeGreaterThanOrEqual(8)
    }
  })

  it('refuses who is nobody, and a key as it does elsewhere', async () => {
    expect((await call('x'.repeat(43), 'orders')).status).toBe(401)
    const ownerId = await test.idOf('user', 'email', ADMIN.email)
    const asked = { title: 'Warehouse', ownerId, permissions: ['ORDERS_MANAGEMENT'], days: 30 }
    const { body: key } = await test.admin.post('api-keys', asked)
    for (let turn = 0; turn < 4; turn += 1) expect((await call(key.token, 'orders')).status).toBe(200)
    await test.admin.post(`api-keys/${key.id}/revoke`)
    expect((await call(key.token, 'orders')).status).toBe(401)
  })

  it('tells the other nodes what was changed through it', async () => {
    const token = await signedIn()
    const heard: number[] = []
    const stop = await test.ports.changes.hear({
      changed: ({ kind, ids }) => void (kind === 'order' && heard.push(...ids)),
      missed: () => undefined,
    })
    const { body } = await call(token, 'orders', plainOrder(world, customerId))
    await expect.poll(() => heard).toContain(body.id)
    stop()
  })

  it('prepares nothing on the connections of others', async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      'select count(*)::int as count from pg_prepared_statements',
    )
    expect(rows[0]!.count).toBe(0)
  })
})
