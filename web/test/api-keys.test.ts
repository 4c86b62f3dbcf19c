import { createApiKey, getKeyRights, listApiKeys, type ApiKey } from '@waybill/contract/api-key/api-key'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { server } from './kit/fake-server.ts'
import { ANNA, offerMasterData } from './records/master-data.ts'

const dialog = page.getByRole('dialog')
const name = dialog.getByRole('textbox', { name: 'Name' })
const open = async () => {
  await visit('/api-keys')
  await page.getByRole('button', { name: 'New key' }).first().click()
  await expect.element(name).toBeVisible()
}
const KEY: ApiKey = {
  id: 9,
  title: 'Warehouse',
  hint: '4d2f',
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
}

beforeEach(() => {
  signIn()
  offerMasterData()
  server.answer(listApiKeys, { items: [] })
  server.answer(getKeyRights, { permissions: ['ORDERS_MANAGEMENT'] })
})

test('what is said of a new key is kept until it is given up or made; the key itself is never kept', {
  tags: 'long',
}, async () => {
  await open()
  await name.fill('Warehouse')
  await open()
  await expect.element(name).toHaveValue('Warehouse')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await open()
  await expect.element(name).toHaveValue('')
  await name.fill('Warehouse')
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('Anna')
  await page.getByRole('option', { name: ANNA.title }).click()
  await dialog.getByRole('checkbox').first().click()
  await open()
  await expect.element(dialog.getByRole('combobox', { name: 'Owner' })).toHaveValue(ANNA.title)
  await expect.element(dialog.getByRole('checkbox').first()).toBeChecked()
  server.answer(createApiKey, { ...KEY, token: 'wb_secret_4d2f' })
  await dialog.getByRole('button', { name: 'Make key' }).click()
  await expect.element(dialog).toMatchTextContent('wb_secret_4d2f')
  await open()
  await expect.element(name).toHaveValue('')
  expect(JSON.stringify(localStorage)).not.toContain('wb_secret_4d2f')
})
