import { createApiKey, getKeyRights, listApiKeys, type ApiKey } from '@waybill/contract/api-key/api-key'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { ANNA, offerMasterData } from './records/master-data.ts'
import { listOrders } from './records/order-list.ts'
import { orderRowOf } from './records/order.ts'

const search = page.getByRole('textbox', { name: 'Find in this list' })
const tell = (event: 'offline' | 'online') => window.dispatchEvent(new Event(event))

const apiKeyOf = (): ApiKey => ({
  id: 3,
  title: 'Warehouse Bremen',
  hint: '6789',
  owner: ANNA,
  permissions: ['ORDERS_MANAGEMENT'],
  effective: ['ORDERS_MANAGEMENT'],
  state: 'active',
  createdAt: '2026-11-24T09:00:00Z',
  createdBy: ANNA,
  expiresAt: '2027-11-24T09:00:00Z',
  lastUsedAt: null,
  revokedAt: null,
  revokedBy: null,
})

let rows = [orderRowOf({ id: 101, number: '26-00101' })]

beforeEach(() => {
  rows = [orderRowOf({ id: 101, number: '26-00101' })]
  signIn()
  offerMasterData()
  listOrders(() => rows)
})

afterEach(() => {
  tell('online')
})

test('asks for a list although the browser believes that it has no network', { tags: 'long' }, async () => {
  await visit('/orders')
  await expect.element(page.getByText('26-00101').first()).toBeVisible()
  tell('offline')
  rows = []
  await search.fill('Vogelsang')
  await expect.element(page.getByText('Nothing in this list fits “Vogelsang”.')).toBeVisible()
})

test('makes at once what is pressed although the browser believes that it has no network', {
  tags: 'long',
}, async () => {
  const made = apiKeyOf()
  server.answer(listApiKeys, { items: [] })
  server.answer(getKeyRights, { permissions: ['ORDERS_MANAGEMENT'] })
  server.answer(createApiKey, { ...made, token: 'wb_0123456789' })
  await visit('/api-keys')
  await page.getByRole('button', { name: 'New key' }).first().click()
  tell('offline')
  await page.getByRole('textbox', { name: 'Name' }).fill(made.title)
  await page.getByRole('combobox', { name: 'Owner' }).fill('anna')
  await page.getByRole('option', { name: ANNA.title }).click()
  await page.getByRole('checkbox', { name: 'All orders' }).click()
  const isAsked = server.next(createApiKey)
  await press('Enter')
  expect((await isAsked).body).toMatchObject({ title: made.title, ownerId: ANNA.id })
  await expect.element(page.getByText('wb_0123456789')).toBeVisible()
})

test('says that the server cannot be reached without a network, and asks again once there is one', async () => {
  await visit('/orders')
  await expect.element(page.getByText('26-00101').first()).toBeVisible()
  server.setOffline(true)
  tell('offline')
  await search.fill('26')
  const trouble = page.getByText('The server cannot be reached')
  await expect.element(trouble).toBeVisible()
  server.setOffline(false)
  tell('online')
  await expect.element(trouble).not.toBeInTheDocument()
})
