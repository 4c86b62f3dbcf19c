import { generate } from 'otplib'
import { beforeAll, describe, expect, it } from 'vitest'
import { LOGGED_AT_A_TIME, type LoggedEntry } from '@waybill/contract/audit/log'
import { ADMIN, useTestApp, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder } from '../../../test/order-examples.ts'

const test = useTestApp()
const DAY_MS = 86_400_000
let customerId: number
let order: { id: number; number: string }
let seller: { caller: Caller; id: number; email: string }

beforeAll(async () => {
  const world = await orderWorld(test)
  customerId = await world.customer('Hansa Bau GmbH', 'DE')
  order = (await test.admin.post('orders', plainOrder(world, customerId))).body
  seller = await test.userWith('CUSTOMER_MANAGEMENT')
})

const log = async (query = ''): Promise<{ items: LoggedEntry[]; next: number | null }> => {
  const { status, body } = await test.admin.get(`audit${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const newest = async (query = ''): Promise<LoggedEntry | undefined> => (await log(query)).items[0]

describe('who reads the log', () => {
  it('is an administrator in person, not who has every right, and no key', async () => {
    const { caller } = await test.userWith('FULL_ACCESS')
    const adminId = await test.idOf('user', 'email', ADMIN.email)
    const { body: key } = await test.admin.post('api-keys', {
      title: 'Warehouse',
      ownerId: adminId,
      permissions: ['ORDERS_MANAGEMENT'],
      days: 30,
    })
    expect((await test.anonymous.get('audit')).status).toBe(401)
    expect((await caller.get('audit')).status).toBe(403)
    expect((await test.withToken(key.token).get('audit')).status).toBe(403)
  })

  it('asks for what there is', async () => {
    const codes = async (query: string) =>
      (await test.admin.get(`audit?${query}`)).body.errors.map((one: { path: string; code: string }) => one.path)
    expect(await codes('kind=planet')).toEqual(['kind'])
    expect(await codes('topic=weather')).toEqual(['topic'])
    expect(await codes('until=2026-02-30')).toEqual(['until'])
    expect(await codes('timeZone=Mars/Base')).toEqual(['timeZone'])
    expect(await codes('actorId=x')).toEqual(['actorId'])
    expect(await codes('after=x')).toEqual(['after'])
    expect((await log('?after=999999')).items).toEqual([])
  })
})

describe('getting in', () => {
  it('is told with who it was, and a refusal with whose account it was, or that it is nobody’s', async () => {
    const { email, id } = await test.userWith('CUSTOMER_MANAGEMENT')
    expect(await newest('?topic=signIns')).toMatchObject({
      action: 'signedIn',
      actor: { id },
      owner: { kind: 'user', id, title: expect.stringMatching(/^Person/) },
    })
    await test.signIn(email, 'not the password')
    expect(await newest('?topic=signIns')).toMatchObject({
      action: 'signInRefused',
      actor: null,
      owner: { kind: 'user', id },
      changes: [],
      reason: null,
    })
    await test.signIn('nobody@waybill.example', 'not the password')
    expect(await newest('?topic=signIns')).toMatchObject({
      action: 'signInRefused',
      actor: null,
      owner: { kind: 'user', id: 0, title: null },
    })
    // Neither the address nor the password that was tried is kept.
    expect(JSON.stringify(await log())).not.toMatch(/nobody@|not the password/)
  })

  it('tells of a code that is refused and of the sign-in that it ends in, not of the password alone', async () => {
    const { caller, email, id } = await test.userWith()
    const { secret } = (await caller.post('profile/two-factor')).body
    const code = () => generate({ secret, epoch: Math.floor(test.clock.now().getTime() / 1000) })
    await caller.post('profile/two-factor/confirm', { code: await code() })
    const before = (await log(`?topic=signIns`)).items[0]!.id
    const { challenge } = (await test.signIn(email, ADMIN.password)).body as unknown as { challenge: string }
    expect((await newest('?topic=signIns'))!.id).toBe(before)
    test.clock.advance(30_000)
    const right = await code()
    const wrong = right.replace(/\d/g, (digit) => String((Number(digit) + 5) % 10))
    await test.anonymous.post('token/two-factor', { challenge, code: wrong })
    expect(await newest('?topic=signIns')).toMatchObject({ action: 'codeRefused', owner: { kind: 'user', id } })
    expect((await test.anonymous.post('token/two-factor', { challenge, code: right })).status).toBe(200)
    expect(await newest('?topic=signIns')).toMatchObject({ action: 'signedIn', actor: { id } })
  })

  it('stands in the log alone: the history of a person tells of the person', async () => {
    const { email, id } = await test.userWith('CUSTOMER_MANAGEMENT')
    await test.signIn(email, 'not the password')
    const { items } = (await test.admin.get(`audit-entries?userId=${id}`)).body
    expect(items.map(({ action }: LoggedEntry) => action)).not.toContain('signedIn')
    expect(items.map(({ action }: LoggedEntry) => action)).not.toContain('signInRefused')
  })
})

describe('what is taken out', () => {
  it('is told with the list, by whom and with which key', async () => {
    expect((await seller.caller.get('customers/export?format=csv')).status).toBe(200)
    expect(await newest('?topic=exports')).toMatchObject({
      action: 'exported',
      actor: { id: seller.id },
      apiKey: null,
      changes: [{ path: 'list', from: null, to: 'customers' }],
    })
    expect((await seller.caller.get('orders/export?format=csv')).status).toBe(403)
    expect((await seller.caller.get('customers/export?format=pdf')).status).toBe(422)
    const { body: key } = await test.admin.post('api-keys', {
      title: 'Shop',
      ownerId: seller.id,
      permissions: ['CUSTOMER_MANAGEMENT'],
      days: 30,
    })
    await test.withToken(key.token).get('customers/export?format=xlsx')
    expect(await newest('?topic=exports')).toMatchObject({ actor: { id: seller.id }, apiKey: { title: 'Shop' } })
    expect((await log('?topic=exports')).items).toHaveLength(2)
  })
})

describe('the log', () => {
  it('names each record as it is called now', async () => {
    expect(await newest('?kind=order')).toMatchObject({
      owner: { kind: 'order', id: order.id, title: order.number },
      action: 'created',
      actor: { title: expect.any(String) },
    })
    const { body } = await seller.caller.get(`customers/${customerId}`)
    await seller.caller.patch(`customers/${customerId}`, { title: 'Hansa Hochbau GmbH' }, { version: body.version })
    const [changed, created] = (await log('?kind=customer')).items
    expect(changed).toMatchObject({ action: 'updated', owner: { title: 'Hansa Hochbau GmbH' } })
    expect(created).toMatchObject({ action: 'created', owner: { title: 'Hansa Hochbau GmbH' } })
    const bare = await seller.caller.post('customers', {
      title: 'Gone Ltd',
      countryId: await test.idOf('country', 'code', 'DE'),
    })
    await test.database.pool.query('delete from customer where id = $1', [bare.body.id]).catch(() => undefined)
    expect((await newest('?kind=customer'))!.owner.id).toBe(bare.body.id)
  })

  it('is narrowed to what one person did, to one kind of record, and to days that have ended', async () => {
    const bySeller = (await log(`?actorId=${seller.id}`)).items
    expect(bySeller.length).toBeGreaterThan(2)
    expect(new Set(bySeller.map(({ actor }) => actor!.id))).toEqual(new Set([seller.id]))
    expect((await log(`?actorId=${seller.id}&kind=order`)).items).toEqual([])
    const dayOf = (offset: number) => new Date(test.clock.now().getTime() + offset * DAY_MS).toISOString().slice(0, 10)
    expect((await log(`?until=${dayOf(-2)}`)).items).toEqual([])
    expect((await log(`?until=${dayOf(1)}&actorId=${seller.id}`)).items).toHaveLength(bySeller.length)
  })

  it('goes on where it stopped, entries of one moment too, with none missing and none twice', async () => {
    const { rows } = await test.database.pool.query<{ id: number }>(
      `insert into audit_entry (at, "actorId", "ownerKind", "ownerId", action, changes)
        select now() - make_interval(mins => n / 40), $1, 'country', 1, 'updated', '[]'
          from generate_series(1, 130) n returning id`,
      [seller.id],
    )
    const found: number[] = []
    let after: number | null = null
    let pages = 0
    do {
      const page = await log(`?actorId=${seller.id}&kind=country${after === null ? '' : `&after=${after}`}`)
      expect(page.items.length).toBeLessThanOrEqual(LOGGED_AT_A_TIME)
      found.push(...page.items.map(({ id }) => id))
      after = page.next
      pages += 1
    } while (after !== null)
    expect(pages).toBe(3)
    expect(found.toSorted((one, other) => one - other)).toEqual(rows.map(({ id }) => Number(id)))
  })
})
