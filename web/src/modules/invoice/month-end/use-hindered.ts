import { useQueries } from '@tanstack/react-query'
import {
  listMonthEndHindered,
  MOST_HINDERED_ASKED,
  type MonthEndCustomer,
} from '@waybill/contract/invoice/month-end/month-end'
import { callApi } from '../../../kit/api/call-api.ts'
import type { Asked } from './use-month-end.ts'

/**
 * The customers whose invoices would not be sent as they are; null until all have been asked. They are asked again once
 * something of theirs has changed, and when a person comes back, who has perhaps mended what hindered.
 */
export function useHindered(asked: Asked | null, customers: readonly MonthEndCustomer[]): ReadonlySet<number> | null {
  const ready = customers.filter(({ readyCount }) => readyCount > 0)
  const parts = Array.from({ length: Math.ceil(ready.length / MOST_HINDERED_ASKED) }, (_, index) =>
    ready.slice(index * MOST_HINDERED_ASKED, (index + 1) * MOST_HINDERED_ASKED),
  )
  const answers = useQueries({
    queries: parts.map((part) => ({
      queryKey: [
        'month-end-hindered',
        asked,
        part.map(({ customer, orderIds, netCents }) => [customer.id, orderIds, netCents]),
      ],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callApi(listMonthEndHindered, {
          query: {
            companyId: asked!.companyId,
            until: asked!.until,
            customerId: part.map(({ customer }) => customer.id),
          },
          signal,
        }),
      enabled: asked !== null,
      refetchOnMount: 'always' as const,
    })),
  })
  if (answers.some(({ data }) => data === undefined)) return null
  return new Set(answers.flatMap(({ data }) => data!.customerIds))
}
