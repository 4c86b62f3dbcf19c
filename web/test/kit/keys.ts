import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    press: (keys: string) => Promise<void>
    type: (text: string) => Promise<void>
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
