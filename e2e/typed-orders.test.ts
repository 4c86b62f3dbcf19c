import { CHARGEABLE, cargoTotals, chargeableWeightKg } from '@waybill/contract/order/cargo'
import { textOf } from './support/pdf.ts'
import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import { addCustomer, billOf, openNewOrder, saved, waysOf } from './support/typist.ts'

/*
 * Transport orders as customers mail them, typed in by somebody who never touches the mouse. Every key counts one, a
 * chord too, and the sums are printed.
 */

test('order 1: a full truck for Poznań', { tag: '@long' }, async ({ page, waybill, partners, signIn }) => {
  // Key by key: slower than filling fields at once.
  test.setTimeout(180_000)
  expect(partners.nordlicht).toBeGreaterThan(0)
  await signIn()
  const typist = await openNewOrder(page)
  await typist.pick('masc', 'Nordlicht Maschinenbau GmbH')
  await typist.press('Tab')
  await typist.fill('4500129877', '')
  await typist.pick('hold', 'Nordlicht Holding AG')
  await typist.press('Alt+2')
  await typist.fill('')
  await typist.type('30.11 8-12')
  await typist.press('Enter')
  await typist.pick('no', 'Nordlicht Maschinenbau GmbH')
  await typist.type('1.12 7')
  await typist.press('Enter')
  await typist.fill('Wielkopolska Tech Sp. z o.o.', 'ul. Bukowska 285', 'PL', '60-189', 'Poznań')
  await typist.type('Pani Nowicka +48 61 555 22 10')
  await typist.press('Alt+3')
  await typist.fill('33', 'Eu', 'Maschinenteile', '120', '80', '145')
  await typist.type('33*640')
  await typist.press('Alt+Enter')
  await expect(page.getByRole('dialog').locator('input:focus')).toBeVisible()
  await typist.type('86000')
  await typist.press('Enter')
  await typist.press('Alt+4')
  await typist.fill('1180', '', '45', '', '', '')
  await typist.press('Space')
  const order = await saved(page, typist, waybill)
  expect(order).toMatchObject({
    customerOrderNumber: '4500129877',
    billingCustomer: { title: 'Nordlicht Holding AG' },
    customerPriceCents: 118_000,
    customerVatBp: 1900,
    paymentPeriodDays: 45,
    isTransshipmentForbidden: true,
    locations: [
      {
        kind: 'loading',
        termin: { kind: 'period', dateFrom: '2026-11-30', timeFrom: '08:00', timeTo: '12:00' },
        companyTitle: 'Nordlicht Maschinenbau GmbH',
        postal: '22113',
        city: 'Hamburg',
        contactPerson: 'Herr Jansen',
        phone: '+49 40 5550 1204',
      },
      {
        kind: 'unloading',
        termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' },
        companyTitle: 'Wielkopolska Tech Sp. z o.o.',
        postal: '60-189',
        city: 'Poznań',
        phone: '+48 61 555 22 10',
      },
    ],
    cargo: [{ quantity: 33, weightKg: 21_120, ldm: 13.2, volumeM3: 45.936, valueCents: 8_600_000 }],
  })
  console.log(`order 1: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(220)
})

test('order 2: from Łódź to two drops, each with its own pallets, in Polish', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  test.setTimeout(180_000)
  const dispatcher = await addPerson(waybill, {
    permissions: ['ORDERS_MANAGEMENT', 'INVOICES_PROCESSING'],
    language: 'pl',
    departmentId: await waybill.idOf('departments', 'FTL West'),
  })
  await signIn(dispatcher)
  const typist = await openNewOrder(page)
  await typist.pick('fab', 'Fabryka Mebli Łódź S.A.')
  await typist.press('Tab')
  await typist.type('ZT/11/0341')
  await typist.press('Alt+2', 'Tab')
  await typist.when('2.12 6-14')
  await typist.details(['', '', '', 'rampa 2'], 'Control+Enter')
  await typist.pick('fa', 'Fabryka Mebli Łódź S.A.')
  await typist.when('3.12 do 16')
  await typist.fill('Möbelhaus Kröger', 'Industriestr. 14', 'DE', '33689', 'Bielefeld')
  await typist.press('Control+Enter')
  await typist.when('4.12 8-10')
  await typist.fill('Wohnwelt Rhein GmbH', 'Carl-Benz-Str. 3', '', '50226', 'Frechen')
  await typist.press('Alt+3')
  await typist.fill('9', 'Pal', 'Meble', '200', '120', '110')
  await typist.type('9*310')
  await typist.press('Control+Enter')
  await typist.fill('6', 'Eu', 'Meble', '120', '80', '220')
  await typist.type('6*280')
  await typist.press('Control+Enter')
  await typist.fill('2', 'In', 'kartony', '120', '100', '', '410')
  await typist.type('3,2')
  await typist.details(['', '', '40'])
  await expect(page.getByText(/21\s700 kg/)).toBeVisible()
  await typist.press('Alt+4')
  await typist.fill('1450', '', '')
  await typist.pick('curt', 'Naczepa firanka 13,6 m', 'Tab')
  await typist.type('Pasy 12 szt., bez windy. Awizacja kierowcy dzień wcześniej!')
  const order = await saved(page, typist, waybill)
  expect(order).toMatchObject({
    customerOrderNumber: 'ZT/11/0341',
    customerPriceCents: 145_000,
    customerVatBp: 0,
    vehicleType: { title: 'Curtain-sider 13.6 m' },
    isLiftRequired: false,
    description: 'Pasy 12 szt., bez windy. Awizacja kierowcy dzień wcześniej!',
    locations: [
      {
        kind: 'loading',
        termin: { kind: 'period', dateFrom: '2026-12-02', timeFrom: '06:00', timeTo: '14:00' },
        companyTitle: 'Fabryka Mebli Łódź S.A.',
        postal: '93-490',
        city: 'Łódź',
        contactPerson: 'Tomasz Wójcik',
        phone: '+48 42 555 17 80',
        comment: 'rampa 2',
      },
      {
        kind: 'unloading',
        termin: { kind: 'before', dateFrom: '2026-12-03', timeFrom: '16:00' },
        companyTitle: 'Möbelhaus Kröger',
        countryCode: 'DE',
        postal: '33689',
        city: 'Bielefeld',
      },
      {
        kind: 'unloading',
        termin: { kind: 'period', dateFrom: '2026-12-04', timeFrom: '08:00', timeTo: '10:00' },
        companyTitle: 'Wohnwelt Rhein GmbH',
        countryCode: 'DE',
        postal: '50226',
        city: 'Frechen',
      },
    ],
    cargo: [
      { quantity: 9, ldm: 9, weightKg: 2790, unitType: { title: 'Pallet' } },
      { quantity: 6, ldm: 2.4, weightKg: 1680, unitType: { title: 'Europallet' } },
      {
        quantity: 2,
        packages: 40,
        ldm: 1,
        weightKg: 410,
        volumeM3: 3.2,
        isVolumeCalculated: false,
        unitType: { title: 'Industrial pallet' },
      },
    ],
  })
  expect(waysOf(order)).toEqual([
    [0, 1],
    [0, 2],
    [0, 2],
  ])
  expect(cargoTotals(order.cargo)).toMatchObject({ ldm: 12.4, weightKg: 4880, volumeM3: 39.632 })
  expect(chargeableWeightKg(cargoTotals(order.cargo), CHARGEABLE)).toBe(21_700)
  const entered = typist.keys

  // The driver is announced the day before: the route, its carrier, driver and plate.
  const plan = page.locator('#routes').getByRole('button', { name: 'Zaplanuj trasę' })
  await typist.go('cargo')
  await expect(plan).toBeAttached()
  await typist.go('locations', 'budget', 'extras', 'other', 'emails', 'routes')
  await expect(plan).toBeFocused()
  await typist.reach('routes.0.assignment.carrierCompanyId', 'Enter')
  await typist.pick('transw', 'Transwarta Sp. z o.o.', 'Tab')
  await expect(page.locator('[name="routes.0.assignment.disponentEmail"]')).toHaveValue('dispo@transwarta.example')
  await typist.pick('mar', 'Marek Zieliński', 'Tab')
  await expect(page.locator('[name="routes.0.assignment.plateNumber"]')).toHaveValue('PO 1A234')
  await typist.press('Control+s')
  await expect.poll(async () => (await waybill.api('GET', `orders/${order.id}`)).body.routes.length).toBe(1)
  const { body: planned } = await waybill.api('GET', `orders/${order.id}`)
  expect(planned.routes).toMatchObject([
    {
      assignment: {
        carrierCompany: { title: 'Transwarta Sp. z o.o.' },
        drivers: [{ title: 'Marek Zieliński' }],
        plateNumber: 'PO 1A234',
        disponentName: 'Ewa Lis',
        disponentEmail: 'dispo@transwarta.example',
        extraData: order.description,
      },
    },
  ])
  expect(
    (await waybill.api('GET', `customers/${partners.fabryka}/for-order`)).body.emailPreferences.driverInformation,
  ).toBe(true)
  // One consignment note for each drop.
  const notes = await waybill.api(
    'POST',
    `orders/${order.id}/documents`,
    { documentType: 'CMR_NOTE' },
    { 'if-match': `"${planned.version}"` },
  )
  expect(notes.status, JSON.stringify(notes.body)).toBe(201)
  expect(notes.body.items).toHaveLength(2)

  const { invoice, bytes } = await billOf(waybill, order)
  expect(invoice).toMatchObject({
    amountCents: 145_000,
    vatCents: 0,
    totalCents: 145_000,
    paymentPeriodDays: 60,
    vatGroups: [{ vatBp: 0, vatCategory: 'AE' }],
  })
  expect(textOf(bytes).toLowerCase()).toContain('odwrotne obciążenie')
  console.log(`order 2: ${entered} keys, ${typist.keys} with its carrier and driver`)
  expect(entered).toBeLessThanOrEqual(340)
  expect(typist.keys).toBeLessThanOrEqual(360)
})

test('order 3: a part load over the border at Weil am Rhein', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  test.setTimeout(180_000)
  await signIn()
  const typist = await openNewOrder(page)
  await typist.pick('alpe', 'Alpenfaden AG')
  await typist.press('Tab')
  await typist.type('PO 77-2026')
  await typist.press('Alt+2', 'Tab')
  await typist.when('26.11 10-15')
  await typist.fill('Silesia Parts', 'ul. Kwiatkowskiego 4', 'PL', '52-326', 'Wrocław')
  await typist.type('Marek +48 71 555 90 31')
  await typist.details(['', '', '', 'Forklift on site'], 'Control+Enter')
  await typist.press('Control+Enter')
  await typist.press('Shift+Tab')
  await typist.fill('Cu', '', 'Zollservice Dreiländereck', '', 'DE', '', 'Weil am Rhein')
  await typist.when('+49 7621 555 40')
  await typist.when('30.11 -12')
  await typist.fill('Rheintal Textil AG', 'Hafenstrasse 88', 'CH', '4057', 'Basel')
  await typist.press('Alt+3')
  await typist.fill('4', 'In', 'Spare parts for textile machines', '120', '100', '160')
  await typist.type('2300')
  await typist.press('Alt+Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('input:focus')).toBeVisible()
  await typist.fill('54200', '', '', '')
  await typist.pick('insur', 'Insurance wanted')
  await typist.pick('custo', 'Customs goods')
  await typist.press('Tab')
  await typist.type('T1 not needed, EX-A to follow')
  await typist.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('3,500 kg')).toBeVisible()
  await typist.press('Alt+4')
  await typist.fill('690', '', '', '')
  await typist.type('Export certificate for the tax file, arrival time by email')
  const order = await saved(page, typist, waybill)
  expect(order).toMatchObject({
    customerOrderNumber: 'PO 77-2026',
    customerPriceCents: 69_000,
    customerVatBp: 0,
    description: 'Export certificate for the tax file, arrival time by email',
    locations: [
      {
        kind: 'loading',
        termin: { kind: 'period', dateFrom: '2026-11-26', timeFrom: '10:00', timeTo: '15:00' },
        timeZone: 'Europe/Warsaw',
        companyTitle: 'Silesia Parts',
        postal: '52-326',
        city: 'Wrocław',
        contactPerson: 'Marek',
        phone: '+48 71 555 90 31',
        comment: 'Forklift on site',
      },
      {
        kind: 'customs',
        termin: null,
        countryCode: 'DE',
        companyTitle: 'Zollservice Dreiländereck',
        city: 'Weil am Rhein',
        contactPerson: null,
        phone: '+49 7621 555 40',
        cargoActions: [],
      },
      {
        kind: 'unloading',
        termin: { kind: 'before', dateFrom: '2026-11-30', timeFrom: '12:00' },
        timeZone: 'Europe/Zurich',
        countryCode: 'CH',
        companyTitle: 'Rheintal Textil AG',
        address: 'Hafenstrasse 88',
        postal: '4057',
        city: 'Basel',
      },
    ],
    cargo: [
      {
        quantity: 4,
        ldm: 2,
        weightKg: 2300,
        volumeM3: 7.68,
        valueCents: 5_420_000,
        instructions: 'T1 not needed, EX-A to follow',
      },
    ],
  })
  expect(waysOf(order)).toEqual([[0, 2]])
  expect(chargeableWeightKg(cargoTotals(order.cargo), CHARGEABLE)).toBe(3500)
  const handling = await Promise.all(
    ['Insurance wanted', 'Customs goods'].map((title) => waybill.idOf('special-handling-types', title)),
  )
  expect(order.cargo[0].specialHandlingTypeIds.toSorted()).toEqual(handling.toSorted())
  expect(
    (await waybill.api('GET', `customers/${partners.alpenfaden}/for-order`)).body.emailPreferences.exportCertificate,
  ).toBe(true)
  const { invoice } = await billOf(waybill, order)
  expect(invoice).toMatchObject({
    amountCents: 69_000,
    vatCents: 0,
    totalCents: 69_000,
    vatGroups: [{ vatBp: 0, vatCategory: 'O' }],
  })
  console.log(`order 3: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(430)
})

test('order 4: three consignments for Milan, one after the other', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  test.setTimeout(180_000)
  await addCustomer(waybill, 'Germany', {
    title: 'Kartonwerk Süd GmbH',
    vatNumber: 'DE287654308',
    language: 'de',
    address: 'Daimlerstr. 7',
    postal: '86368',
    city: 'Gersthofen',
  })
  await signIn()
  const typist = await openNewOrder(page)
  const consignment = async (
    termin: string,
    consignee: readonly string[],
    cargo: readonly string[],
    more: () => Promise<void>,
    price: string,
  ) => {
    await expect(page.locator('[name=customerIds]')).toBeFocused()
    await typist.pick('kart', 'Kartonwerk Süd GmbH')
    await typist.press('Alt+2', 'Tab')
    await typist.type('1.12 7-15')
    await typist.press('Enter')
    await typist.pick('ka', 'Kartonwerk Süd GmbH')
    // Past the contact, whom the mail does not name.
    await typist.press('Enter')
    await typist.type(termin)
    await typist.press('Enter')
    await typist.fill(...consignee)
    await typist.press('Alt+3')
    await typist.fill(...cargo)
    await more()
    await typist.press('Alt+4')
    await typist.type(price)
  }
  const details = async () => {
    await typist.press('Alt+Enter')
    await expect(page.getByRole('dialog').locator('input:focus')).toBeVisible()
  }
  const orderOf = async (price: number) => {
    const { body } = await waybill.api(
      'GET',
      `orders?customerId[]=${await waybill.idOf('customers', 'Kartonwerk Süd GmbH')}&perPage=10`,
    )
    const views = await Promise.all(
      body.items.map(async ({ id }: { id: number }) => (await waybill.api('GET', `orders/${id}`)).body),
    )
    return views.find(({ customerPriceCents }) => customerPriceCents === price)
  }
  await consignment(
    '3.12 -12',
    ['Officina Brambilla S.r.l.', 'Via Mecenate 76', 'IT', '20138', 'Milano'],
    ['5', 'Me', '', '124', '83,5', '97', '5*420'],
    async () => {
      // Twice stackable: value, cargo type and packages are passed over.
      await details()
      await typist.press('Tab', 'Tab', 'Tab')
      await typist.type('2')
      await typist.press('Enter')
    },
    '410',
  )
  await typist.press('Alt+n')
  await expect(page.getByText(/saved successfully/)).toBeVisible()
  await consignment(
    '3.12 14',
    ['Cartiera Olona', 'Via Sempione 210', 'IT', '20025', 'Legnano'],
    ['2', 'Ro', 'Rollen Papier, liegend', '180', '125', '125', '2*1150'],
    async () => {
      await details()
      await typist.press('Tab', 'Tab', 'Tab', 'Tab', 'Tab')
      await typist.type('Keile nötig')
      await typist.press('Control+Enter')
    },
    '520',
  )
  await typist.press('Alt+n')
  await consignment(
    '4.12 9-11',
    ['Studio Verdi', 'Corso Como 9', 'IT', '20154', 'Milano'],
    ['1', 'Eu', 'Muster', '120', '80', '90', '95'],
    async () => {},
    '165',
  )
  await typist.press('Alt+n')
  await expect.poll(() => orderOf(16_500)).toBeDefined()
  expect(await orderOf(41_000)).toMatchObject({
    cargo: [{ quantity: 5, stackingFactor: 2, weightKg: 2100, ldm: 1.294 }],
  })
  console.log(`order 4: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(450)
})
