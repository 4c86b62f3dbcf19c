import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import type { WebhookDelivery } from '@waybill/contract/webhook/delivery'
import { MOST_WEBHOOKS, WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '@waybill/contract/webhook/webhook'
import { ADMIN, useTestApp, type Caller } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { HOST, isSignedBy, KEYS, openReceiver, type Receiver } from '../../../test/webhooks/receiver.ts'
import { FILES, upload } from '../../../test/upload.ts'
import { heldOutbox, releaseOutbox } from '../../backup/restored-outbox.ts'
import { openDatabase } from '../../kit/database/db.ts'
import { createWebhookLine } from './index.ts'
import { deliverWebhooks, sweepWebhooks, wakeWebhooks } from './webhook.job.ts'

const test = useTestApp()
const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
let world: OrderWorld
let customerId: number
let receiver: Receiver
let names = 0

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Kartonwerk Süd GmbH', 'DE')
  receiver = await openReceiver()
  await test.ports.webhooks.close()
  test.ports.webhooks = createWebhookLine({
    allowNets: ['127.0.0.1/32'],
    ca: KEYS.certificate,
    resolve: async (host) => (host === HOST ? ['127.0.0.1'] : []),
  })
})
afterAll(async () => {
  await test.ports.webhooks.close()
  await receiver.close()
})
beforeEach(async () => {
  receiver.got.length = 0
  receiver.answer = (reply) => void reply.writeHead(204).end()
  for (const { id, version } of (await test.admin.get<{ items: Webhook[] }>('webhooks')).body.items)
    await test.admin.delete(`webhooks/${id}`, { version })
  await test.asOwner('delete from webhook_delivery')
})

type Made = Webhook & { secret: string }

async function make(events: readonly WebhookEvent[] = WEBHOOK_EVENTS, url = receiver.url): Promise<Made> {
  names += 1
  const { status, body } = await test.admin.post<Made>('webhooks', { title: `Warehouse ${names}`, url, events })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const read = async (id: number): Promise<Webhook> =>
  (await test.admin.get<{ items: Webhook[] }>('webhooks')).body.items.find((one) => one.id === id)!
const log = async (query = ''): Promise<WebhookDelivery[]> =>
  (await test.admin.get<{ items: WebhookDelivery[] }>(`webhook-deliveries${query}`)).body.items
const act = async (id: number, action: string) => {
  const { status, body } = await test.admin.post(`webhooks/${id}/${action}`, {}, { version: (await read(id)).version })
  return [status, body]
}
const again = ({ id, version }: WebhookDelivery) =>
  test.admin.post(`webhook-deliveries/${id}/send-again`, {}, { version })

/** Time passes, and the administrator signs in anew. */
async function pass(milliseconds: number): Promise<void> {
  test.clock.advance(milliseconds)
  test.admin = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
}

/** Sends what is due now. */
async function deliver(): Promise<void> {
  await wakeWebhooks.handle(jobContext(test), {})
  await test.ports.webhooks.idle()
}
const types = () => receiver.got.map(({ body }) => body.type)

async function newOrder(more: Partial<OrderInput> = {}): Promise<Order> {
  const { status, body } = await test.admin.post<Order>('orders', plainOrder(world, customerId, more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function change({ id }: Order, description: string): Promise<Order> {
  const { body: order } = await test.admin.get<Order>(`orders/${id}`)
  const { status, body } = await test.admin.patch(`orders/${id}`, { description }, { version: order.version })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

describe('who manages webhooks', () => {
  it('is an administrator in person, not who has every right', async () => {
    const { id, version } = await make()
    const { caller } = await test.userWith('FULL_ACCESS')
    const body = { title: 'Shop', url: receiver.url, events: ['order.created'] }
    const calls = (who: Caller) => [
      who.get('webhooks'),
      who.post('webhooks', body),
      who.put(`webhooks/${id}`, body, { version }),
      ...['rotate-secret', 'pause', 'resume', 'test'].map((action) =>
        who.post(`webhooks/${id}/${action}`, {}, { version }),
      ),
      who.delete(`webhooks/${id}`, { version }),
      who.get('webhook-deliveries'),
      who.post('webhook-deliveries/1/send-again', {}, { version }),
    ]
    for (const [who, status] of [
      [test.anonymous, 401],
      [caller, 403],
    ] as const)
      for (const answer of await Promise.all(calls(who))) expect(answer.status).toBe(status)
    expect(await read(id)).toMatchObject({ version, state: 'active' })
  })

  it('is refused addresses that lead inside, other protocols and ports, a name in use, and no events', async () => {
    const { title } = await make()
    const good = { title: 'Shop', url: receiver.url, events: ['order.created'] }
    const refusal = async (change: object) => {
      const { status, body } = await test.admin.post('webhooks', { ...good, ...change })
      return [status, ...(body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)]
    }
    for (const url of ['https://10.0.0.5/', 'https://169.254.169.254/latest', 'https://[::1]/', 'https://127.0.0.2/'])
      expect(await refusal({ url }), url).toEqual([422, 'url webhook_inside'])
    for (const url of ['http://hooks.example/', 'https://a:b@hooks.example/', 'hooks.example', 'file:///etc/passwd'])
      expect(await refusal({ url }), url).toEqual([422, 'url webhook_address'])
    expect(await refusal({ url: 'https://hooks.example:25/' })).toEqual([422, 'url webhook_port'])
    expect(await refusal({ events: [] })).toEqual([422, 'events required'])
    expect((await refusal({ events: ['order.eaten'] }))[0]).toBe(422)
    expect((await refusal({ secret: 'mine' }))[0]).toBe(422)
    expect(await refusal({ title: title.toUpperCase() })).toEqual([422, 'title taken'])
    const { id, version } = await make()
    const put = await test.admin.put(`webhooks/${id}`, { ...good, url: 'https://10.0.0.5/' }, { version })
    expect(put.body.errors).toMatchObject([{ path: 'url', code: 'webhook_inside' }])
  })

  it('can have twenty, and not one more', async () => {
    for (let made = 0; made < MOST_WEBHOOKS; made += 1) await make()
    const { body } = await test.admin.post('webhooks', { title: 'More', url: receiver.url, events: ['order.created'] })
    expect(body.errors).toMatchObject([{ path: 'title', code: 'too_many' }])
  })

  it('is told of an old version, of what is gone, and of a step that leads nowhere', async () => {
    const { id, version } = await make()
    expect((await test.admin.post(`webhooks/${id}/pause`)).status).toBe(428)
    expect((await test.admin.post(`webhooks/${id}/resume`, {}, { version })).status).toBe(409)
    expect((await act(id, 'pause'))[0]).toBe(200)
    expect((await test.admin.post(`webhooks/${id}/rotate-secret`, {}, { version })).body.code).toBe('stale_version')
    expect((await act(id, 'pause'))[0]).toBe(409)
    expect((await test.admin.post(`webhooks/${id}/test`)).status).toBe(409)
    expect((await act(id, 'resume'))[0]).toBe(200)
    expect((await test.admin.delete(`webhooks/${id}`, { version: (await read(id)).version })).status).toBe(204)
    expect((await test.admin.post(`webhooks/${id}/test`)).status).toBe(404)
    expect((await test.admin.post('webhook-deliveries/999999/send-again', {}, { version: 1 })).status).toBe(404)
  })

  it('sees the secret once, and the database holds it sealed', async () => {
    const made = await make()
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    expect(made.secret.endsWith(made.hint)).toBe(true)
    const { raw } = await test.admin.get('webhooks')
    expect(raw.toString()).not.toContain(made.secret)
    const [, rotated] = await act(made.id, 'rotate-secret')
    expect(rotated.secret).not.toBe(made.secret)
    const { rows } = await test.database.pool.query(
      `select (select string_agg(w::text || coalesce(encode("sealedSecret", 'escape'), ''), '') from webhook w)
        || coalesce((select string_agg(k::text, '') from idempotency_key k), '')
        || coalesce((select string_agg(a::text, '') from audit_entry a), '') as kept`,
    )
    for (const secret of [made.secret, rotated.secret]) expect(rows[0].kept).not.toContain(secret.slice(6, -4))
  })

  it('leaves every step in the audit log', async () => {
    const { id, title } = await make()
    await act(id, 'rotate-secret')
    await act(id, 'pause')
    await act(id, 'resume')
    const body = { title, url: 'https://hooks.example/', events: ['order.created'] }
    await test.admin.put(`webhooks/${id}`, body, { version: (await read(id)).version })
    await test.admin.delete(`webhooks/${id}`, { version: (await read(id)).version })
    const { body: entries } = await test.admin.get('audit?kind=webhook')
    const own = entries.items.filter(({ owner }: { owner: { id: number } }) => owner.id === id)
    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'deleted',
      'updated',
      'webhookResumed',
      'webhookPaused',
      'webhookSecretChanged',
      'webhookMade',
    ])
    expect(own[0]).toMatchObject({ owner: { kind: 'webhook', title } })
  })

  it('keeps a deleted one as it is, and what was sent, whoever writes', async () => {
    const { id, version } = await make()
    await newOrder()
    await test.admin.delete(`webhooks/${id}`, { version })
    const query = (statement: string) => test.database.pool.query(statement)
    await expect(query(`update webhook set title = 'Other' where id = ${id}`)).rejects.toThrow('stays as it is')
    await expect(query(`delete from webhook where id = ${id}`)).rejects.toThrow('permission denied')
    await expect(query(`update webhook_delivery set data = '{}'`)).rejects.toThrow('stays as it is')
    expect(await log()).toMatchObject([{ type: 'order.created', state: 'givenUp', fault: 'deleted' }])
    expect((await again((await log())[0]!)).status).toBe(409)
  })
})

describe('what is told', () => {
  it('is ids, numbers and the status, signed, and no word about people or prices', async () => {
    const { id, secret } = await make()
    const order = await newOrder({ description: 'Kontakt: Herr Kröger', customerPriceCents: 123_400 })
    await deliver()
    expect(types()).toEqual(['order.created'])
    const [message] = receiver.got
    expect(message!.body).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      type: 'order.created',
      occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      version: 1,
      data: {
        id: order.id,
        number: order.number,
        version: order.version,
        status: 'new',
        url: `https://waybill.example/office/api/orders/${order.id}`,
      },
    })
    expect(isSignedBy(secret, message!)).toBe(true)
    expect(isSignedBy(`${secret}x`, message!)).toBe(false)
    expect(message!.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' })
    expect(await log()).toMatchObject([
      {
        webhook: { id },
        eventId: message!.body.id,
        state: 'delivered',
        tries: 1,
        status: 204,
        fault: null,
        nextTryAt: null,
        record: { kind: 'order', id: order.id, title: order.number },
      },
    ])
  })

  it('is nothing that was not asked for, and nothing that was rolled back', async () => {
    await make(['order.deleted'])
    const order = await newOrder()
    await change(order, 'Other words')
    expect((await test.admin.post('orders', plainOrder(world, 999_999))).status).toBe(422)
    expect(await log()).toEqual([])
    await test.admin.delete(`orders/${order.id}`)
    await deliver()
    expect(receiver.got).toMatchObject([{ body: { type: 'order.deleted', data: { id: order.id } } }])
  })

  it('is what becomes of an order, its routes and its files, in that order', async () => {
    await make()
    const order = await newOrder(shipment(world))
    const { body: routed } = await test.admin.patch<Order>(
      `orders/${order.id}`,
      { routes: [{ ...carried(world), locationIds: order.locations.map(({ id }) => id) }] },
      { version: order.version },
    )
    expect(routed.routes).toHaveLength(1)
    const move = { to: 'scheduled', version: routed.version }
    expect((await test.admin.post(`orders/${order.id}/status`, move)).status).toBe(200)
    const file = await upload(test.admin, {
      fields: { documentType: 'OTHER_DOCUMENTS', orderId: order.id },
      file: { name: 'Beleg Kröger.pdf', bytes: FILES.pdf() },
    })
    await test.admin.delete(`documents/${file.body.id}`)
    await deliver()
    expect(types()).toEqual([
      'order.created',
      'order.updated',
      'route.assigned',
      'order.statusChanged',
      'route.changed',
      'document.added',
      'document.removed',
    ])
    const data = receiver.got.map(({ body }) => body.data)
    expect(data[2]).toMatchObject({
      number: `${order.number}/1`,
      carrierCompanyId: world.carrier.id,
      order: { id: order.id, number: order.number },
    })
    expect(data[3]).toMatchObject({ status: 'scheduled', from: 'new' })
    expect(data[5]).toMatchObject({ documentType: 'OTHER_DOCUMENTS', owner: { kind: 'order', id: order.id } })
    const texts = receiver.got.map(({ text }) => text).join('\n')
    for (const word of ['Kartonwerk', 'Kröger', 'Łukasz', 'Wielkopolska', 'Hamburg', 'Cents'])
      expect(texts, word).not.toContain(word)
  })

  it('is a merge and its end, told of the result', async () => {
    const stops = shipment(world)
    const [one, two] = [await newOrder(stops), await newOrder(stops)]
    await make(['order.merged', 'order.unmerged'])
    const { body: result, status } = await test.admin.post('orders/merge', {
      orderIds: [one.id, two.id],
      carrierCompanyId: world.carrier.id,
    })
    expect(status, JSON.stringify(result)).toBe(201)
    await test.admin.post(`orders/${result.id}/unmerge`, { version: result.version })
    await deliver()
    expect(receiver.got.map(({ body }) => [body.type, body.data.id, body.data.sourceIds])).toEqual([
      ['order.merged', result.id, [one.id, two.id]],
      ['order.unmerged', result.id, [one.id, two.id]],
    ])
  })

  it('says that a test is one', async () => {
    const { id, title } = await make(['order.deleted'])
    await test.admin.post(`webhooks/${id}/test`)
    await deliver()
    expect(receiver.got).toMatchObject([{ body: { type: 'webhook.test', data: { id, title } } }])
  })
})

describe('a message', () => {
  it('is tried again with growing pauses for a day, then given up', { tags: 'long' }, async () => {
    await make(['order.created'])
    receiver.answer = (reply) => void reply.writeHead(503).end('secret words of the receiver')
    await newOrder()
    const pauses: number[] = []
    for (let tries = 1; tries < 30; tries += 1) {
      await deliver()
      const [entry] = await log()
      expect(entry).toMatchObject({ tries, status: 503, fault: 'status' })
      if (entry!.nextTryAt === null) break
      const pause = Date.parse(entry!.nextTryAt) - Date.parse(entry!.lastTryAt!)
      pauses.push(Math.round(pause / SECOND_MS))
      // Not a moment before its time.
      await pass(pause - 2 * SECOND_MS)
      await deliver()
      expect((await log())[0]!.tries).toBe(tries)
      await pass(3 * SECOND_MS)
      if (tries > 2) continue
      const { rows } = await test.database.pool.query(
        `select max(start_after) > now() as ok from job.job where name = 'deliver_webhooks' and state = 'created'`,
      )
      expect(rows).toEqual([{ ok: true }])
    }
    expect(pauses).toEqual([10, 60, 300, 1800, 3600, ...Array<number>(11).fill(7200)])
    expect((await log('?state=givenUp'))[0]).toMatchObject({ tries: 17, state: 'givenUp' })
    expect(receiver.got).toHaveLength(17)
    expect(new Set(receiver.got.map(({ text }) => text)).size).toBe(1)
    const { rows } = await test.database.pool.query('select webhook_delivery::text as kept from webhook_delivery')
    expect(rows[0].kept).not.toContain('secret words')
  })

  it('never overtakes an earlier one about the same record, while other records go on', async () => {
    await make(['order.created', 'order.updated'])
    const [stuck, free] = [await newOrder(), await newOrder()]
    await change(stuck, 'Second word')
    await change(free, 'Second word')
    receiver.answer = (reply, { body }) => void reply.writeHead(body.data.id === stuck.id ? 500 : 204).end()
    await deliver()
    const of = (order: Order) =>
      receiver.got.filter(({ body }) => body.data.id === order.id).map(({ body }) => body.type)
    expect(of(stuck)).toEqual(['order.created'])
    expect(of(free)).toEqual(['order.created', 'order.updated'])
    expect((await log()).filter(({ isBehind }) => isBehind)).toMatchObject([
      { type: 'order.updated', record: { id: stuck.id }, tries: 0 },
    ])
    receiver.answer = (reply) => void reply.writeHead(204).end()
    await pass(11 * SECOND_MS)
    await deliver()
    expect(of(stuck)).toEqual(['order.created', 'order.created', 'order.updated'])
  })

  it('is sent in order also where two nodes send, and once', async () => {
    const { id } = await make(['order.created', 'order.updated'])
    const order = await newOrder()
    for (let n = 0; n < 5; n += 1) await change(order, `Word ${n}`)
    const other = createWebhookLine({
      allowNets: ['127.0.0.1/32'],
      ca: KEYS.certificate,
      resolve: async () => ['127.0.0.1'],
    })
    const ctx = jobContext(test)
    let release = (): void => undefined
    const isReleased = new Promise<void>((released) => (release = released))
    receiver.answer = (reply) => void isReleased.then(() => reply.writeHead(204).end())
    await wakeWebhooks.handle(ctx, {})
    await expect.poll(() => receiver.got.length).toBe(1)
    // While the first one has the message in hand the other finds nothing to do.
    await deliverWebhooks.handle({ ...ctx, ports: { ...ctx.ports, webhooks: other } }, { webhookIds: [id] })
    await other.idle()
    release()
    await test.ports.webhooks.idle()
    await other.close()
    await deliver()
    const versions = receiver.got.map(({ body }) => body.data.version)
    expect(versions).toHaveLength(6)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  })

  it('is sent again by another node where the first was lost with it in hand', async () => {
    await make(['order.created'])
    await newOrder()
    await test.database.pool.query(`update webhook_delivery set "takenUntil" = $1`, [
      new Date(test.clock.now().getTime() + 30 * SECOND_MS).toISOString(),
    ])
    await deliver()
    expect(receiver.got).toEqual([])
    await pass(31 * SECOND_MS)
    await deliver()
    expect(types()).toEqual(['order.created'])
  })

  it('is sent again by hand, under the same id', async () => {
    const { id } = await make(['order.created'])
    await newOrder()
    await deliver()
    const [first] = await log()
    const { body, status } = await again(first!)
    expect([status, body.state, body.tries]).toEqual([200, 'waiting', 0])
    expect((await again(first!)).body.code).toBe('stale_version')
    await deliver()
    expect(receiver.got).toHaveLength(2)
    expect(receiver.got[0]!.text).toBe(receiver.got[1]!.text)
    await act(id, 'pause')
    expect((await again((await log())[0]!)).status).toBe(409)
  })

  it('is signed with both secrets for a day after the change', async () => {
    const { id, secret } = await make(['order.created'])
    const [, { secret: second, formerUntil }] = await act(id, 'rotate-secret')
    expect(Date.parse(formerUntil) - test.clock.now().getTime()).toBeGreaterThan(23 * HOUR_MS)
    await newOrder()
    await deliver()
    expect([secret, second].map((one) => isSignedBy(one, receiver.got[0]!))).toEqual([true, true])
    await pass(DAY_MS)
    await newOrder()
    await deliver()
    expect([secret, second].map((one) => isSignedBy(one, receiver.got[1]!))).toEqual([false, true])
    expect(await read(id)).toMatchObject({ formerUntil: null })
  })

  it('waits while its webhook is paused, and leaves when that goes on', async () => {
    const { id } = await make(['order.created'])
    await act(id, 'pause')
    await newOrder()
    await deliver()
    expect(receiver.got).toEqual([])
    expect(await read(id)).toMatchObject({ state: 'paused', waiting: 1 })
    await act(id, 'resume')
    await deliver()
    expect(types()).toEqual(['order.created'])
    expect(await read(id)).toMatchObject({ state: 'active', waiting: 0, lastDeliveredAt: expect.any(String) })
  })

  it('that a restored backup brought along waits for a word, and what comes after it for the record, too', async () => {
    await make(['order.created', 'order.updated'])
    const order = await newOrder()
    await test.asOwner(`insert into restore_hold (kind, "lastId", "backupAt", "restoredAt")
      select 'webhook_delivery', max(id), now(), now() from webhook_delivery`)
    await change(order, 'After the restore')
    const other = await newOrder()
    await deliver()
    expect(receiver.got.map(({ body }) => body.data.id)).toEqual([other.id])
    expect(await heldOutbox(test.database.pool)).toEqual({ webhook_delivery: 1 })
    const owner = openDatabase(test.ownerUrl, { max: 1 })
    await releaseOutbox(owner.pool, { isDropped: true })
    await owner.close()
    await deliver()
    expect(types()).toEqual(['order.created', 'order.updated'])
    expect((await log('?state=givenUp'))[0]).toMatchObject({ type: 'order.created', fault: 'dropped' })
  })

  it('is forgotten after 30 days', async () => {
    await make(['order.created'])
    await newOrder()
    await deliver()
    await sweepWebhooks.handle(jobContext(test), {})
    expect(await log()).toHaveLength(1)
    await pass(31 * DAY_MS)
    await sweepWebhooks.handle(jobContext(test), {})
    expect(await log()).toEqual([])
  })
})

describe('a webhook to which nothing arrives', () => {
  it('is paused after three days, and administrators see since when', async () => {
    const { id } = await make(['order.created'])
    const [german, gone] = [await test.userWith(), await test.userWith()]
    const { pool } = test.database
    await pool.query(`update "user" set "isAdmin" = true, "defaultLanguage" = 'de' where id = $1`, [german.id])
    await pool.query(`update "user" set "isAdmin" = true, state = 'inactive' where id = $1`, [gone.id])
    receiver.answer = (reply) => void reply.writeHead(500).end()
    await newOrder()
    await deliver()
    await pass(3 * DAY_MS - 60 * SECOND_MS)
    await deliver()
    expect(await read(id)).toMatchObject({ state: 'active', failingSince: expect.any(String) })
    await pass(120 * SECOND_MS)
    await deliver()
    expect(await read(id)).toMatchObject({ state: 'failing', waiting: 1 })
    const tried = receiver.got.length
    await pass(DAY_MS / 2)
    await deliver()
    expect(receiver.got).toHaveLength(tried)
    const { body } = await test.admin.get('audit?kind=webhook')
    expect(body.items[0]).toMatchObject({ action: 'webhookFailing', actor: null, owner: { id } })
    const mails = await pool.query(`select "to", subject, html from email where type = 'webhook_paused' order by "to"`)
    expect(mails.rows.map(({ to, subject }) => [to, subject])).toEqual([
      [[ADMIN.email], `Webhook paused: Warehouse ${names}`],
      [[german.email], `Webhook angehalten: Warehouse ${names}`],
    ])
    expect(mails.rows[0].html).toContain(new URL(receiver.url).host)
    expect(mails.rows[0].html).not.toContain(receiver.url)

    receiver.answer = (reply) => void reply.writeHead(204).end()
    await act(id, 'resume')
    await deliver()
    expect(await read(id)).toMatchObject({ state: 'active', failingSince: null, waiting: 0 })
  })

  it('is paused after twenty messages in a row were given up, and one that arrives begins the count anew', {
    tags: 'long',
  }, async () => {
    const { id } = await make(['order.created'])
    receiver.answer = (reply) => void reply.writeHead(500).end()
    const giveUp = async (count: number) => {
      for (let made = 0; made < count; made += 1) await newOrder()
      await test.database.pool.query(`update webhook_delivery set tries = 16 where state = 'waiting'`)
      await deliver()
    }
    await giveUp(19)
    expect(await read(id)).toMatchObject({ state: 'active' })
    receiver.answer = (reply) => void reply.writeHead(204).end()
    await newOrder()
    await deliver()
    receiver.answer = (reply) => void reply.writeHead(500).end()
    await giveUp(19)
    expect(await read(id)).toMatchObject({ state: 'active' })
    await giveUp(1)
    expect(await read(id)).toMatchObject({ state: 'failing' })
  })
})

describe('a receiver that never answers', () => {
  it('keeps no message from another one, and no call of the API waiting', {
    tags: 'long',
    timeout: 30_000,
  }, async () => {
    const dead = await openReceiver()
    dead.answer = null
    const slow = await make(['order.created'], dead.url)
    await make(['order.created'])
    await test.ports.jobs.work(jobContext(test))
    const orders: Order[] = []
    const began = performance.now()
    for (let made = 0; made < 30; made += 1) orders.push(await newOrder())
    await expect.poll(() => receiver.got.length, { timeout: 4500, interval: 50 }).toBe(30)
    expect(performance.now() - began).toBeLessThan(5000)
    // Two were begun at the dead one, the others wait their turn.
    expect(dead.got.length).toBe(2)
    expect(await read(slow.id)).toMatchObject({ waiting: 30 })
    await test.admin.delete(`webhooks/${slow.id}`, { version: (await read(slow.id)).version })
    await test.ports.jobs.stop({ graceMs: 1000 })
    await test.ports.webhooks.idle()
    await dead.close()
  })
})
