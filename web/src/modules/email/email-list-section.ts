import { listEmails } from '@waybill/contract/email'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../kit/api/call-api.ts'

const PER_PAGE = 100

/**
 * The mails of one record, the newest first. Apart from the section that shows them, so that
 * counting them loads nothing else.
 */
export function useEmails(owner: Readonly<Record<string, number>>) {
  return useQuery({
    queryKey: ['emails', owner],
    queryFn: ({ signal }) => callApi(listEmails, { query: { ...owner, perPage: PER_PAGE }, signal }),
    meta: { showsRefusals: true },
  })
}
