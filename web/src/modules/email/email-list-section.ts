import { listEmails, type EmailRow } from '@waybill/contract/email'
import { EVENT_KINDS } from '@waybill/contract/event'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../kit/api/call-api.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'

const PER_PAGE = 100

/**
 * The mails of one record, the newest first. Apart from the section that shows them, so that
 * counting them loads nothing else.
 */
export function useEmails(owner: Readonly<Record<string, number>>) {
  const queries = useQueryClient()
  // That a mail left, or could not, is seen as it happens, and what happened while this was read is told again.
  useLiveChanges(
    EVENT_KINDS.find((kind) => `${kind}Id` in owner) ?? null,
    () => void queries.invalidateQueries({ queryKey: ['emails', owner] }),
  )
  return useQuery({
    queryKey: ['emails', owner],
    queryFn: ({ signal }) => callApi(listEmails, { query: { ...owner, perPage: PER_PAGE }, signal }),
    meta: { showsRefusals: true },
  })
}

const TO_COME: readonly EmailRow['status'][] = ['planned', 'queued', 'waiting', 'held']

/** It is still to go, or waits for somebody. */
export const isToCome = ({ status }: Pick<EmailRow, 'status'>): boolean => TO_COME.includes(status)
