import type { Page } from '@playwright/test'

/** Nobody tells the pages opened from now on what others change meanwhile. */
export const withoutEvents = (page: Page) => page.route(/\/api\/events/, (route) => route.fulfill({ status: 204 }))
