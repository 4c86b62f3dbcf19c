import { listLoggedEntries, type LoggedEntry } from '@waybill/contract/audit/log'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { ANNA, offerMasterData, ZACHARIAS } from './records/master-data.ts'

const entryOf = (given: Partial<LoggedEntry> = {}): LoggedEntry => ({
  id: 90,
  at: '2026-11-24T09:12:00Z',
  actor: ANNA,
  apiKey: null,
  action: 'updated',
  changes: [
    { path: 'customerPriceCents', from: 140000, to: 145000 },
    { path: 'customerOrderNumber', from: null, to: 'ZT/11/0344' },
  ],
  reason: null,
  owner: { kind: 'order', id: 7, title: '26-00007' },
  ...given,
})
const entries = [
  entryOf(),
  entryOf({ id: 89, action: 'signedIn', changes: [], owner: { kind: 'user', id: ANNA.id, title: ANNA.title } }),
  entryOf({ id: 88, action: 'signInRefused', actor: null, changes: [], owner: { kind: 'user', id: 0, title: null } }),
  entryOf({
    id: 87,
    action: 'exported',
    apiKey: { id: 3, title: 'Warehouse' },
    changes: [{ path: 'list', from: null, to: 'customers' }],
    owner: { kind: 'user', id: ANNA.id, title: ANNA.title },
  }),
  entryOf({
    id: 86,
    action: 'moved',
    actor: null,
    changes: [{ path: 'status', from: 'new', to: 'canceled' }],
    reason: 'Goods not ready',
  }),
  entryOf({ id: 85, action: 'deleted', changes: [], owner: { kind: 'customer', id: 41, title: null } }),
]

const rows = page.getByRole('row')
const row = (index: number) => rows.nth(index + 1)
const asked = () => server.calls(listLoggedEntries).at(-1)!.query

beforeEach(() => {
  signIn()
  offerMasterData()
  server.answer(listLoggedEntries, { items: entries, next: null })
})

test('says of each entry when, who, with which key, what and of which record', async () => {
  await visit('/audit')
  await expect.element(row(0)).toMatchTextContent('Anna Petersen')
  await expect.element(row(0)).toMatchTextContent('Changed 2 fields')
  await expect.element(row(0).getByRole('link', { name: '26-00007' })).toHaveAttribute('href', '/orders/7/edit')
  await expect.element(row(1)).toMatchTextContent('Signed in')
  await expect.element(row(2)).toMatchTextContent('Not signed in')
  await expect.element(row(2)).toMatchTextContent('Unknown address')
  await expect.element(row(2)).toMatchTextContent('Sign-in refused')
  await expect.element(row(3)).toMatchTextContent('List exported Customers')
  await expect.element(row(3)).toMatchTextContent('by the key “Warehouse”')
  await expect.element(row(4)).toMatchTextContent('Waybill')
  await expect.element(row(4)).toMatchTextContent('“Goods not ready”')
  // What is gone leads nowhere.
  await expect.poll(() => row(5).getByRole('link').elements()).toHaveLength(0)
  await expect.element(page.getByText('The entire list is loaded')).toBeVisible()
  await expectAccessibleInBothLooks()
})

test('is narrowed by what, person, record and day, which stand in the address', { tags: 'long' }, async () => {
  await visit('/audit')
  await expect.element(row(0)).toBeVisible()
  await page.getByRole('button', { name: 'Sign-ins' }).click()
  await expect.poll(asked).toMatchObject({ topic: 'signIns' })
  await page.getByRole('combobox', { name: 'By' }).fill('zacharias')
  await page.getByRole('option', { name: ZACHARIAS.title }).click()
  await expect.poll(asked).toMatchObject({ topic: 'signIns', actorId: ZACHARIAS.id })
  await page.getByRole('combobox', { name: 'Record' }).click()
  await page.getByRole('option', { name: 'Payment run' }).click()
  await expect.poll(asked).toMatchObject({ kind: 'paymentFile' })
  await page.getByRole('textbox', { name: 'Until' }).fill('3.11.2026')
  await press('Enter')
  await expect.poll(asked).toMatchObject({ until: '2026-11-03' })
  expect(location.search).toContain('topic=signIns')

  await visit(location.pathname + location.search)
  await expect.poll(asked).toMatchObject({ topic: 'signIns', kind: 'paymentFile', until: '2026-11-03' })
  await page.getByRole('button', { name: 'Everything' }).click()
  await expect.poll(() => asked().topic).toBeUndefined()
})

test('asks for nothing that its address cannot mean', async () => {
  await visit('/audit?topic=weather&kind=planet&by=x&until=2026-02-31x')
  await expect.element(row(0)).toBeVisible()
  expect(asked()).toEqual({ timeZone: 'Europe/Berlin' })
})

test('goes on to what is older, and says what kept it from doing so', { tags: 'long' }, async () => {
  server.answer(listLoggedEntries, ({ query: { after } }) =>
    after === undefined ? { items: entries.slice(0, 3), next: 88 } : refusal('internal'),
  )
  const older = page.getByRole('button', { name: 'Show older' })
  await visit('/audit')
  await older.click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.poll(() => rows.elements()).toHaveLength(4)
  server.answer(listLoggedEntries, ({ query: { after } }) =>
    after === undefined ? { items: entries.slice(0, 3), next: 88 } : { items: entries.slice(3), next: null },
  )
  await older.click()
  await expect.element(row(5)).toBeVisible()
  expect(asked()).toMatchObject({ after: 88 })
  await expect.element(older).not.toBeInTheDocument()
})

test('says that nothing was found, and what cannot be read, with a way to try again', async () => {
  server.answer(listLoggedEntries, { items: [], next: null })
  await visit('/audit?kind=country')
  await expect.element(page.getByText('Nothing was found')).toBeVisible()
  server.answer(listLoggedEntries, refusal('forbidden'))
  await visit('/audit?kind=user')
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('is for administrators alone', async () => {
  signIn({ permissions: ['FULL_ACCESS'] })
  await visit('/audit')
  await expect.poll(() => location.pathname).toBe('/403')
  expect(server.calls(listLoggedEntries)).toEqual([])
})
