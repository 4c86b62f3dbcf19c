import { orderApi, type OrderRow } from '@waybill/contract/order/order'
import { server, type Call } from '../kit/fake-server.ts'
import { answerOrderList } from './order-screens.ts'

type Query = Call<typeof orderApi.list>['query']

const plain = (text: string) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('Ł', 'L').toLowerCase()

const has = <Value>(wanted: readonly Value[] | undefined, own: Value) => wanted === undefined || wanted.includes(own)

const isWithin = ({ from = '', to = '9999' }: { from?: string; to?: string } = {}, at: string | null) =>
  at === null ? from === '' && to === '9999' : at.slice(0, 10) >= from && at.slice(0, 10) <= to

/** Search and the filters that a row can tell of; of the others the test looks at the call. */
function fits(row: OrderRow, query: Query): boolean {
  const { q = '', id, state, status, departmentId, fromTown = '', toCountry, firstLoading, statusDate = {} } = query
  const found = plain(
    [row.number, row.customer?.title, row.customerOrderNumber, row.from?.city, row.to?.city].join(' '),
  )
  return (
    plain(q)
      .split(/\s+/)
      .every((word) => found.includes(word)) &&
    has(id, row.id) &&
    has(state && [state], row.state) &&
    has(status, row.status) &&
    has(departmentId, row.department.id) &&
    has(toCountry, row.to?.countryCode ?? '') &&
    plain(row.from?.city ?? '').startsWith(plain(fromTown)) &&
    isWithin(firstLoading, row.firstLoadingAt) &&
    Object.keys(statusDate).every((reached) => reached === row.status)
  )
}

function inOrderOf(sort: string | undefined, rows: OrderRow[]): OrderRow[] {
  if (sort === undefined) return rows
  const key = sort.replace('-', '') as 'firstLoadingAt' | 'customerPriceCents'
  const sorted = rows.toSorted((a, b) => ((a[key] ?? 0) < (b[key] ?? 0) ? -1 : 1))
  return sort.startsWith('-') ? sorted.reverse() : sorted
}

/** The list of orders as the server gives it: searched, narrowed, sorted and in pages. The rows are read each time. */
export function listOrders(read: () => OrderRow[]): void {
  answerOrderList(read())
  server.answer(orderApi.list, ({ query }) => {
    const rows = inOrderOf(
      query.sort,
      read().filter((row) => fits(row, query)),
    )
    const page = Number(query.cursor ?? query.page ?? 1)
    const end = page * query.perPage
    return {
      items: rows.slice(end - query.perPage, end),
      page,
      perPage: query.perPage,
      total: rows.length,
      totalIsExact: true,
      nextCursor: end < rows.length ? String(page + 1) : null,
    }
  })
}
