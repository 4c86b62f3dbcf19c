import { sql, type RawBuilder } from 'kysely'
import { SENT_EMAIL } from '@waybill/contract/email'
import type { Reference } from '@waybill/contract/kit/fields'
import { extrasOf } from '@waybill/contract/order/money'
import type { Order } from '@waybill/contract/order/order'
import { MERGE_STEP, UNMERGE_STEP, type OrderStatus } from '@waybill/contract/order/status'
import type { Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { columnDefinitions } from '../../kit/database/columns.ts'
import type { Tables } from '../../kit/database/db.ts'
import type { OrderCondition } from './order.policy.ts'
import {
  CHILD_COLUMNS,
  ORDER_COLUMNS,
  type ChildColumns,
  type OrderColumns,
  type OrderChildren,
} from './order.table.ts'

/** Whose names an order shows and is found by. */
export interface Parties {
  /** the first is the one that lists show */
  customerIds: readonly number[]
  carrierCompanyIds: readonly number[]
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
/**
 * The lists of the one JSON parameter as rows, read once each:
 * a join over them would else read the JSON again for every row.
 */
const LISTS = Object.entries(CHILD_COLUMNS)
  .map(
    ([list, columns]) => `new_${list} as materialized (
      select x.* from given, jsonb_to_recordset(given.body -> '${list}') as x(${columnDefinitions(columns)}))`,
  )
  .join(',\n')

/**
 * Inserts or updates children; one that is as it was is not written again.
 * `kept` is written once, when the child is new.
 */
function upserts<List extends keyof ChildColumns>(
  table: keyof Tables,
  list: List,
  { ofOrder, by = 'id', kept = [] }: { ofOrder: boolean; by?: string; kept?: (keyof ChildColumns[List])[] },
): string {
  const names = Object.keys(CHILD_COLUMNS[list])
  const onceOnly = new Set<PropertyKey>(['id', by, ...kept])
  const changing = names.filter((name) => !onceOnly.has(name))
  const of = (alias: string) => changing.map((name) => `${alias}."${name}"`).join(', ')
  return `
    insert into ${table} as t (${ofOrder ? '"orderId", ' : ''}${quoted(names)})
    select ${ofOrder ? 'whole.id, ' : ''}${names.map((name) => `x."${name}"`).join(', ')} from new_${list} x, whole
    on conflict ("${by}") do update set ${changing.map((name) => `"${name}" = excluded."${name}"`).join(', ')}
    where (${of('t')}) is distinct from (${of('excluded')})`
}

const ownCargo = '(select c.id from cargo c, whole where c."orderId" = whole.id)'
const ownRoutes = '(select r.id from route r, whole where r."orderId" = whole.id)'

/**
 * The children of an order in one statement, however many:
 * what is listed is inserted or updated, what is not listed goes.
 * Foreign keys are checked at its end, so that new children may refer to each other.
 * `whole` is the order, apart from the JSON: a deleting join carries its sources along.
 */
const SAVE_CHILDREN = `
  ${LISTS},
  gone_cargo as (delete from cargo t using whole where t."orderId" = whole.id
    and t.id not in (select id from new_cargo)),
  gone_locations as (delete from location t using whole where t."orderId" = whole.id
    and t.id not in (select id from new_locations)),
  gone_routes as (delete from route t using whole where t."orderId" = whole.id
    and t.id not in (select id from new_routes)),
  gone_assignments as (delete from assignment t where t."routeId" in ${ownRoutes}
    and t."routeId" not in (select "routeId" from new_assignments)),
  gone_drivers as (delete from assignment_driver t
    where t."assignmentId" in (select a.id from assignment a where a."routeId" in ${ownRoutes})
    and (t."assignmentId", t.position) not in (select "assignmentId", position from new_drivers)),
  gone_handling as (delete from cargo_special_handling t where t."cargoId" in ${ownCargo}
    and (t."cargoId", t."specialHandlingTypeId") not in (select "cargoId", "specialHandlingTypeId" from new_handling)),
  gone_actions as (delete from cargo_action t where t."cargoId" in ${ownCargo}
    and (t."cargoId", t."locationId", t.action) not in (select "cargoId", "locationId", action from new_actions)),
  gone_customers as (delete from order_customer t using whole where t."orderId" = whole.id
    and t."customerId" not in (select "customerId" from new_customers)),
  gone_managers as (delete from order_manager t using whole where t."orderId" = whole.id
    and t."userId" not in (select "userId" from new_managers)),
  customers as (insert into order_customer as t ("orderId", "customerId", position)
    select whole.id, x."customerId", x.position from new_customers x, whole
    on conflict ("orderId", "customerId") do update set position = excluded.position
      where t.position <> excluded.position),
  managers as (insert into order_manager ("orderId", "userId") select whole.id, x."userId" from new_managers x, whole
    on conflict do nothing),
  cargo_lines as (${upserts('cargo', 'cargo', { ofOrder: true })}),
  routes as (${upserts('route', 'routes', { ofOrder: true, kept: ['n', 'status', 'statusDates'] })}),
  locations as (${upserts('location', 'locations', { ofOrder: true })}),
  assignments as (${upserts('assignment', 'assignments', { ofOrder: false, by: 'routeId' })}),
  drivers as (insert into assignment_driver as t ("assignmentId", position, "driverId", "userId")
    select x."assignmentId", x.position, x."driverId", x."userId" from new_drivers x
    on conflict ("assignmentId", position) do update set "driverId" = excluded."driverId", "userId" = excluded."userId"
      where (t."driverId", t."userId") is distinct from (excluded."driverId", excluded."userId")),
  handling as (insert into cargo_special_handling ("cargoId", "specialHandlingTypeId")
    select x."cargoId", x."specialHandlingTypeId" from new_handling x on conflict do nothing),
  actions as (insert into cargo_action ("cargoId", "locationId", action) select x."cargoId", x."locationId", x.action
    from new_actions x on conflict do nothing)
  select 1`

/** Lists whose children name their order themselves; the others do by what they belong to. */
const OF_ORDER: ReadonlySet<string> = new Set(['customers', 'managers', 'cargo', 'locations', 'routes'])
/** A body may say the same of these twice. */
const SAID_TWICE: ReadonlySet<string> = new Set(['managers', 'handling', 'actions'])
const CHILD_TABLES: Readonly<Record<keyof ChildColumns, keyof Tables>> = {
  customers: 'order_customer',
  managers: 'order_manager',
  cargo: 'cargo',
  handling: 'cargo_special_handling',
  locations: 'location',
  actions: 'cargo_action',
  routes: 'route',
  assignments: 'assignment',
  drivers: 'assignment_driver',
}
const CHILD_LISTS = Object.keys(CHILD_TABLES) as (keyof ChildColumns)[]

/** The children of new orders, of all in one statement; foreign keys are checked at its end. */
const INSERT_CHILDREN = CHILD_LISTS.map((list) => {
  const columns = { ...(OF_ORDER.has(list) && { orderId: 'bigint' }), ...CHILD_COLUMNS[list] }
  const names = quoted(Object.keys(columns))
  return `new_${list} as (insert into ${CHILD_TABLES[list]} (${names})
    select ${names} from given, jsonb_to_recordset(given.body -> '${list}') as x(${columnDefinitions(columns)})
    ${SAID_TWICE.has(list) ? 'on conflict do nothing' : ''})`
}).join(',\n')

/** The children of new orders, of all in one text of JSON, each with its order. */
const childrenOf = (orders: readonly { id: number; children: OrderChildren }[]): string =>
  JSON.stringify(
    Object.fromEntries(
      CHILD_LISTS.map((list) => [
        list,
        orders.flatMap(({ id, children }) => {
          const rows: readonly object[] = children[list]
          return OF_ORDER.has(list) ? rows.map((row) => ({ ...row, orderId: id })) : rows
        }),
      ]),
    ),
  )

/** Makes an order's stored children equal to those given. */
export async function saveChildren(ctx: Ctx, orderId: number, children: OrderChildren): Promise<void> {
  await sql`with given as materialized (select ${JSON.stringify(children)}::jsonb as body),
    whole as materialized (select ${orderId}::bigint as id), ${sql.raw(SAVE_CHILDREN)}`.execute(ctx.db)
}

/** Ids for so many new children, so that they can be named before they are stored. */
export async function takeIds(
  ctx: Ctx,
  wanted: Record<'cargo' | 'location' | 'route' | 'assignment', number>,
): Promise<Record<keyof typeof wanted, number[]>> {
  // Most saves bring no new child.
  if (Object.values(wanted).every((count) => count === 0)) return { cargo: [], location: [], route: [], assignment: [] }
  const ids = (table: keyof typeof wanted) =>
    sql`array(select nextval(pg_get_serial_sequence(${table}, 'id'))
      from generate_series(1, ${wanted[table]}::int)) as ${sql.ref(table)}`
  const { rows } = await sql<
    Record<keyof typeof wanted, number[]>
  >`select ${ids('cargo')}, ${ids('location')}, ${ids('route')}, ${ids('assignment')}`.execute(ctx.db)
  return rows[0]!
}

/**
 * Ids and numbers of new orders, one for each of these years: `YY-NNNNN`, one sequence a year, gaps allowed, never
 * reused (domain, Order). From now on customers and carriers stay as they are (`holding`): what is written next is
 * found by the names that they have. Error: a customer that is gone.
 */
export async function takeNumbers(
  ctx: Ctx,
  years: readonly number[],
  parties: readonly Parties[],
): Promise<{ id: number; number: string }[]> {
  const { held, areThere } = holding({
    customerIds: [...new Set(parties.flatMap(({ customerIds }) => customerIds))],
    carrierCompanyIds: [...new Set(parties.flatMap(({ carrierCompanyIds }) => carrierCompanyIds))],
  })
  const { rows } = await sql<{ id: number; year: number; n: number; areThere: boolean }>`${held}
    select nextval(pg_get_serial_sequence('"order"', 'id')) as id, year,
      nextval(format('order_number_%s', year)::regclass) as n, ${areThere} as "areThere"
      from unnest(${years}::int[]) as wanted(year)
  `.execute(ctx.db)
  if (!rows.every((row) => row.areThere)) throw fieldError('customerIds', 'unknown_reference')
  return rows.map(({ id, year, n }) => ({
    id,
    number: `${String(year % 100).padStart(2, '0')}-${String(n).padStart(5, '0')}`,
  }))
}

/** Columns of the order with what is to stand in them. */
export type OrderValues = Partial<Record<keyof OrderColumns, unknown>>

const recordOf = (row: OrderValues) => {
  const names = Object.keys(row) as (keyof OrderColumns)[]
  const types = Object.fromEntries(names.map((name) => [name, ORDER_COLUMNS[name]]))
  return {
    names,
    source: sql`jsonb_to_record(${JSON.stringify(row)}::jsonb) as x(${sql.raw(columnDefinitions(types))})`,
  }
}

/**
 * Keeps customers and carriers as they are until this transaction has ended, in the statement that writes the order and
 * before it: a name that changes meanwhile changes before the order is written, or after it is there.
 */
const holding = ({ customerIds, carrierCompanyIds }: Parties) => ({
  held: sql`
    with held as materialized (
      select id, title from customer where id = any(${customerIds}::bigint[]) order by id for share
    ), carriers as materialized (
      select id from carrier_company where id = any(${carrierCompanyIds}::bigint[]) order by id for share
    )`,
  titleOf: (customerId: RawBuilder<unknown>) => sql`(select held.title from held where held.id = ${customerId})`,
  /** false where a customer is gone */
  areThere: sql`((select count(*) from held) = ${new Set(customerIds).size}
    and (select count(*) from carriers) >= 0)`,
})

/** What of an order's children it is found by. */
const FOUND_BY = {
  locations: {
    orderId: 'bigint',
    position: 'int',
    companyTitle: 'text',
    postal: 'text',
    city: 'text',
    reference: 'text',
  },
  routes: { id: 'bigint', orderId: 'bigint', n: 'int' },
  assignments: { id: 'bigint', routeId: 'bigint', driverText: 'text', plateNumber: 'text' },
  drivers: { assignmentId: 'bigint', driverId: 'bigint', userId: 'bigint' },
} as const

/**
 * Everything that `q` looks in, for the order `o` with its children in `of`: names are those that the records have at
 * this moment.
 */
const searchKeyWith = (
  of: Record<keyof typeof FOUND_BY, RawBuilder<unknown>>,
) => sql`search_key(concat_ws(' ', o.number, o."customerOrderNumber",
  (select string_agg(c.title, ' ' order by c.id) from customer c where c.id = any(o."customerIds")),
  (select string_agg(c.title, ' ' order by c.id) from carrier_company c where c.id = any(o."carrierCompanyIds")),
  (select string_agg(d."fullName", ' ' order by d.id) from driver d where d.id in (
    select ad."driverId" from ${of.routes} r join ${of.assignments} a on a."routeId" = r.id
      join ${of.drivers} ad on ad."assignmentId" = a.id where r."orderId" = o.id)),
  (select string_agg(u."fullName", ' ' order by u.id) from "user" u where u.id in (
    select ad."userId" from ${of.routes} r join ${of.assignments} a on a."routeId" = r.id
      join ${of.drivers} ad on ad."assignmentId" = a.id where r."orderId" = o.id)),
  (select string_agg(concat_ws(' ', l."companyTitle", l.postal, l.city, l.reference), ' ' order by l.position)
    from ${of.locations} l where l."orderId" = o.id),
  -- a plate as it is painted, and as it is typed in a hurry: WGM 4K21 WGM4K21
  (select string_agg(concat_ws(' ', a."driverText", a."plateNumber",
      nullif(regexp_replace(a."plateNumber", '[^[:alnum:]]', '', 'g'), a."plateNumber")), ' ' order by r.n)
    from ${of.routes} r join ${of.assignments} a on a."routeId" = r.id where r."orderId" = o.id)))`
const searchKey = searchKeyWith({
  locations: sql.table('location'),
  routes: sql.table('route'),
  assignments: sql.table('assignment'),
  drivers: sql.table('assignment_driver'),
})

const FOUND_LISTS = Object.entries(FOUND_BY)
  .map(
    ([list, columns]) => `given_${list} as materialized (
      select x.* from given, jsonb_to_recordset(given.body -> '${list}') as x(${columnDefinitions(columns)}))`,
  )
  .join(',\n')
/** That of a new order: its children are stored after it, and it is written once. */
const givenSearchKey = searchKeyWith({
  locations: sql.table('given_locations'),
  routes: sql.table('given_routes'),
  assignments: sql.table('given_assignments'),
  drivers: sql.table('given_drivers'),
})

/**
 * Stores new orders with their children; each row has the same columns, and its customers and carriers are held
 * (`takeNumbers`).
 */
export async function insertOrders(
  ctx: Ctx,
  orders: readonly { id: number; row: OrderValues; children: OrderChildren }[],
): Promise<void> {
  const names = Object.keys(orders[0]!.row) as (keyof OrderColumns)[]
  const types = { id: 'bigint', ...Object.fromEntries(names.map((name) => [name, ORDER_COLUMNS[name]])) }
  const rows = orders.map(({ id, row }) => ({ ...row, id }))
  const children = sql`given as materialized (select ${childrenOf(orders)}::jsonb as body)`
  await sql`with ${children}, ${sql.raw(FOUND_LISTS)}
    insert into "order" (id, ${sql.raw(quoted(names))}, "customerTitle", "searchKey") overriding system value
    select o.id, ${sql.raw(names.map((name) => `o."${name}"`).join(', '))},
      (select c.title from customer c where c.id = o."customerId"), ${givenSearchKey}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(${sql.raw(columnDefinitions(types))})
  `.execute(ctx.db)
  await sql`with ${children}, ${sql.raw(INSERT_CHILDREN)} select 1`.execute(ctx.db)
}

/**
 * Writes columns of the order that was read: false where it has moved on, or is gone, in the meantime, or a customer is
 * gone (design §3, States are data). What it is found by is written once its children are there, by `writeSearchKeys`.
 */
export async function updateOrder(
  ctx: Ctx,
  read: Pick<Order, 'id' | 'version' | 'status' | 'approvedExtras'>,
  row: OrderValues,
  parties?: Parties,
): Promise<boolean> {
  const { names, source } = recordOf(row)
  const own = sql.raw(names.map((name) => `"${name}" = x."${name}"`).join(', '))
  // Its margin was worked out with the extras that were read.
  const extras = extrasOf(read.approvedExtras)
  const isAsRead = sql`o.id = ${read.id} and o.version = ${read.version} and o.status = ${read.status}
    and o."extrasPriceCents" = ${extras.priceCents} and o."extrasCostCents" = ${extras.costCents}`
  const kept = parties === undefined ? undefined : holding(parties)
  const title = kept ? sql`, "customerTitle" = ${kept.titleOf(sql`${parties!.customerIds[0]}`)}` : sql``
  const result = await sql`${kept?.held ?? sql``}
    update "order" o set version = o.version + 1, ${own} ${title}
    from ${source} where ${isAsRead} ${kept ? sql`and ${kept.areThere}` : sql``}
  `.execute(ctx.db)
  return Number(result.numAffectedRows) === 1
}

/** The status of routes and the times of stops, as a move changes them; each list may be empty. */
export async function saveProgress(
  ctx: Ctx,
  routes: readonly { id: number; from: string; status: string; statusDates: Record<string, string> }[],
  stops: readonly { id: number; arrivedAt: string | null; loadedAt: string | null; unloadedAt: string | null }[],
): Promise<boolean> {
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      update route r set status = x.status, "statusDates" = x."statusDates"
        from jsonb_to_recordset(${JSON.stringify(routes)}::jsonb) as x(id bigint, "from" text, status text,
        "statusDates" jsonb)
      where r.id = x.id and r.status = x."from" returning r.id
    ), timed as (
      update location l set "arrivedAt" = x."arrivedAt", "loadedAt" = x."loadedAt", "unloadedAt" = x."unloadedAt"
      from jsonb_to_recordset(${JSON.stringify(stops)}::jsonb) as x(id bigint, "arrivedAt" timestamptz,
        "loadedAt" timestamptz, "unloadedAt" timestamptz) where l.id = x.id
    )
    select count(*)::int as moved from moved
  `.execute(ctx.db)
  return rows[0]!.moved === routes.length
}

/**
 * Holds these orders, in the order of their ids so that two who want some of the same cannot block each other,
 * and gives the ids of those that there are.
 */
export async function lockOrders(ctx: Ctx, condition: OrderCondition): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select "order".id from "order" where ${condition} order by "order".id for no key update`.execute(ctx.db)
  return rows.map((row) => row.id)
}

/**
 * The sources of a merge go into their result, each cargo of which keeps whence it came.
 * `cargoSources` are the sources of the result's lines, in their order.
 */
export async function storeMerge(
  ctx: Ctx,
  {
    resultId,
    sourceIds,
    cargoSources,
    at,
  }: { resultId: number; sourceIds: readonly number[]; cargoSources: readonly number[]; at: string },
): Promise<void> {
  await sql`
    with marked as (
      update cargo c set "sourceOrderId" = x.source
        from unnest(${cargoSources}::bigint[]) with ordinality x(source, position) where c."orderId" = ${resultId}
        and c.position = x.position
    )
    update "order" set status = ${MERGE_STEP.to}, "mergedIntoId" = ${resultId}, "mergedAt" = ${at},
      version = version + 1 where id = any(${sourceIds}::bigint[])
  `.execute(ctx.db)
}

/**
 * Lets the sources of a result go: they are new again.
 * The database lets it pass for this statement's transaction alone.
 */
export async function releaseSources(
  ctx: Ctx,
  { sourceIds, at }: { sourceIds: readonly number[]; at: string },
): Promise<void> {
  await sql`select set_config('waybill.unmerge', 'on', true)`.execute(ctx.db)
  await sql`update "order" set status = ${UNMERGE_STEP.to}, "mergedIntoId" = null, "newAt" = ${at},
    version = version + 1 where id = any(${sourceIds}::bigint[])`.execute(ctx.db)
  await sql`select set_config('waybill.unmerge', '', true)`.execute(ctx.db)
}

/** Steps that no undo takes back: those of merging and unmerging. */
export async function recordSteps(
  ctx: Ctx,
  orderIds: readonly number[],
  step: { from: OrderStatus; to: OrderStatus; at: string; actorId: number; reason: string | null },
): Promise<void> {
  const { at } = step
  await ctx.db
    .insertInto('status_move')
    .values(orderIds.map((orderId) => ({ ...step, orderId, routeId: null, movedAt: at, before: null, undoneAt: null })))
    .execute()
}

/** True where files, mails or other records name the order, beside those that the database itself refuses to lose. */
export async function isReferredTo(ctx: Ctx, orderId: number): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select 1 from document where "ownerKind" = 'order' and "ownerId" = ${orderId})
      or exists (select 1 from email where "ownerKind" = 'order' and "ownerId" = ${orderId}
        and (status = ${SENT_EMAIL} or tries > 0)) as is
  `.execute(ctx.db)
  return rows[0]!.is
}

/** Removes the order that was read, and its children with it; false where it has moved on in the meantime. */
export async function deleteOrder(ctx: Ctx, { id, version }: { id: number; version: number }): Promise<boolean> {
  const result = await ctx.db.deleteFrom('order').where('id', '=', id).where('version', '=', version).executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

/** Writes what the search finds orders by, once their children are stored. */
export async function writeSearchKeys(db: Ctx['db'], ids: readonly number[]): Promise<void> {
  // What stays as it was is not written again: most saves change none of these words, and the index on them is dear.
  await sql`
    update "order" o set "searchKey" = ${searchKey}
      where o.id = any(${ids}::bigint[]) and o."searchKey" is distinct from ${searchKey}
  `.execute(db)
}

/** A customer has a new title: the orders that show it, or are found by it, follow. */
export async function refreshCustomerTitle(ctx: Ctx, customerId: Reference['id']): Promise<void> {
  await sql`
    update "order" o set
      "customerTitle" = (select c.title from customer c where c.id = o."customerId"),
      "searchKey" = ${searchKey}
    where o.id in (select oc."orderId" from order_customer oc where oc."customerId" = ${customerId})
  `.execute(ctx.db)
}

/** One of our own drivers has a new name: the orders that this person drives are found by it. */
export async function refreshDriverName(ctx: Ctx, userId: Reference['id']): Promise<void> {
  await sql`
    update "order" o set "searchKey" = ${searchKey}
    where o.id in (select r."orderId" from route r join assignment a on a."routeId" = r.id
      join assignment_driver ad on ad."assignmentId" = a.id where ad."userId" = ${userId})
  `.execute(ctx.db)
}

/** A carrier or one of its drivers has a new name: the orders that it drives are found by it. */
export async function refreshCarrierNames(ctx: Ctx, carrierCompanyId: Reference['id']): Promise<void> {
  await sql`
    update "order" o set "searchKey" = ${searchKey}
    where o.id in (select r."orderId" from route r join assignment a on a."routeId" = r.id
      where a."carrierCompanyId" = ${carrierCompanyId})
  `.execute(ctx.db)
}

/** Notes causes whose mails were deleted, so that none of them is planned anew; by the id of their order. */
export async function addPassedMails(ctx: Ctx, causes: ReadonlyMap<number, readonly string[]>): Promise<void> {
  // Of one where nothing is noted yet all are passed with the first look; a merged one is not looked at.
  for (const [orderId, keys] of causes)
    await sql`
      update "order" set "mailsPassed" = "mailsPassed" || ${[...keys]}::text[]
        where id = ${orderId} and "mailsPassed" is not null and "mergedIntoId" is null
    `.execute(ctx.db)
}

/** Notes once and for all which causes of mails an order had come to before mails were planned (decision 063). */
export async function notePassedMails(ctx: Ctx, orderId: number, causes: readonly string[]): Promise<void> {
  await ctx.db
    .updateTable('order')
    .set({ mailsPassed: [...causes] })
    .where('id', '=', orderId)
    .execute()
}
