import {
  addPasskey,
  beginPasskey,
  beginPasskeyFactor,
  beginPasskeySignIn,
  endPasskeyFactor,
  endPasskeySignIn,
  listPasskeys,
  removePasskey,
  renamePasskey,
  type Passkey,
} from '@waybill/contract/session/passkey'
import { getProfile, getSignInWays, listSessions, signIn as signInEndpoint } from '@waybill/contract/session'
import { removeAllPasskeys } from '@waybill/contract/user'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { profileOf, signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { offerMasterData } from './records/master-data.ts'
import { answerOrderList } from './records/order-screens.ts'
import { answerProfilePage } from './records/profile.ts'
import { answerRoles, keepUser, roleOf, userOf } from './records/user.ts'

const TOKENS = { token: 'access-1', refreshToken: 'refresh-1', expiresIn: 900 }
const WAYS = { passwords: 'all', provider: null } as const
const YUBIKEY: Passkey = {
  id: 71,
  name: 'YubiKey',
  addedAt: '2026-11-20T09:00:00Z',
  lastUsedAt: null,
  isSynced: false,
}
const IPHONE: Passkey = {
  id: 72,
  name: 'iPhone',
  addedAt: '2026-11-23T09:00:00Z',
  lastUsedAt: '2026-11-24T09:00:00Z',
  isSynced: true,
}
const CREATION = {
  rp: { id: 'waybill.example', name: 'Waybill' },
  user: { id: 'AQID', name: 'anna@waybill.example', displayName: 'Anna Petersen' },
  challenge: 'AQID',
  pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true as const,
    userVerification: 'required' as const,
  },
  attestation: 'none' as const,
}
const REQUEST = {
  rpId: 'waybill.example',
  challenge: 'AQID',
  timeout: 300_000,
  allowCredentials: [],
  userVerification: 'required' as const,
}
const SIGNED = { id: 'BwgJ', clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw', userHandle: 'BA' }

const bytes = (...values: number[]) => new Uint8Array(values).buffer
const path = () => location.pathname
const alert = page.getByRole('alert')
const section = page.getByRole('region', { name: 'Passkeys' })
const rows = section.getByRole('listitem')
const button = (name: string) => section.getByRole('button', { name, exact: true })

/** What the browser answers in the place of a device. */
function deviceGives(answer: () => Promise<unknown>) {
  vi.spyOn(navigator.credentials, 'create').mockImplementation(answer as never)
  vi.spyOn(navigator.credentials, 'get').mockImplementation(answer as never)
}
const signs = () =>
  deviceGives(async () => ({
    rawId: bytes(7, 8, 9),
    response: { clientDataJSON: bytes(1), authenticatorData: bytes(2), signature: bytes(3), userHandle: bytes(4) },
  }))
const turnsBack = (name: string) => deviceGives(() => Promise.reject(new DOMException('no', name)))

beforeEach(() => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  answerOrderList([])
  answerProfilePage()
})

afterEach(() => {
  vi.restoreAllMocks()
})

test('adds one with the password and a name, and says that the password alone is then not enough', {
  tags: 'long',
}, async () => {
  let items: Passkey[] = []
  server.answer(listPasskeys, () => ({ items, isOffered: true }))
  server.answer(beginPasskey, ({ body }) =>
    body.currentPassword === 'Grey-Heron-41'
      ? CREATION
      : refusal('validation', {
          errors: [{ path: 'currentPassword', code: 'wrong_password', message: 'The current password is wrong' }],
        }),
  )
  server.answer(addPasskey, () => {
    items = [YUBIKEY]
    return YUBIKEY
  })
  await visit('/profile/1/edit')
  await expect.element(section.getByText(/None yet/)).toBeVisible()
  await button('Add').click()
  await expect.element(section.getByText(/the password alone does not let you in/)).toBeVisible()
  await section.getByRole('textbox', { name: 'Name', exact: true }).fill('YubiKey')
  await press('Enter')
  await expect.element(section.getByText('The field is required')).toBeVisible()
  await expect.element(section.getByLabelText('Current password')).toBeRequired()
  await section.getByLabelText('Current password').fill('Wrong-Horse-7')
  await press('Enter')
  await expect.element(section.getByText('The current password is wrong')).toBeVisible()
  await expectAccessible()
  await section.getByLabelText('Current password').fill('Grey-Heron-41')
  for (const [name, words] of [
    ['NotAllowedError', /it was canceled, or took too long/],
    ['InvalidStateError', /on this device already/],
    ['SecurityError', /public address alone/],
  ] as const) {
    turnsBack(name)
    await button('Add passkey').click()
    await expect.element(section.getByRole('alert')).toMatchTextContent(words)
  }
  expect(server.calls(addPasskey)).toEqual([])
  deviceGives(async () => ({
    rawId: bytes(7, 8, 9),
    response: { clientDataJSON: bytes(1), attestationObject: bytes(255, 254), getTransports: () => ['usb'] },
  }))
  server.answer(getProfile, profileOf({ permissions: ['ORDERS_MANAGEMENT'], passkeys: 1 }))
  await button('Add passkey').click()
  await expect.element(rows.first()).toMatchTextContent(/YubiKey.*not used yet/s)
  expect(server.calls(addPasskey).map(({ body }) => body)).toEqual([
    {
      name: 'YubiKey',
      passkey: { id: 'BwgJ', clientDataJSON: 'AQ', attestationObject: '__4', transports: ['usb'] },
    },
  ])
})

test('lists, renames and removes them; the last one stays where the role needs it', { tags: 'long' }, async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'], passkeys: 2, isTwoFactorRequired: true })
  let items = [YUBIKEY, IPHONE]
  server.answer(listPasskeys, () => ({ items, isOffered: true }))
  server.answer(renamePasskey, ({ body }) => {
    items = [{ ...YUBIKEY, name: body.name }, IPHONE]
    return items[0]!
  })
  server.answer(removePasskey, () => {
    items = [IPHONE]
    return {}
  })
  await visit('/profile/1/edit')
  await expect.poll(() => rows.elements()).toHaveLength(2)
  await expect.element(rows.last()).toMatchTextContent(/iPhone synced.*last used/s)
  await button('Rename: YubiKey').click()
  await section.getByRole('textbox', { name: 'Name', exact: true }).fill('Blue key')
  await visit('/profile/1/edit')
  await button('Rename: YubiKey').click()
  await expect.element(section.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Blue key')
  await press('Enter')
  await expect.element(rows.first()).toMatchTextContent('Blue key')
  await button('Remove: Blue key').click()
  await expect.element(section.getByText('“Blue key” then lets nobody in any more.')).toBeVisible()
  await section.getByLabelText('Current password').fill('Grey-Heron-41')
  server.answer(getProfile, profileOf({ permissions: ['ORDERS_MANAGEMENT'], passkeys: 1, isTwoFactorRequired: true }))
  await button('Remove').click()
  await expect.poll(() => rows.elements()).toHaveLength(1)
  expect(server.calls(removePasskey)).toMatchObject([
    { params: { id: 71 }, body: { currentPassword: 'Grey-Heron-41' } },
  ])
  await expect.element(button('Remove: iPhone')).toBeDisabled()
  await expect.element(section.getByText(/this is the only one/)).toBeVisible()
  await expectAccessible()
})

test('asks people without a password for none, and tells them to sign in anew', async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'], hasPassword: false })
  server.answer(listPasskeys, { items: [], isOffered: true })
  server.answer(beginPasskey, refusal('fresh_sign_in_needed'))
  await visit('/profile/1/edit')
  await button('Add').click()
  expect(section.getByLabelText('Current password').elements()).toHaveLength(0)
  await button('Add passkey').click()
  await expect.element(section.getByRole('alert')).toMatchTextContent('sign-in of the last ten minutes')
})

test('shows nothing where passkeys are not offered', async () => {
  await visit('/profile/1/edit')
  await expect.poll(() => server.calls(listSessions).length).toBeGreaterThan(0)
  await expect.poll(() => server.calls(listPasskeys).length).toBeGreaterThan(0)
  await expect.poll(() => section.elements()).toHaveLength(0)
})

test('signs in with a passkey alone, to the page that was asked for, and says why not', async () => {
  localStorage.clear()
  server.answer(getSignInWays, { ...WAYS, passkeys: true })
  server.answer(beginPasskeySignIn, REQUEST)
  server.answer(endPasskeySignIn, refusal('passkey_refused'))
  await visit('/auth/login?redirect=%2Forders')
  const alone = page.getByRole('button', { name: 'Sign in with a passkey' })
  turnsBack('NotAllowedError')
  await alone.click()
  await expect.element(alert).toMatchTextContent('No passkey was used')
  signs()
  await alone.click()
  await expect.element(alert).toMatchTextContent('The passkey was not accepted')
  await expectAccessible()
  server.answer(endPasskeySignIn, TOKENS)
  await alone.click()
  await expect.poll(path).toBe('/orders')
  expect(server.calls(endPasskeySignIn).at(-1)).toMatchObject({ body: SIGNED })
})

test('offers none at the sign-in where nobody has one', async () => {
  localStorage.clear()
  await visit('/auth/login')
  await expect.element(page.field('email')).toBeVisible()
  expect(page.getByRole('button', { name: 'Sign in with a passkey' }).elements()).toHaveLength(0)
})

test('takes a passkey after the password, beside the code or instead of it', { tags: 'long' }, async () => {
  server.answer(beginPasskeyFactor, REQUEST)
  server.answer(endPasskeyFactor, TOKENS)
  signs()
  for (const factors of [['code', 'passkey'], ['passkey']] as ('code' | 'passkey')[][]) {
    localStorage.clear()
    server.answer(signInEndpoint, { twoFactor: 'required', factors, challenge: 'challenge-1', expiresIn: 300 })
    await visit('/auth/login?redirect=%2Forders')
    await page.field('email').fill('anna@waybill.example')
    await page.field('password').fill('Right-1')
    await press('Enter')
    const use = page.getByRole('button', { name: 'Use a passkey' })
    await expect.element(use).toBeVisible()
    expect(page.getByRole('textbox', { name: 'Digit 1' }).elements()).toHaveLength(factors.length - 1)
    await expectAccessible()
    await use.click()
    await expect.poll(path).toBe('/orders')
  }
  expect(server.calls(endPasskeyFactor).map(({ body }) => body)).toEqual([
    { challenge: 'challenge-1', passkey: SIGNED },
    { challenge: 'challenge-1', passkey: SIGNED },
  ])
})

test('lets an administrator take a person’s passkeys away after asking', async () => {
  signIn()
  offerMasterData()
  answerRoles([roleOf()])
  const person = userOf({ passkeys: 2 })
  keepUser(person)
  server.answer(removeAllPasskeys, { ...person, passkeys: 0, version: person.version + 1 })
  await visit(`/users/${person.id}/edit`)
  await expect.element(page.getByText('2 passkeys')).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove all passkeys?' })
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByText('2 passkeys')).not.toBeInTheDocument()
  expect(server.calls(removeAllPasskeys)).toMatchObject([{ params: { id: person.id }, version: person.version }])
})
