import { beforeAll, describe, expect, it } from 'vitest'
import type { Accounts, HolderKind, Movement, Movements } from '@waybill/contract/load-carrier/account'
import type { NotAgreed, WithoutNote } from '@waybill/contract/load-carrier/statement'
import type { StatementPage } from '@waybill/contract/public/statement-page'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'

const test = useTestApp({ beginsOn: '2026-12-01T09:00:00Z' })
let world: OrderWorld
let euro: number
let box: number
let sales: Caller
let buyer: Caller
let dispatcher: Caller

beforeAll(async () => {
  // What is queued stays where it is put.
  test.ports.mailer = null
  world = await orderWorld(test)
  sales = (await test.userWith('CUSTOMER_MANAGEMENT')).caller
  buyer = (await test.userWith('CARRIER_MANAGEMENT')).caller
  dispatcher = (await test.userWith('ORDERS_MANAGEMENT')).caller
  const types = (await test.admin.get('load-carrier-types?sort=priceCents')).body.items as { id: number }[]
  euro = types[0]!.id
  box = types[1]!.id
})

const DAY = 86_400_000
let count = 0
const customer = () => world.customer(`Möbelhaus ${(count += 1)} GmbH`, 'DE', { city: 'Bielefeld' })
async function made(path: string, body: object, caller = test.admin): Promise<number> {
  const answer = await caller.post(path, body)
  expect([path, answer.status, JSON.stringify(answer.body)]).toEqual([path, 201, expect.anything()])
  return answer.body.id
}
const carrier = () =>
  made('carrier-companies', { title: `Transwarta ${(count += 1)} Sp. z o.o.`, countryId: world.countries.PL })
const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]
async function moved(kind: HolderKind, id: number, more: object = {}): Promise<Movement> {
  const { status, body } = await test.admin.post('load-carriers/movements', {
    holder: { kind, id },
    movedOn: '2026-11-20',
    typeId: euro,
    given: 10,
    noteNumber: 'WT 0931',
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const accountsOf = async (kind: HolderKind, query = '&show=all', caller = test.admin): Promise<Accounts> =>
  (await caller.get(`load-carriers/accounts?holder=${kind}${query}`)).body
const accountOf = async (kind: HolderKind, id: number) =>
  (await accountsOf(kind)).items.find(({ holder }) => holder.id === id)!
const movementsOf = async (kind: HolderKind, id: number): Promise<Movements> =>
  (await test.admin.get(`load-carriers/movements?holder=${kind}&holderId=${id}`)).body

const statement = (kind: HolderKind, id: number, caller = test.admin) =>
  caller.get(`load-carriers/statement?holder=${kind}&holderId=${id}`)
/** Sends the statement of an account; answers its mail, the token of its link and its own id. */
async function stated(kind: HolderKind, id: number, caller = test.admin) {
  const { body: shown } = await statement(kind, id, caller)
  const sent = await caller.post('load-carriers/statement', {
    holder: { kind, id },
    to: 'konto@holder.example',
    balances: shown.balances,
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(201)
  const { rows } = await test.database.pool.query<{ messageId: string; html: string; sealedButton: Buffer }>(
    'select * from email where id = $1',
    [sent.body.emailId],
  )
  const { messageId, html, sealedButton } = rows[0]!
  const button = JSON.parse(test.ports.vault.open(sealedButton, `button of ${messageId}`)!) as { url: string }
  const token = button.url.split('/').at(-1)!
  return { emailId: sent.body.emailId as number, html, token, id: (await accountOf(kind, id)).stated!.id, shown }
}

let calls = 0
/** Each call from a line of its own, unless one is named. */
const from = (ip?: string) => ({ ip: ip ?? `2001:db8:a:${((calls += 1)).toString(16)}::1` })
const page = (token: string, ip?: string) => test.anonymous.get<StatementPage>(`statement/${token}`, from(ip))
const answer = (token: string, body: object): Promise<Answer<StatementPage>> =>
  test.anonymous.post(`statement/${token}/answer`, body, from())
const AGREES = { isAgreed: true, name: 'Anna Żak' }
const OBJECTS = { isAgreed: false, name: 'Anna Żak', remark: 'On 20 Nov we gave 4 back: WT 0977' }
const byHand = (id: number, body: object, caller = test.admin) =>
  caller.post(`load-carriers/statements/${id}/answer`, body)
async function later<Result>(days: number, work: () => Promise<Result>): Promise<Result> {
  test.clock.advance(days * DAY)
  try {
    return await work()
  } finally {
    test.clock.advance(-days * DAY)
  }
}
const notAgreed = async (caller = test.admin): Promise<NotAgreed> =>
  (await caller.get('load-carriers/statements/not-agreed')).body
const withoutNote = async (caller = test.admin): Promise<WithoutNote> =>
  (await caller.get('load-carriers/movements/without-note')).body
const questions = async (caller = test.admin) => (await caller.get('load-carriers/open-questions')).body

describe('the link of a statement', () => {
  it('gives one answer to all that open nothing: unknown, malformed, too old', async () => {
    const id = await customer()
    await moved('customer', id)
    const { token } = await stated('customer', id)
    const without = ({ status, body }: Answer) => ({ status, ...body, requestId: '' })
    const unknown = without(await page('x'.repeat(43)))
    expect(unknown).toMatchObject({ status: 404, code: 'not_found' })
    for (const wrong of ['1', token.slice(0, -1), `${token}a`, 'a'.repeat(501)])
      expect([(await page(wrong)).status, (await answer(wrong, AGREES)).status]).not.toContain(200)
    expect(without(await answer('x'.repeat(43), AGREES))).toEqual(unknown)
    await later(181, async () => {
      expect(without(await page(token))).toEqual(unknown)
      expect(without(await answer(token, AGREES))).toEqual(unknown)
    })
    expect((await page(token)).status).toBe(200)
  })

  it('is slowed where somebody guesses', async () => {
    const ip = '2001:db8:b::1'
    const statuses: number[] = []
    for (let tries = 0; tries < 31; tries += 1) statuses.push((await page(`guess ${tries}`, ip)).status)
    expect([statuses.at(-2), statuses.at(-1)]).toEqual([404, 429])
  })

  it('shows what was sent in the holder’s language, whatever is corrected later, and nothing of others', async () => {
    const id = await carrier()
    const made = await moved('carrier', id, { given: 43, note: 'Rückgabe Hamburg' })
    const { token, html, shown } = await stated('carrier', id)
    // Nobody but the reader of the mail sees the link.
    expect(JSON.stringify([html, shown])).not.toContain(token)
    const put = await test.admin.delete(`load-carriers/movements/${made.id}`, { version: made.version })
    expect(put.status).toBe(204)
    const { status, body } = await page(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'open',
      language: 'pl',
      sentOn: '2026-12-01',
      answerBy: '2026-12-15',
      types: [
        {
          title: 'Europaleta',
          broughtForward: 0,
          pieces: 43,
          movements: [{ movedOn: '2026-11-20', where: 'Rückgabe Hamburg', given: 43, received: 0, balance: 43 }],
        },
      ],
      answer: null,
    })
    expect(JSON.stringify(body)).not.toMatch(/cents|"id"|worth/i)
  })

  it('changes nothing by being read, and takes one answer once', async () => {
    const id = await customer()
    await moved('customer', id)
    const { token } = await stated('customer', id)
    await page(token)
    expect((await accountOf('customer', id)).stated).toMatchObject({ state: 'waiting', answeredAt: null })
    expect(faults(await answer(token, { isAgreed: false, name: 'Anna' }))).toEqual([422, 'remark required'])
    expect(faults(await answer(token, { isAgreed: true }))).toEqual([422, 'name required'])
    const agreed = await answer(token, AGREES)
    expect([agreed.status, agreed.body.state, agreed.body.answer]).toEqual([
      200,
      'agreed',
      { at: expect.any(String), name: 'Anna Żak', remark: null },
    ])
    // The same once more, from the other tab, is the same; the contrary is told whom to ask.
    expect((await answer(token, { ...AGREES, name: 'Piotr' })).body.answer!.name).toBe('Anna Żak')
    expect((await answer(token, OBJECTS)).body).toMatchObject({ status: 409, code: 'conflict' })
    expect((await accountOf('customer', id)).stated).toMatchObject({ state: 'agreed' })
    const { body: history } = await test.admin.get(`audit-entries?customerId=${id}`)
    expect(history.items[0]).toMatchObject({ action: 'loadCarriersAgreedByLink' })
  })

  it('takes one of two answers that come at once', async () => {
    const id = await customer()
    await moved('customer', id)
    const { token } = await stated('customer', id)
    const answers = await Promise.all([answer(token, AGREES), answer(token, OBJECTS), answer(token, AGREES)])
    const states = answers.filter(({ status }) => status === 200).map(({ body }) => body.state)
    expect(new Set(states).size).toBe(1)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const { rows } = await test.database.pool.query(
      `select 1 from load_carrier_statement_answer a join load_carrier_statement s on s.id = a."statementId"
        where s."customerId" = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
  })

  it('says of an older one that a newer one went out, and takes no answer to it', async () => {
    const id = await customer()
    await moved('customer', id)
    const older = await stated('customer', id)
    await moved('customer', id, { given: 3 })
    const newer = await stated('customer', id)
    expect((await page(older.token)).body.state).toBe('replaced')
    expect((await answer(older.token, AGREES)).status).toBe(409)
    expect((await byHand(older.id, AGREES)).status).toBe(409)
    expect((await answer(newer.token, AGREES)).status).toBe(200)
  })

  it('tells who sent it what the holder objects to; of consent the account alone tells', async () => {
    const id = await customer()
    const seller = await test.userWith('CUSTOMER_MANAGEMENT')
    await moved('customer', id)
    const { token } = await stated('customer', id, seller.caller)
    const mails = async () =>
      (
        await test.database.pool.query<{ to: string[]; subject: string; html: string }>(
          `select * from email where "ownerKind" = 'customer' and "ownerId" = $1 order by id`,
          [id],
        )
      ).rows
    expect((await answer(token, OBJECTS)).status).toBe(200)
    expect(await mails()).toMatchObject([
      { to: ['konto@holder.example'] },
      { to: [seller.email], subject: expect.stringContaining('objects to the pallet statement') },
    ])
    expect((await mails())[1]!.html).toContain(OBJECTS.remark)
    await moved('customer', id, { given: 1 })
    const again = await stated('customer', id, seller.caller)
    await answer(again.token, AGREES)
    expect(await mails()).toHaveLength(3)
    // What was said is never changed.
    await expect(
      test.database.pool.query(`update load_carrier_statement_answer set "isAgreed" = true`),
    ).rejects.toThrow(/permission denied/)
  })

  it('may not be sent to others: its mail is for one reader', async () => {
    const id = await customer()
    await moved('customer', id)
    const { emailId } = await stated('customer', id)
    const again = await test.admin.post(`emails/${emailId}/resend`, { to: ['other@holder.example'] })
    expect(again.status).toBe(409)
  })
})

describe('an answer by telephone', () => {
  it('is noted by who keeps the account, with a name, and a reason where the holder objects', async () => {
    const id = await carrier()
    await moved('carrier', id)
    const { id: statementId, token } = await stated('carrier', id)
    for (const caller of [sales, dispatcher]) expect((await byHand(statementId, AGREES, caller)).status).toBe(403)
    expect((await byHand(999_999, AGREES, buyer)).status).toBe(404)
    expect(faults(await byHand(statementId, { isAgreed: false, name: 'Anna' }, buyer))).toEqual([
      422,
      'remark required',
    ])
    expect((await byHand(statementId, OBJECTS, buyer)).body).toEqual({ state: 'objected' })
    expect((await movementsOf('carrier', id)).stated).toMatchObject({
      state: 'objected',
      answeredBy: OBJECTS.name,
      remark: OBJECTS.remark,
    })
    // What was objected to can be agreed upon; what is agreed stays.
    expect((await byHand(statementId, { ...AGREES, remark: 'by telephone' }, buyer)).body).toEqual({ state: 'agreed' })
    expect((await byHand(statementId, OBJECTS, buyer)).status).toBe(409)
    const { body } = await page(token)
    expect(body).toMatchObject({ state: 'agreed', answer: { name: null, remark: null } })
    const { body: history } = await buyer.get(`audit-entries?carrierCompanyId=${id}`)
    expect(history.items.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
      'loadCarriersAgreed',
      'loadCarriersObjected',
    ])
  })
})

describe('what is not agreed', () => {
  it('is an objection, or no answer in two weeks, of the accounts that the caller keeps', async () => {
    const [ours, theirs, silent] = [await customer(), await carrier(), await customer()]
    for (const [kind, id] of [
      ['customer', ours],
      ['carrier', theirs],
      ['customer', silent],
    ] as const)
      await moved(kind, id)
    const first = await stated('customer', ours)
    const second = await stated('carrier', theirs)
    await stated('customer', silent)
    await answer(first.token, OBJECTS)
    await answer(second.token, OBJECTS)
    expect((await dispatcher.get('load-carriers/statements/not-agreed')).status).toBe(403)
    expect((await dispatcher.get('load-carriers/open-questions')).status).toBe(403)
    const of = ({ items }: NotAgreed) =>
      items.filter(({ holder }) => [ours, theirs, silent].includes(holder.id)).map(({ holder }) => holder.id)
    expect(of(await notAgreed(sales))).toEqual([ours])
    expect(of(await notAgreed(buyer))).toEqual([theirs])
    const shown = (await notAgreed()).items.find(({ holder }) => holder.id === ours)!
    expect(shown).toMatchObject({
      state: 'objected',
      answer: { name: OBJECTS.name, remark: OBJECTS.remark },
      balances: [{ type: { id: euro }, pieces: 10 }],
      hasMoved: false,
    })
    await moved('customer', ours, { given: 0, received: 4 })
    expect((await notAgreed()).items.find(({ holder }) => holder.id === ours)!.hasMoved).toBe(true)
    await test.asOwner(
      `update load_carrier_statement set "sentAt" = "sentAt" - interval '15 days' where "customerId" = ${silent}`,
    )
    // Objections stand before those who have not answered.
    const all = await notAgreed(sales)
    expect(of(all)).toEqual([ours, silent])
    expect(all.items.find(({ holder }) => holder.id === silent)).toMatchObject({ state: 'waiting', answer: null })
    expect((await accountOf('customer', silent)).stated).toMatchObject({ state: 'waiting', isOverdue: true })
    expect((await questions(sales)).notAgreed).toBe(all.total)
    await byHand(first.id, AGREES)
    expect(of(await notAgreed(sales))).toEqual([silent])
  })
})

describe('movements without a pallet note', () => {
  it('are listed once for all their accounts, until a statement with them is agreed', async () => {
    const id = await customer()
    await moved('customer', id, { noteNumber: null, given: 7, note: 'Leerpaletten' })
    await moved('customer', id)
    const of = ({ items }: WithoutNote) => items.filter(({ holders }) => holders.some((one) => one.id === id))
    expect(of(await withoutNote(buyer))).toEqual([])
    expect(of(await withoutNote(sales))).toMatchObject([
      { given: 7, received: 0, note: 'Leerpaletten', holders: [{ kind: 'customer', id }], stop: null, order: null },
    ])
    const before = (await questions(sales)).withoutNote
    const { token } = await stated('customer', id)
    await answer(token, AGREES)
    expect(of(await withoutNote(sales))).toEqual([])
    expect((await questions(sales)).withoutNote).toBe(before - 1)
    expect((await movementsOf('customer', id)).items.map(({ isAgreed }) => isAgreed)).toEqual([true, true])
    // What comes after it is open again.
    await moved('customer', id, { noteNumber: null, given: 2, movedOn: '2026-12-01' })
    expect((await movementsOf('customer', id)).items[0]).toMatchObject({ given: 2, isAgreed: false })
    expect(of(await withoutNote(sales))).toMatchObject([{ given: 2 }])
  })

  it('name the accounts of the place and of the carrier of a stop, each to who keeps it', async () => {
    const order = await transport()
    await atStop(order)
    const of = ({ items }: WithoutNote) => items.filter(({ stop }) => stop?.orderNumber === order.number)
    expect(of(await withoutNote())).toMatchObject([
      {
        holders: [
          { kind: 'place', title: 'Möbelhaus Kröger' },
          { kind: 'carrier', id: world.carrier.id },
        ],
      },
    ])
    const theirs = of(await withoutNote(sales))
    expect(theirs.map(({ holders, order: link }) => [holders.map(({ kind }) => kind), link])).toEqual([
      [['place'], null],
    ])
    expect(of(await withoutNote())[0]!.order).toMatchObject({ id: order.id })
  })
})

/** An order with a carrier, from a place without a name to a named one. */
async function transport(): Promise<Order> {
  const { cargo, locations } = shipment(world)
  const { status, body } = await test.admin.post(
    'orders',
    plainOrder(world, await customer(), {
      cargo: cargo!,
      customerPriceCents: 100_000,
      locations: [
        locations![0]!,
        { ...locations![1]!, companyTitle: 'Möbelhaus Kröger', postal: `33${(count += 1) + 100}` },
      ],
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function atStop(order: Order, more: object = {}): Promise<void> {
  const { status, body } = await dispatcher.put(
    `orders/${order.id}/stops/${order.locations[1]!.id}/load-carriers`,
    {
      partner: 'place',
      movedOn: '2026-12-01',
      lines: [{ typeId: euro, given: 9, received: 6, damaged: 0 }],
      ...more,
    },
    { version: 0 },
  )
  expect(status, JSON.stringify(body)).toBe(200)
}

describe('the pictures of pallet notes', () => {
  it('go along to the place and to the carrier whose driver took them, and to nobody else', async () => {
    const order = await transport()
    await atStop(order)
    const { body: planned } = await test.admin.get(`orders/${order.id}`)
    const told = await test.admin.post(`orders/${order.id}/status`, { to: 'scheduled' }, { version: planned.version })
    expect(told.status, JSON.stringify(told.body)).toBe(200)
    const link = await test.admin.post(
      `routes/${order.routes[0]!.id}/driver-link`,
      { linkId: null },
      { version: told.body.version },
    )
    const token = link.body.link.url.split('/').at(-1)
    const { body, contentType } = await encodeForm({
      fields: {
        key: 'a'.repeat(32),
        stopId: order.locations[1]!.id,
        kind: 'pallets',
        at: new Date(test.clock.now().getTime() - 60_000).toISOString(),
      },
      file: { name: 'slip.png', bytes: FILES.png() },
    })
    const taken = await test.anonymous.post(`drive/${token}/files`, body, {
      ...from(),
      headers: { 'content-type': contentType },
    })
    expect(taken.status, JSON.stringify(taken.body)).toBe(200)
    const placeId = (await withoutNote()).items
      .find(({ stop }) => stop?.orderNumber === order.number)!
      .holders.find(({ kind }) => kind === 'place')!.id
    const attached = async (emailId: number): Promise<string[]> =>
      (await test.admin.get(`emails/${emailId}`)).body.attachments.map(({ title }: { title: string }) =>
        title.replace(/.*\./, ''),
      )
    const place = await stated('place', placeId)
    expect(place.shown.slips).toEqual({ count: 1, sizeBytes: expect.any(Number) })
    expect(await attached(place.emailId)).toEqual(['pdf', 'png'])
    expect(await attached((await stated('carrier', world.carrier.id)).emailId)).toEqual(['pdf', 'png'])
    const foreign = await customer()
    await moved('customer', foreign)
    expect(await attached((await stated('customer', foreign)).emailId)).toEqual(['pdf'])
    // Another carrier drives there now: the pieces are its own, the picture is not.
    const other = await carrier()
    await test.asOwner(
      `update assignment set "carrierCompanyId" = ${other} where "routeId" = ${order.routes[0]!.id};
       update document set "orderCarrier" = null where "documentType" = 'PALLET_CERTIFICATE'`,
    )
    expect((await stated('carrier', other)).shown.slips.count).toBe(0)
    // What the holder has agreed to needs no proof any more.
    await answer(place.token, AGREES)
    expect((await statement('place', placeId)).body.slips.count).toBe(0)
  })
})

describe('limits', () => {
  const save = (kind: HolderKind, id: number, items: object[], version = 0, caller = test.admin) =>
    caller.put('load-carriers/limits', { holder: { kind, id }, items }, { version })

  it('are agreed by who keeps the account, upon the version that was read', async () => {
    const id = await customer()
    expect((await save('customer', id, [], 0, buyer)).status).toBe(403)
    expect(faults(await save('customer', 999_999, []))).toEqual([422, 'holder.id unknown_reference'])
    expect(faults(await save('customer', id, [{ typeId: 999_999, pieces: 1 }]))).toEqual([
      422,
      'items.0.typeId unknown_reference',
    ])
    const twice = [
      { typeId: euro, pieces: 1 },
      { typeId: euro, pieces: 2 },
    ]
    expect(faults(await save('customer', id, twice))).toEqual([422, 'items duplicate_key'])
    const first = await save('customer', id, [{ typeId: euro, pieces: 20 }], 0, sales)
    expect([first.status, first.body]).toEqual([200, { version: 1, items: [{ typeId: euro, pieces: 20 }] }])
    const stale = await save('customer', id, [], 0, sales)
    expect([stale.status, stale.body.code, stale.body.current]).toEqual([
      409,
      'stale_version',
      { version: 1, items: [{ typeId: euro, pieces: 20 }] },
    ])
    expect((await save('customer', id, [{ typeId: box, pieces: 4 }], 1, sales)).body.version).toBe(2)
    const { body: history } = await test.admin.get(`audit-entries?customerId=${id}`)
    expect(history.items[0].action).toBe('loadCarriersLimited')
    // Of two who agree on the first limit at once, one is told of the other.
    const other = await customer()
    const both = await Promise.all([save('customer', other, []), save('customer', other, [])])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('are shown at the account, and narrow the list to who keeps more', async () => {
    const [over, within] = [await customer(), await customer()]
    await moved('customer', over, { given: 43 })
    await moved('customer', over, { given: 4, typeId: box })
    await moved('customer', within, { given: 5 })
    for (const id of [over, within]) await save('customer', id, [{ typeId: euro, pieces: 20 }])
    expect((await accountOf('customer', over)).balances).toMatchObject([
      { typeId: euro, pieces: 43, limit: 20 },
      { typeId: box, pieces: 4, limit: null },
    ])
    const ids = (await accountsOf('customer', '&show=over')).items.map(({ holder }) => holder.id)
    expect([ids.includes(over), ids.includes(within)]).toEqual([true, false])
    const file = await test.admin.get('load-carriers/accounts/export?holder=customer&show=over&format=csv')
    expect(file.raw.toString('utf8')).toContain(',43,20,43,')
    expect((await movementsOf('customer', over)).limits).toEqual({
      version: 1,
      items: [{ typeId: euro, pieces: 20 }],
    })
    // A customer of whom nothing else is known goes with what was agreed.
    const unused = await customer()
    await save('customer', unused, [{ typeId: euro, pieces: 1 }])
    const { version } = (await test.admin.get(`customers/${unused}`)).body
    expect((await test.admin.delete(`customers/${unused}`, { version })).status).toBe(204)
  })
})

describe('whose statement is due', () => {
  it('can be told from the accounts: never stated, moved since, or not answered in time', async () => {
    const id = await customer()
    await moved('customer', id)
    expect(await accountOf('customer', id)).toMatchObject({ stated: null, hasMoved: true })
    await stated('customer', id)
    expect(await accountOf('customer', id)).toMatchObject({ stated: { isOverdue: false }, hasMoved: false })
    await moved('customer', id, { typeId: box, given: 1 })
    expect((await accountOf('customer', id)).hasMoved).toBe(true)
    await moved('customer', id, { typeId: box, given: 0, received: 1 })
    expect((await accountOf('customer', id)).hasMoved).toBe(false)
  })
})
