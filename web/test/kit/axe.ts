import axe from 'axe-core'
import { expect } from 'vitest'
import { commands } from 'vitest/browser'
import { isLong } from './long.ts'

const WINDOW = '[role="dialog"][aria-modal="true"]'

/** axe finds nothing serious on the page as it stands. */
export const expectAccessible = (): Promise<void> =>
  findsNothing(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])

/** The same, and by night the contrasts, which are all that is another then. */
export async function expectAccessibleInBothLooks(): Promise<void> {
  await expectAccessible()
  if (!isLong) return
  await changeLook('dark')
  await findsNothing(['color-contrast'])
  await changeLook('light')
}

/** By these rules, or by those with these tags. */
async function findsNothing(rules: string[]): Promise<void> {
  // Rows that others are about to replace are dimmed for a moment.
  await expect.poll(() => document.querySelectorAll('[data-busy]').length).toBe(0)
  // Colours go over into each other, with reduced motion for one frame.
  await expect.poll(() => document.getAnimations().filter((one) => one instanceof CSSTransition)).toEqual([])
  // Where a window is open, what lies behind it was judged before it opened; the long run looks again.
  const judged = isLong ? null : document.querySelector<HTMLElement>(WINDOW)
  const { violations } = await axe.run(judged ?? document, {
    runOnly: rules,
    resultTypes: ['violations'],
    // More than half of its time. `npm test` judges the contrasts of each screen once, in the journeys.
    rules: { 'color-contrast': { enabled: isLong } },
  })
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => ({ id, target: target.join(' ') })))
  const stays = []
  for (const one of found)
    if (one.id !== 'target-size' || (await isSmallInSight(one.target))) stays.push(`${one.id}: ${one.target}`)
  expect(stays).toEqual([])
}

async function changeLook(colorScheme: 'light' | 'dark'): Promise<void> {
  await commands.emulateMedia({ colorScheme })
  await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe(colorScheme)
}

/** What lies half under a bar that stands still looks small until one scrolls: it is judged in the middle. */
async function isSmallInSight(target: string): Promise<boolean> {
  document.querySelector(target)?.scrollIntoView({ block: 'center' })
  const { violations } = await axe.run(target, { runOnly: ['target-size'] })
  return violations.length > 0
}
