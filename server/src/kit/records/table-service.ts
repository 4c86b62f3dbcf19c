import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { CompactRow, compactQuery, Page } from '@waybill/contract/kit/paging'
import type { ListQueryOf, ResourceApi, RowOf, ViewOf, WriteOf } from '@waybill/contract/kit/resource'
import { audit } from './audit.ts'
import { conditionsOf, type Filters } from './filters.ts'
import type { Ctx } from '../context/context.ts'
import type { Tables } from '../database/db.ts'
import { AppError } from '../context/errors.ts'
import { shownTitle, titleKeys } from './titles.ts'
import { isForParts, listPage, searchIn, type AnyQuery, type ListQuery, type SortColumn } from './paging.ts'
import type { ServiceOf } from '../http/routes.ts'

/** The filters of a resource's list, beside search and state, which every list has. */
export type OwnFilters<Api extends ResourceApi> = Filters<Omit<ListQueryOf<Api>, 'q' | 'state'>>

export interface TableServiceOptions<Api extends ResourceApi, Stored = ViewOf<Api>> {
  api: Api
  table: keyof Tables & string
  /** the column that a reference shows */
  title: string
  sorts: Record<string, SortColumn>
  /** columns, search keys all, whose beginning one or two letters find beside that of the title */
  shortSearch?: readonly string[]
  /** true where a row has a title in each of our languages, which lists and references show (decision 058) */
  isTitled?: boolean
  /** adds what a select box says beside the title */
  compact?: (rows: AnyQuery, ctx: Ctx) => AnyQuery
  /** adds the columns of view and row; all of the table's where left out */
  select?: (rows: AnyQuery, ctx: Ctx) => AnyQuery
  /** the columns of a row alone, where a view has parts that no list shows; those of `select` where left out */
  row?: (rows: AnyQuery, ctx: Ctx) => AnyQuery
  /** what the resource's own filters mean, every one of them; none where it has none */
  filters: OwnFilters<Api>
  /** rows that this caller does not get at all, in either representation */
  narrow?: (rows: AnyQuery, ctx: Ctx) => AnyQuery
  /** columns to store beside those of the body, e.g. the creation time */
  onCreate?: (ctx: Ctx) => Record<string, unknown>
  /** the columns of a body where they are not its fields; `before` is null for a record that is made */
  columnsOf?: (body: WriteOf<Api>, before: Stored | null) => Record<string, unknown>
  /** the body as it is to be checked and stored, where that is not as it was sent */
  prepare?: (ctx: Ctx, body: WriteOf<Api>, before: Stored | null) => Promise<WriteOf<Api>>
  /** refuses what the schema cannot see, before anything is written */
  check?: (ctx: Ctx, body: WriteOf<Api>, before: Stored | null) => Promise<void>
  /** makes the stored children of a record equal to those of the body */
  saveChildren?: (ctx: Ctx, id: number, body: WriteOf<Api>) => Promise<void>
  /** tells those whom a change concerns, in its transaction */
  onUpdate?: (ctx: Ctx, id: number, change: { before: Stored; after: Stored }) => Promise<void>
  /** where a view says more than the row that `select` answers: what history compares, and what the caller gets */
  read?: (ctx: Ctx, row: Record<string, unknown>) => { stored: Stored; shown: ViewOf<Api> }
}

/** What history calls the rows of a table: `carrier_company` is a `carrierCompany`. */
export const ownerKindOf = (table: string): string =>
  table.replace(/_([a-z])/g, (_underscore, letter: string) => letter.toUpperCase())

type ShortSearch = readonly (string | RawBuilder<unknown>)[]

type CompactQuery = z.output<typeof compactQuery>

const where = (rows: AnyQuery, conditions: readonly RawBuilder<boolean>[]): AnyQuery =>
  conditions.reduce((narrowed, condition) => narrowed.where(condition), rows)

/** What every list of master data can be asked; `isForAnyWords` as in `searchIn`. */
const commonFilters = (table: string, shortSearch: ShortSearch, isForAnyWords: boolean): Filters<CompactQuery> => ({
  state: (_ctx, state) => sql<boolean>`${sql.ref(`${table}.state`)} = ${state}`,
  q: (_ctx, q) =>
    searchIn(q, `${table}.searchKey`, [`${table}.titleKey`, ...shortSearch], { isForAnyWords, isForNumbers: true }),
  ids: (_ctx, ids) => sql<boolean>`${sql.ref(`${table}.id`)} = any(${ids}::bigint[])`,
})

// What every list has; whatever else is asked may lie anywhere in the order of the sort (decision 020).
const OF_EVERY_LIST = new Set(['page', 'perPage', 'cursor', 'sort', 'state'])
const narrowingIn = (query: ListQuery): string[] =>
  Object.entries(query).flatMap(([name, value]) => (value === undefined || OF_EVERY_LIST.has(name) ? [] : [name]))

/** A page for select boxes: id, title and what `beside` adds, in the order of titles. */
function compactPage(
  ctx: Ctx,
  table: keyof Tables & string,
  title: RawBuilder<unknown>,
  query: CompactQuery,
  shortSearch: ShortSearch,
  narrow: (rows: AnyQuery) => AnyQuery,
  beside: (rows: AnyQuery) => AnyQuery,
): Promise<Page<CompactRow>> {
  const rowsOf = (isForAnyWords: boolean) =>
    narrow(
      where(
        ctx.db.selectFrom(table) as unknown as AnyQuery,
        conditionsOf(commonFilters(table, shortSearch, isForAnyWords), ctx, query),
      ),
    )
  return listPage<CompactRow>({
    db: ctx.db,
    table,
    filtered: rowsOf(false),
    ...(query.q === undefined && query.ids === undefined ? {} : { gathered: rowsOf(true) }),
    isSearch: query.ids === undefined && isForParts(query.q),
    sorts: { title: { column: title, type: 'text' } },
    query: { ...query, sort: 'title' },
    rows: (page) => beside(page.select([`${table}.id`, title.as('title')])),
  })
}

/** Adds one to the version of the row that was read; 0 rows means that it is gone or newer. */
export async function bumpVersion(
  ctx: Ctx,
  table: keyof Tables & string,
  id: number,
  version: number,
  values: Record<string, unknown>,
): Promise<boolean> {
  const result = await (ctx.db as unknown as { updateTable: (name: string) => AnyUpdate })
    .updateTable(table)
    .set({ ...values, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

interface AnyUpdate {
  set(values: Record<string, unknown>): AnyUpdate
  where(column: string, operator: string, value: unknown): AnyUpdate
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>
}

/**
 * The service of an entity that is one table, perhaps with children: load, check, write, children, history, tell.
 * A record of independent functions: an entity that differs in one replaces that one.
 * Errors: `not_found`, `stale_version` with the record as it is now, `in_use` at removing, and what `check` refuses.
 */
export function tableService<Api extends ResourceApi, Stored = ViewOf<Api>>(
  options: TableServiceOptions<Api, Stored>,
): ServiceOf<Api> {
  const { api, table, title, isTitled = false } = options
  const shown = (ctx: Ctx) => (isTitled ? shownTitle(ctx.language, table) : sql.ref(`${table}.${title}`))
  const shortSearch = [...(options.shortSearch ?? []), ...(isTitled ? titleKeys(table) : [])]
  const sortsFor = (ctx: Ctx): Record<string, SortColumn> =>
    isTitled ? { ...options.sorts, title: { column: shown(ctx), type: 'text' } } : options.sorts
  const select = (rows: AnyQuery, ctx: Ctx): AnyQuery => {
    const selected = options.select?.(rows, ctx) ?? rows.selectAll(table as never)
    return isTitled ? selected.select(shown(ctx).as('shownTitle')) : selected
  }
  const row = options.row ?? select
  const filters = options.filters as unknown as Filters<Readonly<Record<string, unknown>>>
  const narrow = options.narrow ?? ((rows: AnyQuery) => rows)
  const fields = Object.keys(api.write.shape)
  const fieldsOf = (body: Record<string, unknown>) =>
    Object.fromEntries(fields.flatMap((field) => (field in body ? [[field, body[field]]] : [])))
  const columnsOf = options.columnsOf ?? ((body: WriteOf<Api>) => fieldsOf(body as Record<string, unknown>))
  const read = async (ctx: Ctx, id: number): Promise<{ stored: Stored; shown: ViewOf<Api> }> => {
    const found = await select(ctx.db.selectFrom(table) as unknown as AnyQuery, ctx)
      .where(`${table}.id`, '=', id)
      .executeTakeFirst()
    if (!found) throw new AppError('not_found')
    return options.read?.(ctx, found) ?? { stored: found as Stored, shown: found as ViewOf<Api> }
  }

  const service: ServiceOf<Api> = {
    list(ctx, query) {
      const listQuery = query as unknown as ListQuery
      const rowsOf = (isForAnyWords: boolean) =>
        narrow(
          where(ctx.db.selectFrom(table) as unknown as AnyQuery, [
            ...conditionsOf(commonFilters(table, shortSearch, isForAnyWords), ctx, listQuery as Partial<CompactQuery>),
            ...conditionsOf(filters, ctx, listQuery),
          ]),
          ctx,
        )
      const narrowing = narrowingIn(listQuery)
      return listPage<RowOf<Api>>({
        db: ctx.db,
        table,
        filtered: rowsOf(false),
        ...(narrowing.length === 0 ? {} : { gathered: rowsOf(true) }),
        isSearch: narrowing.every((name) => name === 'q') && isForParts(listQuery.q),
        sorts: sortsFor(ctx),
        query: listQuery,
        rows: (page) => row(page, ctx),
      })
    },
    compact: (ctx, query) =>
      compactPage(
        ctx,
        table,
        shown(ctx),
        query,
        shortSearch,
        (rows) => narrow(rows, ctx),
        (rows) => options.compact?.(rows, ctx) ?? rows,
      ),
    get: async (ctx, id) => (await read(ctx, id)).shown,
    async create(ctx, sent) {
      const body = (await options.prepare?.(ctx, sent, null)) ?? sent
      await options.check?.(ctx, body, null)
      const inserted = (await ctx.db
        .insertInto(table)
        .values({ ...columnsOf(body, null), ...options.onCreate?.(ctx) } as never)
        .returning('id' as never)
        .executeTakeFirstOrThrow()) as unknown as { id: number }
      await options.saveChildren?.(ctx, inserted.id, body)
      await audit(ctx, { ownerKind: ownerKindOf(table), ownerId: inserted.id, action: 'created' })
      return service.get(ctx, inserted.id)
    },
    async update(ctx, id, version, sent) {
      const { stored: before } = await read(ctx, id)
      const body = (await options.prepare?.(ctx, sent, before)) ?? sent
      await options.check?.(ctx, body, before)
      if (!(await bumpVersion(ctx, table, id, version, columnsOf(body, before))))
        throw new AppError('stale_version', { current: await service.get(ctx, id) })
      await options.saveChildren?.(ctx, id, body)
      const { stored: after, shown } = await read(ctx, id)
      await audit(ctx, { ownerKind: ownerKindOf(table), ownerId: id, action: 'updated', before, after })
      await options.onUpdate?.(ctx, id, { before, after })
      return shown
    },
    /** Deletes a row that nothing refers to; what refers to it answers `in_use` from the database. */
    async remove(ctx, id, version) {
      const { stored: before, shown } = await read(ctx, id)
      if (version !== null && (before as { version: number }).version !== version)
        throw new AppError('stale_version', { current: shown })
      const { numDeletedRows } = await ctx.db
        .deleteFrom(table)
        .where('id' as never, '=', id as never)
        .where('version' as never, '=', (before as { version: number }).version as never)
        .executeTakeFirst()
      // Somebody saved, or removed it, in the same moment.
      if (Number(numDeletedRows) === 0) throw new AppError('stale_version', { current: await service.get(ctx, id) })
      await audit(ctx, { ownerKind: ownerKindOf(table), ownerId: id, action: 'deleted', before, after: {} })
    },
  }
  return service
}
