import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { companyApi } from '@waybill/contract/company'
import {
  getInvoiceRun,
  getMonthEnd,
  getMonthEndCustomer,
  getMonthEndDocument,
  isRunOver,
} from '@waybill/contract/invoice/month-end/month-end'
import { addDays } from '@waybill/contract/kit/local-time'
import { callApi, callCompact, callFile } from '../../../kit/api/call-api.ts'

/** What is asked of the server: a company of ours, a day, and whether customers by order are there too. */
export interface Asked {
  companyId: number
  /** `YYYY-MM-DD` */
  until: string
  all: boolean
}

/** From this day on people bill the month that ends, before it the one that has ended. */
const MONTH_TURNS = 15

/** The month's end that is usually billed on a day (`YYYY-MM-DD`). */
export function usualUntil(today: string): string {
  const first = `${today.slice(0, 8)}01`
  if (Number(today.slice(8)) < MONTH_TURNS) return addDays(first, -1)
  return addDays(`${addDays(first, 31).slice(0, 8)}01`, -1)
}

export const companiesQuery = queryOptions({
  queryKey: [companyApi.path, 'compact', 'month-end'],
  queryFn: ({ signal }) => callCompact(companyApi, { state: 'active', perPage: 100 }, signal),
})

const queryOf = ({ companyId, until }: Asked) => ({ companyId, until })

export const monthEndQuery = (asked: Asked | null) =>
  queryOptions({
    queryKey: ['month-end', asked],
    queryFn: ({ signal }) =>
      callApi(getMonthEnd, { query: { ...queryOf(asked!), ...(asked!.all && { all: true }) }, signal }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  })

/** Orders that are ready and left out all the same. */
const withoutOf = (without: readonly number[]) => (without.length === 0 ? {} : { without: [...without] })

export const customerQuery = (asked: Asked, customerId: number, without: readonly number[]) =>
  queryOptions({
    queryKey: ['month-end', 'customer', asked.companyId, asked.until, customerId, without],
    queryFn: ({ signal }) =>
      callApi(getMonthEndCustomer, {
        params: { id: customerId },
        query: { ...queryOf(asked), ...withoutOf(without) },
        signal,
      }),
    placeholderData: (before) => (before?.customer.id === customerId ? before : undefined),
  })

export const paperQuery = (asked: Asked, customerId: number, without: readonly number[], part: number) =>
  queryOptions({
    queryKey: ['month-end', 'paper', asked.companyId, asked.until, customerId, without, part],
    queryFn: () =>
      callFile(getMonthEndDocument, {
        params: { id: customerId },
        query: { ...queryOf(asked), ...withoutOf(without), ...(part > 0 && { part: String(part) }) } as never,
      }),
    staleTime: 60_000,
  })

/** Should an event be lost, it is looked at all the same. */
const LOOK_AGAIN_MS = 5000

export const runQuery = (id: number | null) =>
  queryOptions({
    queryKey: ['month-end', 'run', id],
    queryFn: ({ signal }) => callApi(getInvoiceRun, { params: { id: id! }, signal }),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isRunOver(data.status) && !data.items.some(({ ksef }) => ksef?.state === 'undecided')
        ? false
        : LOOK_AGAIN_MS,
  })
