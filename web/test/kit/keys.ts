import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    press: (keys: string) => Promise<void>
    type: (text: string) => Promise<void>
    mouse: (step: { move: { x: number; y: number; steps: number } } | 'down' | 'up') => Promise<void>
    textInFrame: (selector: string) => Promise<string>
    emulateMedia: (media: {
      colorScheme?: 'light' | 'dark'
      reducedMotion?: 'reduce' | 'no-preference'
    }) => Promise<void>
  }
}

/** Presses keys, one after the other: `press('Tab', 'Control+s')`. */
export async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await commands.press(key)
}

/** Types into what has the focus, letter by letter. */
export const type = (text: string): Promise<void> => commands.type(text)

/** The mouse, where a click is not enough: it carries something, or stands still on the way. */
export const mouse = {
  move: (x: number, y: number, steps = 1): Promise<void> => commands.mouse({ move: { x, y, steps } }),
  down: (): Promise<void> => commands.mouse('down'),
  up: (): Promise<void> => commands.mouse('up'),
}
