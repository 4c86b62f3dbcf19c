import type { Page } from '@playwright/test'

/** What is fetched from these addresses waits until it is let go. */
async function holdBackAt(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return () => resolve()
}

/** Answers of this kind wait until they are let go. */
export const holdBack = (page: Page, resource: string) => holdBackAt(page, `**/api/${resource}?*`)

/** A part of the page that is fetched late waits until it is let go. */
export const holdBackCode = (page: Page, file: string) => holdBackAt(page, `**/${file}-*.js`)
