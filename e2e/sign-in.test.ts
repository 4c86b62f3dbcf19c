import { expect, test } from './support/test.ts'
import { ADMIN } from './support/waybill.ts'

test('refuses a wrong password with a sentence and lets the right one in', async ({ page, signIn, expectAccessible }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth\/login/)
  await expectAccessible(page)
  await page.locator('input[name="email"], input[type="email"]').fill(ADMIN.email)
  await page.locator('input[type="password"]').fill('not-the-password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/login/)
  await signIn()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expectAccessible(page)
})

test('is still signed in after a reload and asks again when the session is gone', async ({ page, signIn }) => {
  await signIn()
  await page.reload()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth\/login/)
})
