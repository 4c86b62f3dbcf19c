import {
  enterTwoFactorCode,
  getProfile,
  setUpTwoFactor,
  confirmTwoFactor,
  setUpTwoFactorAtSignIn,
  signIn as signInEndpoint,
} from '@waybill/contract/session'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { profileOf, signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { offerMasterData } from './records/master-data.ts'
import { answerOrderList } from './records/order-screens.ts'
import { answerProfilePage, SETUP } from './records/profile.ts'

const TOKENS = { token: 'access-1', refreshToken: 'refresh-1', expiresIn: 900 }
const CODES = Array.from({ length: 10 }, (_, index) => `abcde-1234${index}`)
const RIGHT = '123456'

const alert = page.getByRole('alert')
const path = () => location.pathname
const address = () => location.pathname + location.search
const secret = page.css('code')
const items = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
const factor = page.getByRole('region', { name: 'Second factor' })

const clerk = { permissions: ['ORDERS_MANAGEMENT'], isTwoFactorRequired: true, twoFactorEnabled: true } as const

/** Types a code as one does: the focus is in the first box already, and the last digit sends it. */
const typeCode = async (code: string) => {
  await expect.element(page.getByRole('textbox', { name: 'Digit 1' })).toHaveFocus()
  await type(code)
}

const giveUpPassword = async () => {
  await page.field('email').fill('anna@waybill.example')
  await page.field('password').fill('Right-1')
  await press('Enter')
}

beforeEach(() => {
  signIn(clerk)
  offerMasterData()
  answerOrderList([])
  answerProfilePage()
  localStorage.clear()
})

test('a role that requires it: the set-up comes between password and any screen; a reload loses nothing', {
  tags: 'long',
}, async () => {
  server.answer(signInEndpoint, { twoFactor: 'setup', factors: ['code'], challenge: 'challenge-1', expiresIn: 900 })
  server.answer(setUpTwoFactorAtSignIn, SETUP)
  server.answer(enterTwoFactorCode, ({ body }) =>
    body.code === RIGHT ? { ...TOKENS, recoveryCodes: CODES } : refusal('invalid_code'),
  )
  await visit('/orders?q=Kr%C3%B6ger')
  await expect.element(page.field('email')).toBeVisible()
  await giveUpPassword()
  await expect.poll(address).toMatch(/\/auth\/qr-code\?redirect=/)
  await expect.poll(() => document.title).toBe('Set up the second factor · Waybill')
  await expect.element(secret).toHaveTextContent('JBSW Y3DP EHPK 3PXP')
  await expectAccessible()
  const setUpAt = address()
  await visit(setUpAt)
  await expect.element(secret).toHaveTextContent('JBSW Y3DP EHPK 3PXP')
  expect(server.calls(setUpTwoFactorAtSignIn).map(({ body }) => body)).toEqual([
    { challenge: 'challenge-1' },
    { challenge: 'challenge-1' },
  ])
  // Nothing else opens before.
  await visit('/orders')
  await expect.poll(path).toBe('/auth/login')
  await visit(setUpAt)
  await typeCode(RIGHT)
  await expect.poll(() => items.elements()).toHaveLength(10)
  expect(items.elements().map(({ textContent }) => textContent)).toEqual(CODES)
  await expectAccessible()
  await visit(setUpAt)
  await expect.poll(() => items.elements().map(({ textContent }) => textContent)).toEqual(CODES)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect.poll(path).toBe('/orders')
  expect(new URLSearchParams(location.search).get('q')).toBe('Kröger')
  expect(sessionStorage.getItem('new_recovery_codes')).toBeNull()
  expect(server.calls(enterTwoFactorCode)).toMatchObject([{ body: { challenge: 'challenge-1', code: RIGHT } }])

  await visit('/profile/1/edit')
  await expect.element(factor.getByText('Your role requires it; it cannot be switched off.')).toBeVisible()
  await expect.element(factor.getByRole('button', { name: 'Switch off' })).toBeDisabled()
})

test('where the phone is lost one of the recovery codes lets in, once', async () => {
  server.answer(signInEndpoint, { twoFactor: 'required', factors: ['code'], challenge: 'challenge-2', expiresIn: 300 })
  let left = [...CODES]
  server.answer(enterTwoFactorCode, ({ body }) => {
    if (!left.includes(body.code)) return refusal('invalid_code')
    left = left.filter((code) => code !== body.code)
    return TOKENS
  })
  for (const isFirst of [true, false]) {
    localStorage.clear()
    await visit('/auth/login?redirect=%2Forders')
    await expect.element(page.field('email')).toBeVisible()
    await giveUpPassword()
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
    await page.getByLabelText('Recovery code').fill(CODES[3]!)
    await press('Enter')
    if (isFirst) await expect.poll(path).toBe('/orders')
    else await expect.element(alert).toHaveTextContent('Invalid code entered')
  }
  expect(server.calls(enterTwoFactorCode).map(({ body }) => body)).toEqual([
    { challenge: 'challenge-2', code: CODES[3] },
    { challenge: 'challenge-2', code: CODES[3] },
  ])
})

test('sets it up in the profile in the person’s language', async () => {
  signIn({ defaultLanguage: 'de' })
  server.answer(setUpTwoFactor, SETUP)
  server.answer(confirmTwoFactor, { recoveryCodes: CODES })
  await visit('/profile/1/edit')
  await page.getByRole('button', { name: 'Einrichten' }).click()
  await expect.element(secret).toHaveTextContent('JBSW Y3DP EHPK 3PXP')
  server.answer(getProfile, profileOf({ defaultLanguage: 'de', twoFactorEnabled: true, recoveryCodesLeft: 10 }))
  await page.getByRole('textbox', { name: 'Ziffer 1' }).fill(RIGHT)
  await page.getByRole('button', { name: 'Ich habe sie aufbewahrt' }).click()
  await expect.element(page.getByRole('button', { name: 'Ausschalten' })).toBeVisible()
  expect(server.calls(confirmTwoFactor)).toMatchObject([{ body: { code: RIGHT } }])
})

test('is not switched off where the role needs it, unless a passkey stands in for it', async () => {
  const off = page.getByRole('button', { name: 'Switch off', exact: true })
  for (const [passkeys, isTwoFactorRequired] of [
    [0, true],
    [1, true],
    [0, false],
  ] as const) {
    signIn({ ...clerk, passkeys, isTwoFactorRequired })
    await visit('/profile/1/edit')
    if (passkeys === 0 && isTwoFactorRequired) await expect.element(off).toBeDisabled()
    else await expect.element(off).toBeEnabled()
  }
})

test('refuses wrong codes in the person’s language, and after five of them wants the password again', async () => {
  localStorage.setItem('language', 'de')
  server.answer(signInEndpoint, { twoFactor: 'required', factors: ['code'], challenge: 'challenge-3', expiresIn: 300 })
  let tries = 0
  server.answer(enterTwoFactorCode, () => {
    tries += 1
    return refusal(tries > 5 ? 'challenge_expired' : 'invalid_code')
  })
  await visit('/auth/login')
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByLabelText('E-Mail').fill('anna@waybill.example')
  await page.getByLabelText('Passwort', { exact: true }).fill('Right-1')
  await press('Enter')
  await expect.element(page.getByRole('heading', { name: 'Sechsstelliger Code' })).toBeVisible()
  const digit = page.getByRole('textbox', { name: 'Ziffer 1' })
  for (let count = 1; count <= 5; count += 1) {
    await digit.fill('654321')
    await expect.poll(() => server.calls(enterTwoFactorCode)).toHaveLength(count)
    await expect.element(alert).toHaveTextContent('Ungültiger Code eingegeben')
    await expect.element(digit).toHaveFocus()
    await expect.element(digit).toHaveValue('')
  }
  await digit.fill(RIGHT)
  await expect.element(alert).toMatchTextContent('Bitte geben Sie Ihr Passwort erneut ein')
  await page.getByRole('link', { name: 'Zurück zur Anmeldung' }).click()
  await expect.poll(path).toBe('/auth/login')
})
