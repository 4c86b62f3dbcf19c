import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { listCarrierRoutes, type CarrierRoute } from '@waybill/contract/invoice/invoice'
import type { PageSize } from '@waybill/contract/kit/paging'
import { useMemo } from 'react'
import { callApi } from '../../../kit/api/call-api.ts'

const PER_PAGE = 100 satisfies PageSize as PageSize
const QUERY_KEY = ['invoices', 'carrier-routes'] as const

/** Routes of a carrier that are not invoiced yet, or all of them, page by page. */
export function useOpenRoutes(carrierCompanyId: number, q: string, withInvoiced: boolean) {
  const answer = useInfiniteQuery({
    queryKey: [...QUERY_KEY, carrierCompanyId, q, withInvoiced],
    queryFn: ({ pageParam, signal }) =>
      callApi(listCarrierRoutes, {
        query: {
          carrierCompanyId,
          perPage: PER_PAGE,
          ...(q === '' ? {} : { q }),
          ...(withInvoiced ? { withInvoiced } : {}),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    meta: { showsRefusals: true },
  })
  const routes = useMemo(() => answer.data?.pages.flatMap((page) => page.items) ?? [], [answer.data])
  return { ...answer, routes, total: answer.data?.pages[0]?.total ?? 0 }
}

/** These routes of a carrier, invoiced or not. */
export async function routesWithIds(carrierCompanyId: number, ids: readonly number[]): Promise<CarrierRoute[]> {
  if (ids.length === 0) return []
  const query = { carrierCompanyId, ids: [...ids], perPage: PER_PAGE }
  const first = await callApi(listCarrierRoutes, { query })
  if (first.nextCursor === null) return first.items
  const second = await callApi(listCarrierRoutes, { query: { ...query, cursor: first.nextCursor } })
  return [...first.items, ...second.items]
}

/** The routes of one order that a carrier has not invoiced yet. */
export async function openRoutesOf(carrierCompanyId: number, orderNumber: string): Promise<CarrierRoute[]> {
  const { items } = await callApi(listCarrierRoutes, {
    query: { carrierCompanyId, q: orderNumber, perPage: PER_PAGE },
  })
  return items.filter(({ order }) => order.title === orderNumber)
}

/** What is known of routes, with what is still to be read. */
export function useKnownRoutes(
  carrierCompanyId: number | null,
  ids: readonly number[],
  read: readonly CarrierRoute[],
): ReadonlyMap<number, CarrierRoute> {
  const known = useMemo(() => new Map(read.map((route) => [route.id, route])), [read])
  const missing = ids.filter((id) => !known.has(id))
  const { data } = useQuery({
    queryKey: [...QUERY_KEY, carrierCompanyId, 'ids', missing],
    queryFn: () => routesWithIds(carrierCompanyId!, missing),
    enabled: carrierCompanyId !== null && missing.length > 0,
    placeholderData: keepPreviousData,
    meta: { showsRefusals: true },
  })
  return useMemo(() => new Map([...(data ?? []).map((route) => [route.id, route] as const), ...known]), [known, data])
}
