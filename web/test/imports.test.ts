import type { ImportResult } from '@waybill/contract/kit/import'
import { importOrders } from '@waybill/contract/order/import'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { offerMasterData } from './records/master-data.ts'
import { answerOrderList } from './records/order-screens.ts'

const RESULT: ImportResult = {
  columns: [{ title: 'Reference', example: 'ZT/11/0341', field: 'customerOrderNumber' }],
  fields: [{ name: 'customerOrderNumber', title: 'Customer order number', isRequired: false }],
  rowCount: 2,
  faultCount: 0,
  faults: [],
  doubts: [],
  created: null,
}

const tells = page.getByRole('checkbox', { name: 'Tell the customers' })
/** What was sent each time, and under which key. */
const sent = () =>
  server.calls(importOrders).map(({ form, headers }) => ({
    commit: form!.get('commit'),
    tells: form!.get('tells'),
    key: headers.get('idempotency-key'),
  }))

beforeEach(() => {
  signIn()
  offerMasterData()
  answerOrderList([])
})

test('tells the customers of imported orders only where that is ticked', async () => {
  server.answer(importOrders, RESULT)
  await visit('/orders/import')
  await page.getByLabelText('File', { exact: true }).upload(new File(['Reference\nA\nB\n'], 'orders.csv'))
  await expect.element(page.getByText('Every row is right. Nothing has been written yet.')).toBeVisible()
  await expect.element(tells).not.toBeChecked()
  await expectAccessible()
  const commit = page.getByRole('button', { name: 'Import 2 rows' })
  server.answer(importOrders, refusal('forbidden'))
  await commit.click()
  await expect.element(page.getByRole('alert')).toBeVisible()

  await tells.click()
  await expect.element(tells).toBeChecked()
  server.answer(importOrders, { ...RESULT, created: 2 })
  await commit.click()
  await expect.element(page.getByText('2 records were imported')).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/orders')
  const [looked, without, told] = sent()
  expect([looked, without, told]).toMatchObject([
    { commit: '0', tells: null },
    { commit: '1', tells: null },
    { commit: '1', tells: '1' },
  ])
  // Another intention: under the same key the server would give the first answer again.
  expect(told!.key).not.toBe(without!.key)
})
