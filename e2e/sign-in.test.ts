import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import { ADMIN } from './support/waybill.ts'

test('refuses a wrong password with a sentence and lets the right one in', async ({
  page,
  signInByForm,
  expectAccessible,
}) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth\/login/)
  await expectAccessible(page)
  await page.locator('input[name="email"], input[type="email"]').fill(ADMIN.email)
  await page.locator('input[type="password"]').fill('not-the-password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/login/)
  await signInByForm()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expectAccessible(page)
})

test('is still signed in after a reload and asks again when the session is gone', async ({ page, signInByForm }) => {
  await signInByForm()
  await page.reload()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth\/login/)
})

test('says what is missing before anything is sent, and when Caps Lock is on', async ({ page }) => {
  await page.goto('/auth/login')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The field is required')).toHaveCount(2)
  await page.getByLabel('Password', { exact: true }).fill('secret')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
})

const PAUSE = {
  English: /^Too many attempts\. Please try again in \d+ (second|minute)s?\.$/,
  Deutsch: /^Zu viele Versuche\. Bitte versuchen Sie es in \d+ (Sekunde|Minute)n? erneut\.$/,
  Polski: /^Zbyt wiele prób\. Spróbuj ponownie za \d+ (sekund|minut)[ęy]?\.$/,
} as const

test('pauses after ten wrong passwords and says in each language how long to wait', async ({ page, waybill }) => {
  const { email, password } = await addPerson(waybill)
  for (let tries = 0; tries < 10; tries += 1)
    expect((await waybill.api('POST', 'token', { email, password: 'not-the-password' })).status).toBe(401)
  await page.goto('/auth/login')
  for (const [language, sentence] of Object.entries(PAUSE)) {
    await page.getByRole('button', { name: language }).click()
    await page.locator('input[name="email"]').fill(email)
    await page.locator('input[name="password"]').fill(password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText(sentence)
  }
})
