import { expect, test } from './support/test.ts'
import type { Partners } from './support/partners.ts'
import type { Waybill } from './support/waybill.ts'

async function fullTruck(
  { api, idOf }: Waybill,
  partners: Partners,
  customerOrderNumber: string,
): Promise<{ id: number; number: string }> {
  const { status, body } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber,
    customerPriceCents: 118_000,
    cargo: [{ key: 'c', title: 'Maschinenteile', quantity: 33, weightKg: 21_120 }],
    locations: [
      {
        kind: 'loading',
        termin: { kind: 'fix', dateFrom: '2026-11-30', timeFrom: '08:00' },
        countryId: await idOf('countries', 'Germany'),
        city: 'Hamburg',
        cargoActions: [{ cargoKey: 'c', action: 'PICK_UP' }],
      },
      {
        kind: 'unloading',
        termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' },
        countryId: await idOf('countries', 'Poland'),
        city: 'Poznań',
        cargoActions: [{ cargoKey: 'c', action: 'DROP_OFF' }],
      },
    ],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; number: string }
}

test.beforeEach(({ signIn }) => signIn())

test('makes a copy a week later from the order’s menu, and opens it', async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  const order = await fullTruck(waybill, partners, 'COPY-1')
  await page.goto(`/orders/${order.id}/edit`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Duplicate …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Keep dates' }).click()
  await dialog.getByRole('textbox', { name: 'Move by days' }).fill('soon')
  await expect(dialog.getByRole('button', { name: 'Duplicate', exact: true })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Move by days' }).fill('7')
  await expectAccessible(page)
  await shoot(page, 'copy-order')
  await page.keyboard.press('Enter')
  await expect(page.getByText(new RegExp(`is a copy of ${order.number}$`))).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(`/orders/${order.id}/`))
  await expect(page).toHaveURL(/\/orders\/\d+\/edit/)
  const { body: copy } = await waybill.api('GET', `orders/${/orders\/(\d+)/.exec(page.url())![1]!}`)
  expect(copy).toMatchObject({ status: 'new', customerPriceCents: 118_000, customerOrderNumber: null, routes: [] })
  expect((copy.locations as { termin: { dateFrom: string } }[]).map(({ termin }) => termin.dateFrom)).toEqual([
    '2026-12-07',
    '2026-12-08',
  ])
})

test('makes the return load from the list, and says what of unsaved typing', async ({ page, waybill, partners }) => {
  const order = await fullTruck(waybill, partners, 'COPY-2')
  await page.goto(`/orders?q=${order.number}`)
  await page.getByText(order.number, { exact: true }).first().waitFor()
  await page.keyboard.press('j')
  const peek = page.getByRole('complementary', { name: `Order ${order.number}` })
  if (!(await peek.isVisible())) await page.keyboard.press('Space')
  await peek.getByRole('button', { name: 'More for this order' }).click()
  await page.getByRole('menuitem', { name: 'Return load …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create return load' }).click()
  await expect(page.getByText(new RegExp(`is the return load of ${order.number}$`))).toBeVisible()
  await expect(page).toHaveURL(/\/orders\/\d+\/edit/)
  const { body: back } = await waybill.api('GET', `orders/${/orders\/(\d+)/.exec(page.url())![1]!}`)
  expect(
    (back.locations as { kind: string; city: string; termin: null }[]).map(({ kind, city, termin }) => [
      kind,
      city,
      termin,
    ]),
  ).toEqual([
    ['loading', 'Poznań', null],
    ['unloading', 'Hamburg', null],
  ])

  await page.locator('[name="description"]').fill('not saved')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Duplicate …' }).click()
  await expect(page.getByRole('dialog').getByText('Changes that are not saved yet are not taken over.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator('[name="description"]')).toHaveValue('not saved')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Discard changes' }).click()
})

test('takes orders in from a table: rows of one number are one order', async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  expect(partners.fabryka).toBeGreaterThan(0)
  const file = [
    [
      'Customer,Customer order number,Department,Price,Pick-up: city,Pick-up: country,Pick-up: date',
      'Drop-off: city,Drop-off: country,Drop-off: date,Cargo,Units,Weight (kg)',
    ].join(','),
    'Fabryka Mebli Łódź S.A.,TABLE-1,FTL West,1450,Łódź,Poland,2.12.2026,Bielefeld,Germany,03/12/2026,Sofas,9,2790',
    'Fabryka Mebli Łódź S.A.,TABLE-1,,,,,,Frechen,Germany,2026-12-04,Wardrobes,6,1680',
    'Nobody knows this one,TABLE-2,FTL West,900,Łódź,Poland,2.12.2026,Bielefeld,Germany,3.12.2026,Chairs,12,600',
  ].join('\n')
  await page.goto('/orders/import')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await expect(page.getByText('This record does not exist')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 3 rows' })).toBeDisabled()
  await expectAccessible(page)
  await shoot(page, 'orders-import')
  await page.getByRole('textbox', { name: 'Line 4, Customer' }).fill('PL7259012340')
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('Every row is right.')).toBeVisible()
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(page).toHaveURL(/\/orders(\?|$)/)
  const { body } = await waybill.api('GET', 'orders?q=TABLE-1', undefined)
  const { body: order } = await waybill.api('GET', `orders/${(body.items as { id: number }[])[0]!.id}`)
  expect((order.locations as { city: string }[]).map(({ city }) => city)).toEqual(['Łódź', 'Bielefeld', 'Frechen'])
  expect(order).toMatchObject({ customerOrderNumber: 'TABLE-1', customerPriceCents: 145_000 })
})

test('shows the customer’s mail beside the entry of an order, and keeps it word for word', async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  const mail = [
    'Betreff: Transportauftrag 4500129877 – Komplettladung Hamburg → Poznań',
    '',
    'Sehr geehrte Damen und Herren,',
    '  33 Europaletten (120 × 80 × 145 cm), „nicht stapelbar“ <dringend>',
    '\tGrüße',
  ].join('\n')
  await page.goto('/orders/create')
  await page.getByRole('combobox', { name: 'Customer' }).first().waitFor()
  await page.keyboard.press('Alt+m')
  const panel = page.getByRole('complementary', { name: 'Original message' })
  await expect(panel.getByRole('textbox')).toBeFocused()
  await panel.getByRole('textbox').fill(mail)
  await expectAccessible(page)
  await shoot(page, 'original-mail-new-order')
  await panel.getByRole('button', { name: 'Fold the original message away' }).click()
  await expect(panel).toBeHidden()
  await page.getByRole('button', { name: 'Original message' }).click()
  await expect(panel.getByRole('textbox')).toHaveValue(mail)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Original message' })).toBeFocused()

  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    originalMessage: mail,
  })
  await page.goto(`/orders/${order.id as number}/edit`)
  await page.getByRole('button', { name: /^Mails/ }).click()
  await page.getByRole('button', { name: 'Original message' }).click()
  await expect(panel.getByRole('textbox')).toHaveValue(mail)
  await shoot(page, 'original-mail-order')
  await panel.getByRole('textbox').fill(`${mail}\nP.S.`)
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () => (await waybill.api('GET', `orders/${order.id as number}`)).body.originalMessage)
    .toBe(`${mail}\nP.S.`)
})

test('leads by one key into the customer’s mail, out to the field that was in hand, and in again', async ({
  page,
  waybill,
  partners,
}) => {
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    originalMessage: '33 Europaletten',
  })
  await page.goto(`/orders/${order.id as number}/edit`)
  const number = page.locator('[name="customerOrderNumber"]')
  const panel = page.getByRole('complementary', { name: 'Original message' })
  await number.focus()
  await page.keyboard.press('Alt+m')
  await expect(panel.getByRole('textbox')).toBeFocused()
  // Typing goes on beside the mail; the key leads back into it before it folds it away.
  const description = page.locator('[name="description"]')
  await description.fill('33 pallets')
  await expect(panel).toBeVisible()
  await page.keyboard.press('Alt+m')
  await expect(panel.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Alt+m')
  await expect(panel).toBeHidden()
  await expect(description).toBeFocused()
  await number.focus()
  await page.keyboard.press('Alt+m')
  await expect(panel.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(number).toBeFocused()
  await expect(description).toHaveValue('33 pallets')
})

test('makes the return load by keyboard alone, and gives the hand back where it is given up', async ({
  page,
  waybill,
  partners,
}) => {
  const order = await fullTruck(waybill, partners, 'COPY-3')
  await page.goto(`/orders/${order.id}/edit`)
  const more = page.getByRole('button', { name: 'More', exact: true })
  const entry = page.getByRole('menuitem', { name: 'Return load …' })
  const open = async () => {
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await expect(async () => {
      await page.keyboard.press('ArrowDown')
      await expect(entry).toBeFocused({ timeout: 300 })
    }).toPass()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByRole('button', { pressed: true }).first()).toBeFocused()
  }
  await more.focus()
  await open()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await open()
  await page.keyboard.press('Enter')
  await expect(page.getByText(new RegExp(`is the return load of ${order.number}$`))).toBeVisible()
})
