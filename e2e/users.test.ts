import type { Page } from '@playwright/test'
import { generate } from 'otplib'
import { addPerson, fillLogin, tokensOf } from './support/people.ts'
import { expect, test } from './support/test.ts'
import { ADMIN, type Waybill } from './support/waybill.ts'

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)

let count = 0
/** A record of its own for each journey: they share one server. */
async function add(
  { api }: Waybill,
  path: string,
  body: object,
): Promise<{ id: number; version: number; email: string; title: string }> {
  const { status, body: made } = await api('POST', path, body)
  expect(status, JSON.stringify(made)).toBe(201)
  return made as { id: number; version: number; email: string; title: string }
}
const addUser = (waybill: Waybill, more: object = {}) => {
  count += 1
  return add(waybill, 'users', {
    fullName: `Vera Probst ${count}`,
    email: `vera${count}@waybill.example`,
    position: { title: 'Clerk' },
    ...more,
  })
}
const addRole = (waybill: Waybill, more: object = {}) => {
  count += 1
  return add(waybill, 'user-roles', { title: `Rolle ${count}`, ...more })
}

test('lets an administrator make a role and take a person in, in German', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  await signIn(await addPerson(waybill, { isAdmin: true, language: 'de' }))
  await page.goto('/')
  await page
    .getByRole('navigation', { name: 'Hauptnavigation', exact: true })
    .getByRole('link', { name: 'Rollen' })
    .click()
  await page.getByRole('link', { name: 'Rolle anlegen' }).first().click()
  await field(page, 'title').fill('Kundenbetreuung')
  await page.getByRole('checkbox', { name: 'Kunden', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Eigene Aufträge', exact: true }).check()
  await page.getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kundenbetreuung' })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Verlauf' })).toContainText('Angelegt')
  await expect(page.getByText('0 aktive Benutzer haben diese Rolle.')).toBeVisible()
  await expectAccessible(page)

  await page
    .getByRole('navigation', { name: 'Hauptnavigation', exact: true })
    .getByRole('link', { name: 'Benutzer' })
    .click()
  await page.getByRole('link', { name: 'Benutzer anlegen' }).first().click()
  await expectAccessible(page)
  await field(page, 'fullName').fill('Żaneta Öztürk')
  await field(page, 'email').fill('zaneta@waybill.example')
  await page.getByRole('combobox', { name: 'Rolle' }).click()
  await page.getByRole('option', { name: 'Kundenbetreuung' }).click()
  await field(page, 'position.title').fill('Sachbearbeiterin')
  await page.getByRole('button', { name: 'Rechte', exact: true }).click()
  await expect(page.getByText('Gewährt durch die Rolle Kundenbetreuung')).toBeVisible()
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Kundenfirmen' }).getByRole('img', { name: 'Gewährt', exact: true }),
  ).toBeVisible()
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Alle Rechnungen' }).getByRole('img', { name: 'Nicht gewährt' }),
  ).toBeVisible()
  await shoot(page, 'user-permissions-de')
  await page.getByRole('button', { name: 'Anlegen und einladen' }).click()
  await expect(page.getByText('Die Einladung an zaneta@waybill.example ist unterwegs')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Żaneta Öztürk' })).toBeVisible()
  await expect(page.getByText('noch kein Passwort gewählt')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Erneut einladen' })).toBeVisible()
  const mail = await waybill.mails.waitFor(({ to }) =>
    (to ?? []).some(({ address }) => address === 'zaneta@waybill.example'),
  )
  expect(mail.text).toContain('/auth/recovery-password/')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Zurück zu den Benutzern' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Benutzer' })).toBeVisible()
  await page.goto('/users?q=zaneta')
  const row = page.getByRole('row').filter({ hasText: 'Żaneta Öztürk' })
  await expect(row).toContainText('Ohne Passwort')
  await expect(row).toContainText('Kundenbetreuung')
  await expectAccessible(page)
})

test('lets nobody give what they lack, and says so before the click', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const manager = await addPerson(waybill, { permissions: ['USERS_MANAGEMENT', 'CUSTOMER_MANAGEMENT'] })
  const mighty = await addRole(waybill, { permissions: ['INVOICES_PROCESSING'] })
  const user = await addUser(waybill)
  const { body: admin } = await waybill.api('GET', 'profile')
  await signIn(manager)

  await page.goto('/user-roles/create')
  await expect(page.getByRole('checkbox', { name: 'Invoices', exact: true })).toBeDisabled()
  await expect(page.getByRole('checkbox', { name: 'Invoices', exact: true })).toHaveAccessibleDescription(
    /You lack this permission/,
  )
  await expect(page.getByRole('checkbox', { name: 'Customers', exact: true })).toBeEnabled()
  await expectAccessible(page)
  await shoot(page, 'role-lacking')

  // Their own role: the name, and nothing that it grants.
  await page.goto(`/user-roles/${manager.roleId}/edit`)
  await expect(page.getByText('This is your own role.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Customers', exact: true })).toBeDisabled()
  await expect(page.getByRole('checkbox', { name: 'Enabled', exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Deactivate' })).toHaveCount(0)
  await field(page, 'title').fill('People and customers')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('The role was saved successfully')).toBeVisible()

  // A role that gives more is there, and cannot be chosen.
  await page.goto(`/users/${user.id}/edit`)
  await page.getByRole('combobox', { name: 'Role' }).click()
  const option = page.getByRole('option', { name: mighty.title })
  await expect(option).toContainText('Grants permissions that you lack')
  await expect(option).toHaveAttribute('data-combobox-disabled', 'true')
  await page.keyboard.press('Escape')
  await expect(field(page, 'position.isAdmin')).toBeDisabled()
  await expect(field(page, 'position.isAdmin')).toHaveAccessibleDescription(/Only administrators make/)

  // A person who holds more: everything but address, role, position and state.
  const mightier = await addUser(waybill, { roleId: mighty.id })
  await page.goto(`/users/${mightier.id}/edit`)
  await expect(field(page, 'email')).not.toBeEditable()
  await expect(
    page.getByText('This person holds rights that you lack; only somebody who holds them too can change the address.'),
  ).toBeVisible()
  await expect(field(page, 'position.title')).not.toBeEditable()
  await expect(page.getByRole('combobox', { name: 'Role' })).not.toBeEditable()
  await expect(page.getByText('only somebody who holds them too can change this.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Deactivate' })).toHaveCount(0)
  await expect(field(page, 'phone')).toBeEditable()

  // Themselves: everything but the role, and the address on the profile. An administrator: nothing.
  await page.goto(`/users/${manager.id}/edit`)
  await expect(field(page, 'email')).not.toBeEditable()
  await expect(page.getByText('You change your own address on your profile, with your password.')).toBeVisible()
  await expect(page.getByText('Nobody changes their own role.')).toBeVisible()
  await page.goto(`/users/${admin.id as number}/edit`)
  await expect(page.getByText('only administrators can change anything here')).toBeVisible()
  await expect(field(page, 'fullName')).toHaveAttribute('readonly', '')
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await expectAccessible(page)
})

test('loses nothing on Back, another part, a closed dialog, a reload and the end of the session', {
  tag: '@long',
}, async ({ page, waybill, signIn, expectAccessible }) => {
  const user = await addUser(waybill)
  await signIn()
  await page.goto(`/users?q=${user.email}`)
  await page.getByRole('row').filter({ hasText: user.email }).getByRole('link').first().click()
  await field(page, 'plateNumber').fill('WA 4711')
  const dialog = page.getByRole('dialog')
  await page.goBack()
  await expect(dialog).toContainText('Plate number')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Permissions', exact: true }).click()
  await page.getByRole('button', { name: 'General', exact: true }).click()
  await expect(field(page, 'plateNumber')).toHaveValue('WA 4711')
  // What is asked about something else leaves the typing alone, said yes or no to.
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByRole('button', { name: 'Activate', exact: true })).toBeVisible()
  await expect(field(page, 'plateNumber')).toHaveValue('WA 4711')
  await expect(page.getByText('1 unsaved change').first()).toBeVisible()

  page.on('dialog', (asked) => void asked.accept())
  await page.reload()
  await expect(page.getByText('Your unsaved typing')).toBeVisible()
  await expect(field(page, 'plateNumber')).toHaveValue('WA 4711')

  const refreshToken = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('authData') ?? '{}') as { refreshToken: string }).refreshToken,
  )
  expect((await waybill.api('POST', 'token/logout', { refreshToken })).status).toBe(204)
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/auth\/login/)
  await fillLogin(page, ADMIN)
  await expect(page).toHaveURL(new RegExp(`/users/${user.id}/edit`))
  await expect(field(page, 'plateNumber')).toHaveValue('WA 4711')
  await page.getByRole('link', { name: 'Back to the users' }).click()
  await dialog.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page).toHaveURL(/\/users$/)
  expect((await waybill.api('GET', `users/${user.id}`)).body.plateNumber).toBe('WA 4711')
})

test('tells the whole history of a role in words, loaded on as one scrolls', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const role = await addRole(waybill, { permissions: ['CUSTOMER_MANAGEMENT'] })
  let version = role.version
  const change = async (body: object) => {
    const answer = await waybill.api('PATCH', `user-roles/${role.id}`, body, { 'if-match': `"${version}"` })
    expect(answer.status).toBe(200)
    version = answer.body.version as number
  }
  for (let time = 1; time <= 60; time += 1) await change({ title: `${role.title} ${time}` })
  await change({ permissions: ['CARRIER_MANAGEMENT'], isEnabled: false })
  await signIn()
  await page.goto(`/user-roles/${role.id}/edit`)
  const history = page.getByRole('complementary', { name: 'History' })
  const entries = history.getByRole('listitem')
  await expect(entries.first()).toContainText('Administrator')
  await expect(entries.first()).toContainText('Permissions Customers → Carriers')
  await expect(entries.first()).toContainText('Enabled yes → no')
  await shoot(page, 'role-history')
  await expectAccessible(page)
  expect(await entries.count()).toBeLessThan(62)
  await expect(async () => {
    await entries.last().scrollIntoViewIfNeeded()
    await expect(history.getByText('The entire list is loaded')).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(entries).toHaveCount(62)
  await expect(entries.last()).toContainText('Created')
  await history.getByRole('button', { name: 'Hide history' }).click()
  await expect(history).toHaveCount(0)
  await page.getByRole('button', { name: 'History' }).click()
  await expect(history).toBeVisible()
})

test('leads from a role to those who hold it, and from a person to the role', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  const role = await addRole(waybill, { permissions: ['CUSTOMER_MANAGEMENT'] })
  const user = await addUser(waybill, { roleId: role.id })
  await signIn()
  await page.goto(`/users/${user.id}/edit?tab=permissions`)
  await page.getByRole('link', { name: 'Open the role' }).click()
  await expect(page.getByRole('heading', { level: 1, name: role.title })).toBeVisible()
  await expect(page.getByText('One active user has this role.')).toBeVisible()
  await page.getByRole('link', { name: 'Show users' }).click()
  await expect(page.getByRole('row').filter({ hasText: user.email })).toBeVisible()
  await expect(page.getByRole('button', { name: `Role ${role.title}` })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
})

test('resets the second factor of a person who lost the phone, after asking', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  const person = await addPerson(waybill)
  const { token } = await tokensOf(waybill, person)
  const own = { authorization: `Bearer ${token}` }
  const { body: begun } = await waybill.api('POST', 'profile/two-factor', undefined, own)
  expect(
    (
      await waybill.api(
        'POST',
        'profile/two-factor/confirm',
        { code: await generate({ secret: begun.secret as string }) },
        own,
      )
    ).status,
  ).toBe(200)
  await signIn()
  await page.goto(`/users/${person.id}/edit`)
  await field(page, 'plateNumber').fill('HH-WB 1')
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('is signed out everywhere')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect((await waybill.api('GET', `users/${person.id}`)).body.twoFactorEnabled).toBe(true)
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByText(/^The second factor of Person \d+ was reset$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reset', exact: true })).toHaveCount(0)
  await expect(field(page, 'plateNumber')).toHaveValue('HH-WB 1')
  await expect(page.getByRole('complementary', { name: 'History' }).getByRole('listitem').first()).toContainText(
    'Second factor reset',
  )
  expect((await waybill.api('GET', 'profile', undefined, own)).status).toBe(401)
})
