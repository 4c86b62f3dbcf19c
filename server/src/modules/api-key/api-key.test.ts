import { beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS, RESOURCES } from '@waybill/contract/api'
import { KEY_PERMISSIONS, type ApiKey } from '@waybill/contract/api-key/api-key'
import { mayAccess, type Permission } from '@waybill/contract/permissions'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'
import { openLog } from '../../app/log.ts'
import { buildServer } from '../../app/server.ts'
import { openDatabase } from '../../kit/database/db.ts'

const test = useTestApp()
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
let names = 0
let world: OrderWorld

beforeAll(async () => {
  world = await orderWorld(test)
})

type Made = ApiKey & { token: string }

async function make(ownerId: number, permissions: Permission[], days = 30): Promise<{ key: Made; caller: Caller }> {
  names += 1
  const { status, body } = await test.admin.post<Made>('api-keys', {
    title: `Warehouse ${names}`,
    ownerId,
    permissions,
    days,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return { key: body, caller: test.withToken(body.token) }
}

const adminId = () => test.idOf('user', 'email', 'admin@waybill.example')
const listed = async (id: number) =>
  (await test.admin.get<{ items: ApiKey[] }>('api-keys')).body.items.find((key) => key.id === id)!

const roleOf = (userId: number, change: string) =>
  test.database.pool.query(`update user_role set ${change} where id = (select "roleId" from "user" where id = $1)`, [
    userId,
  ])

const newOrder = async (manager: number) =>
  plainOrder(world, await world.customer('Acme', 'DE'), { managerIds: [manager] })

describe('who makes keys', () => {
  it('is an administrator, not who has every right', async () => {
    const { caller, id } = await test.userWith('FULL_ACCESS')
    const body = { title: 'Shop', ownerId: id, permissions: ['ORDERS_MANAGEMENT'], days: 30 }
    for (const [who, status] of [
      [test.anonymous, 401],
      [caller, 403],
    ] as const) {
      expect((await who.get('api-keys')).status).toBe(status)
      expect((await who.post('api-keys', body)).status).toBe(status)
      expect((await who.post('api-keys/1/revoke')).status).toBe(status)
      expect((await who.get(`api-keys/rights/${id}`)).status).toBe(status)
    }
    expect((await test.admin.post('api-keys/999999/revoke')).status).toBe(404)
    expect((await test.admin.get('api-keys/rights/999999')).status).toBe(404)
  })

  it('is refused a right that the owner lacks, people’s accounts, full access, and a name in use', async () => {
    const { id } = await test.userWith('INVOICES_PROCESSING')
    const { key } = await make(id, ['INVOICES_PROCESSING'])
    const good = { title: 'Shop', ownerId: id, permissions: ['INVOICES_PROCESSING'], days: 30 }
    const refusal = async (change: object) => {
      const { status, body } = await test.admin.post('api-keys', { ...good, ...change })
      return [status, ...(body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)]
    }
    expect(await refusal({ permissions: ['ORDERS_MANAGEMENT'] })).toEqual([422, 'permissions beyond_owner'])
    expect(await refusal({ ownerId: await adminId(), permissions: ['USERS_MANAGEMENT'] })).toEqual([
      422,
      'permissions beyond_owner',
    ])
    expect(await refusal({ ownerId: await adminId(), permissions: ['FULL_ACCESS'] })).toEqual([
      422,
      'permissions beyond_owner',
    ])
    expect(await refusal({ permissions: [] })).toEqual([422, 'permissions required'])
    expect(await refusal({ ownerId: 999_999 })).toEqual([422, 'ownerId unknown_reference'])
    expect(await refusal({ days: 397 })).toEqual([422, 'days too_big'])
    expect(await refusal({ title: key.title.toUpperCase() })).toEqual([422, 'title taken'])
    await test.admin.post(`api-keys/${key.id}/revoke`)
    expect((await test.admin.post('api-keys', { ...good, title: key.title })).status).toBe(201)
  })

  it('is told what can be given: of all orders also one’s own', async () => {
    const { id } = await test.userWith('ORDERS_MANAGEMENT', 'USERS_MANAGEMENT')
    expect((await test.admin.get(`api-keys/rights/${id}`)).body).toEqual({
      permissions: ['ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS'],
    })
    expect((await test.admin.get(`api-keys/rights/${await adminId()}`)).body).toEqual({ permissions: KEY_PERMISSIONS })
  })

  it('sees the key once, and the database never', async () => {
    const { key } = await make(await adminId(), ['SETTINGS_ACCESS'])
    expect(key.token).toMatch(/^wbk_[A-Za-z0-9_-]{43}$/)
    expect(key.token.endsWith(key.hint)).toBe(true)
    const { raw } = await test.admin.get('api-keys')
    expect(raw.toString()).not.toContain(key.token)
    const { rows } = await test.database.pool.query(
      `select (select string_agg(row_to_json(k)::text, '') from api_key k)
        || coalesce((select string_agg(row_to_json(a)::text, '') from idempotency_key a), '') as kept`,
    )
    expect(rows[0].kept).not.toContain(key.token)
    expect(rows[0].kept).not.toContain(key.token.slice(4, -4))
  })
})

describe('what a key opens', () => {
  const ROWS = [
    ...ENDPOINTS.map((endpoint) => ({ endpoint, compact: false })),
    ...RESOURCES.flatMap((api) => [
      ...[api.list, api.export, api.get, api.create, api.replace, api.patch, api.remove].map((endpoint) => ({
        endpoint,
        compact: false,
      })),
      { endpoint: api.compact, compact: true },
    ]),
  ]
  const isForPeople = (path: string) =>
    /^\/(profile|users\/:id\/|api-keys|webhooks|webhook-deliveries|events|operations)/.test(path) ||
    /^\/(user-roles|users)/.test(path) ||
    /\/(presence|confirm|take-return-back)$/.test(path) ||
    path === '/audit' ||
    path === '/carrier-releases/:id/decide' ||
    path === '/invoices/month-end/runs'

  it('is nothing of a person’s own, of accounts, of administrators, and nothing that takes two people', async () => {
    const { caller } = await make(await adminId(), [...KEY_PERMISSIONS])
    for (const { endpoint, compact } of ROWS.filter((row) => row.endpoint.access !== 'public')) {
      const path = endpoint.path.slice(1).replace(/:\w+/g, '999999999')
      const options = { compact, version: 1 }
      const call = {
        GET: () => caller.get(path, { compact, isStream: endpoint.shape === 'stream' }),
        DELETE: () => caller.delete(path),
        POST: () => caller.post(path, {}, options),
        PUT: () => caller.put(path, {}, options),
        PATCH: () => caller.patch(path, {}, options),
      }[endpoint.method]
      const { status } = await call()
      const name = `${endpoint.method} ${endpoint.path}${compact ? ' (compact)' : ''}`
      const isOpen = !isForPeople(endpoint.path) || (compact && endpoint.path === '/users')
      expect(status === 403, `${name}: ${status}`).toBe(!isOpen)
      expect(status, name).toBeLessThan(500)
    }
  })

  it('is what it was given, and no more of what its owner has', async () => {
    const { id } = await test.userWith('ORDERS_MANAGEMENT', 'CUSTOMER_MANAGEMENT')
    const { caller } = await make(id, ['CUSTOMER_MANAGEMENT'])
    expect((await caller.get('customers')).status).toBe(200)
    expect((await caller.get('orders')).status).toBe(403)
  })

  it('is the owner’s own orders alone where it was given these, although the owner sees all', async () => {
    const { id, caller: owner } = await test.userWith('ORDERS_MANAGEMENT')
    const own = await owner.post('orders', await newOrder(id))
    const foreign = await test.admin.post('orders', await newOrder(await adminId()))
    expect([own.status, foreign.status], JSON.stringify([own.body, foreign.body])).toEqual([201, 201])
    const { caller } = await make(id, ['ASSIGNED_ORDERS'])
    const { body } = await caller.get('orders')
    expect(body.items.map((order: { id: number }) => order.id)).toEqual([own.body.id])
    expect((await caller.get(`orders/${own.body.id}`)).status).toBe(200)
    expect((await caller.get(`orders/${foreign.body.id}`)).status).toBe(404)
  })

  it('ends with the owner’s right, with the role, and comes back with them', async () => {
    const { id } = await test.userWith('CUSTOMER_MANAGEMENT')
    const { key, caller } = await make(id, ['CUSTOMER_MANAGEMENT'])
    const status = async () => (await caller.get('customers')).status
    expect(await status()).toBe(200)
    await roleOf(id, `permissions = '{INVOICES_PROCESSING}'`)
    expect(await status()).toBe(403)
    expect((await listed(key.id)).effective).toEqual([])
    expect((await caller.get('invoices')).status).toBe(403)
    await roleOf(id, `permissions = '{CUSTOMER_MANAGEMENT}', "isEnabled" = false`)
    expect(await status()).toBe(403)
    await roleOf(id, `"isEnabled" = true`)
    expect(await status()).toBe(200)
    expect((await listed(key.id)).effective).toEqual(['CUSTOMER_MANAGEMENT'])
  })

  it('is nothing while the owner is deactivated', async () => {
    const { id } = await test.userWith('CUSTOMER_MANAGEMENT')
    const { key, caller } = await make(id, ['CUSTOMER_MANAGEMENT'])
    await test.database.pool.query(`update "user" set state = 'inactive' where id = $1`, [id])
    expect((await caller.get('customers')).status).toBe(401)
    expect(await listed(key.id)).toMatchObject({ state: 'ownerInactive', effective: [] })
    const body = { title: 'Late', ownerId: id, permissions: ['CUSTOMER_MANAGEMENT'], days: 1 }
    expect((await test.admin.post('api-keys', body)).body.errors).toMatchObject([{ path: 'ownerId' }])
  })

  it('is nothing after its last day', async () => {
    const { key, caller } = await make(await adminId(), ['CUSTOMER_MANAGEMENT'], 1)
    expect((await caller.get('customers')).status).toBe(200)
    await test.database.pool.query(`update access_token set "expiresAt" = "expiresAt" + interval '2 days'`)
    test.clock.advance(DAY_MS)
    expect((await caller.get('customers')).status).toBe(401)
    expect((await listed(key.id)).state).toBe('expired')
  })

  it('is nothing from the moment it is revoked, on other nodes too, and stays so', async () => {
    const other = openDatabase(test.databaseUrl, { max: 2 })
    const node = await buildServer({
      database: other,
      ports: test.ports,
      clock: test.clock,
      health: { isDraining: false, parts: {} },
      logger: null,
    })
    const { key, caller } = await make(await adminId(), ['CUSTOMER_MANAGEMENT'])
    const there = async () =>
      (await node.app.inject({ url: '/api/customers', headers: { authorization: `Bearer ${key.token}` } })).statusCode
    expect(await there()).toBe(200)
    expect((await test.admin.post(`api-keys/${key.id}/revoke`)).body).toMatchObject({ state: 'revoked' })
    expect(await there()).toBe(401)
    expect((await caller.get('customers')).status).toBe(401)
    expect((await test.admin.post(`api-keys/${key.id}/revoke`)).status).toBe(409)
    await node.app.close()
    await other.close()
    await expect(
      test.asOwner(`update api_key set "revokedAt" = null, "revokedById" = null where id = ${key.id}`),
    ).rejects.toThrow(/stays as it is/)
    await expect(test.database.pool.query('delete from api_key where id = $1', [key.id])).rejects.toThrow(/permission/)
  })

  it('is not what its owner was answered under the same Idempotency-Key', async () => {
    const { id, caller: owner } = await test.userWith('ORDERS_MANAGEMENT')
    const { caller } = await make(id, ['ORDERS_MANAGEMENT'])
    const options = { headers: { 'idempotency-key': 'order-1' } }
    const body = await newOrder(id)
    const [mine, its] = [await owner.post('orders', body, options), await caller.post('orders', body, options)]
    expect([mine.status, its.status]).toEqual([201, 201])
    expect(its.body.id).not.toBe(mine.body.id)
    expect((await caller.post('orders', body, options)).body.id).toBe(its.body.id)
  })
})

describe('what is kept of a key’s calls', () => {
  it('is when it was last used, written once a minute', async () => {
    const { key, caller } = await make(await adminId(), ['CUSTOMER_MANAGEMENT'])
    expect((await listed(key.id)).lastUsedAt).toBeNull()
    await caller.get('customers')
    const first = (await listed(key.id)).lastUsedAt
    expect(first).not.toBeNull()
    test.clock.advance(MINUTE_MS / 2)
    await caller.get('customers')
    expect((await listed(key.id)).lastUsedAt).toBe(first)
    test.clock.advance(MINUTE_MS / 2)
    await caller.get('customers')
    expect(Date.parse((await listed(key.id)).lastUsedAt!)).toBeGreaterThanOrEqual(Date.parse(first!) + MINUTE_MS)
  })

  it('is its name in the history beside the person’s, and none where it is the person', async () => {
    const { id, caller: owner } = await test.userWith('ORDERS_MANAGEMENT')
    const { key, caller } = await make(id, ['ORDERS_MANAGEMENT'])
    const order = (await caller.post('orders', await newOrder(id))).body
    const changed = await owner.patch(
      `orders/${order.id}`,
      { customerOrderNumber: 'PO 4711' },
      { version: order.version },
    )
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const { body } = await owner.get(`audit-entries?orderId=${order.id}`)
    const [byOwner, byKey] = [body.items[0], body.items.at(-1)]
    expect(byKey).toMatchObject({ action: 'created', actor: { id }, apiKey: { id: key.id, title: key.title } })
    expect(byOwner).toMatchObject({ action: 'updated', actor: { id }, apiKey: null })
  })

  it('is that it was made and revoked, in its owner’s history', async () => {
    const { id } = await test.userWith('ORDERS_MANAGEMENT')
    const { key } = await make(id, ['ORDERS_MANAGEMENT'])
    await test.admin.post(`api-keys/${key.id}/revoke`)
    const { body } = await test.admin.get(`audit-entries?userId=${id}`)
    expect(body.items.slice(0, 2)).toMatchObject([
      { action: 'apiKeyRevoked', changes: [{ path: 'apiKey', from: key.title, to: null }] },
      { action: 'apiKeyMade' },
    ])
  })

  it('is never the key itself in the log, whatever happens', async () => {
    const lines: string[] = []
    const logged = await buildServer({
      database: test.database,
      ports: test.ports,
      clock: test.clock,
      health: { isDraining: false, parts: {} },
      logger: openLog('trace', { write: (line) => void lines.push(line) }),
    })
    const { key } = await make(await adminId(), ['CUSTOMER_MANAGEMENT'])
    const headers = { authorization: `Bearer ${key.token}` }
    for (const url of ['/api/customers', '/api/profile', '/api/nowhere', '/api/customers?sort=no'])
      await logged.app.inject({ url, headers })
    await logged.app.inject({ method: 'POST', url: '/api/customers', headers, payload: '{"title":' })
    await logged.app.close()
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.join('')).not.toContain(key.token.slice(4, -4))
  })
})

it('a right that a key can have is one that mayAccess knows for somebody who is no administrator', () => {
  for (const permission of KEY_PERMISSIONS)
    expect(mayAccess('administrator', { isAdmin: false, permissions: [permission] })).toBe(false)
})
