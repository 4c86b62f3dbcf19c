import { salutationApi } from '@waybill/contract/salutation'
import { useMemo } from 'react'
import { useReferences, useTitles } from '../../kit/list/reference/references.ts'

/** Salutations as the choices of a small select box, with those that records hold although they are inactive by now. */
export function useSalutationChoices(held: readonly number[]): readonly { value: number; label: string }[] {
  const { items } = useReferences(salutationApi, '', true)
  const missing = held.filter((id) => !items.some((one) => one.id === id)).join()
  const titles = useTitles(salutationApi, missing === '' ? [] : missing.split(',').map(Number), items)
  const words = [...titles].map(([id, title]) => `${id} ${title}`).join('\n')
  // eslint-disable-next-line react-hooks/exhaustive-deps -- rows are drawn again only where a choice came or went
  return useMemo(() => [...titles].map(([value, label]) => ({ value, label })), [words])
}
