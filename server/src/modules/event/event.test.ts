import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MOST_SECONDS_AGO } from '@waybill/contract/event'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { giveCarrierPapers } from '../../../test/carrier-papers.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { jobContext } from '../../../test/job-context.ts'
import { testPorts } from '../../../test/ports.ts'
import { buildServer } from '../../app/server.ts'
import { MOST_STREAMS } from './stream-events.ts'
import { sweepChanges } from './told-changes.ts'

const test = useTestApp()
let address: string
let world: OrderWorld
let customerId: number
const open = new AbortController()

interface Heard {
  status: number
  /** the next event that is no heartbeat; null once the stream has ended */
  next(): Promise<{ event: string; data: { kind?: string; ids?: number[] } } | null>
  /** true once the server has said that the stream lives */
  beats(): Promise<boolean>
  leave(): void
}

/** Listens as a browser does: over a real connection, part by part. */
async function hear(token: string, headers: Record<string, string> = {}, query = '', at = address): Promise<Heard> {
  const leaving = new AbortController()
  const response = await fetch(`${at}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: AbortSignal.any([leaving.signal, open.signal]),
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const block = async (): Promise<string | null> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const found = text.slice(0, end)
        text = text.slice(end + 2)
        return found
      }
      const { value, done } = await reader.read()
      if (done) return null
      text += value
    }
  }
  const next = async () => {
    for (let found = await block(); found !== null; found = await block()) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(found) ?? []
      if (event !== undefined) return { event, data: JSON.parse(data!) as { ids?: number[] } }
    }
    return null
  }
  return {
    status: response.status,
    next,
    beats: async () => (await block()) === ': beat',
    leave: () => leaving.abort(),
  }
}

async function hearing(token: string, headers?: Record<string, string>, query?: string, at?: string): Promise<Heard> {
  const heard = await hear(token, headers, query, at)
  expect(heard.status).toBe(200)
  expect(await heard.next()).toEqual({ event: 'ready', data: {} })
  return heard
}

/** Until an event names this order: what was heard on the way. */
async function idsUntil(heard: Heard, id: number): Promise<number[]> {
  const ids: number[] = []
  while (!ids.includes(id)) {
    const told = await heard.next()
    if (told === null) throw new Error(`the stream ended before order ${id} was told of`)
    ids.push(...(told.data.ids ?? []))
  }
  return ids
}

async function make(more: Partial<OrderInput> = {}, caller: Caller = test.admin): Promise<Order> {
  const { status, body } = await caller.post<Order>('orders', plainOrder(world, customerId, more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

async function change(order: Order, body: Partial<OrderInput>): Promise<Order> {
  const changed = await test.admin.patch<Order>(`orders/${order.id}`, body, { version: order.version })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  return changed.body
}

beforeAll(async () => {
  address = await test.app.listen({ port: 0, host: '127.0.0.1' })
  world = await orderWorld(test)
  customerId = await world.customer('Kaltenbach Gemüse GmbH', 'DE')
})
afterAll(() => open.abort())

describe('the events', () => {
  it('are told to nobody without a session', async () => {
    expect((await fetch(`${address}/api/events`)).status).toBe(401)
    expect((await hear('not-a-token-that-anybody-has')).status).toBe(401)
  })

  it('say of an order that it was made, changed, moved, moved back and deleted', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const heard = await hearing(tokens.token)
    let order = await make({ ...shipment(world), routes: [carried(world)] })
    expect(await idsUntil(heard, order.id)).toEqual([order.id])
    order = await change(order, { description: 'changed' })
    await idsUntil(heard, order.id)
    order = (await test.admin.post(`orders/${order.id}/status`, { to: 'scheduled' }, { version: order.version })).body
    await idsUntil(heard, order.id)
    order = (await test.admin.post(`orders/${order.id}/status/undo`, {}, { version: order.version })).body
    await idsUntil(heard, order.id)
    expect((await test.admin.delete(`orders/${order.id}`)).status).toBe(204)
    expect(await idsUntil(heard, order.id)).toEqual([order.id])
    heard.leave()
  })

  it('of orders that others manage never reach who sees the own ones only', async () => {
    const { tokens, id, caller } = await test.userWith('ASSIGNED_ORDERS')
    const heard = await hearing(tokens.token)
    const foreign = await make()
    await change(foreign, { description: 'nobody else’s business' })
    const gone = await make()
    await test.admin.delete(`orders/${gone.id}`)
    const own = await make({ managerIds: [id] })
    expect(await idsUntil(heard, own.id)).toEqual([own.id])

    // Taken off the order, one hears this once, and nothing of it from then on.
    const taken = await change(own, { managerIds: [] })
    expect(await idsUntil(heard, own.id)).toEqual([own.id])
    expect((await caller.get(`orders/${own.id}`)).status).toBe(404)
    await change(taken, { description: 'without them' })
    const other = await make({}, caller)
    expect(await idsUntil(heard, other.id)).toEqual([other.id])
    await test.admin.delete(`orders/${other.id}`)
    expect(await idsUntil(heard, other.id)).toEqual([other.id])
    heard.leave()
  })

  it('of orders never reach who has no right to orders, nor any longer who has lost it', async () => {
    const { tokens, caller, id } = await test.userWith('INVOICES_PROCESSING')
    const may = (...permissions: string[]) =>
      test.database.pool.query(
        'update user_role set permissions = $2 where id = (select "roleId" from "user" where id = $1)',
        [id, permissions],
      )
    const heard = await hearing(tokens.token)
    // Some heartbeats last longer than changes are gathered.
    const expectSilence = async () => {
      for (let beat = 0; beat < 5; beat += 1) expect(await heard.beats()).toBe(true)
    }
    await make()
    await expectSilence()
    await may('ORDERS_MANAGEMENT')
    const allowed = await make()
    expect(await idsUntil(heard, allowed.id)).toEqual([allowed.id])
    await may('INVOICES_PROCESSING')
    await make()
    await expectSilence()
    await caller.post('token/logout', { refreshToken: tokens.refreshToken })
    expect(await heard.next()).toBeNull()
  })

  it('of vehicles, and of carriers with their papers, reach who plans with them', { tags: 'long' }, async () => {
    const { tokens, caller } = await test.userWith('ASSIGNED_ORDERS')
    const heard = await hearing(tokens.token)
    const until = async (kind: string, id: number) => {
      let told = await heard.next()
      while (told !== null && !(told.data.kind === kind && told.data.ids!.includes(id))) told = await heard.next()
      expect(told).not.toBeNull()
    }
    const { body: truck } = await test.admin.post('vehicles', { title: 'HH-WB 2099', kind: 'truck' })
    await until('vehicle', truck.id)
    await test.admin.patch(`vehicles/${truck.id}`, { state: 'inactive' }, { version: truck.version })
    await until('vehicle', truck.id)
    expect((await test.admin.delete(`vehicles/${truck.id}`)).status).toBe(204)
    await until('vehicle', truck.id)
    const { body: carrier } = await test.admin.post('carrier-companies', {
      title: 'Transwarta Sp. z o.o.',
      countryId: world.countries.PL,
    })
    await until('carrierCompany', carrier.id)
    const { licenceId } = await giveCarrierPapers(test.admin, carrier.id)
    await until('carrierCompany', carrier.id)
    // Both papers are told by the time that a later change is.
    await until('order', (await make({}, caller)).id)
    expect((await test.admin.delete(`documents/${licenceId}`)).status).toBe(204)
    await until('carrierCompany', carrier.id)
    heard.leave()
  })

  it('keep to the company that an administrator looks at', async () => {
    const { body } = await test.signIn('admin@waybill.example', 'Correct-Horse-7')
    const heard = await hearing(body.token, { 'group-filter': String(await test.idOf('company', 'code', 'WB')) })
    const { body: company } = await test.admin.post('companies', {
      title: 'Waybill Polska Sp. z o.o.',
      code: 'WPL',
      countryId: world.countries.PL,
      timeZone: 'Europe/Warsaw',
      invoiceNumberPattern: 'PL{YYYY}-{NNNNN}',
    })
    const { status, body: department } = await test.admin.post('departments', {
      abbreviation: 'POZ',
      companyId: company.id,
      countryId: world.countries.PL,
    })
    expect(status, JSON.stringify([company, department])).toBe(201)
    await make({ departmentId: department.id })
    const here = await make()
    expect(await idsUntil(heard, here.id)).toEqual([here.id])
    heard.leave()
  })

  it('tell nothing of what was not saved', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const heard = await hearing(tokens.token)
    const order = await make()
    await idsUntil(heard, order.id)
    await test.database.db
      .transaction()
      .execute(async (tx) => {
        await tx.updateTable('order').set({ description: 'never' }).where('id', '=', order.id).execute()
        throw new Error('changed their mind')
      })
      .catch(() => undefined)
    const saved = await make()
    expect(await idsUntil(heard, saved.id)).toEqual([saved.id])
    heard.leave()
  })

  it('come from another node as well', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const heard = await hearing(tokens.token)
    const ports = await testPorts(test.databaseUrl)
    const { app } = await buildServer({
      database: test.database,
      ports,
      clock: test.clock,
      health: { isDraining: false, parts: {} },
      logger: null,
    })
    const response = await app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: { authorization: `Bearer ${tokens.token}` },
      payload: plainOrder(world, customerId),
    })
    expect(response.statusCode).toBe(201)
    await idsUntil(heard, response.json().id)
    await app.close()
    await ports.close()
    heard.leave()
  })

  it('tell of many orders changed at once, every one of them', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const heard = await hearing(tokens.token)
    await test.database.pool.query(
      `insert into "order" (number, "departmentId", "customerId", "customerTitle", "createdAt")
        select 'many-' || n, $1, $2, 'x', now() from generate_series(1, 1234) n`,
      [world.departmentId, customerId],
    )
    const { rows } = await test.database.pool.query<{ id: number }>(`select id from "order" where number like 'many-%'`)
    const told = new Set<number>()
    while (told.size < rows.length) for (const id of (await heard.next())!.data.ids!) told.add(id)
    expect([...told].toSorted((a, b) => a - b)).toEqual(rows.map(({ id }) => id).toSorted((a, b) => a - b))
    heard.leave()
  })

  it('say of an invoice that one of its mails left, and only to who processes invoices', { tags: 'long' }, async () => {
    const clerk = await test.userWith('INVOICES_PROCESSING')
    const order = await make({ ...shipment(world), customerPriceCents: 50_000 })
    const { body: invoice } = await clerk.caller.post('invoices', { entityType: 'customer', orderIds: [order.id] })
    const heard = await hearing(clerk.tokens.token)
    const dispatcher = await hearing((await test.userWith('ORDERS_MANAGEMENT')).tokens.token)
    await clerk.caller.post(
      `invoices/${invoice.id}/send`,
      { to: ['billing@kaltenbach.example'] },
      { version: invoice.version },
    )
    const written = { event: 'changed', data: { kind: 'invoice', ids: [invoice.id] } }
    expect(await heard.next()).toEqual(written)
    await test.database.pool.query(`update email set status = 'sent' where "ownerId" = $1`, [invoice.id])
    expect(await heard.next()).toEqual(written)
    for (let beat = 0; beat < 5; beat += 1) expect(await dispatcher.beats()).toBe(true)
    heard.leave()
    dispatcher.leave()
  })

  it('say of a quote that it was made, changed and answered, and only to who may see it', {
    tags: 'long',
  }, async () => {
    const every = await test.userWith('ORDERS_MANAGEMENT')
    const other = await test.userWith('ASSIGNED_ORDERS')
    const worker = await test.userWith('ASSIGNED_ORDERS')
    const heard = await hearing(every.tokens.token)
    const silent = await hearing(other.tokens.token)
    const given = await hearing(worker.tokens.token)
    const body = {
      customerId,
      departmentId: world.departmentId,
      caseWorkerId: worker.id,
      from: { countryId: world.countries.DE, city: 'Düren' },
      to: { countryId: world.countries.PL, city: 'Poznań' },
      priceCents: 148_000,
      validUntil: new Date(test.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10),
    }
    const { body: made } = await every.caller.post('quotes', body)
    const told = { event: 'changed', data: { kind: 'quote', ids: [made.id] } }
    expect(await heard.next()).toEqual(told)
    expect(await given.next()).toEqual(told)
    const changed = await every.caller.put(
      `quotes/${made.id}`,
      { ...body, caseWorkerId: null },
      { version: made.version },
    )
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect(await heard.next()).toEqual(told)
    // Who works on it no longer hears it this once.
    expect(await given.next()).toEqual(told)
    await every.caller.post(`quotes/${made.id}/lose`, { reason: 'price' }, { version: changed.body.version })
    expect(await heard.next()).toEqual(told)
    for (const one of [silent, given]) for (let beat = 0; beat < 5; beat += 1) expect(await one.beats()).toBe(true)
    for (const one of [heard, silent, given]) one.leave()
  })

  it('say that some were missed when the database was away, and go on', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const heard = await hearing(tokens.token)
    await test.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'waybill changes'
        and datname = current_database()`,
    )
    expect(await heard.next()).toEqual({ event: 'missed', data: {} })
    const order = await make()
    await idsUntil(heard, order.id)
    heard.leave()
  })
})

describe('who has not heard anything for a while', () => {
  const back = (token: string, seconds = 60) => hearing(token, {}, `?ago=${seconds}`)
  const expectSilence = async (heard: Heard) => {
    for (let beat = 0; beat < 5; beat += 1) expect(await heard.beats()).toBe(true)
  }
  let tokenOfAll: string
  let last: number
  beforeAll(async () => {
    tokenOfAll = (await test.userWith('ORDERS_MANAGEMENT')).tokens.token
    last = (await make()).id
  })
  /** Returns once the server has heard of everything that was committed before: what it hears comes in that order. */
  const allHeard = async () => {
    const heard = await hearing(tokenOfAll)
    await test.database.pool.query(`select pg_notify('changes', $1)`, [JSON.stringify({ kind: 'order', ids: [last] })])
    await idsUntil(heard, last)
    heard.leave()
  }
  beforeEach(async () => {
    await allHeard()
    await test.database.pool.query('delete from told_change')
  })

  it('says it in whole seconds, and nothing else', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const { token } = tokens
    for (const query of ['?ago=-1', '?ago=soon', '?ago=1.5', '?ago=1e3', '?ago=9999999999', '?since=1'])
      expect([query, (await hear(token, {}, query)).status]).toEqual([query, 422])
    expect((await fetch(`${address}/api/events?ago=1`)).status).toBe(401)
  })

  it('is told what a long transaction has saved just now, however long ago it was written', async () => {
    // As it stands there where twenty seconds lie between its writing and the end of the transaction.
    await test.database.pool.query(
      `insert into told_change (at, told) values (clock_timestamp() - interval '20 seconds', $1)`,
      [JSON.stringify({ kind: 'order', ids: [last] })],
    )
    const heard = await back(tokenOfAll, 1)
    expect(await heard.next()).toEqual({ event: 'changed', data: { kind: 'order', ids: [last] } })
    heard.leave()
  })

  it('is told what changed meanwhile, by the rule of each record as it is now', { tags: 'long' }, async () => {
    const mine = await test.userWith('ASSIGNED_ORDERS')
    const every = await test.userWith('ORDERS_MANAGEMENT')
    const clerk = await test.userWith('INVOICES_PROCESSING')
    const own = await make({ managerIds: [mine.id] })
    const foreign = await make()
    const former = await make({ managerIds: [mine.id] })
    await change(former, { managerIds: [] })
    const deleted = await make({ managerIds: [mine.id] })
    await test.admin.delete(`orders/${deleted.id}`)
    const told = async (token: string) => {
      const heard = await back(token)
      const event = await heard.next()
      heard.leave()
      return { ...event, data: { ...event?.data, ids: event?.data.ids?.toSorted((a, b) => a - b) } }
    }
    expect(await told(mine.tokens.token)).toEqual({
      event: 'changed',
      data: { kind: 'order', ids: [own.id, former.id, deleted.id] },
    })
    expect(await told(every.tokens.token)).toEqual({
      event: 'changed',
      data: { kind: 'order', ids: [own.id, foreign.id, former.id, deleted.id] },
    })
    await allHeard()
    // Who does not ask is told nothing, nor is who has no right to orders.
    for (const heard of [await hearing(every.tokens.token), await back(clerk.tokens.token)]) {
      await expectSilence(heard)
      heard.leave()
    }
  })

  it('is told of a mail that left meanwhile, and then what changes from now on', { tags: 'long' }, async () => {
    const clerk = await test.userWith('INVOICES_PROCESSING')
    const order = await make({ ...shipment(world), customerPriceCents: 50_000 })
    const { body: invoice } = await clerk.caller.post('invoices', { entityType: 'customer', orderIds: [order.id] })
    await clerk.caller.post(
      `invoices/${invoice.id}/send`,
      { to: ['billing@kaltenbach.example'] },
      { version: invoice.version },
    )
    await test.database.pool.query('delete from told_change')
    const sent = () => test.database.pool.query(`update email set status = 'sent' where "ownerId" = $1`, [invoice.id])
    await sent()
    const written = { event: 'changed', data: { kind: 'invoice', ids: [invoice.id] } }
    const heard = await back(clerk.tokens.token)
    expect(await heard.next()).toEqual(written)
    await sent()
    expect(await heard.next()).toEqual(written)
    heard.leave()
  })

  it('is told nothing of what changed before', { tags: 'long' }, async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    await make()
    await allHeard()
    await test.database.pool.query(`update told_change set at = at - interval '70 seconds'`)
    const heard = await back(tokens.token)
    await expectSilence(heard)
    const order = await make()
    expect(await idsUntil(heard, order.id)).toEqual([order.id])
    heard.leave()
  })

  it('reads anew after too long, or after too much', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const late = await back(tokens.token, MOST_SECONDS_AGO + 1)
    expect(await late.next()).toEqual({ event: 'missed', data: {} })
    late.leave()
    const { id } = await make()
    await test.database.pool.query(
      `insert into told_change (told) select json_build_object('kind', 'order', 'ids', json_build_array($1::bigint))
        from generate_series(1, 501)`,
      [id],
    )
    const heard = await back(tokens.token)
    expect(await heard.next()).toEqual({ event: 'missed', data: {} })
    heard.leave()
  })

  it('is what is kept, and for no longer than anybody may ask', async () => {
    await make()
    await test.database.pool.query(`insert into told_change (told) values ('{}')`)
    // When it is saved it bears that time.
    await test.database.pool.query(`update told_change set at = now() - interval '1 hour' where told = '{}'`)
    await sweepChanges.handle(jobContext(test), {})
    const { rows } = await test.database.pool.query(
      'select min(at) > now() - interval $$1 minute$$ as ok from told_change',
    )
    expect(rows).toEqual([{ ok: true }])
  })
})

describe('a stream', () => {
  it('says that it lives, and ends with its session', async () => {
    const { tokens, caller } = await test.userWith('ORDERS_MANAGEMENT')
    const heard = await hearing(tokens.token)
    expect(await heard.beats()).toBe(true)
    expect((await caller.post('token/logout', { refreshToken: tokens.refreshToken })).status).toBe(204)
    await make()
    expect(await heard.next()).toBeNull()
  })

  it('ends on every node at once when its session is ended, or its person gets another role', async () => {
    const ports = await testPorts(test.databaseUrl)
    // As it is where people work: without a word from the other node it would go on for longer than this test may.
    ports.eventBeatMs = 60_000
    const { app } = await buildServer({
      database: test.database,
      ports,
      clock: test.clock,
      health: { isDraining: false, parts: {} },
      logger: null,
    })
    const other = await app.listen({ port: 0, host: '127.0.0.1' })
    const [out, moved, stays] = await Promise.all([1, 2, 3].map(() => test.userWith('ORDERS_MANAGEMENT')))
    const listen = ({ tokens }: NonNullable<typeof out>) => hearing(tokens.token, undefined, undefined, other)
    const streams = await Promise.all([out!, moved!, stays!].map(listen))
    expect((await test.anonymous.post('token/logout', { refreshToken: out!.tokens.refreshToken })).status).toBe(204)
    expect(await streams[0]!.next()).toBeNull()

    const made = await test.admin.post('user-roles', { title: 'Nothing', permissions: [] })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { body: user } = await test.admin.get(`users/${moved!.id}`)
    const changed = await test.admin.patch(`users/${moved!.id}`, { roleId: made.body.id }, { version: user.version })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect(await streams[1]!.next()).toBeNull()
    const next = await app.inject({ url: '/api/orders', headers: { authorization: `Bearer ${moved!.tokens.token}` } })
    expect(next.statusCode).toBe(401)

    // The third one hears what is told, and nothing of the sessions of others.
    const { id } = await make()
    expect(await idsUntil(streams[2]!, id)).toEqual([id])
    streams[2]!.leave()
    await app.close()
    await ports.close()
  })

  it('ends when its person is deactivated', async () => {
    const { tokens, id } = await test.userWith('ORDERS_MANAGEMENT')
    const heard = await hearing(tokens.token)
    await test.database.pool.query(`update "user" set state = 'inactive' where id = $1`, [id])
    expect(await heard.next()).toBeNull()
  })

  it('is one of a dozen at most for a person; one that is left makes room', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const streams: Heard[] = []
    for (let count = 0; count < MOST_STREAMS; count += 1) streams.push(await hearing(tokens.token))
    const refused = await fetch(`${address}/api/events`, { headers: { authorization: `Bearer ${tokens.token}` } })
    expect([
      refused.status,
      refused.headers.get('retry-after'),
      ((await refused.json()) as { code: string }).code,
    ]).toEqual([429, '60', 'rate_limited'])
    expect((await test.userWith('ORDERS_MANAGEMENT').then((other) => hear(other.tokens.token))).status).toBe(200)
    streams.pop()!.leave()
    await expect.poll(async () => (await hear(tokens.token)).status).toBe(200)
    for (const stream of streams) stream.leave()
  })

  it('ends when the server goes, which does not wait for it', async () => {
    const { tokens } = await test.userWith('ORDERS_MANAGEMENT')
    const heard = await hearing(tokens.token)
    await test.app.close()
    expect(await heard.next()).toBeNull()
  })
})
