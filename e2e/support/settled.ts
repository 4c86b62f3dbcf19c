import type { Page } from '@playwright/test'

export interface Counted {
  open: number
  changedAt: number
}

/**
 * Counts in each page what it fetches and when it last got anything: the page itself knows better than a look from
 * outside, which may miss an end.
 */
export async function countCalls(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counted: Counted = { open: 0, changedAt: performance.now() }
    const change = (by: number) => {
      counted.open += by
      counted.changedAt = performance.now()
    }
    const original = window.fetch
    window.fetch = async (...call) => {
      change(1)
      try {
        return await original(...call)
      } finally {
        change(-1)
      }
    }
    new PerformanceObserver(() => change(0)).observe({ type: 'resource' })
    Object.assign(window, { counted })
  })
}

/**
 * Waits until the page has nothing on its way and has got nothing for `quietMs`. A stream that
 * goes on counts until it begins.
 */
export async function settled(page: Page, quietMs = 200): Promise<void> {
  await page.waitForFunction((ms) => {
    const { counted } = window as unknown as { counted: Counted }
    return document.readyState === 'complete' && counted.open === 0 && performance.now() - counted.changedAt > ms
  }, quietMs)
}
