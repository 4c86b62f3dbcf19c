import type { Reference } from '@waybill/contract/kit/fields'
import type { ResourceApi } from '@waybill/contract/kit/resource'
import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { hasAccess } from '../../kit/session/session.ts'
import { MAKE } from '../../ui/fields/take-on-tab.ts'
import { focusBehind } from '../../ui/windows/focus-back.ts'
import { lateWindow } from '../../ui/windows/late-window.tsx'

const NewPerson = lateWindow(() => import('./new-person-section.tsx').then((file) => file.NewPerson))

interface Option {
  value: string
  label: string
}

interface PersonMaking {
  /** The people, and while a name is typed that nobody has, an option that makes one */
  data: Option[]
  searchValue: string
  onSearchChange: (typed: string) => void
  /** True for the option that makes one: its window is open now, and nothing is chosen */
  isMade: (value: string | null | undefined) => boolean
  window: ReactNode
}

/**
 * Lets a searched list of a firm's people make the one that is not there yet, for those who may change the firm.
 * `ownerId` is the firm's; null while none is chosen.
 */
export function usePersonMaking(
  kind: 'contact' | 'driver',
  {
    api,
    ownerId,
    people,
    onMade,
  }: {
    api: ResourceApi
    ownerId: number | null
    people: readonly Option[]
    onMade: (reference: Reference) => void
  },
): PersonMaking {
  const { t } = useTranslation('list')
  const [searchValue, setSearch] = useState('')
  const [made, setMade] = useState<{ typed: string; field: Element | null } | null>(null)
  const typed = searchValue.trim()
  const isNew = typed !== '' && !people.some(({ label }) => label.toLowerCase() === typed.toLowerCase())
  const mayMake = ownerId !== null && isNew && hasAccess(api.patch.access)
  const take = (reference: Reference) => {
    const field = made?.field
    flushSync(() => {
      setMade(null)
      onMade(reference)
    })
    if (field instanceof HTMLElement) focusBehind(field)
  }
  return {
    // A list finds it by what is typed, which it contains.
    data: [...people, ...(mayMake ? [{ value: MAKE, label: t('createTyped', { typed }) }] : [])],
    searchValue,
    onSearchChange: setSearch,
    isMade: (value) => {
      if (value !== MAKE) return false
      setMade({ typed, field: document.activeElement })
      setSearch('')
      return true
    },
    window:
      made === null || ownerId === null ? null : (
        <NewPerson
          kind={kind}
          api={api}
          ownerId={ownerId}
          typed={made.typed}
          onMade={take}
          onClose={() => setMade(null)}
        />
      ),
  }
}
