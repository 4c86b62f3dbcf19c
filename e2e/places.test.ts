import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

async function addOrder({ api, idOf }: Waybill, customerId: number, stop: object = {}): Promise<number> {
  const { status, body } = await api('POST', 'orders', {
    customerIds: [customerId],
    departmentId: await idOf('departments', 'FTL West'),
    locations: [{ kind: 'loading', countryId: await idOf('countries', 'Germany'), ...stop }],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id as number
}

/** Nothing but the server of the product can be reached, as in a network of one's own. */
async function cutOff(page: Page, url: string): Promise<string[]> {
  const others: string[] = []
  await page.route('**/*', (route) => {
    const asked = route.request().url()
    if (asked.startsWith(url) || /^(data|blob):/.test(asked)) return route.fallback()
    others.push(asked)
    return route.abort('internetdisconnected')
  })
  return others
}

const openPlace = async (page: Page, order: number) => {
  await page.goto(`/orders/${order}/edit`)
  await page.getByRole('button', { name: 'Find on the map' }).click()
  await expect(page.getByRole('application', { name: 'Map' })).toBeVisible()
}
const field = (page: Page, name: string) => page.locator(`[name="locations.0.${name}"]`)
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).first().click()

test.beforeEach(({ signIn }) => signIn())

test('finds Łódź by “lodz” without any network, moves the pin by keyboard, and keeps it', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  const order = await addOrder(waybill, partners.fabryka)
  const others = await cutOff(page, waybill.url)
  await openPlace(page, order)
  // Land is drawn.
  await expect.poll(() => page.locator('.leaflet-overlay-pane path').count()).toBeGreaterThan(100)
  const search = page.getByRole('combobox', { name: 'Find a place' })
  await search.fill('lodz')
  const hits = page.getByRole('listbox', { name: 'Places found' })
  // The first search of an installation fills the gazetteer.
  await expect(hits.getByRole('option').first()).toContainText('Łódź', { timeout: 60_000 })
  await expect(page.locator('.leaflet-marker-pane path').first()).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'places hits')
  await search.press('ArrowDown')
  await search.press('ArrowUp')
  await search.press('Enter')
  await expect(hits).toHaveCount(0)
  await expect(field(page, 'city')).toHaveValue('Łódź')
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue('PL Poland')
  await expect(field(page, 'latitude')).toHaveValue('51.77058')
  await expect(field(page, 'longitude')).toHaveValue('19.47395')
  await expect(search).toBeFocused()

  const pin = page.getByRole('button', { name: /^Pin\./ })
  await pin.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => Number(await field(page, 'latitude').inputValue())).toBeGreaterThan(51.771)
  await expect.poll(async () => Number(await field(page, 'longitude').inputValue())).toBeGreaterThan(19.474)
  await expect(pin).toBeFocused()
  await expectAccessible(page)
  await shoot(page, 'places pin')
  const latitude = Number(await field(page, 'latitude').inputValue())

  // The street is typed by hand, and stays when the town is found again.
  await field(page, 'address').fill('ul. Pabianicka 119')
  await save(page)
  await expect
    .poll(async () => (await waybill.api('GET', `orders/${order}`)).body.locations[0])
    .toMatchObject({
      city: 'Łódź',
      address: 'ul. Pabianicka 119',
      latitude,
      timeZone: 'Europe/Warsaw',
      country: { title: 'Poland' },
    })
  expect(others).toEqual([])
})

test('sets and drags the pin by mouse, and takes coordinates that were copied', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
}) => {
  const order = await addOrder(waybill, partners.fabryka)
  await openPlace(page, order)
  const map = page.getByRole('application', { name: 'Map' })
  await map.click({ position: { x: 200, y: 120 } })
  await expect(field(page, 'latitude')).not.toHaveValue('')
  const pin = page.getByRole('button', { name: /^Pin\./ })
  const before = await field(page, 'longitude').inputValue()
  const box = (await pin.boundingBox())!
  await page.mouse.move(box.x + 14, box.y + 14)
  await page.mouse.down()
  await page.mouse.move(box.x + 74, box.y + 14, { steps: 6 })
  await page.mouse.up()
  await expect.poll(async () => Number(await field(page, 'longitude').inputValue())).toBeGreaterThan(Number(before))

  const search = page.getByRole('combobox', { name: 'Find a place' })
  await search.fill('53.5278, 10.0656')
  await expect(page.getByText('Enter sets the pin here.')).toBeVisible()
  await search.press('Enter')
  await expect(field(page, 'latitude')).toHaveValue('53.5278')
  await field(page, 'latitude').fill('95')
  await save(page)
  await expect(page.getByText('The value must be at most 90').first()).toBeVisible()
})

test('says what is missing: a place, a country, an answer, the outlines', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  expectAccessible,
}) => {
  const order = await addOrder(waybill, partners.fabryka, {
    city: 'Hamburg',
    address: 'Billbrookdeich 210',
    postal: '22113',
  })
  await page.route('**/countries-50m*', (route) => route.fulfill({ status: 404 }))
  await openPlace(page, order)
  await expect(page.getByText('The outlines of the map could not be loaded.')).toBeVisible()
  const search = page.getByRole('combobox', { name: 'Find a place' })
  await search.fill('nowhere is called this')
  await expect(page.getByText('Nothing found. Type the address by hand.')).toBeVisible({ timeout: 60_000 })
  await search.press('Enter')
  await search.press('Escape')
  await expect(search).toHaveValue('')
  await expect(field(page, 'city')).toHaveValue('Hamburg')

  await search.fill('chicago')
  await page
    .getByRole('option', { name: /Chicago/ })
    .first()
    .click()
  await expect(page.getByRole('alert')).toContainText('Country Not Found. United States is not among your countries.')
  await expect(page.getByRole('link', { name: 'Add the country' })).toHaveAttribute('href', '/countries/create')
  // Of another town neither street nor postal code are right.
  await expect(field(page, 'address')).toHaveValue('')
  await expectAccessible(page)

  const problem = {
    type: 'about:blank',
    title: 'Unavailable',
    status: 429,
    code: 'rate_limited',
    detail: 'Too many attempts',
    requestId: 'place-1',
  }
  await page.route('**/api/places?*', (route) =>
    route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  )
  await search.fill('gdansk')
  await expect(page.getByRole('alert').filter({ hasText: 'Too many attempts' })).toBeVisible()
  await page.unroute('**/api/places?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('option').first()).toContainText('Gdańsk')
})

test('lays the tiles of the settings over the outlines, with their credit', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  shoot,
}) => {
  const order = await addOrder(waybill, partners.fabryka, { latitude: 53.5278, longitude: 10.0656 })
  const tile = [
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">',
    '<rect width="256" height="256" fill="#cde" stroke="#678" stroke-width="4"/></svg>',
  ].join('')
  const asked: string[] = []
  await page.route('**/api/places/map', (route) =>
    route.fulfill({ json: { tiles: { url: `${waybill.url}/tiles/{z}/{x}/{y}.svg`, attribution: '© Somebody & Co' } } }),
  )
  await page.route('**/tiles/**', (route) => {
    asked.push(new URL(route.request().url()).pathname)
    return route.fulfill({ contentType: 'image/svg+xml', body: tile })
  })
  await openPlace(page, order)
  await expect(page.getByText('© Somebody & Co · Towns © GeoNames')).toBeVisible()
  // Near enough for streets, with Hamburg in it.
  await expect.poll(() => asked).toContain('/tiles/14/8650/5296.svg')
  const layers = page.locator('.leaflet-overlay-pane')
  await expect(layers.locator('img.leaflet-tile-loaded').first()).toBeVisible()
  const height = (selector: string) =>
    layers
      .locator(selector)
      .first()
      .evaluate((element) => Number(getComputedStyle(element).zIndex))
  expect(await height('.leaflet-layer')).toBeGreaterThan(await height('svg'))
  await shoot(page, 'places tiles')
})

test('finds a customer’s pickup location on the map without network, and types it where nothing is found', {
  tag: '@long',
}, async ({ page, waybill, partners }) => {
  const others = await cutOff(page, waybill.url)
  await page.goto(`/customer/${partners.alpenfaden}/edit?tab=places`)
  await page.getByRole('button', { name: 'Add a place' }).click()
  await page.getByLabel('Company or ramp').fill('Alpenfaden Lager Süd')
  await expect.poll(() => page.locator('.leaflet-overlay-pane path').count()).toBeGreaterThan(100)
  const search = page.getByRole('combobox', { name: 'Find a place' })
  await search.fill('no such hamlet anywhere')
  await expect(page.getByText('Nothing found. Type the address by hand.')).toBeVisible({ timeout: 60_000 })
  await search.fill('lugano')
  await page
    .getByRole('option', { name: /Lugano/ })
    .first()
    .click()
  const place = (name: string) => page.locator(`[name="pickupLocations.0.${name}"]`)
  await expect(place('city')).toHaveValue('Lugano')
  await expect(place('latitude')).toHaveValue(/^46\.0/)
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue('Switzerland')
  await place('address').fill('Via Trevano 55')
  await save(page)
  await expect
    .poll(async () => (await waybill.api('GET', `customers/${partners.alpenfaden}`)).body.pickupLocations)
    .toMatchObject([
      {
        companyTitle: 'Alpenfaden Lager Süd',
        city: 'Lugano',
        address: 'Via Trevano 55',
        longitude: expect.any(Number),
      },
    ])
  expect(others).toEqual([])
})
