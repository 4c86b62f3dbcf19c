import type { FastifyRequest } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { faultsOf } from '@waybill/contract/kit/issues'
import type { ImportResult } from '@waybill/contract/kit/import'
import { importOrders as endpoint } from '@waybill/contract/order/import'
import { OrderWrite } from '@waybill/contract/order/order'
import { CANCELED_ORDER } from '@waybill/contract/order/status'
import { skippedTimes, terminDoubts } from '@waybill/contract/order/termin/termin-doubts'
import type { Texts } from '@waybill/contract/errors'
import { actorOf, type Ctx } from '../../../kit/context/context.ts'
import { inPieces } from '../../../kit/context/pieces.ts'
import {
  importTable,
  nameKey,
  type CheckedRows,
  type ImportFault,
  type ImportField,
  type Known,
  type Names,
  type ReadRow,
} from '../../../kit/tables/import-table.ts'
import { wordingsOf } from '../../../kit/texts/texts.ts'
import { visibleOrders } from '../order.policy.ts'
import { createOrders, tellOfNew } from '../order.service.ts'

const TEXTS = wordingsOf('order')

const SIDES = ['pickUp', 'dropOff'] as const
type Side = (typeof SIDES)[number]

const PARTS: readonly (Pick<ImportField, 'name' | 'title' | 'reading'> & { also?: readonly string[] })[] = [
  { name: 'companyTitle', ...TEXTS.stop.company },
  { name: 'address', ...TEXTS.stop.address },
  { name: 'postal', ...TEXTS.stop.postal },
  { name: 'city', ...TEXTS.stop.city },
  { name: 'countryId', ...TEXTS.stop.country, reading: 'country' },
  { name: 'date', ...TEXTS.stop.date, reading: 'date' },
  { name: 'timeFrom', ...TEXTS.stop.timeFrom, reading: 'time' },
  { name: 'timeTo', ...TEXTS.stop.timeTo, reading: 'time' },
  { name: 'contactPerson', ...TEXTS.stop.contactPerson },
  { name: 'phone', ...TEXTS.stop.phone },
  { name: 'reference', ...TEXTS.stop.reference },
]

const joined = (side: Texts, part: Texts): Texts => ({
  en: `${side.en}: ${part.en}`,
  de: `${side.de}: ${part.de}`,
  pl: `${side.pl}: ${part.pl}`,
})

const stopFields = (side: Side): ImportField[] =>
  PARTS.map(({ name, title, also = [], ...rest }) => ({
    ...rest,
    name: `${side}.${name}`,
    title: joined(TEXTS.sides[side].title, title),
    also: [...Object.values(TEXTS.sides[side].title), ...TEXTS.sides[side].also].flatMap((word) =>
      [...Object.values(title), ...also].map((part) => `${word} ${part}`),
    ),
  }))

const HEADER: readonly ImportField[] = [
  { name: 'customerOrderNumber', ...TEXTS.fields.customerOrderNumber, isRequired: true },
  { name: 'customerId', ...TEXTS.fields.customer, isRequired: true, reading: { among: 'customers' } },
  { name: 'departmentId', ...TEXTS.fields.department, reading: { among: 'departments' } },
  { name: 'customerPriceCents', ...TEXTS.fields.customerPrice, reading: 'cents' },
  { name: 'description', ...TEXTS.fields.description },
  { name: 'invoiceText', ...TEXTS.fields.invoiceText },
]

const CARGO: readonly ImportField[] = [
  { name: 'cargo.title', ...TEXTS.cargo.title },
  { name: 'cargo.quantity', ...TEXTS.cargo.quantity, reading: 'number' },
  { name: 'cargo.unitTypeId', ...TEXTS.cargo.unitType, reading: { among: 'unitTypes' } },
  { name: 'cargo.lengthCm', ...TEXTS.cargo.length, reading: 'number' },
  { name: 'cargo.widthCm', ...TEXTS.cargo.width, reading: 'number' },
  { name: 'cargo.heightCm', ...TEXTS.cargo.height, reading: 'number' },
  { name: 'cargo.weightKg', ...TEXTS.cargo.weight, reading: 'number' },
  { name: 'cargo.volumeM3', ...TEXTS.cargo.volume, reading: 'number' },
  { name: 'cargo.ldm', ...TEXTS.cargo.ldm, reading: 'number' },
  { name: 'cargo.stackingFactor', ...TEXTS.cargo.stackingFactor, reading: 'number' },
  { name: 'cargo.valueCents', ...TEXTS.cargo.value, reading: 'cents' },
  { name: 'cargo.marks', ...TEXTS.cargo.marks },
  { name: 'cargo.instructions', ...TEXTS.cargo.instructions },
]

const FIELDS: readonly ImportField[] = [...HEADER, ...stopFields('pickUp'), ...stopFields('dropOff'), ...CARGO]

const lettersOf = (text: RawBuilder<unknown>) => sql`regexp_replace(search_key(${text}), '[^a-z0-9]', '', 'g')`

/**
 * What cells can name: a customer by title, alias or VAT number, a department by its title, a type of unit by any of
 * its titles.
 * A name that several bear names none.
 */
async function lookups(ctx: Ctx, cellsOf: (field: string) => string[]): Promise<Record<string, Names>> {
  // There may be hundreds of thousands: only those that may be meant leave the database, where names are compared by
  // the same letters and figures as here, or by fewer.
  const customers = await sql<{
    id: number
    title: string
    alias: string | null
    vatNumber: string | null
  }>`select id, title, alias, "vatNumber" from customer where state = 'active'
    and array[${lettersOf(sql`title`)}, ${lettersOf(sql`alias`)}, ${lettersOf(sql`"vatNumber"`)}]
      && array(select ${lettersOf(sql`name`)} from unnest(${cellsOf('customerId')}::text[]) as said(name))
  `.execute(ctx.db)
  const departments = await sql<{
    id: number
    title: string
  }>`select id, abbreviation as title from department where state = 'active'
    and (${ctx.companyFilter}::bigint is null or "companyId" = ${ctx.companyFilter})`.execute(ctx.db)
  const unitTypes = await sql<{
    id: number
    names: (string | null)[]
  }>`select id, array[title, "titleEn", "titleDe", "titlePl"] as names from unit_type where state = 'active'
  `.execute(ctx.db)
  return {
    customers: namesOf(
      customers.rows.map(({ id, title, alias, vatNumber }) => ({ id, names: [title, alias, vatNumber] })),
    ),
    departments: namesOf(departments.rows.map(({ id, title }) => ({ id, names: [title] }))),
    unitTypes: namesOf(unitTypes.rows),
  }
}

function namesOf(records: readonly { id: number; names: readonly (string | null)[] }[]): Names {
  const known = new Map<string, number | null>()
  for (const { id, names } of records)
    for (const key of new Set(names.flatMap((name) => (name ? [nameKey(name)] : []))))
      if (key !== '') known.set(key, known.has(key) && known.get(key) !== id ? null : id)
  return known
}

type Values = Record<string, unknown>

/** One order while its rows are put together: each part with the row that it came from. */
interface Gathered {
  rows: ReadRow[]
  cargo: { row: number; values: Values }[]
  stops: { row: number; side: Side; key: string; values: Values; lines: number[] }[]
}

const partOf = (row: ReadRow, name: string): Values => (row.body[name] ?? {}) as Values

/**
 * Rows of one customer and one number, in the order in which the first of each comes.
 * A row without either stands alone: what it lacks is told.
 */
function gather(rows: readonly ReadRow[]): Gathered[] {
  const orders = new Map<string, Gathered>()
  for (const row of rows) {
    const { customerId, customerOrderNumber } = row.body
    const key =
      customerOrderNumber === undefined
        ? `row ${row.row}`
        : `${String(customerId)} ${String(customerOrderNumber).trim().toLowerCase()}`
    const order = orders.get(key) ?? { rows: [], cargo: [], stops: [] }
    orders.set(key, order)
    order.rows.push(row)
    const line = order.cargo.push({ row: row.row, values: partOf(row, 'cargo') }) - 1
    for (const side of SIDES) {
      const values = partOf(row, side)
      const stopKey = JSON.stringify([side, ...PARTS.map(({ name }) => values[name] ?? null)])
      // A stop that is left blank is the one of the row above.
      const known =
        Object.keys(values).length === 0
          ? order.stops.findLast((stop) => stop.side === side)
          : order.stops.find((stop) => stop.key === stopKey)
      if (known) known.lines.push(line)
      else if (Object.keys(values).length > 0)
        order.stops.push({ row: row.row, side, key: stopKey, values, lines: [line] })
    }
  }
  return [...orders.values()]
}

/** A date alone is that day, with one time a fixed moment or an end, with two a period. */
function terminOf({ date, timeFrom = null, timeTo = null }: Values): Values | null {
  if (date === undefined) return null
  if (timeTo === null) return { kind: 'fix', dateFrom: date, timeFrom }
  return timeFrom === null
    ? { kind: 'before', dateFrom: date, timeFrom: timeTo }
    : { kind: 'period', dateFrom: date, timeFrom, timeTo }
}

const TIMES = new Set(['date', 'timeFrom', 'timeTo'])

const isDefined = ([, value]: [string, unknown]) => value !== undefined

function bodyOf(
  { rows, cargo, stops }: Gathered,
  departmentId: number | null,
): { body: Values; placed: Gathered['stops'] } {
  const header = Object.fromEntries(
    HEADER.map(
      ({ name }) => [name, rows.find(({ body }) => body[name] !== undefined)?.body[name]] as [string, unknown],
    ).filter(isDefined),
  )
  const { customerId, ...rest } = header
  const placed = SIDES.flatMap((side) => stops.filter((stop) => stop.side === side))
  return {
    placed,
    body: {
      ...(departmentId === null ? {} : { departmentId }),
      ...rest,
      customerIds: customerId === undefined ? [] : [customerId],
      cargo: cargo.map(({ values }, line) => ({ ...values, key: `c${line}` })),
      locations: placed.map(({ side, values, lines }) => ({
        ...Object.fromEntries(Object.entries(values).filter(([name]) => !TIMES.has(name))),
        kind: side === 'pickUp' ? 'loading' : 'unloading',
        termin: terminOf(values),
        cargoActions: lines.map((line) => ({
          cargoKey: `c${line}`,
          action: side === 'pickUp' ? 'PICK_UP' : 'DROP_OFF',
        })),
      })),
    },
  }
}

/** The cell behind a path of the order's body. */
function cellOf(path: string, { rows, cargo }: Gathered, placed: Gathered['stops']): { row: number; path: string } {
  const [top, index, ...rest] = path.split('.')
  const first = rows[0]!.row
  if (top === 'cargo' && index !== undefined)
    return { row: cargo[Number(index)]?.row ?? first, path: ['cargo', ...rest].join('.') }
  if (top === 'locations' && index !== undefined) {
    const stop = placed[Number(index)]
    const [part, inner] = rest
    const name = part === 'termin' ? (inner === 'timeTo' ? 'timeTo' : inner === 'timeFrom' ? 'timeFrom' : 'date') : part
    return { row: stop?.row ?? first, path: `${stop?.side ?? 'pickUp'}.${name ?? ''}` }
  }
  if (top === 'customerIds') return { row: first, path: 'customerId' }
  return { row: first, path: top === 'cargo' || top === 'locations' ? 'customerOrderNumber' : path }
}

interface Checked {
  body: OrderWrite | null
  faults: ImportFault[]
  doubts: ImportFault[]
}

/** What an order's rows are looked at with. */
interface CheckFacts {
  departmentId: number | null
  codes: ReadonlyMap<number, string>
  zones: ReadonlyMap<number, string>
}

/** What the shape of an order cannot see of its termins: times that the clocks skip, and slips. */
function terminFindings(body: OrderWrite, { codes, zones }: CheckFacts): Pick<Checked, 'faults' | 'doubts'> {
  const stops = body.locations.map((stop) => ({
    ...stop,
    timeZone: stop.timeZone ?? zones.get(stop.countryId) ?? null,
    countryCode: codes.get(stop.countryId) ?? null,
  }))
  return {
    faults: stops.flatMap(({ termin, timeZone }, index) =>
      termin === null || timeZone === null
        ? []
        : skippedTimes(termin, timeZone).map(({ field, ...params }) => ({
            row: 0,
            path: `locations.${index}.termin.${field}`,
            code: 'no_such_time' as const,
            params,
          })),
    ),
    doubts: terminDoubts(stops).flatMap((codesOfStop, index) =>
      codesOfStop.map((code) => ({ row: 0, path: `locations.${index}.termin`, code })),
    ),
  }
}

function checkOne(order: Gathered, facts: CheckFacts): Checked {
  const faults = order.rows.flatMap((row) => row.faults)
  const isTold = (row: number, path: string) => faults.some((fault) => fault.row === row && fault.path === path)
  const [first, ...others] = order.rows
  for (const { name, isRequired } of HEADER) {
    if (isRequired && first!.body[name] === undefined && !isTold(first!.row, name))
      faults.push({ row: first!.row, path: name, code: 'required' })
    const value = order.rows.find(({ body }) => body[name] !== undefined)?.body[name]
    for (const { row, body } of others)
      if (name !== 'customerOrderNumber' && body[name] !== undefined && body[name] !== value)
        faults.push({ row, path: name, code: 'differs_from_first_row' })
  }
  const { body, placed } = bodyOf(order, facts.departmentId)
  const parsed = OrderWrite.safeParse(body, { reportInput: true })
  if (parsed.success) {
    const inCells = (found: ImportFault[]) => found.map((one) => ({ ...one, ...cellOf(one.path, order, placed) }))
    const found = terminFindings(parsed.data, facts)
    return { body: parsed.data, faults: [...faults, ...inCells(found.faults)], doubts: inCells(found.doubts) }
  }
  for (const { path, ...fault } of faultsOf(parsed.error.issues)) {
    const cell = cellOf(path, order, placed)
    if (!isTold(cell.row, cell.path)) faults.push({ ...fault, ...cell })
  }
  return { body: null, faults, doubts: [] }
}

/**
 * Numbers that an order of the same customer has already, as far as the caller may know of it:
 * imported twice, it would be driven twice.
 */
async function takenNumbers(
  ctx: Ctx,
  orders: readonly { body: OrderWrite | null; row: number }[],
): Promise<ImportFault[]> {
  const given = orders.flatMap(({ body, row }) =>
    body?.customerOrderNumber ? [{ row, customerId: body.customerIds[0]!, number: body.customerOrderNumber }] : [],
  )
  if (given.length === 0) return []
  const { rows } = await sql<{ row: number }>`
    select distinct sent.row
    from unnest(
        ${given.map(({ row }) => row)}::int[],
        ${given.map(({ customerId }) => customerId)}::bigint[],
        ${given.map(({ number }) => number)}::text[]
      ) as sent(row, "customerId", number)
      join "order" on "order"."customerId" = sent."customerId"
        and lower("order"."customerOrderNumber") = lower(sent.number)
        and "order".status <> ${sql.lit(CANCELED_ORDER)} and ${visibleOrders(ctx)}
  `.execute(ctx.db)
  return rows.map(({ row }) => ({ row, path: 'customerOrderNumber', code: 'taken' }))
}

async function check(ctx: Ctx, rows: readonly ReadRow[], { codes }: Known): Promise<CheckedRows<OrderWrite>> {
  const own = await ctx.db
    .selectFrom('user')
    .select('departmentId')
    .where('id', '=', actorOf(ctx).userId)
    .executeTakeFirst()
  const zones = await sql<{ id: number; timeZone: string }>`select id, "timeZone" from country`.execute(ctx.db)
  const facts: CheckFacts = {
    departmentId: own?.departmentId ?? null,
    codes,
    zones: new Map(zones.rows.map(({ id, timeZone }) => [id, timeZone])),
  }
  const orders = await inPieces(gather(rows), (order) => ({
    row: order.rows[0]!.row,
    ...checkOne(order, facts),
  }))
  return {
    bodies: orders.flatMap(({ body }) => body ?? []),
    faults: [...orders.flatMap(({ faults }) => faults), ...(await takenNumbers(ctx, orders))],
    doubts: orders.flatMap(({ doubts }) => doubts),
  }
}

async function createAll(ctx: Ctx, bodies: readonly OrderWrite[], { tells }: { tells: boolean }): Promise<void> {
  const caseWorkerId = actorOf(ctx).userId
  const ids = await createOrders(
    ctx,
    bodies.map((body) => ({ ...body, caseWorkerId })),
  )
  if (tells) await tellOfNew(ctx, ids)
}

/** Orders from a table. Errors: those of every import; a fault stands at its cell. */
export const importOrders = (ctx: Ctx, request: FastifyRequest): Promise<ImportResult> =>
  importTable(ctx, request, { endpoint, fields: FIELDS, lookups, check, createAll, canTell: true })
