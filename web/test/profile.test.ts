import { listPasskeys } from '@waybill/contract/session/passkey'
import {
  changePassword,
  endOtherSessions,
  endSession,
  getProfile,
  listSessions,
  patchProfile,
  signOut,
  type OwnSession,
  type Profile,
} from '@waybill/contract/session'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { answerOrderList } from './records/order-screens.ts'

const fullName = page.getByRole('textbox', { name: 'Full name' })
const email = page.getByRole('textbox', { name: 'Email' })
const phone = page.getByRole('textbox', { name: 'Phone' })
const password = page.getByLabelText('Current password')
const summary = page.getByRole('alert').filter({ hasText: 'Not saved yet' })
const path = () => location.pathname
const wrongPassword = refusal('validation', {
  errors: [{ path: 'currentPassword', code: 'wrong_password', message: 'The current password is wrong' }],
})

const THIS: OwnSession = {
  id: 501,
  createdAt: '2026-11-23T09:00:00Z',
  lastUsedAt: '2026-11-23T09:00:00Z',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  lastAddress: '203.0.113.7',
  isCurrent: true,
}
const PHONE: OwnSession = {
  ...THIS,
  id: 502,
  userAgent: [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Version/26.0 Mobile/15E148 Safari/604.1',
  ].join(' '),
  isCurrent: false,
}

/** Keeps the profile of who is signed in, whose password is Grey-Heron-41. */
function keepProfile(person: Parameters<typeof signIn>[0] = {}): { now: () => Profile } {
  let now = signIn({ permissions: ['ORDERS_MANAGEMENT'], ...person })
  server.answer(getProfile, () => now)
  server.answer(patchProfile, ({ body, version }) => {
    if (version !== now.version) return refusal('stale_version', { current: { ...now } })
    const { currentPassword, ...fields } = body
    if (body.email !== undefined && body.email !== now.email && currentPassword !== 'Grey-Heron-41')
      return wrongPassword
    now = { ...now, ...(fields as Partial<Profile>), version: now.version + 1 }
    return now
  })
  return { now: () => now }
}

async function openProfile(): Promise<void> {
  await visit('/profile/1/edit')
  await expect.element(fullName).toBeVisible()
}

beforeEach(() => {
  server.answer(listSessions, { items: [THIS] })
  server.answer(listPasskeys, { items: [], isOffered: false })
  answerOrderList([])
})

test('saves one’s own data, in the menu at once, and the language with them', async () => {
  const profile = keepProfile()
  await openProfile()
  await expectAccessible()
  await fullName.fill('')
  await email.fill('not-an-address')
  await press('Control+s')
  await expect.element(summary).toMatchTextContent('Full name: The field is required')
  await expect.element(summary).toMatchTextContent('Email: Invalid email format')
  await expectAccessible()
  expect(server.calls(patchProfile)).toEqual([])
  await fullName.fill('Ägnes Łuczak')
  await email.fill('anna@waybill.example')
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect.element(page.getByRole('heading', { name: 'Ihr Profil' })).toBeVisible()
  await expect.element(page.getByText('Daten erfolgreich aktualisiert')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Ägnes Łuczak/ })).toBeVisible()
  expect(server.calls(patchProfile)).toMatchObject([
    { version: 1, body: { fullName: 'Ägnes Łuczak', defaultLanguage: 'de' } },
  ])
  expect(profile.now()).toMatchObject({ fullName: 'Ägnes Łuczak', defaultLanguage: 'de' })
  await visit('/profile/1/edit')
  await expect.element(page.getByRole('heading', { name: 'Ihr Profil' })).toBeVisible()
})

test('tells beside the field that somebody else has an address, and loses nothing typed', async () => {
  keepProfile()
  const message = 'This value is already in use'
  server.answer(patchProfile, refusal('validation', { errors: [{ path: 'email', code: 'taken', message }] }))
  await openProfile()
  await email.fill('zacharias@waybill.example')
  await password.fill('Grey-Heron-41')
  await phone.fill('+48 61 555 11')
  await press('Control+s')
  await expect.element(page.getByText(message).first()).toBeVisible()
  await expect.element(summary).toMatchTextContent(`Email: ${message}`)
  await expect.element(phone).toHaveValue('+48 61 555 11')
})

test('saves another address with the current password alone, and keeps the password nowhere', {
  tags: 'long',
}, async () => {
  const profile = keepProfile()
  await openProfile()
  await expect.element(password).not.toBeInTheDocument()
  await email.fill('moved@waybill.example')
  await expect.element(password).toBeVisible()
  await press('Control+s')
  await expect.element(summary).toMatchTextContent('Current password: The field is required')
  await expect.element(password).toHaveFocus()
  expect(server.calls(patchProfile)).toEqual([])
  await expectAccessible()
  await password.fill('Wrong-Horse-7')
  await press('Control+s')
  await expect.element(page.getByText('The current password is wrong').first()).toBeVisible()
  await visit('/profile/1/edit')
  // The typing is still there as a draft; the password is not part of it.
  await expect.element(email).toHaveValue('moved@waybill.example')
  await expect.element(password).toHaveValue('')
  await password.fill('Grey-Heron-41')
  await press('Control+s')
  await expect.element(page.getByText('Data updated successfully')).toBeVisible()
  await expect.element(password).not.toBeInTheDocument()
  expect(server.calls(patchProfile).at(-1)).toMatchObject({
    version: 1,
    body: { email: 'moved@waybill.example', currentPassword: 'Grey-Heron-41' },
  })
  expect(profile.now().email).toBe('moved@waybill.example')
})

test('asks before unsaved changes are left, and not after opening, tabbing through and undoing by hand', {
  tags: 'long',
}, async () => {
  keepProfile()
  const orders = page.getByRole('link', { name: 'All orders' }).first()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await openProfile()
  phone.element().focus()
  await press(...Array.from({ length: 12 }, () => 'Tab'))
  await phone.fill('+49 40 1')
  await phone.fill('')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await orders.click()
  await expect.poll(path).toBe('/orders')

  history.back()
  await phone.fill('+49 40 1')
  await orders.click()
  await expect.element(dialog).toMatchTextContent('Phone')
  await press('Escape')
  await expect.element(phone).toHaveValue('+49 40 1')
  await expect.poll(path).toBe('/profile/1/edit')
  await orders.click()
  await dialog.getByRole('button', { name: 'Save and continue' }).click()
  await expect.poll(path).toBe('/orders')
  expect(server.calls(patchProfile)).toMatchObject([{ version: 1, body: { phone: '+49 40 1' } }])
  history.back()
  await expect.element(phone).toHaveValue('+49 40 1')
})

test('lets the language chosen in the menu not clash with what is being typed', { tags: 'long' }, async () => {
  const profile = keepProfile()
  await openProfile()
  await phone.fill('+49 40 2')
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect.element(page.getByRole('heading', { name: 'Ihr Profil' })).toBeVisible()
  await press('Escape')
  await press('Control+s')
  await expect.poll(profile.now).toMatchObject({ phone: '+49 40 2', defaultLanguage: 'de' })
  await expect.element(page.getByText('in der Zwischenzeit')).not.toBeInTheDocument()
  expect(server.calls(patchProfile)).toMatchObject([
    { version: 1, body: { defaultLanguage: 'de' } },
    { version: 2, body: { phone: '+49 40 2' } },
  ])
})

test('changes the password with the current one, and names what is wrong with it', { tags: 'long' }, async () => {
  keepProfile()
  server.answer(changePassword, ({ body }) => {
    if (body.currentPassword !== 'Grey-Heron-41') return wrongPassword
    const message = 'This password is on lists that strangers try first. Please choose another'
    if (body.newPassword === 'Trustno1')
      return refusal('validation', { errors: [{ path: 'newPassword', code: 'password_known', message }] })
    return {}
  })
  const save = page.getByRole('button', { name: 'Change password' })
  const chosen = page.getByLabelText('New password', { exact: true })
  const repeated = page.getByLabelText('Repeat the new password')
  await openProfile()
  await save.click()
  await expect.element(password).toHaveFocus()
  await press('Enter')
  await expect.poll(() => page.getByText('The field is required').elements()).toHaveLength(2)
  await password.fill('Grey-Heron-41')
  await chosen.fill('Trustno1')
  await repeated.fill('Trustno1')
  await save.click()
  await expect.element(page.getByText('This password is on lists that strangers try first.')).toBeVisible()
  await password.fill('not-the-password')
  await chosen.fill('Quiet-Otter-52')
  await repeated.fill('Quiet-Otter-53')
  await save.click()
  await expect.element(page.getByText('Passwords do not match')).toBeVisible()
  await repeated.fill('Quiet-Otter-52')
  await save.click()
  await expect.element(page.getByText('The current password is wrong')).toBeVisible()
  await expectAccessible()
  await password.fill('')
  await type('Grey-Heron-41')
  await press('Enter')
  await expect.element(page.getByText('Password changed')).toBeVisible()
  expect(server.calls(changePassword).map(({ body }) => body)).toEqual([
    { currentPassword: 'Grey-Heron-41', newPassword: 'Trustno1', confirmPassword: 'Trustno1' },
    { currentPassword: 'not-the-password', newPassword: 'Quiet-Otter-52', confirmPassword: 'Quiet-Otter-52' },
    { currentPassword: 'Grey-Heron-41', newPassword: 'Quiet-Otter-52', confirmPassword: 'Quiet-Otter-52' },
  ])
})

test('lists the sessions with their devices, and ends any other', async () => {
  keepProfile()
  let items = [THIS, PHONE]
  server.answer(listSessions, () => ({ items }))
  server.answer(endSession, ({ params }) => {
    items = items.filter(({ id }) => id !== params.id)
    return {}
  })
  await openProfile()
  const sessions = page.getByRole('region', { name: 'Signed in on' })
  const rows = sessions.getByRole('listitem')
  await expect.poll(() => rows.elements()).toHaveLength(2)
  await expect.element(rows.first()).toMatchTextContent('Chrome on Linux this one')
  await expect.element(rows.last()).toMatchTextContent(/Safari on iPhone.*from 203\.0\.113\.7.*last used/s)
  await sessions.getByRole('button', { name: 'End: Safari on iPhone' }).click()
  const dialog = page.getByRole('dialog', { name: 'End this session?' })
  await expect.element(dialog).toBeVisible()
  await expectAccessible()
  expect(server.calls(endSession)).toEqual([])
  await dialog.getByRole('button', { name: 'End', exact: true }).click()
  await expect.poll(() => rows.elements()).toHaveLength(1)
  expect(server.calls(endSession)).toMatchObject([{ params: { id: PHONE.id } }])
})

test('signs out everywhere, here too', async () => {
  keepProfile()
  server.answer(listSessions, { items: [THIS, PHONE] })
  server.answer(endOtherSessions, {})
  server.answer(signOut, {})
  await openProfile()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' })
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect.poll(path).toBe('/auth/login')
  await expect.poll(() => localStorage.getItem('authData')).toBeNull()
  expect(server.calls(endOtherSessions)).toHaveLength(1)
  await expect.poll(() => server.calls(signOut)).toHaveLength(1)
})

test('offers no password and no other address to whom the identity provider lets in', async () => {
  server.answer(getProfile, signIn({ hasPassword: false }))
  server.answer(listSessions, { items: [THIS] })
  server.answer(listPasskeys, { items: [], isOffered: false })
  await openProfile()
  await expect.element(page.getByText(/sign-in service of your company/)).toBeVisible()
  expect(email.elements()).toHaveLength(0)
  expect(page.getByRole('button', { name: 'Change password' }).elements()).toHaveLength(0)
})
