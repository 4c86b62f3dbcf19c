import { beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '@waybill/contract/order/order'
import type { QuotePage } from '@waybill/contract/public/quote-page'
import type { Quote, Quotes } from '@waybill/contract/quote/quote'
import type { LaneCosts, RateCard } from '@waybill/contract/quote/rate-card'
import { ADMIN, useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { carried, caseWorker, orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'
import { textOf } from '../../../test/papers/pdf-text.ts'

const test = useTestApp({ beginsOn: '2026-12-01T09:00:00Z' })
const DAY = 86_400_000
let world: OrderWorld
let sales: Caller
let buyer: Caller
let dispatcher: Caller
let assigned: { caller: Caller; id: number }

beforeAll(async () => {
  world = await orderWorld(test)
  sales = (await test.userWith('CUSTOMER_MANAGEMENT')).caller
  buyer = (await test.userWith('CARRIER_MANAGEMENT')).caller
  dispatcher = (await test.userWith('ORDERS_MANAGEMENT')).caller
  assigned = await test.userWith('ASSIGNED_ORDERS')
})

let count = 0
const customer = (more: object = {}) =>
  world.customer(`Papierwerk ${(count += 1)}`, 'DE', {
    contactPersons: [{ fullName: 'Birgit Höller', email: `b.hoeller${count}@hoeller.example` }],
    ...more,
  })
const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

const cardBody = (more: object = {}) => ({
  kind: 'sell',
  title: 'Rhine – Poland',
  validFrom: '2026-01-01',
  validTo: '2026-12-31',
  lines: [{ fromCountryCode: 'DE', fromPostal: '50-53', toCountryCode: 'PL', basis: 'km', rateCents: 124 }],
  fuel: [{ month: '2026-11', bp: 720 }],
  ...more,
})
async function card(more: object = {}): Promise<RateCard> {
  const { status, body } = await test.admin.post('rate-cards', cardBody(more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const quoteBody = (customerId: number, more: object = {}) => ({
  customerId,
  departmentId: world.departmentId,
  from: { countryId: world.countries.DE, postal: '52351', city: 'Düren', date: '2026-12-07' },
  to: { countryId: world.countries.PL, postal: '60-101', city: 'Poznań', date: '2026-12-08' },
  goods: 'Paper reels',
  quantity: 22,
  weightKg: 22_100,
  ldm: 13.6,
  distanceKm: 900,
  costSource: 'typed',
  costCents: 120_000,
  priceCents: 148_000,
  validUntil: '2026-12-15',
  ...more,
})
async function quote(more: object = {}, caller = dispatcher): Promise<Quote> {
  const { status, body } = await caller.post('quotes', quoteBody(await customer(), more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const act = (made: Quote, act: string, body: object = {}, caller = dispatcher): Promise<Answer> =>
  caller.post(`quotes/${made.id}/${act}`, body, { version: made.version })
async function done(made: Quote, name: string, body: object = {}): Promise<Quote> {
  const { status, body: after } = await act(made, name, body)
  expect(status, JSON.stringify(after)).toBe(200)
  return after
}
const read = async ({ id }: { id: number }): Promise<Quote> => (await dispatcher.get(`quotes/${id}`)).body
const list = async (query: string, caller = dispatcher): Promise<Quotes> => (await caller.get(`quotes?${query}`)).body

interface Mail {
  id: number
  to: string[]
  subject: string
  html: string
  messageId: string
  sealedButton: Buffer | null
}
const mailsOf = async ({ id }: Quote): Promise<Mail[]> =>
  (
    await test.database.pool.query<Mail>(
      `select * from email where "ownerKind" = 'quote' and "ownerId" = $1 order by id`,
      [id],
    )
  ).rows
async function tokenOf(made: Quote): Promise<string> {
  const mail = (await mailsOf(made)).findLast(({ sealedButton }) => sealedButton !== null)!
  const opened = test.ports.vault.open(mail.sealedButton!, `button of ${mail.messageId}`)!
  return (JSON.parse(opened) as { url: string }).url.split('/').at(-1)!
}
let calls = 0
/** Each call from a line of its own, unless one is named. */
const from = (ip?: string) => ({ ip: ip ?? `2001:db8:9:${((calls += 1)).toString(16)}::1` })
const page = (token: string, ip?: string) => test.anonymous.get<QuotePage>(`quote/${token}`, from(ip))
const answer = (token: string, what: 'accept' | 'refuse', body: object = {}) =>
  test.anonymous.post(`quote/${token}/${what}`, body, from())
async function sent(more: object = {}): Promise<{ made: Quote; token: string }> {
  const made = await done(await quote(more), 'send', { to: 'b.hoeller@hoeller.example' })
  return { made, token: await tokenOf(made) }
}
async function later<Result>(days: number, work: () => Promise<Result>): Promise<Result> {
  test.clock.advance(days * DAY)
  try {
    return await work()
  } finally {
    test.clock.advance(-days * DAY)
  }
}
const ordersOf = async (customerId: number): Promise<number> =>
  (await dispatcher.get(`orders?customerId[]=${customerId}`)).body.total

describe('rate cards', () => {
  it('are kept by who keeps customers, those of carriers by who keeps carriers', async () => {
    const [selling, buying] = [await card(), await card({ kind: 'buy' })]
    for (const [caller, kind, own, foreign] of [
      [sales, 'sell', selling, buying],
      [buyer, 'buy', buying, selling],
    ] as const) {
      const other = kind === 'sell' ? 'buy' : 'sell'
      expect((await caller.post('rate-cards', cardBody({ kind }))).status).toBe(201)
      expect((await caller.post('rate-cards', cardBody({ kind: other }))).status).toBe(403)
      const put = (one: RateCard, body: object) => caller.put(`rate-cards/${one.id}`, body, { version: one.version })
      expect((await put(foreign, cardBody({ kind: other }))).status).toBe(404)
      // Neither is one turned into a card of the other kind.
      expect((await put(own, cardBody({ kind: other }))).status).toBe(403)
      expect((await caller.delete(`rate-cards/${foreign.id}`, { version: foreign.version })).status).toBe(404)
      const { items } = (await caller.get('rate-cards')).body as { items: RateCard[] }
      expect(new Set(items.map((one) => one.kind))).toEqual(new Set([kind]))
    }
    expect((await dispatcher.get('rate-cards')).status).toBe(403)
  })

  it('refuse what is no card, name each place, and are changed and removed by the version that was read', async () => {
    const refused = async (more: object) => faults(await test.admin.post('rate-cards', cardBody(more)))
    expect(await refused({ kind: 'buy', customerId: 1 })).toEqual([422, 'customerId invalid_value'])
    expect(await refused({ customerId: 999_999 })).toEqual([422, 'customerId unknown_reference'])
    expect(await refused({ validTo: '2025-12-31' })).toEqual([422, 'validTo invalid_value'])
    expect(await refused({ lines: [{ ...cardBody().lines[0], toPostal: '33-30' }] })).toEqual([
      422,
      'lines.0.toPostal invalid_value',
    ])
    const made = await card()
    const change = (version: number) =>
      test.admin.put(`rate-cards/${made.id}`, cardBody({ title: 'Rhine – Poland 2027' }), { version })
    expect((await change(made.version)).body).toMatchObject({ title: 'Rhine – Poland 2027', version: 2 })
    expect((await change(made.version)).status).toBe(409)
    expect((await test.admin.delete(`rate-cards/${made.id}`, { version: 1 })).status).toBe(409)
    expect((await test.admin.delete(`rate-cards/${made.id}`, { version: 2 })).status).toBe(204)
  })
})

describe('what a lane costs', () => {
  const costs = async (query: string, caller = dispatcher): Promise<LaneCosts> =>
    (
      await caller.get(
        `quotes/costs?fromCountryId=${world.countries.FR}&fromPostal=59000&toCountryId=${world.countries.BE}` +
          `&toPostal=9000&day=2026-12-07${query}`,
      )
    ).body
  const lines = [{ fromCountryCode: 'FR', toCountryCode: 'BE', basis: 'flat', rateCents: 60_000 }]

  it('is asked of the customer’s card before the general one, and of the cheapest that buys', async () => {
    const own = await customer()
    expect(await costs('')).toMatchObject({ history: null, buy: null, sell: null, asked: null, answered: [] })
    await card({ title: 'all', lines, fuel: [] })
    await card({ title: 'theirs', lines: [{ ...lines[0], rateCents: 70_000 }], fuel: [], customerId: own })
    await card({ title: 'dear', kind: 'buy', lines, fuel: [] })
    await card({ title: 'cheap', kind: 'buy', lines: [{ ...lines[0], rateCents: 50_000 }], fuel: [] })
    expect(await costs('')).toMatchObject({ buy: { title: 'cheap' }, sell: { title: 'all', totalCents: 60_000 } })
    expect((await costs(`&customerId=${own}`)).sell).toMatchObject({ title: 'theirs', totalCents: 70_000 })
  })

  it('is asked of carriers who can be used, of the prices that still hold before the others', {
    tags: 'long',
  }, async () => {
    const lane = { from: { countryId: world.countries.IT, postal: '33100' }, to: world.countries.AT }
    const { status, body: order } = (await dispatcher.post(
      'orders',
      plainOrder(world, await customer(), {
        customerPriceCents: 100_000,
        locations: [
          { kind: 'loading', termin: { kind: 'fix', dateFrom: '2026-12-07' }, ...lane.from },
          { kind: 'unloading', termin: { kind: 'fix', dateFrom: '2026-12-08' }, countryId: lane.to, postal: '1010' },
        ],
        routes: [{}],
      }),
    )) as Answer<Order>
    expect(status, JSON.stringify(order)).toBe(201)
    const carrier = async (title: string) =>
      (
        await test.admin.post('carrier-companies', {
          title,
          countryId: world.countries.IT,
          contactPersons: [{ fullName: 'Elisa Furlan', email: `${title.toLowerCase()}@friulana.example` }],
        })
      ).body.id as number
    const carriers: Record<string, number> = {}
    for (const title of ['Dumping', 'Quiet', 'Held', 'Open', 'Over']) carriers[title] = await carrier(title)
    const asked = await dispatcher.post(`routes/${order.routes[0]!.id}/price-round`, {
      carrierCompanyIds: Object.values(carriers),
      deadline: '2026-12-01T20:00:00Z',
    })
    expect(asked.status, JSON.stringify(asked.body)).toBe(201)
    const answers: Record<string, object> = {
      Dumping: { priceCents: 50_000 },
      Quiet: { priceCents: 60_000 },
      Held: { priceCents: 90_000, holdsUntil: '2026-12-04' },
      Open: { priceCents: 95_000 },
      Over: { priceCents: 70_000, holdsUntil: '2026-12-03' },
    }
    const { rows: mails } = await test.database.pool.query<Mail>(
      `select * from email where "ownerKind" = 'order' and "ownerId" = $1 and "sealedButton" is not null`,
      [order.id],
    )
    for (const { to, sealedButton, messageId } of mails) {
      const title = Object.keys(answers).find((one) => to[0]!.startsWith(one.toLowerCase()))!
      const { url } = JSON.parse(test.ports.vault.open(sealedButton!, `button of ${messageId}`)!) as { url: string }
      const said = await test.anonymous.post(`price/${url.split('/').at(-1)}`, answers[title]!, from())
      expect(said.status, JSON.stringify(said.body)).toBe(200)
    }
    const best = async (caller = dispatcher) => {
      const { body } = await caller.get(
        `quotes/costs?fromCountryId=${lane.from.countryId}&fromPostal=33100&toCountryId=${lane.to}` +
          '&toPostal=1010&day=2026-12-07',
      )
      return [body.asked?.carrier, body.asked?.heldUntil, body.asked?.answerCount]
    }
    const bestIn = (days: number) =>
      later(days, async () => best(test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)))
    const change = async (title: string, values: object) => {
      const path = `carrier-companies/${carriers[title]}`
      const { version } = (await test.admin.get(path)).body
      const { status: changed, body } = await test.admin.patch(path, values, { version })
      expect(changed, JSON.stringify(body)).toBe(200)
    }
    expect(await best()).toEqual(['Dumping', null, 5])
    await change('Dumping', { blockedReason: 'Theft' })
    expect(await best()).toEqual(['Quiet', null, 4])
    await change('Quiet', { state: 'inactive' })
    expect(await best()).toEqual(['Over', null, 3])
    expect(await bestIn(3)).toEqual(['Held', null, 3])
    expect(await bestIn(4)).toEqual(['Open', null, 3])
    await change('Held', { state: 'inactive' })
    await change('Open', { state: 'inactive' })
    expect(await bestIn(3)).toEqual(['Over', '2026-12-03', 1])
  })

  it('is the middle of what such trips have cost; who sees few orders learns no single price of others', async () => {
    const trip = async (costCents: number, ldm = 13.6) => {
      const { body } = (await test.admin.post(
        'orders',
        plainOrder(world, await customer(), {
          customerPriceCents: 100_000,
          cargo: [{ key: 'c', title: 'Beer', quantity: 1, ldm, isLdmCalculated: false }],
          locations: (['loading', 'unloading'] as const).map((kind) => ({
            key: kind,
            kind,
            termin: { kind: 'fix', dateFrom: kind === 'loading' ? '2026-12-02' : '2026-12-03' },
            countryId: kind === 'loading' ? world.countries.FR : world.countries.BE,
            postal: kind === 'loading' ? '59100' : '9050',
            cargoActions: [{ cargoKey: 'c', action: kind === 'loading' ? 'PICK_UP' : 'DROP_OFF' }],
          })),
          routes: [{ ...carried(world, costCents), locationKeys: ['loading', 'unloading'] }],
        }),
      )) as Answer<Order>
      const moved = await test.admin.post(`orders/${body.id}/status`, { to: 'scheduled' }, { version: body.version })
      expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    }
    for (const cents of [90_000, 70_001]) await trip(cents)
    await trip(10_000, 1)
    expect((await costs('&ldm=13')).history).toEqual({
      tripCount: 2,
      middleCents: 80_001,
      lowestCents: 70_001,
      highestCents: 90_000,
    })
    expect((await costs('&ldm=13', assigned.caller)).history).toBeNull()
    await trip(80_000)
    expect((await costs('&ldm=13', assigned.caller)).history).toEqual({
      tripCount: 3,
      middleCents: 80_000,
      lowestCents: null,
      highestCents: null,
    })
  })
})

describe('quotes', () => {
  it('are nobody’s without order rights, and with ASSIGNED_ORDERS one’s own alone', async () => {
    const [foreign, given] = [await quote(), await quote({ caseWorkerId: assigned.id })]
    const own = await quote({}, assigned.caller)
    expect((await sales.get('quotes')).status).toBe(403)
    expect((await assigned.caller.get(`quotes/${foreign.id}`)).status).toBe(404)
    for (const [what, body] of [
      ['send', { to: 'a@b.example' }],
      ['withdraw', {}],
      ['lose', { reason: 'price' }],
      ['order', {}],
    ] as const)
      expect((await act(foreign, what, body, assigned.caller)).status, what).toBe(404)
    expect((await list('', assigned.caller)).items.map(({ id }) => id)).toEqual([own.id, given.id])
    expect((await assigned.caller.get(`audit-entries?quoteId=${foreign.id}`)).status).toBe(404)
    expect((await assigned.caller.get(`audit-entries?quoteId=${own.id}`)).status).toBe(200)
  })

  it('name what exists, and are numbered through the year', async () => {
    const customerId = await customer()
    const other = (await test.admin.get(`customers/${await customer()}`)).body
    const refused = async (more: object) => faults(await dispatcher.post('quotes', quoteBody(customerId, more)))
    expect(await refused({ contactPersonId: other.contactPersons[0].id })).toEqual([
      422,
      'contactPersonId unknown_reference',
    ])
    expect(await refused({ to: { countryId: world.countries.PL } })).toEqual([422, 'to.city required'])
    expect(await refused({ costSource: null })).toEqual([422, 'costCents required'])
    const [first, second] = [await quote(), await quote()]
    expect(first.number).toMatch(/^Q-26-\d{4}$/)
    expect(Number(second.number.slice(-4))).toBe(Number(first.number.slice(-4)) + 1)
    expect(first).toMatchObject({ state: 'draft', marginBp: 1892, caseWorker: { id: expect.any(Number) } })
  })

  it('are changed by the version that was read, and not once they are sent', async () => {
    const made = await quote()
    const put = (one: Quote, priceCents: number) =>
      dispatcher.put(`quotes/${one.id}`, quoteBody(one.customerId, { priceCents }), { version: one.version })
    const changed = await put(made, 150_000)
    expect(changed.body).toMatchObject({ priceCents: 150_000, version: 2 })
    expect((await put(made, 1)).status).toBe(409)
    const out = await done(changed.body, 'send', { to: 'b.hoeller@hoeller.example' })
    expect((await put(out, 1)).status).toBe(409)
    expect((await read(out)).priceCents).toBe(150_000)
    // Nor by a statement of any other way.
    for (const change of [`"priceCents" = 1`, `"validUntil" = '2099-01-01'`, `number = 'Q'`])
      await expect(test.database.pool.query(`update quote set ${change} where id = ${out.id}`)).rejects.toThrow()
  })

  it('cannot be sent without a price or after their last day', async () => {
    const to = { to: 'b.hoeller@hoeller.example' }
    const unpriced = await quote({ priceCents: null })
    expect(faults(await act(unpriced, 'send', to))).toEqual([422, 'priceCents required'])
    expect(faults(await act(unpriced, 'order'))).toEqual([422, 'priceCents required'])
    expect(faults(await act(await quote({ validUntil: '2026-11-30' }), 'send', to))).toEqual([
      422,
      'validUntil invalid_value',
    ])
  })

  it('go out in the customer’s language with a link that nobody else reads, without cost or margin', async () => {
    const made = await quote({ remark: 'Straps on board' })
    const shown = (await dispatcher.get(`quotes/${made.id}/mail`)).body
    expect(shown.to).toMatch(/^b\.hoeller/)
    const out = await done(made, 'send', { to: shown.to })
    expect(out).toMatchObject({ state: 'sent', sentTo: shown.to })
    const [mail] = await mailsOf(out)
    expect(mail!.subject).toBe(`Angebot ${out.number}, Düren – Poznań`)
    expect(mail!.html).toContain('1.480,00 EUR')
    expect(mail!.html).not.toMatch(/1\.200,00|18,9/)
    const token = await tokenOf(out)
    expect(JSON.stringify([out, mail!.html, shown])).not.toContain(token)
    const { body } = await page(token)
    expect(body).toMatchObject({ state: 'open', priceCents: 148_000, number: out.number, remark: 'Straps on board' })
    expect(JSON.stringify(body)).not.toMatch(/cost|margin|target|120000/i)
  })
})

describe('the quote as PDF', () => {
  const paperOf = ({ id }: { id: number }, caller = dispatcher) => caller.get(`quotes/${id}/paper`)
  const filesOf = async (made: Quote): Promise<{ title: string; fileKey: string }[]> =>
    (
      await test.database.pool.query(
        `select title, "fileKey" from document where "ownerKind" = 'quote' and "ownerId" = $1 order by id`,
        [made.id],
      )
    ).rows

  it('is nobody’s who may not see the quote, and there is none without a price', async () => {
    expect((await paperOf(await quote(), assigned.caller)).status).toBe(404)
    expect((await paperOf(await quote(), sales)).status).toBe(403)
    expect(faults(await paperOf(await quote({ priceCents: null })))).toEqual([422, 'priceCents required'])
  })

  it('says what the mail says in the customer’s language, no cost or margin, and that it is a draft', async () => {
    const made = await quote({ remark: 'Straps on board', goods: '#panic() *Paper* reels' })
    const drawn = await paperOf(made)
    expect([drawn.status, drawn.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(drawn.headers['content-disposition']).toContain(`Angebot_${made.number}_`)
    const text = textOf(drawn.raw)
    for (const said of [`Angebot ${made.number}`, 'DE 52351 Düren, 07.12.2026', 'PL 60-101 Poznań', '1.480,00 EUR'])
      expect(text).toContain(said)
    // What people type is set as it is.
    for (const said of ['#panic() *Paper* reels', 'Straps on board', '15.12.2026', 'Papierwerk', 'Entwurf'])
      expect(text).toContain(said)
    expect(text).not.toMatch(/1\.200,00|18,9|900/)
    expect(await filesOf(made)).toEqual([])
  })

  it('goes with the mail, and stays as it was sent', async () => {
    const made = await done(await quote(), 'send', { to: 'b.hoeller@hoeller.example' })
    const [mail] = await mailsOf(made)
    const { body } = await dispatcher.get(`emails/${mail!.id}`)
    expect(body.attachments).toMatchObject([{ title: expect.stringMatching(/^Angebot_Q-26-\d{4}_Papierwerk.*\.pdf$/) }])
    const file = await dispatcher.get(`documents/${body.attachments[0].documentId}/file`)
    expect(textOf(file.raw)).toContain('1.480,00 EUR')
    expect(textOf(file.raw)).not.toContain('Entwurf')
    // Another name of our company changes nothing of what was sent.
    const { companyId } = (await test.admin.get(`departments/${world.departmentId}`)).body
    await test.database.pool.query(`update company set phone = '+49 40 999' where id = $1`, [companyId])
    expect((await paperOf(made)).raw.equals(file.raw)).toBe(true)
    const own = await test.userWith('ASSIGNED_ORDERS')
    expect((await own.caller.get(`documents/${body.attachments[0].documentId}/file`)).status).toBe(404)

    const again = await done(made, 'withdraw')
    const dearer = await dispatcher.put(`quotes/${made.id}`, quoteBody(made.customerId, { priceCents: 155_500 }), {
      version: again.version,
    })
    expect(textOf((await paperOf(made)).raw)).toContain('Entwurf')
    await done(dearer.body, 'send', { to: 'b.hoeller@hoeller.example' })
    expect(textOf((await paperOf(made)).raw)).toContain('1.555,00 EUR')
    expect(await filesOf(made)).toHaveLength(2)
  })

  it('leaves no file behind where nothing is sent', async () => {
    const over = await quote({ validUntil: '2026-11-30' })
    expect(faults(await act(over, 'send', { to: 'a@b.example' }))).toEqual([422, 'validUntil invalid_value'])
    const stale = await dispatcher.post(`quotes/${over.id}/send`, { to: 'a@b.example' }, { version: over.version + 1 })
    expect(stale.status).toBe(409)
    expect(await filesOf(over)).toEqual([])
    expect(await mailsOf(over)).toEqual([])
  })
})

describe('the link of a quote', () => {
  it('gives one answer to all that open nothing: unknown, withdrawn, long over', async () => {
    const [gone, old] = [await sent(), await sent()]
    await done(gone.made, 'withdraw')
    const said = async (token: string) => {
      const { status, body } = await page(token)
      return [status, body]
    }
    const unknown = await said('a'.repeat(43))
    expect(unknown[0]).toBe(404)
    expect((await said(gone.token))[1]).toEqual({ ...(unknown[1] as object), requestId: expect.anything() })
    for (const token of [gone.token, `${old.token}x`, old.token.toLowerCase()])
      for (const { status } of [await page(token), await answer(token, 'accept'), await answer(token, 'refuse')])
        expect(status).toBe(404)
    await later(14, async () => expect((await page(old.token)).body.state).toBe('open'))
    await later(15, async () => {
      expect((await page(old.token)).body.state).toBe('over')
      expect((await answer(old.token, 'accept')).status).toBe(409)
    })
    await later(46, async () => expect((await page(old.token)).status).toBe(404))
  })

  it('changes nothing by being read, and takes one answer once', async () => {
    const { made, token } = await sent()
    for (let time = 0; time < 3; time += 1) await page(token)
    expect(await read(made)).toEqual(made)
    const accepted = await answer(token, 'accept', { remark: 'Ramp 4' })
    expect(accepted.body).toMatchObject({ state: 'accepted', answer: { remark: 'Ramp 4' } })
    expect((await answer(token, 'accept', { remark: 'again' })).body.answer.remark).toBe('Ramp 4')
    expect((await answer(token, 'refuse')).status).toBe(409)
    expect(await read(made)).toMatchObject({
      state: 'accepted',
      answeredBy: 'link',
      answerRemark: 'Ramp 4',
      order: null,
    })
    expect(await ordersOf(made.customerId)).toBe(0)
    for (const what of ['lose', 'withdraw', 'send'] as const)
      expect(
        (
          await act(
            await read(made),
            what,
            what === 'lose' ? { reason: 'price' } : what === 'send' ? { to: 'a@b.example' } : {},
          )
        ).status,
      ).toBe(409)
  })

  it('names and rings its case worker until that person leaves', async () => {
    const worker = await caseWorker(test)
    const { token } = await sent({ caseWorkerId: worker.id })
    const contact = async () => (await page(token)).body.contact
    expect(await contact()).toEqual(worker.contact)
    await worker.leave()
    const { name, phone } = await contact()
    expect(name).toBeNull()
    expect(phone).not.toBe(worker.contact.phone)
  })

  it('is slowed where somebody guesses', async () => {
    const { token } = await sent()
    const ip = '2001:db8:77::1'
    for (let time = 0; time < 30; time += 1) expect((await page(`guess-${time}`, ip)).status).toBe(404)
    expect((await page('guess', ip)).status).toBe(429)
    // Nor does it learn that one was right.
    expect((await page(token, ip)).status).toBe(429)
    expect((await page(token)).status).toBe(200)
  })

  it('tells who works on it of the answer', async () => {
    const { made, token } = await sent()
    await answer(token, 'refuse', { remark: 'too dear: 1,395' })
    const told = (await mailsOf(made)).at(-1)!
    expect(told.subject).toContain(`${made.number} declined`)
    expect(told.html).toContain('too dear: 1,395')
    expect(await read(made)).toMatchObject({ state: 'refused', lostReason: null, answeredBy: 'link' })
  })

  it('tells somebody who is there, where nobody works on it or that person has left', { tags: 'long' }, async () => {
    const setEmail = async (path: string, email: string | null) => {
      const { version } = (await test.admin.get(path)).body
      const set = await test.admin.patch(path, { email }, { version })
      expect(set.status, JSON.stringify(set.body)).toBe(200)
    }
    const [worker, maker] = [await caseWorker(test), await caseWorker(test)]
    const out = async (caseWorkerId: number | null) => {
      const made = await quote({ caseWorkerId }, maker.caller)
      const body = quoteBody(made.customerId, { caseWorkerId })
      const put = await maker.caller.put(`quotes/${made.id}`, body, { version: made.version })
      expect(put.body.caseWorkerId).toBe(caseWorkerId)
      return done(put.body, 'send', { to: 'b.hoeller@hoeller.example' })
    }
    const readerOf = async (made: Quote) => {
      expect((await answer(await tokenOf(made), 'accept')).status).toBe(200)
      const told = (await mailsOf(made)).at(-1)!
      expect(told.sealedButton).toBeNull()
      expect(told.subject).toMatch(new RegExp(`${made.number} (accepted|angenommen)`))
      return told.to
    }
    const [own, nobodys, left, lost, last] = [
      await out(worker.id),
      await out(null),
      await out(worker.id),
      await out(worker.id),
      await out(null),
    ]
    expect(await readerOf(own)).toEqual([worker.email])
    expect(await readerOf(nobodys)).toEqual([maker.email])
    await worker.leave()
    expect(await readerOf(left)).toEqual([maker.email])
    await maker.leave()
    await setEmail(`departments/${world.departmentId}`, 'sales@waybill.example')
    expect(await readerOf(lost)).toEqual(['sales@waybill.example'])
    await setEmail(`departments/${world.departmentId}`, null)
    const { companyId } = (await test.admin.get(`departments/${world.departmentId}`)).body
    await setEmail(`companies/${companyId}`, 'office@waybill.example')
    expect(await readerOf(last)).toEqual(['office@waybill.example'])
  })
})

describe('the order of a quote', () => {
  it('has customer, lane, dates, goods and price of it, and its history says so', async () => {
    const made = await done(await quote({ remark: 'Straps on board' }), 'order')
    expect(made).toMatchObject({ state: 'accepted', answeredBy: 'hand', order: { id: expect.any(Number) } })
    const order: Order = (await dispatcher.get(`orders/${made.order!.id}`)).body
    expect(order).toMatchObject({
      status: 'new',
      customerIds: [made.customerId],
      customerPriceCents: 148_000,
      caseWorkerId: made.caseWorkerId,
      internalComments: `${made.number}\nStraps on board`,
      cargo: [{ title: 'Paper reels', quantity: 22, weightKg: 22_100, ldm: 13.6 }],
      locations: [
        { kind: 'loading', postal: '52351', city: 'Düren', termin: { kind: 'fix', dateFrom: '2026-12-07' } },
        { kind: 'unloading', postal: '60-101', city: 'Poznań', termin: { kind: 'fix', dateFrom: '2026-12-08' } },
      ],
    })
    const { items } = (await dispatcher.get(`audit-entries?quoteId=${made.id}`)).body
    expect(items.map(({ action }: { action: string }) => action)).toEqual(['quoteAccepted', 'created'])
    const told = (await dispatcher.get(`audit-entries?orderId=${order.id}`)).body.items
    expect(told.find(({ action }: { action: string }) => action === 'quoteOrdered').changes).toEqual([
      { path: 'quote', from: null, to: made.number },
      { path: 'quotedCostCents', from: null, to: 120_000 },
      { path: 'quotedDistanceKm', from: null, to: 900 },
    ])
  })

  it('asks how many units there are where the quote does not say it, and takes no other number', async () => {
    const uncounted = await quote({ quantity: null })
    expect(faults(await act(uncounted, 'order'))).toEqual([422, 'quantity required'])
    expect(await read(uncounted)).toEqual(uncounted)
    expect(await ordersOf(uncounted.customerId)).toBe(0)
    expect(faults(await act(await quote(), 'order', { quantity: 21 }))).toEqual([422, 'quantity invalid_value'])
    const made = await done(uncounted, 'order', { quantity: 33 })
    const order: Order = (await dispatcher.get(`orders/${made.order!.id}`)).body
    expect(order.cargo).toMatchObject([{ quantity: 33, weightKg: 22_100 }])
  })

  it('is made once, however often and by how many it is pressed at once', async () => {
    const { made, token } = await sent()
    await answer(token, 'accept')
    const accepted = await read(made)
    const pressed = await Promise.all(Array.from({ length: 5 }, () => act(accepted, 'order')))
    expect(pressed.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const after = await read(made)
    expect((await act(after, 'order')).status).toBe(409)
    expect(await ordersOf(made.customerId)).toBe(1)
    // Nor does another order take its place.
    const other = await quote()
    const { order } = await done(other, 'order')
    await expect(
      test.database.pool.query(`update quote set "orderId" = ${order!.id} where id = ${made.id}`),
    ).rejects.toThrow()
    // And what was accepted stays.
    await expect(test.database.pool.query(`update quote set "priceCents" = 1 where id = ${made.id}`)).rejects.toThrow()
  })

  it('can be made again once the first was deleted', async () => {
    const made = await done(await quote(), 'order')
    const order: Order = (await dispatcher.get(`orders/${made.order!.id}`)).body
    expect((await dispatcher.delete(`orders/${order.id}`, { version: order.version })).status).toBe(204)
    expect((await read(made)).order).toBeNull()
    expect((await done(await read(made), 'order')).order!.number).not.toBe(order.number)
  })
})

describe('the list of quotes', () => {
  it('says what is open, to follow up, won and lost, and finds by number, customer and town', async () => {
    const title = `Zweirad ${(count += 1)}`
    const customerId = await world.customer(title, 'DE')
    const of = async (more: object = {}): Promise<Quote> =>
      (await dispatcher.post('quotes', quoteBody(customerId, more))).body
    const out = { to: 'a@b.example' }
    const draft = await of({ from: { countryId: world.countries.DE, city: 'Ölbronn' } })
    const soon = await done(await of({ validUntil: '2026-12-03' }), 'send', out)
    const won = await done(await of({ priceCents: 150_000 }), 'order')
    const byLink = await done(await of(), 'send', out)
    await answer(await tokenOf(byLink), 'accept')
    const lost = await done(await of(), 'lose', { reason: 'price', remark: '1,395' })
    const shown = async (show: string, more = '') =>
      (await list(`show=${show}&customerId=${customerId}${more}`)).items.map(({ id }) => id)
    expect(await shown('all')).toEqual([lost, byLink, won, soon, draft].map(({ id }) => id))
    expect(await shown('open')).toEqual([soon.id, draft.id])
    expect(await shown('followUp')).toEqual([byLink.id, soon.id])
    expect(await shown('accepted')).toEqual([byLink.id, won.id])
    expect(await shown('lost')).toEqual([lost.id])
    expect(await shown('all', '&q=olbronn')).toEqual([draft.id])
    expect((await list(`q=${encodeURIComponent(title)}`)).total).toBe(5)
    expect((await list(`q=${won.number.toLowerCase()}`)).items).toMatchObject([{ id: won.id, marginBp: 2000 }])
    await later(3, async () => {
      const admin = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
      expect((await admin.get(`quotes/${soon.id}`)).body.state).toBe('expired')
      expect((await list(`show=lost&customerId=${customerId}`, admin)).items.map(({ id }) => id)).toEqual([
        lost.id,
        soon.id,
      ])
    })
  })

  it('is taken along as a file as it is narrowed, with what its reader may see', async () => {
    const title = `Fahrrad ${(count += 1)}`
    const customerId = await world.customer(title, 'DE')
    const own = (await assigned.caller.post('quotes', quoteBody(customerId))).body
    const foreign = (await dispatcher.post('quotes', quoteBody(customerId, { priceCents: 99_900 }))).body
    await done(foreign, 'lose', { reason: 'price', remark: '=1+1' })
    const rows = async (query: string, caller = dispatcher): Promise<string[]> => {
      const { status, raw } = await caller.get(`quotes/export?format=csv&customerId=${customerId}&${query}`, {
        headers: { 'accept-language': 'de' },
      })
      expect(status).toBe(200)
      return raw.toString('utf8').trim().split('\r\n')
    }
    const [head, newest, oldest] = await rows('')
    expect(head).toContain('Nummer;Stand;Kunde;Von;Nach')
    expect(newest).toContain(`${foreign.number};Abgelehnt;${title};DE 52351 Düren;PL 60-101 Poznań`)
    expect(newest).toContain('Zu teuer')
    // A formula in a remark is no formula for the one who opens the file.
    expect(newest).not.toMatch(/;=1\+1/)
    expect(oldest).toContain(own.number)
    expect(await rows('show=open')).toHaveLength(2)
    expect(await rows('', assigned.caller)).toEqual([head, oldest])
    expect((await sales.get('quotes/export?format=csv')).status).toBe(403)
    expect((await dispatcher.get('quotes/export?format=pdf')).status).toBe(422)
  })

  it('counts what stands there, whatever was done before', async () => {
    const { rows } = await test.database.pool.query(
      `select "departmentId", state, count(*)::int as quotes, coalesce(sum("priceCents"), 0)::int as cents
         from quote group by 1, 2
       except select "departmentId", state, quotes::int, cents::int from quote_tally`,
    )
    expect(rows).toEqual([])
    const { rows: gone } = await test.database.pool.query(
      `select state from quote_tally tally where (quotes <> 0 or cents <> 0)
         and not exists (select 1 from quote
           where (quote."departmentId", quote.state) = (tally."departmentId", tally.state))`,
    )
    expect(gone).toEqual([])
    const all = await list('show=all')
    expect(all.counts.all).toBe(all.total)
    expect(all.counts.accepted + all.counts.open + all.counts.lost).toBe(all.total)
    for (const show of ['open', 'followUp', 'accepted', 'lost'] as const) {
      const { items, total } = await list(`show=${show}`)
      expect([show, items.length], show).toEqual([show, Math.min(total, 50)])
      expect((await list(`show=${show}`, assigned.caller)).total).toBe(
        (await list(`show=${show}`, assigned.caller)).items.length,
      )
    }
  })
})
