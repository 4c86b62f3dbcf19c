import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { fill, LANGUAGES, type FieldErrorCode, type Texts } from '@waybill/contract/errors'
import { FIELD_ERRORS } from '@waybill/contract/errors/all'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import { MAX_IMPORT_BYTES, MAX_SHOWN_FAULTS, type ImportFix, type ImportResult } from '@waybill/contract/kit/import'
import { decimalMarkOf, readFigure, type DecimalMark } from '@waybill/contract/kit/number-text'
import { countryName } from '@waybill/contract/kit/intl'
import { isRealDate } from '@waybill/contract/kit/local-time'
import { actorOf, inTransaction, type Ctx } from '../context/context.ts'
import { AppError, fieldError, fromDatabase, type FieldFault } from '../context/errors.ts'
import { inPieces } from '../context/pieces.ts'
import { createTurns } from '../context/turns.ts'
import { bodyHash, once } from '../http/idempotency.ts'
import type { Table } from './parse-table.ts'
import { readTable } from './read-table.ts'
import { parseInput } from '../http/validation.ts'

/**
 * How a cell becomes a value: `country` and `person` are found by their names, `words` by what the table says,
 * `among` in what the import itself looks up. `cents` are of an amount in euros; a `date` is `2026-12-03`,
 * `3.12.2026` or `03/12/2026`, the day before the month; a `time` is `8`, `8:00` or a sheet's part of a day.
 */
type Reading =
  | 'text'
  | 'number'
  | 'cents'
  | 'date'
  | 'time'
  | 'country'
  | 'person'
  | 'email'
  | { words: Readonly<Record<string, readonly string[]>> }
  | { among: string }

/** A field that a column can fill; `name` is its dotted path in the body. */
export interface ImportField {
  name: string
  title: Texts
  /** other words that the titles of columns have for it */
  also?: readonly string[]
  isRequired?: boolean
  reading?: Reading
}

/** Records by what they are called, as `nameKey` writes it; null: several are. */
export type Names = ReadonlyMap<string, number | null>

/** A row as its cells say, before anybody knows whether it makes sense: values lie where the fields' names say. */
export interface ReadRow {
  row: number
  body: Record<string, unknown>
  faults: ImportFault[]
}

export type ImportFault = FieldFault & { row: number }

/** What rows come to: the records that they make, and what is wrong in which of them. */
export interface CheckedRows<Body> {
  bodies: Body[]
  faults: ImportFault[]
  /** what is shown beside them and refused by nobody */
  doubts?: ImportFault[]
}

interface ImportInto<Body> {
  endpoint: Endpoint
  fields: readonly ImportField[]
  /** for fields that are read `among` something: the records that the cells of such a field may name */
  lookups?: (ctx: Ctx, cellsOf: (field: string) => string[]) => Promise<Readonly<Record<string, Names>>>
  check: (ctx: Ctx, rows: readonly ReadRow[], known: Known) => Promise<CheckedRows<Body>>
  /** makes all of them, inside a transaction */
  createAll: (ctx: Ctx, bodies: readonly Body[], wish: { tells: boolean }) => Promise<void>
  /** whom the records concern can be told of them */
  canTell?: boolean
}

interface Sent {
  bytes: Buffer
  columns: (string | null)[] | undefined
  fixes: ImportFix[]
  commit: '0' | '1'
  tells: '0' | '1'
}

/** What cells are looked up in, read once. */
export interface Known {
  countries: ReadonlyMap<string, number>
  codes: ReadonlyMap<number, string>
  people: ReadonlyMap<string, number>
  among: Readonly<Record<string, Names>>
}

const FORM_BYTES = 1_000_000

// Each holds a connection for as long as it writes, 10,000 orders for some 15 s: the others stay for everybody else.
const commits = createTurns({ atOnce: 2, waiting: 4 })

/**
 * Reads a table, matches its columns, checks every row and, where all are right and it is asked to, makes the
 * records: all or none (api, Resources). The file is sent each time: nothing is kept between preview and commit, so
 * it does not matter which node answers, or when. Errors: `validation` with each fault, `conflict` while a first
 * commit with the same key still runs, `unavailable` where too many are at work.
 */
export async function importTable<Body>(
  ctx: Ctx,
  request: FastifyRequest,
  into: ImportInto<Body>,
): Promise<ImportResult> {
  const sent = await readForm(request, into.endpoint)
  if (sent.tells === '1' && !into.canTell) throw fieldError('tells', 'invalid_value')
  // Before the transaction: nobody's connection waits for it.
  const table = await readTable(sent.bytes, ctx.language)
  if (sent.commit === '0') return run(ctx, table, sent, into)
  return commits.take(() => commit(ctx, request, table, sent, into))
}

async function commit<Body>(
  ctx: Ctx,
  request: FastifyRequest,
  table: Table,
  sent: Sent,
  into: ImportInto<Body>,
): Promise<ImportResult> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return run(ctx, table, sent, into)
  return inTransaction(ctx, async (inner) => {
    const { bytes, ...form } = sent
    const scope = `${actorOf(ctx).userId} POST ${request.url.split('?')[0]} ${String(key)}`
    const hash = bodyHash({ ...form, sha256: createHash('sha256').update(bytes).digest('hex') })
    const answer = await once(inner, scope, hash, async () => ({
      status: 200,
      location: null,
      body: await run(inner, table, sent, into),
    }))
    return answer.body as ImportResult
  })
}

async function run<Body>(ctx: Ctx, given: Table, sent: Sent, into: ImportInto<Body>): Promise<ImportResult> {
  const table = mended(given, sent.fixes)
  const columns = columnsOf(table, into.fields, sent.columns)
  const known = await readKnown(ctx, into, (field) => cellsOf(table, columns.indexOf(field)))
  const decimal = decimalMarkIn(table, columns, into.fields)
  const rows = await inPieces(table.rows, (_row, row) => rowOf(table, row, columns, into.fields, known, decimal))
  const { bodies, faults: found, doubts = [] } = await into.check(ctx, rows, known)
  const faults = found.toSorted((a, b) => a.row - b.row)
  if (sent.commit === '1' && faults.length > 0) throw refusal(faults)
  const created =
    sent.commit === '1'
      ? await createAll(ctx, bodies, into, sent, async (inner) => (await into.check(inner, rows, known)).faults)
      : null
  const findingOf = ({ row, path, code, params }: ImportFault) => {
    const column = columns.indexOf(path)
    const field = into.fields.find(({ name }) => name === path)
    return {
      row,
      line: table.rows[row]!.line,
      column: column === -1 ? null : column,
      field: path,
      fieldTitle: field?.title[ctx.language] ?? path,
      value: table.rows[row]!.cells[column] ?? '',
      code,
      message: fill(FIELD_ERRORS[code][ctx.language], params),
    }
  }
  return {
    columns: table.titles.map((title, column) => ({
      title,
      example: table.rows.find(({ cells }) => (cells[column] ?? '') !== '')?.cells[column] ?? '',
      field: columns[column] ?? null,
    })),
    fields: into.fields.map(({ name, title, isRequired = false }) => ({
      name,
      title: title[ctx.language],
      isRequired,
    })),
    rowCount: table.rows.length,
    faultCount: faults.length,
    faults: faults.slice(0, MAX_SHOWN_FAULTS).map(findingOf),
    doubts: doubts
      .toSorted((a, b) => a.row - b.row)
      .slice(0, MAX_SHOWN_FAULTS)
      .map(findingOf),
    created,
  }
}

/** Of a refused commit, each fault at its row: `rows.3.vatNumber`. */
const refusal = (faults: readonly ImportFault[]) =>
  new AppError('validation', {
    fields: faults.slice(0, 100).map(({ row, path, ...rest }) => ({ path: `rows.${row}.${path}`, ...rest })),
  })

async function readForm(request: FastifyRequest, endpoint: Endpoint): Promise<Sent> {
  const fields: Record<string, unknown> = {}
  let bytes: Buffer | null = null
  try {
    if (!request.isMultipart()) throw new AppError('unsupported_media_type')
    for await (const part of request.parts({ limits: { fileSize: MAX_IMPORT_BYTES, fieldSize: FORM_BYTES } })) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file') throw fieldError(part.fieldname, 'unknown_field')
        bytes = await part.toBuffer()
      } else {
        if (part.valueTruncated) throw fieldError(part.fieldname, 'too_long', { max: FORM_BYTES })
        fields[part.fieldname] = part.value === '' ? undefined : part.value
      }
    }
  } catch (error) {
    // What the caller still sends is read and dropped, so that it can read the answer.
    request.raw.unpipe()
    request.raw.resume()
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') throw fieldError('file', 'table_too_heavy')
    throw error instanceof AppError || 'statusCode' in (error as object) ? error : new AppError('malformed')
  }
  if (bytes === null) throw fieldError('file', 'required')
  return { bytes, ...(parseInput(endpoint.body, fields) as Omit<Sent, 'bytes'>) }
}

function mended(table: Table, fixes: readonly ImportFix[]): Table {
  const rows = table.rows.map(({ line, cells }) => ({ line, cells: [...cells] }))
  for (const { row, column, value } of fixes) {
    if (!rows[row] || column >= table.titles.length) throw fieldError('fixes', 'invalid_value')
    rows[row].cells[column] = value.trim()
  }
  return { ...table, rows }
}

/** Titles and names as they are compared: case, accents and what is between words do not matter. */
export const nameKey = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Which field each column fills: as asked, else as its title says in any of the three languages. No field is filled
 * twice.
 */
function columnsOf(
  { titles }: Table,
  fields: readonly ImportField[],
  asked: (string | null)[] | undefined,
): (string | null)[] {
  if (asked) {
    const chosen = asked.filter((name) => name !== null)
    if (chosen.some((name) => !fields.some((field) => field.name === name)))
      throw fieldError('columns', 'invalid_value')
    if (new Set(chosen).size < chosen.length) throw fieldError('columns', 'duplicate_key')
    return titles.map((_title, column) => asked[column] ?? null)
  }
  const left = new Map(
    fields
      .flatMap(({ name, title, also = [] }) =>
        [name, ...Object.values(title), ...also].map((word) => [nameKey(word), name] as const),
      )
      .toReversed(),
  )
  const used = new Set<string>()
  return titles.map((title) => {
    const name = left.get(nameKey(title))
    if (name === undefined || used.has(name)) return null
    used.add(name)
    return name
  })
}

/** What a column says, each once; nothing where there is no such column. */
const cellsOf = ({ rows }: Table, column: number): string[] => [
  ...new Set(rows.flatMap(({ cells }) => cells[column] || [])),
]

async function readKnown(
  ctx: Ctx,
  { lookups }: Pick<ImportInto<unknown>, 'lookups'>,
  cells: (field: string) => string[],
): Promise<Known> {
  const countries = await sql<{
    id: number
    code: string
    title: string
  }>`select id, code, title from country where state = 'active'`.execute(ctx.db)
  const people = await sql<{
    id: number
    fullName: string
    email: string
  }>`select id, "fullName", email from "user" where state = 'active' order by id`.execute(ctx.db)
  const namesOf = ({ code, title }: { code: string; title: string }) => [
    code,
    title,
    ...LANGUAGES.map((language) => countryName(code, language)),
  ]
  return {
    countries: new Map(
      countries.rows
        .toReversed()
        .flatMap((country) => namesOf(country).map((name) => [nameKey(name), country.id] as const)),
    ),
    codes: new Map(countries.rows.map(({ id, code }) => [id, code])),
    people: new Map(
      people.rows.toReversed().flatMap(
        ({ id, fullName, email }) =>
          [
            [nameKey(fullName), id],
            [nameKey(email), id],
          ] as const,
      ),
    ),
    among: (await lookups?.(ctx, cells)) ?? {},
  }
}

function rowOf(
  { rows }: Table,
  row: number,
  columns: readonly (string | null)[],
  fields: readonly ImportField[],
  known: Known,
  decimal: DecimalMark | null,
): ReadRow {
  const body: Record<string, unknown> = {}
  const faults: ImportFault[] = []
  for (const [column, name] of columns.entries()) {
    const field = fields.find((one) => one.name === name)
    const text = rows[row]!.cells[column] ?? ''
    if (!field || text === '') continue
    const reading = field.reading ?? 'text'
    const value = valueOf(text, reading, known, decimal)
    if (value === undefined || value === null)
      faults.push({ row, path: field.name, code: value === null ? ambiguous(reading) : unreadable(reading) })
    else put(body, field.name.split('.'), value)
  }
  return { row, body, faults }
}

const ambiguous = (reading: Reading): FieldErrorCode =>
  reading === 'number' || reading === 'cents' ? 'ambiguous_number' : 'ambiguous_reference'

function unreadable(reading: Reading): FieldErrorCode {
  if (reading === 'number' || reading === 'cents') return 'not_a_number'
  if (reading === 'date') return 'invalid_date'
  if (reading === 'time') return 'invalid_time'
  return reading === 'country' || reading === 'person' || (typeof reading === 'object' && 'among' in reading)
    ? 'unknown_reference'
    : 'invalid_value'
}

/** What a cell says, undefined where it says nothing of its kind, null where it could be several. */
function valueOf(
  text: string,
  reading: Reading,
  { countries, people, among }: Known,
  decimal: DecimalMark | null,
): unknown {
  if (reading === 'number') return figureOf(text, decimal)
  if (reading === 'country') return countries.get(nameKey(text))
  if (reading === 'person') return people.get(nameKey(text))
  if (reading === 'cents') return centsOf(text, decimal)
  if (reading === 'date') return dateOf(text)
  if (reading === 'time') return timeOf(text)
  if (typeof reading === 'object' && 'among' in reading) return among[reading.among]?.get(nameKey(text))
  if (typeof reading === 'object')
    return Object.entries(reading.words).find(([value, words]) =>
      [value, ...words].some((word) => nameKey(word) === nameKey(text)),
    )?.[0]
  return text
}

/**
 * The mark before decimals that a file's figures agree upon; null where none tells or they differ. A file comes from
 * one hand: what one cell leaves open, another says.
 */
function decimalMarkIn({ rows }: Table, columns: readonly (string | null)[], fields: readonly ImportField[]) {
  const figures = columns.flatMap((name, column) => {
    const reading = fields.find((field) => field.name === name)?.reading
    return reading === 'number' || reading === 'cents' ? [column] : []
  })
  const marks = new Set(rows.flatMap(({ cells }) => figures.map((column) => decimalMarkOf(cells[column] ?? ''))))
  marks.delete(null)
  marks.delete('ambiguous')
  return marks.size === 1 ? ([...marks][0] as DecimalMark) : null
}

/** A figure, null where it could be two, undefined where it is none. */
function figureOf(text: string, decimal: DecimalMark | null): number | null | undefined {
  const own = decimalMarkOf(text)
  if (own === 'ambiguous' && decimal === null) return null
  const figure = readFigure(text, decimal ?? (own as DecimalMark | null) ?? '.')
  return figure === null || !Number.isFinite(figure) ? undefined : figure
}

/** Euros in cents; what is no whole number of cents is no amount. */
function centsOf(text: string, decimal: DecimalMark | null): number | null | undefined {
  const euros = figureOf(text, decimal)
  if (euros === null || euros === undefined) return euros
  const cents = Math.round(euros * 100)
  return Math.abs(euros * 100 - cents) < 1e-6 ? cents : undefined
}

function dateOf(text: string): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const spoken = /^(\d{1,2})([./])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text)
  const parts = iso
    ? [iso[1], iso[2], iso[3]]
    : spoken
      ? [spoken[4]!.length === 2 ? `20${spoken[4]}` : spoken[4], spoken[3], spoken[1]]
      : null
  const date = parts?.map((part) => part!.padStart(2, '0')).join('-')
  return date !== undefined && isRealDate(date) ? date : undefined
}

const MINUTES_OF_DAY = 1440

function timeOf(text: string): string | undefined {
  // A sheet keeps a time as a part of the day.
  const part = /^0?[.,]\d+$/.test(text) ? Math.round(Number(text.replace(',', '.')) * MINUTES_OF_DAY) : Number.NaN
  const match = /^(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?(?: ?(?:Uhr|h))?$/i.exec(text)
  const minutes = Number.isNaN(part)
    ? match && Number(match[2] ?? 0) < 60
      ? Number(match[1]) * 60 + Number(match[2] ?? 0)
      : Number.NaN
    : part
  return minutes < MINUTES_OF_DAY
    ? `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
    : undefined
}

function put(body: Record<string, unknown>, [key, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) body[key!] = value
  else put((body[key!] ??= /^\d+$/.test(rest[0]!) ? [] : {}) as Record<string, unknown>, rest, value)
}

/** Makes all the records, or none; how many. */
async function createAll<Body>(
  ctx: Ctx,
  bodies: readonly Body[],
  into: ImportInto<Body>,
  { tells }: Sent,
  checkAgain: (ctx: Ctx) => Promise<ImportFault[]>,
): Promise<number> {
  return inTransaction(ctx, async (inner) => {
    await sql`savepoint before_import`.execute(inner.db)
    try {
      await into.createAll(inner, bodies, { tells: tells === '1' })
    } catch (error) {
      // Somebody else was faster than this file, between its check and here: what is taken now is asked again.
      if (!fromDatabase(error)?.details.fields) throw error
      await sql`rollback to savepoint before_import`.execute(inner.db)
      const faults = await checkAgain(inner)
      throw faults.length > 0 ? refusal(faults) : error
    }
    return bodies.length
  })
}
