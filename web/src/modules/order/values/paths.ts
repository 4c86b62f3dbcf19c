import { useLocation } from '@tanstack/react-router'

/** Where an order is opened. */
export const orderPath = (id: number): `/orders/${number}/edit` => `/orders/${id}/edit`

/** Where an order is opened that leads back to the dashboard (spec §2). */
export const dashboardPath = (id: number): `/dashboard/${number}/edit` => `/dashboard/${id}/edit`

/** Where the open form came from, and where it goes back to: the address says it. */
export function useOrderHome(): { home: '/orders' | '/dashboard'; pathOf: (id: number) => string } {
  const isDashboard = useLocation({ select: ({ pathname }) => pathname.startsWith('/dashboard') })
  return isDashboard ? { home: '/dashboard', pathOf: dashboardPath } : { home: '/orders', pathOf: orderPath }
}
