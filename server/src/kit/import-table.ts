import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { z } from 'zod'
import { FIELD_ERRORS, fill, type FieldErrorCode, type Texts } from '@waybill/contract/errors'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import { MAX_IMPORT_BYTES, MAX_SHOWN_FAULTS, type ImportFix, type ImportResult } from '@waybill/contract/kit/import'
import { faultsOf, type FieldFault } from '@waybill/contract/kit/issues'
import { actorOf, inTransaction, type Ctx } from './context.ts'
import type { Tables } from './db.ts'
import { AppError, fieldError, fromDatabase } from './errors.ts'
import { bodyHash, once } from './idempotency.ts'
import { readTable, type Table } from './read-table.ts'
import { parseInput } from './validation.ts'
import { vatNumberShape } from './vat-number.ts'

/** How a cell becomes a value: `country` and `person` are found by their names, `words` by what the table says. */
type Reading = 'text' | 'number' | 'country' | 'person' | 'email' | { words: Readonly<Record<string, readonly string[]>> }

/** A field that a column can fill; `name` is its dotted path in the body. */
export interface ImportField {
  name: string
  title: Texts
  /** other words that the titles of columns have for it */
  also?: readonly string[]
  isRequired?: boolean
  reading?: Reading
}

interface ImportInto<Write extends z.ZodType> {
  endpoint: Endpoint
  write: Write
  fields: readonly ImportField[]
  /** a VAT number is there once */
  vatNumbers: { table: keyof Tables & string; taken: FieldErrorCode }
  /** makes all of them, inside a transaction */
  createAll: (ctx: Ctx, bodies: readonly z.output<Write>[]) => Promise<void>
}

interface Sent {
  bytes: Buffer
  columns: (string | null)[] | undefined
  fixes: ImportFix[]
  commit: '0' | '1'
}

/** What cells are looked up in, read once. */
interface Known {
  countries: ReadonlyMap<string, number>
  codes: ReadonlyMap<number, string>
  people: ReadonlyMap<string, number>
}

type Fault = FieldFault & { row: number }

const FORM_BYTES = 1_000_000

/**
 * Reads a table, matches its columns, checks every row and, where all are right and it is asked to, makes the records: all or none (api.md, Resources).
 * The file is sent each time: nothing is kept between preview and commit, so it does not matter which node answers, or when.
 */
export async function importTable<Write extends z.ZodType>(ctx: Ctx, request: FastifyRequest, into: ImportInto<Write>): Promise<ImportResult> {
  const sent = await readForm(request, into.endpoint)
  const key = request.headers['idempotency-key']
  if (sent.commit === '0' || key === undefined) return run(ctx, sent, into)
  return inTransaction(ctx, async (inner) => {
    const { bytes, ...form } = sent
    const scope = `${actorOf(ctx).userId} POST ${request.url.split('?')[0]} ${String(key)}`
    const hash = bodyHash({ ...form, sha256: createHash('sha256').update(bytes).digest('hex') })
    const answer = await once(inner, scope, hash, async () => ({ status: 200, location: null, body: await run(inner, sent, into) }))
    return answer.body as ImportResult
  })
}

async function run<Write extends z.ZodType>(ctx: Ctx, sent: Sent, into: ImportInto<Write>): Promise<ImportResult> {
  const table = mended(await readTable(sent.bytes, ctx.language), sent.fixes)
  const columns = columnsOf(table, into.fields, sent.columns)
  const known = await readKnown(ctx)
  const checked = table.rows.map((_row, row) => rowOf(table, row, columns, into, known))
  const faults = [...checked.flatMap(({ faults: found }) => found), ...(await takenNumbers(ctx, checked, into))].toSorted((a, b) => a.row - b.row)
  if (sent.commit === '1' && faults.length > 0) throw refusal(faults)
  const created = sent.commit === '1' ? await createAll(ctx, checked, into) : null
  return {
    columns: table.titles.map((title, column) => ({ title, example: table.rows.find(({ cells }) => (cells[column] ?? '') !== '')?.cells[column] ?? '', field: columns[column] ?? null })),
    fields: into.fields.map(({ name, title, isRequired = false }) => ({ name, title: title[ctx.language], isRequired })),
    rowCount: table.rows.length,
    faultCount: faults.length,
    faults: faults.slice(0, MAX_SHOWN_FAULTS).map(({ row, path, code, params }) => {
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
    }),
    created,
  }
}

/** Of a refused commit, each fault at its row: `rows.3.vatNumber`. */
const refusal = (faults: readonly Fault[]) => new AppError('validation', { fields: faults.slice(0, 100).map(({ row, path, ...rest }) => ({ path: `rows.${row}.${path}`, ...rest })) })

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
const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Which field each column fills: as asked, else as its title says in any of the three languages. No field is filled twice. */
function columnsOf({ titles }: Table, fields: readonly ImportField[], asked: (string | null)[] | undefined): (string | null)[] {
  if (asked) {
    const chosen = asked.filter((name) => name !== null)
    if (chosen.some((name) => !fields.some((field) => field.name === name))) throw fieldError('columns', 'invalid_value')
    if (new Set(chosen).size < chosen.length) throw fieldError('columns', 'duplicate_key')
    return titles.map((_title, column) => asked[column] ?? null)
  }
  const left = new Map(fields.flatMap(({ name, title, also = [] }) => [name, ...Object.values(title), ...also].map((word) => [keyOf(word), name] as const)).toReversed())
  const used = new Set<string>()
  return titles.map((title) => {
    const name = left.get(keyOf(title))
    if (name === undefined || used.has(name)) return null
    used.add(name)
    return name
  })
}

async function readKnown(ctx: Ctx): Promise<Known> {
  const countries = await sql<{ id: number; code: string; title: string }>`select id, code, title from country where state = 'active'`.execute(ctx.db)
  const people = await sql<{ id: number; fullName: string; email: string }>`select id, "fullName", email from "user" where state = 'active' order by id`.execute(ctx.db)
  const namesOf = ({ code, title }: { code: string; title: string }) => [code, title, ...COUNTRY_NAMES.map((names) => names.of(code) ?? code)]
  return {
    countries: new Map(countries.rows.toReversed().flatMap((country) => namesOf(country).map((name) => [keyOf(name), country.id] as const))),
    codes: new Map(countries.rows.map(({ id, code }) => [id, code])),
    people: new Map(people.rows.toReversed().flatMap(({ id, fullName, email }) => [[keyOf(fullName), id], [keyOf(email), id]] as const)),
  }
}

const COUNTRY_NAMES = ['en', 'de', 'pl'].map((language) => new Intl.DisplayNames(language, { type: 'region' }))

interface CheckedRow {
  row: number
  body: unknown
  faults: Fault[]
}

function rowOf<Write extends z.ZodType>({ rows }: Table, row: number, columns: readonly (string | null)[], { write, fields }: ImportInto<Write>, known: Known): CheckedRow {
  const body: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [column, name] of columns.entries()) {
    const field = fields.find((one) => one.name === name)
    const text = rows[row]!.cells[column] ?? ''
    if (!field || text === '') continue
    const value = valueOf(text, field.reading ?? 'text', known)
    if (value === undefined) faults.push({ row, path: field.name, code: field.reading === 'number' ? 'invalid_type' : field.reading === 'country' || field.reading === 'person' ? 'unknown_reference' : 'invalid_value' })
    else put(body, field.name.split('.'), value)
  }
  const parsed = write.safeParse(body, { reportInput: true })
  if (!parsed.success) for (const fault of faultsOf(parsed.error.issues)) if (!faults.some(({ path }) => path === fault.path)) faults.push({ row, ...fault })
  const { vatNumber, countryId } = (parsed.data ?? {}) as { vatNumber?: string | null; countryId?: number }
  if (vatNumber && countryId !== undefined && vatNumberShape(vatNumber, known.codes.get(countryId) ?? '') === 'wrong') faults.push({ row, path: 'vatNumber', code: 'invalid_vat_number' })
  return { row, body: parsed.data ?? body, faults }
}

/** What a cell says, or undefined where it says nothing of its kind. */
function valueOf(text: string, reading: Reading, { countries, people }: Known): unknown {
  if (reading === 'number') {
    const number = Number(text.replace(',', '.'))
    return Number.isFinite(number) ? number : undefined
  }
  if (reading === 'country') return countries.get(keyOf(text))
  if (reading === 'person') return people.get(keyOf(text))
  if (typeof reading === 'object') return Object.entries(reading.words).find(([value, words]) => [value, ...words].some((word) => keyOf(word) === keyOf(text)))?.[0]
  return text
}

function put(body: Record<string, unknown>, [key, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) body[key!] = value
  else put((body[key!] ??= /^\d+$/.test(rest[0]!) ? [] : {}) as Record<string, unknown>, rest, value)
}

/** VAT numbers that a record has already, or that stand twice in the file: then the first one counts. */
async function takenNumbers<Write extends z.ZodType>(ctx: Ctx, rows: readonly CheckedRow[], { vatNumbers }: ImportInto<Write>): Promise<Fault[]> {
  const numbered = rows.flatMap(({ row, body }) => {
    const { vatNumber } = body as { vatNumber?: unknown }
    return typeof vatNumber === 'string' ? [{ row, vatNumber }] : []
  })
  if (numbered.length === 0) return []
  const found = await sql<{ row: number; isTaken: boolean; isTwice: boolean }>`
    select given.row, exists (select 1 from ${sql.table(vatNumbers.table)} there where vat_number_key(there."vatNumber") = given.key) as "isTaken",
      row_number() over (partition by given.key order by given.row) > 1 as "isTwice"
    from (select row, vat_number_key("vatNumber") as key from unnest(${numbered.map(({ row }) => row)}::int[], ${numbered.map(({ vatNumber }) => vatNumber)}::text[]) as sent(row, "vatNumber")) given
  `.execute(ctx.db)
  return found.rows.flatMap(({ row, isTaken, isTwice }) => (isTaken ? [{ row, path: 'vatNumber', code: vatNumbers.taken }] : isTwice ? [{ row, path: 'vatNumber', code: 'twice_in_file' as const }] : []))
}

/** Makes the records of all rows, or none; how many. */
async function createAll<Write extends z.ZodType>(ctx: Ctx, rows: readonly CheckedRow[], into: ImportInto<Write>): Promise<number> {
  return inTransaction(ctx, async (inner) => {
    await sql`savepoint before_import`.execute(inner.db)
    try {
      await into.createAll(inner, rows.map(({ body }) => body as z.output<Write>))
    } catch (error) {
      // Somebody else was faster than this file, between its check and here: what is taken now is asked again.
      if (!fromDatabase(error)?.details.fields) throw error
      await sql`rollback to savepoint before_import`.execute(inner.db)
      const faults = await takenNumbers(inner, rows, into)
      throw faults.length > 0 ? refusal(faults) : error
    }
    return rows.length
  })
}
