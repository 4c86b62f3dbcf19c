import { sql, type Selectable } from 'kysely'
import type { z } from 'zod'
import type { Reference } from '@waybill/contract/kit/fields'
import { EXACT_TOTAL, isNumberBeginning, type compactQuery, type Page } from '@waybill/contract/kit/paging'
import type { ListQueryOf } from '@waybill/contract/kit/resource'
import {
  orderApi,
  type MoneyFault,
  type countMatchingOrders,
  type countOrders,
  type OrderRow,
} from '@waybill/contract/order/order'
import { delayAgainst } from '@waybill/contract/order/delay'
import { POD_AGE_DAYS, POD_AGES, type PodAge } from '@waybill/contract/order/papers/pod'
import { OPEN_STATUSES, ORDER_STATUSES, type OrderStatus } from '@waybill/contract/order/status'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import { plannedWithValues } from '../../kit/database/prepared.ts'
import { withinDays } from '../../kit/records/day-range.ts'
import { conditionsOf, type Filters } from '../../kit/records/filters.ts'
import {
  escapeLike,
  listPage,
  searchIn,
  type AnyQuery,
  type ListQuery,
  type SortColumn,
} from '../../kit/records/paging.ts'
import { pick, titled } from './order-view.query.ts'
import {
  managedBy,
  ofCompany,
  seesOwnOrdersOnly,
  shares,
  unknownIds,
  type Ids,
  type OrderCondition,
  type OrderScope,
} from './order.policy.ts'
import { STATUS_COLUMNS } from './order.table.ts'

type OrderListQuery = ListQueryOf<typeof orderApi>

const SORTS: Record<string, SortColumn> = {
  createdAt: { column: 'order.createdAt', type: 'timestamptz' },
  number: { column: 'order.number', type: 'text' },
  status: { column: 'order.statusRank', type: 'int' },
  customer: { column: 'order.customerTitle', type: 'text' },
  firstLoadingAt: { column: 'order.firstLoadingAt', type: 'timestamptz', isNullable: true },
  lastUnloadingAt: { column: 'order.lastUnloadingAt', type: 'timestamptz', isNullable: true },
  customerPriceCents: { column: 'order.customerPriceCents', type: 'bigint', isNullable: true },
  marginBp: { column: 'order.marginBp', type: 'int', isNullable: true },
  dueAt: { column: 'order.dueAt', type: 'timestamptz', isNullable: true },
  // Only ever beside a range of the same date, which leaves no empty ones.
  ...Object.fromEntries(
    Object.entries(STATUS_COLUMNS).map(([status, column]) => [
      `statusDate.${status}`,
      { column: `order.${column}`, type: 'timestamptz' } as const,
    ]),
  ),
}

/**
 * A day is one in the company's zone, at a stop in the stop's (api, General).
 * All zones are read once, not anew for each row near the edges of a span.
 */
const COMPANY_ZONE = sql`(
  (select jsonb_object_agg(d.id, c."timeZone") from department d join company c on c.id = d."companyId")
    ->> "order"."departmentId"::text
)`

/** Past the date expected for what its status waits for (domain, Delays). */
const isDelayed = (ctx: Ctx): OrderCondition => sql<boolean>`"order"."dueAt" < ${ctx.clock.now().toISOString()}`

/** One value as an equation: only then can an index on column and date be walked in the order of the dates. */
const among = (column: string, values: readonly unknown[], type: 'bigint' | 'text'): OrderCondition =>
  values.length === 1
    ? sql<boolean>`${sql.ref(`order.${column}`)} = ${values[0]}`
    : sql<boolean>`${sql.ref(`order.${column}`)} = any(${values}::${sql.raw(`${type}[]`)})`

/**
 * `isForAnyWords` where up to a bound is gathered: by the trigram index, however common the words are. Seen by the
 * planner, a word of every fourth order is looked for in the table as it lies, four rows for each that is found.
 */
const search = (q: string, isForAnyWords: boolean): OrderCondition =>
  isNumberBeginning(q)
    ? sql<boolean>`"order".number like ${`${q.trim()}%`}`
    : searchIn(q, 'order.searchKey', ['order.number'], { isForAnyWords })

/** The beginning of a town's name, where an index finds it. */
const beginsWith = (column: 'fromCity' | 'toCity', town: string): OrderCondition =>
  sql<boolean>`search_key(${sql.ref(`order.${column}`)}) like search_key(${`${escapeLike(town)}%`})`

/** The margin in basis points as one index holds it: whatever loses money, also without a margin, is -1. */
const EARNING = sql`(case when "order"."incomeCents" < 0 then -1 else "order"."marginBp" end)`

/** Read once, not anew for each row. */
const MARGIN_WARNING = sql`(
  (select jsonb_object_agg(d.id, c."marginWarningBp") from department d join company c on c.id = d."companyId")
    ->> "order"."departmentId"::text
)::int`

const MONEY_FAULTS: Readonly<Record<MoneyFault, OrderCondition>> = {
  unpriced: sql`"order"."customerPriceCents" is null`,
  uncosted: sql`"order"."carrierCostCents" is null`,
  loss: sql`${EARNING} < 0`,
  low: sql`(${EARNING} >= 0 and ${EARNING} < ${MARGIN_WARNING})`,
}

/**
 * What earns too little lies in one stretch of an index. A bound that PostgreSQL cannot foresee makes it take that
 * index; seen beforehand, it would read the table until it has met enough of them.
 */
const earnsBelow = (faults: readonly MoneyFault[]): OrderCondition[] =>
  faults.every((fault) => fault === 'loss' || fault === 'low')
    ? [
        sql`${EARNING} >= ${sql.lit(faults.includes('loss') ? -1 : 0)} and
          ${EARNING} < ${faults.includes('low') ? sql`(select max("marginWarningBp") from company)` : sql`(select 0)`}`,
      ]
    : []

const DAY = 86_400_000

/** Waiting for less than a day more than its days, and for as many as the age before it has, at least. */
function isPodAge(now: number, age: PodAge): OrderCondition {
  const place = POD_AGES.indexOf(age)
  const instantOf = (days: number) => sql`${new Date(now - (days + 1) * DAY).toISOString()}::timestamptz`
  const [until, after] = [POD_AGE_DAYS[age], place === 0 ? null : POD_AGE_DAYS[POD_AGES[place - 1]!]]
  return sql<boolean>`(${until === null ? sql`true` : sql`f."podOpenSince" > ${instantOf(until)}`}
    and ${after === null ? sql`true` : sql`f."podOpenSince" <= ${instantOf(after)}`})`
}

/**
 * Routes that wait for their proof of delivery, as the report of them counts (decision 134): those that are kept as
 * waiting, and of orders that were changed since what they are now. An array, so that the orders are looked up by it.
 */
function waitsForPod(ctx: Ctx, ages: readonly PodAge[]): OrderCondition {
  const now = ctx.clock.now().getTime()
  const isAge = sql.join(
    ages.map((age) => isPodAge(now, age)),
    sql` or `,
  )
  return sql<boolean>`"order".id = any(array(
    select f."orderId" from route_figure f where f."podOpenSince" is not null and (${isAge})
      and not exists (select 1 from figure_due d where d."orderId" = f."orderId")
    union
    select f."orderId" from route_figure_now f
    where f."orderId" = any(array(select d."orderId" from figure_due d)) and f."podOpenSince" is not null
      and (${isAge})))`
}

/** Every filter of the contract, by its name. */
const FILTERS: Filters<OrderListQuery, [idsAre: Ids | undefined]> = {
  q: (_ctx, q, idsAre) => search(q, idsAre !== undefined),
  id: (_ctx, ids) => among('id', ids, 'bigint'),
  state: (_ctx, state) => sql<boolean>`"order".state = ${sql.lit(state)}`,
  status: (_ctx, statuses) => among('status', statuses, 'text'),
  departmentId: (_ctx, ids) => among('departmentId', ids, 'bigint'),
  customerId: (_ctx, ids, idsAre) => shares('customerIds', ids, idsAre),
  carrierCompanyId: (_ctx, ids, idsAre) => shares('carrierCompanyIds', ids, idsAre),
  caseWorkerId: (_ctx, ids) => among('caseWorkerId', ids, 'bigint'),
  managerId: (_ctx, ids, idsAre) => managedBy(ids, idsAre),
  disposition: (_ctx, values) => among('disposition', values, 'text'),
  deviation: (_ctx, values) => sql<boolean>`"order".deviations <> '{}' and "order".deviations && ${values}::text[]`,
  delayed: (ctx, wanted) => (wanted ? isDelayed(ctx) : sql<boolean>`(${isDelayed(ctx)}) is not true`),
  mine: (ctx, wanted, idsAre) =>
    wanted ? managedBy([actorOf(ctx).userId], idsAre) : sql<boolean>`not (${managedBy([actorOf(ctx).userId])})`,
  fromCountry: (_ctx, codes) => among('fromCountryCode', codes, 'text'),
  toCountry: (_ctx, codes) => among('toCountryCode', codes, 'text'),
  fromTown: (_ctx, town) => beginsWith('fromCity', town),
  toTown: (_ctx, town) => beginsWith('toCity', town),
  lane: (_ctx, lane) => sql<boolean>`"order"."laneKey" = ${lane}`,
  money: (_ctx, faults) => [
    sql<boolean>`(${sql.join(
      faults.map((fault) => MONEY_FAULTS[fault]),
      sql` or `,
    )})`,
    ...earnsBelow(faults),
  ],
  openPod: (ctx, ages) => waitsForPod(ctx, ages),
  createdAt: (_ctx, range) => withinDays('order.createdAt', COMPANY_ZONE, range),
  changedSince: (_ctx, since) =>
    sql<boolean>`"order".id in (select "ownerId" from audit_entry where "ownerKind" = 'order' and at >= ${since})`,
  firstLoading: (_ctx, range) =>
    withinDays('order.firstLoadingAt', sql`coalesce("order"."fromTimeZone", 'UTC')`, range),
  lastUnloading: (_ctx, range) =>
    withinDays('order.lastUnloadingAt', sql`coalesce("order"."toTimeZone", 'UTC')`, range),
  statusDate: (_ctx, ranges) =>
    Object.entries(ranges).flatMap(([status, range]) =>
      range ? withinDays(`order.${STATUS_COLUMNS[status as OrderStatus]}`, COMPANY_ZONE, range) : [],
    ),
}

/** Filters whose orders may lie anywhere in the order of the list: a customer who left years ago, a town, a month. */
const SCATTERED = [
  'q',
  'id',
  'customerId',
  'carrierCompanyId',
  'managerId',
  'mine',
  'fromTown',
  'toTown',
  'lane',
  'money',
  'openPod',
  'changedSince',
  'firstLoading',
  'lastUnloading',
  'statusDate',
] as const satisfies (keyof OrderListQuery)[]

/** Open orders are few, and in an order by any other date or amount they may lie at its very end. */
const isFewOutOfOrder = ({ status, sort }: OrderListQuery): boolean =>
  (status?.every((one) => OPEN_STATUSES.includes(one)) ?? false) &&
  sort !== undefined &&
  !/^-?(?:createdAt|status)$/.test(sort)

/**
 * The orders that the caller may know of, narrowed by a list's filters; nothing selected, not ordered.
 * `from` stands for the whole table.
 */
export function narrowed(
  ctx: Ctx,
  visible: OrderScope,
  query: Partial<OrderListQuery>,
  idsAre?: Ids,
  from: AnyQuery = ctx.db.selectFrom('order') as unknown as AnyQuery,
): AnyQuery {
  return [visible(idsAre), ...conditionsOf(FILTERS, ctx, query, idsAre)].reduce(
    (rows, condition) => rows.where(condition),
    from,
  )
}

/** The columns that a row shows as they are, and those that it is made of. */
const ROW_COLUMNS = [
  'id',
  'version',
  'number',
  'status',
  'state',
  'viaCount',
  'firstLoadingAt',
  'lastUnloadingAt',
  'disposition',
  'deviations',
  'customerPriceCents',
  'incomeCents',
  'marginBp',
  'mergedIntoId',
] as const satisfies (keyof Tables['order'])[]
/** Such as nobody needs but a column that few have chosen, and a merge. */
const SELDOM_SHOWN = ['customerOrderNumber', 'isMergeResult', 'createdAt'] as const satisfies (keyof Tables['order'])[]
const ROW_PARTS = [
  'customerId',
  'customerTitle',
  'fromCountryCode',
  'fromCity',
  'fromTimeZone',
  'toCountryCode',
  'toCity',
  'toTimeZone',
  'departmentId',
  'caseWorkerId',
  'dueAt',
] as const satisfies (keyof Tables['order'])[]

/** What not every list reads, by the fields that are made of it: columns seldom shown, and other tables. */
const WHERE_ASKED = {
  seldom: SELDOM_SHOWN,
  department: ['department', 'marginWarningBp'],
  worker: ['caseWorker'],
  route: ['hasRoute'],
} as const satisfies Record<string, readonly (keyof OrderRow)[]>

/** Whether a list that was asked for these fields has to look there; all fields where none is named. */
const looksAt = (place: keyof typeof WHERE_ASKED, fields: readonly (keyof OrderRow)[] | undefined): boolean =>
  fields === undefined || WHERE_ASKED[place].some((field) => fields.includes(field))

type RowFound = Pick<
  Selectable<Tables['order']>,
  (typeof ROW_COLUMNS)[number] | (typeof SELDOM_SHOWN)[number] | (typeof ROW_PARTS)[number]
> & {
  customerCount: number
  hasRoute: boolean
  departmentTitle: string
  marginWarningBp: number
  caseWorkerTitle: string | null
}

function toRow(ctx: Ctx, row: RowFound): OrderRow {
  const place = (code: string | null, city: string | null, at: string | null, timeZone: string | null) =>
    code === null ? null : { countryCode: code, city, at, timeZone: timeZone ?? 'UTC' }
  return {
    ...pick(row, ROW_COLUMNS),
    ...pick(row, SELDOM_SHOWN),
    ...pick(row, ['customerCount', 'hasRoute', 'marginWarningBp']),
    customer: { id: row.customerId, title: row.customerTitle },
    from: place(row.fromCountryCode, row.fromCity, row.firstLoadingAt, row.fromTimeZone),
    to: place(row.toCountryCode, row.toCity, row.lastUnloadingAt, row.toTimeZone),
    department: { id: row.departmentId, title: row.departmentTitle },
    caseWorker: titled(row.caseWorkerId, row.caseWorkerTitle),
    delay: delayAgainst(row.status, { loadingAt: row.dueAt, unloadingAt: row.dueAt }, ctx.clock.now()),
  }
}

/**
 * Of a span of days that holds nearly all orders, some ten thousand are gathered along the index of that date:
 * read as they lie, those outside it would be read as well.
 */
const inOrderOfDays = (rows: AnyQuery, { firstLoading, lastUnloading }: OrderListQuery): AnyQuery =>
  firstLoading ? rows.orderBy('order.firstLoadingAt') : lastUnloading ? rows.orderBy('order.lastUnloadingAt') : rows

/**
 * The columns of rows that were asked for these fields. Most are always read: each choice of columns would be a
 * statement of its own to plan.
 */
function withRowColumns(page: AnyQuery, fields: OrderListQuery['fields']): AnyQuery {
  let rows = page
    .select([...ROW_COLUMNS, ...ROW_PARTS].map((column) => `order.${column}`))
    .select(sql<number>`cardinality("order"."customerIds")`.as('customerCount'))
  if (looksAt('seldom', fields)) rows = rows.select(SELDOM_SHOWN.map((column) => `order.${column}`))
  if (looksAt('department', fields))
    rows = rows
      .innerJoin('department', 'department.id', 'order.departmentId')
      .innerJoin('company', 'company.id', 'department.companyId')
      .select(['department.abbreviation as departmentTitle', 'company.marginWarningBp'])
  if (looksAt('worker', fields))
    rows = rows
      .leftJoin('user as worker', 'worker.id', 'order.caseWorkerId')
      .select('worker.fullName as caseWorkerTitle')
  if (looksAt('route', fields))
    rows = rows.select(sql<boolean>`exists (select 1 from route r where r."orderId" = "order".id)`.as('hasRoute'))
  return rows
}

/** One page of the orders list; where fields are named, its rows have these alone. */
export function listOrders(ctx: Ctx, visible: OrderScope, query: OrderListQuery): Promise<Page<OrderRow>> {
  const isScattered =
    seesOwnOrdersOnly(ctx) ||
    isFewOutOfOrder(query) ||
    SCATTERED.some((name) => query[name] !== undefined && query[name] !== false)
  return listPage<OrderRow>({
    db: ctx.db,
    table: 'order',
    filtered: narrowed(ctx, visible, query),
    ...(isScattered && { gathered: inOrderOfDays(narrowed(ctx, visible, query, unknownIds), query) }),
    sorts: SORTS,
    query: { ...(query as unknown as ListQuery), sort: orderApi.sortOf(query) },
    rows: (page) => withRowColumns(page, query.fields),
    toRow: (row: never) => toRow(ctx, row as RowFound),
  })
}

/** One page for select boxes, by number. */
export function listOrderTitles(
  ctx: Ctx,
  visible: OrderScope,
  query: z.output<typeof compactQuery>,
): Promise<Page<Reference>> {
  const { ids, ...filters } = query
  const rows = narrowed(ctx, visible, filters)
  return listPage<Reference>({
    db: ctx.db,
    table: 'order',
    filtered: ids ? rows.where(among('id', ids, 'bigint')) : rows,
    ...(ids === undefined && query.q !== undefined && { gathered: narrowed(ctx, visible, filters, unknownIds) }),
    sorts: { number: SORTS.number! },
    query: { ...query, sort: '-number' },
    rows: (page) => page.select(['order.id', 'order.number as title']),
  })
}

/** One page of the orders that an invoice can be written for, of all case workers; the newest first. */
export function listOrdersToInvoice(ctx: Ctx, query: z.output<typeof compactQuery>): Promise<Page<Reference>> {
  const { ids, ...filters } = query
  const inCompany: OrderScope = () => ofCompany(ctx)
  const rows = narrowed(ctx, inCompany, filters)
  return listPage<Reference>({
    db: ctx.db,
    table: 'order',
    filtered: ids ? rows.where(among('id', ids, 'bigint')) : rows,
    ...(ids === undefined && query.q !== undefined && { gathered: narrowed(ctx, inCompany, filters, unknownIds) }),
    sorts: { number: SORTS.number! },
    query: { ...query, sort: '-number' },
    rows: (page) =>
      page.select(['order.id', sql<string>`"order".number || ' · ' || "order"."customerTitle"`.as('title')]),
  })
}

const DAY_COLUMNS = {
  createdAt: 'order.createdAt',
  firstLoading: 'order.firstLoadingAt',
  lastUnloading: 'order.lastUnloadingAt',
} as const

/**
 * The column of the days that alone narrow a list, else null. Rows are counted in its order then: PostgreSQL takes
 * those of many days to lie evenly, reads the table from its beginning, and passes all that is older first.
 */
function columnOfDaysAlone(query: object): (typeof DAY_COLUMNS)[keyof typeof DAY_COLUMNS] | null {
  const [filter, ...others] = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return others.length > 0 ? null : (DAY_COLUMNS[filter as keyof typeof DAY_COLUMNS] ?? null)
}

/**
 * How many orders a list's filters leave, counted up to EXACT_TOTAL. Lists of ids are unknown to the planner, which
 * then goes by their index: right for few, and many are soon enough.
 */
export async function countMatching(
  ctx: Ctx,
  visible: OrderScope,
  query: z.output<typeof countMatchingOrders.query>,
): Promise<z.output<typeof countMatchingOrders.reply>> {
  const found = narrowed(ctx, visible, query, unknownIds)
  const days = columnOfDaysAlone(query)
  const rows = (days === null ? found : found.orderBy(days))
    .select(sql.lit(1).as('one'))
    .limit(sql.lit(EXACT_TOTAL + 1) as never)
  const counting = sql<{ total: number }>`select count(*)::int as total from (${rows}) counted`.compile(ctx.db)
  const { rows: counted } = await ctx.db.executeQuery(plannedWithValues(counting))
  const { total } = counted[0]!
  return { total: Math.min(total, EXACT_TOTAL), totalIsExact: total <= EXACT_TOTAL }
}

type Counts = z.output<typeof countOrders.reply>

/**
 * How many orders there are of each status, mine, open and late;
 * each counted up to EXACT_TOTAL, so that none reads the whole table.
 */
export async function countOrdersByStatus(
  ctx: Ctx,
  visible: OrderScope,
  query: z.output<typeof countOrders.query>,
): Promise<Counts> {
  const rows = narrowed(ctx, visible, query, unknownIds)
  const capped = (counted: AnyQuery) =>
    sql`(select count(*)::int from (${counted.select(sql.lit(1).as('one')).limit(sql.lit(EXACT_TOTAL) as never)} )
      counted)`
  const status = (wanted: OrderStatus) =>
    sql`${capped(rows.where(sql<boolean>`"order".status = ${wanted}`))} as ${sql.ref(wanted)}`
  // The few first: beside their index the planner would read that of a whole department.
  const few = (condition: OrderCondition) =>
    capped(
      narrowed(
        ctx,
        visible,
        query,
        unknownIds,
        ctx.db.selectFrom(sql`(select * from "order" where ${condition} offset 0)`.as('order')) as unknown as AnyQuery,
      ),
    )
  const counted = await sql<Record<OrderStatus, number> & { mine: number; delayed: number }>`
    select ${sql.join(ORDER_STATUSES.map(status))}, ${few(managedBy([actorOf(ctx).userId], unknownIds))} as mine,
      ${few(isDelayed(ctx))} as delayed
  `.execute(ctx.db)
  const { mine, delayed, ...byStatus } = counted.rows[0]!
  const open = OPEN_STATUSES.reduce((sum, one) => sum + byStatus[one], 0)
  return { byStatus, mine, open: Math.min(open, EXACT_TOTAL), delayed }
}
