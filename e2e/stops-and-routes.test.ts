import type { Page } from '@playwright/test'
import type { Partners } from './support/partners.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)

interface Saved {
  id: number
  version: number
  number: string
  cargo: { id: number; title: string; quantity: number; weightKg: number; packages: number; valueCents: number }[]
  locations: { id: number; city: string; cargoActions: { cargoId: number; action: string }[] }[]
  routes: { number: string; locationIds: number[] }[]
}

/** Two pick-ups and two drop-offs on one route: paper from Łódź to Bielefeld, doors from Poznań to Frechen. */
async function addRoutedOrder({ api, idOf }: Waybill, partners: Partners): Promise<Saved> {
  const [pl, de] = [await idOf('countries', 'Poland'), await idOf('countries', 'Germany')]
  const stop = (kind: string, countryId: number, city: string, cargoKey: string, day: string) => ({
    key: city,
    kind,
    countryId,
    city,
    termin: { kind: 'fix', dateFrom: day },
    cargoActions: [{ cargoKey, action: kind === 'loading' ? 'PICK_UP' : 'DROP_OFF' }],
  })
  const { status, body } = await api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await idOf('departments', 'FTL West'),
    cargo: [
      { key: 'paper', title: 'Paper', quantity: 33, packages: 100, weightKg: 20_000, valueCents: 1_000_001 },
      { key: 'doors', title: 'Doors', quantity: 9, weightKg: 3_600 },
    ],
    locations: [
      stop('loading', pl, 'Łódź', 'paper', '2026-12-01'),
      stop('loading', pl, 'Poznań', 'doors', '2026-12-01'),
      stop('unloading', de, 'Bielefeld', 'paper', '2026-12-03'),
      stop('unloading', de, 'Frechen', 'doors', '2026-12-04'),
    ],
    routes: [{ assignment: { carrierCompanyId: partners.transwarta } }],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as Saved
}

const read = async ({ api }: Waybill, id: number): Promise<Saved> => (await api('GET', `orders/${id}`)).body

const citiesOf = ({ locations, routes }: Saved) =>
  routes.map(({ locationIds }) => locationIds.map((id) => locations.find((stop) => stop.id === id)!.city))

async function saveOrder(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/was saved/).first()).toBeVisible()
}

test('moves the stops of a new order by key and by button, and says why one cannot go', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  await signIn()
  await page.goto('/orders/create')
  await field(page, 'customerIds').fill('fab')
  await page.getByRole('option', { name: 'Fabryka Mebli Łódź S.A.' }).click()
  await field(page, 'cargo.0.title').fill('Chairs')
  await page.getByRole('button', { name: 'Add stop', exact: true }).click()
  for (const [index, city] of ['Łódź', 'Bielefeld', 'Frechen'].entries()) {
    await field(page, `locations.${index}.countryId`).selectOption({ label: index === 0 ? 'PL Poland' : 'DE Germany' })
    await field(page, `locations.${index}.city`).fill(city)
  }
  await page.keyboard.press('Alt+ArrowUp')
  await expect(field(page, 'locations.1.city')).toBeFocused()
  await expect(field(page, 'locations.1.city')).toHaveValue('Frechen')
  await expect(page.getByText('Stop 3 is now stop 2.')).toBeAttached()
  await page.getByRole('button', { name: 'Move stop 2 down' }).click()
  await expect(field(page, 'locations.2.city')).toHaveValue('Frechen')
  await expect(page.getByRole('button', { name: 'Move stop 1 up' })).toBeDisabled()
  // What is only assumed follows; what somebody has said stands.
  await page.getByRole('button', { name: 'They are right' }).click()
  await field(page, 'locations.1.city').press('Alt+ArrowUp')
  await expect(
    page.getByText('Stop 2 cannot go before stop 1: “Chairs” is picked up at stop 1 and dropped off at stop 2.'),
  ).toBeVisible()
  await expect(field(page, 'locations.0.city')).toHaveValue('Łódź')
  await expectAccessible(page)
  await shoot(page, 'new-order-stop-refused')
  await field(page, 'locations.2.city').press('Alt+ArrowUp')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/orders\/\d+\/edit/)
  const order = await read(waybill, Number(/orders\/(\d+)/.exec(page.url())![1]))
  expect(order.locations.map(({ city }) => city)).toEqual(['Łódź', 'Frechen', 'Bielefeld'])
  expect(partners.fabryka).toBeGreaterThan(0)
})

test('plans a second route over chosen stops and moves a stop from one route to the other', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const order = await addRoutedOrder(waybill, partners)
  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  await page.getByRole('heading', { name: 'Carriers and routes' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Add route', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add route' })
  await dialog.getByRole('checkbox', { name: /Poznań/ }).check()
  await expect(dialog.getByText('tick stop 4, too')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: /^Doors/ })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: /Frechen/ }).check()
  await expect(dialog.getByRole('checkbox', { name: /^Doors/ })).toBeChecked()
  await expectAccessible(page)
  await shoot(page, 'add-route')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(field(page, 'routes.1.assignment.carrierCompanyId')).toBeFocused()
  await saveOrder(page)
  expect(citiesOf(await read(waybill, order.id))).toEqual([
    ['Łódź', 'Bielefeld'],
    ['Poznań', 'Frechen'],
  ])

  const second = page.getByRole('region', { name: `${order.number}/2` })
  await second.getByRole('checkbox', { name: `3 Bielefeld (${order.number}/1)` }).check()
  await expect(
    page.getByText(
      `“Paper” is picked up on ${order.number}/1 (stop 1) and dropped off on ${order.number}/2 (stop 3).`,
      { exact: false },
    ),
  ).toBeVisible()
  await page
    .getByRole('region', { name: `${order.number}/1` })
    .getByRole('checkbox', { name: /^3 Bielefeld/ })
    .check()
  await expect(page.getByText(/^“Paper” is picked up/)).toHaveCount(0)
  await expect(second.getByRole('checkbox', { name: /^3 Bielefeld/ })).not.toBeChecked()

  await second.getByRole('checkbox', { name: /^1 Łódź/ }).check()
  await second.getByRole('checkbox', { name: /^3 Bielefeld/ }).check()
  await expect(page.getByText('This route has no stops.', { exact: false })).toBeVisible()
  await page
    .getByRole('region', { name: `${order.number}/1` })
    .getByRole('checkbox', { name: /^1 Łódź/ })
    .check()
  await page
    .getByRole('region', { name: `${order.number}/1` })
    .getByRole('checkbox', { name: /^3 Bielefeld/ })
    .check()
  await saveOrder(page)
  expect(citiesOf(await read(waybill, order.id))).toEqual([
    ['Łódź', 'Bielefeld'],
    ['Poznań', 'Frechen'],
  ])
})

test('splits a line over two trucks by keyboard, each with its own share and its own stops', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const order = await addRoutedOrder(waybill, partners)
  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  await field(page, 'cargo.0.title').focus()
  await page.keyboard.press('Alt+t')
  const dialog = page.getByRole('dialog', { name: 'Split “Paper”' })
  await expect(field(page, 'splitUnits')).toBeFocused()
  await page.keyboard.type('40')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('More than 0 and fewer than 33.')).toBeVisible()
  await field(page, 'splitUnits').fill('13')
  await expect(field(page, 'splitPackages')).toHaveValue('39')
  await expectAccessible(page)
  await shoot(page, 'split-cargo')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(field(page, 'cargo.1.quantity')).toBeFocused()
  await expect(field(page, 'cargo.0.quantity')).toHaveValue('20')
  await expect(field(page, 'cargo.1.quantity')).toHaveValue('13')

  await page.getByRole('heading', { name: 'Carriers and routes' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Add route', exact: true }).click()
  const add = page.getByRole('dialog', { name: 'Add route' })
  await add.getByRole('checkbox', { name: /Łódź/ }).check()
  await add.getByRole('checkbox', { name: /Bielefeld/ }).check()
  await add.getByRole('checkbox', { name: 'Paper, 20 ×' }).uncheck()
  await expect(add.getByText('Stops 1, 3 are needed by both routes', { exact: false })).toBeVisible()
  await add.getByRole('button', { name: 'Add route' }).click()
  await saveOrder(page)

  const stored = await read(waybill, order.id)
  const [stays, goes] = stored.cargo
  expect([stays, goes]).toMatchObject([
    { title: 'Paper', quantity: 20, packages: 61 },
    { title: 'Paper', quantity: 13, packages: 39 },
  ])
  expect(Math.round((stays!.weightKg + goes!.weightKg) * 1000)).toBe(20_000_000)
  expect(stays!.valueCents + goes!.valueCents).toBe(1_000_001)
  expect(citiesOf(stored)).toEqual([
    ['Łódź', 'Poznań', 'Bielefeld', 'Frechen'],
    ['Łódź', 'Bielefeld'],
  ])
  const routeOf = (line: { id: number }) =>
    stored.routes.findIndex(({ locationIds }) =>
      stored.locations.some(
        ({ id, cargoActions }) => locationIds.includes(id) && cargoActions.some(({ cargoId }) => cargoId === line.id),
      ),
    )
  expect([stays!, goes!].map(routeOf)).toEqual([0, 1])
})

test('offers to split a line from its window on a new order, too', { tag: '@long' }, async ({
  page,
  partners,
  signIn,
}) => {
  expect(partners.fabryka).toBeGreaterThan(0)
  await signIn()
  await page.goto('/orders/create')
  await field(page, 'customerIds').fill('fab')
  await page.getByRole('option', { name: 'Fabryka Mebli Łódź S.A.' }).click()
  await field(page, 'cargo.0.quantity').fill('3')
  await field(page, 'cargo.0.weightKg').fill('1000')
  await page.getByRole('button', { name: /^Line 1: type, value/ }).click()
  await page.getByRole('button', { name: 'Split line …' }).click()
  await expect(field(page, 'splitUnits')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field(page, 'cargo.1.quantity')).toBeFocused()
  await expect(field(page, 'cargo.0.weightKg')).toHaveValue('666.667')
  await expect(field(page, 'cargo.1.weightKg')).toHaveValue('333.333')
})
