import { askForPasswordMail, getProfile, resetPassword, signIn as signInEndpoint } from '@waybill/contract/session'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { profileOf, signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { answerProfilePage } from './records/profile.ts'

const TOKEN = 'Qm9udHVyZS1TYWxhZC0yMg'
const TOKENS = { token: 'access-1', refreshToken: 'refresh-1', expiresIn: 900 }
const NEW_PASSWORD = 'Quiet-Otter-52'

const password = page.getByLabelText('New password', { exact: true })
const choose = async (text: string, confirmation = text) => {
  await password.fill(text)
  await page.getByLabelText('Repeat the new password').fill(confirmation)
  await page.getByRole('button', { name: 'Save password' }).click()
}

beforeEach(() => {
  signIn()
  answerProfilePage()
  localStorage.clear()
  server.answer(resetPassword, {})
  server.answer(askForPasswordMail, {})
})

test('the rule is ticked off while one types, and a password that breaks it is not sent', {
  tags: 'long',
}, async () => {
  await visit(`/auth/reset-password/${TOKEN}`)
  const rules = page.getByRole('listitem')
  const marked = (name: string) =>
    rules
      .filter({ has: page.getByRole('img', { name }) })
      .elements()
      .map(({ textContent }) => textContent?.trim())
  await expect.poll(() => marked('Missing:')).toHaveLength(4)
  await password.click()
  await type('otter5')
  await expect.poll(() => marked('Done:')).toEqual(['A lowercase letter', 'A digit'])
  await choose('otter52otter', 'otter')
  await expect
    .element(page.getByText('At least 8 characters with an uppercase letter, a lowercase letter and a digit'))
    .toBeVisible()
  await expect.element(page.getByText('Passwords do not match')).toBeVisible()
  await choose('Otter52otter', 'Otter52other')
  await expect.element(page.getByText('Passwords do not match')).toBeVisible()
  expect(server.calls(resetPassword)).toEqual([])
  await choose('Otter52otter')
  await expect.element(page.getByRole('heading', { name: 'Password saved' })).toBeVisible()
  expect(server.calls(resetPassword)).toMatchObject([
    { query: { token: TOKEN }, body: { password: 'Otter52otter', confirmPassword: 'Otter52otter' } },
  ])
})

test('a link that is used up is refused, and leads to where one asks for another', async () => {
  server.answer(resetPassword, refusal('invalid_link'))
  await visit(`/auth/reset-password/${TOKEN}`)
  await choose('Other-Otter-53')
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('This link is no longer valid. Please ask for a new one.')
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect.poll(() => location.pathname).toBe('/auth/restore')
})

test('asks for the link with an address that can be one, and says the same of any', async () => {
  await visit('/auth/restore')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect.element(page.getByText('The field is required')).toBeVisible()
  await page.getByLabelText('Email').fill('nobody@waybill')
  await press('Enter')
  await expect.element(page.getByText('Invalid email format')).toBeVisible()
  expect(server.calls(askForPasswordMail)).toEqual([])
  await page.getByLabelText('Email').fill('nobody@waybill.example')
  await press('Enter')
  await expect.element(page.getByRole('heading', { name: 'Email sent' })).toBeVisible()
  await expect.element(page.getByText('nobody@waybill.example')).toBeVisible()
  expect(server.calls(askForPasswordMail)).toMatchObject([{ body: { email: 'nobody@waybill.example' } }])
})

const WORDS = {
  de: {
    name: 'Deutsch',
    title: 'Passwort festlegen',
    password: 'Neues Passwort',
    again: 'Neues Passwort wiederholen',
    save: 'Passwort speichern',
    done: 'Passwort gespeichert',
    signIn: 'Anmelden',
    profile: 'Ihr Profil',
  },
  pl: {
    name: 'Polski',
    title: 'Utwórz hasło',
    password: 'Nowe hasło',
    again: 'Powtórz nowe hasło',
    save: 'Zapisz hasło',
    done: 'Hasło zapisane',
    signIn: 'Zaloguj się',
    profile: 'Twój profil',
  },
} as const

for (const language of ['de', 'pl'] as const)
  test(`an invitation in ${language}: the first password, and then the interface in that language`, {
    tags: language === 'pl' ? ['long'] : [],
  }, async () => {
    const words = WORDS[language]
    server.answer(signInEndpoint, TOKENS)
    server.answer(getProfile, profileOf({ permissions: ['CUSTOMER_MANAGEMENT'], defaultLanguage: language }))
    await visit(`/auth/recovery-password/${TOKEN}`)
    await page.getByRole('button', { name: words.name }).click()
    await expect.element(page.getByRole('heading', { name: words.title })).toBeVisible()
    await expectAccessible()
    await page.getByLabelText(words.password, { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabelText(words.again).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: words.save }).click()
    await expect.element(page.getByRole('heading', { name: words.done })).toBeVisible()
    expect(server.calls(resetPassword)).toMatchObject([{ query: { token: TOKEN }, body: { password: NEW_PASSWORD } }])
    await page.getByRole('link', { name: words.signIn }).click()
    // Another language on this device: the profile's is what counts after the sign-in.
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByLabelText('Email').fill('vera@waybill.example')
    await page.getByLabelText('Password', { exact: true }).fill(NEW_PASSWORD)
    await press('Enter')
    await expect.element(page.getByRole('heading', { name: words.profile })).toBeVisible()
    expect(document.documentElement.lang).toBe(language)
  })
