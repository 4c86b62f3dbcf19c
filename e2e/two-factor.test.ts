import type { Page } from '@playwright/test'
import { generate } from 'otplib'
import { addPerson, type Person } from './support/people.ts'
import { expect, test } from './support/test.ts'

const STEP_SECONDS = 30
const TYPING_SECONDS = 12

/** The code that an app shows, some steps from now; the server takes the one before and after as well. */
const codeOf = (secret: string, steps = 0): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * STEP_SECONDS })

/** The code of the step before, at a moment when it stays so for as long as typing takes. */
const codeBefore = async (secret: string): Promise<string> => {
  const leftOfStep = () => STEP_SECONDS - ((Date.now() / 1000) % STEP_SECONDS)
  await expect.poll(leftOfStep, { timeout: STEP_SECONDS * 1000 }).toBeGreaterThan(TYPING_SECONDS)
  return codeOf(secret, -1)
}

const secretOn = async (page: Page): Promise<string> => (await page.locator('code').innerText()).replaceAll(' ', '')

/** Types a code as one does: the focus is in the first box already, and the last digit sends it. */
const typeCode = async (page: Page, code: string) => {
  await expect(page.getByRole('textbox', { name: 'Digit 1' })).toBeFocused()
  await page.keyboard.type(code)
}

const giveUpPassword = async (page: Page, { email, password }: Person) => {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

const signOut = async (page: Page) => {
  await page.evaluate(() => localStorage.removeItem('authData'))
}

/** Every address that the page showed or asked for. */
function watchAddresses(page: Page): string[] {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  return addresses
}

test('is set up in the profile, asked for at the next sign-in, and switched off with a code', { tag: '@long' }, async ({
  page,
  waybill,
  signInByForm,
  expectAccessible,
  shoot,
}) => {
  const person = await addPerson(waybill)
  await signInByForm(person)
  const factor = page.getByRole('region', { name: 'Second factor' })
  await factor.getByRole('button', { name: 'Set up' }).click()
  await expect(factor.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'profile second factor setting up')
  const secret = await secretOn(page)

  const right = await codeBefore(secret)
  await typeCode(page, right === '000000' ? '000001' : '000000')
  await expect(factor.getByRole('alert')).toHaveText('Invalid code entered')
  await typeCode(page, right)
  const items = factor.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  const codes = await items.allInnerTexts()
  expect(new Set(codes).size).toBe(10)
  await expectAccessible(page)
  await shoot(page, 'profile recovery codes')
  const download = page.waitForEvent('download')
  await factor.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('waybill-recovery-codes.txt')
  await factor.getByRole('button', { name: 'I have kept them' }).click()
  await expect(factor.getByText('10 recovery codes left')).toBeVisible()

  await signOut(page)
  const addresses = watchAddresses(page)
  await giveUpPassword(page, person)
  await expect(page).toHaveURL(/\/auth\/qr$/)
  await expect(page).toHaveTitle('Six-digit code · Waybill')
  await expectAccessible(page)
  await shoot(page, 'auth code')
  const challenge = await page.evaluate(
    () => (JSON.parse(sessionStorage.getItem('sign_in_step')!) as { challenge: string }).challenge,
  )
  // A reload in the middle asks for the code again, not for the password.
  await page.reload()
  await typeCode(page, await codeOf(secret, 0))
  await expect(page).toHaveURL(new RegExp(`/profile/${person.id}/edit$`))
  const { token, refreshToken } = await page.evaluate(
    () => JSON.parse(localStorage.getItem('authData')!) as { token: string; refreshToken: string },
  )
  for (const secretText of [challenge, token, refreshToken, secret])
    expect(addresses.filter((address) => address.includes(secretText))).toEqual([])
  expect(await page.evaluate(() => sessionStorage.getItem('sign_in_step'))).toBeNull()

  await factor.getByRole('button', { name: 'Switch off' }).click()
  await shoot(page, 'profile second factor switching off')
  await factor.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await factor.getByLabel('Recovery code').fill(codes[0]!.toLowerCase())
  await factor.getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByText('The second factor is off')).toBeVisible()
  await expect(factor.getByRole('button', { name: 'Set up' })).toBeVisible()
})
