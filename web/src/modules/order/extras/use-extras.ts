import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listExtras } from '@waybill/contract/order/extra'
import { orderApi } from '@waybill/contract/order/order'
import { callApi } from '../../../kit/api/call-api.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'

const extrasKey = (orderId: number) => [orderApi.path, orderId, 'extras']

/** The extras of an order; those that others write come by themselves. */
export function useExtras(orderId: number) {
  const refresh = useRefreshExtras(orderId)
  useLiveChanges('order', () => void refresh())
  return useQuery({
    queryKey: extrasKey(orderId),
    queryFn: ({ signal }) => callApi(listExtras, { params: { id: orderId }, signal }),
    meta: { showsRefusals: true },
  })
}

/** Reads the extras again, and the history, which tells of them as well. */
export function useRefreshExtras(orderId: number): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: extrasKey(orderId) })
    void queries.invalidateQueries({ queryKey: ['audit-entries', { orderId }] })
  }
}
