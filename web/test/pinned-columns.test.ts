import { countMatchingOrders } from '@waybill/contract/order/order'
import { createView, getPreferences, listViews, patchPreferences, type View } from '@waybill/contract/preferences'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callApi } from '../src/kit/api/call-api.ts'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { ANNA, offerMasterData } from './records/master-data.ts'
import { listOrders } from './records/order-list.ts'
import { orderRowOf } from './records/order.ts'

const row = orderRowOf({ customerOrderNumber: 'PINNED-1' })
const dialog = page.getByRole('dialog', { name: 'Columns' })
const columns = page.getByRole('button', { name: 'Columns' })
const views = page.getByRole('button', { name: 'Views' })
const list = page.getByRole('region', { name: 'All orders' })
const head = (place: number) => page.getByRole('columnheader').nth(place)
// A phone has no row of heads.
const cell = (place: number) => list.getByRole('row').last().getByRole('cell').nth(place)
const leftOf = (place: number) => Math.round(cell(place).element().getBoundingClientRect().left)
const hit = async (name: string, key: string) => {
  const found = await dialog.getByRole('button', { name }).findElement()
  ;(found as HTMLElement).focus()
  await press(key)
}
/** The focus goes over to it; what is hit before that is hit elsewhere. */
const openColumns = async () => {
  await columns.click()
  await expect.element(dialog.getByRole('checkbox').first()).toHaveFocus()
}
const close = async () => {
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
}

const ALL = [
  '',
  'Number',
  'Status',
  'Customer',
  'From → to',
  'Loading',
  'Unloading',
  'Delay',
  'Marks',
  'CW',
  'Price €',
  'Margin €',
  'Dept.',
  'Margin %',
  'Their no.',
  'Disposition',
  'Created',
]

/** All columns are there, and the first three stay where they are while the others slide below them. */
async function stay(): Promise<void> {
  const heads = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map(({ textContent }) => textContent)
  await expect.poll(heads).toEqual(ALL)
  await expect.element(cell(1)).toMatchTextContent(row.number)
  const region = list.element()
  const before = [0, 1, 2, 3, 4].map(leftOf)
  region.scrollTo({ left: 300 })
  expect([0, 1, 2, 3].map(leftOf)).toEqual(before.slice(0, 4))
  expect(leftOf(4)).toBeLessThan(before[4]! - 50)
  expect(Math.round(head(3).element().getBoundingClientRect().left)).toBe(before[3])
  // The name lies above what slides below it.
  const name = cell(3).element()
  const { right, top, width } = name.getBoundingClientRect()
  expect(width, 'what has no width of its own keeps the least').toBeGreaterThanOrEqual(130)
  expect(name.contains(document.elementFromPoint(right - 6, top + 10))).toBe(true)
  region.scrollTo({ left: 0 })
}

test('keeps pinned columns at the left with more columns than fit, in a saved view, and on no phone', {
  tags: 'long',
}, async () => {
  let saved: View[] = []
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  offerMasterData()
  listOrders(() => [row])
  server.answer(countMatchingOrders, { total: 1, totalIsExact: true })
  server.answer(listViews, () => ({ items: saved }))
  server.answer(createView, ({ body }) => {
    saved = [{ ...body, id: 6, version: 1, owner: ANNA, isOwn: true }]
    return saved[0]!
  })
  await visit('/orders?q=PINNED-1')
  await expect.element(list).toMatchTextContent(row.number)
  // As it is without a choice, everything fits.
  expect(list.element().scrollWidth - list.element().clientWidth).toBe(0)

  await openColumns()
  for (const name of ['Department', 'Margin %', 'Their order number', 'Disposition', 'Created']) {
    const box = dialog.getByRole('checkbox', { name })
    const found = await box.findElement()
    ;(found as HTMLElement).focus()
    await press('Space')
    await expect.element(box).toBeChecked()
  }
  // More than fit: the list scrolls sideways, and what has no width of its own, the customer's name, has room.
  await expect.element(head(16)).toBeInTheDocument()
  await expect.element(head(2)).toHaveTextContent('Customer')
  await expect.poll(() => cell(2).element().getBoundingClientRect().width).toBeGreaterThanOrEqual(130)
  const pin = dialog.getByRole('button', { name: 'Keep Customer at the left' })
  await expect.element(pin).toHaveAttribute('aria-pressed', 'false')
  await hit('Keep Status at the left', 'Enter')
  const kept = server.next(patchPreferences, ({ body }) => body.pinned?.orders?.at(-1) === 'customer')
  await hit('Keep Customer at the left', 'Enter')
  await kept
  await expect.element(dialog.getByRole('button', { name: 'Move Customer back' })).toBeDisabled()
  await expect.element(dialog.getByRole('button', { name: 'Move Customer forward' })).toBeEnabled()
  await expectAccessible()
  await close()

  await stay()
  await visit('/orders?q=PINNED-1')
  await stay()

  await views.click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabelText('Name').fill('Pinned down')
  await press('Enter')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await openColumns()
  await dialog.getByRole('button', { name: 'Standard columns' }).click()
  await close()
  await expect.poll(() => page.getByRole('columnheader').elements()).toHaveLength(12)
  await views.click()
  await page.getByRole('menuitem', { name: 'Pinned down' }).click()
  await stay()

  // What was chosen elsewhere meanwhile holds here too, though this device kept its own.
  const look = await callApi(getPreferences)
  expect(look.pinned.orders?.at(-1)).toBe('customer')
  server.answer(getPreferences, { ...look, pinned: {} })
  await visit('/orders?q=PINNED-1')
  await expect.element(head(2)).toHaveTextContent('Status')
  await expect.element(cell(2)).not.toHaveAttribute('data-pinned')

  await page.viewport(390, 844)
  await expect.element(cell(1)).toBeVisible()
  expect(getComputedStyle(cell(1).element()).position).toBe('static')
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})
