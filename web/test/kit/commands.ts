import type { BrowserCommand } from 'vitest/node'

/*
 * What a test asks of the browser's driver and Vitest's own `userEvent` words otherwise. They run in Node, beside it.
 */

/** Presses a key or a chord: `Enter`, `Control+s`, `Shift+Tab`. */
export const press: BrowserCommand<[keys: string]> = ({ page }, keys) => page.keyboard.press(keys)

interface Media {
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce' | 'no-preference'
}

/** The look that the system asks for. */
export const emulateMedia: BrowserCommand<[media: Media]> = ({ page }, media) => page.emulateMedia(media)

/** Types into what has the focus, letter by letter. */
export const type: BrowserCommand<[text: string]> = ({ page }, text) => page.keyboard.type(text)

type MouseStep = { move: { x: number; y: number; steps: number } } | 'down' | 'up'

/** Moves the mouse to a place of the page that is tried, or presses or lifts its button. */
export const mouse: BrowserCommand<[step: MouseStep]> = async ({ page, iframe }, step) => {
  if (step === 'down') return page.mouse.down()
  if (step === 'up') return page.mouse.up()
  const { x, y, steps } = step.move
  const place = (await iframe.owner().boundingBox())!
  await page.mouse.move(place.x + x, place.y + y, { steps })
}

/** What is to be read in a frame of the page: from within, a frame that is shut off cannot be looked into. */
export const textInFrame: BrowserCommand<[selector: string]> = ({ iframe }, selector) =>
  iframe.frameLocator(selector).locator('body').innerText()
