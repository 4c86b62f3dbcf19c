// No page and no count of the orders list reads more than 20,500 rows at a million orders, whatever is asked (design
// §8).
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderApi } from '@waybill/contract/order/order'
import { ADMIN, useTestApp, type Caller } from '../app.ts'
import { ORDERS, writeLargeArchive } from './large-archive.ts'
import { plansOf, rowsRead, rowsReadByTheWorstPart, shape, statementsOf, statementsOfRepeated } from './rows-read.ts'

// Where every second order fits, 10,001 of them are found among 20,000, and a page among a few more.
const MOST_ROWS = 20_500

const test = useTestApp()
let me: Caller
let own: Caller
let client: pg.Client
let lanes: { often: string; seldom: string }
let ids: Record<
  | 'department'
  | 'smallDepartment'
  | 'customer'
  | 'smallCustomer'
  | 'carrier'
  | 'smallCarrier'
  | 'worker'
  | 'smallWorker'
  | 'company',
  number
>

beforeAll(async () => {
  const { rows: admins } = await test.database.pool.query<{ id: number }>(
    `select id from "user" where email = 'admin@waybill.example'`,
  )
  await writeLargeArchive(test.ownerUrl, admins[0]!.id)
  // Writing it may take longer than a sign-in holds.
  const assigned = await test.userWith('ASSIGNED_ORDERS')
  await test.database.pool.query(
    `insert into order_manager ("orderId", "userId") select id, $1 from "order" where id % 300 = 7
      and status <> 'merged'`,
    [assigned.id],
  )
  await test.database.pool.query(
    `update "order" set "managerIds" = "managerIds" || $1::bigint where id % 300 = 7 and status <> 'merged'`,
    [assigned.id],
  )
  // A customer and a carrier that left long ago: what they had lies together, far from the newest.
  await test.database.pool.query(
    `update "order" set "customerIds" = array[900001], "carrierCompanyIds" = array[900002]
      where id in (select id from "order" where status <> 'merged' order by id limit 6000)`,
  )
  // Within a minute the product has done so.
  await test.database.pool.query('select fold_figures(20000)')
  await test.asOwner('vacuum analyze "order", route_figure, figure_due')
  me = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
  own = assigned.caller
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  const ends = async (from: string, column: string) =>
    (
      await client.query<{ id: string; n: number }>(
        `select ${column} as id, count(*)::int as n from ${from} where ${column} is not null group by 1
          order by 2 desc, 1`,
      )
    ).rows.map((row) => Number(row.id))
  const [departments, customers, carriers, workers] = [
    await ends('"order"', '"departmentId"'),
    await ends('"order"', '"customerId"'),
    await ends('assignment', '"carrierCompanyId"'),
    await ends('"order"', '"caseWorkerId"'),
  ]
  const { rows: driven } = await client.query<{ lane: string }>(
    `select "laneKey" as lane from "order" where "laneKey" is not null group by 1 order by count(*) desc, 1`,
  )
  lanes = { often: driven[0]!.lane, seldom: driven.at(-1)!.lane }
  const first = (list: number[]) => list[0]!
  const last = (list: number[]) => list.at(-1)!
  ids = {
    department: first(departments),
    smallDepartment: last(departments),
    customer: first(customers),
    smallCustomer: last(customers),
    carrier: first(carriers),
    smallCarrier: last(carriers),
    worker: first(workers),
    smallWorker: last(workers),
    company: await test.idOf('company', 'code', 'WP'),
  }
}, 1_200_000)

afterAll(() => client?.end())

interface Look {
  query: string
  caller?: Caller
  headers?: Record<string, string>
  /** rows that the worst part of it may read */
  most?: number
}

/** What reads more than it may, each with its plan. */
async function greedy({ query, caller = me, headers = {}, most = MOST_ROWS }: Look): Promise<string[]> {
  const path = query.startsWith('orders') ? query : `orders?${query}`
  const statements = await statementsOfRepeated(caller, path, /from\s+"order"/i, headers)
  expect(statements.length, `statements over orders of ${path}`).toBeGreaterThan(0)
  const found: string[] = []
  for (const statement of statements) {
    for (const plan of await plansOf(client, statement)) {
      const rows = Math.round(rowsReadByTheWorstPart(plan))
      if (rows > most) found.push(`${path} reads ${rows} rows\n${shape(plan)}`)
    }
  }
  return found
}

async function expectToReadLittle(...looks: Look[]): Promise<void> {
  const found: string[] = []
  for (const look of looks) found.push(...(await greedy(look)))
  expect(found.join('\n\n')).toBe('')
}

// ---------------------------------------------------------------- what people ask for

const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const within = (name: string, from: number, to: number) => `${name}[from]=${day(from)}&${name}[to]=${day(to)}`
const STATUSES = ['new', 'scheduled', 'in_transit', 'arrived', 'delivered', 'completed', 'canceled', 'merged'] as const

/**
 * Each filter of the contract with what is common, what is rare and what is not there; a filter without an example
 * fails below.
 */
const FILTERS: Record<string, () => string[]> = {
  q: () => [
    'q=hamburg',
    'q=nordlicht%20poznan',
    'q=PO-7919',
    'q=26-',
    'q=2',
    'q=zzqqxx',
    'q=lo',
    'q=17',
    'q=17-',
    'q=17-0',
    'q=17-001',
    'q=maschinenbau%20hamburg%20a1',
    'q=an',
    // what an order is found by beside its own words: companies and postal codes of its stops, who drives, with what
    'q=kaltenbach',
    'q=lager%20nord%20bielefeld',
    'q=zaklad',
    'q=00417',
    'q=20457',
    'q=trans',
    'q=trans%20417',
    'q=lukasz%20zak',
    'q=a1b2c3d',
    'q=a1%20b2c3d',
    'q=c4',
  ],
  id: () => ['id[]=1', `id[]=${Array.from({ length: 200 }, (_, place) => 1 + place * 997).join('&id[]=')}`],
  state: () => ['state=active', 'state=inactive'],
  status: () => [
    ...STATUSES.map((status) => `status[]=${status}`),
    'status[]=new&status[]=scheduled&status[]=in_transit',
    'status[]=completed&status[]=canceled',
  ],
  departmentId: () => [
    `departmentId[]=${ids.department}`,
    `departmentId[]=${ids.smallDepartment}`,
    `departmentId[]=${ids.department}&departmentId[]=${ids.smallDepartment}`,
    'departmentId[]=999999',
  ],
  customerId: () => [
    `customerId[]=${ids.customer}`,
    `customerId[]=${ids.smallCustomer}`,
    `customerId[]=${ids.customer}&customerId[]=${ids.smallCustomer}`,
    'customerId[]=900001',
  ],
  carrierCompanyId: () => [
    `carrierCompanyId[]=${ids.carrier}`,
    `carrierCompanyId[]=${ids.smallCarrier}`,
    `carrierCompanyId[]=${ids.carrier}&carrierCompanyId[]=${ids.smallCarrier}`,
    'carrierCompanyId[]=900002',
  ],
  caseWorkerId: () => [
    `caseWorkerId[]=${ids.worker}`,
    `caseWorkerId[]=${ids.smallWorker}`,
    `caseWorkerId[]=${ids.worker}&caseWorkerId[]=${ids.smallWorker}`,
  ],
  managerId: () => [
    `managerId[]=${ids.worker}`,
    `managerId[]=${ids.smallWorker}`,
    `managerId[]=${ids.worker}&managerId[]=${ids.smallWorker}`,
  ],
  disposition: () => ['disposition[]=OWN_FLEET', 'disposition[]=OWN_FLEET&disposition[]=FOR_SALE'],
  deviation: () => ['deviation[]=CUSTOMER_LEVEL_1', 'deviation[]=CUSTOMER_LEVEL_1&deviation[]=CUSTOMER_LEVEL_3'],
  delayed: () => ['delayed=1', 'delayed=0'],
  mine: () => ['mine=1', 'mine=0'],
  fromCountry: () => ['fromCountry[]=PL', 'fromCountry[]=AT', 'fromCountry[]=PL&fromCountry[]=DE', 'fromCountry[]=MT'],
  toCountry: () => ['toCountry[]=DE', 'toCountry[]=PT', 'toCountry[]=DE&toCountry[]=PT', 'toCountry[]=MT'],
  fromTown: () => ['fromTown=Hamburg', 'fromTown=ha', 'fromTown=h', 'fromTown=Nowhere'],
  toTown: () => ['toTown=Hamburg', 'toTown=ha', 'toTown=h', 'toTown=Nowhere'],
  createdAt: () => [
    within('createdAt', 0, 0),
    within('createdAt', 37, 7),
    within('createdAt', 1500, 1470),
    `createdAt[from]=${day(3000)}`,
    `createdAt[to]=${day(3000)}`,
  ],
  firstLoading: () => [
    within('firstLoading', 0, 0),
    within('firstLoading', 37, 7),
    within('firstLoading', 1500, 1470),
    `firstLoading[from]=${day(3000)}`,
    `firstLoading[to]=${day(3000)}`,
  ],
  lastUnloading: () => [
    within('lastUnloading', 0, 0),
    within('lastUnloading', 37, 7),
    within('lastUnloading', 1500, 1470),
    `lastUnloading[from]=${day(3000)}`,
    `lastUnloading[to]=${day(3000)}`,
  ],
  lane: () => [`lane=${encodeURIComponent(lanes.often)}`, `lane=${encodeURIComponent(lanes.seldom)}`, 'lane=MT%201'],
  money: () => [
    'money[]=unpriced',
    'money[]=uncosted',
    'money[]=loss',
    'money[]=low',
    'money[]=loss&money[]=low',
    'money[]=unpriced&money[]=uncosted&money[]=loss&money[]=low',
  ],
  openPod: () => ['openPod[]=upTo3', 'openPod[]=over14', 'openPod[]=upTo3&openPod[]=upTo7&openPod[]=upTo14'],
  changedSince: () => [0, 1, 30, 3000].map((days) => `changedSince=${day(days)}T00:00:00Z`),
  statusDate: () =>
    STATUSES.flatMap((status) => [
      within(`statusDate[${status}]`, 37, 7),
      within(`statusDate[${status}]`, 1500, 1470),
      `statusDate[${status}][to]=${day(100)}`,
    ]),
}
/** How the list is walked and what its rows say, not which orders are in it. */
const WALKING = ['page', 'cursor', 'perPage', 'sort', 'fields']

/** What real people look at, by the name that they would give it. */
const COMBINATIONS: Record<string, () => Look> = {
  'my open orders by loading date': () => ({
    query: 'mine=1&status[]=new&status[]=scheduled&status[]=in_transit&sort=firstLoadingAt',
  }),
  'late orders of a department': () => ({ query: `delayed=1&departmentId[]=${ids.department}&state=active` }),
  'what one customer had delivered last month': () => ({
    query: `customerId[]=${ids.customer}&${within('lastUnloading', 37, 7)}&sort=-lastUnloadingAt`,
  }),
  'from Poland to Germany this week': () => ({
    query: `fromCountry[]=PL&toCountry[]=DE&${within('firstLoading', 7, 0)}&sort=firstLoadingAt`,
  }),
  'on the road with one carrier': () => ({
    query: `carrierCompanyId[]=${ids.carrier}&status[]=in_transit&status[]=arrived`,
  }),
  'a town among the completed': () => ({ query: 'q=hamburg&status[]=completed' }),
  'scheduled by one case worker, dearest first': () => ({
    query: `caseWorkerId[]=${ids.worker}&status[]=scheduled&sort=-customerPriceCents`,
  }),
  'worst margins of the last month': () => ({
    query: `${within('createdAt', 37, 7)}&status[]=completed&sort=marginBp`,
  }),
  'my own orders, as somebody who sees no others': () => ({ query: 'state=active&sort=-createdAt', caller: own }),
  'everything of one company, as its administrator': () => ({
    query: 'status[]=completed&state=active',
    headers: { 'group-filter': String(ids.company) },
  }),
}

/** What the dashboard asks, for all orders, one department, the caller's, and one company. */
const STATES_OF_NOW = 'status[]=scheduled&status[]=in_transit&status[]=arrived'
const DASHBOARD: Record<string, string> = {
  'delays, the longest first': 'orders?delayed=1&state=active&sort=dueAt&perPage=10',
  'new orders, the next loading first': 'orders?status[]=new&state=active&sort=firstLoadingAt&perPage=10',
  'ongoing orders, what is due next first': `orders?${STATES_OF_NOW}&delayed=0&state=active&sort=dueAt&perPage=10`,
  'loading today': `orders?${within('firstLoading', 0, 0)}&state=active&sort=firstLoadingAt&perPage=50`,
  'unloading today': `orders?${within('lastUnloading', 0, 0)}&state=active&sort=lastUnloadingAt&perPage=50`,
  'how many of each status': 'orders/counts?state=active',
  'the figures of the week': `orders/figures?${within('createdAt', 6, 0)}`,
  'what waits for me': 'orders/waiting?',
}

describe(`at ${ORDERS} orders`, () => {
  it('the archive is there, and as skewed as said', async () => {
    const { rows } = await client.query<{ all: number; completed: number; mine: number; late: number }>(
      `select count(*)::int as all, count(*) filter (where status = 'completed')::int as completed,
        (select count(*)::int from order_manager where "userId" = (select id from "user"
        where email = 'admin@waybill.example')) as mine,
        count(*) filter (where status = 'scheduled' and "expectedLoadingAt" < now())::int as late from "order"`,
    )
    expect(rows[0]!.all).toBe(ORDERS)
    expect(rows[0]!.completed).toBeGreaterThan(0.9 * ORDERS)
    expect(rows[0]!.mine).toBeGreaterThan(400)
    expect(rows[0]!.late).toBeGreaterThan(50)
  })

  it('every filter of the contract has an example here', () => {
    const filters = Object.keys((orderApi.list.query as unknown as { shape: object }).shape).filter(
      (name) => !WALKING.includes(name),
    )
    expect(Object.keys(FILTERS).toSorted()).toEqual(filters.toSorted())
  })

  it.each(Object.keys(FILTERS))('the filter %s reads little', async (name) => {
    await expectToReadLittle(...FILTERS[name]!().map((query) => ({ query })))
  })

  // No index knows a word of one letter or figure: it is looked for among the orders of the other words.
  it('a search with a word of one figure reads what the other words lead to', async () => {
    await expectToReadLittle({ query: 'q=wisniewski%20trans%207', most: 2 * MOST_ROWS })
  })

  it.each(
    (orderApi.list.query as unknown as { shape: { sort: { def: { innerType: { options: string[] } } } } }).shape.sort
      .def.innerType.options,
  )('the sort %s reads little, on the first page, by cursor and on the last counted page', async (sort) => {
    const { body } = await me.get(`orders?sort=${sort}&perPage=100`)
    await expectToReadLittle(
      { query: `sort=${sort}` },
      { query: `sort=${sort}&perPage=100&cursor=${body.nextCursor}` },
      { query: `sort=${sort}&perPage=25&page=400` },
    )
  })

  it('page 2,000 by its cursor reads what page 1 reads', async () => {
    const { body } = await me.get('orders?perPage=25&page=1999')
    const readBy = async (query: string) => {
      const [statement] = await statementsOf(me, `orders?perPage=25${query}`, /from\s+"order"/i)
      const [plan] = await plansOf(client, statement!)
      return rowsRead(plan!)
    }
    expect(Math.abs((await readBy(`&cursor=${body.nextCursor}`)) - (await readBy('')))).toBeLessThanOrEqual(26)
  })

  it.each(Object.keys(COMBINATIONS))('%s: reads little', async (name) => {
    await expectToReadLittle(COMBINATIONS[name]!())
  })

  // Views that are not open show how many orders they hold.
  const countOf = (query: string) => `orders/count?${query.replace(/&?sort=[^&]*/, '')}`
  it.each(Object.keys(FILTERS))('the count of a view with the filter %s reads little', async (name) => {
    await expectToReadLittle(...FILTERS[name]!().map((query) => ({ query: countOf(query) })))
  })

  it.each(Object.keys(COMBINATIONS))('the count of a view, %s: reads little', async (name) => {
    const look = COMBINATIONS[name]!()
    await expectToReadLittle({ ...look, query: countOf(look.query) })
  })

  it('what waits for who writes invoices holds the orders whose price is not what was billed', async () => {
    const { body } = await me.get('orders/waiting')
    expect(body.items.map(({ kind }: { kind: string }) => kind)).toContain('billed_differs')
  })

  it.each(Object.keys(DASHBOARD))('on the dashboard, %s: reads little', async (name) => {
    const path = DASHBOARD[name]!
    const narrowed = path.includes('waiting')
      ? []
      : [`${path}&departmentId[]=${ids.department}`, `${path}&departmentId[]=${ids.smallDepartment}`, `${path}&mine=1`]
    await expectToReadLittle(
      ...[path, ...narrowed].map((query) => ({ query })),
      { query: path, caller: own },
      { query: path, headers: { 'group-filter': String(ids.company) } },
    )
  })
})
