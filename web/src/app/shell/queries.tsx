import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { createQueryClient } from '../../kit/api/query-client.ts'
import { useGroupFilter } from './group-filter.ts'

/**
 * What was read from the server, for the screens behind the sign-in. It goes with the frame: what one person has read
 * is not there for the next. A refusal leads to its page (spec §8).
 */
export function Queries({ children }: { children: ReactNode }) {
  const router = useRouter()
  const groupFilter = useGroupFilter()
  const { language } = useTranslation().i18n
  const [client] = useState(() =>
    createQueryClient({
      onForbidden: () => void router.navigate({ to: '/403', replace: true, ignoreBlocker: true }),
      onMissing: () => void router.navigate({ to: '/404', replace: true, ignoreBlocker: true }),
    }),
  )
  const asked = `${groupFilter} ${language}`
  const before = useRef(asked)
  useEffect(() => {
    if (before.current === asked) return
    before.current = asked
    // What was read under the other filter, or with titles in the other language, is wrong now; what is on the screen
    // stays until its newer self is here, forms under way too.
    client.removeQueries({ type: 'inactive' })
    void client.invalidateQueries()
  }, [client, asked])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
