import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { decodeQuery, encodeQuery, type QueryValues } from '../kit/api/query-string.ts'
import { ErrorPage } from './error-page.tsx'
import { Waiting } from './root.tsx'
import { routeTree } from './routes.tsx'

/**
 * The router, on the browser's history if no other is given. Addresses write their search as the API writes its
 * query: one encoding, readable in the address bar.
 */
export function createAppRouter(elsewhere?: { history: RouterHistory; scrollRestoration: false }) {
  return createRouter({
    routeTree,
    parseSearch: decodeQuery,
    stringifySearch: (search) => {
      const query = encodeQuery(search as QueryValues)
      return query === '' ? '' : `?${query}`
    },
    defaultPreload: 'intent',
    defaultPreloadDelay: 80,
    scrollRestoration: true,
    defaultErrorComponent: ErrorPage,
    defaultPendingComponent: Waiting,
    defaultPendingMs: 400,
    defaultPendingMinMs: 200,
    ...elsewhere,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
