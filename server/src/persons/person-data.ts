import pg from 'pg'
import { WAYBILL_VERSION } from '../kit/context/version.ts'

/** A word is not so short that it is in everything. */
export const LEAST_LETTERS = 3
/** Rows of one table; who is in more of them made them, and they tell of others. */
export const MOST_ROWS = 10_000
/** Of what is looked for and belongs to nobody: passwords and keys, by the names of their columns. */
const SECRET = /hash|secret|token|sealed/i
/** The rows of these tables are persons; elsewhere persons are named. */
const PERSONS = ['user', 'contact_person', 'carrier_contact', 'driver']
/** Whose rows say nothing that is not elsewhere: applied migrations, and what is told for some minutes. */
const LEFT_OUT = ['kysely_migration', 'kysely_migration_lock', 'told_change']
/** Of a long text so much stands on each side of a word, and it is cut at so many words. */
const AROUND = 150
const MOST_EXCERPTS = 20

type Values = Record<string, unknown>

/** What is held about a person, by where it stands. */
export interface PersonData {
  madeAt: string
  waybill: string
  searchedFor: string[]
  /** rows that are the person, each whole, with what belongs to it and is deleted with it */
  persons: { table: string; row: Values; belonging: Record<string, Values[]>; namedBy: Record<string, number> }[]
  /** where the person is named: the row by its numbers, and of its columns those that say so */
  mentions: { table: string; rows: { row: Values; says: Values }[]; isCut: boolean }[]
}

interface Column {
  name: string
  kind: 'text' | 'texts' | 'json' | 'other'
  isKey: boolean
}

interface Table {
  name: string
  columns: Column[]
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; name: string; kind: Column['kind']; isKey: boolean }>(
    `select c.relname as "table", a.attname as name,
        case when t.typcategory = 'S' then 'text' when t.typcategory = 'A' and e.typcategory = 'S' then 'texts'
          when t.typname in ('json', 'jsonb') then 'json' else 'other' end as kind,
        exists (select 1 from pg_constraint k
          where k.conrelid = c.oid and k.contype in ('p', 'f') and a.attnum = any(k.conkey)) as "isKey"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
      join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and t.typname <> 'bytea'
        and c.relname <> all($1) order by 1, a.attnum`,
    [LEFT_OUT],
  )
  const tables = new Map<string, Column[]>()
  for (const { table, ...column } of rows)
    if (!SECRET.test(column.name)) tables.set(table, [...(tables.get(table) ?? []), column])
  return [...tables].map(([name, columns]) => ({ name, columns }))
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '').replace(/^0+/, '')
const isPhone = (word: string): boolean => /^[\d\s+()/.-]+$/.test(word) && digitsOf(word).length >= 6
const PHONE = /phone|mobile/i

/** A column's text as PostgreSQL looks through it. */
function textOf({ name, kind }: Column): string {
  const column = pg.escapeIdentifier(name)
  if (kind === 'text') return `${column}::text`
  return kind === 'texts' ? `array_to_string(${column}, chr(10))` : `${column}::jsonb::text`
}

/** True for the parts of a value that hold one of the words, however a number of a telephone is written. */
function holder(words: readonly string[]): (text: string, name: string) => boolean {
  const small = words.map((word) => word.toLowerCase())
  const phones = words.filter(isPhone).map(digitsOf)
  return (text, name) =>
    small.some((word) => text.toLowerCase().includes(word)) ||
    (PHONE.test(name) && phones.some((phone) => digitsOf(text).includes(phone)))
}

/** Short texts whole, of long ones what stands around the words. */
function excerptOf(text: string, words: readonly string[]): string {
  if (text.length <= 4 * AROUND) return text
  const small = text.toLowerCase()
  const parts: string[] = []
  let from = 0
  while (parts.length < MOST_EXCERPTS) {
    const hits = words.map((word) => small.indexOf(word.toLowerCase(), from)).filter((at) => at >= 0)
    if (hits.length === 0) break
    const at = Math.min(...hits)
    const end = at + AROUND
    parts.push(text.slice(Math.max(from, at - AROUND), end))
    from = end
  }
  return parts.join(' … ')
}

/** The leaves of a value that name the person, by their paths. */
function saidIn(value: unknown, path: string, holds: (text: string, name: string) => boolean): [string, string][] {
  if (typeof value === 'string' || typeof value === 'number')
    return holds(String(value), path) ? [[path, String(value)]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => (SECRET.test(key) ? [] : saidIn(part, `${path}.${key}`, holds)))
}

const pick = (row: Values, columns: readonly Column[]): Values =>
  Object.fromEntries(columns.map(({ name }) => [name, row[name]]).filter(([, value]) => value !== null))

/** The rows of a table that hold one of the words. */
async function rowsWith(
  client: pg.Client,
  { name, columns }: Table,
  words: readonly string[],
): Promise<{ rows: Values[]; isCut: boolean }> {
  const texts = columns.filter(({ kind }) => kind !== 'other')
  if (texts.length === 0) return { rows: [], isCut: false }
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const phones = words.filter(isPhone).map((word) => `%${digitsOf(word)}%`)
  const dialled = phones.length === 0 ? [] : texts.filter((one) => PHONE.test(one.name) || one.kind === 'json')
  const conditions = [
    ...texts.map((column) => `${textOf(column)} ilike any($1)`),
    ...dialled.map((column) => `regexp_replace(${textOf(column)}, '\\D', '', 'g') like any($2)`),
  ]
  const { rows } = await client.query<Values>(
    `select ${columns.map((column) => pg.escapeIdentifier(column.name)).join(', ')} from ${pg.escapeIdentifier(name)}
      where ${conditions.join(' or ')} limit ${MOST_ROWS + 1}`,
    dialled.length === 0 ? [patterns] : [patterns, phones],
  )
  return { rows: rows.slice(0, MOST_ROWS), isCut: rows.length > MOST_ROWS }
}

interface Reference {
  table: string
  column: string
  isDeletedWith: boolean
}

/** What points at the rows of a table by their number. */
const referencesTo = async (client: pg.Client, table: string): Promise<Reference[]> =>
  (
    await client.query<Reference>(
      `select c.relname as "table", a.attname as "column", k.confdeltype = 'c' as "isDeletedWith"
        from pg_constraint k join pg_class c on c.oid = k.conrelid
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
        where k.contype = 'f' and k.confrelid = $1::regclass and cardinality(k.conkey) = 1 order by 1, 2`,
      [pg.escapeIdentifier(table)],
    )
  ).rows

/** What belongs to a person, and how often they are named elsewhere by their number. */
async function aboutPerson(
  client: pg.Client,
  tables: readonly Table[],
  { name, id }: { name: string; id: unknown },
): Promise<{ belonging: Record<string, Values[]>; namedBy: Record<string, number> }> {
  const belonging: Record<string, Values[]> = {}
  const namedBy: Record<string, number> = {}
  for (const { table, column, isDeletedWith } of await referencesTo(client, name)) {
    const columns = tables.find((one) => one.name === table)?.columns ?? []
    const where = `from ${pg.escapeIdentifier(table)} where ${pg.escapeIdentifier(column)} = $1`
    if (isDeletedWith && columns.length > 0) {
      const list = columns.map((one) => pg.escapeIdentifier(one.name)).join(', ')
      const { rows } = await client.query<Values>(`select ${list} ${where} limit ${MOST_ROWS}`, [id])
      if (rows.length > 0) belonging[table] = rows.map((row) => pick(row, columns))
      continue
    }
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count ${where}`, [id])
    if (rows[0]!.count > 0) namedBy[`${table}.${column}`] = rows[0]!.count
  }
  return { belonging, namedBy }
}

/**
 * Gathers what is held about a person who is called or reached by these words: every table and column of the database
 * is looked through, as of one moment, so that none can be forgotten. Passwords, keys and the insides of files are left
 * out. `client` is connected, and nobody else uses it meanwhile.
 */
export async function personData(client: pg.Client, words: readonly string[], now: Date): Promise<PersonData> {
  await client.query('begin isolation level repeatable read read only')
  await client.query('set local statement_timeout = 0')
  const tables = await tablesOf(client)
  const holds = holder(words)
  const found: PersonData = {
    madeAt: now.toISOString(),
    waybill: WAYBILL_VERSION,
    searchedFor: [...words],
    persons: [],
    mentions: [],
  }
  for (const table of tables) {
    const { rows, isCut } = await rowsWith(client, table, words)
    const mentions: PersonData['mentions'][number]['rows'] = []
    for (const row of rows) {
      if (PERSONS.includes(table.name)) {
        const about = await aboutPerson(client, tables, { name: table.name, id: row['id'] })
        found.persons.push({ table: table.name, row: pick(row, table.columns), ...about })
        continue
      }
      const said = table.columns
        .filter(({ kind }) => kind !== 'other')
        .flatMap(({ name }) => saidIn(row[name], name, holds))
        .map(([path, text]) => [path, excerptOf(text, words)])
      const keys = table.columns.filter(({ isKey }) => isKey)
      if (said.length > 0) mentions.push({ row: pick(row, keys), says: Object.fromEntries(said) })
    }
    if (mentions.length > 0) found.mentions.push({ table: table.name, rows: mentions, isCut })
  }
  await client.query('commit')
  return found
}
