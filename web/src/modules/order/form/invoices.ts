import { invoiceApi } from '@waybill/contract/invoice/invoice'
import { getBilled, type BilledFreight } from '@waybill/contract/order/day'
import type { Order } from '@waybill/contract/order/order'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callApi } from '../../../kit/api/call-api.ts'
import { hasAccess } from '../../../kit/session/session.ts'

const PER_PAGE = 100

/** The invoices of an order, of both sides. */
export function useOrderInvoices(orderId: number, isOn: boolean) {
  return useQuery({
    queryKey: ['invoices', 'of-order', orderId],
    queryFn: ({ signal }) => callApi(invoiceApi.list, { query: { orderId: [orderId], perPage: PER_PAGE }, signal }),
    enabled: isOn,
    meta: { showsRefusals: true },
  })
}

/** What of the order's freight is billed; null while that is not known, and where nothing is. */
export function useBilledFreight({ id, version }: Pick<Order, 'id' | 'version'>): BilledFreight | null {
  const { data } = useQuery({
    // The way is the server's word: it counts stops that were canceled, and routes.
    queryKey: ['invoices', 'billed', id, version],
    queryFn: ({ signal }) => callApi(getBilled, { params: { id }, signal }),
    enabled: hasAccess(getBilled.access),
    placeholderData: keepPreviousData,
  })
  return data?.billed ?? null
}
