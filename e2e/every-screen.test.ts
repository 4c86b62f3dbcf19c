import { follow } from './support/follow.ts'
import { addRunWithRest } from './support/payables.ts'
import { addPerson, type Person } from './support/people.ts'
import { settled } from './support/settled.ts'
import { expect, test } from './support/test.ts'
import { addTransport, sendAsCarrier } from './support/transport.ts'
import type { Partners } from './support/partners.ts'
import type { Waybill } from './support/waybill.ts'

const isLong = process.env.WAYBILL_LONG === '1'

const LONG_NAME =
  'Donaudampfschifffahrtsgesellschaft für Umsatzsteuer-Identifikationsnummern und Schwerlasttransporte mbH & Co. KG'

async function addRecords(waybill: Waybill, partners: Partners) {
  const { api, idOf } = waybill
  const { body: customer } = await api('POST', 'customers', {
    title: LONG_NAME,
    countryId: await idOf('countries', 'Germany'),
    vatNumber: 'DE143593636',
    warnings: 'Nur mit Voranmeldung.',
    contactPersons: [
      { fullName: 'Dr. Hildegard Donaudampf', email: 'h.donaudampf@donau.example', phone: '+49 8561 555 120' },
    ],
    pickupLocations: [
      { companyTitle: LONG_NAME, countryId: await idOf('countries', 'Germany'), city: 'Passau', address: 'Innkai 4' },
    ],
    invoiceEmail: 'rechnung@donau.example',
  })
  const [germany, poland] = [await idOf('countries', 'Germany'), await idOf('countries', 'Poland')]
  const { body: order } = await api('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber: 'SZG-„Ostsee“/26 & Co <dringend>',
    customerPriceCents: 118_000,
    cargo: [
      {
        key: 'a',
        title: 'Maschinenteile, nicht stapelbar, Kran vorhanden',
        quantity: 33,
        lengthCm: 120,
        widthCm: 80,
        heightCm: 145,
        weightKg: 25_800,
      },
    ],
    locations: [
      {
        key: 'l',
        kind: 'loading',
        countryId: germany,
        companyTitle: LONG_NAME,
        city: 'Hamburg',
        termin: { kind: 'period', dateFrom: '2026-11-30', timeFrom: '08:00', timeTo: '12:00' },
        cargoActions: [{ cargoKey: 'a', action: 'PICK_UP' }],
      },
      {
        key: 'u',
        kind: 'unloading',
        countryId: poland,
        city: 'Poznań',
        termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' },
        cargoActions: [{ cargoKey: 'a', action: 'DROP_OFF' }],
      },
    ],
    routes: [
      {
        locationKeys: ['l', 'u'],
        assignment: { carrierCompanyId: partners.transwarta, plateNumber: 'PO 1A234', costCents: 125_000 },
      },
    ],
  })
  await api('POST', 'vehicles', { title: 'HH-WB 2041', kind: 'truck', ldm: 13.6, payloadKg: 24_500, heightCm: 270 })
  await api('POST', 'load-carrier-places', { title: 'Kröger warehouse', city: 'Bielefeld', countryId: germany })
  const { body: types } = await api('GET', 'load-carrier-types')
  await api('POST', 'load-carriers/movements', {
    holder: { kind: 'carrier', id: partners.transwarta },
    movedOn: '2026-11-20',
    typeId: types.items[0].id,
    given: 33,
    received: 20,
  })
  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  const { body: carrierInvoice } = await api('POST', 'invoices', {
    entityType: 'carrier',
    carrierCompanyId: partners.transwarta,
    orderIds: [order.id],
    number: `FV/${order.id as number}/11/2026`,
    amountCents: 125_000,
    vatBp: 0,
    totalCents: 125_000,
    documentCreationDate: '2026-11-20',
    dueDate: '2026-12-20',
  })
  const { body: quote } = await api('POST', 'quotes', {
    customerId: customer.id,
    departmentId: await idOf('departments', 'FTL West'),
    from: { countryId: germany, city: 'Hamburg' },
    to: { countryId: poland, city: 'Poznań' },
    priceCents: 148_000,
    costSource: 'typed',
    costCents: 120_000,
    validUntil: '2099-12-15',
  })
  const { body: rateCard } = await api('POST', 'rate-cards', {
    kind: 'buy',
    title: LONG_NAME,
    validFrom: '2026-01-01',
    lines: [{ fromCountryCode: 'DE', toCountryCode: 'PL', basis: 'km', rateCents: 102 }],
  })
  const { body: recurring } = await api('POST', 'recurring-orders', {
    orderId: order.id,
    title: LONG_NAME,
    weekdays: [1, 2, 3, 4, 5],
    fromDay: '2099-01-01',
  })
  const fresh = await addTransport(waybill, partners)
  const sent = await addTransport(waybill, partners)
  const wanted = { invoiceNumber: 'FV/2026/11/0417', amountCents: 131_250, totalCents: 131_250 }
  const why = 'Przestój pod załadunkiem: awaizacja 8:00, załadunek rozpoczęty dopiero o 14:30'
  await sendAsCarrier(
    waybill,
    sent.path.split('/').at(-1)!,
    { ...wanted, differenceReason: why },
    { 'CMR podpisany.pdf': 'pod', 'FV-2026-11-0417.pdf': 'invoice' },
  )
  const { body: received } = await api('GET', `invoices?orderId[]=${sent.orderId}&entityType=carrier`)
  return {
    run: await addRunWithRest(waybill),
    uploads: [fresh.path, sent.path],
    sentInvoice: received.items[0].id as number,
    recurring: recurring.id as number,
    quote: quote.id as number,
    rateCard: rateCard.id as number,
    customer: customer.id as number,
    order: order.id as number,
    invoice: invoice.id as number,
    carrierInvoice: carrierInvoice.id as number,
  }
}

// One form and one list, filled by a description (decision 040): `npm test` looks at two of them.
const DESCRIBED = [
  ['salutations', 'De heer (Mr)'],
  ['unit-types', 'Europallet'],
  ['vehicle-types', 'Curtain-sider 13.6 m'],
  ['load-carrier-types', 'Euro pallet'],
  ['cargo-types', 'Food'],
  ['special-handling-types', 'Dangerous goods (ADR)'],
] as const

/** A list, a new record and one that is there, of every setting; empty, all lists of settings are alike. */
async function settingsScreens({ idOf }: Waybill): Promise<string[]> {
  const settings = [
    ['departments', 'FTL West'],
    ['companies', 'Waybill Spedition GmbH'],
    ['countries', 'Bosnia & Herzegovina'],
    ...(isLong ? DESCRIBED : DESCRIBED.slice(0, 2)),
    ['vehicles', 'HH-WB 2041'],
    ['emission-factors', 'Mega trailer, diesel'],
    ['load-carrier-places', 'Kröger warehouse'],
  ] as const
  const screens = await Promise.all(
    settings.map(async ([path, title]) => [`/${path}`, `/${path}/create`, `/${path}/${await idOf(path, title)}/edit`]),
  )
  const department = `/departments/${await idOf('departments', 'FTL West')}/edit`
  return [
    ...screens.flat(),
    '/departments?q=nothing-is-called-this',
    '/api-keys',
    '/webhooks',
    '/audit',
    '/operations',
    `${department}?tab=emails`,
    `${department}/driver_information.first.de`,
  ]
}

const BEFORE_SIGN_IN = 'none and before the sign-in'

type Records = Awaited<ReturnType<typeof addRecords>>

/** Every screen with data, empty, and where somebody may not go; one part of the house at a time. */
const PARTS: Record<string, (waybill: Waybill, records: Records, viewer: Person) => Promise<string[]>> = {
  orders: async (_waybill, { order, quote, recurring }) => [
    '/recurring-orders',
    '/recurring-orders?q=nothing-is-called-this',
    '/recurring-orders/create',
    `/recurring-orders/create?order=${order}`,
    `/recurring-orders/edit/${recurring}`,
    '/quotes',
    '/quotes?q=nothing-is-called-this',
    '/quotes/create',
    `/quotes/edit/${quote}`,
    '/dashboard',
    '/planning?from=2026-11-30',
    '/reports',
    '/reports/punctuality?from=2026-01&to=2026-12',
    '/reports/losses?from=2026-01&to=2026-12',
    '/reports/open-pods',
    '/reports/times?from=2026-01&to=2026-12',
    '/reports/emission',
    '/reports/emission?by=month&from=2020-01&to=2020-12',
    '/reports?by=lane&from=2020-01&to=2020-12',
    '/orders',
    '/orders?mine=1',
    '/orders?q=nothing-is-called-this',
    '/orders/create',
    '/orders/import',
    `/orders/${order}/edit`,
    '/mails',
    '/mails?q=nothing-is-called-this',
  ],
  invoices: async (_waybill, { invoice, carrierInvoice, sentInvoice, run }) => [
    '/invoices',
    '/invoices/create?side=carrier',
    '/invoices/check',
    '/invoices/check?view=in_progress',
    `/invoices/check?invoice=${sentInvoice}`,
    '/invoices/payment-runs',
    '/invoices/payment-runs?view=runs',
    `/invoices/payment-runs?view=runs&run=${run}`,
    '/invoices/month-end',
    '/invoices/bookkeeping',
    '/invoices/open-items',
    '/invoices/ksef',
    '/invoices/bank-statements',
    `/invoices/${invoice}/edit`,
    `/invoices/${invoice}/edit/invoice`,
    `/invoices/${carrierInvoice}/edit`,
  ],
  customers: async (_waybill, { customer }) => [
    '/customer',
    '/customer?q=nothing-is-called-this',
    '/customer/create',
    '/customer/import',
    ...['', '?tab=places', '?tab=payment', '?tab=documents', '?tab=contacts'].map(
      (tab) => `/customer/${customer}/edit${tab}`,
    ),
  ],
  async carriers({ idOf }, { rateCard }) {
    const carrier = `/carrier-companies/${await idOf('carrier-companies', 'Transwarta Sp. z o.o.')}/edit`
    return [
      '/carrier-companies',
      '/carrier-companies?q=nothing-is-called-this',
      '/carrier-companies/create',
      '/carrier-companies/import',
      '/carrier-companies/clearance',
      '/load-carriers?holder=carrier',
      `/load-carriers?holder=carrier&account=${await idOf('carrier-companies', 'Transwarta Sp. z o.o.')}`,
      '/load-carriers?q=nothing-is-called-this',
      '/load-carriers?tab=withoutNote',
      '/load-carriers?tab=notAgreed',
      '/rate-cards',
      '/rate-cards?card=new',
      `/rate-cards?card=${rateCard}`,
      ...['', '?tab=drivers', '?tab=vehicleTypes', '?tab=documents'].map((tab) => `${carrier}${tab}`),
    ]
  },
  settings: settingsScreens,
  async people({ idOf }, _records, viewer) {
    const own = `${viewer.id}/edit`
    return [
      '/users',
      '/users?q=nothing-is-called-this',
      '/users/create',
      `/users/${own}`,
      `/users/${own}?tab=permissions`,
      '/user-roles',
      '/user-roles/create',
      `/user-roles/${await idOf('user-roles', 'Dispatch, own orders')}/edit`,
      `/profile/${own}`,
    ]
  },
  [BEFORE_SIGN_IN]: async (_waybill, { uploads }) => [
    '/403',
    '/404',
    '/no-such-page',
    '/auth/login',
    '/auth/provider',
    '/auth/restore',
    '/auth/recovery-password/some-token',
    '/auth/reset-password/some-token',
    '/upload-documents/no-such-link',
    ...uploads,
  ],
}

// Every screen once, in the language with the longest words; `npm run test:long` looks in all three, each in both
// themes and both sizes (`playwright.config.ts`).
const LANGUAGES = isLong ? ['en', 'de', 'pl'] : ['de']
const CONTRASTS_OF_ALL = ['light 1280 en', 'dark 1280 de']
let records: Promise<Records> | null = null

// Else the worker that got this file would still be at it when all others are done.
test.describe.configure({ mode: 'parallel' })

for (const language of LANGUAGES) {
  // An administrator of this journey's own, whose language nobody else's work hangs on.
  let viewer: Promise<Person> | null = null
  for (const [part, screensOf] of Object.entries(PARTS)) {
    test(`shows every screen in ${language}, ${part}: titled, accessible, without sideways scroll or error`, async ({
      page,
      waybill,
      partners,
      signIn,
      expectAccessible,
      shoot,
    }, { project }) => {
      test.setTimeout(300_000)
      const person = await (viewer ??= addPerson(waybill, { isAdmin: true, language }))
      const screens = await screensOf(waybill, await (records ??= addRecords(waybill, partners)), person)
      await signIn(person)
      // A carrier's page speaks the language of its carrier until another is chosen on the device.
      await page.evaluate((chosen) => localStorage.setItem('waybill-public-language', chosen), language)
      // Before the sign-in each is a page of its own. Behind it people go from one to the next, a third of the time;
      // that each also opens by its address hangs on no look and no language, so the long run does that once.
      const opensAnew = (isLong && project.name === 'light 1280' && language === 'en') || part === BEFORE_SIGN_IN
      for (const path of screens) {
        await test.step(path, async () => {
          await (opensAnew || path === screens[0] ? page.goto(path) : follow(page, path))
          await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty()
          // Nothing may still be on its way when the page is judged.
          await settled(page)
          // What is fetched when it is reached belongs to the screen.
          await page.keyboard.press('Control+End')
          await expect(page.locator('[role="status"][aria-label]')).toHaveCount(0)
          // As it opens: half way down, a button half under the header would count as too small.
          await page.keyboard.press('Control+Home')
          await expect(page).toHaveTitle(/\S+/)
          await expect(page.locator('html')).toHaveAttribute('lang', language)
          const width = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          expect(width, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
          // Colours come from the same few names everywhere: each part's first screen shows a pair that is too faint.
          // The long run looks at all of each theme, once.
          const isEach = isLong && CONTRASTS_OF_ALL.includes(`${project.name} ${language}`)
          await expectAccessible(page, { contrasts: isEach || path === screens[0] })
          await shoot(page, `screen ${project.name} ${language} ${path.replace(/\W+/g, '-')}`)
        })
      }
    })
  }
}
