import type { Page } from '@playwright/test'
import { addPerson, linkIn, tokensOf } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const NEW_PASSWORD = 'Quiet-Otter-52'

/**
 * Asks for the link on the page, and answers where it leads: the product's own address,
 * whatever the browser called it.
 */
async function askForLink(page: Page, waybill: Waybill, email: string): Promise<string> {
  await page.goto('/auth/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL(/\/auth\/restore$/)
  // The page that one leaves has a field of this name, too.
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { name: 'Email sent' })).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  return linkIn(waybill, email, '/auth/reset-password/')
}

const choose = async (page: Page, password: string, confirmation = password) => {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Repeat the new password').fill(confirmation)
  await page.getByRole('button', { name: 'Save password' }).click()
}

test('a forgotten password: the mail is sent, its link comes from the settings and works once', {
  tag: '@long',
}, async ({ page, waybill, signInByForm, expectAccessible, shoot }) => {
  const person = await addPerson(waybill)
  const before = await tokensOf(waybill, person)
  const link = await askForLink(page, waybill, person.email)
  await expectAccessible(page)
  await shoot(page, 'auth restore sent')
  expect(link).toMatch(new RegExp(`^${waybill.publicUrl}/auth/reset-password/[A-Za-z0-9_-]{22,}$`))
  expect(link).not.toContain('127.0.0.1')

  await page.goto(link)
  await expect(page).toHaveTitle('Set a new password · Waybill')
  await expectAccessible(page)
  await choose(page, NEW_PASSWORD)
  await expect(page.getByRole('heading', { name: 'Password saved' })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'auth reset done')

  // Everybody who was signed in with the old one is out, and the old one is worth nothing.
  const old = await waybill.api('GET', 'profile', undefined, { authorization: `Bearer ${before.token}` })
  expect(old.status).toBe(401)
  expect((await waybill.api('POST', 'token', { email: person.email, password: person.password })).status).toBe(401)
  await signInByForm({ ...person, password: NEW_PASSWORD })
  await expect(page).toHaveURL(new RegExp(`/profile/${person.id}/edit$`))

  // The second time the link is refused, and a new one can be asked for.
  await page.goto(link)
  await choose(page, 'Other-Otter-53')
  await expect(page.getByRole('alert')).toContainText('This link is no longer valid. Please ask for a new one.')
  await shoot(page, 'auth reset refused')
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(page).toHaveURL(/\/auth\/restore$/)
  expect((await waybill.api('POST', 'token', { email: person.email, password: NEW_PASSWORD })).status).toBe(200)
})
