import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { EventKind } from '@waybill/contract/event'
import type { State } from '@waybill/contract/kit/fields'
import { PAGE_SIZES, type ExportFormat, type Page, type PageSize } from '@waybill/contract/kit/paging'
import type { ListApi, RowFieldOf, RowOf } from '@waybill/contract/kit/resource'
import { useMemo, useState } from 'react'
import type { z } from 'zod'
import { hasCode } from '../../api/api-error.ts'
import { callApi, callFile, callRows } from '../../api/call-api.ts'
import { decodeQuery, encodeQuery } from '../../api/query-string.ts'
import { addressShape, isEmpty, readAddress, nestRanges, writeAddress, type ListShape } from './list-address.ts'
import { createCursorTrail } from './list-cursors.ts'
import { useLiveChanges } from '../../live/use-live-changes.ts'
import { rowsInPlace } from './rows-in-place.ts'
import { readGroupFilter } from '../../session/token-store.ts'
import { useAwaitsStandardView } from '../columns/standard-view.ts'
import type { ListFilter } from '../filter/filters.ts'

/** What every list's address holds beside its own filters. */
export interface ListView {
  readonly q: string
  readonly state: State
  readonly sort: string
  readonly page: number
  readonly perPage: PageSize
  /** The list's own filters, as the contract's query reads them */
  readonly filters: Readonly<Record<string, unknown>>
}

type ListChange = Partial<Pick<ListView, 'q' | 'state' | 'sort' | 'page' | 'perPage'>> & {
  filters?: Readonly<Record<string, unknown>>
}

interface Newer {
  /** how many rows came */
  added: number
  /** shown ones that the list would no longer hold */
  gone: ReadonlySet<number>
  /** shows the list as it is now */
  show: () => void
}

export interface List<Row> {
  /** The resource's path, under which columns and views of the list are kept */
  path: string
  view: ListView
  /** What the rows belong to: the view, or that of the rows which stayed because the next ones did not come */
  shownView: ListView
  /** The address as a saved view keeps it: all but the page */
  query: string
  filters: readonly ListFilter[]
  /** Its records are active or not */
  hasStates: boolean
  /** It can be taken out as a file */
  hasExport: boolean
  /** Null until the first ones are here */
  rows: readonly Row[] | null
  total: number
  totalIsExact: boolean
  hasNext: boolean
  /** Other rows are asked for while the old ones stay */
  isBusy: boolean
  /** The last call failed; rows that were here before stay, with another page or filter asked for too */
  error: unknown
  retry: () => void
  /**
   * What others changed meanwhile and has no place among the rows yet; null where the list is as it would be read now
   */
  newer: Newer | null
  /** Something narrows the list: a search or a filter that a person can take away */
  isNarrowed: boolean
  /**
   * Writes the change into the address; anything but another page leads back to the first.
   * `isReplacing` leaves no step to go back to.
   */
  change: (change: ListChange, isReplacing?: boolean) => void
  /** Takes search and filters away, but not what the screen itself stands for */
  clear: () => void
  /** Shows what a saved view keeps */
  show: (query: string, isReplacing?: boolean) => void
  /** The first rows of everything that the list holds as it is narrowed and sorted now, up to `most` */
  readAll: (most: number) => Promise<Row[]>
  /**
   * Everything that the list holds as it is narrowed and sorted now, as a file; with `ids` these rows alone, whatever
   * narrows it, where the resource has such a filter
   */
  exportAs: (format: ExportFormat, ids?: readonly number[]) => Promise<{ blob: Blob; fileName: string }>
}

const trail = createCursorTrail()
const NONE: readonly string[] = []
const BASE = new Set(['page', 'cursor', 'perPage', 'q', 'state', 'sort'])

/**
 * A resource's list as the address bar describes it: filters, search, sort, page and size are read from
 * it and written to it, so that back, forward, reload and a sent link show the same rows. Lists begin
 * with what is active (spec §2).
 * `filters` are those a person may set; other fields of the query (my orders) are kept as the address brings them.
 * `live` names the records whose changes refresh the rows where they stand; `keeps` what of the address is the page's
 * own, and stays when the list is narrowed. `fields` is what is read of the rows, all where it is left out: `Row` is
 * then what they have of it, and all else is optional in it, because rows stay while others with more are read.
 */
export function useList<Api extends ListApi, Row extends Partial<RowOf<Api>> = RowOf<Api>>(
  api: Api,
  {
    filters,
    live = null,
    keeps = NONE,
    fields,
  }: {
    filters: readonly ListFilter[]
    live?: EventKind | null
    keeps?: readonly string[]
    fields?: readonly RowFieldOf<Api>[]
  },
): List<Row> {
  const shape = useMemo(() => addressShape((api.list.query as z.ZodObject).shape as ListShape), [api])
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const { view, askedSort } = useMemo(() => viewOf(api, shape, search), [api, shape, search])

  const hasStates = 'state' in shape
  const { page, state, ...plain } = queryOf(view, askedSort)
  const narrowing: Record<string, unknown> = hasStates ? { ...plain, state } : plain
  // What was read under another company's filter are other rows.
  const group = readGroupFilter()
  const name = `${api.path} ${group} ${JSON.stringify(narrowing)}`
  const ask: Ask<Row> = async (query, signal) => {
    const found: unknown = await (fields === undefined
      ? callApi(api.list, { query, signal } as never)
      : callRows(api, fields, query as never, signal))
    return found as Page<Row>
  }
  const read = async (signal?: AbortSignal): Promise<Page<Row>> => {
    const found = await readPage(ask, name, narrowing, page, signal)
    trail.remember(name, page, found.nextCursor)
    return found
  }
  const queryKey = [api.path, 'list', group, narrowing, page, ...(fields === undefined ? [] : [fields])]
  const awaitsView = useAwaitsStandardView(api.path)
  const answer = useQuery({
    queryKey,
    enabled: !awaitsView,
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
    // What is live says itself when there is something newer; rows that are read again as a whole would jump.
    refetchOnWindowFocus: live === null,
    // A person who comes back from a record has perhaps changed it: the rows known so far at once, the
    // newer ones when they are here.
    refetchOnMount: 'always',
  })

  // A page that did not come leaves those rows that are there, with the view that they belong to.
  const [kept, setKept] = useState<{ page: Page<Row>; view: ListView } | null>(null)
  const isFresh = answer.data !== undefined && !answer.isPlaceholderData
  if (isFresh && (kept?.page !== answer.data || kept.view !== view)) setKept({ page: answer.data, view })
  const shown = answer.data ?? (answer.error === null ? undefined : kept?.page)
  const isKept = answer.data === undefined && shown !== undefined

  const newer = useNewer({ live, name: `${name} ${page}`, queryKey, read })

  const addressOf = (shown: ListView, sort: string | undefined) => {
    const isUsual = sort === api.sortOf({ ...nestRanges(shown.filters), q: shown.q })
    return writeAddress(shape, {
      ...shown.filters,
      ...shown,
      sort: isUsual ? undefined : sort,
      state: shown.state === 'active' ? undefined : shown.state,
    })
  }
  const change: List<Row>['change'] = ({ filters: changed, ...base }, isReplacing = false) => {
    const next = { ...view, page: 1, ...base, filters: { ...view.filters, ...changed } }
    void navigate({
      to: '.',
      search: {
        ...Object.fromEntries(keeps.flatMap((name) => (name in search ? [[name, search[name]]] : []))),
        ...addressOf(next, base.sort ?? askedSort),
      } as never,
      replace: isReplacing,
      resetScroll: false,
    })
  }
  const settable = filters.map((filter) => filter.name)
  return {
    path: api.path,
    view,
    shownView: isKept ? kept!.view : view,
    hasStates,
    hasExport: api.export !== undefined,
    query: encodeQuery(addressOf({ ...view, page: 1 }, askedSort)),
    filters,
    rows: shown?.items ?? null,
    total: shown?.total ?? 0,
    totalIsExact: shown?.totalIsExact ?? true,
    hasNext: !answer.isPlaceholderData && (shown?.nextCursor ?? null) !== null,
    isBusy: answer.isFetching && (answer.isPlaceholderData || isKept),
    error: answer.error,
    retry: () => void answer.refetch(),
    newer: answer.isPlaceholderData || isKept ? null : newer(answer.data),
    isNarrowed: view.q !== '' || settable.some((one) => !isEmpty(view.filters[one])),
    change,
    show: (query, isReplacing = false) =>
      void navigate({
        to: '.',
        search: decodeQuery(query) as never,
        replace: isReplacing,
        resetScroll: false,
      }),
    readAll: async (most) => {
      const all: Row[] = []
      let cursor: string | null = null
      do {
        const query = { ...narrowing, perPage: PAGE_SIZES.at(-1), ...(cursor === null ? {} : { cursor }) }
        const found = await ask(query)
        all.push(...found.items)
        cursor = found.nextCursor
      } while (cursor !== null && all.length < most)
      return all.slice(0, most)
    },
    exportAs: (format, ids) => {
      const { perPage: _perPage, ...whole } = narrowing
      return callFile(api.export!, {
        query: {
          ...(ids === undefined ? whole : { id: ids, sort: askedSort }),
          format,
          timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        },
      } as never)
    },
    clear: () => change({ q: '', filters: Object.fromEntries(settable.map((one) => [one, undefined])) }),
  }
}

/** What a kept address narrows a list by, as the contract's query names it: without page, size and order. */
export function narrowingOf(api: ListApi, address: string): Record<string, unknown> {
  const shape = addressShape((api.list.query as z.ZodObject).shape as ListShape)
  const { view } = viewOf(api, shape, decodeQuery(address))
  return { ...view.filters, state: view.state, ...(view.q === '' ? {} : { q: view.q }) }
}

type Rows = Page<{ id: number }>

/**
 * Newer rows take the places of the same ones as soon as they are known; the rest waits until it is asked for. `name`
 * tells one page of rows from another.
 */
function useNewer<Row>({
  live,
  name,
  queryKey,
  read,
}: {
  live: EventKind | null
  name: string
  queryKey: readonly unknown[]
  read: () => Promise<Page<Row>>
}): (shown: Page<Row> | undefined) => Newer | null {
  const queries = useQueryClient()
  const [waiting, setWaiting] = useState<{
    name: string
    placed: Rows
    whole: Rows
    added: number
    gone: ReadonlySet<number>
  } | null>(null)
  const refresh = async () => {
    const shown = queries.getQueryData<Rows>(queryKey)
    if (shown === undefined) return
    const whole = (await read()) as unknown as Rows
    const { rows, added, gone } = rowsInPlace(shown.items, whole.items)
    // As it is kept: equal parts stay the ones they were.
    const placed = queries.setQueryData<Rows>(queryKey, { ...whole, items: rows })
    setWaiting(placed === undefined || (added === 0 && gone.size === 0) ? null : { name, placed, whole, added, gone })
  }
  // What cannot be read now is read with the next change, or when the person asks for it.
  useLiveChanges(live, () => void refresh().catch(() => undefined))
  return (shown) => {
    if (waiting === null || waiting.name !== name || waiting.placed.items !== (shown as Rows | undefined)?.items)
      return null
    const { added, gone, whole } = waiting
    const show = () => {
      queries.setQueryData(queryKey, whole)
      setWaiting(null)
    }
    return { added, gone, show }
  }
}

/**
 * `askedSort` is what the address says; without one the list's own order shows, which may depend on what narrows it.
 */
function viewOf(
  api: ListApi,
  shape: ListShape,
  search: Readonly<Record<string, unknown>>,
): { view: ListView; askedSort: string | undefined } {
  const known = readAddress(shape, search)
  const view: ListView = {
    q: typeof known.q === 'string' ? known.q : '',
    state: known.state === 'inactive' ? 'inactive' : 'active',
    sort: api.sortOf(nestRanges(known)),
    page: typeof known.page === 'number' ? known.page : 1,
    perPage: PAGE_SIZES.find((size) => size === known.perPage) ?? 25,
    filters: Object.fromEntries(Object.entries(known).filter(([field]) => !BASE.has(field))),
  }
  return { view, askedSort: known.sort as string | undefined }
}

const queryOf = ({ filters, ...base }: ListView, sort: string | undefined) => ({ ...filters, ...base, sort })

/** Reads a page of the list by its query. */
type Ask<Row> = (query: Record<string, unknown>, signal?: AbortSignal) => Promise<Page<Row>>

async function readPage<Row>(
  ask: Ask<Row>,
  name: string,
  narrowing: Record<string, unknown>,
  page: number,
  signal?: AbortSignal,
): Promise<Page<Row>> {
  const askAt = (place: { page?: number; cursor?: string }) => ask({ ...narrowing, ...place }, signal)
  const cursor = trail.find(name, page)
  if (cursor === null) return askAt(page === 1 ? {} : { page })
  try {
    return await askAt({ cursor })
  } catch (error) {
    // The server was renewed and no longer knows this cursor: the page's number still leads there.
    if (!hasCode(error, 'validation')) throw error
    trail.forget(name, page)
    return askAt({ page })
  }
}
