import { ADMIN, expect, expectAccessible, signIn, test } from './support/waybill.ts'

test('refuses a wrong password with a sentence and lets the right one in', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth\/login/)
  await expectAccessible(page)
  await page.getByRole('textbox', { name: /e-?mail/i }).fill(ADMIN.email)
  await page.locator('input[type=password]').fill('not-the-password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/login/)
  await signIn(page)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expectAccessible(page)
})

test('comes back signed in after a reload and is asked again after signing out', async ({ page }) => {
  await signIn(page)
  await page.reload()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth\/login/)
})
