import { useQueryClient } from '@tanstack/react-query'
import type { Stated } from '@waybill/contract/load-carrier/account'
import { useTranslation } from 'react-i18next'

export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Reads accounts and movements again. */
export function useRefreshAccounts(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['load-carriers'] })
}

/** What a holder said of a statement, in a word or two. */
export function useStatedWords(): (stated: Stated) => string {
  const { t } = useTranslation('load-carrier')
  return ({ state, isOverdue }) => t(`stated.${isOverdue ? 'overdue' : state}`)
}
