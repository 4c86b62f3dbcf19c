// No page and no count of the orders list reads more than 20,000 rows at 200,000 orders, whatever is asked (design §8).
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderApi } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../app.ts'
import { ORDERS, writeLargeArchive } from './large-archive.ts'

const MOST_ROWS = 20_000

const test = useTestApp()
let me: Caller
let own: Caller
let client: pg.Client
let ids: Record<'department' | 'smallDepartment' | 'customer' | 'smallCustomer' | 'carrier' | 'smallCarrier' | 'worker' | 'smallWorker' | 'company', number>

beforeAll(async () => {
  const { rows: admins } = await test.database.pool.query<{ id: number }>(`select id from "user" where email = 'admin@waybill.example'`)
  const assigned = await test.userWith('ASSIGNED_ORDERS')
  await writeLargeArchive(test.databaseUrl, admins[0]!.id)
  await test.database.pool.query(`insert into order_manager ("orderId", "userId") select id, $1 from "order" where id % 300 = 7`, [assigned.id])
  await test.database.pool.query(`update "order" set "managerIds" = "managerIds" || $1::bigint where id % 300 = 7`, [assigned.id])
  // A customer and a carrier that left long ago: what they had lies together, far from the newest.
  await test.database.pool.query(`update "order" set "customerIds" = array[900001], "carrierCompanyIds" = array[900002] where id in (select id from "order" order by id limit 6000)`)
  await test.database.pool.query('vacuum analyze "order"')
  me = test.admin
  own = assigned.caller
  client = new pg.Client({ connectionString: test.databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  const ends = async (from: string, column: string) =>
    (await client.query<{ id: string; n: number }>(`select ${column} as id, count(*)::int as n from ${from} where ${column} is not null group by 1 order by 2 desc, 1`)).rows.map((row) => Number(row.id))
  const [departments, customers, carriers, workers] = [await ends('"order"', '"departmentId"'), await ends('"order"', '"customerId"'), await ends('assignment', '"carrierCompanyId"'), await ends('"order"', '"caseWorkerId"')]
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
}, 300_000)

afterAll(() => client?.end())

// ---------------------------------------------------------------- what is sent to the database

interface Statement {
  text: string
  values: unknown[]
  /** prepared under a name: its plan may be one for all values */
  isNamed: boolean
}

/** The statements over orders that one request sends, as the driver gets them. */
async function statementsOf(caller: Caller, path: string, headers: Record<string, string> = {}): Promise<Statement[]> {
  const found: Statement[] = []
  const original = pg.Client.prototype.query
  const watch = function (this: pg.Client, ...args: unknown[]) {
    const [config, values] = args as [string | { text?: string; values?: unknown[]; name?: string }, unknown]
    const text = typeof config === 'string' ? config : config.text
    if (text && /from\s+"order"/i.test(text)) {
      found.push({ text, values: (typeof config === 'string' ? (Array.isArray(values) ? values : []) : config.values) ?? [], isNamed: typeof config === 'object' && Boolean(config.name) })
    }
    return (original as (...given: unknown[]) => unknown).apply(this, args)
  }
  pg.Client.prototype.query = watch as typeof original
  try {
    const answer = await caller.get(path, { headers })
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  } finally {
    pg.Client.prototype.query = original
  }
  return found
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

const childrenOf = (plan: Plan): Plan[] => plan.Plans ?? []

/** Rows of tables that a plan took into its hands; what it drops by a filter was read as well. `below` says which children to go into. */
function rowsRead(plan: Plan, below: (child: Plan) => boolean = () => true): number {
  const isScan = /^(Seq|Index|Index Only|Bitmap Heap|Tid|Sample) Scan$/.test(plan['Node Type'])
  const here = isScan ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) * plan['Actual Loops'] : 0
  return childrenOf(plan).filter(below).reduce((sum, child) => sum + rowsRead(child, below), here)
}

const isLimit = (plan: Plan): boolean => plan['Node Type'] === 'Limit'
const limitsIn = (plan: Plan): Plan[] => (isLimit(plan) ? [plan] : childrenOf(plan).flatMap(limitsIn))

/** A statement may hold page and count at once: each stops at a limit of its own, and what is read around them belongs to both. */
function rowsReadByTheWorstPart(plan: Plan): number {
  const around = rowsRead(plan, (child) => !isLimit(child))
  return around + Math.max(0, ...limitsIn(plan).map((part) => rowsRead(part)))
}

function shape(plan: Plan, depth = 0): string {
  const rows = `${plan['Actual Rows']}${plan['Rows Removed by Filter'] ? ` of ${plan['Actual Rows'] + plan['Rows Removed by Filter']}` : ''} × ${plan['Actual Loops']}`
  const line = `${'  '.repeat(depth)}${plan['Node Type']}${plan['Relation Name'] ? ` ${plan['Relation Name']}` : ''}${'Index Name' in plan ? ` by ${String(plan['Index Name'])}` : ''}: ${rows}`
  return [line, ...(plan.Plans ?? []).map((child) => shape(child, depth + 1))].join('\n')
}

/** A value as the driver sends it, in SQL's own words; a list becomes an array. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return client.escapeLiteral(`{${value.map((item) => JSON.stringify(String(item))).join(',')}}`)
  return client.escapeLiteral(String(value))
}

/** The plan as it runs: with its values, and for a named statement also the one for any values, which PostgreSQL may take after five runs. */
async function plansOf({ text, values, isNamed }: Statement): Promise<Plan[]> {
  const plans: Plan[] = []
  for (const mode of isNamed ? ['force_custom_plan', 'force_generic_plan'] : ['force_custom_plan']) {
    await client.query(`set plan_cache_mode = ${mode}`)
    await client.query(`prepare asked as ${text}`)
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) execute asked${values.length > 0 ? `(${values.map(literal).join(', ')})` : ''}`)
    await client.query('deallocate asked')
    plans.push(rows[0]!['QUERY PLAN'][0]!.Plan)
  }
  return plans
}

interface Look {
  query: string
  caller?: Caller
  headers?: Record<string, string>
}

/** What reads more than it may, each with its plan. */
async function greedy({ query, caller = me, headers = {} }: Look): Promise<string[]> {
  const path = `orders?${query}`
  // What comes back is prepared under a name from its second time on.
  await statementsOf(caller, path, headers)
  const statements = await statementsOf(caller, path, headers)
  expect(statements.length, `statements over orders of ${path}`).toBeGreaterThan(0)
  const found: string[] = []
  for (const statement of statements) {
    for (const plan of await plansOf(statement)) {
      const rows = Math.round(rowsReadByTheWorstPart(plan))
      if (rows > MOST_ROWS) found.push(`${path} reads ${rows} rows\n${shape(plan)}`)
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

/** Each filter of the contract with what is common, what is rare and what is not there; a filter without an example fails below. */
const FILTERS: Record<string, () => string[]> = {
  q: () => ['q=hamburg', 'q=nordlicht%20poznan', 'q=PO-7919', 'q=26-', 'q=2', 'q=zzqqxx', 'q=lo', 'q=17', 'q=17-', 'q=17-0', 'q=17-001', 'q=maschinenbau%20hamburg%20a1', 'q=an'],
  state: () => ['state=active', 'state=inactive'],
  status: () => [...STATUSES.map((status) => `status[]=${status}`), 'status[]=new&status[]=scheduled&status[]=in_transit', 'status[]=completed&status[]=canceled'],
  departmentId: () => [`departmentId[]=${ids.department}`, `departmentId[]=${ids.smallDepartment}`, `departmentId[]=${ids.department}&departmentId[]=${ids.smallDepartment}`, 'departmentId[]=999999'],
  customerId: () => [`customerId[]=${ids.customer}`, `customerId[]=${ids.smallCustomer}`, `customerId[]=${ids.customer}&customerId[]=${ids.smallCustomer}`, 'customerId[]=900001'],
  carrierCompanyId: () => [`carrierCompanyId[]=${ids.carrier}`, `carrierCompanyId[]=${ids.smallCarrier}`, `carrierCompanyId[]=${ids.carrier}&carrierCompanyId[]=${ids.smallCarrier}`, 'carrierCompanyId[]=900002'],
  caseWorkerId: () => [`caseWorkerId[]=${ids.worker}`, `caseWorkerId[]=${ids.smallWorker}`, `caseWorkerId[]=${ids.worker}&caseWorkerId[]=${ids.smallWorker}`],
  managerId: () => [`managerId[]=${ids.worker}`, `managerId[]=${ids.smallWorker}`, `managerId[]=${ids.worker}&managerId[]=${ids.smallWorker}`],
  disposition: () => ['disposition[]=OWN_FLEET', 'disposition[]=OWN_FLEET&disposition[]=FOR_SALE'],
  deviation: () => ['deviation[]=CUSTOMER_LEVEL_1', 'deviation[]=CUSTOMER_LEVEL_1&deviation[]=CUSTOMER_LEVEL_3'],
  delayed: () => ['delayed=1', 'delayed=0'],
  mine: () => ['mine=1', 'mine=0'],
  fromCountry: () => ['fromCountry[]=PL', 'fromCountry[]=AT', 'fromCountry[]=PL&fromCountry[]=DE', 'fromCountry[]=MT'],
  toCountry: () => ['toCountry[]=DE', 'toCountry[]=PT', 'toCountry[]=DE&toCountry[]=PT', 'toCountry[]=MT'],
  createdAt: () => [within('createdAt', 0, 0), within('createdAt', 37, 7), within('createdAt', 1500, 1470), `createdAt[from]=${day(3000)}`, `createdAt[to]=${day(3000)}`],
  firstLoading: () => [within('firstLoading', 0, 0), within('firstLoading', 37, 7), within('firstLoading', 1500, 1470), `firstLoading[from]=${day(3000)}`, `firstLoading[to]=${day(3000)}`],
  lastUnloading: () => [within('lastUnloading', 0, 0), within('lastUnloading', 37, 7), within('lastUnloading', 1500, 1470), `lastUnloading[from]=${day(3000)}`, `lastUnloading[to]=${day(3000)}`],
  statusDate: () => STATUSES.flatMap((status) => [within(`statusDate[${status}]`, 37, 7), within(`statusDate[${status}]`, 1500, 1470), `statusDate[${status}][to]=${day(100)}`]),
}
/** How the list is walked, not what is in it. */
const WALKING = ['page', 'cursor', 'perPage', 'sort']

/** What real people look at, by the name that they would give it. */
const COMBINATIONS: Record<string, () => Look> = {
  'my open orders by loading date': () => ({ query: 'mine=1&status[]=new&status[]=scheduled&status[]=in_transit&sort=firstLoadingAt' }),
  'late orders of a department': () => ({ query: `delayed=1&departmentId[]=${ids.department}&state=active` }),
  'what one customer had delivered last month': () => ({ query: `customerId[]=${ids.customer}&${within('lastUnloading', 37, 7)}&sort=-lastUnloadingAt` }),
  'from Poland to Germany this week': () => ({ query: `fromCountry[]=PL&toCountry[]=DE&${within('firstLoading', 7, 0)}&sort=firstLoadingAt` }),
  'on the road with one carrier': () => ({ query: `carrierCompanyId[]=${ids.carrier}&status[]=in_transit&status[]=arrived` }),
  'a town among the completed': () => ({ query: 'q=hamburg&status[]=completed' }),
  'scheduled by one case worker, dearest first': () => ({ query: `caseWorkerId[]=${ids.worker}&status[]=scheduled&sort=-customerPriceCents` }),
  'worst margins of the last month': () => ({ query: `${within('createdAt', 37, 7)}&status[]=completed&sort=marginBp` }),
  'my own orders, as somebody who sees no others': () => ({ query: 'state=active&sort=-createdAt', caller: own }),
  'everything of one company, as its administrator': () => ({ query: 'status[]=completed&state=active', headers: { 'group-filter': String(ids.company) } }),
}

describe(`at ${ORDERS} orders`, () => {
  it('the archive is there, and as skewed as said', async () => {
    const { rows } = await client.query<{ all: number; completed: number; mine: number; late: number }>(
      `select count(*)::int as all, count(*) filter (where status = 'completed')::int as completed, (select count(*)::int from order_manager where "userId" = (select id from "user" where email = 'admin@waybill.example')) as mine,
        count(*) filter (where status = 'scheduled' and "expectedLoadingAt" < now())::int as late from "order"`,
    )
    expect(rows[0]!.all).toBe(ORDERS)
    expect(rows[0]!.completed).toBeGreaterThan(0.9 * ORDERS)
    expect(rows[0]!.mine).toBeGreaterThan(400)
    expect(rows[0]!.late).toBeGreaterThan(50)
  })

  it('every filter of the contract has an example here', () => {
    const filters = Object.keys((orderApi.list.query as unknown as { shape: object }).shape).filter((name) => !WALKING.includes(name))
    expect(Object.keys(FILTERS).toSorted()).toEqual(filters.toSorted())
  })

  it.each(Object.keys(FILTERS))('the filter %s reads little', async (name) => {
    await expectToReadLittle(...FILTERS[name]!().map((query) => ({ query })))
  })

  it.each((orderApi.list.query as unknown as { shape: { sort: { def: { innerType: { options: string[] } } } } }).shape.sort.def.innerType.options)('the sort %s reads little, on the first page, by cursor and on the last counted page', async (sort) => {
    const { body } = await me.get(`orders?sort=${sort}&perPage=100`)
    await expectToReadLittle({ query: `sort=${sort}` }, { query: `sort=${sort}&perPage=100&cursor=${body.nextCursor}` }, { query: `sort=${sort}&perPage=25&page=400` })
  })

  it.each(Object.keys(COMBINATIONS))('%s: reads little', async (name) => {
    await expectToReadLittle(COMBINATIONS[name]!())
  })
})
