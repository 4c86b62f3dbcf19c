import { expect, type Locator, type Page } from '@playwright/test'

/** On with Tab until it has the focus: for who has no mouse. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let times = 0; times < 250; times += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused()
}
