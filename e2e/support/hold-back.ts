import type { Page } from '@playwright/test'

/** Answers of this kind wait until they are let go. */
export async function holdBack(page: Page, resource: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/api/${resource}?*`, async (route) => {
    await promise
    await route.continue()
  })
  return () => resolve()
}

/** A part of the page that is fetched late waits until it is let go. */
export async function holdBackCode(page: Page, file: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/${file}-*.js`, async (route) => {
    await promise
    await route.continue()
  })
  return () => resolve()
}
