import type { Page } from '@playwright/test'
import { rateDay } from '@waybill/contract/invoice/ksef/rate'
import { startFakeKsef } from '../server/test/ksef/fake-ksef.ts'
import { ksefNumber } from '../server/test/ksef/polish-company.ts'
import { makeKeys } from '../server/test/ksef/test-keys.ts'
import { giveCarrierPapers } from './support/carrier-papers.ts'
import { expect, test as base } from './support/test.ts'
import { startWaybill, type Waybill } from './support/waybill.ts'

const keys = makeKeys({ kind: 'ec', name: 'Waybill Polska' })

const offlineKeys = makeKeys({ kind: 'ec', name: 'Waybill Polska offline', days: 40 })

type Ksef = Awaited<ReturnType<typeof startFakeKsef>>

const test = base.extend<object, { ksef: Ksef }>({
  ksef: [
    async ({}, use) => {
      const ksef = await startFakeKsef([keys])
      await use(ksef)
      await ksef.close()
    },
    { scope: 'worker' },
  ],
  waybill: [
    async ({ ksef }, use) => {
      const waybill = await startWaybill({ KSEF_TEST_URL: ksef.url })
      await use(waybill)
      await waybill.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

/** A draft of a company in Poland, with VAT. */
async function draftOf(
  { api, idOf }: Waybill,
  code: string,
  ksefMode: string,
  { hasOfflineKey = false } = {},
): Promise<number> {
  const countryId = await idOf('countries', 'Poland')
  const company = await api('POST', 'companies', {
    title: `Waybill Polska ${code}`,
    code,
    vatNumber: 'PL7822345674',
    address: 'ul. Bałtycka 64',
    postal: '61-017',
    city: 'Poznań',
    countryId,
    timeZone: 'Europe/Warsaw',
    invoiceNumberPattern: `${code}/{N}/{YYYY}`,
    bankAccounts: [{ bankName: 'Bank Wielkopolski', iban: 'PL61109010140000071219812874', bic: 'WBKPPLPPXXX' }],
    ksefMode,
  })
  expect(company.status, JSON.stringify(company.body)).toBe(201)
  const companyId = company.body.id as number
  await api('PUT', `companies/${companyId}/ksef-certificates/authentication`, keys)
  if (hasOfflineKey) await api('PUT', `companies/${companyId}/ksef-certificates/offline`, offlineKeys)
  const customer = await api('POST', 'customers', {
    title: `Odlewnia Dębowiec ${code}`,
    address: 'ul. Hutnicza 101B',
    postal: '62-300',
    city: 'Września',
    countryId,
    invoiceEmail: `faktury@${code.toLowerCase()}.example`,
  })
  const { body, status } = await api('POST', 'invoices', {
    entityType: 'customer',
    companyId,
    billingCustomerId: customer.body.id,
    lines: [{ text: 'Transport Września – Landskrona', unitPriceCents: 109_000, vatBp: 2300, vatCategory: 'S' }],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id as number
}

const panelOf = (page: Page) => page.getByRole('region', { name: 'E-invoice' })

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send …' }).click()
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await expect(page).toHaveURL(/\/edit$/)
}

/** The missing rate of the day is typed where the invoice asks for it. */
async function enterRate(page: Page): Promise<void> {
  const panel = panelOf(page)
  await panel.getByRole('textbox', { name: 'Table' }).fill('226')
  await panel.getByRole('textbox', { name: 'PLN for 1 EUR' }).fill('4.2662')
  await page.reload()
  await expect(panel.getByRole('textbox', { name: 'Table' })).toHaveValue('226')
  await expect(panel.getByRole('textbox', { name: 'PLN for 1 EUR' })).toHaveValue('4.2662')
  await panel.getByRole('button', { name: 'Enter rate' }).click()
  await expect(panel.getByText('Nothing hinders sending')).toBeVisible()
}

/** The rate of the day is known before. */
async function knowRate({ api }: Waybill): Promise<void> {
  const day = rateDay(null, new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' }).format(new Date()))
  await api('PUT', `nbp-rates/${day}`, { tableNumber: `226/A/NBP/${day.slice(0, 4)}`, rateE4: 42_662 })
}

test('by hand: the rate is entered, the XML waits for its number, then PDF and mail go', { tag: '@long' }, async ({
  page,
  signIn,
  waybill,
  expectAccessible,
  shoot,
}) => {
  const id = await draftOf(waybill, 'WPF', 'file')
  await signIn()
  await page.goto(`/invoices/${id}/edit`)
  const panel = panelOf(page)
  await expect(panel.getByText('Cannot be sent: 1 thing is missing')).toBeVisible()
  await shoot(page, 'ksef-rate')
  await enterRate(page)
  await send(page)
  await expect(panel.getByText('Waits for the KSeF number')).toBeVisible()
  await expect(panel.getByText(/1,069\.54 PLN at 4\.2662/)).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'ksef-awaited')
  const number = ksefNumber()
  const field = panel.getByRole('textbox', { name: 'KSeF number' })
  const wrong = `${number.slice(0, 33)}${number.endsWith('00') ? '01' : '00'}`
  await field.fill(wrong)
  await panel.getByRole('button', { name: 'Enter number' }).click()
  await expect(panel.getByText(/Not a KSeF number of this company/)).toBeVisible()
  await page.reload()
  await expect(field).toHaveValue(wrong)
  await field.fill(number)
  await panel.getByRole('button', { name: 'Enter number' }).click()
  await expect(panel.getByText('Accepted by KSeF')).toBeVisible()
  await expect(panel.getByText(number)).toBeVisible()
  await shoot(page, 'ksef-accepted')
  const mail = await waybill.mails.waitFor(
    ({ to }) => to?.some(({ address }) => address === 'faktury@wpf.example') ?? false,
  )
  expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf'])
})

test('through the interface: KSeF rejects it, it is mended and accepted under the same number', {
  tag: '@long',
}, async ({ page, signIn, waybill, ksef, shoot }) => {
  await knowRate(waybill)
  const id = await draftOf(waybill, 'WPI', 'test')
  const statusOf = async () => (await waybill.api('GET', `invoices/${id}/e-invoice`)).body.ksef.state as string
  await signIn()
  await page.goto(`/invoices/${id}/edit`)
  const panel = panelOf(page)
  await expect(panel.getByText('Nothing hinders sending')).toBeVisible()
  ksef.willMeet('reject')
  await send(page)
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('rejected')
  await page.goto(`/invoices/${id}/edit`)
  await expect(panel.getByText('Rejected by KSeF')).toBeVisible()
  await expect(panel.getByText(/NIP nabywcy nie istnieje/)).toBeVisible()
  await expect(panel.getByText(/The number WPI\/1\/\d{4} is kept for this invoice/)).toBeVisible()
  await shoot(page, 'ksef-rejected')

  await page.locator('[name="notes"]').fill('poprawiono')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByText(/saved successfully/)).toBeVisible()
  await send(page)
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('accepted')
  await page.goto(`/invoices/${id}/edit`)
  await expect(panel.getByText('Accepted by KSeF')).toBeVisible()
  const { body } = await waybill.api('GET', `invoices/${id}`)
  expect(body).toMatchObject({ status: 'sent', paper: 'made' })
  expect(body.number).toMatch(/^WPI\/1\//)
  const saved = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'UPO' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^UPO .*\.xml$/)
  await waybill.mails.waitFor(({ to }) => to?.some(({ address }) => address === 'faktury@wpi.example') ?? false)
})

test('while KSeF is away an invoice is issued offline, and its correction waits', { tag: '@long' }, async ({
  page,
  signIn,
  waybill,
  ksef,
  expectAccessible,
  shoot,
}) => {
  const id = await draftOf(waybill, 'WPO', 'test', { hasOfflineKey: true })
  const ksefOf = async () => (await waybill.api('GET', `invoices/${id}/e-invoice`)).body.ksef
  await knowRate(waybill)
  await signIn()
  await page.goto(`/invoices/${id}/edit`)
  const panel = panelOf(page)
  await expect(panel.getByText('Nothing hinders sending')).toBeVisible()
  ksef.willMeet('away')
  await send(page)
  await expect.poll(async () => (await ksefOf()).trouble, { timeout: 60_000 }).toContain('503')
  await page.goto(`/invoices/${id}/edit`)
  await panel.getByRole('button', { name: 'Issue offline …' }).click()
  await shoot(page, 'ksef-offline-ask')
  await page.getByRole('button', { name: 'Issue offline', exact: true }).click()
  await expect(panel.getByText('Issued offline', { exact: true })).toBeVisible()
  await expect(panel.getByText(/KSeF must have it by/)).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'ksef-offline')
  const mail = await waybill.mails.waitFor(
    ({ to }) => to?.some(({ address }) => address === 'faktury@wpo.example') ?? false,
  )
  expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf'])

  // A correction of it waits for its number, and says so.
  const { body: invoice } = await waybill.api('GET', `invoices/${id}`)
  const { body: correction } = await waybill.api(
    'POST',
    `invoices/${id}/correction`,
    { reason: 'Rabat' },
    { 'If-Match': `"${invoice.version}"` },
  )
  await page.goto(`/invoices/${correction.id}/edit`)
  await expect(panel.getByText('Waits for KSeF')).toBeVisible()
  await expect(panel.getByRole('link', { name: `Open ${invoice.number}` })).toBeVisible()
  await shoot(page, 'ksef-correction-waits')
})

test('what KSeF rejects is told above the invoices, and its number stands among those not issued', {
  tag: '@long',
}, async ({ page, signIn, waybill, ksef, expectAccessible, shoot }) => {
  const id = await draftOf(waybill, 'WPN', 'test', { hasOfflineKey: true })
  const { body: draft } = await waybill.api('GET', `invoices/${id}`)
  await knowRate(waybill)
  await signIn()
  await page.goto(`/invoices/${id}/edit`)
  const panel = panelOf(page)
  await expect(panel.getByText('Nothing hinders sending')).toBeVisible()
  ksef.willMeet('reject')
  await send(page)
  // It is told as KSeF decides it.
  await page.goto('/invoices')
  await expect(page.getByText(/1 invoice rejected by KSeF/)).toBeVisible({ timeout: 60_000 })
  await shoot(page, 'ksef-notice')
  await page.getByRole('link', { name: 'Look at KSeF' }).click()
  const rejected = page.getByRole('region', { name: 'Rejected' })
  await expect(rejected.getByRole('link', { name: draft.innerNumber })).toBeVisible()
  await expect(rejected.getByText(/NIP nabywcy nie istnieje/)).toBeVisible()
  await expect(
    page
      .getByRole('region', { name: 'Certificates' })
      .getByText(/ends within 60 days/)
      .first(),
  ).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'ksef-page')
  const { body: now } = await waybill.api('GET', `invoices/${id}`)
  const canceled = await waybill.api(
    'POST',
    `invoices/${id}/status`,
    { to: 'canceled' },
    { 'If-Match': `"${now.version}"` },
  )
  expect(canceled.status, JSON.stringify(canceled.body)).toBe(200)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Numbers not issued' }).getByText(/^WPN\/1\//)).toBeVisible()
  await expect(page.getByText('KSeF has rejected nothing.')).toBeVisible()
  await shoot(page, 'ksef-not-issued')
})

test('a month end shows what KSeF has rejected, and leads to the invoice', { tag: '@long' }, async ({
  page,
  signIn,
  waybill,
  ksef,
  expectAccessible,
  shoot,
}) => {
  const { api, idOf } = waybill
  const done = async (method: string, path: string, body?: object) => {
    const answer = await api(method, path, body)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  const draftId = await draftOf(waybill, 'WPM', 'test')
  const { company, billingCustomer } = await done('GET', `invoices/${draftId}`)
  const poland = await idOf('countries', 'Poland')
  const department = await done('POST', 'departments', {
    abbreviation: 'WPM',
    companyId: company.id,
    countryId: poland,
  })
  const carrier = await done('POST', 'carrier-companies', { title: 'Trans Września', countryId: poland })
  await giveCarrierPapers(waybill, carrier.id)
  const stop = (key: string, city: string, action: string, dateFrom: string) => ({
    key,
    kind: action === 'PICK_UP' ? 'loading' : 'unloading',
    termin: { kind: 'fix', dateFrom },
    countryId: poland,
    city,
    cargoActions: [{ cargoKey: 'c', action }],
  })
  let order = await done('POST', 'orders', {
    customerIds: [billingCustomer.id],
    departmentId: department.id,
    customerPriceCents: 64_000,
    cargo: [{ key: 'c', title: 'Palety', quantity: 4 }],
    locations: [stop('from', 'Września', 'PICK_UP', '2026-11-02'), stop('to', 'Gniezno', 'DROP_OFF', '2026-11-03')],
    routes: [{ assignment: { carrierCompanyId: carrier.id, costCents: 50_000 }, locationKeys: ['from', 'to'] }],
  })
  for (const to of ['scheduled', 'in_transit', 'arrived', 'delivered', 'completed']) {
    const body = { to, at: new Date().toISOString(), podWaiverReason: 'waived', version: order.version }
    order = await done('POST', `orders/${order.id}/status`, body)
  }

  await knowRate(waybill)
  await signIn()
  await page.goto(`/invoices/month-end?company=${company.id}&until=2026-12-31&all=1`)
  await page
    .getByRole('region', { name: 'Customers' })
    .getByRole('button', { name: /Odlewnia/ })
    .click()
  const detail = page.getByRole('region', { name: /Odlewnia/ })
  await expect(detail.getByText(/no findings/)).toBeVisible()
  ksef.willMeet('reject')
  await page.getByRole('checkbox', { name: /Odlewnia/ }).check()
  await page.getByRole('button', { name: 'Send 1 invoice' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByText('1 rejected by KSeF')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/NIP nabywcy nie istnieje/)).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'ksef-month-end-rejected')
  await page.getByRole('link', { name: /Open invoice IN-/ }).click()
  await expect(panelOf(page).getByText('Rejected by KSeF')).toBeVisible()
})
