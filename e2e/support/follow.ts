import type { Page } from '@playwright/test'
import type { Counted } from './settled.ts'

interface Router {
  history: { push(path: string): void }
  subscribe(event: 'onResolved', listener: () => void): () => void
}

/** Goes to a screen as a link on the page does, without loading the page anew, and waits until it is the one shown. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    (to) =>
      new Promise<void>((shown) => {
        // Where the router puts itself for its own tools.
        const { __TSR_ROUTER__: router, counted } = window as unknown as { __TSR_ROUTER__: Router; counted: Counted }
        const stop = router.subscribe('onResolved', () => {
          stop()
          // What the screen is about to fetch is waited for by `settled`.
          counted.changedAt = performance.now()
          shown()
        })
        router.history.push(to)
      }),
    path,
  )
