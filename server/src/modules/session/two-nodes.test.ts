// Two Waybills over one database, each with connections and ports of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../../test/app.ts'
import { testPorts, type TestPorts } from '../../../test/ports.ts'
import { buildServer } from '../../app/server.ts'
import { openDatabase, type Database } from '../../kit/database/db.ts'

const test = useTestApp()
let database: Database
let ports: TestPorts
let other: Awaited<ReturnType<typeof buildServer>>['app']
let address: string
const leaving = new AbortController()

beforeAll(async () => {
  database = openDatabase(test.databaseUrl, { max: 2 })
  // Nothing is noticed by a beat here: none comes.
  ports = { ...(await testPorts(test.databaseUrl)), eventBeatMs: 3_600_000 }
  const built = await buildServer({
    database,
    ports,
    clock: test.clock,
    health: { isDraining: false, parts: {} },
    logger: null,
  })
  other = built.app
  address = await other.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  leaving.abort()
  await other.close()
  await ports.close()
  await database.close()
})

/** A call at the other node. */
const there = async (token: string, url = 'profile'): Promise<number> =>
  (await other.inject({ url: `/api/${url}`, headers: { authorization: `Bearer ${token}` } })).statusCode

/** Listens at the other node; `ended` resolves once that ends the stream. */
async function stream(token: string): Promise<{ ended: Promise<void> }> {
  const response = await fetch(`${address}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  })
  expect(response.status).toBe(200)
  const reader = response.body!.getReader()
  const untilDone = async () => {
    while (!(await reader.read()).done);
  }
  const ended = untilDone()
  // A test that ended before it waited for it has failed already.
  ended.catch(() => undefined)
  return { ended }
}

describe('a session', () => {
  it('counts at the other node, and is renewed there', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    expect([await there(tokens.token), await there(tokens.token, 'orders')]).toEqual([200, 200])
    const renewed = await other.inject({
      method: 'POST',
      url: '/api/token/refresh',
      payload: { refreshToken: tokens.refreshToken },
    })
    expect(renewed.statusCode).toBe(200)
    expect((await test.withToken(renewed.json().token).get('profile')).status).toBe(200)
    expect((await test.anonymous.post('token/refresh', { refreshToken: tokens.refreshToken })).status).toBe(401)
  })

  it('that is ended at one is refused by the other with the next call, and its page hears no more', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const { ended } = await stream(tokens.token)
    expect((await test.anonymous.post('token/logout', { refreshToken: tokens.refreshToken })).status).toBe(204)
    expect(await there(tokens.token)).toBe(401)
    await ended
  })

  it('is ended everywhere, but for the one in which that is said', async () => {
    const { caller, tokens, email } = await test.userWith('ORDERS_MANAGEMENT')
    const { body: second } = await test.signIn(email, ADMIN.password)
    const { ended } = await stream(second.token)
    expect(await there(second.token)).toBe(200)
    expect((await caller.delete('profile/sessions')).status).toBe(204)
    expect([await there(second.token), await there(tokens.token)]).toEqual([401, 200])
    await ended
  })
})

describe('a person', () => {
  it('whose role loses a right has lost it at the other node with the next call', async () => {
    const { tokens, id } = await test.userWith('ORDERS_MANAGEMENT', 'CUSTOMER_MANAGEMENT')
    expect(await there(tokens.token, 'orders')).toBe(200)
    const { rows } = await test.database.pool.query<{ roleId: number }>('select "roleId" from "user" where id = $1', [
      id,
    ])
    const { body: role } = await test.admin.get(`user-roles/${rows[0]!.roleId}`)
    const changed = await test.admin.patch(
      `user-roles/${role.id}`,
      { permissions: ['CUSTOMER_MANAGEMENT'] },
      { version: role.version },
    )
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect([await there(tokens.token, 'orders'), await there(tokens.token, 'customers')]).toEqual([403, 200])
  })

  it('who is deleted at one is nobody at the other with the next call, and hears no more', async () => {
    const { tokens, id } = await test.userWith('ORDERS_MANAGEMENT')
    const { ended } = await stream(tokens.token)
    const { body: user } = await test.admin.get(`users/${id}`)
    const done = await test.admin.delete(`users/${id}`, { version: user.version })
    expect(done.status, JSON.stringify(done.body)).toBeLessThan(300)
    expect(await there(tokens.token)).toBe(401)
    await ended
  })
})
