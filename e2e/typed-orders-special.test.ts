import { cargoTotals, CHARGEABLE, chargeableWeightKg, loadWarnings } from '@waybill/contract/order/cargo'
import { delayOf } from '@waybill/contract/order/delay'
import type { Page } from '@playwright/test'
import { dayFromToday } from './support/days.ts'
import { textOf } from './support/pdf.ts'
import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import { addCustomer, billOf, openNewOrder, saved, Typist, waysOf } from './support/typist.ts'
import type { Waybill } from './support/waybill.ts'

/*
 * Four more transport orders typed in without a mouse: what needs cold, what is urgent, what is too
 * heavy, and what changes under way.
 */

const addDispatcher = async (waybill: Waybill, language: string) =>
  addPerson(waybill, {
    permissions: ['ORDERS_MANAGEMENT', 'INVOICES_PROCESSING'],
    language,
    departmentId: await waybill.idOf('departments', 'FTL West'),
  })

test('order 5: two cold stores and one drop before dawn', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  test.setTimeout(180_000)
  await addCustomer(waybill, 'Netherlands', {
    title: 'Polder Fresh Logistics B.V.',
    vatNumber: 'NL801234566B01',
    language: 'en',
    address: 'Waalhaven Z.z. 19',
    postal: '3089 JH',
    city: 'Rotterdam',
    paymentPeriodDays: 30,
  })
  await signIn()
  const typist = await openNewOrder(page)
  await typist.pick('pol', 'Polder Fresh Logistics B.V.')
  await typist.press('Alt+2', 'Tab')
  await typist.when('2.12 14')
  await typist.fill('Kade Cold Store', 'Reeweg 25', 'NL', '3089 KM', 'Rotterdam')
  await typist.details(['RCS-88120'])
  await typist.press('Control+Enter')
  await typist.when('2.12 18-20')
  await typist.fill('Venlo Fresh Hub', 'Venrayseweg 198', '', '5928 RH', 'Venlo')
  await typist.details(['VFH-2231'])
  await typist.reach('locations.2.termin', 'Enter')
  await typist.when('4.12 4-6')
  await typist.fill('Chłodnia Mazowsze', 'ul. Poznańska 98', 'PL', '05-850', 'Ożarów Mazowiecki')
  await typist.details(['', '', 'Slot booked, be on time'])
  await typist.press('Alt+3')
  const cold = async (last: string) => {
    await typist.press('Alt+Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.locator('input:focus')).toBeVisible()
    await typist.fill('', '', '', '')
    await typist.pick('temp', 'Temperature controlled')
    await typist.press('Tab')
    await typist.fill(last, '', '2')
    await typist.type('8')
    await typist.press('Enter')
    await expect(dialog).toHaveCount(0)
  }
  await typist.fill('14', 'In', 'Chilled goods', '120', '100', '180')
  await typist.type('9100')
  await cold('Temperature record with the CMR')
  await typist.press('Control+Enter')
  await typist.fill('12', 'Eu')
  await typist.press('Control+d', 'Tab')
  await typist.fill('120', '80', '175')
  await typist.type('6240')
  await cold('Temperature record with the CMR')
  await typist.press('Alt+4')
  await typist.fill('2350', '', '')
  await typist.pick('ree', 'Reefer', 'Tab')
  await typist.type('50 EUR per started hour of delay. Safety shoes and hi-vis.')
  const order = await saved(page, typist, waybill)
  const [temperature] = [await waybill.idOf('special-handling-types', 'Temperature controlled')]
  const chilled = {
    title: 'Chilled goods',
    temperatureFrom: 2,
    temperatureTo: 8,
    specialHandlingTypeIds: [temperature],
    instructions: 'Temperature record with the CMR',
  }
  expect(order).toMatchObject({
    customerPriceCents: 235_000,
    customerVatBp: 0,
    vehicleType: { title: 'Reefer' },
    description: '50 EUR per started hour of delay. Safety shoes and hi-vis.',
    locations: [
      {
        kind: 'loading',
        termin: { kind: 'fix', dateFrom: '2026-12-02', timeFrom: '14:00' },
        timeZone: 'Europe/Amsterdam',
        companyTitle: 'Kade Cold Store',
        postal: '3089 KM',
        city: 'Rotterdam',
        reference: 'RCS-88120',
      },
      {
        kind: 'loading',
        termin: { kind: 'period', dateFrom: '2026-12-02', timeFrom: '18:00', timeTo: '20:00' },
        countryCode: 'NL',
        companyTitle: 'Venlo Fresh Hub',
        postal: '5928 RH',
        city: 'Venlo',
        reference: 'VFH-2231',
      },
      {
        kind: 'unloading',
        termin: { kind: 'period', dateFrom: '2026-12-04', timeFrom: '04:00', timeTo: '06:00' },
        timeZone: 'Europe/Warsaw',
        companyTitle: 'Chłodnia Mazowsze',
        city: 'Ożarów Mazowiecki',
        specialInstructions: 'Slot booked, be on time',
      },
    ],
    cargo: [
      { quantity: 14, ldm: 7, weightKg: 9100, ...chilled },
      { quantity: 12, ldm: 4.8, weightKg: 6240, ...chilled },
    ],
  })
  expect(waysOf(order)).toEqual([
    [0, 2],
    [1, 2],
  ])
  expect(cargoTotals(order.cargo)).toMatchObject({ ldm: 11.8, weightKg: 15_340, volumeM3: 50.4 })
  expect(chargeableWeightKg(cargoTotals(order.cargo), CHARGEABLE)).toBe(20_650)
  expect([order.firstLoadingAt, order.lastUnloadingAt].map((at: string) => Date.parse(at))).toEqual([
    Date.parse('2026-12-02T14:00:00+01:00'),
    Date.parse('2026-12-04T06:00:00+01:00'),
  ])

  // Still under way on the 4th at 06:00 in Warsaw.
  const late = (at: string) => delayOf({ status: 'in_transit', stops: order.locations }, at)
  expect(late('2026-12-04T06:00:00+01:00')).toBeNull()
  expect(late('2026-12-04T06:00:01+01:00')).toMatchObject({ kind: 'delivery', days: 1, hours: 1 })
  expect(late('2026-12-04T08:10:00+01:00')).toMatchObject({ hours: 3 })
  const { invoice } = await billOf(waybill, order)
  expect(invoice).toMatchObject({
    amountCents: 235_000,
    totalCents: 235_000,
    paymentPeriodDays: 30,
    vatGroups: [{ vatBp: 0, vatCategory: 'AE' }],
  })
  console.log(`order 5: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(470)

  // The same order, had it been two days ago: the screens warn.
  const past = order.locations.map((stop: { kind: string; termin: object }) => ({
    ...stop,
    termin: { ...stop.termin, dateFrom: dayFromToday(stop.kind === 'loading' ? -4 : -2), dateTo: null },
  }))
  const sent = await waybill.api(
    'PATCH',
    `orders/${order.id}`,
    { locations: past, routes: [{ assignment: { carrierCompanyId: partners.transwarta } }] },
    { 'if-match': `"${order.version}"` },
  )
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  let { version } = sent.body
  for (const to of ['scheduled', 'in_transit']) {
    const moved = await waybill.api('POST', `orders/${order.id}/status`, {
      to,
      version,
      at: new Date(Date.now() - 3_600_000).toISOString(),
    })
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    version = moved.body.version
  }
  expect((await waybill.api('GET', `orders/${order.id}`)).body.delay).toMatchObject({ kind: 'delivery' })
  await page.reload()
  await expect(
    page
      .getByRole('banner')
      .or(page.locator('header'))
      .getByTitle(/delivery/i)
      .first(),
  ).toBeVisible()
})

test('order 6: a van tomorrow at six, in Polish', { tag: '@long' }, async ({ page, waybill, signIn }) => {
  test.setTimeout(180_000)
  await addCustomer(waybill, 'Poland', {
    title: 'AutoKomponent Sp. z o.o.',
    vatNumber: 'PL6349012366',
    language: 'pl',
    address: 'ul. Rzemieślnicza 11',
    postal: '40-265',
    city: 'Katowice',
    paymentPeriodDays: 14,
  })
  await signIn(await addDispatcher(waybill, 'pl'))
  const typist = await openNewOrder(page)
  await typist.pick('auto', 'AutoKomponent Sp. z o.o.')
  await typist.press('Alt+2', 'Tab')
  await typist.when('jutro 6')
  await typist.details(['', '', '', 'portier da kwit'], 'Control+Enter')
  await typist.pick('au', 'AutoKomponent Sp. z o.o.')
  // Past the contact, whom the mail does not name.
  await typist.reach('locations.1.termin', 'Enter')
  await typist.when('jutro do 17')
  await typist.fill('Donau Montagewerk', 'Ringlerstr. 28', 'DE', '85057', 'Ingolstadt')
  await typist.type('Herr Aigner +49 841 555 606')
  await typist.details(['', '', '', 'brama 3'], 'Control+Enter')
  await typist.press('Alt+3')
  await typist.fill('1', 'Eu', 'części do linii', '120', '80', '100')
  await typist.type('380')
  await typist.details(['12000'])
  await typist.press('Alt+4')
  await typist.fill('780', '', '')
  await typist.pick('van', 'Samochód dostawczy', 'Tab')
  await typist.type('Telefon 30 min przed przyjazdem, zdjęcie podpisanego CMR zaraz po rozładunku')
  const order = await saved(page, typist, waybill)
  expect(order).toMatchObject({
    customerPriceCents: 78_000,
    customerVatBp: 0,
    vehicleType: { title: 'Van' },
    description: 'Telefon 30 min przed przyjazdem, zdjęcie podpisanego CMR zaraz po rozładunku',
    locations: [
      {
        kind: 'loading',
        termin: { kind: 'fix', dateFrom: '2026-11-24', timeFrom: '06:00' },
        companyTitle: 'AutoKomponent Sp. z o.o.',
        address: 'ul. Rzemieślnicza 11',
        postal: '40-265',
        city: 'Katowice',
        comment: 'portier da kwit',
      },
      {
        kind: 'unloading',
        termin: { kind: 'before', dateFrom: '2026-11-24', timeFrom: '17:00' },
        companyTitle: 'Donau Montagewerk',
        countryCode: 'DE',
        postal: '85057',
        city: 'Ingolstadt',
        contactPerson: 'Herr Aigner',
        phone: '+49 841 555 606',
        comment: 'brama 3',
      },
    ],
    cargo: [{ quantity: 1, title: 'części do linii', ldm: 0.4, weightKg: 380, volumeM3: 0.96, valueCents: 1_200_000 }],
  })
  // There and back on one day.
  expect([order.firstLoadingAt, order.lastUnloadingAt].map((at: string) => Date.parse(at))).toEqual([
    Date.parse('2026-11-24T06:00:00+01:00'),
    Date.parse('2026-11-24T17:00:00+01:00'),
  ])
  expect(chargeableWeightKg(cargoTotals(order.cargo), CHARGEABLE)).toBe(700)
  expect((await waybill.api('GET', `customers/${order.customerIds[0]}/for-order`)).body).toMatchObject({
    paymentPeriodDays: 14,
    emailPreferences: { delivery: true },
  })
  const { invoice, bytes } = await billOf(waybill, order)
  expect(invoice).toMatchObject({
    amountCents: 78_000,
    vatCents: 0,
    totalCents: 78_000,
    paymentPeriodDays: 14,
    vatGroups: [{ vatBp: 0, vatCategory: 'AE' }],
  })
  expect(textOf(bytes).toLowerCase()).toContain('odwrotne obciążenie')
  console.log(`order 6: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(280)
})

test('order 7: girders that are too heavy, with a reference full of marks, in German', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  test.setTimeout(180_000)
  const reference = 'SZG-„Ostsee“/26 & Co <dringend>'
  await addCustomer(waybill, 'Germany', {
    title: 'Flachstahl Salzgitter GmbH',
    vatNumber: 'DE319876504',
    language: 'de',
    address: 'Eisenhüttenstr. 99',
    postal: '38239',
    city: 'Salzgitter',
    paymentPeriodDays: 30,
  })
  await signIn(await addDispatcher(waybill, 'de'))
  const typist = await openNewOrder(page)
  await typist.pick('flach', 'Flachstahl Salzgitter GmbH')
  await typist.press('Tab')
  await typist.type(reference)
  await typist.press('Alt+2', 'Tab')
  await typist.when('KW 49')
  await typist.fill('Flachstahl Werk 2', 'Eisenhüttenstr. 99', 'DE', '38239', 'Salzgitter')
  await typist.type('Frau Dr. Öztürk +49 5341 555 0')
  await typist.details(['', '', '', 'nach Absprache, Avis 1 Tag vorher'], 'Control+Enter')
  await typist.reach('locations.1.termin', 'Enter')
  await typist.when('bis 8.12')
  await typist.fill('BCT Terminal', 'ul. Energetyków 5', 'PL', '81-184', 'Gdynia')
  await typist.press('Alt+3')
  await typist.fill('12', 'Bu', 'Träger', '1340', '60', '45')
  await typist.type('12*2150')
  await typist.details(['', '', '', '3'])
  await expect(page.getByText(/25\.800 kg.*24\.500 kg/)).toBeVisible()
  await typist.press('Alt+4')
  await typist.fill('', '', '', '')
  await typist.type('Kran vorhanden, Coilmulde nein, Rungen ja. Preis nach Vereinbarung, bitte Bestätigung.')
  const order = await saved(page, typist, waybill)
  expect(order).toMatchObject({
    customerOrderNumber: reference,
    customerPriceCents: null,
    customerVatBp: 1900,
    description: 'Kran vorhanden, Coilmulde nein, Rungen ja. Preis nach Vereinbarung, bitte Bestätigung.',
    locations: [
      {
        kind: 'loading',
        termin: { kind: 'period', dateFrom: '2026-11-30', timeFrom: null, dateTo: '2026-12-04', timeTo: null },
        companyTitle: 'Flachstahl Werk 2',
        postal: '38239',
        city: 'Salzgitter',
        contactPerson: 'Frau Dr. Öztürk',
        phone: '+49 5341 555 0',
        comment: 'nach Absprache, Avis 1 Tag vorher',
      },
      {
        kind: 'unloading',
        termin: { kind: 'before', dateFrom: '2026-12-08', timeFrom: null },
        countryCode: 'PL',
        companyTitle: 'BCT Terminal',
        address: 'ul. Energetyków 5',
        postal: '81-184',
        city: 'Gdynia',
      },
    ],
    cargo: [{ quantity: 12, stackingFactor: 3, ldm: 13.4, weightKg: 25_800, volumeM3: 43.416 }],
  })
  expect(loadWarnings(order.cargo)).toEqual([{ code: 'weightKg', value: 25_800, limit: 24_500, line: null }])
  expect(chargeableWeightKg(cargoTotals(order.cargo), CHARGEABLE)).toBe(25_800)
  const csv = (
    await waybill.file(
      `orders/export?format=csv&q=${encodeURIComponent('Ostsee')}&customerId[]=${order.customerIds[0]}`,
    )
  ).toString()
  expect(csv).toContain(reference)
  console.log(`order 7: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(360)
  await page.goto(`/orders?q=${encodeURIComponent(reference)}`)
  await expect(page.getByRole('link', { name: order.number })).toBeVisible()
  await page.getByRole('link', { name: order.number }).press('Enter')
  await expect(page.locator('header').getByText(reference)).toBeVisible()

  // 19 % once there is a price.
  const { body: priced } = await waybill.api(
    'PATCH',
    `orders/${order.id}`,
    { customerPriceCents: 210_000 },
    { 'if-match': `"${order.version}"` },
  )
  expect(priced.customerPriceCents).toBe(210_000)
  const { invoice, bytes } = await billOf(waybill, order)
  expect(invoice).toMatchObject({
    amountCents: 210_000,
    vatCents: 39_900,
    totalCents: 249_900,
    vatGroups: [{ vatBp: 1900, vatCategory: 'S' }],
  })
  expect(textOf(bytes).replace(/\s+/g, '')).toContain(reference.replace(/\s+/g, ''))
})

interface Run {
  customerId: number
  carrierCompanyId: number
  reference: string
  priceCents: number
  to: 'scheduled' | 'in_transit'
  cargo: { key: string; quantity: number; weightKg: number; drop: number }[]
  stops: { kind: string; country: string; city: string; dateFrom: string }[]
}

/** An order that its carrier drives already, or is about to. */
async function addRunning(
  { api, idOf }: Waybill,
  { customerId, carrierCompanyId, reference, priceCents, to, cargo, stops }: Run,
): Promise<{ id: number; number: string }> {
  const countries = new Map(
    await Promise.all(
      [...new Set(stops.map(({ country }) => country))].map(
        async (title) => [title, await idOf('countries', title)] as const,
      ),
    ),
  )
  const actionsAt = (index: number) => [
    ...(index === 0 ? cargo.map(({ key }) => ({ cargoKey: key, action: 'PICK_UP' })) : []),
    ...cargo.filter(({ drop }) => drop === index).map(({ key }) => ({ cargoKey: key, action: 'DROP_OFF' })),
  ]
  const { status, body } = await api('POST', 'orders', {
    customerIds: [customerId],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber: reference,
    customerPriceCents: priceCents,
    cargo: cargo.map(({ drop: _drop, ...line }) => ({
      ...line,
      title: 'Fabric on rolls',
      lengthCm: 120,
      widthCm: 100,
      heightCm: 150,
    })),
    locations: stops.map(({ country, dateFrom, ...stop }, index) => ({
      ...stop,
      countryId: countries.get(country),
      termin: { kind: 'fix', dateFrom },
      cargoActions: actionsAt(index),
    })),
    routes: [{ assignment: { carrierCompanyId, costCents: 90_000 } }],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  let { version } = body
  for (const next of to === 'scheduled' ? ['scheduled'] : ['scheduled', 'in_transit']) {
    const moved = await api('POST', `orders/${body.id}/status`, {
      to: next,
      version,
      at: `${dayFromToday(-1)}T08:00:00+01:00`,
    })
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    version = moved.body.version
  }
  return body
}

/** Goes to an order by what the customer calls it. */
async function openByReference(
  page: Page,
  typist: Typist,
  reference: string,
  { id, number }: { id: number; number: string },
): Promise<void> {
  await typist.press('Control+k')
  await expect(page.getByRole('dialog').locator('input:focus')).toBeVisible()
  await typist.type(reference)
  const hit = page.getByRole('option', { name: new RegExp(`^${number}`) })
  await expect(hit).toBeVisible()
  while ((await hit.getAttribute('data-combobox-selected')) === null) await typist.press('ArrowDown')
  await typist.press('Enter')
  await page.waitForURL(new RegExp(`/orders/${id}/edit`))
  await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
}

test('order 8: a plan that changes under way, a correction, waiting time, and one order that is withdrawn', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn }) => {
  test.setTimeout(240_000)
  const { api } = waybill
  const customerId = await addCustomer(waybill, 'Belgium', {
    title: 'Vlaamse Textielhandel NV',
    vatNumber: 'BE0987654394',
    language: 'en',
    address: 'Kortrijksesteenweg 1007',
    postal: '9000',
    city: 'Gent',
    invoiceEmail: 'facturen@vlaamse.example',
    contactPersons: [{ fullName: 'Inez De Smet', email: 'inez@vlaamse.example' }],
  })
  const common = { customerId, carrierCompanyId: partners.transwarta }
  const under = await addRunning(waybill, {
    ...common,
    reference: '2026/118',
    // As it was typed, and invoiced, by mistake.
    priceCents: 132_000,
    to: 'in_transit',
    cargo: [
      { key: 'mulhouse', quantity: 6, weightKg: 3600, drop: 1 },
      { key: 'lille', quantity: 8, weightKg: 4800, drop: 2 },
      { key: 'gent', quantity: 6, weightKg: 3600, drop: 3 },
    ],
    stops: [
      { kind: 'loading', country: 'Italy', city: 'Prato', dateFrom: '2026-11-20' },
      { kind: 'unloading', country: 'France', city: 'Mulhouse', dateFrom: '2026-11-23' },
      { kind: 'unloading', country: 'France', city: 'Lille', dateFrom: '2026-11-24' },
      { kind: 'unloading', country: 'Belgium', city: 'Gent', dateFrom: '2026-11-25' },
    ],
  })
  const withdrawn = await addRunning(waybill, {
    ...common,
    reference: '2026/121',
    priceCents: 56_000,
    to: 'scheduled',
    cargo: [{ key: 'roeselare', quantity: 8, weightKg: 4800, drop: 1 }],
    stops: [
      { kind: 'loading', country: 'Germany', city: 'Mönchengladbach', dateFrom: '2026-11-24' },
      { kind: 'unloading', country: 'Belgium', city: 'Roeselare', dateFrom: '2026-11-25' },
    ],
  })
  const { invoice: draft } = await billOf(waybill, under)
  const { status: handedOver, body: first } = await api('POST', `invoices/${draft.id}/status`, {
    to: 'sent',
    version: draft.version,
  })
  expect([handedOver, first.totalCents], JSON.stringify(first)).toEqual([200, 132_000])

  await signIn()
  await page.goto('/orders')
  await expect(page.getByRole('row').first()).toBeVisible()
  const typist = new Typist(page)
  await openByReference(page, typist, '2026/118', under)

  // (2) 18 pallets, and what was for Lille stays on board to Gent: its quantity, weight and drop.
  await typist.reach('cargo.0.quantity', 'Alt+ArrowDown')
  await typist.reach('cargo.1.quantity', 'ArrowDown')
  await typist.fill('6', '', '', '', '', '', '3600', '', '', '')
  await typist.type('4')
  // (1) Lille is canceled.
  await typist.go('locations')
  const lille = page.locator('#locations li').nth(2)
  await typist.walk(lille.getByRole('button', { name: 'Cargo, prices, time zone, comment' }))
  await typist.press('Enter')
  await typist.walk(page.locator('[name="locations.2.canceledAt"]'))
  await typist.press('Space')
  // The price that was agreed.
  await typist.go('budget')
  await typist.walk(page.locator('[name="customerPriceCents"]'))
  await typist.type('1230')
  await typist.press('Control+s')
  await expect.poll(async () => (await api('GET', `orders/${under.id}`)).body.customerPriceCents).toBe(123_000)
  const { body: changed } = await api('GET', `orders/${under.id}`)
  expect(cargoTotals(changed.cargo)).toMatchObject({ quantity: 18, weightKg: 10_800, ldm: 9 })
  expect(waysOf(changed)).toEqual([
    [0, 1],
    [0, 3],
    [0, 3],
  ])
  expect(changed.status).toBe('in_transit')
  expect(changed.locations.map(({ canceledAt }: { canceledAt: string | null }) => canceledAt !== null)).toEqual([
    false,
    false,
    true,
    false,
  ])
  const changes = typist.keys

  // (3) A proper correction of the invoice, which stays as it was.
  const invoices = page.locator('#customerInvoices')
  await typist.go(
    'extras',
    'other',
    'emails',
    'routes',
    'customers',
    'documents',
    'carrierInvoices',
    'customerInvoices',
  )
  await expect(invoices.getByRole('link', { name: first.number })).toBeFocused()
  await typist.press('Enter')
  await page.waitForURL(/\/invoices\/\d+\/edit/)
  // The order has such a button, too, and stays in sight until the invoice is there.
  await expect(page.getByRole('heading', { level: 1, name: first.number })).toBeVisible()
  await typist.walk(page.getByRole('button', { name: /^More/ }))
  await typist.press('Enter')
  await typist.walk(page.getByRole('menuitem', { name: /orrect/ }), 'ArrowDown')
  await typist.press('Enter')
  await typist.walk(page.getByRole('dialog').locator('textarea'))
  await typist.type('1,230 was agreed, not 1,320')
  await typist.press('Control+Enter')
  await page.waitForURL((url) => /\/invoices\/\d+\/edit/.test(url.pathname) && !url.pathname.includes(`/${first.id}/`))
  await typist.walk(page.locator('[name="lines.0.correctedQuantity"]'))
  await typist.fill('1', '1230')
  await typist.press('Control+s')
  await expect(page.getByText('−90.00 €').or(page.getByText('-90.00 €')).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add line' })).toBeFocused()
  await typist.walk(page.getByRole('button', { name: 'Send …' }), 'Shift+Tab')
  await typist.press('Enter')
  await page.waitForURL(/\/edit\/invoice_correction$/)
  await typist.walk(page.getByRole('button', { name: 'Send invoice' }))
  await typist.press('Enter')
  await page.waitForURL(/\/edit$/)
  const { body: stays } = await api('GET', `invoices/${first.id}`)
  expect(stays).toMatchObject({ status: 'sent', number: first.number, amountCents: 132_000, totalCents: 132_000 })
  const { body: correction } = await api('GET', `invoices/${stays.corrections[0].id}`)
  expect(correction).toMatchObject({
    status: 'sent',
    correctionOf: { id: first.id, title: first.number },
    amountCents: -9000,
    vatCents: 0,
    totalCents: -9000,
    vatGroups: [{ vatCategory: 'AE' }],
  })
  expect(textOf(await waybill.file(`invoices/${correction.id}/document`))).toContain(first.number)
  const corrected = typist.keys

  // (4) Three hours of waiting, separately.
  await openByReference(page, typist, '2026/118', under)
  await typist.go(
    'cargo',
    'locations',
    'budget',
    'extras',
    'other',
    'emails',
    'routes',
    'customers',
    'documents',
    'carrierInvoices',
    'customerInvoices',
  )
  await typist.walk(invoices.getByRole('button', { name: 'Create invoice' }))
  await typist.press('Enter')
  await page.waitForURL(/\/invoices\/\d+\/edit/)
  await typist.walk(page.locator('[name="lines.0.text"]'))
  await typist.press('Control+a')
  await typist.fill('Waiting time at loading, hours', '3')
  await typist.type('45')
  await typist.press('Control+s')
  const extraId = Number(/invoices\/(\d+)/.exec(page.url())![1])
  await expect.poll(async () => (await api('GET', `invoices/${extraId}`)).body.totalCents).toBe(13_500)
  expect((await api('GET', `invoices/${extraId}`)).body).toMatchObject({
    status: 'created',
    correctionOfId: null,
    orderIds: [under.id],
    lines: [{ kind: 'extra', text: 'Waiting time at loading, hours', quantity: 3, unitPriceCents: 4500 }],
    amountCents: 13_500,
    vatCents: 0,
    vatGroups: [{ vatBp: 0, vatCategory: 'AE' }],
  })
  const extra = typist.keys

  // (5) The order that is withdrawn, with the reason.
  await openByReference(page, typist, '2026/121', withdrawn)
  await typist.press('Alt+s')
  await typist.walk(page.getByRole('menuitem', { name: /^Canceled/ }), 'ArrowDown')
  await typist.press('Enter')
  await expect(page.getByRole('dialog').locator('textarea:focus')).toBeVisible()
  await typist.type('Withdrawn by the customer')
  await typist.press('Control+Enter')
  await expect.poll(async () => (await api('GET', `orders/${withdrawn.id}`)).body.status).toBe('canceled')
  const { body: history } = await api('GET', `audit-entries?orderId=${withdrawn.id}`)
  expect(JSON.stringify(history)).toContain('Withdrawn by the customer')
  expect((await api('GET', `orders/${under.id}`)).body.status).toBe('in_transit')
  const parts = [
    `changes ${changes}`,
    `correction ${corrected - changes}`,
    `waiting ${extra - corrected}`,
    `withdrawal ${typist.keys - extra}`,
  ]
  console.log(`order 8: ${typist.keys} keys (${parts.join(', ')})`)
  expect(typist.keys).toBeLessThanOrEqual(290)
})
