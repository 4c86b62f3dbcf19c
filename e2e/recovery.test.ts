import type { Page } from '@playwright/test'
import { addPerson, inviteUser, linkIn, tokensOf } from './support/people.ts'
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

test('a forgotten password: the mail is sent, its link comes from the settings and works once', async ({
  page,
  waybill,
  signInByForm,
  expectAccessible,
  shoot,
}) => {
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

test('the rule is ticked off while one types, and a password that breaks it is not sent', async ({
  page,
  waybill,
  shoot,
}) => {
  const person = await addPerson(waybill)
  await page.goto(await askForLink(page, waybill, person.email))
  let sent = 0
  page.on('request', (request) => (sent += request.url().includes('reset_password') ? 1 : 0))
  const rules = page.getByRole('listitem')
  await expect(rules.filter({ has: page.getByRole('img', { name: 'Missing:' }) })).toHaveCount(4)
  await page.getByLabel('New password', { exact: true }).pressSequentially('otter5')
  await expect(rules.filter({ has: page.getByRole('img', { name: 'Done:' }) })).toHaveText([
    'A lowercase letter',
    'A digit',
  ])
  await choose(page, 'otter52otter', 'otter')
  await expect(
    page.getByText('At least 8 characters with an uppercase letter, a lowercase letter and a digit'),
  ).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await shoot(page, 'auth reset errors')
  await choose(page, 'Otter52otter', 'Otter52other')
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  expect(sent).toBe(0)
  await choose(page, 'Otter52otter')
  await expect(page.getByRole('heading', { name: 'Password saved' })).toBeVisible()
})

test('says the same for an address that nobody has, and sends nothing', async ({ page, waybill }) => {
  await page.goto('/auth/restore')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('The field is required')).toBeVisible()
  await page.getByLabel('Email').fill('nobody@waybill')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Invalid email format')).toBeVisible()
  await page.getByLabel('Email').fill('nobody@waybill.example')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Email sent' })).toBeVisible()
  // A mail to somebody else goes out after it: by then this one would be there.
  const person = await addPerson(waybill)
  await linkIn(waybill, person.email, '/auth/recovery-password/')
  expect(waybill.mails.mails.some(({ to }) => to?.some(({ address }) => address === 'nobody@waybill.example'))).toBe(
    false,
  )
})

const WORDS = {
  de: {
    title: 'Passwort festlegen',
    password: 'Neues Passwort',
    again: 'Neues Passwort wiederholen',
    save: 'Passwort speichern',
    done: 'Passwort gespeichert',
    signIn: 'Anmelden',
    profile: 'Ihr Profil',
  },
  pl: {
    title: 'Utwórz hasło',
    password: 'Nowe hasło',
    again: 'Powtórz nowe hasło',
    save: 'Zapisz hasło',
    done: 'Hasło zapisane',
    signIn: 'Zaloguj się',
    profile: 'Twój profil',
  },
} as const

for (const language of ['de', 'pl'] as const) {
  test(`an invitation in ${language}: the first password, and then the interface in that language`, async ({
    page,
    waybill,
    expectAccessible,
    shoot,
  }) => {
    const words = WORDS[language]
    const invited = await inviteUser(waybill, { language })
    await page.goto(await linkIn(waybill, invited.email, '/auth/recovery-password/'))
    await page
      .getByRole('button', { name: language.toUpperCase() })
      .or(page.getByRole('button', { name: language === 'de' ? 'Deutsch' : 'Polski' }))
      .first()
      .click()
    await expect(page.getByRole('heading', { name: words.title })).toBeVisible()
    await expectAccessible(page)
    await shoot(page, `auth recovery ${language}`)
    await page.getByLabel(words.password, { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel(words.again).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: words.save }).click()
    await expect(page.getByRole('heading', { name: words.done })).toBeVisible()
    await page.getByRole('link', { name: words.signIn }).click()
    // Another language on this device: the profile's is what counts after the sign-in.
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByLabel('Email').fill(invited.email)
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: words.profile })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
  })
}
