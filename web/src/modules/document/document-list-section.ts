import { listDocuments } from '@waybill/contract/document'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../kit/api/call-api.ts'

const PER_PAGE = 100

/**
 * The files of one record: `orderId` and the like. Apart from the section that shows them, so that
 * counting them loads nothing else.
 */
export function useDocuments(owner: Readonly<Record<string, number>>) {
  return useQuery({
    queryKey: ['documents', owner],
    queryFn: ({ signal }) => callApi(listDocuments, { query: { ...owner, perPage: PER_PAGE }, signal }),
    meta: { showsRefusals: true },
  })
}
