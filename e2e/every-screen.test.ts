import { expect, test } from './support/test.ts'
import type { Partners } from './support/partners.ts'
import type { Waybill } from './support/waybill.ts'

const LONG_NAME = 'Donaudampfschifffahrtsgesellschaft für Umsatzsteuer-Identifikationsnummern und Schwerlasttransporte mbH & Co. KG'

async function addRecords({ api, idOf }: Waybill, partners: Partners) {
  const { body: customer } = await api('POST', 'customers', { title: LONG_NAME, countryId: await idOf('countries', 'Germany'), vatNumber: 'DE143593636', warnings: 'Nur mit Voranmeldung.', invoiceEmail: 'rechnung@donau.example' })
  const [germany, poland] = [await idOf('countries', 'Germany'), await idOf('countries', 'Poland')]
  const { body: order } = await api('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber: 'SZG-„Ostsee“/26 & Co <dringend>',
    customerPriceCents: 118_000,
    cargo: [{ key: 'a', title: 'Maschinenteile, nicht stapelbar, Kran vorhanden', quantity: 33, lengthCm: 120, widthCm: 80, heightCm: 145, weightKg: 25_800 }],
    locations: [
      { key: 'l', kind: 'loading', countryId: germany, companyTitle: LONG_NAME, city: 'Hamburg', termin: { kind: 'period', dateFrom: '2026-11-30', timeFrom: '08:00', timeTo: '12:00' }, cargoActions: [{ cargoKey: 'a', action: 'PICK_UP' }] },
      { key: 'u', kind: 'unloading', countryId: poland, city: 'Poznań', termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' }, cargoActions: [{ cargoKey: 'a', action: 'DROP_OFF' }] },
    ],
    routes: [{ locationKeys: ['l', 'u'], assignment: { carrierCompanyId: partners.transwarta, plateNumber: 'PO 1A234', costCents: 125_000 } }],
  })
  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  const { body: carrierInvoice } = await api('POST', 'invoices', { entityType: 'carrier', carrierCompanyId: partners.transwarta, orderIds: [order.id], number: `FV/${order.id as number}/11/2026`, amountCents: 125_000, vatBp: 0, totalCents: 125_000, documentCreationDate: '2026-11-20', dueDate: '2026-12-20' })
  return { order: order.id as number, invoice: invoice.id as number, carrierInvoice: carrierInvoice.id as number, role: await idOf('user-roles', 'Dispatch, own orders') }
}

/** A list, an empty list, a new record and one that is there, of every setting. */
async function settingsScreens({ idOf }: Waybill): Promise<string[]> {
  const settings = [
    ['departments', 'FTL West'],
    ['companies', 'Waybill Spedition GmbH'],
    ['countries', 'Bosnia and Herzegovina'],
    ['salutations', 'De heer'],
    ['unit-types', 'Europallet'],
    ['vehicle-types', 'Curtain-sider 13.6 m'],
    ['cargo-types', 'Food'],
    ['special-handling-types', 'Dangerous goods (ADR)'],
  ] as const
  const screens = await Promise.all(settings.map(async ([path, title]) => [`/${path}`, `/${path}?q=nothing-is-called-this`, `/${path}/create`, `/${path}/${await idOf(path, title)}/edit`]))
  return screens.flat()
}

let records: ReturnType<typeof addRecords> | null = null

for (const language of ['en', 'de', 'pl']) {
  test(`shows every screen in ${language}: titled, accessible, without a sideways scroll or an error`, async ({ page, waybill, partners, signIn, expectAccessible, shoot }, { project }) => {
    test.setTimeout(180_000)
    const { order, invoice, carrierInvoice, role } = await (records ??= addRecords(waybill, partners))
    const { body: profile } = await waybill.api('GET', 'profile')
    await waybill.api('PATCH', 'profile', { defaultLanguage: language }, { 'if-match': `"${profile.version as number}"` })
    await signIn()
    const settings = await settingsScreens(waybill)
    const screens = ['/orders', '/orders?mine=1', '/orders?q=nothing-is-called-this', '/orders/create', `/orders/${order}/edit`, '/invoices', `/invoices/${invoice}/edit`, `/invoices/${invoice}/edit/invoice`, `/invoices/${carrierInvoice}/edit`, ...settings, '/users', '/users?q=nothing-is-called-this', '/users/create', `/users/${profile.id as number}/edit`, `/users/${profile.id as number}/edit?tab=permissions`, '/user-roles', '/user-roles/create', `/user-roles/${role}/edit`, `/profile/${profile.id as number}/edit`, '/403', '/404', '/no-such-page', '/auth/login', '/auth/restore', '/auth/recovery-password/some-token', '/auth/reset-password/some-token']
    for (const path of screens) {
      await test.step(path, async () => {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty()
        // Nothing may still be on its way when the page is judged.
        await page.waitForLoadState('networkidle')
        // What is fetched when it is reached belongs to the screen.
        await page.keyboard.press('Control+End')
        await expect(page.locator('[role="status"][aria-label]')).toHaveCount(0)
        await expect(page).toHaveTitle(/\S+/)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        const width = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
        expect(width, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
        await expectAccessible(page)
        await shoot(page, `screen ${project.name} ${language} ${path.replace(/\W+/g, '-')}`)
      })
    }
    const { body: now } = await waybill.api('GET', 'profile')
    await waybill.api('PATCH', 'profile', { defaultLanguage: 'en' }, { 'if-match': `"${now.version as number}"` })
  })
}
