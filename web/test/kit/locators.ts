import { locators, type Locator } from 'vitest/browser'

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** What a CSS selector finds; for cells and fields by the name that the form gives them */
    css: (selector: string) => Locator
    /** The field of this name, as the form calls it: `cargo.0.weightKg` */
    field: (name: string) => Locator
  }
}

locators.extend({
  css: (selector: string) => `css=${selector}`,
  field: (name: string) => `css=[name="${name}"]`,
})
