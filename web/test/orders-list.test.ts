import { customerApi } from '@waybill/contract/customer'
import { departmentApi } from '@waybill/contract/department'
import { orderApi } from '@waybill/contract/order/order'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible, expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { isLong } from './kit/long.ts'
import { press } from './kit/keys.ts'
import { ANNA, FTL_WEST, offerMasterData, POLAND } from './records/master-data.ts'
import { listOrders } from './records/order-list.ts'
import { keepOrder } from './records/order-screens.ts'
import { orderOf, orderRowOf, stopOf, transportOf } from './records/order.ts'

const CUSTOMER = { id: 45, title: 'Listenprüfer & Söhne KG' }
const LISTE = { id: 33, title: 'Liste' }
const ORDERS = 30

// Every third in a department of its own, loaded on thirty days in a row.
const rows = Array.from({ length: ORDERS }, (_, index) => {
  const place = index + 1
  const at = `2026-11-${String(place).padStart(2, '0')}T05:00:00Z`
  return orderRowOf({
    id: 200 + place,
    number: `26-00${200 + place}`,
    customer: CUSTOMER,
    customerOrderNumber: `"<LISTE>" ${place}`,
    department: place % 3 === 0 ? LISTE : FTL_WEST,
    customerPriceCents: 100_000 + place,
    from: { countryCode: 'DE', city: 'Łęczyca', at, timeZone: 'Europe/Berlin' },
    to: { countryCode: 'DE', city: 'Görlitz', at, timeZone: 'Europe/Berlin' },
    firstLoadingAt: at,
  })
})

beforeEach(() => {
  signIn()
  offerMasterData()
  listOrders(() => rows)
  server.offer(departmentApi, [FTL_WEST, LISTE])
  server.answer(orderApi.get, ({ params }) => {
    const { id, number, customerOrderNumber, firstLoadingAt } = rows.find((row) => row.id === params.id)!
    const day = firstLoadingAt!.slice(0, 10)
    const termin = { kind: 'fix', dateFrom: day, timeFrom: '06:00', dateTo: null, timeTo: null } as const
    return orderOf({ id, number, customerOrderNumber, locations: [stopOf({ termin, city: 'Łęczyca' })] })
  })
})

const dialog = page.getByRole('dialog')
const range = page.getByRole('navigation', { name: 'Pages' })
const table = page.getByRole('region', { name: 'All orders' })
const beside = page.getByRole('complementary')
const listed = page.getByRole('row').filter({ hasText: CUSTOMER.title })
const address = () => decodeURIComponent(location.search)
const reload = () => visit(location.pathname + location.search)
const areThere = async (locator: typeof range, count: number) => {
  await expect.poll(() => locator.elements()).toHaveLength(count)
}
const isInHand = async (place: number) => {
  await expect.element(listed.nth(place).getByRole('link').first()).toHaveFocus()
}
const filterMenu = async (name: string) => {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await dialog.getByRole('button', { name, exact: true }).click()
}
const tick = (label: string) => dialog.getByLabelText(label, { exact: true }).click()

// Where the lists of a phone differ, in the long run.
const sizes = isLong
  ? ([
      [1280, 800],
      [390, 844],
    ] as const)
  : ([[1280, 800]] as const)

test('keeps search, filters, sort and page in the address, through back, forward and reload', {
  tags: 'long',
}, async () => {
  const find = page.getByRole('textbox', { name: 'Find in this list' })
  await visit('/orders')
  await find.fill('listenpruefer')
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  await find.fill('listenprufer leczyca')
  await expect.element(range).toMatchTextContent('1–25 of 30')

  await filterMenu('Department')
  await tick('Liste')
  await press('Enter')
  await expect.element(range).toMatchTextContent('1–10 of 10')
  await filterMenu('First loading')
  await dialog.getByLabelText('From').fill('2026-11-03')
  await dialog.getByLabelText('To', { exact: true }).fill('2026-11-12')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect.element(range).toMatchTextContent('1–4 of 4')
  await filterMenu('Status')
  await tick('Scheduled')
  await press('Enter')
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  const filters = [
    'q=listenprufer leczyca',
    'status[]=scheduled',
    `departmentId[]=${LISTE.id}`,
    'firstLoading[from]=2026-11-03',
    'firstLoading[to]=2026-11-12',
  ]
  expect(address()).toBe(`?${filters.join('&')}`)

  history.back()
  await expect.element(range).toMatchTextContent('1–4 of 4')
  history.back()
  await expect.element(range).toMatchTextContent('1–10 of 10')
  history.forward()
  await expect.element(range).toMatchTextContent('1–4 of 4')
  await reload()
  await expect.element(range).toMatchTextContent('1–4 of 4')
  await expect.element(page.getByRole('button', { name: 'Department Liste' })).toBeVisible()
  await visit('/orders?q=listenprufer&sort=-customerPriceCents&page=2')
  await expect.element(range).toMatchTextContent('26–30 of 30')
  await expect.element(page.getByRole('row').last()).toMatchTextContent('1,000.01')
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect.element(listed.first()).toMatchTextContent('1,000.30')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.element(range).toMatchTextContent('26–30 of 30')
  await expect.element(page.getByText('The entire list is loaded')).toBeVisible()
})

test('leaves out what an address asks wrongly, and turns back from a page past the end', { tags: 'long' }, async () => {
  await visit('/orders?q=listenprufer&status[]=stolen&sort=secret&perPage=7&createdAt[from]=2026-02-30&page=77')
  await expect.element(range).toMatchTextContent('26–30 of 30')
  expect(address()).toBe('?page=2&q=listenprufer')
})

test.each(sizes)(
  'drops a draft on Escape and takes it on a click beside it, at %i × %i',
  { tags: 'long' },
  async (...size) => {
    await page.viewport(...size)
    await visit('/orders?q=listenprufer')
    await filterMenu('Department')
    await tick('Liste')
    await press('Escape')
    await expect.element(dialog).not.toBeInTheDocument()
    expect(address()).toBe('?q=listenprufer')
    await filterMenu('Department')
    await tick('Liste')
    await page.getByRole('heading', { level: 1 }).click()
    await expect.element(range).toMatchTextContent('1–10 of 10')
    await page.getByRole('button', { name: 'Remove filter: Department' }).click()
    await expect.element(range).toMatchTextContent('1–25 of 30')
  },
)

test.each(sizes)('is walked by keyboard, with a look into an order beside it, at %i × %i', async (...size) => {
  const look = (place: number) => page.getByRole('complementary', { name: `Order ${rows[place]!.number}` })
  await page.viewport(...size)
  await visit('/orders?q=listenprufer&sort=firstLoadingAt')
  await expect.element(listed.first()).toMatchTextContent(rows[0]!.number)
  await press('j', 'j', 'k')
  await isInHand(0)
  await press('Space')
  await expect.element(look(0)).toMatchTextContent('"<LISTE>" 1')
  await press('j')
  await expect.element(look(1)).toMatchTextContent('Mon 2 Nov fix 06:00')
  await reload()
  await expect.element(look(1)).toBeVisible()
  await press('Escape')
  await expect.element(beside).not.toBeInTheDocument()
  keepOrder(orderOf({ id: rows[1]!.id }))
  await press('Enter')
  await expect.poll(() => location.pathname).toBe(`/orders/${rows[1]!.id}/edit`)
})

test.each(sizes)('keeps what is chosen by mouse and key, over pages and reading, at %i × %i', async (...size) => {
  const bar = async (count: number) => {
    await expect.element(page.getByRole('region', { name: `${count} selected` })).toBeVisible()
  }
  const box = (place: number) => listed.nth(place).getByRole('checkbox')
  await page.viewport(...size)
  await visit('/orders?q=listenprufer&perPage=10&sort=firstLoadingAt')
  await box(1).click()
  await bar(1)
  await box(4).click({ modifiers: ['Shift'] })
  await bar(4)
  await press('j')
  await isInHand(0)
  await press('x')
  await bar(5)
  await press('j')
  await isInHand(1)
  await press('x')
  await bar(4)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.element(range).toMatchTextContent('11–20 of 30')
  await expect.element(listed.first()).toMatchTextContent(rows[10]!.number)
  // A phone's cards have no heads, and are chosen one by one.
  if (size[0] === 1280) await page.getByRole('checkbox', { name: 'Select this page' }).click()
  else for (const card of listed.all()) await card.getByRole('checkbox').click()
  await bar(14)
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect.element(box(0)).toBeChecked()
  await expect.element(box(1)).not.toBeChecked()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await expect.element(page.getByRole('region', { name: 'selected' })).not.toBeInTheDocument()
  await areThere(page.getByRole('checkbox', { checked: true }), 0)
})

test('says why rows do not come, and tries again', async () => {
  const alert = page.getByRole('alert')
  await visit('/orders?q=listenprufer&perPage=10')
  await expect.element(range).toMatchTextContent('1–10 of 30')
  const detail = 'Too many requests, wait a little'
  server.answer(orderApi.list, refusal('rate_limited', { detail, requestId: 'list-1' }))
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.element(alert).toMatchTextContent(detail)
  await expect.element(alert).toMatchTextContent('list-1')
  // The rows that were there stay, and the pager says which they are.
  await expect.element(table.getByRole('link').first()).toBeVisible()
  await expect.element(range).toMatchTextContent('1–10 of 30')
  listOrders(() => rows)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(range).toMatchTextContent('11–20 of 30')
})

test.each(sizes)(
  'is accessible with rows, filters, one chosen, one beside it, and empty, at %i × %i',
  async (...size) => {
    listOrders(() => rows.slice(0, 3))
    await page.viewport(...size)
    await visit('/orders?q=listenprufer')
    await expect.element(range).toMatchTextContent('of 3')
    await expectAccessible()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await expect.element(dialog).toBeVisible()
    await expectAccessible()
    await press('Escape')
    await expect.element(dialog).not.toBeInTheDocument()
    await press('j')
    // The focus goes over to the row; until it is there, Space belongs to the button.
    await isInHand(0)
    await press('Space')
    await expect.element(beside).toMatchTextContent('Łęczyca')
    await press('x')
    await expect.element(page.getByRole('region', { name: '1 selected' })).toBeVisible()
    await expectAccessibleInBothLooks()
    await visit('/orders?q=nothing-is-called-so')
    await expect.element(page.getByText('Nothing found')).toBeVisible()
    await expectAccessible()
  },
)

test('filters by country and town of either end, by manager and by the day of a status', { tags: 'long' }, async () => {
  const query = () => server.calls(orderApi.list).at(-1)?.query
  await visit('/orders?q=listenprufer')
  await expect.element(range).toMatchTextContent('1–25 of 30')
  await filterMenu('From city')
  await dialog.getByRole('textbox').fill('LECZ')
  await press('Enter')
  await expect.element(page.getByRole('button', { name: 'From city LECZ' })).toBeVisible()
  await expect.element(range).toMatchTextContent('1–25 of 30')
  expect(query()).toMatchObject({ fromTown: 'LECZ' })
  await filterMenu('To country')
  await dialog.getByRole('textbox').fill('pol')
  await dialog.getByLabelText(POLAND.title).click()
  await press('Enter')
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(query()).toMatchObject({ toCountry: ['PL'] })
  await page.getByRole('button', { name: 'Remove filter: To country' }).click()
  await filterMenu('Manager')
  await dialog.getByRole('checkbox').first().click()
  await press('Enter')
  await expect.element(page.getByRole('button', { name: /^Manager / })).toBeVisible()
  await expect.poll(query).toMatchObject({ managerId: [ANNA.id] })
  await page.getByRole('button', { name: 'Remove filter: Manager' }).click()
  await filterMenu('Scheduled on')
  await dialog.getByRole('button', { name: 'Today' }).click()
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(address()).toMatch(/&fromTown=LECZ&statusDate\.scheduled\[from\]=[\d-]+&statusDate\.scheduled\[to\]=[\d-]+$/)
  await reload()
  await page.getByRole('button', { name: 'Remove filter: Scheduled on' }).click()
  await expect.element(range).toMatchTextContent('1–25 of 30')
})

test.each(sizes)('marks trouble and disposition, in words beside it and in the head, at %i × %i', async (...size) => {
  const customer = { id: 46, title: 'Merkerprobe GmbH' }
  const marks = { disposition: 'FOR_SALE', deviations: ['CUSTOMER_LEVEL_1', 'CARRIER_LEVEL_3'] } as const
  const order = transportOf({
    ...marks,
    deviations: [...marks.deviations],
    customerIds: [customer.id],
    customers: [customer],
    billingCustomerId: customer.id,
    billingCustomer: customer,
  })
  keepOrder(order)
  server.offer(customerApi, [customer])
  listOrders(() => [...rows, orderRowOf({ ...marks, deviations: [...marks.deviations], customer })])
  await page.viewport(...size)
  await visit(`/orders?q=merkerprobe&peek=${order.id}`)
  await expect.element(page.getByRole('row').filter({ hasText: order.number })).toMatchTextContent('Ca 3+2')
  for (const words of ['Deviation: carrier, level 3', 'Deviation: customer, level 1', 'For sale'])
    await expect.element(beside.getByText(words, { exact: true })).toBeVisible()
  // It stands in the browser's title, leads to its customer, and its status is changed from here.
  await expect
    .element(beside.getByRole('link', { name: customer.title }))
    .toHaveAttribute('href', `/customer/${customer.id}/edit`)
  await beside.getByRole('button', { name: 'Change status' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Canceled' })).toBeVisible()
  await expect.poll(() => document.activeElement?.closest('[role=menu]')).toBeTruthy()
  await press('Escape')
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  await expect.poll(() => document.title).toBe('All orders · Waybill')
  await beside.getByRole('link', { name: 'Open' }).click()
  await expect.poll(() => document.title).toBe(`${order.number} · Waybill`)
  await expect.element(page.css('header').getByText('Ca 3', { exact: true })).toBeVisible()
})
