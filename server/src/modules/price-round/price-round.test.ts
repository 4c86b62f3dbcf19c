import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '@waybill/contract/kit/local-time'
import type { PriceRound } from '@waybill/contract/order/choice/price-round'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import type { Board } from '@waybill/contract/order/planning/board'
import type { PricePage } from '@waybill/contract/public/price-page'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { giveCarrierPapers } from '../../../test/carrier-papers.ts'
import { caseWorker, orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'

const app = useTestApp()
let world: OrderWorld
let customerId: number
let clerk: Caller

const CUSTOMER = 'Geheimrat Möbelwerke GmbH'
const PRICE = 154_321
const HOUR = 3_600_000
const today = new Date().toISOString().slice(0, 10)

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer(CUSTOMER, 'DE')
  clerk = (await app.userWith('ORDERS_MANAGEMENT')).caller
})

let made = 0
async function carrier(more: object = {}, papers: object | null = {}): Promise<{ id: number; title: string }> {
  made += 1
  const title = `Friulana ${made} S.r.l.`
  const { status, body } = await app.admin.post('carrier-companies', {
    title,
    countryId: world.countries.IT,
    contactPersons: [
      { fullName: `Elisa Furlan ${made}`, email: `dispo${made}@friulana.example`, phone: '+39 0432 1234' },
    ],
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  if (papers !== null) await giveCarrierPapers(app.admin, body.id, papers)
  return { id: body.id, title }
}

const stop = <More extends object>(kind: 'loading' | 'unloading', day: number, more: More) => ({
  kind,
  termin: { kind: 'fix' as const, dateFrom: addDays(today, day), timeFrom: '08:00' },
  companyTitle: `Lager von ${CUSTOMER}`,
  address: 'Geheime Straße 7',
  contactPerson: 'Herr Geheim',
  reference: 'GEHEIM-1',
  comment: `für ${CUSTOMER}`,
  ...more,
})

async function newOrder(more: Partial<OrderInput> = {}): Promise<Order> {
  const { status, body } = await clerk.post(
    'orders',
    plainOrder(world, customerId, {
      customerPriceCents: PRICE,
      customerOrderNumber: 'GEHEIM-2',
      description: `Möbel von ${CUSTOMER}`,
      cargo: [
        { key: 'c', title: `Möbel ${CUSTOMER}`, quantity: 31, weightKg: 9300, ldm: 12.4, isLdmCalculated: false },
      ],
      locations: [
        stop('loading', 7, {
          countryId: world.countries.IT,
          postal: '33100',
          city: 'Udine',
          cargoActions: [{ cargoKey: 'c', action: 'PICK_UP' as const }],
        }),
        stop('unloading', 9, {
          countryId: world.countries.DE,
          postal: '50226',
          city: 'Frechen',
          cargoActions: [{ cargoKey: 'c', action: 'DROP_OFF' as const }],
        }),
      ],
      routes: [{ distanceKm: 1048 }],
      ...more,
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const routeId = (order: Order) => order.routes[0]!.id
/** What is done so many hours later; sessions of people would end meanwhile. */
async function later<Result>(hours: number, work: () => Promise<Result>): Promise<Result> {
  app.clock.advance(hours * HOUR)
  try {
    return await work()
  } finally {
    app.clock.advance(-hours * HOUR)
  }
}
const inHours = (hours: number) => new Date(app.clock.now().getTime() + hours * HOUR).toISOString()
const ask = (order: Order, carrierCompanyIds: number[], more: object = {}, caller = clerk): Promise<Answer> =>
  caller.post(`routes/${routeId(order)}/price-round`, { carrierCompanyIds, deadline: inHours(4), ...more })
async function asked(order: Order, ids: number[], more: object = {}): Promise<PriceRound> {
  const { status, body } = await ask(order, ids, more)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const roundOf = async (order: Order): Promise<PriceRound> =>
  (await clerk.get(`routes/${routeId(order)}/price-round`)).body.round
const read = async ({ id }: Order): Promise<Order> => (await clerk.get(`orders/${id}`)).body

interface Mail {
  id: number
  to: string[]
  subject: string
  html: string
  messageId: string
  sealedButton: Buffer | null
}
const mailsOf = async ({ id }: Order): Promise<Mail[]> =>
  (
    await app.database.pool.query<Mail>(
      `select * from email where "ownerKind" = 'order' and "ownerId" = $1 and type = 'other_emails' order by id`,
      [id],
    )
  ).rows
/** The tokens of the links that the mails of an order carry, in the order in which they were asked. */
async function tokensOf(order: Order): Promise<string[]> {
  return (await mailsOf(order)).flatMap(({ sealedButton, messageId }) => {
    const opened = sealedButton && app.ports.vault.open(sealedButton, `button of ${messageId}`)
    return opened ? [(JSON.parse(opened) as { url: string }).url.split('/').at(-1)!] : []
  })
}

let calls = 0
/** Each call from a line of its own, unless one is named. */
const from = (ip?: string) => ({ ip: ip ?? `2001:db8:8:${((calls += 1)).toString(16)}::1` })
const page = (token: string, language = 'en') =>
  app.anonymous.get<PricePage>(`price/${token}`, { ...from(), headers: { 'accept-language': language } })
const answer = (token: string, body: object) => app.anonymous.post(`price/${token}`, body, from())
const decline = (token: string, body: object = {}) => app.anonymous.post(`price/${token}/decline`, body, from())
const take = (order: Order, round: PriceRound, answerId: number, more: object = {}, version = order.version) =>
  clerk.post(`routes/${routeId(order)}/price-round/${round.id}/take`, { answerId, ...more }, { version })
const faultsOf = ({ status, body }: Answer): string[] => [
  `${status} ${body.code}`,
  ...(body.errors ?? []).map((error: { path: string; code: string }) => `${error.path} ${error.code}`),
]
const CLOSED = ['409 conflict']

describe('asking for prices', () => {
  it('is refused to who may not see the order, and for what cannot be asked', async () => {
    const order = await newOrder()
    const { id } = await carrier()
    const mute = await carrier({ contactPersons: [] })
    const buyer = await app.userWith('CARRIER_MANAGEMENT')
    const stranger = await app.userWith('ASSIGNED_ORDERS')
    for (const [caller, status] of [
      [app.anonymous, 401],
      [buyer.caller, 403],
      [stranger.caller, 404],
    ] as const) {
      expect((await ask(order, [id], {}, caller)).status).toBe(status)
      expect((await caller.get(`routes/${routeId(order)}/price-round`)).status).toBe(status)
    }
    expect(faultsOf(await ask(order, [id, 999_999, mute.id]))).toEqual([
      '422 validation',
      'carrierCompanyIds.1 unknown_reference',
      'carrierCompanyIds.2 recipient_missing',
    ])
    for (const deadline of [inHours(-1), inHours(24 * 31)])
      expect(faultsOf(await ask(order, [id], { deadline }))).toEqual(['422 validation', 'deadline invalid_value'])
    expect((await ask(order, [])).status).toBe(422)
    expect(await mailsOf(order)).toEqual([])
    expect(await roundOf(order)).toBeNull()
  })

  it('writes to each carrier with a link of its own, and once at a time', async () => {
    const order = await newOrder()
    const [one, two] = [await carrier(), await carrier({ language: 'pl' })]
    const round = await asked(order, [one.id, two.id, one.id], {
      limitCents: 132_440,
      remark: 'Curtain-sider, 16 straps',
    })
    expect(round).toMatchObject({
      limitCents: 132_440,
      closedAt: null,
      answers: [
        { carrierCompany: one, state: 'asked', priceCents: null },
        { carrierCompany: two, state: 'asked', priceCents: null },
      ],
    })
    const mails = await mailsOf(order)
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Price request Udine – Frechen',
      'Zapytanie o cenę Udine – Frechen',
    ])
    expect(mails[0]!.html).toContain('33100 Udine')
    expect(mails[0]!.html).toContain('16 straps')
    const tokens = await tokensOf(order)
    expect(new Set(tokens).size).toBe(2)
    // Neither the outbox nor the table of answers holds a token.
    for (const table of ['email', 'price_answer', 'price_round', 'audit_entry', 'idempotency_key']) {
      const { rows } = await app.database.pool.query(`select t::text as row from ${table} t`)
      for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token)
    }
    expect(faultsOf(await ask(order, [one.id]))).toEqual(['409 conflict'])
    const resent = await clerk.post(`emails/${mails[0]!.id}/resend`, {})
    expect(resent.status).toBe(409)
    const { body: history } = await clerk.get(`audit-entries?orderId=${order.id}`)
    expect(JSON.stringify(history)).toContain('pricesAsked')
  })
})

describe('the planning board', () => {
  it('says what carriers have answered, until the round is closed', async () => {
    const order = await newOrder()
    const pricesOnBoard = async () => {
      const { body }: { body: Board } = await clerk.get(`planning?from=${addDays(today, 7)}&days=7`)
      return body.bars.find(({ orderId }) => orderId === order.id)!.prices
    }
    expect(await pricesOnBoard()).toBeNull()
    const carriers = [await carrier(), await carrier(), await carrier()]
    const round = await asked(
      order,
      carriers.map(({ id }) => id),
      { limitCents: 132_400 },
    )
    const open = { asked: 3, priced: 0, declined: 0, bestCents: null, limitCents: 132_400 }
    expect(await pricesOnBoard()).toEqual(open)
    const [one, other, third] = await tokensOf(order)
    await answer(one!, { priceCents: 131_000 })
    await answer(other!, { priceCents: 118_000 })
    await decline(third!)
    expect(await pricesOnBoard()).toEqual({ ...open, priced: 2, declined: 1, bestCents: 118_000 })
    const closed = await clerk.post(`routes/${routeId(order)}/price-round/${round.id}/close`, {})
    expect(closed.status, JSON.stringify(closed.body)).toBe(200)
    expect(await pricesOnBoard()).toBeNull()
  })
})

describe('the page of a price request', () => {
  it('answers one and the same to every link that opens nothing', async () => {
    const order = await newOrder()
    await asked(order, [(await carrier()).id])
    const [token] = await tokensOf(order)
    const gone = await newOrder()
    await asked(gone, [(await carrier()).id])
    const [lost] = await tokensOf(gone)
    await clerk.patch(`orders/${gone.id}`, { routes: [] }, { version: gone.version })
    const wrong = ['x', `${token}x`, token!.slice(0, -1), 'a'.repeat(43), lost!]
    for (const one of wrong) {
      const found = await page(one)
      expect({ ...found.body, requestId: '', detail: '' }).toMatchObject({ status: 404, code: 'not_found' })
      expect(faultsOf(await answer(one, { priceCents: 1 }))).toEqual(['404 not_found'])
      expect(faultsOf(await decline(one))).toEqual(['404 not_found'])
    }
    expect((await later(4 + 24 * 30, () => page(token!))).status).toBe(404)
  })

  it('names and rings its case worker until that person leaves', async () => {
    const worker = await caseWorker(app)
    const order = await newOrder({ caseWorkerId: worker.id })
    await asked(order, [(await carrier()).id])
    const [token] = await tokensOf(order)
    const contact = async () => (await page(token!)).body.contact
    expect(await contact()).toEqual(worker.contact)
    await worker.leave()
    const { name, phone } = await contact()
    expect(name).toBeNull()
    expect(phone).not.toBe(worker.contact.phone)
  })

  it('slows down who guesses, and who asks too often', async () => {
    const order = await newOrder()
    await asked(order, [(await carrier()).id])
    const [token] = await tokensOf(order)
    const line = from('2001:db8:77::1')
    for (let guess = 0; guess < 30; guess += 1) await app.anonymous.get(`price/guess-${guess}`, line)
    expect((await app.anonymous.get('price/guess', line)).status).toBe(429)
    expect((await app.anonymous.get(`price/${token}`, line)).status).toBe(429)
    for (let look = 0; look < 30; look += 1) expect((await page(token!)).status).toBe(200)
    expect((await page(token!)).status).toBe(429)
  })

  it('shows towns, dates, goods and vehicle, changes nothing, and sets no cookie', async () => {
    const order = await newOrder({ vehicleTypeId: world.vehicleTypeId })
    const { id, title } = await carrier()
    await asked(order, [id], { remark: 'Two drivers', limitCents: 111_111 })
    const [token] = await tokensOf(order)
    const before = await app.database.pool.query('select * from price_answer')
    const found = await page(token!)
    expect(found.headers['set-cookie']).toBeUndefined()
    expect(found.body).toMatchObject({
      state: 'open',
      carrier: title,
      stops: [
        { kind: 'loading', countryCode: 'IT', postal: '33100', city: 'Udine' },
        { kind: 'unloading', countryCode: 'DE', postal: '50226', city: 'Frechen' },
      ],
      cargo: { ldm: 12.4, weightKg: 9300, units: [{ quantity: 31 }] },
      vehicle: expect.any(String),
      distanceKm: 1048,
      remark: 'Two drivers',
      answer: null,
    })
    expect((await app.database.pool.query('select * from price_answer')).rows).toEqual(before.rows)
  })

  it('carries nothing of the customer, its price, the limit and other answers, whatever is asked', async () => {
    const order = await newOrder()
    const [one, two] = [await carrier(), await carrier()]
    const round = await asked(order, [one.id, two.id], { limitCents: 132_457 })
    const [first, second] = await tokensOf(order)
    await answer(first!, { priceCents: 117_531, remark: 'only for your eyes' })
    const secrets = [
      'Geheim',
      'GEHEIM',
      '154321',
      '1543.21',
      '1.543,21',
      '1 543,21',
      '132457',
      '117531',
      'only for your eyes',
      one.title,
    ]
    const looks = async () => [
      await page(second!),
      await page(second!, 'de'),
      await page(second!, 'pl'),
      await answer(second!, { priceCents: 0 }),
      await answer(second!, { priceCents: 120_000, secret: true }),
      await decline(second!, { remark: 'No truck' }),
      await answer(second!, { priceCents: 119_000 }),
      await page(second!),
    ]
    const mails = (await mailsOf(order)).map(({ html, subject }) => ({ raw: Buffer.from(html + subject), headers: {} }))
    const open = await looks()
    await take(order, round, round.answers[0]!.id, { tellOthers: true })
    const told = (await mailsOf(order)).map(({ html, subject }) => ({ raw: Buffer.from(html + subject), headers: {} }))
    for (const { raw, headers } of [...mails, ...open, ...(await looks()), ...told]) {
      const bytes = raw.toString('utf8') + JSON.stringify(headers)
      for (const secret of secrets) expect(bytes).not.toContain(secret)
    }
  })
})

describe('an answer', () => {
  it('must be a price, or not this time', async () => {
    const order = await newOrder()
    await asked(order, [(await carrier()).id])
    const [token] = await tokensOf(order)
    for (const body of [
      {},
      { priceCents: 0 },
      { priceCents: -5 },
      { priceCents: 12.5 },
      { priceCents: 1, holdsUntil: 'soon' },
    ])
      expect((await answer(token!, body)).status, JSON.stringify(body)).toBe(422)
    expect((await roundOf(order)).answers).toMatchObject([{ state: 'asked' }])
  })

  it('changes until the deadline: price, another one, not this time, and a price again', async () => {
    const order = await newOrder()
    await asked(order, [(await carrier()).id])
    const [token] = await tokensOf(order)
    const holdsUntil = addDays(today, 3)
    expect(
      (await answer(token!, { priceCents: 120_500, remark: ' from Brescia ', holdsUntil })).body.answer,
    ).toMatchObject({
      priceCents: 120_500,
      remark: 'from Brescia',
      holdsUntil,
    })
    await answer(token!, { priceCents: 119_000 })
    expect((await roundOf(order)).answers).toMatchObject([{ state: 'priced', priceCents: 119_000, remark: null }])
    expect((await decline(token!, { remark: 'No truck' })).body.answer).toMatchObject({
      priceCents: null,
      remark: 'No truck',
    })
    expect((await roundOf(order)).answers).toMatchObject([{ state: 'declined', priceCents: null }])
    expect((await answer(token!, { priceCents: 118_000 })).status).toBe(200)
    const { body: history } = await clerk.get(`audit-entries?orderId=${order.id}`)
    for (const action of ['priceGiven', 'priceDeclined']) expect(JSON.stringify(history)).toContain(action)
  })

  it('is refused after the deadline, by the page and by the database', async () => {
    const order = await newOrder()
    const round = await asked(order, [(await carrier()).id])
    const [token] = await tokensOf(order)
    await answer(token!, { priceCents: 120_000 })
    await later(4, async () => {
      expect((await page(token!)).body).toMatchObject({ state: 'over', answer: { priceCents: 120_000 } })
      expect(faultsOf(await answer(token!, { priceCents: 100_000 }))).toEqual(CLOSED)
      expect(faultsOf(await decline(token!))).toEqual(CLOSED)
    })
    await expect(
      app.database.pool.query(`update price_answer set "priceCents" = 1, "answeredAt" = $2 where "roundId" = $1`, [
        round.id,
        inHours(5),
      ]),
    ).rejects.toThrow('stays as it is')
  })

  it('of two carriers at the same moment is two answers, and twice the same one', async () => {
    const order = await newOrder()
    await asked(order, [(await carrier()).id, (await carrier()).id])
    const [first, second] = await tokensOf(order)
    const sent = await Promise.all([
      answer(first!, { priceCents: 118_000 }),
      answer(second!, { priceCents: 121_000 }),
      answer(first!, { priceCents: 118_000 }),
    ])
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await roundOf(order)).answers.map(({ priceCents }) => priceCents)).toEqual([118_000, 121_000])
  })
})

describe('taking a price', () => {
  it('is refused to strangers, for another version, without a price, and of another round', async () => {
    const order = await newOrder()
    const round = await asked(order, [(await carrier()).id])
    const [answered] = round.answers
    const stranger = await app.userWith('ASSIGNED_ORDERS')
    const way = `routes/${routeId(order)}/price-round/${round.id}`
    const body = { answerId: answered!.id }
    expect((await stranger.caller.post(`${way}/take`, body, { version: order.version })).status).toBe(404)
    expect((await stranger.caller.post(`${way}/close`)).status).toBe(404)
    expect((await clerk.post(`${way}/take`, body)).status).toBe(428)
    expect((await take(order, round, answered!.id, {}, order.version + 1)).body.code).toBe('stale_version')
    expect(faultsOf(await take(order, round, answered!.id))).toEqual(['422 validation', 'answerId invalid_value'])
    expect(faultsOf(await take(order, round, 999_999))).toEqual(['422 validation', 'answerId unknown_reference'])
    const other = await newOrder()
    expect((await take(other, round, answered!.id)).status).toBe(404)
  })

  it('is refused of a price that holds no longer, and the board does not call that the best one', async () => {
    const order = await newOrder()
    const round = await asked(order, [(await carrier()).id, (await carrier()).id])
    const [first, second] = await tokensOf(order)
    await answer(first!, { priceCents: 99_000, holdsUntil: addDays(today, -1) })
    await answer(second!, { priceCents: 118_000, holdsUntil: today })
    const { body: board } = await clerk.get<Board>(`planning?from=${addDays(today, 7)}&days=7`)
    expect(board.bars.find(({ orderId }) => orderId === order.id)!.prices).toMatchObject({
      priced: 2,
      bestCents: 118_000,
    })
    const [over, holding] = round.answers.map(({ id }) => id)
    expect(faultsOf(await take(order, round, over!))).toEqual(['422 validation', 'answerId price_over'])
    expect((await roundOf(order)).closedAt).toBeNull()
    expect((await take(order, round, holding!)).status).toBe(200)
  })

  it('ends that the order is for sale, once each of its routes has somebody', async () => {
    const order = await newOrder({ disposition: 'FOR_SALE' })
    const round = await asked(order, [(await carrier()).id])
    await answer((await tokensOf(order))[0]!, { priceCents: 118_000 })
    await take(order, round, round.answers[0]!.id)
    expect((await read(order)).disposition).toBeNull()
  })

  it('puts carrier, price and disponent on the route, closes the others’ pages, and tells them if wanted', async () => {
    const order = await newOrder()
    const [one, two, three] = [await carrier(), await carrier(), await carrier()]
    const round = await asked(order, [one.id, two.id, three.id])
    const [first, second, third] = await tokensOf(order)
    await answer(first!, { priceCents: 118_000 })
    await answer(second!, { priceCents: 121_000 })
    await decline(third!)
    const taken = await take(order, round, round.answers[0]!.id, { tellOthers: true })
    expect(taken.status, JSON.stringify(taken.body)).toBe(200)
    expect(taken.body).toMatchObject({ closeReason: 'taken', takenAnswerId: round.answers[0]!.id })
    const after = await read(order)
    expect(after.version).toBe(order.version + 1)
    expect(after.carrierCostCents).toBe(118_000)
    expect(after.routes[0]!.assignment).toMatchObject({
      carrierCompanyId: one.id,
      costCents: 118_000,
      disponentName: expect.stringContaining('Elisa Furlan'),
      disponentEmail: round.answers[0]!.email,
    })
    expect(after.locations.map(({ comment }) => comment)).toEqual(order.locations.map(({ comment }) => comment))
    expect((await page(first!)).body.state).toBe('yours')
    expect((await page(second!)).body.state).toBe('given')
    expect(faultsOf(await answer(second!, { priceCents: 99_000 }))).toEqual(CLOSED)
    const told = (await mailsOf(order)).slice(3)
    expect(told.map(({ to, subject }) => [to, subject])).toEqual([
      [[round.answers[1]!.email], 'Udine – Frechen: the transport is given away'],
    ])
    expect(faultsOf(await take(after, round, round.answers[1]!.id))).toEqual(['409 conflict'])
    const { body: history } = await clerk.get(`audit-entries?orderId=${order.id}`)
    expect(JSON.stringify(history)).toContain('priceTaken')
  })

  it('obeys the gate: who is not cleared gets no scheduled route, and the round stays open', async () => {
    const expired = await carrier({}, { until: addDays(today, 1) })
    const good = await carrier()
    const order = await newOrder({ routes: [{ assignment: { carrierCompanyId: good.id, costCents: 1000 } }] })
    const moved = await clerk.post(`orders/${order.id}/status`, { to: 'scheduled' }, { version: order.version })
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    const round = await asked(order, [expired.id])
    const [token] = await tokensOf(order)
    await answer(token!, { priceCents: 90_000 })
    expect(faultsOf(await take(moved.body, round, round.answers[0]!.id))).toEqual([
      '422 validation',
      'routes.0.assignment.carrierCompanyId carrier_not_cleared',
    ])
    expect(await roundOf(order)).toMatchObject({ closedAt: null })
    expect((await read(order)).routes[0]!.assignment).toMatchObject({ carrierCompanyId: good.id, costCents: 1000 })
  })

  it('by two people at once succeeds for one', async () => {
    const order = await newOrder()
    const round = await asked(order, [(await carrier()).id, (await carrier()).id])
    const [first, second] = await tokensOf(order)
    await answer(first!, { priceCents: 118_000 })
    await answer(second!, { priceCents: 121_000 })
    const both = await Promise.all(round.answers.map(({ id }) => take(order, round, id)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('is over once somebody is put on the route by hand, or the route has gone; and when it is closed', async () => {
    const order = await newOrder()
    const [{ id }, other] = [await carrier(), await carrier()]
    await asked(order, [id])
    const [token] = await tokensOf(order)
    const saved = await clerk.patch(
      `orders/${order.id}`,
      { routes: [{ id: routeId(order), assignment: { carrierCompanyId: other.id } }] },
      { version: order.version },
    )
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    expect((await page(token!)).body.state).toBe('given')
    expect(await roundOf(order)).toMatchObject({ closeReason: 'assigned' })

    const closed = await newOrder()
    const round = await asked(closed, [id])
    const way = `routes/${routeId(closed)}/price-round/${round.id}/close`
    expect((await clerk.post(way)).body).toMatchObject({ closeReason: 'closed' })
    expect((await clerk.post(way)).status).toBe(409)
    expect((await page((await tokensOf(closed))[0]!)).body.state).toBe('over')
    await asked(closed, [id])

    const canceled = await newOrder()
    await asked(canceled, [id])
    await clerk.post(
      `orders/${canceled.id}/status`,
      { to: 'canceled', reason: 'withdrawn' },
      { version: canceled.version },
    )
    expect(await roundOf(canceled)).toMatchObject({ closeReason: 'gone' })
    expect((await ask(canceled, [id])).status).toBe(409)
  })
})
