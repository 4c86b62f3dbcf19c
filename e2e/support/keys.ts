import type { Locator } from '@playwright/test'

/**
 * Types letters at the end of a field; script of each in ms, sorted: from the press until
 * the task that it began has ended.
 */
export async function scriptOfKeys(field: Locator, letters: string): Promise<number[]> {
  await field.click()
  await field.press('End')
  return field.evaluate(async (input: HTMLInputElement, typed) => {
    const found: number[] = []
    for (const letter of typed) {
      const from = performance.now()
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, input.value + letter)
      input.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter, inputType: 'insertText' }))
      found.push(performance.now() - from)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    }
    return found.toSorted((a, b) => a - b)
  }, letters)
}
