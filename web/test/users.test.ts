import { listAuditEntries, type AuditEntry } from '@waybill/contract/audit/audit-entry'
import { roleApi, signOutUser, userApi } from '@waybill/contract/user'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { pageOf, refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { keep } from './kit/stored.ts'
import { ANNA, FTL_WEST, offerMasterData } from './records/master-data.ts'
import { answerOrderList } from './records/order-screens.ts'
import { answerRoles, keepUser, roleOf, userOf } from './records/user.ts'

const field = (name: string) => page.field(name)
const dialog = page.getByRole('dialog')
const summary = page.getByRole('alert').filter({ hasText: 'Not saved yet' })
const path = () => location.pathname
const role = page.getByRole('combobox', { name: 'Role' })
const isMarked = async (name: string) =>
  await expect.element(page.getByRole('option', { name })).toHaveAttribute('data-combobox-selected', 'true')

beforeEach(() => {
  signIn()
  offerMasterData()
  answerRoles([roleOf()])
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('takes a person in by the keyboard alone', async () => {
  keepUser(userOf())
  const made = userOf({ id: 6, fullName: 'Tastatur Fritz' })
  await visit('/users')
  await expect.element(page.getByRole('row').nth(1)).toBeVisible()
  await press('n')
  await expect.element(page.getByRole('heading', { level: 1, name: 'New user' })).toBeVisible()
  const until = async (name: string) => {
    for (let step = 0; step < 60; step += 1) {
      const active = document.activeElement
      if ((active?.getAttribute('name') ?? active?.closest('[data-path]')?.getAttribute('data-path')) === name) return
      await press('Tab')
    }
    throw new Error(`Tab does not reach ${name}`)
  }
  await until('fullName')
  await type('Tastatur Fritz')
  await press('Tab')
  await type('fritz@waybill.example')
  await until('defaultLanguage')
  await press('ArrowDown', 'ArrowDown', 'Enter')
  await until('roleId')
  await type('Rolle 1')
  await isMarked('Rolle 1')
  await press('Enter')
  await expect.element(role).toHaveValue('Rolle 1')
  await until('departmentId')
  await type('FTL West')
  await isMarked('FTL West')
  await press('Enter')
  await until('position.title')
  await type('Fahrer')
  await until('position.isAdmin')
  await press('Space', 'Space')
  server.answer(userApi.create, made)
  server.answer(userApi.get, made)
  await press('Control+s')
  await expect.element(page.getByText('The user was saved successfully')).toBeVisible()
  expect(server.calls(userApi.create)).toMatchObject([
    {
      body: {
        fullName: 'Tastatur Fritz',
        email: 'fritz@waybill.example',
        roleId: 91,
        departmentId: FTL_WEST.id,
        position: { title: 'Fahrer', isAdmin: false },
      },
    },
  ])
})

test('takes the role that is marked where the page is slow to do what it put off', { tags: 'long' }, async () => {
  await visit('/users/create')
  await role.click()
  await expect.element(page.getByRole('option', { name: 'Rolle 1' })).toBeVisible()
  await press('Shift+Tab')
  await expect.poll(() => page.getByRole('option').elements()).toHaveLength(0)
  // A busy page runs what was put off to the next moment only after some more keys.
  const later: (() => void)[] = []
  const setTimer = window.setTimeout.bind(window)
  const held = (work: () => void, ms?: number) => (ms ? setTimer(work, ms) : later.push(work))
  vi.stubGlobal('setTimeout', held)
  await press('Tab')
  await type('Rolle 1')
  await isMarked('Rolle 1')
  for (const work of later.splice(0)) work()
  await press('Enter')
  await expect.poll(() => page.getByRole('option').elements()).toHaveLength(0)
  await press('Tab')
  await expect.element(role).toHaveValue('Rolle 1')
})

test('names what is wrong beside the field and in a summary that leads there from the other part', {
  tags: 'long',
}, async () => {
  const email = 'VERA@WAYBILL.EXAMPLE'
  const message = 'This value is already in use'
  server.answer(userApi.create, refusal('validation', { errors: [{ path: 'email', code: 'taken', message }] }))
  await visit('/users/create?tab=permissions')
  await expect.element(page.getByText('Without a role nothing is granted.')).toBeVisible()
  await press('Control+s')
  // It opens the part with the first wrong field, and the field is in hand.
  await expect.element(summary).toMatchTextContent('Full name: The field is required')
  await expect.element(field('fullName')).toHaveFocus()
  await page.getByRole('button', { name: 'Permissions', exact: true }).click()
  await expect.poll(() => location.search).toMatch(/tab=permissions/)
  await expect.element(page.getByRole('button', { name: /^General/ })).toMatchTextContent('2')
  await expectAccessible()
  await summary.getByRole('button', { name: 'Email' }).click()
  await expect.element(field('email')).toHaveFocus()
  await field('fullName').fill('Doppelt')
  await field('email').fill(email)
  await press('Control+s')
  await expect.element(summary).toMatchTextContent('Email: This value is already in use')
  await expect.element(field('email')).toHaveFocus()
  await expect.element(field('email')).toHaveValue(email)
})

test('shows what another person saved meanwhile, in words', { tags: 'long' }, async () => {
  const [before, mine, theirs] = [roleOf(), roleOf({ id: 92, title: 'Rolle 2' }), roleOf({ id: 93, title: 'Rolle 3' })]
  answerRoles([before, mine, theirs])
  const user = keepUser(userOf({ roleId: 91, role: { id: 91, title: 'Rolle 1' } }))
  await visit('/users/5/edit')
  await role.click()
  await page.getByRole('option', { name: 'Rolle 2', exact: true }).click()
  user.change({ roleId: 93, role: { id: 93, title: 'Rolle 3' }, phone: '+49 40 1' })
  await press('Control+s')
  const choice = page.getByRole('radiogroup', { name: 'Role' })
  await expect.element(choice.getByRole('radio', { name: 'Rolle 3' })).toBeVisible()
  await expect.element(field('phone')).toHaveValue('+49 40 1')
  await choice.getByRole('radio', { name: 'Rolle 3' }).click()
  server.answer(
    listAuditEntries,
    pageOf<AuditEntry>([
      {
        id: 1,
        at: '2026-11-24T09:00:00Z',
        actor: ANNA,
        apiKey: null,
        action: 'updated',
        changes: [{ path: 'roleId', from: before.title, to: theirs.title }],
        reason: null,
      },
    ]),
  )
  await page.getByRole('button', { name: 'Apply and save' }).click()
  await expect.element(role).toHaveValue('Rolle 3')
  await expect
    .element(page.getByRole('complementary', { name: 'History' }))
    .toMatchTextContent('Role Rolle 1 → Rolle 3')
})

/** Tabs through the whole form, as people do who only look. */
const tabThrough = () => press(...Array.from({ length: 45 }, () => 'Tab'))

test('raises no false alarm: opened, tabbed through, and taken back by hand', { tags: 'long' }, async () => {
  keepUser(userOf({ roleId: 91, role: { id: 91, title: 'Rolle 1' }, phone: '+49 40 5550' }))
  keep(roleApi, roleOf({ permissions: ['CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT'] }))
  const leaves = async (name: string, to: string) => {
    await page.getByRole('link', { name }).click()
    await expect.poll(path).toBe(to)
    await expect.element(dialog).not.toBeInTheDocument()
  }
  await visit('/users/5/edit')
  await expect.element(field('fullName')).toBeVisible()
  await tabThrough()
  await field('phone').fill('')
  await field('phone').fill('+49 40 5550')
  await field('plateNumber').fill('WA 1')
  await field('plateNumber').fill('')
  await field('position.isAdmin').click()
  await field('position.isAdmin').click()
  await expect.element(page.getByText(/unsaved change/)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Permissions', exact: true }).click()
  await leaves('Back to the users', '/users')

  await visit('/user-roles/91/edit')
  await expect.element(field('title')).toBeVisible()
  await tabThrough()
  for (const name of ['Customers', 'Full access']) {
    const box = page.getByRole('checkbox', { name, exact: true })
    await box.click()
    await expect.element(page.getByText('1 unsaved change').first()).toBeVisible()
    await box.click()
    await expect.element(page.getByText('1 unsaved change')).not.toBeInTheDocument()
  }
  await leaves('Back to the roles', '/user-roles')

  for (const [list, add] of [
    ['/users', '/users/create'],
    ['/user-roles', '/user-roles/create'],
  ] as const) {
    await visit(list)
    await expect.element(page.getByRole('row').nth(1)).toBeVisible()
    await press('n')
    await expect.poll(path).toBe(add)
    await expect.element(page.getByRole('button', { name: 'Save' }).first()).toBeVisible()
    await tabThrough()
    history.back()
    await expect.poll(path).toBe(list)
    await expect.element(dialog).not.toBeInTheDocument()
  }
})

test('keeps the last administrator, and says why', { tags: 'long' }, async () => {
  const user = keepUser(userOf({ fullName: 'Administrator', position: { title: 'Head', isAdmin: true } }))
  server.answer(userApi.patch, refusal('last_administrator'))
  await visit('/users')
  await page.getByRole('button', { name: 'Deactivate Administrator' }).click()
  await expect.element(dialog).toMatchTextContent('cannot sign in any more')
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect
    .element(page.getByText('This is the last active administrator: make somebody else an administrator first.'))
    .toBeVisible()
  await expect.element(page.getByRole('row').filter({ hasText: user.now().email })).toBeVisible()
  expect(server.calls(userApi.patch)).toMatchObject([{ body: { state: 'inactive' } }])

  await visit('/users/5/edit')
  await field('position.isAdmin').click()
  await press('Control+s')
  await expect.element(page.getByText('This is the last active administrator').last()).toBeVisible()
  await expect.element(field('position.isAdmin')).not.toBeChecked()
})

test('deactivates a person from the list after asking, and finds them among the inactive', {
  tags: 'long',
}, async () => {
  const user = keepUser(userOf())
  const row = page.getByRole('row').filter({ hasText: user.now().email })
  await visit('/users?q=vera')
  await row.getByRole('button', { name: /^Deactivate/ }).click()
  await expectAccessible()
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(row).toBeVisible()
  expect(server.calls(userApi.patch)).toEqual([])
  await row.getByRole('button', { name: /^Deactivate/ }).click()
  await expect.element(dialog.getByRole('button', { name: 'Deactivate' })).toHaveFocus()
  await press('Enter')
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(user.now().state).toBe('inactive')
  await visit('/users?q=vera&state=inactive')
  await expect.element(row).toMatchTextContent('Inactive')
  await row.getByRole('button', { name: /^Activate/ }).click()
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(user.now().state).toBe('active')
})

test('shows the 403 page, and no way there, to a person who may not manage people', async () => {
  const menu = page.getByRole('navigation', { name: 'Main', exact: true })
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  answerOrderList([])
  await visit('/orders')
  await expect.element(menu.getByRole('link', { name: 'All orders' })).toBeVisible()
  await expect.element(menu.getByRole('link', { name: 'Users' })).not.toBeInTheDocument()
  await expect.element(menu.getByRole('link', { name: 'Roles' })).not.toBeInTheDocument()
  for (const address of [
    '/users',
    '/users/create',
    '/users/1/edit',
    '/user-roles',
    '/user-roles/create',
    '/user-roles/1/edit',
  ]) {
    await visit(address)
    await expect.element(page.getByRole('heading', { name: 'Access denied' })).toBeVisible()
    expect(server.calls(userApi.list), address).toEqual([])
  }
})

test('signs somebody out everywhere whose device is in strange hands, after asking', async () => {
  const user = userOf({ fullName: 'Vera Verloren' })
  keepUser(user)
  server.answer(signOutUser, { ...user, version: user.version + 1 })
  await visit(`/users/${user.id}/edit`)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect.element(dialog.getByText(/^Every session of Vera Verloren ends/)).toBeVisible()
  expect(server.calls(signOutUser)).toEqual([])
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await expect.element(page.getByText('Vera Verloren is signed out everywhere')).toBeVisible()
  expect(server.calls(signOutUser)).toMatchObject([{ params: { id: user.id }, version: user.version }])
})
