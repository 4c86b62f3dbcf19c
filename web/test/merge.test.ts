import { orderApi } from '@waybill/contract/order/order'
import { mergeOrders } from '@waybill/contract/order/merge-actions'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { offerMasterData } from './records/master-data.ts'
import { listOrders } from './records/order-list.ts'
import { orderRowOf } from './records/order.ts'

const rows = [
  orderRowOf({ id: 301, number: '26-00301', status: 'new', customerPriceCents: 41_000 }),
  orderRowOf({ id: 302, number: '26-00302', status: 'new', hasRoute: true }),
  orderRowOf({ id: 303, number: '26-00303', status: 'new' }),
]

const dialog = page.getByRole('dialog')
const merge = page.getByRole('button', { name: 'Merge …', exact: true })
const choose = async (...numbers: string[]) => {
  for (const number of numbers) await page.getByRole('checkbox', { name: `Select ${number}` }).click()
}

beforeEach(() => {
  signIn()
  offerMasterData()
  listOrders(() => rows)
})

test('asks what may stand in the way of a merge once it is wanted, of the orders that were chosen', {
  tags: 'long',
}, async () => {
  await visit('/orders')
  await choose('26-00301', '26-00302')
  await merge.click()
  await expect.element(dialog).toMatchTextContent('Order 26-00302 has a route already')
  await expect.element(dialog).toMatchTextContent('410.00')
  await expect.element(dialog).not.toMatchTextContent('26-00303')
  await expect.element(dialog.getByRole('button', { name: 'Merge', exact: true })).toBeDisabled()
  expect(server.calls(orderApi.list).at(-1)!.query).toMatchObject({ id: [301, 302], perPage: 100 })
  expect(server.calls(mergeOrders)).toEqual([])
})

test('says why the orders of a merge cannot be read, and tries again', async () => {
  await visit('/orders')
  await choose('26-00301', '26-00303')
  server.answer(orderApi.list, refusal('rate_limited', { detail: 'Too often', requestId: 'merge-1' }))
  await merge.click()
  await expect.element(dialog).toMatchTextContent('merge-1')
  listOrders(() => rows)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect.element(dialog.getByLabelText('Carrier')).toHaveFocus()
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('keeps what is typed until the orders of a merge are here', { tags: 'long' }, async () => {
  await visit('/orders')
  await choose('26-00301', '26-00303')
  const letGo = server.holdBack(orderApi.list, ({ query }) => query.id !== undefined)
  await merge.click()
  await expect.poll(() => server.calls(orderApi.list).some(({ query }) => query.id !== undefined)).toBe(true)
  await type('Tra')
  letGo()
  await expect.element(dialog.getByLabelText('Carrier')).toHaveValue('Tra')
})
