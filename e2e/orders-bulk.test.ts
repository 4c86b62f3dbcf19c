import type { Locator, Page } from '@playwright/test'
import { addDays, instantOf, localOf } from '@waybill/contract/kit/local-time'
import { readFile } from 'node:fs/promises'
import { addPerson, signInAs } from './support/people.ts'
import { withoutEvents } from './support/events.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

// What has happened at a stop lies before now.
const yesterday = addDays(localOf(new Date(), 'Europe/Berlin').date, -1)
const dayTyped = (date: string): string => date.split('-').toReversed().join('.')

interface Made {
  id: number
  number: string
  version: number
}

/** Orders of one customer, whose name is what they are found by. */
async function shelf({ api, idOf }: Waybill, title: string) {
  const countryId = await idOf('countries', 'Germany')
  const { body: customer } = await api('POST', 'customers', { title, countryId })
  const departmentId = await idOf('departments', 'FTL West')
  const stop = (kind: string, city: string, dateFrom: string, action: string) => ({
    kind,
    countryId,
    city,
    termin: { kind: 'fix', dateFrom, timeFrom: '08:00' },
    cargoActions: [{ cargoKey: 'cargo', action }],
  })
  const add = async (more: object = {}): Promise<Made> => {
    const { status, body } = await api('POST', 'orders', { customerIds: [customer.id], departmentId, ...more })
    expect(status, JSON.stringify(body)).toBe(201)
    return body as Made
  }
  const stops = {
    cargo: [{ key: 'cargo', title: 'Ware' }],
    locations: [stop('loading', 'Kiel', '2026-12-01', 'PICK_UP'), stop('unloading', 'Ulm', '2026-12-02', 'DROP_OFF')],
  }
  const move = async ({ id }: Made, to: string, more: object = {}) => {
    const { body: now } = await api('GET', `orders/${id}`)
    const { status, body } = await api(
      'POST',
      `orders/${id}/status`,
      { to, ...more },
      { 'if-match': `"${now.version as number}"` },
    )
    expect(status, JSON.stringify(body)).toBe(200)
  }
  return {
    /** nothing but its customer: it cannot be scheduled */
    bare: () => add(),
    /** may be scheduled */
    ready: () => add({ ...stops, disposition: 'OWN_FLEET' }),
    /** has a route of our own fleet */
    routed: () => add({ ...stops, routes: [{ assignment: { ownFleet: true } }] }),
    move,
  }
}

const row = (page: Page, order: Made): Locator => page.getByRole('row').filter({ hasText: order.number })
const statusOf = async ({ api }: Waybill, order: Made): Promise<string> =>
  (await api('GET', `orders/${order.id}`)).body.status as string
const bar = (page: Page, count: number) => page.getByRole('region', { name: `${count} selected` })
const choose = async (page: Page, q: string, ...orders: Made[]) => {
  await page.goto(`/orders?q=${q}`)
  for (const order of orders) await row(page, order).getByRole('checkbox').check()
  await expect(bar(page, orders.length)).toBeVisible()
}
test('moves several orders at once, names before what keeps others back, and keeps those chosen', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { ready, bare, move } = await shelf(waybill, 'Sammelgriff Status OHG')
  const orders = { ready: await ready(), bare: await bare(), gone: await ready() }
  await move(orders.gone, 'scheduled')
  await signIn()
  await choose(page, 'sammelgriff%20status', orders.ready, orders.bare, orders.gone)
  await bar(page, 3).getByRole('button', { name: 'Status' }).click()
  await expect(page.getByRole('menuitem', { name: 'Scheduled 2 of 3' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Scheduled 2 of 3' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set 1 order to Scheduled' })
  await expect(dialog).toContainText(`Cannot go there and stays as it is: ${orders.gone.number}`)
  await expect(dialog).toContainText('1 order cannot go there yet and stays as it is:')
  await expect(dialog.getByRole('listitem').filter({ hasText: orders.bare.number })).toContainText(/pick-up/)
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await shoot(page, 'orders-bulk-blocked')
  await dialog.getByRole('button', { name: 'Set to Scheduled' }).click()
  await expect(page.getByText('1 order changed')).toBeVisible()
  await expect(row(page, orders.ready)).toContainText('Scheduled')
  await expect(row(page, orders.ready).getByRole('checkbox')).not.toBeChecked()
  await expect(row(page, orders.bare).getByRole('checkbox')).toBeChecked()
  await expect(row(page, orders.gone).getByRole('checkbox')).toBeChecked()
  expect([await statusOf(waybill, orders.ready), await statusOf(waybill, orders.bare)]).toEqual(['scheduled', 'new'])
})

test('asks once for the reason or the time that the chosen orders need', async ({ page, waybill, signIn }) => {
  const { routed, move } = await shelf(waybill, 'Sammelgriff Zeiten OHG')
  const orders = [await routed(), await routed()]
  for (const order of orders) await move(order, 'scheduled')
  await signIn()
  await choose(page, 'sammelgriff%20zeiten', ...orders)
  const status = page.getByRole('button', { name: 'Status', exact: true })
  await bar(page, 2).locator(status).click()
  await page.getByRole('menuitem', { name: 'In transit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Loaded').fill('lately')
  await dialog.getByRole('button', { name: 'Set to In transit' }).click()
  await expect(dialog).toContainText('This date does not exist')
  await dialog.getByLabel('Loaded').fill(`${dayTyped(yesterday)} 07:15`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 orders changed')).toBeVisible()
  for (const { id } of orders)
    expect((await waybill.api('GET', `orders/${id}`)).body).toMatchObject({
      status: 'in_transit',
      locations: [{ loadedAt: expect.stringContaining(`${yesterday}T`) }, { loadedAt: null }],
    })

  for (const order of orders) await row(page, order).getByRole('checkbox').check()
  await bar(page, 2).locator(status).click()
  await page.getByRole('group', { name: 'Back and out' }).getByRole('menuitem', { name: 'Scheduled' }).click()
  await dialog.getByRole('button', { name: 'Set to Scheduled' }).click()
  await expect(dialog).toContainText('The field is required')
  await dialog.getByLabel('Reason').fill('lorry broke down')
  await dialog.getByRole('button', { name: 'Set to Scheduled' }).click()
  await expect(dialog).toHaveCount(0)
  for (const order of orders) expect(await statusOf(waybill, order)).toBe('scheduled')
})

test('hands several orders to a case worker, overwrites nobody, and succeeds at the second try', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
}) => {
  const { bare } = await shelf(waybill, 'Sammelgriff Hände OHG')
  const [first, second] = [await bare(), await bare()]
  const person = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  const { body: user } = await waybill.api('GET', `users/${person.id}`)
  await withoutEvents(page)
  await signIn()
  await choose(page, 'sammelgriff%20hande', first, second)
  await waybill.api('PATCH', `orders/${second.id}`, { description: 'theirs' }, { 'if-match': `"${second.version}"` })
  await bar(page, 2).getByRole('button', { name: 'Case worker' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Set case worker' }).click()
  await expect(dialog).toContainText('The field is required')
  await dialog.getByLabel('Case worker').fill(user.fullName)
  await expect(page.getByRole('option', { name: user.fullName, exact: true })).toHaveAttribute(
    'data-combobox-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Set case worker' }).click()
  await expect(dialog.getByRole('alert')).toContainText(second.number)
  expect((await waybill.api('GET', `orders/${first.id}`)).body.caseWorkerId).toBe(person.id)
  expect((await waybill.api('GET', `orders/${second.id}`)).body.caseWorkerId).not.toBe(person.id)
  await dialog.getByRole('button', { name: 'Set case worker' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await waybill.api('GET', `orders/${second.id}`)).body).toMatchObject({
    caseWorkerId: person.id,
    description: 'theirs',
  })
})

test('takes out the chosen orders alone, whatever the list is narrowed to by now', async ({
  page,
  waybill,
  signIn,
}) => {
  const { bare } = await shelf(waybill, 'Sammelgriff Auszug OHG')
  const orders = [await bare(), await bare(), await bare()]
  await signIn()
  await choose(page, 'sammelgriff%20auszug', orders[0]!, orders[2]!)
  await page.getByRole('textbox', { name: 'Find in this list' }).fill(orders[1]!.number)
  await expect(row(page, orders[0]!)).toHaveCount(0)
  await bar(page, 2).getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV file' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(orders.map(({ number }) => file.includes(number))).toEqual([true, false, true])
})

test('moves one order at its badge by key, takes it back, and stays in the list', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { ready, bare } = await shelf(waybill, 'Statusknopf Eins OHG')
  const [order, other] = [await ready(), await bare()]
  await signIn()
  await page.goto('/orders?q=statusknopf%20eins&sort=number')
  await expect(row(page, order)).toBeVisible()
  await page.keyboard.press('j')
  await expect(row(page, order).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Change the row’s status')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('s')
  const menu = page.getByRole('menu', { name: 'Status: New. Change' })
  await expect(menu.getByRole('menuitem')).toHaveText([/^Scheduled/, /^Canceled/])
  await expectAccessible(page)
  await shoot(page, 'orders-list-status')
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(row(page, order).getByRole('button', { name: 'Status: New. Change' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(menu.getByRole('menuitem', { name: 'Scheduled' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${order.number} is Scheduled`)).toBeVisible()
  await expect(row(page, order)).toContainText('Scheduled')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${order.number}: the status was taken back`)).toBeVisible()
  await expect(row(page, order)).toContainText('New')
  expect(await statusOf(waybill, order)).toBe('new')
  await expect(page).toHaveURL(/\/orders\?/)

  // What it lacks is told where it cannot go; what needs a reason asks for it.
  await row(page, other).getByRole('button', { name: 'Status: New. Change' }).click()
  await page.getByRole('menuitem', { name: 'Scheduled' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The status was not changed' })).toContainText(/pick-up/)
  await row(page, other).getByRole('button', { name: 'Status: New. Change' }).click()
  await page.getByRole('menuitem', { name: 'Canceled' }).click()
  await expect(page.getByRole('dialog', { name: 'Cancel this order?' }).locator('footer button')).toHaveText([
    'Keep order',
    'Cancel order',
  ])
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByRole('dialog')).toContainText('The field is required')
  await page.getByRole('dialog').getByLabel('Reason').fill('called off')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
  const message = page.getByText(`${other.number} is Canceled`)
  await expect(message).toBeVisible()
  const { height } = page.viewportSize()!
  expect((await message.boundingBox())!.y).toBeGreaterThan(height / 2)
  expect(await statusOf(waybill, other)).toBe('canceled')
  await expect(page).toHaveURL(/\/orders\?/)
  // What was said here is not said on the next screen.
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(message).toHaveCount(0, { timeout: 4_000 })
})

test('asks at the badge for the times that the stops lack', async ({ page, waybill, signIn }) => {
  const { routed, move } = await shelf(waybill, 'Statusknopf Zeit OHG')
  const order = await routed()
  await move(order, 'scheduled')
  await signIn()
  await page.goto('/orders?q=statusknopf%20zeit')
  await row(page, order).getByRole('button', { name: 'Status: Scheduled. Change' }).click()
  await page.getByRole('menuitem', { name: 'In transit' }).click()
  const time = page.getByRole('dialog').getByLabel('Loaded, Kiel')
  await time.fill(`${dayTyped(addDays(yesterday, 2))} 07:15`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('This time has not come yet')
  await time.fill(`${dayTyped(yesterday)} 07:15`)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${order.number} is In transit`)).toBeVisible()
  await expect(row(page, order)).toContainText('In transit')
  expect((await waybill.api('GET', `orders/${order.id}`)).body.locations[0].loadedAt).toBe(
    instantOf(yesterday, '07:15', 'Europe/Berlin'),
  )
})

test('says at the badge that somebody was faster, and shows the order as it is now', async ({
  page,
  waybill,
  signIn,
}) => {
  const { ready, move } = await shelf(waybill, 'Statusknopf Rennen OHG')
  const order = await ready()
  await withoutEvents(page)
  await signIn()
  await page.goto('/orders?q=statusknopf%20rennen')
  await expect(row(page, order)).toContainText('New')
  await move(order, 'canceled', { reason: 'theirs' })
  await row(page, order).getByRole('button', { name: 'Status: New. Change' }).click()
  await page.getByRole('menuitem', { name: 'Scheduled' }).click()
  await expect(page.getByText(`${order.number} was changed by somebody else`)).toBeVisible()
  await expect(row(page, order)).toContainText('Canceled')
  expect(await statusOf(waybill, order)).toBe('canceled')
})

test('leaves a plain badge where nothing may be moved: at the end of the way, put aside, merged', async ({
  page,
  waybill,
  partners,
}) => {
  const { bare, ready, move } = await shelf(waybill, 'Statusknopf Ende OHG')
  const [canceled, idle, open, source, other] = [await bare(), await bare(), await ready(), await bare(), await bare()]
  expect(
    (
      await waybill.api('POST', 'orders/merge', {
        orderIds: [source.id, other.id],
        carrierCompanyId: partners.transwarta,
      })
    ).status,
  ).toBe(201)
  await move(canceled, 'canceled', { reason: 'called off' })
  await waybill.api('PATCH', `orders/${idle.id}`, { state: 'inactive' }, { 'if-match': `"${idle.version}"` })
  await signInAs(page, waybill, await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] }))
  await page.goto('/orders?q=statusknopf%20ende')
  await expect(row(page, open).getByRole('button', { name: 'Status: New. Change' })).toBeVisible()
  await expect(row(page, canceled)).toContainText('Canceled')
  await expect(row(page, canceled).getByRole('button')).toHaveCount(0)
  await expect(row(page, source)).toContainText('Merged')
  await expect(row(page, source).getByRole('button')).toHaveCount(0)
  await page.goto('/orders?q=statusknopf%20ende&state=inactive')
  await expect(row(page, idle)).toContainText('New')
  await expect(row(page, idle).getByRole('button')).toHaveCount(0)
})
