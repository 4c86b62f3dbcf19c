import {
  createView,
  getPreferences,
  listViews,
  patchPreferences,
  patchView,
  removeView,
  type View,
} from '@waybill/contract/preferences'
import { countMatchingOrders, orderApi } from '@waybill/contract/order/order'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible, expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { ANNA, ZACHARIAS, offerMasterData } from './records/master-data.ts'
import { listOrders } from './records/order-list.ts'
import { orderRowOf } from './records/order.ts'

const ORDERS = 12
const rows = Array.from({ length: ORDERS }, (_, index) => {
  const day = String(index + 1).padStart(2, '0')
  return orderRowOf({
    id: 100 + index,
    number: `26-001${day}`,
    customerOrderNumber: `KIT ${index + 1}`,
    from: { countryCode: 'DE', city: 'Łęczyca', at: `2026-11-${day}T05:00:00Z`, timeZone: 'Europe/Berlin' },
    firstLoadingAt: `2026-11-${day}T05:00:00Z`,
  })
})

beforeEach(() => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  offerMasterData()
  listOrders(() => rows)
})

const dialog = page.getByRole('dialog')
const range = page.getByRole('navigation', { name: 'Pages' })
const heads = page.getByRole('columnheader')
const table = page.getByRole('region', { name: 'All orders' })
const views = page.getByRole('button', { name: 'Views' })
const address = () => decodeURIComponent(location.search)
const chooseFilter = async (button: string, name: string) => {
  await page.getByRole('button', { name: button, exact: true }).click()
  await dialog.getByRole('button', { name, exact: true }).click()
}
const areThere = async (locator: typeof range, count: number) => {
  await expect.poll(() => locator.elements()).toHaveLength(count)
}

test('a head sorts by its column, figures from the most, names from A, and turns it at the next click', async () => {
  await visit('/orders?q=KIT')
  for (const [title, field, directions] of [
    ['Price', 'customerPriceCents', ['descending', 'ascending']],
    ['Customer', 'customer', ['ascending', 'descending']],
  ] as const) {
    const head = heads.filter({ hasText: title })
    await expect.element(head).not.toHaveAttribute('aria-sort')
    for (const direction of directions) {
      const sort = direction === 'descending' ? `-${field}` : field
      await head.getByRole('button').click()
      await expect.element(head).toHaveAttribute('aria-sort', direction)
      expect(address()).toContain(`sort=${sort}`)
      await expect.poll(() => server.calls(orderApi.list).at(-1)?.query.sort).toBe(sort)
    }
  }
})

test('reads a span of days as it is typed, refuses what is no day, and offers a month to click', {
  tags: 'long',
}, async () => {
  const from = dialog.getByLabelText('From')
  const to = dialog.getByLabelText('To', { exact: true })
  listOrders(() => [5, 6, 10, 11, 12].map((day) => rows[day - 1]!))
  await visit('/orders?q=KIT')
  await chooseFilter('Filter', 'First loading')
  await expect.element(from).toHaveFocus()
  await type('31.11.2026')
  await press('Tab')
  await expect.element(dialog.getByText('This date does not exist')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await from.fill('10.11.2026')
  await to.fill('031126')
  await expect.element(dialog.getByText('The end is before the beginning')).toBeVisible()
  await to.fill('12/11/26')
  await expect
    .element(dialog.getByRole('button', { name: '11 November 2026' }))
    .toHaveAttribute('data-in-range', 'true')
  await expectAccessibleInBothLooks()
  to.element().focus()
  await press('Enter')
  await expect.element(range).toMatchTextContent('1–3 of 3')
  expect(address()).toContain('firstLoading[from]=2026-11-10&firstLoading[to]=2026-11-12')

  await page.getByRole('button', { name: 'First loading 10 Nov – 12 Nov' }).click()
  await expect.element(from).toHaveValue('10/11/2026')
  await dialog.getByRole('button', { name: '5 November 2026', exact: true }).click()
  await dialog.getByRole('button', { name: '6 November 2026', exact: true }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect.element(range).toMatchTextContent('1–2 of 2')
  expect(server.calls(orderApi.list).at(-1)?.query.firstLoading).toEqual({ from: '2026-11-05', to: '2026-11-06' })
})

test.each([
  { language: 'de', filter: 'Filter', name: 'Erste Beladung', from: 'Von', month: 'November 2026' },
  { language: 'pl', filter: 'Filtr', name: 'Pierwszy załadunek', from: 'Od', month: 'Listopad 2026' },
] as const)("writes days in the person's language: $language", async ({ language, filter, name, from, month }) => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'], defaultLanguage: language })
  await visit('/orders')
  await chooseFilter(filter, name)
  await expect.element(dialog.getByLabelText(from, { exact: true })).toHaveFocus()
  await type('5.11.26')
  await press('Tab')
  await expect.element(dialog.getByLabelText(from, { exact: true })).toHaveValue('05.11.2026')
  await expect.element(dialog.getByRole('button', { name: new RegExp(month, 'i') }).first()).toBeVisible()
})

test('shows the columns that one chose, here and on another device, and the standard again', {
  tags: 'long',
}, async () => {
  listOrders(() => rows.slice(0, 3))
  await visit('/orders')
  await expect.element(heads.nth(2)).toHaveTextContent('Customer')
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  const customer = columns.getByRole('checkbox', { name: 'Customer' })
  await expect.element(columns.getByRole('checkbox').first()).toHaveFocus()
  customer.element().focus()
  await press('Space')
  await areThere(heads.filter({ hasText: 'Customer' }), 0)
  columns.getByRole('button', { name: 'Move Loading forward' }).element().focus()
  const kept = server.next(patchPreferences)
  await press('Enter')
  const { orders } = (await kept).body.columns!
  expect(orders).not.toContain('customer')
  await expect.element(heads.nth(2)).toHaveTextContent('Loading')
  await expectAccessibleInBothLooks()

  // Another device holds nothing of it: the server says it.
  localStorage.removeItem('preferences')
  await visit('/orders')
  await expect.element(heads.nth(2)).toHaveTextContent('Loading')
  await areThere(heads.filter({ hasText: 'Customer' }), 0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await columns.getByRole('button', { name: 'Standard columns' }).click()
  await expect.element(heads.nth(2)).toHaveTextContent('Customer')
  await expect
    .poll(() => server.calls(patchPreferences).map(({ body }) => body.columns))
    .toContainEqual({ orders: null })
})

test('asks how one wants the columns only once what was chosen before is kept', async () => {
  await visit('/orders')
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await expect.element(columns.getByRole('checkbox').first()).toHaveFocus()
  const letKeep = server.holdBack(patchPreferences)
  columns.getByRole('checkbox', { name: 'Customer' }).element().focus()
  await press('Space')
  await areThere(heads.filter({ hasText: 'Customer' }), 0)
  const asked = () => server.calls(getPreferences).length
  const before = asked()
  await visit('/orders?q=KIT')
  await areThere(table.getByRole('row'), ORDERS + 1)
  // An answer from before the choice would take it back.
  expect(asked()).toBe(before)
  letKeep()
  await expect.poll(asked).toBe(before + 1)
  await areThere(heads.filter({ hasText: 'Customer' }), 0)
})

test('makes a column as wide as is asked for, also the one that took what is left', async () => {
  await visit('/orders')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabelText('Width of Customer, px').fill('240')
  await press('Enter')
  const head = heads.filter({ hasText: 'Customer' })
  await expect.poll(() => head.element().getBoundingClientRect().width).toBe(240)
  // Nothing is pushed out of sight by it.
  expect(table.element().scrollWidth).toBe(table.element().clientWidth)
})

test('reads of its rows what the columns show and what is done with them, and more with a column more', async () => {
  const asked = () => server.calls(orderApi.list).at(-1)!.query.fields
  await visit('/orders')
  await expect.element(table.getByRole('row').last()).toMatchTextContent('Łęczyca')
  const standard = asked()!
  expect(standard).toEqual(expect.arrayContaining(['id', 'version', 'status', 'state', 'customer', 'from', 'delay']))
  for (const more of ['createdAt', 'customerOrderNumber', 'department', 'firstLoadingAt', 'hasRoute'])
    expect(standard).not.toContain(more)
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await expect.element(columns.getByRole('checkbox').first()).toHaveFocus()
  const letGo = server.holdBack(orderApi.list)
  for (const name of ['Created', 'Their order number']) {
    columns.getByRole('checkbox', { name }).element().focus()
    await press('Space')
  }
  // The rows that are here stay, with nothing in a column of which nothing is known yet.
  await areThere(heads.filter({ hasText: 'Their no.' }), 1)
  await expect.element(table.getByRole('row').last()).toMatchTextContent('Łęczyca')
  letGo()
  await expect.element(table.getByRole('row').last()).toMatchTextContent(rows.at(-1)!.customerOrderNumber!)
  expect(asked()!.toSorted()).toEqual([...standard, 'createdAt', 'customerOrderNumber'].toSorted())
  expect(address()).toBe('')
})

test('keeps a view under a name, refuses the name twice, shares it, and lets it go', { tags: 'long' }, async () => {
  let saved: View[] = []
  server.answer(listViews, () => ({ items: saved }))
  server.answer(countMatchingOrders, { total: ORDERS, totalIsExact: true })
  const message = 'This value is already in use'
  server.answer(createView, ({ body }) => {
    if (saved.some(({ name }) => name === body.name))
      return refusal('validation', { errors: [{ path: 'name', code: 'taken', message }] })
    saved = [{ ...body, id: 6, version: 1, owner: ANNA, isOwn: true }]
    return saved[0]!
  })
  server.answer(patchView, ({ body, params }) => {
    saved = saved.map((view) => (view.id === params.id ? { ...view, ...body, version: view.version + 1 } : view))
    return saved[0]!
  })
  server.answer(removeView, () => {
    saved = []
    return {}
  })
  const save = async (name: string) => {
    await views.click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await dialog.getByLabelText('Name').fill(name)
    await press('Enter')
  }
  await visit('/orders?q=KIT&perPage=10&page=2')
  await views.click()
  await expect.element(page.getByText('No view saved yet')).toBeVisible()
  // The focus goes over to the menu; until it is there, Escape belongs to the button.
  await expect.poll(() => document.activeElement?.closest('[role=menu]')).toBeTruthy()
  await press('Escape')
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  await save(' ')
  await expect.element(dialog.getByText('The field is required')).toBeVisible()
  expect(server.calls(createView)).toEqual([])
  await dialog.getByLabelText('Name').fill('Kit ord')
  await visit('/orders?q=KIT&perPage=10&page=2')
  await views.click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await expect.element(dialog.getByLabelText('Name')).toHaveValue('Kit ord')
  await dialog.getByLabelText('Name').fill('Kit orders')
  await press('Enter')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(createView)).toMatchObject([{ body: { list: 'orders', name: 'Kit orders' } }])
  await visit('/orders?delayed=1')
  await save('Kit orders')
  await expect.element(dialog.getByText(message)).toBeVisible()
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()

  await views.click()
  await page.getByRole('menuitem', { name: 'Kit orders' }).click()
  await expect.element(range).toMatchTextContent(`1–10 of ${ORDERS}`)
  expect(address()).toBe('?perPage=10&q=KIT')
  await views.click()
  await page.getByRole('menuitem', { name: 'Change “Kit orders”' }).click()
  await dialog.getByRole('combobox', { name: 'Who sees it' }).click()
  await page.getByRole('option', { name: 'Everybody' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(patchView)).toMatchObject([{ params: { id: 6 }, version: 1, body: { sharedWith: 'all' } }])

  await views.click()
  await page.getByRole('menuitem', { name: 'Change “Kit orders”' }).click()
  await dialog.getByRole('button', { name: 'Delete view' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(removeView)).toMatchObject([{ params: { id: 6 } }])
  await views.click()
  await expect.element(page.getByText('No view saved yet')).toBeVisible()
})

test('shows a colleague’s view, and lets nobody but its owner change it', { tags: 'long' }, async () => {
  const view: View = {
    id: 6,
    version: 2,
    list: 'orders',
    name: 'Kit orders',
    query: 'q=KIT&perPage=10',
    columns: null,
    sharedWith: 'all',
    owner: ZACHARIAS,
    isOwn: false,
  }
  server.answer(listViews, { items: [view] })
  server.answer(countMatchingOrders, { total: ORDERS, totalIsExact: true })
  listOrders(() => [...rows, orderRowOf()])
  await visit('/orders')
  await expect.element(range).toMatchTextContent(`of ${ORDERS + 1}`)
  await views.click()
  await page.getByRole('menuitem', { name: 'Kit orders' }).click()
  await expect.element(range).toMatchTextContent(`of ${ORDERS}`)
  await views.click()
  await expect.element(page.getByRole('menuitem', { name: 'Kit orders' })).toBeVisible()
  await areThere(page.getByRole('menuitem', { name: /Change/ }), 0)
})

test('says why there is nothing, and what helps: filters, state, the end of the list', async () => {
  await visit('/orders?q=nothing-is-called-so')
  await expect.element(page.getByText('Nothing in this list fits “nothing-is-called-so”.')).toBeVisible()
  await table.getByRole('button', { name: 'Clear filters' }).click()
  await expect.element(range).toMatchTextContent('1–')
  await visit('/orders?q=KIT')
  await expect.element(page.getByText('The entire list is loaded')).toBeVisible()
  await visit('/orders')
  await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Inactive' }).click()
  await expect.element(page.getByText('List is empty')).toBeVisible()
  await expect.element(page.getByText('Nothing has been deactivated.')).toBeVisible()
  expect(address()).toBe('?state=inactive')
  await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Active', exact: true }).click()
  await page.getByRole('combobox', { name: 'Rows' }).selectOptions('10')
  await expect.element(range).toMatchTextContent('1–10 of')
  await expect.element(page.getByText('The entire list is loaded')).not.toBeInTheDocument()
})

test('shows skeletons shaped like the rows while they come, and nothing jumps', async () => {
  let shifts = 0
  const count = (entries: PerformanceEntryList) => {
    for (const entry of entries) shifts += (entry as unknown as { value: number }).value
  }
  const observer = new PerformanceObserver((list) => count(list.getEntries()))
  const height = () => page.css('tbody tr').first().element().getBoundingClientRect().height
  const letGo = server.holdBack(orderApi.list)
  observer.observe({ type: 'layout-shift' })
  await visit('/orders')
  await expect.element(table).toHaveAttribute('aria-busy', 'true')
  await areThere(page.css('tbody tr[aria-hidden]'), 20)
  const before = height()
  letGo()
  await expect.element(table.getByRole('link').first()).toBeVisible()
  expect(height()).toBe(before)
  // What moved is told once it is drawn.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  count(observer.takeRecords())
  observer.disconnect()
  expect(shifts).toBeLessThanOrEqual(0.02)
})

test('keeps the old rows while others come, and says when they do not', async () => {
  await visit('/orders?q=KIT&perPage=10')
  await expect.element(range).toMatchTextContent('1–10 of')
  const letGo = server.holdBack(orderApi.list)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.element(table).toHaveAttribute('aria-busy', 'true')
  await expect.element(table.getByRole('link').first()).toBeVisible()
  server.answer(
    orderApi.list,
    refusal('rate_limited', { detail: 'Too many requests, wait a little', requestId: 'list-2' }),
  )
  letGo()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Too many requests, wait a little')
  // The rows that were there stay, and the pager says which they are.
  await expect.element(table.getByRole('link').first()).toBeVisible()
  await expect.element(range).toMatchTextContent('1–10 of')
  listOrders(() => rows)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(range).toMatchTextContent(`11–12 of ${ORDERS}`)
})

test('narrows a list on the phone', async () => {
  await page.viewport(390, 844)
  await visit('/orders?q=KIT')
  await chooseFilter('Filter', 'First loading')
  await expect.element(dialog.getByLabelText('From')).toHaveFocus()
  await type('1.11.26')
  await expect.element(dialog.getByRole('button', { name: '1 November 2026', exact: true })).toBeVisible()
  const apply = dialog.getByRole('button', { name: 'Apply' })
  await expect.element(apply).toBeInViewport({ ratio: 1 })
  await expectAccessible()
  await apply.click()
  await expect.element(range).toMatchTextContent(`of ${ORDERS}`)
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
})
