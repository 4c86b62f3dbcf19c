import { useQuery } from '@tanstack/react-query'
import { listSnippets, type Snippet } from '@waybill/contract/email/snippet'
import type { Language } from '@waybill/contract/errors'
import { useMemo } from 'react'
import { callApi } from '../../../kit/api/call-api.ts'

/** What is known of the snippets of a department, for lists and for what makes them old. */
export const snippetsKey = (departmentId: number | null) => ['departments', departmentId, 'snippets'] as const

/** The snippets that a text can take. */
export interface KnownSnippets {
  items: readonly Snippet[]
  /** They are still being read */
  areComing: boolean
}

const NONE: readonly Snippet[] = []

/** The snippets of a department, those in the language of the text first; none where they cannot be read. */
export function useSnippets(departmentId: number | null, language: Language): KnownSnippets {
  const { data, isLoading } = useQuery({
    queryKey: snippetsKey(departmentId),
    queryFn: ({ signal }) => callApi(listSnippets, { params: { id: departmentId! }, signal }),
    enabled: departmentId !== null,
    select: ({ items }) =>
      items.toSorted((one, other) => Number(other.language === language) - Number(one.language === language)),
  })
  return useMemo(() => ({ items: data ?? NONE, areComing: isLoading }), [data, isLoading])
}
