import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const CUSTOMER = 'Kartonwerk Süd Merge GmbH'
const CARRIER = 'Brennero Sammelgut S.r.l.'

interface World {
  customerId: number
  carrierId: number
  departmentId: number
  otherDepartmentId: number
  countries: { DE: number; IT: number }
}

let world: World | null = null

async function worldOf({ api, idOf }: Waybill): Promise<World> {
  if (world !== null) return world
  const countries = { DE: await idOf('countries', 'Germany'), IT: await idOf('countries', 'Italy') }
  const add = async (resource: string, body: object): Promise<number> => {
    const { status, body: made } = await api('POST', resource, body)
    expect(status, JSON.stringify(made)).toBe(201)
    return made.id as number
  }
  const departmentId = await idOf('departments', 'FTL West')
  const { companyId } = (await api('GET', `departments/${departmentId}`)).body as { companyId: number }
  world = {
    customerId: await add('customers', { title: CUSTOMER, countryId: countries.DE, city: 'Gersthofen' }),
    carrierId: await add('carrier-companies', { title: CARRIER, countryId: countries.IT, city: 'Bolzano' }),
    departmentId,
    otherDepartmentId: await add('departments', { abbreviation: 'Sammel', companyId, countryId: countries.DE }),
    countries,
  }
  return world
}

interface Made {
  id: number
  number: string
  version: number
}

/** A groupage order from Gersthofen to Italy; `mark` is what it is found by. */
async function addOrder(
  waybill: Waybill,
  mark: string,
  title: string,
  city: string,
  day: string,
  customerPriceCents: number,
  more: object = {},
): Promise<Made> {
  const { customerId, departmentId, countries } = await worldOf(waybill)
  const { status, body } = await waybill.api('POST', 'orders', {
    customerIds: [customerId],
    departmentId,
    customerOrderNumber: mark,
    customerPriceCents,
    cargo: [{ key: 'cargo', title }],
    locations: [
      {
        kind: 'loading',
        countryId: countries.DE,
        city: 'Gersthofen',
        termin: { kind: 'period', dateFrom: '2026-12-01', timeFrom: '07:00', timeTo: '15:00' },
        cargoActions: [{ cargoKey: 'cargo', action: 'PICK_UP' }],
      },
      {
        kind: 'unloading',
        countryId: countries.IT,
        city,
        termin: { kind: 'before', dateFrom: day, timeFrom: '12:00' },
        cargoActions: [{ cargoKey: 'cargo', action: 'DROP_OFF' }],
      },
    ],
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as Made
}

const groupage = (waybill: Waybill, mark: string) =>
  Promise.all([
    addOrder(waybill, mark, 'Gitterboxen', 'Milano', '2026-12-03', 41_000),
    addOrder(waybill, mark, 'Rollen Papier', 'Legnano', '2026-12-04', 52_000),
    addOrder(waybill, mark, 'Muster', 'Como', '2026-12-05', 16_500),
  ])

const chooseAll = async (page: Page, mark: string, count: number) => {
  await page.goto(`/orders?q=${mark}`)
  await expect(page.getByRole('row').filter({ hasText: CUSTOMER })).toHaveCount(count)
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await expect(page.getByRole('region', { name: `${count} selected` })).toBeVisible()
}
const openMerge = (page: Page) => page.getByRole('button', { name: 'Merge …' }).click()
const modal = (page: Page) => page.getByRole('dialog')

/** Chooses the carrier by typing, and sends with Enter. */
async function mergeByKeyboard(page: Page): Promise<void> {
  await openMerge(page)
  await modal(page).getByLabel('Carrier').fill('Brennero')
  await expect(page.getByRole('option', { name: CARRIER })).toHaveAttribute('data-combobox-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(modal(page).getByLabel('Carrier')).toHaveValue(CARRIER)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Orders are successfully merged')).toBeVisible()
  await expect(page).toHaveURL(/\/orders\/\d+\/edit$/)
}

test.beforeEach(async ({ waybill, signIn }) => {
  await worldOf(waybill)
  await signIn()
})

test('names before the click which orders stand in the way and why, and needs two', { tag: '@long' }, async ({
  page,
  waybill,
  expectAccessible,
  shoot,
}) => {
  const { otherDepartmentId, carrierId } = await worldOf(waybill)
  const good = await addOrder(waybill, 'MERGE-OBSTACLE', 'Gitterboxen', 'Milano', '2026-12-03', 41_000)
  const elsewhere = await addOrder(waybill, 'MERGE-OBSTACLE', 'Rollen', 'Legnano', '2026-12-03', 52_000, {
    departmentId: otherDepartmentId,
  })
  const planned = await addOrder(waybill, 'MERGE-OBSTACLE', 'Muster', 'Como', '2026-12-04', 16_500, {
    routes: [{ assignment: { carrierCompanyId: carrierId } }],
  })
  await page.goto('/orders?q=MERGE-OBSTACLE')
  await page.getByRole('checkbox', { name: `Select ${good.number}` }).check()
  await expect(page.getByRole('button', { name: 'Merge …' })).toBeDisabled()
  await page.getByRole('checkbox', { name: `Select ${elsewhere.number}` }).check()
  await page.getByRole('checkbox', { name: `Select ${planned.number}` }).check()
  await openMerge(page)
  await expect(modal(page)).toContainText(`Order ${elsewhere.number} belongs to another department`)
  await expect(modal(page)).toContainText(`Order ${planned.number} has a route already`)
  await expect(modal(page)).not.toContainText(`Order ${good.number} `)
  await expect(modal(page).getByRole('button', { name: 'Merge', exact: true })).toBeDisabled()
  await expectAccessible(page)
  await shoot(page, 'merge-obstacles')
  await page.keyboard.press('Escape')
  await expect(modal(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: '3 selected' })).toBeVisible()
})

test('merges three groupage orders onto one carrier, and shows whence each cargo came', { tag: '@long' }, async ({
  page,
  waybill,
  expectAccessible,
  shoot,
}) => {
  const sources = await groupage(waybill, 'MERGE-MILANO')
  await chooseAll(page, 'MERGE-MILANO', 3)
  await openMerge(page)
  await expect(modal(page)).toContainText('1,095.00 €')
  await modal(page).getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(modal(page)).toContainText('The field is required')
  await expectAccessible(page)
  await shoot(page, 'merge-modal')
  await page.keyboard.press('Escape')
  await mergeByKeyboard(page)

  const from = page.getByRole('group', { name: 'Merged from' })
  for (const [place, { number }] of sources.entries())
    await expect(from.getByRole('row').filter({ has: page.getByRole('link', { name: number }) })).toContainText(
      ['Gitterboxen', 'Rollen Papier', 'Muster'][place]!,
    )
  await expect(from).toContainText('1,095.00 €')
  await expect(page.getByRole('group', { name: 'Stops', exact: true })).toContainText(
    /Gersthofen.*Gersthofen.*Gersthofen.*Milano.*Legnano.*Como/,
  )
  await expectAccessible(page)
  await shoot(page, 'merge-result')
})

test('leads from a merged order, which takes nothing any more, to its result, and takes the merge back', {
  tag: '@long',
}, async ({ page, waybill, expectAccessible, shoot }) => {
  const sources = await groupage(waybill, 'MERGE-BACK')
  const { carrierId } = await worldOf(waybill)
  const { body: made } = await waybill.api('POST', 'orders/merge', {
    orderIds: sources.map(({ id }) => id),
    carrierCompanyId: carrierId,
  })
  const result = new RegExp(`/orders/${made.id as number}/edit$`)
  await page.goto(`/orders/${made.id as number}/edit`)
  const from = page.getByRole('group', { name: 'Merged from' })

  // The source says where its goods are.
  await from.getByRole('link', { name: sources[1]!.number }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(sources[1]!.number)
  await expect(page.getByText('This order was merged and can no longer be changed.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Customer order number' })).not.toBeEditable()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await shoot(page, 'merge-source')
  await page.getByRole('link', { name: /^To order / }).click()
  await expect(page).toHaveURL(result)

  // In the list its status leads there, and so does the look beside it.
  await page.goto(`/orders?q=MERGE-BACK&status[]=merged`)
  const row = page.getByRole('row').filter({ hasText: sources[0]!.number })
  await row.getByRole('link', { name: 'Merged' }).click()
  await expect(page).toHaveURL(result)

  await page.getByRole('button', { name: 'Undo merge …' }).click()
  await expect(modal(page)).toContainText('3 orders become new again')
  await modal(page).getByRole('button', { name: 'Undo merge' }).click()
  await expect(page.getByText('The merge was undone').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Canceled/ })).toBeVisible()
  await expect(from.getByRole('link', { name: sources[2]!.number })).toBeVisible()
  const { body } = await waybill.api('GET', `orders/${sources[2]!.id}`)
  expect(body).toMatchObject({ status: 'new', mergedIntoId: null })
})

test('says why a merge can no longer be undone', { tag: '@long' }, async ({ page, waybill }) => {
  const sources = await groupage(waybill, 'MERGE-EDITED')
  const { carrierId } = await worldOf(waybill)
  const { status, body: result } = await waybill.api('POST', 'orders/merge', {
    orderIds: sources.map(({ id }) => id),
    carrierCompanyId: carrierId,
  })
  expect(status, JSON.stringify(result)).toBe(201)
  await waybill.api('PATCH', `orders/${result.id as number}`, { description: 'call before' }, { 'if-match': '"1"' })
  await page.goto(`/orders/${result.id as number}/edit`)
  await expect(page.getByText('The order was changed after merging')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo merge …' })).toBeDisabled()
})

test('tells who was slower what the orders are by now, and keeps what was chosen', { tag: '@long' }, async ({
  page,
  waybill,
}) => {
  const sources = await groupage(waybill, 'MERGE-SLOWER')
  const { carrierId } = await worldOf(waybill)
  await chooseAll(page, 'MERGE-SLOWER', 3)
  await openMerge(page)
  await modal(page).getByLabel('Carrier').fill('Brennero')
  await page.getByRole('option', { name: CARRIER }).click()
  const faster = await waybill.api('POST', 'orders/merge', {
    orderIds: [sources[0]!.id, sources[1]!.id],
    carrierCompanyId: carrierId,
  })
  expect(faster.status).toBe(201)
  await modal(page).getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(modal(page)).toContainText(`Order ${sources[0]!.number} is not new any more`)
  await expect(modal(page)).toContainText(`Order ${sources[1]!.number} is not new any more`)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: '3 selected' })).toBeVisible()
})
