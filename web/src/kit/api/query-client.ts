import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The screen shows a refusal itself; by default 403 and 404 lead to their pages (spec §8). */
      showsRefusals?: boolean
    }
  }
}

interface Refusals {
  onForbidden: () => void
  onMissing: () => void
}

// The browser says that it is offline whenever the computer's network changes, wrongly for a server that is on the
// same computer or behind a VPN. What is asked then would wait without a word, and a save be done some time later.
// Asked at once, it is answered or fails with a sentence.
const ASK_ALWAYS = { networkMode: 'always' } as const

/** The cache of what was read. Only trouble on the way is tried again: a refusal stays a refusal. */
export function createQueryClient({ onForbidden, onMissing }: Refusals): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // A record that vanishes under an open form must not take the form away with it.
        if (!(error instanceof ApiError) || query.meta?.showsRefusals || query.state.data !== undefined) return
        if (error.status === 403) onForbidden()
        if (error.status === 404) onMissing()
      },
    }),
    defaultOptions: {
      queries: {
        ...ASK_ALWAYS,
        // With ASK_ALWAYS it would be off.
        refetchOnReconnect: true,
        staleTime: 15_000,
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
        retryDelay: (attempt) => 500 * 2 ** attempt,
      },
      mutations: { ...ASK_ALWAYS, retry: false },
    },
  })
}
