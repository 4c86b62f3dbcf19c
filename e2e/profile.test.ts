import type { Page } from '@playwright/test'
import type { Permission } from '@waybill/contract/permissions'
import { addPerson, tokensOf, type Person } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

/** A person at their profile. It is waited for, because the login page has an email field as well. */
async function openProfile(
  page: Page,
  waybill: Waybill,
  signInByForm: (who: Person) => Promise<void>,
  permissions: Permission[] = [],
): Promise<Person> {
  const person = await addPerson(waybill, { permissions })
  await signInByForm(person)
  await page.goto('/')
  await expect(page.getByRole('textbox', { name: 'Full name' })).toBeVisible()
  return person
}

test('one’s own data are saved, in the menu at once, and the language with them', async ({
  page,
  waybill,
  signInByForm,
  expectAccessible,
  shoot,
}) => {
  const person = await openProfile(page, waybill, signInByForm)
  await expectAccessible(page)
  await page.getByLabel('Full name').fill('')
  await page.getByLabel('Email').fill('not-an-address')
  await page.keyboard.press('Control+s')
  const summary = page.getByRole('alert').filter({ hasText: 'Not saved yet' })
  await expect(summary).toContainText('Full name: The field is required')
  await expect(summary).toContainText('Email: Invalid email format')
  await expectAccessible(page)
  await shoot(page, 'profile errors')
  await page.getByLabel('Full name').fill('Ägnes Łuczak')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Ihr Profil' })).toBeVisible()
  await expect(page.getByText('Daten erfolgreich aktualisiert')).toBeVisible()
  await expect(page.getByRole('button', { name: /Ägnes Łuczak/ })).toBeVisible()
  const { body } = await waybill.api('GET', `users/${person.id}`)
  expect(body).toMatchObject({ fullName: 'Ägnes Łuczak', defaultLanguage: 'de' })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Ihr Profil' })).toBeVisible()
})

test('an address that somebody else has is told beside the field, and nothing typed is lost', async ({
  page,
  waybill,
  signInByForm,
}) => {
  const other = await addPerson(waybill)
  const person = await openProfile(page, waybill, signInByForm)
  await page.getByLabel('Email').fill(other.email)
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('textbox', { name: 'Phone' }).fill('+48 61 555 11')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('This value is already in use').first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue('+48 61 555 11')
})

test('another address is saved with the current password alone, and the password is kept nowhere', async ({
  page,
  waybill,
  signInByForm,
  expectAccessible,
  shoot,
}) => {
  const person = await openProfile(page, waybill, signInByForm)
  const email = page.getByLabel('Email')
  const password = page.getByLabel('Current password')
  await expect(password).toHaveCount(0)
  await email.fill(`moved-${person.email}`)
  await expect(password).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved yet' })).toContainText(
    'Current password: The field is required',
  )
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await shoot(page, 'profile address')
  await password.fill('Wrong-Horse-7')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('The current password is wrong').first()).toBeVisible()
  await page.reload()
  // The typing is still there as a draft; the password is not part of it.
  await expect(email).toHaveValue(`moved-${person.email}`)
  await expect(password).toHaveValue('')
  await password.fill(person.password)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Data updated successfully')).toBeVisible()
  await expect(password).toHaveCount(0)
  expect((await waybill.api('GET', `users/${person.id}`)).body.email).toBe(`moved-${person.email}`)
})

test('asks before unsaved changes are left, and not after opening, tabbing through and undoing by hand', async ({
  page,
  waybill,
  signInByForm,
}) => {
  await openProfile(page, waybill, signInByForm, ['ORDERS_MANAGEMENT'])
  const phone = page.getByRole('textbox', { name: 'Phone' })
  await phone.focus()
  for (let steps = 0; steps < 12; steps += 1) await page.keyboard.press('Tab')
  await phone.fill('+49 40 1')
  await phone.fill('')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'All orders' }).first().click()
  await expect(page).toHaveURL(/\/orders/)

  await page.goBack()
  await phone.fill('+49 40 1')
  await page.getByRole('link', { name: 'All orders' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(dialog).toContainText('Phone')
  await page.keyboard.press('Escape')
  await expect(phone).toHaveValue('+49 40 1')
  await page.getByRole('link', { name: 'All orders' }).first().click()
  await dialog.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page).toHaveURL(/\/orders/)
  await page.goBack()
  await expect(phone).toHaveValue('+49 40 1')
})

test('the language chosen in the menu does not clash with what is being typed', async ({
  page,
  waybill,
  signInByForm,
}) => {
  const person = await openProfile(page, waybill, signInByForm)
  await page.getByRole('textbox', { name: 'Phone' }).fill('+49 40 2')
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect(page.getByRole('heading', { name: 'Ihr Profil' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () => (await waybill.api('GET', `users/${person.id}`)).body as object)
    .toMatchObject({ phone: '+49 40 2', defaultLanguage: 'de' })
  await expect(page.getByText('in der Zwischenzeit')).toBeHidden()
})

test('the password is changed with the current one, and every other session ends', async ({
  page,
  waybill,
  signInByForm,
  expectAccessible,
  shoot,
}) => {
  const person = await openProfile(page, waybill, signInByForm)
  const other = await tokensOf(waybill, person)
  await page.getByRole('button', { name: 'Change password' }).click()
  const save = page.getByRole('button', { name: 'Change password' })
  await expect(page.getByLabel('Current password')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The field is required')).toHaveCount(2)
  await page.getByLabel('Current password').fill(person.password)
  for (const label of ['New password', 'Repeat the new password'])
    await page.getByLabel(label, { exact: true }).fill('Trustno1')
  await save.click()
  await expect(page.getByText('This password is on lists that strangers try first.')).toBeVisible()
  await shoot(page, 'known password')
  await page.getByLabel('Current password').fill('not-the-password')
  await page.getByLabel('New password', { exact: true }).fill('Quiet-Otter-52')
  await page.getByLabel('Repeat the new password').fill('Quiet-Otter-53')
  await save.click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await page.getByLabel('Repeat the new password').fill('Quiet-Otter-52')
  await save.click()
  await expect(page.getByText('The current password is wrong')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Current password').fill(person.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Password changed')).toBeVisible()
  expect((await waybill.api('GET', 'profile', undefined, { authorization: `Bearer ${other.token}` })).status).toBe(401)
  expect((await waybill.api('POST', 'token', { email: person.email, password: 'Quiet-Otter-52' })).status).toBe(200)
})

test('sessions are listed with their devices, and any other can be ended', async ({
  page,
  browser,
  waybill,
  signInByForm,
  expectAccessible,
  shoot,
}) => {
  const person = await openProfile(page, waybill, signInByForm)
  const userAgent = [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Version/26.0 Mobile/15E148 Safari/604.1',
  ].join(' ')
  const phone = await browser.newPage({ baseURL: waybill.url, userAgent })
  await phone.goto('/auth/login')
  await phone.getByLabel('Email').fill(person.email)
  await phone.getByLabel('Password', { exact: true }).fill(person.password)
  await phone.keyboard.press('Enter')
  await expect(phone).toHaveURL(/\/profile\//)

  await page.reload()
  const sessions = page.getByRole('region', { name: 'Signed in on' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').first()).toContainText('Chrome on Linux this one')
  await expect(sessions.getByRole('listitem').last()).toContainText(/Safari on iPhone.*last used/s)
  await shoot(page, 'profile sessions')
  await sessions.getByRole('button', { name: 'End: Safari on iPhone' }).click()
  const dialog = page.getByRole('dialog', { name: 'End this session?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'End', exact: true }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await phone.reload()
  await expect(phone).toHaveURL(/\/auth\/login/)
  await phone.close()
})
