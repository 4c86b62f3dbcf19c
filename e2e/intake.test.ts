import { holdBackCode } from './support/hold-back.ts'
import { expect, test } from './support/test.ts'
import { addCustomer, Typist } from './support/typist.ts'

/*
 * Transport orders as customers mail them, from the mail to the saved order, by somebody who never touches the mouse.
 * Every key counts one, a chord too.
 */

const ORDER_1 = `Betreff: Transportauftrag 4500129877 – Komplettladung Hamburg → Poznań

Sehr geehrte Damen und Herren,
bitte übernehmen Sie folgende Komplettladung:
Beladung: Nordlicht Maschinenbau GmbH, Billbrookdeich 210, 22113 Hamburg, Tor 4, Mo 30.11.2026 08:00–12:00 Uhr, \
Herr Jansen +49 40 5550 1204
Entladung: Wielkopolska Tech Sp. z o.o., ul. Bukowska 285, 60-189 Poznań, Di 01.12.2026 fix 07:00, \
Pani Nowicka +48 61 555 22 10
33 Europaletten (120 × 80 × 145 cm), je 640 kg, Maschinenteile, nicht stapelbar, Warenwert 86.000 €
Fracht 1.180,00 € netto, 45 Tage. CMR und Palettenschein bitte binnen 5 Tagen. Keine Umladung.
Rechnung an: Nordlicht Holding AG, Am Sandtorkai 50, 20457 Hamburg, USt-IdNr. DE136695976
`

const ORDER_4 = `Betreff: Sammelgut KW 49 – drei Sendungen Richtung Mailand

Guten Morgen, für die Abholung am 01.12.2026 (7–15 Uhr) bei uns, Wellpappe Lechtal GmbH, Daimlerstr. 7, \
86368 Gersthofen:
a) 5 Gitterboxen 124 × 83,5 × 97 cm, je 420 kg, 2fach stapelbar → Officina Brambilla S.r.l., Via Mecenate 76, \
20138 Milano, bis Do 03.12. 12:00
b) 2 Rollen Papier Ø 125 cm, L 180 cm, je 1.150 kg, liegend, Keile nötig → Cartiera Olona, Via Sempione 210, \
20025 Legnano, Do 03.12. fix 14:00
c) 1 Palette 120 × 80 × 90 cm, 95 kg, Muster, dringend → Studio Verdi, Corso Como 9, 20154 Milano, \
Anlieferung nur mit Hebebühne, Fr 04.12. 9–11 Uhr
Preise: a) 410 €, b) 520 €, c) 165 €. Bitte drei einzelne Rechnungen oder eine Sammelrechnung – Hauptsache die \
POD-Scans hängen dran.
`

test('a mail for a full truck becomes an order in a few keys', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  expect(partners.nordlicht).toBeGreaterThan(0)
  await signIn()
  await page.goto('/intake')
  await expect(page.getByText('No mails here')).toBeVisible()
  await expectAccessible(page)
  const typist = new Typist(page)
  await typist.press('v')
  const field = page.getByRole('textbox', { name: 'Paste a mail' })
  await expect(field).toBeFocused()
  // The clipboard's own key.
  await page.keyboard.insertText(ORDER_1)
  typist.keys += 1
  await typist.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Order from mail' })).toBeVisible()
  await expect(page.locator('[name="customerOrderNumber"]')).toHaveValue('4500129877')
  await expect(page.locator('[name="locations.1.city"]')).toHaveValue('Poznań')
  await shoot(page, 'draft')
  await expectAccessible(page)
  // Either way: a passage leads to its field, and the field to its passage.
  await page.getByRole('button', { name: '22113', exact: true }).click()
  await expect(page.locator('[name="locations.0.postal"]')).toBeFocused()
  // All that is to be looked at, one after the other.
  for (let looked = 0; looked < 9 && !(await page.getByRole('status').getByText('0 to check').isVisible()); looked += 1)
    await typist.press('F9')
  await typist.press('Control+Enter')
  await page.waitForURL(/\/orders\/\d+\/edit/)
  const { body: order } = await waybill.api('GET', `orders/${/orders\/(\d+)/.exec(page.url())![1]}`)
  expect(order).toMatchObject({
    customerOrderNumber: '4500129877',
    customers: [{ title: 'Nordlicht Maschinenbau GmbH' }],
    billingCustomer: { title: 'Nordlicht Holding AG' },
    customerPriceCents: 118_000,
    paymentPeriodDays: 45,
    isTransshipmentForbidden: true,
    locations: [
      { kind: 'loading', postal: '22113', city: 'Hamburg', termin: { dateFrom: '2026-11-30', timeTo: '12:00' } },
      { kind: 'unloading', postal: '60-189', city: 'Poznań', termin: { kind: 'fix', dateFrom: '2026-12-01' } },
    ],
    cargo: [{ quantity: 33, weightKg: 21_120, ldm: 13.2 }],
  })
  expect(order.originalMessage).toContain('33 Europaletten')
  console.log(`order 1 from its mail: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(15)

  await page.goto('/intake')
  await expect(page.getByRole('link', { name: order.number })).toBeVisible()
  await shoot(page, 'list')
})

test('three orders in one mail become three orders', { tag: '@long' }, async ({ page, waybill, signIn, shoot }) => {
  await addCustomer(waybill, 'Germany', {
    title: 'Wellpappe Lechtal GmbH',
    address: 'Daimlerstr. 7',
    postal: '86368',
    city: 'Gersthofen',
    language: 'de',
  })
  await signIn()
  // Pasted and sent before its button has been loaded.
  const letButtonGo = await holdBackCode(page, 'read-button')
  await page.goto('/orders/create')
  await expect(page.locator('[name="customerIds"]')).toBeFocused()
  const typist = new Typist(page)
  await typist.press('Alt+m')
  await expect(page.getByRole('textbox', { name: 'Original message' })).toBeFocused()
  await page.keyboard.insertText(ORDER_4)
  typist.keys += 1
  await typist.press('Alt+Enter')
  letButtonGo()
  await expect(page.getByRole('heading', { name: 'Order from mail' })).toBeVisible()
  for (const [letter, price] of Object.entries({ a: '410.00', b: '520.00', c: '165.00' })) {
    await expect(page.locator('[name="customerPriceCents"]')).toHaveValue(price)
    await shoot(page, `draft ${letter}`)
    for (let looked = 0; looked < 9; looked += 1) {
      if (await page.getByRole('status').getByText('0 to check').isVisible()) break
      await typist.press('F9')
    }
    const answer = page.waitForResponse((one) => one.url().endsWith('/order') && one.request().method() === 'POST')
    await typist.press('Control+Enter')
    expect((await answer).status(), letter).toBe(201)
  }
  await page.waitForURL(/\/orders\/\d+\/edit/)
  console.log(`order 4 from its mail: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(40)
})

const CHANGE = `Von: Herr Jansen <jansen@nordlicht.example>
Betreff: AW: Auftragsbestätigung NL-4410

Hallo,
zu Auftrag NL-4410: Die Entladung verschiebt sich von Donnerstag auf Freitag, 04.12.2026, 9:00 Uhr. \
Außerdem sind es 26 statt 24 Paletten. Rest bleibt wie vereinbart.
Danke und Gruß
`

test('a mail that changes an order changes it once somebody saves', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const germany = await waybill.idOf('countries', 'Germany')
  const stop = (kind: string, city: string, action: string, dateFrom: string) => ({
    kind,
    city,
    countryId: germany,
    termin: { kind: 'fix', dateFrom, timeFrom: '08:00' },
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    customerOrderNumber: 'NL-4410',
    cargo: [{ key: 'a', title: 'Holz', quantity: 24, weightKg: 15_600 }],
    locations: [
      stop('loading', 'Hamburg', 'PICK_UP', '2026-12-02'),
      stop('unloading', 'Frechen', 'DROP_OFF', '2026-12-03'),
    ],
  })
  const { body: mail } = await waybill.api('POST', 'intake-mails', { text: CHANGE })
  await signIn()
  await page.goto(`/intake/${mail.id as number}`)
  await expect(page.getByRole('heading', { name: 'Change from mail' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Quantity 24 26/ })).toBeVisible()
  await shoot(page, 'change')
  await expectAccessible(page)
  await page.getByRole('button', { name: `Open ${order.number as string} with 2 changes` }).press('Enter')
  await page.waitForURL(/\/orders\/\d+\/edit/)
  await expect(page.locator('[name="cargo.0.quantity"]')).toHaveValue('26')
  await expect(page.getByText('not saved yet:')).toBeVisible()
  await shoot(page, 'taken over')
  await expectAccessible(page)
  const now = async () => (await waybill.api('GET', `orders/${order.id as number}`)).body
  expect((await now()).version).toBe(order.version)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('is filed with this order.')).toBeVisible()
  expect(await now()).toMatchObject({
    cargo: [{ quantity: 26, weightKg: 15_600 }],
    locations: [{}, { termin: { kind: 'fix', dateFrom: '2026-12-04', timeFrom: '09:00' } }],
  })
  expect((await waybill.api('GET', `intake-mails/${mail.id as number}`)).body).toMatchObject({
    state: 'saved',
    orders: [{ id: order.id }],
  })
})
