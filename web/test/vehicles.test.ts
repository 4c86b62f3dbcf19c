import { listAuditEntries } from '@waybill/contract/audit/audit-entry'
import { vehicleApi, type Vehicle } from '@waybill/contract/vehicle/vehicle'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { pageOf, server } from './kit/fake-server.ts'
import { offerMasterData } from './records/master-data.ts'

const TRUCK: Vehicle = {
  id: 31,
  version: 1,
  title: 'HH-WB 2041',
  kind: 'truck',
  vehicleTypeId: null,
  ldm: 13.6,
  payloadKg: 24_500,
  heightCm: null,
  driverId: null,
  carrierCompanyId: null,
  nextInspectionOn: '2027-03-31',
  note: 'Mondays only',
  state: 'active',
  vehicleType: null,
  driver: null,
  carrierCompany: null,
}
const create = page.getByRole('link', { name: 'New vehicle' })
const save = page.getByRole('button', { name: /^Save/ })

beforeEach(() => {
  offerMasterData()
  server.answer(vehicleApi.list, pageOf([TRUCK]))
  server.answer(vehicleApi.get, TRUCK)
  server.answer(listAuditEntries, pageOf<never>([]))
})

test('vehicles are read by who plans orders, and only read', async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  await visit('/vehicles')
  await expect.element(page.getByRole('link', { name: 'HH-WB 2041' })).toBeVisible()
  await expect.element(create).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /^Deactivate/ })).not.toBeInTheDocument()
  await page.getByRole('link', { name: 'HH-WB 2041' }).click()
  await expect.element(page.field('note')).toHaveValue('Mondays only')
  await expect.element(page.field('note')).toHaveAttribute('readonly')
  await expect.element(save).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /^Deactivate/ })).not.toBeInTheDocument()
})

test('vehicles are changed by who keeps the settings', async () => {
  signIn({ permissions: ['SETTINGS_ACCESS'] })
  await visit('/vehicles')
  await expect.element(create).toBeVisible()
  await page.getByRole('link', { name: 'HH-WB 2041' }).click()
  await expect.element(save).toBeVisible()
  await expect.element(page.field('note')).not.toHaveAttribute('readonly')
})
