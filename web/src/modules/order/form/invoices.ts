import { invoiceApi } from '@waybill/contract/invoice/invoice'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../kit/api/call-api.ts'

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
