import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { createQueryClient } from '../../kit/api/query-client.ts'

/**
 * What was read from the server, for the screens behind the sign-in. It goes with the frame: what one person has read
 * is not there for the next. A refusal leads to its page (spec §8).
 */
export function Queries({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [client] = useState(() =>
    createQueryClient({
      onForbidden: () => void router.navigate({ to: '/403', replace: true, ignoreBlocker: true }),
      onMissing: () => void router.navigate({ to: '/404', replace: true, ignoreBlocker: true }),
    }),
  )
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
