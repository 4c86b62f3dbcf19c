import axe from 'axe-core'
import { expect } from 'vitest'

/** axe finds nothing serious on the page as it stands. */
export async function expectAccessible(): Promise<void> {
  // Rows that others are about to replace are dimmed for a moment.
  await expect.poll(() => document.querySelectorAll('[data-busy]').length).toBe(0)
  const { violations } = await axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    resultTypes: ['violations'],
  })
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => ({ id, target: target.join(' ') })))
  const stays = []
  for (const one of found)
    if (one.id !== 'target-size' || (await isSmallInSight(one.target))) stays.push(`${one.id}: ${one.target}`)
  expect(stays).toEqual([])
}

/** What lies half under a bar that stands still looks small until one scrolls: it is judged in the middle. */
async function isSmallInSight(target: string): Promise<boolean> {
  document.querySelector(target)?.scrollIntoView({ block: 'center' })
  const { violations } = await axe.run(target, { runOnly: ['target-size'] })
  return violations.length > 0
}
