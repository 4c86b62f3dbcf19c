import axeCore, { type Result } from 'axe-core'
import type { Frame, Page } from '@playwright/test'

interface Asked {
  /** axe's own names, or its tags for several */
  rules: readonly string[]
  /** by far the dearest of its rules */
  contrasts?: boolean
  /** a selector of the part that is judged; the whole page without one */
  within?: string | undefined
}

/** axe stays in a document: bringing it there takes as long as a look does, and a page is left for the next by link. */
async function bringAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axeCore.source)
}

/** What axe finds on the page as it stands, in its frames too. */
export async function violationsOf(page: Page, { rules, contrasts = false, within }: Asked): Promise<Result[]> {
  const [main, ...others] = page.frames()
  await bringAxe(main!)
  // One that goes away meanwhile belongs to the page no longer.
  await Promise.all(others.map((frame) => bringAxe(frame).catch(() => undefined)))
  return await page.evaluate(
    async ([selector, runOnly, isEnabled]) => {
      const { axe } = window as unknown as { axe: typeof axeCore }
      const { violations } = await axe.run(selector ?? document, {
        runOnly: [...runOnly],
        // What passes is not asked for, which saves a third of its time.
        resultTypes: ['violations'],
        rules: { 'color-contrast': { enabled: isEnabled } },
      })
      return violations
    },
    [within, rules, contrasts] as const,
  )
}
