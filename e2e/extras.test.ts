import type { Page } from '@playwright/test'
import { dayFromToday } from './support/days.ts'
import type { Partners } from './support/partners.ts'
import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

/** A transport for 1,450.00 € that costs 1,180.00 €. */
async function addTransport({ api, idOf }: Waybill, partners: Partners) {
  const stop = (key: string, kind: string, countryId: number, city: string, action: string, day: string) => ({
    key,
    kind,
    city,
    countryId,
    termin: { kind: 'fix', dateFrom: day },
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const [germany, poland] = [await idOf('countries', 'Germany'), await idOf('countries', 'Poland')]
  const { status, body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 145_000,
    cargo: [{ key: 'a', title: 'Maschinenteile', quantity: 3 }],
    locations: [
      stop('from', 'loading', poland, 'Łódź', 'PICK_UP', dayFromToday(-5)),
      stop('to', 'unloading', germany, 'Frechen', 'DROP_OFF', dayFromToday(-3)),
    ],
    routes: [
      {
        locationKeys: ['from', 'to'],
        assignment: { carrierCompanyId: partners.transwarta, plateNumber: 'PO 7K412', costCents: 118_000, vatBp: 0 },
      },
    ],
  })
  expect(status, JSON.stringify(order)).toBe(201)
  return order as { id: number; number: string; routes: { id: number }[] }
}

async function openExtras(page: Page, orderId: number) {
  await page.goto(`/orders/${orderId}/edit`)
  await page.getByRole('link', { name: /Extras$/ }).click()
  const section = page.locator('#extras-body')
  await expect(section.getByRole('button', { name: 'Add extra' })).toBeVisible()
  return section
}

test('waiting time is entered, approved, seen in the margin and invoiced once', { tag: '@long' }, async ({
  page,
  partners,
  shoot,
  signIn,
  expectAccessible,
  waybill,
}) => {
  const order = await addTransport(waybill, partners)
  await signIn()
  const section = await openExtras(page, order.id)
  const header = page.getByRole('banner').or(page.locator('header')).filter({ hasText: order.number })
  await expect(header.getByText('270.00 € 18.6 %').first()).toBeVisible()

  // By keys: it opens at its kind, Enter saves.
  await section.getByRole('button', { name: 'Add extra' }).click()
  const editor = section.getByRole('form', { name: 'Add extra' })
  await expect(
    editor.getByRole('combobox', { name: 'Kind' }).or(editor.locator('[name="extra-kind"]')).first(),
  ).toBeFocused()
  await editor.locator('[name="extra-quantity"]').fill('2.5')
  await editor.locator('[name="extra-quantity"]').press('Enter')
  await expect(editor.getByText('Enter what the customer pays, what the carrier gets, or both')).toBeVisible()
  await editor.locator('[name="extra-priceCents"]').fill('42.50')
  await editor.locator('[name="extra-costCents"]').fill('30')
  await expect(editor.getByText('Customer pays 106.25 € net · Carrier gets 75.00 € net')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'extras-editor')
  await editor.locator('[name="extra-costCents"]').press('Enter')
  const row = section.getByRole('row', { name: /Waiting time/ })
  await expect(row).toContainText('2.5 h')
  await expect(section.getByText('Open, not counted')).toBeVisible()
  await expect(header.getByText('270.00 € 18.6 %').first()).toBeVisible()

  await row.getByRole('button', { name: 'Approve: Waiting time' }).click()
  await expect(row).toContainText('Approved')
  await expect(header.getByText('301.25 € 19.4 %').first()).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'extras-approved')

  const made = await waybill.api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await page.goto(`/invoices/${made.body.id}/edit`)
  await expect(page.locator('[name="lines.1.text"]')).toHaveValue(/ \(Stunden\)$/)
  await expect(page.getByText('1,556.25').first()).toBeVisible()

  // What is billed cannot be taken back any more.
  const again = await openExtras(page, order.id)
  await expect(again.getByRole('link', { name: made.body.innerNumber })).toBeVisible()
  await expect(again.getByRole('button', { name: /Take the decision back/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'History' }).first().click()
  await expect(page.getByText('Extra approved')).toBeVisible()
})

test('tolls on a carrier’s invoice become an extra of the order when they are answered', { tag: '@long' }, async ({
  page,
  partners,
  signIn,
  waybill,
}) => {
  const order = await addTransport(waybill, partners)
  const made = await waybill.api('POST', 'invoices', {
    entityType: 'carrier',
    carrierCompanyId: partners.transwarta,
    orderIds: [order.id],
    routeId: order.routes[0]!.id,
    number: 'FV/EXTRA/1',
    amountCents: 126_500,
    vatBp: 0,
    documentCreationDate: dayFromToday(0),
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await signIn()
  await page.goto(`/invoices/check?invoice=${made.body.id}`)
  await expect(page.getByText('agreed 1,180.00, +85.00 (7.2 %)')).toBeVisible()
  await page.getByRole('radio', { name: /Tolls/ }).check()
  // Its proof of delivery is missing, which asks for a reason.
  await page.getByRole('textbox', { name: /Reason|Why/ }).fill('As telephoned')
  await page.getByRole('button', { name: /^Approve/ }).click()
  await expect(page.getByText(/FV\/EXTRA\/1.*approved/i).first()).toBeVisible()

  const section = await openExtras(page, order.id)
  const row = section.getByRole('row', { name: /Tolls/ })
  await expect(row).toContainText('85.00')
  await expect(row).toContainText('Approved')
  await expect(page.getByText('185.00 € 12.8 %').first()).toBeVisible()
})

test('who processes invoices approves what waits on draft and check, and bills it as a line', { tag: '@long' }, async ({
  page,
  partners,
  shoot,
  signIn,
  expectAccessible,
  waybill,
}) => {
  const order = await addTransport(waybill, partners)
  const { body: draft } = await waybill.api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  const { body: received } = await waybill.api('POST', 'invoices', {
    entityType: 'carrier',
    carrierCompanyId: partners.transwarta,
    orderIds: [order.id],
    routeId: order.routes[0]!.id,
    number: 'FV/EXTRA/2',
    amountCents: 122_500,
    vatBp: 0,
    documentCreationDate: dayFromToday(0),
  })
  const entered = await waybill.api('POST', `orders/${order.id}/extras`, {
    kind: 'waiting_time',
    quantity: 1.5,
    unit: 'hour',
    priceCents: 4_000,
    costCents: 3_000,
    note: 'Ramp 4',
  })
  expect(entered.status, JSON.stringify(entered.body)).toBe(201)
  const clerk = await addPerson(waybill, { permissions: ['INVOICES_PROCESSING'] })
  await signIn(clerk)

  // On the carrier's invoice: approved, it is part of what was agreed.
  await page.goto(`/invoices/check?invoice=${received.id}`)
  const waiting = page.getByRole('region', { name: 'Extras that wait' })
  await expect(waiting).toContainText('Waiting time')
  await expect(waiting).toContainText('45.00')
  await expect(page.getByText('agreed 1,180.00, +45.00 (3.8 %)')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'extras-check')
  await waiting.getByRole('button', { name: 'Approve: Waiting time' }).click()
  await expect(waiting).toBeHidden()
  await expect(page.getByText('agreed 1,180.00')).toBeHidden()

  // On the draft: it waits to be billed, and becomes a line with its order's VAT.
  await page.goto(`/invoices/${draft.id}/edit`)
  await expect(waiting).toContainText('approved, not invoiced')
  await expectAccessible(page)
  await shoot(page, 'extras-draft')
  await waiting.getByRole('button', { name: 'Add as a line: Waiting time' }).click()
  await expect(waiting).toBeHidden()
  await expect(page.locator('[name="lines.1.text"]')).toHaveValue(`Standzeit ${order.number} (Stunden)`)
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByText(/saved successfully/)).toBeVisible()
  expect((await waybill.api('GET', `invoices/${draft.id}`)).body).toMatchObject({
    amountCents: 151_000,
    lines: [{ kind: 'freight' }, { kind: 'extra', extraId: entered.body.id, vatBp: 1900 }],
  })
})
