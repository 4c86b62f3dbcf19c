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
