import { useQueryClient } from '@tanstack/react-query'

/** Reads accounts and movements again. */
export function useRefreshAccounts(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['load-carriers'] })
}
