import {
  beginProviderSignIn,
  endProviderSignIn,
  getProfile,
  getSignInWays,
  signIn as signInEndpoint,
  type Tokens,
} from '@waybill/contract/session'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { profileOf, signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { answerProfilePage } from './records/profile.ts'

const TOKENS: Tokens = { token: 'access-1', refreshToken: 'refresh-1', expiresIn: 900 }

// Whom the sign-in leads to the own profile
const CLERK = { permissions: ['CUSTOMER_MANAGEMENT'] } as const

const email = page.getByLabelText('Email')
const password = page.getByLabelText('Password', { exact: true })
const alert = page.getByRole('alert')
const path = () => location.pathname

/** The frame of a screen asks as for somebody signed in, but nobody is. */
beforeEach(() => {
  signIn(CLERK)
  answerProfilePage()
  localStorage.clear()
})

test('refuses a wrong password with a sentence and lets the right one in', async () => {
  server.answer(signInEndpoint, ({ body }) => (body.password === 'Right-1' ? TOKENS : refusal('bad_credentials')))
  await visit('/')
  await expect.poll(path).toBe('/auth/login')
  await expect.element(email).toBeVisible()
  await expectAccessible()
  await email.fill('anna@waybill.example')
  await password.fill('not-the-password')
  await press('Enter')
  await expect.element(alert).toHaveTextContent('Email or password is not correct.')
  expect(path()).toBe('/auth/login')
  expect(localStorage.getItem('authData')).toBeNull()
  await password.fill('Right-1')
  await press('Enter')
  await expect.element(page.getByRole('navigation').first()).toBeVisible()
  await expectAccessible()
  expect(JSON.parse(localStorage.getItem('authData')!)).toEqual(TOKENS)
  expect(server.calls(signInEndpoint).at(-1)).toMatchObject({
    body: { email: 'anna@waybill.example', password: 'Right-1' },
  })
})

test('is still signed in after a reload and asks again when the session is gone', async () => {
  signIn(CLERK)
  await visit('/profile/1/edit')
  await expect.element(page.getByRole('navigation').first()).toBeVisible()
  await visit('/profile/1/edit')
  await expect.element(page.getByRole('navigation').first()).toBeVisible()
  localStorage.clear()
  await visit('/')
  await expect.poll(path).toBe('/auth/login')
})

test('says what is missing before anything is sent, and shows the password', async () => {
  await visit('/auth/login')
  await expect.element(email).toHaveFocus()
  await press('Enter')
  await expect.poll(() => page.getByText('The field is required').elements()).toHaveLength(2)
  expect(server.calls(signInEndpoint)).toEqual([])
  await password.fill('secret')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect.element(password).toHaveAttribute('type', 'text')
})

const PAUSE = {
  English: /^Too many attempts\. Please try again in \d+ (second|minute)s?\.$/,
  Deutsch: /^Zu viele Versuche\. Bitte versuchen Sie es in \d+ (Sekunde|Minute)n? erneut\.$/,
  Polski: /^Zbyt wiele prób\. Spróbuj ponownie za \d+ (sekund|minut)[ęy]?\.$/,
} as const

test('says in each language how long to wait after too many wrong passwords', { tags: 'long' }, async () => {
  server.answer(signInEndpoint, refusal('rate_limited'))
  await visit('/auth/login')
  for (const [language, sentence] of Object.entries(PAUSE)) {
    await page.getByRole('button', { name: language }).click()
    await page.field('email').fill('anna@waybill.example')
    await page.field('password').fill('Right-1')
    await press('Enter')
    await expect.element(alert).toMatchTextContent(sentence)
  }
})

test('speaks the language of the profile after the sign-in, and keeps it on the device', async () => {
  server.answer(getProfile, profileOf({ ...CLERK, defaultLanguage: 'pl' }))
  server.answer(signInEndpoint, TOKENS)
  await visit('/auth/login')
  await email.fill('anna@waybill.example')
  await password.fill('Right-1')
  await press('Enter')
  await expect.poll(path).toBe('/profile/1/edit')
  await expect.element(page.getByRole('heading', { name: 'Twój profil' })).toBeVisible()
  expect(localStorage.getItem('language')).toBe('pl')
  expect(document.documentElement.lang).toBe('pl')
})

test('the pages of the second step lead back to the password where nobody gave one', async () => {
  for (const address of ['/auth/qr', '/auth/qr-code']) {
    await visit(`${address}?redirect=%2Forders`)
    await expect.poll(() => location.pathname + location.search).toMatch(/^\/auth\/login\?redirect=%2Forders$/)
  }
})

const PROVIDER = { label: 'Example ID' }
const toProvider = page.getByRole('button', { name: 'Sign in with Example ID' })

test('offers the identity provider beside the password, which works where the provider is away', async () => {
  server.answer(getSignInWays, { passwords: 'all', provider: PROVIDER, passkeys: false })
  server.answer(beginProviderSignIn, refusal('provider_away'))
  await visit('/auth/login?redirect=%2Forders%2F7')
  await expect.element(email).toHaveFocus()
  await toProvider.click()
  await expect.element(alert).toMatchTextContent('sign-in service does not answer at the moment')
  await expect.element(page.getByText('You can sign in with your password meanwhile.')).toBeVisible()
  await expectAccessible()
  server.answer(beginProviderSignIn, { url: `${location.href}#at-the-provider` })
  await toProvider.click()
  await expect.poll(() => location.hash).toBe('#at-the-provider')
  expect(JSON.parse(sessionStorage.getItem('sign_in_wanted')!)).toBe('/orders/7')
})

test('keeps the password for emergencies behind a button where the provider alone lets people in', async () => {
  server.answer(getSignInWays, { passwords: 'emergency', provider: PROVIDER, passkeys: false })
  server.answer(signInEndpoint, TOKENS)
  await visit('/auth/login')
  await expect.element(toProvider).toBeVisible()
  expect(email.elements()).toHaveLength(0)
  await page.getByRole('button', { name: 'Sign in with a password' }).click()
  await expect.element(page.getByText(/in an emergency one administrator/)).toBeVisible()
  await expectAccessible()
  await email.fill('anna@waybill.example')
  await password.fill('Right-1')
  await press('Enter')
  await expect.poll(path).toBe('/profile/1/edit')
})

test('hands on once what the provider sent, and goes where one wanted, but to no other host', async () => {
  server.answer(endProviderSignIn, TOKENS)
  sessionStorage.setItem('sign_in_wanted', JSON.stringify('/profile/1/edit?from=mail'))
  await visit('/auth/provider?code=4%2F0A-b&state=the-state&iss=https%3A%2F%2Fid.example&session_state=x')
  await expect.poll(() => location.pathname + location.search).toBe('/profile/1/edit?from=mail')
  expect(server.calls(endProviderSignIn).map(({ body }) => body)).toEqual([
    { code: '4/0A-b', state: 'the-state', iss: 'https://id.example' },
  ])
  localStorage.clear()
  sessionStorage.setItem('sign_in_wanted', JSON.stringify('//evil.example/profile'))
  await visit('/auth/provider?code=c&state=s')
  await expect.poll(() => location.pathname + location.search).toBe('/profile/1/edit')
})

test('asks whom the provider sent for the second factor, and tells others why they are not let in', async () => {
  server.answer(endProviderSignIn, {
    twoFactor: 'required',
    factors: ['code'],
    challenge: 'a-challenge',
    expiresIn: 300,
  })
  sessionStorage.setItem('sign_in_wanted', JSON.stringify('/orders/7'))
  await visit('/auth/provider?code=c&state=s')
  await expect.poll(() => location.pathname + location.search).toBe('/auth/qr?redirect=%2Forders%2F7')
  server.answer(endProviderSignIn, refusal('provider_no_account'))
  await visit('/auth/provider?code=c&state=s')
  await expect.element(alert).toMatchTextContent('There is no account in Waybill for you')
  await expectAccessible()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect.poll(() => location.pathname + location.search).toBe('/auth/login?redirect=%2Forders%2F7')
})
