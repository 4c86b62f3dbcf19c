import { sql } from 'kysely'
import type { IntakeMail } from '@waybill/contract/intake/intake'
import type { ReadCargo, ReadChange, Reading, ReadOrder, ReadStop, ReadTermin } from '@waybill/contract/intake/reading'
import type { Draft, MailDrafts } from '@waybill/contract/order/intake/mail-draft'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { giveCarrierPapers } from '../../../../test/carrier-papers.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-24T09:00:00Z' })
let world: OrderWorld
let planner: Caller
let few: Caller
let nordlicht: number
let holding: number

beforeAll(async () => {
  world = await orderWorld(test)
  planner = (await test.userWith('ORDERS_MANAGEMENT')).caller
  few = (await test.userWith('ASSIGNED_ORDERS')).caller
  nordlicht = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', {
    vatNumber: 'DE811569869',
    paymentPeriodDays: 30,
    contactPersons: [
      { fullName: 'Ole Petersen', email: 'ole@nordlicht.example' },
      { fullName: 'Silke Jansen', email: 'disposition@nordlicht.example' },
    ],
  })
  holding = await world.customer('Nordlicht Holding AG', 'DE', { vatNumber: 'DE136695976' })
})

const NOBODY = { title: null, email: null, vatNumber: null, address: null, postal: null, city: null, countryCode: null }
const STOP: ReadStop = {
  action: 'PICK_UP',
  companyTitle: null,
  address: null,
  postal: null,
  city: null,
  countryCode: null,
  contactPerson: null,
  phone: null,
  reference: null,
  specialInstructions: null,
  termin: null,
}
const LINE: ReadCargo = {
  title: null,
  unit: null,
  quantity: null,
  packages: null,
  lengthCm: null,
  widthCm: null,
  heightCm: null,
  weightKg: null,
  ldm: null,
  volumeM3: null,
  valueEur: null,
  stackable: null,
  stackingFactor: null,
  temperatureFrom: null,
  temperatureTo: null,
  adr: null,
  from: null,
  to: null,
}
const order = (more: Partial<ReadOrder>): ReadOrder => ({
  customer: NOBODY,
  billingCustomer: null,
  customerOrderNumber: null,
  contactPerson: null,
  stops: [],
  cargo: [],
  price: null,
  paymentPeriodDays: null,
  vehicle: null,
  equipment: [],
  isLiftRequired: null,
  isTransshipmentForbidden: null,
  ...more,
})
const reading = (more: Partial<Reading>): Reading => ({
  kind: 'order',
  language: 'de',
  orders: [],
  changes: [],
  contradictions: [],
  sure: {},
  spans: {},
  learned: [],
  ...more,
})

let count = 0
/** A mail of this sender, as if this had been read in it. */
async function mailWith(read: Partial<Reading>, { from = 'nobody@else.example', caller = planner } = {}) {
  count += 1
  const { body } = await caller.post('intake-mails', {
    text: `From: A <${from}>\nSubject: Mail ${count}\n\nText ${count}`,
  })
  const whole = JSON.stringify(reading(read))
  await sql`update intake_mail set reading = ${whole}::jsonb, kind = ${read.kind ?? 'order'}
    where id = ${body.id}`.execute(test.database.db)
  return body.id as number
}
const mailNow = async (id: number): Promise<IntakeMail> => (await planner.get(`intake-mails/${id}`)).body
const draftsOf = async (id: number): Promise<MailDrafts> => (await planner.get(`intake-mails/${id}/drafts`)).body
const draftOf = async (...given: Parameters<typeof mailWith>): Promise<Draft> =>
  (await draftsOf(await mailWith(...given))).drafts[0]!
const save = (caller: Caller, id: number, position = 0, body: object = {}, path = 'order') =>
  caller.post(
    `intake-mails/${id}/drafts/${position}/${path}`,
    plainOrder(world, nordlicht, { ...shipment(world), ...body }),
  )
const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

describe('a draft', () => {
  it('holds what the mail says in the shape of an order, each value with its place and how sure it is', async () => {
    const draft = await draftOf(
      {
        orders: [
          order({
            customer: { ...NOBODY, title: 'Nordlicht Maschinenbau' },
            billingCustomer: { ...NOBODY, vatNumber: 'DE 136 695 976' },
            customerOrderNumber: '4500129913',
            contactPerson: 'Silke Jansen',
            price: { amountCents: 118_000, currency: 'EUR', vat: 'net' },
            paymentPeriodDays: 45,
            equipment: ['12 Gurte'],
            isTransshipmentForbidden: true,
            stops: [
              {
                ...STOP,
                companyTitle: 'Nordlicht',
                postal: '22113',
                city: 'Hamburg',
                countryCode: 'DE',
                termin: { kind: 'period', dateFrom: '2026-12-07', timeFrom: '08:00', dateTo: null, timeTo: '12:00' },
              },
              { ...STOP, action: 'DROP_OFF', city: 'Poznań', countryCode: 'PL', phone: 'by name' },
            ],
            cargo: [
              {
                ...LINE,
                unit: 'Europallet',
                quantity: 33,
                weightKg: 21_120,
                valueEur: 86_000.5,
                stackable: false,
                to: 1,
              },
            ],
          }),
        ],
        sure: { 'orders.0': true, 'orders.0.stops.1': false, 'orders.0.stops.0.termin.timeTo': false },
        spans: {
          // in the subject
          'orders.0.customerOrderNumber': [3, 9, 'subject'],
          'orders.0.cargo.0.weightKg': [10, 20],
          'orders.0.stops.0.termin.dateFrom': [30, 40],
        },
        contradictions: [
          {
            field: 'cargo.weightKg',
            values: [21_120, 21_200],
            paths: ['orders.0.cargo.0.weightKg', 'orders.0.cargo.0.weightKg'],
            at: ['orders.0.cargo.0.weightKg'],
            spans: [
              [10, 20],
              [50, 60],
            ],
          },
        ],
      },
      { from: 'Disposition@Nordlicht.example' },
    )
    const { values, marks, missing } = draft
    expect(values).toMatchObject({
      customerId: nordlicht,
      billingCustomerId: holding,
      customerOrderNumber: '4500129913',
      customerPriceCents: 118_000,
      paymentPeriodDays: 45,
      description: '12 Gurte',
      isTransshipmentForbidden: true,
      locations: [
        { kind: 'loading', countryId: world.countries.DE, termin: { dateFrom: '2026-12-07', timeTo: '12:00' } },
        { kind: 'unloading', countryId: world.countries.PL, city: 'Poznań', termin: null },
      ],
      cargo: [
        { quantity: 33, lengthCm: 120, widthCm: 80, heightCm: null, valueCents: 8_600_050, stackingFactor: 1, to: 1 },
      ],
    })
    expect(draft.customer).toMatchObject({ found: { id: nordlicht }, by: 'address', proposed: null })
    const mark = (path: string) => marks.find((one) => one.path === path)
    expect(mark('customerOrderNumber')).toMatchObject({ state: 'sure', span: null, others: [] })
    expect(mark('locations.0.termin')).toMatchObject({ state: 'check', span: [30, 40] })
    expect(mark('locations.0.city')!.state).toBe('sure')
    expect(mark('locations.1.city')!.state).toBe('check')
    expect(mark('cargo.0.lengthCm')).toMatchObject({ state: 'record', span: null })
    // Two statements: nobody is sure of either.
    expect(mark('cargo.0.weightKg')).toEqual({
      path: 'cargo.0.weightKg',
      state: 'check',
      span: [10, 20],
      isLearned: false,
      said: null,
      others: [{ value: 21_200, span: [50, 60], isChoice: true }],
    })
    // Another period than the customer's own.
    expect(mark('paymentPeriodDays')!.state).toBe('check')
    expect(mark('contactPersonId')!.state).toBe('sure')
    expect(missing).toEqual(['locations.1.termin'])
    expect(marks.map(({ path }) => path)).not.toContain('cargo.0.heightCm')
  })

  it('offers only another reading of the same field, and shows what else does not fit', async () => {
    const stop = { ...STOP, postal: '22-113', city: 'Hamburg', countryCode: 'DE' }
    const termin = { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '08:00', dateTo: null, timeTo: null } as const
    const monday = { ...termin, dateFrom: '2026-11-30' }
    const at = (fields: readonly string[]) => fields.map((field) => `orders.0.stops.0.${field}`)
    const lines = [0, 1, 2].map((line) => `orders.0.cargo.${line}.weightKg`)
    const { marks } = await draftOf({
      orders: [
        order({ stops: [{ ...stop, termin }], cargo: [200, 300, 400].map((weightKg) => ({ ...LINE, weightKg })) }),
      ],
      contradictions: [
        {
          field: 'stops.postal',
          values: ['22-113', 'Hamburg'],
          paths: at(['postal', 'city']),
          at: at(['postal', 'city', 'countryCode']),
          spans: [],
        },
        {
          field: 'stops.termin',
          values: ['Mo 01.12.2026', monday],
          paths: [null, ...at(['termin'])],
          at: at(['termin']),
          spans: [],
        },
        { field: 'cargo.weightKg', values: [900, 950], paths: [null, null], at: lines, spans: [] },
      ],
    })
    const others = (path: string) =>
      marks.find((one) => one.path === path)!.others.map(({ value, isChoice }) => [value, isChoice])
    expect(others('locations.0.postal')).toEqual([['Hamburg', false]])
    expect(others('locations.0.city')).toEqual([['22-113', false]])
    expect(others('locations.0.countryId')).toEqual([
      ['22-113', false],
      ['Hamburg', false],
    ])
    expect(others('locations.0.termin')).toEqual([
      ['Mo 01.12.2026', false],
      [monday, true],
    ])
    for (const line of [0, 1, 2])
      expect(others(`cargo.${line}.weightKg`)).toEqual([
        [900, false],
        [950, false],
      ])
  })

  it('fills in no price with VAT or in other money and no date that is none, and says the price', async () => {
    const bad = { kind: 'period', dateFrom: '2026-12-07', timeFrom: '12:00', dateTo: null, timeTo: '08:00' } as const
    const { values, marks, missing } = await draftOf({
      orders: [order({ price: { amountCents: 5, currency: 'GBP', vat: null }, stops: [{ ...STOP, termin: bad }] })],
      sure: { 'orders.0': true },
    })
    expect([values.customerPriceCents, values.locations[0]!.termin]).toEqual([null, null])
    const said = { amountCents: 5, currency: 'GBP', why: 'currency' }
    expect(marks).toMatchObject([{ path: 'customerPriceCents', state: 'check', said }])
    expect(missing).not.toContain('customerPriceCents')
    const priced = async (vat: 'net' | 'gross' | null) => {
      const price = { amountCents: 178_500, currency: 'EUR', vat }
      const draft = await draftOf({ orders: [order({ price })], sure: { 'orders.0': true } })
      const mark = draft.marks.find(({ path }) => path === 'customerPriceCents')!
      return [draft.values.customerPriceCents, mark.state, mark.said?.why]
    }
    expect(await priced('gross')).toEqual([null, 'check', 'gross'])
    // Between firms freight is quoted without VAT.
    expect(await priced(null)).toEqual([178_500, 'sure', undefined])
  })

  it('finds the customer by one sign that is nobody else’s, or proposes a new one', async () => {
    const by = async (from: string, customer: Partial<ReadOrder['customer']>) => {
      const draft = await draftOf({ orders: [order({ customer: { ...NOBODY, ...customer } })] }, { from })
      const state = draft.marks.find(({ path }) => path === 'customerIds')?.state
      return [draft.customer.by, draft.customer.found?.id ?? null, state]
    }
    expect(await by('x@y.example', { vatNumber: 'de811569869' })).toEqual(['vatNumber', nordlicht, 'sure'])
    expect(await by('x@y.example', { title: 'nordlicht maschinenbau g.m.b.h.' })).toEqual(['name', nordlicht, 'sure'])
    expect(await by('new@nordlicht.example', {})).toEqual(['domain', nordlicht, 'check'])
    // The sender is of the one, the VAT number of the other.
    expect(await by('ole@nordlicht.example', { vatNumber: 'DE136695976' })).toEqual(['address', nordlicht, 'check'])
    await world.customer('Freund', 'DE', { contactPersons: [{ fullName: 'F', email: 'f@gmail.com' }] })
    expect(await by('other@gmail.com', {})).toEqual([null, null, undefined])
    // Without a signature: a customer of ours at a stop may be the one.
    const atStop = await draftOf({ orders: [order({ stops: [{ ...STOP, companyTitle: 'Nordlicht Holding AG' }] })] })
    expect([atStop.customer.by, atStop.customer.found?.id]).toEqual(['name', holding])
    expect(atStop.marks.find(({ path }) => path === 'customerIds')!.state).toBe('check')
    const unknown = await draftOf(
      { orders: [order({ customer: { ...NOBODY, title: 'Neu GmbH', city: 'Bremen', countryCode: 'DE' } })] },
      { from: 'a@neu.example' },
    )
    expect(unknown.customer).toEqual({
      found: null,
      by: null,
      proposed: {
        title: 'Neu GmbH',
        email: 'a@neu.example',
        vatNumber: null,
        address: null,
        postal: null,
        city: 'Bremen',
        countryId: world.countries.DE,
      },
    })
    expect(unknown.missing[0]).toBe('customerIds')
  })
})

describe('saving a draft', () => {
  it('makes one order of it by the order’s own rules, with the mail, whoever saves at the same time', async () => {
    const id = await mailWith({ orders: [order({})] })
    expect(codes(await planner.post(`intake-mails/${id}/drafts/0/order`, { customerIds: [] }))[0]).toBe(422)
    expect(codes(await save(planner, id, 0, { caseWorkerId: 999_999 }))).toEqual([
      422,
      'caseWorkerId unknown_reference',
    ])
    expect((await save(planner, id, 1)).status).toBe(404)
    expect((await mailNow(id)).state).toBe('new')
    const both = await Promise.all([save(planner, id), save(test.admin, id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const [saved, refused] = both.toSorted((a, b) => a.status - b.status)
    expect(codes(refused!)).toEqual([409, 'position draft_saved'])
    expect(saved!.headers.location).toBe(`/api/orders/${saved!.body.id}`)
    expect(saved!.body.originalMessage).toMatch(/^Text \d+$/)
    expect(await mailNow(id)).toMatchObject({
      state: 'saved',
      orders: [{ id: saved!.body.id, title: saved!.body.number }],
    })
    expect((await draftsOf(id)).drafts).toMatchObject([{ isSaved: true, order: { id: saved!.body.id } }])
    expect((await planner.get(`intake-mails?orderId[]=${saved!.body.id}`)).body.items).toMatchObject([{ id }])
    // Nobody saves it once more, not even when the order has become invisible to them.
    expect((await few.post(`intake-mails/${id}/drafts/0/order`, {})).status).toBe(422)
    expect((await save(few, id)).status).toBe(404)
    await expect(
      test.asOwner(`insert into intake_order ("mailId", position, "orderId", "createdAt")
      values (${id}, 0, ${(await planner.post('orders', plainOrder(world, nordlicht))).body.id}, now())`),
    ).rejects.toThrow('draft_saved')
  })

  it('of several orders in one mail leaves it open until all are there, or nothing more is in it', async () => {
    const id = await mailWith({ orders: [order({}), order({}), order({})] })
    expect((await save(planner, id, 1)).status).toBe(201)
    expect(await mailNow(id)).toMatchObject({ state: 'drafted' })
    const inHand = await save(test.admin, id, 0)
    expect(codes(inHand)).toEqual([409, 'assignedTo mail_in_hand'])
    expect((await save(planner, id, 0)).status).toBe(201)
    const { version } = await mailNow(id)
    const closed = await planner.post(`intake-mails/${id}/close`, {}, { version })
    expect(closed.body).toMatchObject({ state: 'saved' })
    expect(codes(await save(planner, id, 2))).toEqual([409, 'state mail_settled'])
  })

  it('stops where the customer has placed an order of this number, until a person says it is another one', async () => {
    const first = await planner.post('orders', plainOrder(world, nordlicht, { customerOrderNumber: '4711' }))
    const read = { orders: [order({ customerOrderNumber: '4711' })] }
    const id = await mailWith(read, { from: 'ole@nordlicht.example' })
    expect((await draftsOf(id)).drafts[0]!.again).toMatchObject({
      order: { id: first.body.id, title: first.body.number },
    })
    const again = { customerOrderNumber: '4711' }
    const refused = await save(planner, id, 0, again)
    expect(codes(refused)).toEqual([409, 'customerOrderNumber order_known'])
    expect(refused.body.current).toEqual({
      order: { id: first.body.id, title: first.body.number },
      createdAt: expect.any(String),
    })
    expect((await save(planner, id, 0, again, 'second-order')).status).toBe(201)
    // Of a colleague's order one hears that it is there, and can go on as well.
    const { body: own } = await few.post('intake-mails', { text: 'Noch einmal 4711' })
    const unseen = await save(few, own.id, 0, again)
    expect([...codes(unseen), unseen.body.current]).toEqual([409, 'customerOrderNumber order_known', null])
    expect((await save(few, own.id, 0, again, 'second-order')).status).toBe(201)
    // Filed with the order that is there, it becomes none.
    const filed = await mailWith(read, { from: 'ole@nordlicht.example' })
    const { version } = await mailNow(filed)
    const file = (caller: Caller, orderId: number) =>
      caller.post(`intake-mails/${filed}/file-with`, { orderId }, { version })
    expect((await file(few, first.body.id)).status).toBe(404)
    expect(codes(await file(planner, 999_999))).toEqual([422, 'orderId unknown_reference'])
    expect((await file(planner, first.body.id)).body).toMatchObject({ state: 'saved', orders: [{ id: first.body.id }] })
    expect(codes(await save(planner, filed, 0))).toEqual([409, 'state mail_settled'])
  })
})

it('two mails with one number make one order, saved at the same moment', async () => {
  const read = { orders: [order({ customerOrderNumber: 'R-1' })] }
  const mails = [await mailWith(read), await mailWith(read), await mailWith(read)]
  const answers = await Promise.all(mails.map((id) => save(planner, id, 0, { customerOrderNumber: 'R-1' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  for (const answer of answers.filter(({ status }) => status === 409))
    expect(codes(answer)).toEqual([409, 'customerOrderNumber order_known'])
})

describe('filing a mail', () => {
  const file = async (id: number, body: { orderId: number; position?: number }, caller = planner) =>
    caller.post(`intake-mails/${id}/file-with`, body, { version: (await mailNow(id)).version })
  const reopen = async (id: number) =>
    planner.post(`intake-mails/${id}/reopen`, {}, { version: (await mailNow(id)).version })
  const placed = async (customerOrderNumber: string): Promise<{ id: number; number: string }> =>
    (await planner.post('orders', plainOrder(world, nordlicht, { customerOrderNumber }))).body

  it('settles one of its orders and leaves the others open, and can be taken back', async () => {
    const known = await placed('F-1')
    const id = await mailWith({ orders: [order({}), order({}), order({})] })
    expect(codes(await file(id, { orderId: known.id }))).toEqual([422, 'position required'])
    expect(codes(await file(id, { orderId: known.id, position: 3 }))).toEqual([422, 'position invalid_value'])
    const filed = await file(id, { orderId: known.id, position: 1 })
    expect(filed.body).toMatchObject({ state: 'drafted', orders: [{ id: known.id }] })
    expect(codes(await file(id, { orderId: known.id, position: 1 }))).toEqual([409, 'position draft_saved'])
    expect(codes(await save(planner, id, 1))).toEqual([409, 'position draft_saved'])
    for (const position of [0, 2]) expect((await save(planner, id, position)).status).toBe(201)
    expect(await mailNow(id)).toMatchObject({ state: 'saved', mayReopen: true })
    // It was the wrong order.
    expect((await reopen(id)).body).toMatchObject({ state: 'new', mayReopen: false, assignedTo: null })
    const { drafts } = await draftsOf(id)
    expect(drafts.map(({ isSaved }) => isSaved)).toEqual([true, false, true])
    expect((await planner.get(`intake-mails?orderId[]=${known.id}`)).body.items).toEqual([])
    expect((await save(planner, id, 1)).status).toBe(201)
    expect(await mailNow(id)).toMatchObject({ state: 'saved', mayReopen: false })
    expect(codes(await reopen(id))).toEqual([409, 'state mail_settled'])
  })

  it('that changes several orders leaves it open until it is with each, and can be taken back', async () => {
    const [one, two] = [await placed('F-2'), await placed('F-3')]
    const change = { field: 'cargo.quantity' as const, of: null, from: null, to: 3 }
    const changes = ['F-2', two.number].map((reference) => ({ ...change, reference }))
    const id = await mailWith({ kind: 'change', changes }, { from: 'ole@nordlicht.example' })
    await sql`update intake_mail set "customerId" = ${nordlicht} where id = ${id}`.execute(test.database.db)
    expect((await file(id, { orderId: one.id })).body.state).toBe('drafted')
    expect(codes(await file(id, { orderId: one.id }))).toEqual([409, 'orderId mail_filed'])
    expect((await file(id, { orderId: two.id })).body).toMatchObject({
      state: 'saved',
      orders: [{ id: one.id }, { id: two.id }],
      mayReopen: true,
    })
    expect((await reopen(id)).body).toMatchObject({ state: 'new', orders: [] })
    // One order that nobody found keeps it open; a person says that nothing more is in it.
    const lost = await mailWith({
      kind: 'cancel',
      changes: ['F-2', 'lost'].map((reference) => ({ ...change, reference })),
    })
    expect((await file(lost, { orderId: one.id })).body.state).toBe('drafted')
    const { version } = await mailNow(lost)
    // Or that person knows which one it is.
    const found = await mailWith({
      kind: 'cancel',
      changes: ['F-2', 'lost'].map((reference) => ({ ...change, reference })),
    })
    expect((await file(found, { orderId: two.id })).body.state).toBe('drafted')
    expect((await file(found, { orderId: one.id })).body.state).toBe('saved')
    expect((await planner.post(`intake-mails/${lost}/close`, {}, { version })).body.state).toBe('saved')
  })
})

it('a mail that changes an order shows what the order says now, and becomes none', async () => {
  const { body: ours } = await planner.post(
    'orders',
    plainOrder(world, nordlicht, { ...shipment(world), customerOrderNumber: 'C-1', customerPriceCents: 90_000 }),
  )
  const change = { of: null, from: null }
  const termin = { kind: 'fix', dateFrom: '2026-12-02', timeFrom: '09:00', dateTo: null, timeTo: null } as const
  const id = await mailWith({
    kind: 'change',
    changes: [
      { ...change, reference: 'C-1', field: 'cargo.quantity', to: 3 },
      { ...change, reference: ours.number, field: 'dropOff.termin', of: 'poznan', to: termin },
      { ...change, reference: 'C-1', field: 'price.amountCents', to: 95_000 },
      { ...change, reference: 'C-2', field: 'order', to: 'canceled' },
    ],
    sure: { 'changes.0': true },
    spans: { 'changes.0.to': [3, 9] },
  })
  // Whose mail it is, as it was found when it came in: else nobody could be sure of the order.
  await sql`update intake_mail set "customerId" = ${nordlicht} where id = ${id}`.execute(test.database.db)
  const { drafts, changes } = await draftsOf(id)
  expect(drafts.map(({ values }) => values.locations)).toEqual([[]])
  expect(changes).toMatchObject([
    { order: { id: ours.id }, field: 'cargo.quantity', now: 4, after: 3, isSure: true, span: [3, 9] },
    { order: { id: ours.id }, now: { dateFrom: '2026-12-01', timeFrom: '07:00' }, after: termin, isSure: false },
    { now: 90_000, after: 95_000 },
    { reference: 'C-2', order: null, field: 'order', now: null, after: 'canceled' },
  ])
})

describe('what a change can be taken over into', () => {
  const termin = { kind: 'fix', dateFrom: '2026-12-02', timeFrom: null, dateTo: null, timeTo: null } as const
  let number = ''
  const change = (field: ReadChange['field'], to: ReadChange['to'], more: Partial<ReadChange> = {}): ReadChange => ({
    reference: number,
    field,
    of: null,
    from: null,
    to,
    ...more,
  })
  /** What a mail of this customer asks of the order that was placed last. */
  async function asked(changes: ReadChange[], customerId: number | null = nordlicht) {
    const id = await mailWith({ kind: 'change', changes, sure: { changes: true, 'changes.0': true } })
    await sql`update intake_mail set "customerId" = ${customerId} where id = ${id}`.execute(test.database.db)
    return draftsOf(id)
  }
  async function placed(more: object = {}) {
    number = `T-${(count += 1)}`
    const body = plainOrder(world, nordlicht, { ...shipment(world), customerOrderNumber: number, ...more })
    const made = await planner.post('orders', body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body
  }

  it('is the one field of the order that it can be about, and nothing else', async () => {
    const ours = await placed()
    const { changes, orders } = await asked([
      change('cargo.quantity', 3),
      change('pickUp.reference', ' GATE 4 '),
      change('dropOff.termin', { ...termin, timeFrom: '09:00' }, { of: 'Poznan' }),
      change('dropOff.termin', { ...termin, timeFrom: '09:00' }, { of: 'Łódź' }),
      change('price.amountCents', 95_000),
      change('price.amountCents', 420_000, { money: { currency: 'PLN', vat: null } }),
      change('price.amountCents', 119_000, { money: { currency: 'EUR', vat: 'gross' } }),
      change('price.surcharge', 13_500),
      change('order', 'canceled'),
      change('cargo.weightKg', 5, { reference: 'T-0' }),
    ])
    expect(changes.map(({ path }) => path)).toEqual([
      'cargo.0.quantity',
      'locations.0.reference',
      'locations.1.termin',
      null,
      'customerPriceCents',
      null,
      null,
      'extras',
      null,
      null,
    ])
    expect(changes[1]!.after).toBe('GATE 4')
    expect(changes.map(({ said }) => said?.why ?? null).slice(4, 7)).toEqual([null, 'currency', 'gross'])
    expect(orders).toEqual([
      { id: ours.id, title: ours.number, version: ours.version, status: 'new', isCertain: true, toldCarriers: [] },
    ])
    // Of an order that nobody is sure of, it is said.
    expect((await asked([change('cargo.quantity', 3)], null)).orders).toMatchObject([{ isCertain: false }])
  })

  it('is a stop, a line or an extra that comes to the order, as its form holds it', async () => {
    await placed()
    const termin = { kind: 'fix', dateFrom: '2026-12-02', timeFrom: '09:00', dateTo: null, timeTo: null } as const
    const stop = {
      ...STOP,
      action: 'DROP_OFF' as const,
      companyTitle: 'Kunert Bau GmbH',
      city: 'Erfurt',
      countryCode: 'DE',
    }
    const { changes } = await asked([
      change('stop.added', { ...stop, termin }),
      change('cargo.added', { ...LINE, quantity: 3, unit: 'Europallet', weightKg: 1850, valueEur: 12.5 }),
      change('price.surcharge', 13_500, { extra: 'waiting_time' }),
      // Read before it was known what surcharges are for.
      change('price.surcharge', 2_500),
      change('price.surcharge', 40_000, { money: { currency: 'PLN', vat: null } }),
    ])
    expect(changes.map(({ path, extra }) => [path, extra])).toEqual([
      ['locations', null],
      ['cargo', null],
      ['extras', 'waiting_time'],
      ['extras', 'other'],
      [null, 'other'],
    ])
    expect(changes[0]!.stop).toMatchObject({
      kind: 'unloading',
      companyTitle: 'Kunert Bau GmbH',
      city: 'Erfurt',
      countryId: world.countries.DE,
      termin,
    })
    expect([changes[0]!.line, changes[1]!.stop]).toEqual([null, null])
    // The unit's own sides are from our records.
    expect(changes[1]!.line).toMatchObject({ quantity: 3, weightKg: 1850, valueCents: 1250, lengthCm: 120 })
  })

  it('is marked over all parts of its new value, and sure only where each of them is', async () => {
    await placed()
    const stop = { ...STOP, action: 'DROP_OFF' as const, city: 'Erfurt', postal: '99085' }
    const spans: Reading['spans'] = {
      'changes.0.reference': [0, 4],
      'changes.0.to.postal': [20, 25],
      'changes.0.to.city': [26, 32],
    }
    const marked = async (sure: Reading['sure']) => {
      const more = { spans, sure: { 'changes.0.reference': true, ...sure } }
      const id = await mailWith({ kind: 'change', changes: [change('stop.added', stop)], ...more })
      await sql`update intake_mail set "customerId" = ${nordlicht} where id = ${id}`.execute(test.database.db)
      const { isSure, span } = (await draftsOf(id)).changes[0]!
      return [isSure, span]
    }
    expect(await marked({ 'changes.0.to.postal': true, 'changes.0.to.city': true })).toEqual([true, [20, 32]])
    expect(await marked({ 'changes.0.to.postal': true, 'changes.0.to.city': false })).toEqual([false, [20, 32]])
  })

  it('is at the stop whose town is named in another language', async () => {
    const { locations, cargo } = shipment(world)
    await placed({ cargo, locations: [locations![0]!, { ...locations![1]!, city: 'Leipzig' }] })
    const { changes } = await asked([
      change('dropOff.termin', termin, { of: 'Lipsk' }),
      change('dropOff.termin', termin, { of: 'Dresden' }),
    ])
    expect(changes.map(({ path }) => path)).toEqual(['locations.1.termin', null])
  })

  it('is nothing where there are several lines or stops, and names the carrier that was told', async () => {
    const { cargo, locations } = shipment(world)
    const other = { ...cargo![0]!, key: 'd' }
    const further = { ...locations![1]!, key: 'then', city: 'Łódź', cargoActions: [] }
    const ours = await placed({
      cargo: [...cargo!, other],
      locations: [locations![0]!, { ...locations![1]!, cargoActions: [] }, further].map((stop, place) => ({
        ...stop,
        cargoActions: ['c', 'd'].flatMap((cargoKey) =>
          place === 0 ? { cargoKey, action: 'PICK_UP' } : place === 2 ? { cargoKey, action: 'DROP_OFF' } : [],
        ),
      })),
      routes: [carried(world)],
    })
    await giveCarrierPapers(test.admin, world.carrier.id)
    const moved = await planner.post(`orders/${ours.id}/status`, { to: 'scheduled' }, { version: ours.version })
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    const { changes, orders } = await asked([
      change('cargo.quantity', 3),
      change('dropOff.termin', termin),
      change('dropOff.termin', termin, { of: 'lodz' }),
    ])
    expect(changes.map(({ path }) => path)).toEqual([null, null, 'locations.2.termin'])
    expect(orders[0]!.toldCarriers).toHaveLength(1)
  })

  it('keeps the hours that were agreed where the mail names another day alone, to be looked at', async () => {
    const { cargo, locations } = shipment(world)
    const hours = { kind: 'period', dateFrom: '2026-12-01', timeFrom: '08:00', dateTo: null, timeTo: '12:00' } as const
    await placed({ cargo, locations: [locations![0]!, { ...locations![1]!, termin: hours }] })
    const after = async (to: ReadTermin) => {
      const { changes } = await asked([change('dropOff.termin', to)])
      return [changes[0]!.after, changes[0]!.isSure, changes[0]!.path]
    }
    const path = 'locations.1.termin'
    expect(await after(termin)).toEqual([{ ...hours, dateFrom: '2026-12-02' }, false, path])
    const whole = { ...termin, timeFrom: '10:00' }
    expect(await after(whole)).toEqual([whole, true, path])
    const before = { ...termin, kind: 'before' as const }
    expect(await after(before)).toEqual([before, true, path])
    // A termin that can be none is no change that a form could take.
    expect(await after({ ...termin, dateFrom: null })).toEqual([null, true, null])
  })
})

it('the same number again says what the mail says otherwise, and nothing of what it does not say', async () => {
  const { cargo, locations } = shipment(world)
  const { body: ours } = await planner.post(
    'orders',
    plainOrder(world, nordlicht, {
      customerOrderNumber: 'D-1',
      customerPriceCents: 90_000,
      cargo,
      locations: [{ ...locations![0]!, companyTitle: 'Nordlicht GmbH' }, locations![1]!],
    }),
  )
  const stops: ReadStop[] = [
    {
      ...STOP,
      city: 'Hamburg',
      countryCode: 'DE',
      companyTitle: 'NORDLICHT G.m.b.H.',
      reference: 'GATE 4',
      termin: { kind: 'fix', dateFrom: '2026-12-07', timeFrom: '08:00', dateTo: null, timeTo: null },
    },
    { ...STOP, action: 'DROP_OFF', city: 'Poznan', countryCode: 'PL' },
  ]
  const read = (more: Partial<ReadOrder> = {}) =>
    order({
      customerOrderNumber: 'D-1',
      stops,
      cargo: [{ ...LINE, unit: 'Europallet', quantity: 4, weightKg: 1300 }],
      price: { amountCents: 95_000, currency: 'EUR', vat: 'net' },
      ...more,
    })
  const from = 'ole@nordlicht.example'
  const sure = { 'orders.0': true, 'orders.0.price': false }
  const of = async (more: Partial<ReadOrder>) => (await draftOf({ orders: [read(more)], sure }, { from })).again!
  const { about, differences } = await of({})
  expect(about).toMatchObject({ id: ours.id, version: ours.version, isCertain: true })
  // The unit's own size is from our records; case, points and accents are no difference.
  expect(differences.map(({ path, now, after, isSure }) => [path, now, after, isSure]).toSorted()).toEqual([
    ['cargo.0.unitTypeId', null, expect.any(Number), true],
    ['cargo.0.weightKg', 1200, 1300, true],
    ['customerPriceCents', 90_000, 95_000, false],
    ['locations.0.reference', null, 'GATE 4', true],
    ['locations.0.termin', expect.objectContaining({ dateFrom: '2026-11-30' }), stops[0]!.termin, true],
  ])
  // Another number of stops or lines is said, and no row is compared with one that it may not be.
  const more = await of({ stops: [...stops, stops[1]!], cargo: [LINE, LINE], price: null })
  expect(more.differences).toEqual([
    { path: 'locations', isTakeable: false, now: 2, after: 3, isSure: false, span: null },
    { path: 'cargo', isTakeable: false, now: 1, after: 2, isSure: false, span: null },
  ])
  expect((await of({ stops: [], cargo: [], price: null })).differences).toEqual([])
})

it('a cancellation names nobody else’s order, and is not sure of one whose customer nobody knows', async () => {
  const placed = (customerOrderNumber: string, customerId: number) =>
    planner.post('orders', plainOrder(world, customerId, { customerOrderNumber })).then(({ body }) => body)
  const theirs = await placed('PO-77', holding)
  const change = (reference: string) => ({
    kind: 'cancel' as const,
    changes: [{ reference, field: 'order' as const, of: null, from: null, to: 'canceled' }],
    sure: { 'changes.0': true },
  })
  /** Whose mail it is, as it was found when it came in. */
  const asked = async (reference: string, customerId: number | null) => {
    const id = await mailWith(change(reference))
    await sql`update intake_mail set "customerId" = ${customerId} where id = ${id}`.execute(test.database.db)
    const [one] = (await draftsOf(id)).changes
    return [one!.order?.id ?? null, one!.isSure]
  }
  // A number that this customer never gave us, and another one has: neither that order nor ours of another.
  expect(await asked('PO-77', nordlicht)).toEqual([null, true])
  expect(await asked(theirs.number, nordlicht)).toEqual([null, true])
  expect(await asked('PO-77', holding)).toEqual([theirs.id, true])
  // Nobody knows the sender: the only order of that number, or ours, to be looked at.
  expect(await asked('PO-77', null)).toEqual([theirs.id, false])
  expect(await asked(theirs.number, null)).toEqual([theirs.id, false])
  await placed('PO-77', nordlicht)
  expect(await asked('PO-77', null)).toEqual([null, true])
})

it('what does not read as an order keeps what was read of one, for who says that it is one all the same', async () => {
  const orders = [order({ customerOrderNumber: 'S-1' }), order({ customerOrderNumber: 'S-2' })]
  const setAside = { orders, contradictions: [], sure: {}, spans: {} }
  const numbers = ({ drafts }: MailDrafts) => drafts.map(({ values }) => values.customerOrderNumber)
  const id = await mailWith({ kind: 'change', setAside })
  expect(numbers(await draftsOf(id))).toEqual([null])
  expect(numbers((await planner.get(`intake-mails/${id}/drafts?as=order`)).body)).toEqual(['S-1', 'S-2'])
  expect((await planner.get(`intake-mails/${id}/drafts?as=quote`)).status).toBe(422)
  for (const position of [0, 1]) {
    const saved = await save(planner, id, position, { customerOrderNumber: `S-${position}` })
    expect(saved.status, JSON.stringify(saved.body)).toBe(201)
    expect((await mailNow(id)).state).toBe(position === 0 ? 'drafted' : 'saved')
  }
  // An inquiry is shown with what it says, and is no order by itself.
  const inquiry = await mailWith({ kind: 'other', setAside })
  expect(numbers(await draftsOf(inquiry))).toEqual(['S-1', 'S-2'])
  expect((await mailNow(inquiry)).state).toBe('new')
  // Read before this was kept.
  expect(numbers(await draftsOf(await mailWith({ kind: 'other' })))).toEqual([null])
})

it('is read again when somebody asks, and by nobody who may not see it', async () => {
  const id = await mailWith({ orders: [order({}), order({})] })
  const { version } = await mailNow(id)
  expect((await few.post(`intake-mails/${id}/read`, {}, { version })).status).toBe(404)
  const again = await planner.post(`intake-mails/${id}/read`, {}, { version })
  expect([again.status, again.body.version], JSON.stringify(again.body)).toEqual([200, version + 1])
  expect((await draftsOf(id)).drafts).toHaveLength(1)
})

describe('a mail that asks for a price', () => {
  const asked = () => ({
    customerId: nordlicht,
    departmentId: world.departmentId,
    from: { countryId: world.countries.DE, city: 'Hamburg' },
    to: { countryId: world.countries.PL, city: 'Poznań' },
    validUntil: '2099-12-31',
  })
  const quote = (caller: Caller, id: number, position = 0, body: object = {}) =>
    caller.post(`intake-mails/${id}/drafts/${position}/quote`, { ...asked(), ...body })

  it('becomes a quote, and nothing else', async () => {
    const id = await mailWith({ kind: 'other' })
    expect((await quote(few, id)).status).toBe(404)
    expect((await quote(planner, id, 1)).status).toBe(404)
    expect(codes(await quote(planner, id, 0, { customerId: 999_999 }))).toEqual([422, 'customerId unknown_reference'])
    expect((await mailNow(id)).state).toBe('new')
    const both = await Promise.all([quote(planner, id), quote(test.admin, id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const [made, refused] = both.toSorted((a, b) => a.status - b.status)
    expect(codes(refused!)).toEqual([409, 'position draft_saved'])
    expect(made!.headers.location).toBe(`/api/quotes/${made!.body.id}`)
    expect(await mailNow(id)).toMatchObject({
      state: 'saved',
      orders: [],
      quotes: [{ id: made!.body.id, title: made!.body.number }],
      mayReopen: false,
    })
    expect((await draftsOf(id)).drafts).toMatchObject([{ isSaved: true, order: null }])
    expect(codes(await save(planner, id))).toEqual([409, 'position draft_saved'])
    expect((await planner.get(`intake-mails?quoteId[]=${made!.body.id}`)).body.items).toMatchObject([{ id }])
    const own = await test.userWith('ASSIGNED_ORDERS')
    await sql`update intake_mail set "broughtInById" = ${own.id} where id = ${id}`.execute(test.database.db)
    expect((await own.caller.get(`intake-mails/${id}`)).body.quotes).toEqual([])
  })

  it('of two drafts may hold an order and a quote', async () => {
    const id = await mailWith({ orders: [order({}), order({})] })
    expect((await quote(planner, id, 1)).status).toBe(201)
    expect(await mailNow(id)).toMatchObject({ state: 'drafted' })
    expect(codes(await quote(test.admin, id, 0))).toEqual([409, 'assignedTo mail_in_hand'])
    expect((await save(planner, id, 0)).status).toBe(201)
    expect(await mailNow(id)).toMatchObject({ state: 'saved', orders: [{}], quotes: [{}] })
    expect(codes(await quote(planner, id, 0))).toEqual([409, 'position draft_saved'])
  })
})

it('an order says in its history which mail was filed with it, and that it was taken away again', async () => {
  const { body: known } = await planner.post('orders', plainOrder(world, nordlicht))
  const id = await mailWith({ kind: 'other' }, { from: 'ole@nordlicht.example' })
  const act = async (path: string, body: object) =>
    planner.post(`intake-mails/${id}/${path}`, body, { version: (await mailNow(id)).version })
  expect((await act('file-with', { orderId: known.id })).status).toBe(200)
  expect((await act('reopen', {})).status).toBe(200)
  const { body } = await planner.get(`audit-entries?orderId=${known.id}`)
  const said = body.items.map(({ action, changes, actor }: { action: string; changes: unknown; actor: unknown }) => ({
    action,
    changes,
    hasActor: actor !== null,
  }))
  const changes = [
    { path: 'subject', from: null, to: (await mailNow(id)).subject },
    { path: 'from', from: null, to: 'ole@nordlicht.example' },
  ]
  expect(said.slice(0, 2)).toEqual([
    { action: 'mailUnfiled', changes, hasActor: true },
    { action: 'mailFiled', changes, hasActor: true },
  ])
})
