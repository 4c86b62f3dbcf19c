import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getSale } from '@waybill/contract/invoice/correction'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { callApi } from '../../../kit/api/call-api.ts'
import { keptOf } from '../../../kit/api/kept-data.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'

/** An invoice with its corrections, as it is now. */
export function useSale({ id, version }: Pick<Invoice, 'id' | 'version'>) {
  const client = useQueryClient()
  const queryKey = ['invoices', id, 'sale']
  useLiveChanges('invoice', () => void client.invalidateQueries({ queryKey }))
  return useQuery({
    queryKey: [...queryKey, version],
    queryFn: ({ signal }) => callApi(getSale, { params: { id }, signal }),
    // A save is another version: who types in the lines keeps them, and the field in hand.
    placeholderData: keptOf(...queryKey),
  })
}
