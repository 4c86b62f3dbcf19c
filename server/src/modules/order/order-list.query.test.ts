import { beforeAll, describe, expect, it } from 'vitest'
import { OrderRow, type Order, type OrderInput } from '@waybill/contract/order/order'
import { raced } from '../../../test/database/locks.ts'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let mine: { caller: Caller; id: number }

// Every order of this file by a word of its own, so that each question has one answer.
const orders: Record<string, Order> = {}
const nameOf = (row: { number: string }) =>
  Object.entries(orders).find(([, order]) => order.number === row.number)?.[0] ?? row.number
const listed = async (query: string, caller = test.admin): Promise<string[]> => {
  const { status, body } = await caller.get(`orders?perPage=100&sort=number${query && `&${query}`}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items.map(nameOf)
}

async function make(
  name: string,
  customerId: number,
  more: Partial<OrderInput> = {},
  ...moves: [to: string, more?: object][]
): Promise<Order> {
  const created = await test.admin.post<Order>('orders', plainOrder(world, customerId, { description: name, ...more }))
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  let order = created.body
  for (const [to, given] of moves) {
    const { status, body } = await test.admin.post<Order>(`orders/${order.id}/status`, {
      to,
      version: order.version,
      reason: 'x',
      at: '2026-03-29T22:30:00Z',
      ...given,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    order = body
  }
  orders[name] = order
  return order
}

beforeAll(async () => {
  // The orders' own days lie in that spring.
  test.clock.advance(Date.parse('2026-03-29T22:45:00Z') - Date.now())
  world = await orderWorld(test)
  mine = await test.userWith('ASSIGNED_ORDERS')
  const [lodz, kroger] = [
    await world.customer('Fabryka Mebli Łódź S.A.', 'PL'),
    await world.customer('Möbelhaus Kröger', 'DE'),
  ]
  const { DE, PL, NL } = world.countries
  const other = await test.admin.post('departments', {
    abbreviation: 'HH 2',
    companyId: await test.idOf('company', 'code', 'WB'),
    countryId: DE,
  })
  const trip = (from: number, to: number, dateFrom: string, dateTo: string): Pick<OrderInput, 'locations'> => ({
    locations: [
      { kind: 'loading', termin: { kind: 'fix', dateFrom, timeFrom: '00:30' }, countryId: from, city: 'Ożarów' },
      { kind: 'other', countryId: DE, city: 'Zwickau' },
      {
        kind: 'unloading',
        termin: { kind: 'fix', dateFrom: dateTo, timeFrom: '23:30' },
        countryId: to,
        city: 'Venlo',
        reference: 'VFH-2231',
      },
    ],
  })
  await make('plain', lodz)
  await make('priced', lodz, {
    customerPriceCents: 100_000,
    customerOrderNumber: '100%_sure',
    deviations: ['CARRIER_LEVEL_2'],
    disposition: 'FOR_SALE',
  })
  await make('trip', kroger, {
    ...trip(PL, NL, '2026-03-29', '2026-03-30'),
    customerPriceCents: 200_000,
    routes: [carried(world, 150_000)],
  })
  await make('assigned', kroger, {
    managerIds: [mine.id],
    caseWorkerId: mine.id,
    departmentId: other.body.id,
    disposition: 'OWN_FLEET',
  })
  await make('shared', kroger, {
    customerIds: [kroger, lodz],
    customerPriceCents: 50_000,
    routes: [carried(world, 60_000)],
  })
  await make('canceled', lodz, {}, ['canceled'])
  await make('late', lodz, { ...trip(DE, PL, '2024-05-01', '2024-05-02'), routes: [carried(world, 1)] }, ['scheduled'])
  await make('idle', lodz)
  const idle = await test.admin.patch(`orders/${orders.idle!.id}`, { state: 'inactive' }, { version: 1 })
  orders.idle = idle.body
})

describe('the orders list', () => {
  it.each([
    'status[]=lost',
    'status=new',
    'state=gone',
    'departmentId[]=x',
    'delayed=yes',
    'mine=true',
    'fromCountry[]=Germany',
    'createdAt=2026-01-01',
    'createdAt[from]=2026-02-30',
    'createdAt[since]=2026-01-01',
    'changedSince=2026-01-01',
    'changedSince=yesterday',
    'statusDate.lost[from]=2026-01-01',
    'sort=margin',
    'perPage=20',
    'page=0',
    'colour=red',
    'fromTown=%00',
    'fromTown[]=x',
    'q=%00',
    'cursor=abc',
    'deviation[]=NONE',
    'ids[]=1',
    'id=1',
    'fields=id',
    'fields[]=colour',
    'fields[]=from.city',
    `fields[]=${Array.from({ length: Object.keys(OrderRow.shape).length + 1 }, () => 'id').join('&fields[]=')}`,
    'id[]=x',
    'id[]=0',
    `id[]=${Array.from({ length: 201 }, (_, place) => place + 1).join('&id[]=')}`,
  ])('refuses %s', async (query) => {
    expect((await test.admin.get(`orders?${query}`)).status).toBe(422)
  })

  it.each<[string, string[]]>([
    ['', ['plain', 'priced', 'trip', 'assigned', 'shared', 'canceled', 'late', 'idle']],
    ['status[]=canceled&status[]=scheduled', ['canceled', 'late']],
    ['state=inactive', ['idle']],
    ['state=active&status[]=new', ['plain', 'priced', 'trip', 'assigned', 'shared']],
    ['disposition[]=OWN_FLEET', ['assigned']],
    ['deviation[]=CARRIER_LEVEL_2&deviation[]=CARRIER_LEVEL_3', ['priced']],
    ['delayed=1', ['late']],
    ['delayed=0&status[]=scheduled', []],
    ['fromCountry[]=PL', ['trip']],
    ['toCountry[]=PL&toCountry[]=NL', ['trip', 'late']],
    ['fromTown=ozarow', ['trip', 'late']],
    ['fromTown=O%C5%BC', ['trip', 'late']],
    ['fromTown=zarow', []],
    ['toTown=VENLO&fromTown=o', ['trip', 'late']],
    ['toTown=%25', []],
    // The stop's day, not the machine's: half past midnight in Poland is still the 28th in UTC, half to twelve in the
    // Netherlands the 30th in both.
    ['firstLoading[from]=2026-03-29&firstLoading[to]=2026-03-29', ['trip']],
    ['firstLoading[to]=2026-03-28&firstLoading[from]=2026-01-01', []],
    ['lastUnloading[from]=2026-03-30&lastUnloading[to]=2026-03-30', ['trip']],
    ['lastUnloading[from]=2026-03-31', []],
    // 22:30 in UTC is the next day in Hamburg, where the company is.
    ['statusDate.scheduled[from]=2026-03-30&statusDate.scheduled[to]=2026-03-30', ['late']],
    ['statusDate.canceled[to]=2026-03-29', []],
    ['statusDate.canceled[from]=2026-03-30', ['canceled']],
    ['createdAt[from]=2999-01-01', []],
    ['changedSince=2999-01-01T00:00:00Z', []],
    ['changedSince=2020-01-01T00:00:00%2B01:00&disposition[]=FOR_SALE', ['priced']],
    ['createdAt[from]=2020-01-01&createdAt[to]=2999-12-31&disposition[]=FOR_SALE', ['priced']],
  ])('filters by %s', async (query, names) => {
    expect(await listed(query)).toEqual(names)
  })

  it('finds what was changed since a moment, however it was', async () => {
    const since = test.clock.now().toISOString()
    const found = async () => (await listed(`changedSince=${since}`)).toSorted()
    expect(await found()).toEqual([])
    const { body: plain } = await test.admin.get(`orders/${orders.plain!.id}`)
    await test.admin.patch(`orders/${orders.plain!.id}`, { internalComments: 'Changed' }, { version: plain.version })
    expect(await found()).toEqual(['plain'])
    expect(await listed(`changedSince=${new Date(test.clock.now().getTime() + 1000).toISOString()}`)).toEqual([])
  })

  it('filters by customers, co-customers too, by carrier, department, case worker and manager', async () => {
    const id = (name: string) => orders[name]!
    expect(await listed(`customerId[]=${id('plain').customerIds[0]!}`)).toEqual([
      'plain',
      'priced',
      'shared',
      'canceled',
      'late',
      'idle',
    ])
    expect(await listed(`carrierCompanyId[]=${world.carrier.id}`)).toEqual(['trip', 'shared', 'late'])
    expect(await listed('carrierCompanyId[]=999999')).toEqual([])
    expect(await listed(`departmentId[]=${id('assigned').departmentId}`)).toEqual(['assigned'])
    expect(await listed(`caseWorkerId[]=${mine.id}`)).toEqual(['assigned'])
    expect(await listed(`managerId[]=${mine.id}`)).toEqual(['assigned'])
    expect(await listed('mine=1', mine.caller)).toEqual(['assigned'])
    expect(await listed('mine=0', mine.caller)).toEqual([])
  })

  it('is narrowed to the orders that somebody has chosen, of which a foreign one is simply not there', async () => {
    const ids = (...names: string[]) => names.map((name) => `id[]=${orders[name]!.id}`).join('&')
    expect(await listed(ids('idle', 'plain', 'assigned'))).toEqual(['plain', 'assigned', 'idle'])
    expect(await listed(`${ids('idle', 'plain', 'assigned')}&state=active`)).toEqual(['plain', 'assigned'])
    expect(await listed(`${ids('plain')}&id[]=999999`)).toEqual(['plain'])
    expect(await listed(ids('plain', 'assigned', 'late'), mine.caller)).toEqual(['assigned'])
    expect(await listed(ids('plain', 'late'), mine.caller)).toEqual([])
  })

  it.each<[string, string[]]>([
    ['fabryka lodz', ['plain', 'priced', 'shared', 'canceled', 'late', 'idle']],
    ['MÖBELHAUS', ['trip', 'assigned', 'shared']],
    ['mobel kroger', ['trip', 'assigned', 'shared']],
    ['zarow', ['trip', 'late']],
    ['po 4t112', ['trip', 'shared', 'late']],
    ['vfh-2231', ['trip', 'late']],
    ['100%_su', ['priced']],
    ['100%Xsu', []],
    ['nothing like it', []],
    ["'; drop table", []],
  ])('finds parts of words without regard to case and accents: %s', async (q, names) => {
    expect(await listed(`q=${encodeURIComponent(q)}`)).toEqual(names)
  })

  it('takes fewer than three characters for the beginning of a number', async () => {
    const year = orders.plain!.number.slice(0, 2)
    expect(await listed(`q=${year}`)).toHaveLength(8)
    expect(await listed(`q=${year}-0`)).toHaveLength(8)
    expect(await listed(`q=${year}-9`)).toEqual([])
    expect(await listed('q=%C5%81')).toEqual([])
    expect(await listed(`q=${orders.trip!.number}`)).toEqual(['trip'])
  })

  it.each<[string, (row: OrderRow) => unknown]>([
    ['createdAt', (row) => row.createdAt],
    ['number', (row) => row.number],
    [
      'status',
      (row) => ['new', 'scheduled', 'in_transit', 'arrived', 'delivered', 'completed', 'canceled'].indexOf(row.status),
    ],
    ['customer', (row) => row.customer!.title],
    ['firstLoadingAt', (row) => row.firstLoadingAt],
    ['lastUnloadingAt', (row) => row.lastUnloadingAt],
    ['customerPriceCents', (row) => row.customerPriceCents],
    ['marginBp', (row) => row.marginBp],
    ['dueAt', (row) => row.delay?.expectedAt ?? null],
  ])('sorts by %s both ways, empty values last, and walks through by cursor as by page', async (sort, valueOf) => {
    for (const direction of ['', '-']) {
      const { body: whole } = await test.admin.get(`orders?perPage=100&sort=${direction}${sort}`)
      const values = whole.items.map(valueOf) as (string | number | null)[]
      const present = values.filter((value) => value !== null)
      expect(values.slice(present.length).every((value) => value === null)).toBe(true)
      if (sort === 'customer') expect(new Set(present).size).toBe(2)
      else
        expect(present).toEqual(
          direction === ''
            ? present.toSorted((a, b) => (a < b ? -1 : 1))
            : present.toSorted((a, b) => (a > b ? -1 : 1)),
        )

      const rest = 12 - whole.items.length
      for (let extra = 0; extra < rest; extra += 1)
        await make(`${sort}${direction}${extra}`, orders.plain!.customerIds[0]!, extra === 0 ? shipment(world) : {})
      const wanted = (await test.admin.get(`orders?perPage=100&sort=${direction}${sort}`)).body.items.map(
        (row: OrderRow) => row.id,
      )
      // Gathered by what narrows the list and sorted then, the same orders come in the same order.
      const everybody = [...new Set(Object.values(orders).flatMap((order) => order.customerIds))]
        .map((id) => `customerId[]=${id}`)
        .join('&')
      const gathered = (await test.admin.get(`orders?perPage=10&sort=${direction}${sort}&${everybody}`)).body
      const after = (
        await test.admin.get(`orders?perPage=10&sort=${direction}${sort}&${everybody}&cursor=${gathered.nextCursor}`)
      ).body
      expect([...gathered.items, ...after.items].map((row: OrderRow) => row.id)).toEqual(wanted)
      expect(gathered).toMatchObject({ total: wanted.length, totalIsExact: true })
      expect(
        (await test.admin.get(`orders?perPage=10&sort=${direction}${sort}&${everybody}&page=2`)).body.items,
      ).toEqual(after.items)
      const first = (await test.admin.get(`orders?perPage=10&sort=${direction}${sort}`)).body
      const second = (await test.admin.get(`orders?perPage=10&sort=${direction}${sort}&cursor=${first.nextCursor}`))
        .body
      expect([...first.items, ...second.items].map((row: OrderRow) => row.id)).toEqual(wanted)
      expect(second.nextCursor).toBeNull()
      const found = JSON.parse(Buffer.from(first.nextCursor, 'base64url').toString()) as object
      const handMade = Buffer.from(JSON.stringify({ ...found, value: '30.02.2026' })).toString('base64url')
      const { status } = await test.admin.get(`orders?perPage=10&sort=${direction}${sort}&cursor=${handMade}`)
      expect(status).toBe(['number', 'customer'].includes(sort) ? 200 : 422)
      const byPage = (await test.admin.get(`orders?perPage=10&sort=${direction}${sort}&page=2`)).body
      expect(byPage.items).toEqual(second.items)
      expect(
        (await test.admin.get(`orders?perPage=10&sort=${direction}${sort}&q=fabryka&cursor=${first.nextCursor}`)).body
          .errors[0].code,
      ).toBe('cursor_mismatch')
    }
  })

  it('is read by the date or the number that it is narrowed by, unless it is told how', async () => {
    const datesOf = async (query: string, valueOf: (row: OrderRow) => unknown) =>
      (await test.admin.get(`orders?perPage=100&${query}`)).body.items.map(valueOf)
    const descending = (values: string[]) => values.toSorted((a, b) => (a > b ? -1 : 1))
    const loadings = await datesOf('firstLoading[from]=2020-01-01', (row) => row.firstLoadingAt)
    expect(loadings).toEqual(descending(loadings))
    expect(new Set(loadings).size).toBeGreaterThan(1)
    const unloadings = await datesOf('lastUnloading[from]=2020-01-01', (row) => row.lastUnloadingAt)
    expect(unloadings).toEqual(descending(unloadings))
    const numbers = await datesOf(`q=${orders.plain!.number.slice(0, 2)}`, (row) => row.number)
    expect(numbers).toEqual(descending(numbers))
    expect(await datesOf('statusDate.new[from]=2020-01-01', (row) => row.id)).toEqual(
      await datesOf('sort=-createdAt', (row) => row.id),
    )
    const created = await datesOf('firstLoading[from]=2020-01-01&sort=createdAt', (row) => row.createdAt)
    expect(created).toEqual(descending(created).toReversed())
  })

  it('shows what a table of orders shows', async () => {
    const { body } = await test.admin.get(`orders?q=${orders.trip!.number}`)
    expect(body).toMatchObject({ page: 1, perPage: 25, total: 1, totalIsExact: true, nextCursor: null })
    expect(body.items[0]).toMatchObject({
      customer: { title: 'Möbelhaus Kröger' },
      customerCount: 1,
      from: { countryCode: 'PL', city: 'Ożarów', timeZone: 'Europe/Warsaw', at: '2026-03-28T23:30:00.000Z' },
      to: { countryCode: 'NL', city: 'Venlo', timeZone: 'Europe/Amsterdam', at: '2026-03-30T21:30:00.000Z' },
      viaCount: 1,
      incomeCents: 50_000,
      marginBp: 2500,
      department: { title: expect.any(String) },
    })
  })

  it('says of each row what is asked for, as a list of values in that order, and nothing else', async () => {
    const { body: whole } = await test.admin.get('orders?perPage=100')
    const asking = async (names: readonly string[]) =>
      (await test.admin.get(`orders?perPage=100&${names.map((name) => `fields[]=${name}`).join('&')}`)).body
    const names = Object.keys(OrderRow.shape) as (keyof OrderRow)[]
    for (const asked of [names.toReversed(), ...names.map((name) => [name]), ['number', 'hasRoute', 'number'] as const])
      expect(await asking(asked), asked.join()).toEqual({
        ...whole,
        items: whole.items.map((row: OrderRow) => asked.map((name) => row[name])),
      })
    expect((await test.admin.get('orders/count?fields[]=id')).status).toBe(422)
    expect((await mine.caller.get('orders?fields[]=id&fields[]=department')).body.items).toEqual([
      [orders.assigned!.id, orders.assigned!.department],
    ])
  })

  it('goes on from the same cursor whatever is asked of its rows', async () => {
    const { body: whole } = await test.admin.get('orders?perPage=100')
    const { body: first } = await test.admin.get('orders?perPage=10&fields[]=number')
    const { body: second } = await test.admin.get(`orders?perPage=10&fields[]=id&cursor=${first.nextCursor}`)
    expect([first.items.length, second.items]).toEqual([10, whole.items.slice(10, 20).map(({ id }: OrderRow) => [id])])
  })

  it('has a compact form: number and nothing else, by ids too', async () => {
    const { body } = await test.admin.get(`orders?ids[]=${orders.trip!.id}&ids[]=${orders.plain!.id}`, {
      compact: true,
    })
    expect(body.items).toEqual([orders.trip!, orders.plain!].map(({ id, number }) => ({ id, title: number })))
    expect((await test.admin.get('orders?status[]=new', { compact: true })).status).toBe(422)
  })

  it('is counted by status, mine, open and late, under the same filters', async () => {
    const { body: all } = await test.admin.get('orders/counts')
    const total = (await test.admin.get('orders')).body.total
    expect(Object.values(all.byStatus as Record<string, number>).reduce((a, b) => a + b)).toBe(total)
    expect(all).toMatchObject({ byStatus: { scheduled: 1, canceled: 1, merged: 0 }, delayed: 1, open: total - 1 })
    const { body: inactive } = await test.admin.get('orders/counts?state=inactive')
    expect(inactive).toMatchObject({ byStatus: { new: 1, scheduled: 0 }, open: 1, delayed: 0 })
    expect((await mine.caller.get('orders/counts')).body).toMatchObject({
      mine: 1,
      open: 1,
      byStatus: { new: 1, canceled: 0 },
    })
    expect((await test.admin.get(`orders/counts?departmentId[]=${orders.assigned!.departmentId}`)).body).toMatchObject({
      open: 1,
    })
  })

  it('shows the new title of a customer who was renamed in the moment in which the order was saved', async () => {
    const id = await world.customer('Im Moment vorher GmbH', 'DE')
    const rename = (title: string) => (client: { query: (text: string, values: unknown[]) => Promise<unknown> }) =>
      client.query('update customer set title = $1 where id = $2', [title, id])
    const made = await raced(test, rename('Mitten im Anlegen GmbH'), () =>
      test.admin.post('orders', plainOrder(world, id, {})),
    )
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect((await test.admin.get('orders?q=mitten%20anlegen')).body.items[0]).toMatchObject({
      id: made.body.id,
      customer: { title: 'Mitten im Anlegen GmbH' },
    })
    const saved = await raced(test, rename('Mitten im Sichern GmbH'), () =>
      test.admin.patch(`orders/${made.body.id}`, { description: 'x' }, { version: made.body.version }),
    )
    expect(saved.status).toBe(200)
    expect((await test.admin.get('orders?q=mitten%20sichern')).body.total).toBe(1)
    expect((await test.admin.get('orders?q=mitten%20anlegen')).body.total).toBe(0)
  })

  it('is not made for a customer who is removed in that moment', async () => {
    const id = await world.customer('Gleich weg GmbH', 'DE')
    const answer = await raced(
      test,
      (client) => client.query('delete from customer where id = $1', [id]),
      () => test.admin.post('orders', plainOrder(world, id, {})),
    )
    expect([answer.status, answer.body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ path: 'customerIds', code: 'unknown_reference' }),
    ])
  })

  it('finds an order by its firms, postal codes, carrier, driver, and plate without its blank', async () => {
    const id = await world.customer('Gefunden GmbH', 'DE')
    const plan = shipment(world)
    plan.locations![1] = { ...plan.locations![1]!, companyTitle: 'Rampe Sieben AG', postal: '97 318' }
    await make('found', id, { ...plan, routes: [carried(world)] })
    for (const words of ['rampe sieben', '318', 'po4t112', '4t112 po'])
      expect([words, await listed(`q=${encodeURIComponent(`${words} gefunden`)}`)]).toEqual([words, ['found']])
    const carrier = (await test.admin.get(`carrier-companies/${world.carrier.id}`)).body
    expect(await listed(`q=${encodeURIComponent(`${carrier.title} gefunden`)}`)).toEqual(['found'])
    expect(await listed(`q=${encodeURIComponent(`${carrier.drivers[0].fullName} gefunden`)}`)).toEqual(['found'])

    const drivers = carrier.drivers.map((driver: object, index: number) =>
      index === 0 ? { ...driver, fullName: 'Żaneta Nowa' } : driver,
    )
    const renamed = await test.admin.patch(
      `carrier-companies/${world.carrier.id}`,
      { title: 'Umgetauft Sp. z o.o.', drivers },
      { version: carrier.version },
    )
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(200)
    expect(await listed('q=umgetauft%20zaneta%20gefunden')).toEqual(['found'])
  })

  it('shows a customer’s new title at once, and finds the order by it', async () => {
    const id = await world.customer('Umbenannt vorher GmbH', 'DE')
    const order = await make('renamed', id, { ...shipment(world), routes: [carried(world)] })
    await test.admin.patch(`customers/${id}`, { title: 'Kühne Größe SE' }, { version: 1 })
    expect(await listed('q=kuhne%20grosse')).toEqual(['renamed'])
    expect(await listed('q=umbenannt')).toEqual([])
    const { body } = await test.admin.get(`orders/${order.id}`)
    expect(body).toMatchObject({ version: order.version, customers: [{ title: 'Kühne Größe SE' }] })
  })
})
