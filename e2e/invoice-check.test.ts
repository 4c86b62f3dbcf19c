import type { Locator, Page } from '@playwright/test'
import { dayFromToday } from './support/days.ts'
import type { Partners } from './support/partners.ts'
import { expect, test } from './support/test.ts'
import { sendAsCarrier } from './support/transport.ts'
import type { Waybill } from './support/waybill.ts'

const IBAN = 'PL52124015290000120309876543'
const AGREED = 118_000
const TO = 'dispo@transwarta.example'

/** A transport of a carrier from Poland for 1,180.00 €; answers its order and the token of its upload link. */
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
        assignment: {
          carrierCompanyId: partners.transwarta,
          plateNumber: 'PO 7K412',
          disponentEmail: TO,
          costCents: AGREED,
          vatBp: 0,
        },
      },
    ],
  })
  expect(status, JSON.stringify(order)).toBe(201)
  const { body } = await api(
    'POST',
    `routes/${order.routes[0].id}/upload-link`,
    { linkId: null },
    { 'If-Match': `"${order.version}"` },
  )
  return { orderId: order.id as number, token: new URL(body.link.url).pathname.split('/').at(-1)! }
}

const rowOf = (page: Page, total: string): Locator =>
  page.getByRole('complementary', { name: 'Queue' }).getByRole('link').filter({ hasText: total })

test('a carrier’s invoice that differs is set aside, sent again by its carrier, and approved by keys', async ({
  page,
  partners,
  shoot,
  signIn,
  expectAccessible,
  waybill,
}) => {
  const first = await addTransport(waybill, partners)
  const second = await addTransport(waybill, partners)
  const amounts = (cents: number) => ({ amountCents: cents, totalCents: cents })
  await sendAsCarrier(
    waybill,
    first.token,
    { invoiceNumber: 'FV/CHECK/1', ...amounts(126_500), differenceReason: 'Przestój w Bielefeld' },
    { 'CMR.pdf': 'pod', 'FV.pdf': 'invoice' },
  )

  await signIn()
  await page.goto('/invoices')
  await page.getByRole('link', { name: 'To check' }).click()
  await expect(page).toHaveURL(/\/invoices\/check/)
  await rowOf(page, '1,265.00').click()
  await expect(page.getByRole('heading', { level: 1, name: 'FV/CHECK/1' })).toBeVisible()
  await expect(page.getByText('Przestój w Bielefeld')).toBeVisible()
  await expect(page.getByText('agreed 1,180.00, +85.00 (7.2 %)')).toBeVisible()
  await expectAccessible(page)

  // It is not approved without saying what the money is for.
  await page.keyboard.press('a')
  await expect(page.getByText('The field is required')).toBeVisible()
  await page.keyboard.press('1')
  await expect(page.getByRole('radio', { name: /Waiting time/ })).toBeChecked()
  await expect(page.getByText('185.00 € · 12.8 %').first()).toBeVisible()
  await shoot(page, 'invoice-check-differs')

  await page.keyboard.press('7')
  await page.keyboard.press('a')
  const window = page.getByRole('dialog', { name: 'Problem with FV/CHECK/1' })
  await expect(window.getByRole('radio', { name: /Amount differs/ })).toBeChecked()
  await expect(window.getByRole('textbox', { name: /^To/ })).toHaveValue(TO)
  const words = window.getByRole('textbox', { name: /What is wrong/ })
  await expect(words).toHaveValue(/uzgodniono/)
  await words.fill('Uzgodniono 1180,00 EUR bez przestoju.')
  await expectAccessible(page)
  await shoot(page, 'invoice-check-problem')
  await window.getByRole('button', { name: 'Set aside and write' }).click()
  await expect(page.getByText('FV/CHECK/1 waits with a problem')).toBeVisible()
  const mail = await waybill.mails.waitFor(({ text }) => text?.includes('bez przestoju') ?? false)
  expect(mail.to?.map(({ address }) => address)).toEqual([TO])
  expect(mail.html).toContain(first.token)
  expect(mail.html).not.toContain(IBAN)
  await expect(rowOf(page, '1,265.00')).toHaveCount(0)

  // The queue hears what comes.
  await sendAsCarrier(
    waybill,
    first.token,
    { invoiceNumber: 'FV/CHECK/1', ...amounts(AGREED) },
    { 'FV-2.pdf': 'invoice' },
  )
  await expect(rowOf(page, '1,180.00')).toHaveCount(1)
  await sendAsCarrier(
    waybill,
    second.token,
    { invoiceNumber: 'FV/CHECK/2', ...amounts(AGREED) },
    { 'CMR-2.pdf': 'pod', 'FV-3.pdf': 'invoice' },
  )
  await expect(rowOf(page, '1,180.00')).toHaveCount(2)

  await rowOf(page, '1,180.00').first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'FV/CHECK/1' })).toBeVisible()
  await page.keyboard.press('o')
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByText('POD on file, accepted')).toBeVisible()

  // From the queue to approved in two keys, and back with one.
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { level: 1, name: 'FV/CHECK/2' })).toBeVisible()
  await page.keyboard.press('k')
  await expect(page.getByRole('heading', { level: 1, name: 'FV/CHECK/1' })).toBeVisible()
  await expect(page.getByText('POD on file, accepted')).toBeVisible()
  // What was ordered lies beside what is billed.
  await page.keyboard.press('t')
  await expect(page.getByText('No transport order')).toBeVisible()
  const order = (await waybill.api('GET', `orders/${first.orderId}`)).body
  const wish = { documentType: 'ORDER_RESOLVED_DOCUMENT', routeId: order.routes[0].id, language: 'pl' }
  const version = { 'If-Match': `"${order.version}"` }
  expect((await waybill.api('POST', `orders/${first.orderId}/documents`, wish, version)).status).toBe(201)
  const { items } = (await waybill.api('GET', `documents?orderId=${first.orderId}`)).body
  const { title } = items.find((file: { documentType: string }) => file.documentType === wish.documentType)
  await page.reload()
  await expect(page.getByText('POD on file, accepted')).toBeVisible()
  await page.keyboard.press('t')
  const papers = page.getByRole('region', { name: 'Papers' })
  await expect(papers.getByText(title).or(papers.getByLabel(title))).toBeVisible()

  // The account goes onto the record, where somebody else confirms it.
  await page.getByRole('button', { name: 'Take it onto the carrier’s record' }).click()
  await expect(page.getByText(/nobody has confirmed it: payment is blocked/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Confirm it there' })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'invoice-check-account')

  await page.keyboard.press('a')
  await expect(page.getByText('FV/CHECK/1 approved')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'FV/CHECK/2' })).toBeVisible()
  await shoot(page, 'invoice-check-approved')
  await page.keyboard.press('u')
  await expect(page.getByRole('heading', { level: 1, name: 'FV/CHECK/1' })).toBeVisible()
  await expect(rowOf(page, '1,180.00')).toHaveCount(2)
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { level: 1, name: 'FV/CHECK/2' })).toBeVisible()
  const { body } = await waybill.api('GET', `invoices?orderId[]=${first.orderId}&entityType=carrier`)
  expect(body.items).toMatchObject([{ number: 'FV/CHECK/1', status: 'approved' }])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the queue are cards, the paper opens from its button, and the invoice is approved', { tag: '@long' }, async ({
    page,
    partners,
    shoot,
    signIn,
    expectAccessible,
    waybill,
  }) => {
    const { token } = await addTransport(waybill, partners)
    await sendAsCarrier(
      waybill,
      token,
      { invoiceNumber: 'FV/PHONE/1', amountCents: 111_100, totalCents: 111_100, differenceReason: 'Rabat' },
      { 'CMR.pdf': 'pod', 'FV.pdf': 'invoice' },
    )
    await signIn()
    await page.goto('/invoices/check')
    await shoot(page, 'invoice-check-queue-phone')
    await rowOf(page, '1,111.00').tap()
    await expect(page.getByRole('heading', { level: 1, name: 'FV/PHONE/1' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'POD', exact: true }).tap()
    await page.getByRole('button', { name: 'Accept', exact: true }).tap()
    await page.getByRole('region', { name: 'Papers' }).getByRole('button', { name: 'Close' }).tap()
    await expect(page.getByText('POD on file, accepted')).toBeVisible()
    await page.getByRole('radio', { name: 'Deduction' }).check()
    await shoot(page, 'invoice-check-phone')
    await page.getByRole('button', { name: 'Transport order' }).tap()
    await expect(page.getByText('No transport order')).toBeVisible()
    await shoot(page, 'invoice-check-order-phone')
    await page.getByRole('region', { name: 'Papers' }).getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('button', { name: 'Approve' }).tap()
    await expect(page.getByText('FV/PHONE/1 approved')).toBeVisible()
  })

  test('of several that wait one is set aside and found again, and nothing is wider than the phone', {
    tag: '@long',
  }, async ({ page, partners, shoot, signIn, expectAccessible, waybill }) => {
    const fitsThePhone = () =>
      expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
    const [first, second] = [await addTransport(waybill, partners), await addTransport(waybill, partners)]
    for (const [{ token }, invoiceNumber, cents] of [
      [first, 'FV/PHONE/2026/12/00000000002', 122_200],
      [second, 'FV/PHONE/3', 133_300],
    ] as const)
      await sendAsCarrier(
        waybill,
        token,
        { invoiceNumber, amountCents: cents, totalCents: cents, differenceReason: 'Przestój w Bielefeld' },
        { 'CMR.pdf': 'pod', 'FV.pdf': 'invoice' },
      )
    await signIn()
    await page.goto('/invoices/check')
    for (const total of ['1,222.00', '1,333.00']) await expect(rowOf(page, total)).toBeVisible()
    await fitsThePhone()
    await expectAccessible(page)

    // Below each other stand what it is about and what can be done; the bar goes from one to the next.
    await rowOf(page, '1,222.00').tap()
    await expect(page.getByRole('heading', { level: 1, name: 'FV/PHONE/2026/12/00000000002' })).toBeVisible()
    await fitsThePhone()
    await page.getByRole('button', { name: 'Next invoice' }).tap()
    await expect(page.getByRole('heading', { level: 1, name: 'FV/PHONE/3' })).toBeVisible()
    await page.getByRole('button', { name: 'Previous invoice' }).tap()
    await expect(page.getByRole('heading', { level: 1, name: 'FV/PHONE/2026/12/00000000002' })).toBeVisible()

    await page.getByRole('button', { name: 'Problem', exact: true }).tap()
    const problem = page.getByRole('dialog', { name: 'Problem with FV/PHONE/2026/12/00000000002' })
    await problem.getByRole('radio', { name: /Amount differs/ }).check()
    await problem.getByRole('textbox', { name: /What is wrong/ }).fill('Uzgodniono 1180,00 EUR bez przestoju, tel.')
    await fitsThePhone()
    await expectAccessible(page)
    await shoot(page, 'invoice-check-problem-phone')
    await problem.getByRole('button', { name: 'Set aside and write' }).tap()
    await expect(page.getByText('FV/PHONE/2026/12/00000000002 waits with a problem')).toBeVisible()
    await waybill.mails.waitFor(({ text }) => text?.includes('bez przestoju, tel.') ?? false)

    // The next one is there at once; the one that was set aside stands among those with a problem.
    await expect(page.getByRole('heading', { level: 1, name: 'FV/PHONE/3' })).toBeVisible()
    await page.getByRole('button', { name: 'Back to the queue' }).tap()
    await expect(rowOf(page, '1,222.00')).toHaveCount(0)
    await page.getByText(/^Problem \d/).tap()
    await expect(rowOf(page, '1,222.00')).toContainText('Amount differs')
    await fitsThePhone()
    await shoot(page, 'invoice-check-problems-phone')
    await rowOf(page, '1,222.00').tap()
    await expect(page.getByText(/waits for the carrier/)).toBeVisible()
  })
})
