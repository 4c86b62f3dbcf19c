import { createHash } from 'node:crypto'
import { sql, type CompiledQuery, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { EXACT_TOTAL, type Page, type PageSize } from '@waybill/contract/kit/paging'
import type { Db, Tables } from '../database/db.ts'
import { fieldError } from '../context/errors.ts'
import { plannedWithValues } from '../database/prepared.ts'
import { manyMatches } from './many-matches.ts'

/**
 * A query on tables that only the caller knows: the lists of the kit pass it through and never look at its columns by
 * name.
 */
// Kysely's builders are invariant in their tables: no narrower type takes them all.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
export type AnyQuery = SelectQueryBuilder<any, any, any>

/**
 * A field that a list may be sorted by: its column or what is made of some, PostgreSQL's type for the cursor, and
 * whether it can be null.
 */
export interface SortColumn {
  column: string | RawBuilder<unknown>
  type: 'text' | 'bigint' | 'int' | 'timestamptz' | 'date'
  isNullable?: boolean
}

export interface ListQuery {
  page?: number | undefined
  cursor?: string | undefined
  perPage: PageSize
  sort: string
  [filter: string]: unknown
}

interface ListSpec<Row> {
  db: Db
  table: keyof Tables & string
  /** the filtered rows of `table`, nothing selected, not ordered */
  filtered: AnyQuery
  /**
   * The same rows, given where they may lie anywhere in the order of the sort: up to 10,000 are gathered by their
   * filter's own index, and sorted. More than that lie so close that walking the index of the sort soon meets a page
   * of them.
   */
  gathered?: AnyQuery
  /**
   * Nothing but a search for parts of words, `gathered` by `searchIn` for any words: that is planned once per
   * connection. Only where there are more than 10,000, which are walked in the order of the sort, PostgreSQL is asked
   * again, and plans with the words.
   */
  isSearch?: boolean
  sorts: Record<string, SortColumn>
  query: ListQuery
  /** selects the row's columns for the ids of one page: joins happen for these few rows alone */
  rows: (page: AnyQuery) => AnyQuery
  toRow?: (row: never) => Row
}

/** Beside the columns that the caller asked for. */
interface Found {
  pageId: number
  sortValue: string | null
  pageTotal: number
}

/** The builder's own words for a query with others before it, for tables that it does not know. */
interface WithQueries {
  with: (name: string, make: () => AnyQuery) => WithQueries
  selectFrom: (from: string | ReturnType<AnyQuery['as']>) => AnyQuery
}

interface Cursor {
  bound: string
  value: string | null
  id: number
}

/** A cursor belongs to one sort and one set of filters (api, Lists). */
function boundTo({ cursor: _cursor, page: _page, perPage: _perPage, fields: _fields, ...rest }: ListQuery): string {
  return createHash('sha256').update(JSON.stringify(rest)).digest('base64url').slice(0, 16)
}

// A cursor that was made by hand must not reach the database as a date that is none.
const READABLE: Readonly<Record<SortColumn['type'], RegExp>> = {
  text: /^[^\0]*$/,
  bigint: /^-?\d{1,18}$/,
  int: /^-?\d{1,9}$/,
  timestamptz: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?[+-]\d{2}(:\d{2})?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
}

function readCursor(text: string, bound: string, { type, isNullable = false }: SortColumn): Cursor {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Cursor
    if (
      cursor.bound === bound &&
      Number.isSafeInteger(cursor.id) &&
      (cursor.value === null ? isNullable : READABLE[type].test(cursor.value))
    )
      return cursor
  } catch {
    // falls through: what cannot be read was not made here
  }
  throw fieldError('cursor', 'cursor_mismatch')
}

/**
 * One page of a list: ids first by index, then the columns of those rows (late lookup); keyset by cursor, offset by
 * page. Empty values come last both ways; the id breaks ties. The total stops counting at 10,000; a list that had more
 * a short while ago is not counted again.
 */
export async function listPage<Row>(spec: ListSpec<Row>): Promise<Page<Row>> {
  const { db, table, query, sorts, filtered, gathered } = spec
  const isDescending = query.sort.startsWith('-')
  const sort = sorts[query.sort.replace('-', '')]
  if (!sort) throw fieldError('sort', 'invalid_value')
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const column = typeof sort.column === 'string' ? sql.ref(sort.column) : sort.column
  const id = sql.ref(`${table}.id`)
  // PostgreSQL puts nulls first when descending; where there are none, plain DESC fits the index.
  const nulls = sort.isNullable && isDescending ? sql` nulls last` : sql``
  const bound = boundTo(query)
  const cursor = query.cursor === undefined ? null : readCursor(query.cursor, bound, sort)

  const page = cursor ? null : (query.page ?? 1)
  const bySort = (sortedBy: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
    sql`${sortedBy} ${direction}${nulls}, ${id} ${direction}`
  const turnedTo = (rows: AnyQuery, sortedBy: RawBuilder<unknown>, id: RawBuilder<unknown>): AnyQuery => {
    let found = cursor ? rows.where(after(cursor, sort, isDescending, sortedBy, id)) : rows
    found = found.orderBy(bySort(sortedBy, id))
    if (page !== null && page > 1) found = found.offset((page - 1) * query.perPage)
    // A literal LIMIT: a parameter would defeat the plan cache (design §8). One more than shown tells whether there
    // is a next page.
    return found.limit(sql.lit(query.perPage + 1) as never)
  }
  const pageOf = (rows: AnyQuery, sortedBy: RawBuilder<unknown>, id: RawBuilder<unknown>): AnyQuery =>
    turnedTo(rows.select([sql`${id}`.as('pageId'), sql`${sortedBy}`.as('sortedBy')]), sortedBy, id)

  const from = db as unknown as WithQueries
  // As text, which keeps the microseconds that a cursor needs; here, because a jump to a far page would else write
  // every row that it skips.
  const pageRows = (of: WithQueries) =>
    of
      .selectFrom('page')
      .innerJoin(table, `${table}.id`, 'page.pageId')
      .select(['page.pageId', sql<string | null>`page."sortedBy"::text`.as('sortValue')])
  const counted = (gathered ?? filtered).select(sql.lit(1).as('one')).limit(sql.lit(EXACT_TOTAL + 1) as never)
  const walked = pageOf(filtered, column, id)

  // Page and total in one statement: what goes to PostgreSQL and back costs more than what it finds. An empty page
  // still has its total.
  const sorted = sql`order by found."sortValue"::${sql.raw(sort.type)} ${direction}${nulls},
    found."pageId" ${direction}`
  const ofTooMany = walked.where(sql<boolean>`(select "pageTotal" from counted) > ${sql.lit(EXACT_TOTAL)}`)
  const farMore = sql`
        union all
        select * from (${ofTooMany}) many`
  const gatheredIds = (rows: AnyQuery) =>
    rows.select([sql`${column}`.as('sortedBy'), sql`${id}`.as('id')]).limit(sql.lit(EXACT_TOTAL + 1) as never)
  const countingAndFinding = () =>
    gathered
      ? sql<Found>`
    with gathered as materialized (${gatheredIds(gathered)}),
      counted as materialized (select count(*)::int as "pageTotal" from gathered),
      page as materialized (
        select * from (${pageOf(
          from.selectFrom('gathered').where(sql<boolean>`(select "pageTotal" from counted) <= ${sql.lit(EXACT_TOTAL)}`),
          sql`gathered."sortedBy"`,
          sql`gathered.id`,
        )}) few
        ${spec.isSearch ? sql`` : farMore}
      )
    select found.*, counted."pageTotal" from counted left join (${spec.rows(pageRows(from))}) found on true ${sorted}
  `.compile(db)
      : sql<Found>`
    select found.*, counted."pageTotal" from (select count(*)::int as "pageTotal" from (${counted}) one) counted
      left join (${spec.rows(pageRows(from.with('page', () => walked)))}) found on true ${sorted}
  `.compile(db)
  const counting = counted.compile()
  const hangsOnValues = !spec.isSearch && counting.parameters.length > 0
  // Where nothing is skipped the rows of the page are taken as they are met, without being looked up by their ids.
  const isMetAlong = typeof sort.column === 'string' && sort.column.startsWith(`${table}.`) && (page ?? 1) === 1
  const walkedRows = () =>
    isMetAlong
      ? spec
          .rows(
            from
              .selectFrom(turnedTo(filtered.selectAll(table), column, id).as(table))
              .select([sql`${id}`.as('pageId'), sql<string | null>`${column}::text`.as('sortValue')]),
          )
          .orderBy(bySort(column, id))
      : spec.rows(pageRows(from.with('page', () => walked))).orderBy(bySort(sql`page."sortedBy"`, sql`page."pageId"`))
  const walk = async () => {
    const walking = walkedRows().compile() as unknown as CompiledQuery<Found>
    // As far as a plan hangs on the words, and with what is gathered on how many there are.
    const { rows } = await db.executeQuery(hangsOnValues || gathered ? plannedWithValues(walking) : walking)
    return rows
  }
  const many = manyMatches(db, counting)
  const countAndFind = async () => {
    const statement = countingAndFinding()
    const { rows } = await db.executeQuery(hangsOnValues ? plannedWithValues(statement) : statement)
    const total = rows[0]!.pageTotal
    if (total > EXACT_TOTAL) many.note()
    return { total, rows: spec.isSearch && total > EXACT_TOTAL ? await walk() : rows }
  }
  const findOfMany = async () => {
    if (!many.isKnown()) return null
    const rows = await walk()
    // Not so many as would fill the page, before the end of what is counted: they have become few.
    const haveBecomeFew = rows.length <= query.perPage && page !== null && page * query.perPage < EXACT_TOTAL
    if (haveBecomeFew) many.forget()
    return haveBecomeFew ? null : { total: EXACT_TOTAL + 1, rows }
  }
  const { total, rows } = (await findOfMany()) ?? (await countAndFind())
  const found = rows.filter(({ pageId }) => (pageId as number | null) !== null)
  const items = found.slice(0, query.perPage)
  const last = items.at(-1)
  const nextCursor =
    found.length > query.perPage && last ? encodeCursor({ bound, value: last.sortValue, id: last.pageId }) : null
  const toRow = spec.toRow ?? ((row: never) => row as Row)
  return {
    items: items.map((row) => toRow(row as never)),
    page,
    perPage: query.perPage,
    total: Math.min(total, EXACT_TOTAL),
    totalIsExact: total <= EXACT_TOTAL,
    nextCursor,
  }
}

const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

function after(
  cursor: Cursor,
  sort: SortColumn,
  isDescending: boolean,
  column: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
) {
  const beyond = sql.raw(isDescending ? '<' : '>')
  if (cursor.value === null) return sql<boolean>`(${column} is null and ${id} ${beyond} ${cursor.id})`
  const value = sql`${cursor.value}::${sql.raw(sort.type)}`
  const next = sql<boolean>`(${column}, ${id}) ${beyond} (${value}, ${cursor.id})`
  return sort.isNullable ? sql<boolean>`(${next} or ${column} is null)` : next
}

/** Text as LIKE finds it, without wildcards. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const wordsOf = (q: string): string[] => q.trim().split(/\s+/).filter(Boolean)

/** Whether a search is for parts of words; the one or two letters of a shorter one are the beginning of a title. */
export const isForParts = (q: unknown): q is string => typeof q === 'string' && wordsOf(q).join(' ').length >= 3

interface SearchOptions {
  /**
   * Planned without looking at the words, so always by the trigram index: for rows that are gathered up to a bound.
   * By a sample of the table the plan for a word of every fourth row would now be the index, now the whole table.
   */
  isForAnyWords?: boolean
  /** A number that is typed in groups (`DE 811.569.869`) also finds what holds it without what groups it. */
  isForNumbers?: boolean
}

const NUMBER_IN_GROUPS = /^[A-Za-z]{0,4}(?:[\s./-]*[\dA-Za-z])*$/
const LEAST_DIGITS = 6

/** What was typed without blanks, dots, dashes and slashes, where it is a number that holds some; else null. */
function ungrouped(q: string): string | null {
  const typed = q.trim()
  const compact = typed.replace(/[\s./-]/g, '')
  const isNumber = NUMBER_IN_GROUPS.test(typed) && compact.replace(/\D/g, '').length >= LEAST_DIGITS
  return isNumber && compact !== typed ? compact : null
}

/**
 * What `q` means everywhere (api, Lists): every word is a part of `searchColumn`, or the beginning of one if it has
 * one or two letters; under three characters in all a prefix of one of `prefixColumns`. Both sides are search keys:
 * lower case, without accents.
 */
export function searchIn(
  q: string,
  searchColumn: string,
  prefixColumns: readonly (string | RawBuilder<unknown>)[],
  { isForAnyWords = false, isForNumbers = false }: SearchOptions = {},
) {
  const words = wordsOf(q)
  if (words.length === 0) return sql<boolean>`true`
  if (!isForParts(q)) {
    const prefix = `${escapeLike(words.join(' '))}%`
    return sql<boolean>`(${sql.join(
      prefixColumns.map(
        (column) => sql`${typeof column === 'string' ? sql.ref(column) : column} like search_key(${prefix})`,
      ),
      sql` or `,
    )})`
  }
  const key = sql.ref(searchColumn)
  const like = (pattern: string) =>
    isForAnyWords ? sql`${key} like (select search_key(${pattern}))` : sql`${key} like search_key(${pattern})`
  // One or two letters stand somewhere in nearly every row; where a word begins they still tell rows apart.
  const holds = (word: string) =>
    word.length < 3
      ? sql`(${like(`${escapeLike(word)}%`)} or ${like(`% ${escapeLike(word)}%`)})`
      : like(`%${escapeLike(word)}%`)
  const number = isForNumbers ? ungrouped(q) : null
  const holdsAll = sql<boolean>`(${sql.join(words.map(holds), sql` and `)})`
  return number === null ? holdsAll : sql<boolean>`(${holdsAll} or ${like(`%${number}%`)})`
}
