import { z } from 'zod'
import type { Access } from '../permissions.ts'
import { endpoint, type Endpoint } from './endpoint.ts'
import { idText, timeZone } from './fields.ts'
import { compactQuery, compactRow, EXPORT_FORMATS, listBase, pageOf } from './paging.ts'

/** Every view carries these; `version` is what a later write must name (api, One record). */
export interface Versioned {
  id: number
  version: number
}

const byId = z.strictObject({ id: idText })

/** Every field may be missing in a merge patch (RFC 7396); refinements over the whole hold for the merged record. */
function optionalShape<W extends z.ZodObject>(write: W) {
  const entries = Object.entries(write.shape).map(([key, field]) => [key, (field as z.ZodType).optional()])
  return z.strictObject(Object.fromEntries(entries)) as unknown as z.ZodObject<{
    [K in keyof W['shape']]: z.ZodOptional<W['shape'][K]>
  }>
}

type FieldOf<Row extends z.ZodType> = Extract<keyof z.output<Row>, string>

/** Which fields of its rows a list can be asked for; no more than a row has. */
function fieldsOf<Row extends z.ZodObject>(row: Row | undefined): z.ZodType<FieldOf<Row>[]> {
  // The pages are built without what replies hold, and ask for what their columns name.
  if (row === undefined) return z.array(z.string()) as never
  const names = Object.keys(row.shape) as [FieldOf<Row>, ...FieldOf<Row>[]]
  return z.array(z.enum(names)).min(1).max(names.length)
}

interface ResourceDefinition<W, V extends z.ZodType, Row, Filter, Sort extends string> {
  path: string
  /** English singular, for the API's own documentation */
  name: string
  access: {
    read: Access
    write: Access
    /** lists in compact form; only where they are open to all (domain, People and rights) */
    compact?: Access
  }
  write: W
  view: V
  /**
   * fields of the view that change while nobody saves the record, with time or with another record:
   * they may come back as they were read
   */
  changing?: readonly (keyof z.output<V>)[]
  row: Row
  filter: Filter
  sort: readonly [Sort, ...Sort[]]
  /**
   * One sort, or what the query suggests: a list narrowed by a date is read by that date.
   * Never sent by the client then, so it may name what `sort` does not offer.
   */
  defaultSort: Sort | `-${Sort}` | ((query: Readonly<Record<string, unknown>>) => string)
}

/**
 * The six verbs of a record and the export of its list, built from its shapes (api, Lists; api, One record).
 * `write` is what a client may send, `view` one record with everything, `row` one line of the list,
 * `filter` the list's own filters.
 */
export function resource<
  W extends z.ZodObject,
  V extends z.ZodType<Versioned>,
  Row extends z.ZodObject & z.ZodType<{ id: number }>,
  Filter extends z.ZodRawShape,
  Sort extends string,
>(definition: ResourceDefinition<W, V, Row, Filter, Sort>) {
  const { path, name, access, write, view, changing = [], row, filter, sort, defaultSort } = definition
  const sorts = z.enum(sort.flatMap((field) => [field, `-${field}`]) as [string, ...string[]])
  const sortText = typeof defaultSort === 'string' ? sorts.default(defaultSort) : sorts.optional()
  const fields = fieldsOf(row).optional()
  const listQuery = z.strictObject({ ...listBase, sort: sortText, fields, ...filter })
  const { page: _page, cursor: _cursor, perPage: _perPage, ...whole } = listBase
  // The zone is for the instants that have none of their own:
  // the file says the same times as the screen it was asked from.
  const exportQuery = z.strictObject({
    ...whole,
    sort: sortText,
    ...filter,
    format: z.enum(EXPORT_FORMATS),
    timeZone: timeZone.default('UTC'),
  })
  const one = `/${path}/:id`
  return {
    path,
    name,
    write,
    row,
    changing: changing as readonly string[],
    /** The sort of a list that was asked for with this query. */
    sortOf: (query: Readonly<Record<string, unknown>>): string =>
      (query.sort as string | undefined) ?? (typeof defaultSort === 'string' ? defaultSort : defaultSort(query)),
    list: endpoint({
      method: 'GET',
      path: `/${path}`,
      access: access.read,
      summary: `List: ${name}`,
      query: listQuery,
      reply: pageOf(row),
    }),
    compact: endpoint({
      method: 'GET',
      path: `/${path}`,
      access: access.compact ?? access.read,
      summary: `List for select boxes: ${name}`,
      query: compactQuery,
      reply: pageOf(compactRow),
    }),
    export: endpoint({
      method: 'GET',
      path: `/${path}/export`,
      access: access.read,
      summary: `The whole list as a file: ${name}`,
      query: exportQuery,
      shape: 'file',
    }),
    get: endpoint({
      method: 'GET',
      path: one,
      access: access.read,
      summary: `Read: ${name}`,
      params: byId,
      reply: view,
    }),
    create: endpoint({
      method: 'POST',
      path: `/${path}`,
      access: access.write,
      summary: `Create: ${name}`,
      body: write,
      reply: view,
      status: 201,
    }),
    replace: endpoint({
      method: 'PUT',
      path: one,
      access: access.write,
      summary: `Replace: ${name}`,
      params: byId,
      body: write,
      reply: view,
      needsVersion: true,
    }),
    patch: endpoint({
      method: 'PATCH',
      path: one,
      access: access.write,
      summary: `Change: ${name}`,
      params: byId,
      body: optionalShape(write),
      reply: view,
      needsVersion: true,
    }),
    remove: endpoint({ method: 'DELETE', path: one, access: access.write, summary: `Delete: ${name}`, params: byId }),
  }
}

/**
 * A resource by the first part of its address, as what one picks from: what a filter or a select box needs of it,
 * without the shapes of its records.
 */
export const pickable = (path: string) =>
  ({ path, compact: { method: 'GET', path: `/${path}`, access: 'signedIn' } }) as const

export interface ResourceApi {
  path: string
  name: string
  write: z.ZodObject
  row: z.ZodObject
  changing: readonly string[]
  sortOf: (query: Readonly<Record<string, unknown>>) => string
  list: Endpoint
  compact: Endpoint
  export: Endpoint
  get: Endpoint
  create: Endpoint
  replace: Endpoint
  patch: Endpoint
  remove: Endpoint
}

/** What the page of a list needs to know of a resource; not every list is taken out as a file. */
export type ListApi = Pick<ResourceApi, 'path' | 'list' | 'sortOf'> & { export?: Endpoint }

export type WriteOf<Api extends ResourceApi> = z.output<Api['create']['body']>
export type ViewOf<Api extends Pick<ResourceApi, 'get'>> = z.output<Api['get']['reply']>
export type RowOf<Api extends Pick<ResourceApi, 'list'>> =
  z.output<Api['list']['reply']> extends { items: (infer Row)[] } ? Row : never
/** What a list of the resource can be asked for, field by field (api, Lists). */
export type RowFieldOf<Api extends Pick<ResourceApi, 'list'>> = Extract<keyof RowOf<Api>, string>
export type ListQueryOf<Api extends Pick<ResourceApi, 'list'>> = z.output<Api['list']['query']>
