import { giveCarrierPapers } from './support/carrier-papers.ts'
import { linkIn } from './support/people.ts'
import { expectPublicHeaders } from './support/public-page.ts'
import { expect, test } from './support/test.ts'

test('two carriers are asked for their price, one answers on a phone, and gets the route', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { api, idOf } = waybill
  const country = await idOf('countries', 'Italy')
  const carriers = []
  for (const [title, email] of [
    ['Friulana Trasporti S.r.l.', 'dispo@friulana.example'],
    ['Val Canale Logistica S.p.A.', 'traffico@valcanale.example'],
  ]) {
    const { body } = await api('POST', 'carrier-companies', {
      title,
      countryId: country,
      language: 'en',
      contactPersons: [{ fullName: 'Elisa Furlan', email }],
    })
    await giveCarrierPapers(waybill, body.id, '2099-12-31')
    carriers.push(body.id as number)
  }
  const stop = (kind: string, postal: string, city: string, action: string, dateFrom: string) => ({
    kind,
    postal,
    city,
    countryId: country,
    companyTitle: 'Nordlicht Lager',
    termin: { kind: 'fix', dateFrom },
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const transport = (day: string, carrierCompanyId: number | null) => ({
    customerIds: [partners.nordlicht],
    customerPriceCents: 154_000,
    cargo: [{ key: 'a', title: 'Panels', quantity: 31, weightKg: 9300 }],
    locations: [
      stop('loading', '33100', 'Udine', 'PICK_UP', day),
      stop('unloading', '34074', 'Monfalcone', 'DROP_OFF', day),
    ],
    routes: [{ assignment: { carrierCompanyId, costCents: carrierCompanyId === null ? null : 120_000 } }],
  })
  const make = async (day: string, carrierId: number | null) => {
    const body = { ...transport(day, carrierId), departmentId: await idOf('departments', 'FTL West') }
    const { status, body: order } = await api('POST', 'orders', body)
    expect(status, JSON.stringify(order)).toBe(201)
    return order
  }
  // Both know the lane.
  for (const id of carriers) {
    const driven = await make('2026-11-02', id)
    await api('POST', `orders/${driven.id}/status`, { to: 'scheduled' }, { 'If-Match': `"${driven.version}"` })
  }
  const order = await make('2099-03-02', null)

  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  await page.locator('#routes').scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Choose carrier …' }).click()
  const window = page.getByRole('dialog')
  await expect(window.getByRole('row', { name: /Friulana/ })).toBeVisible()
  await shoot(page, 'carrier-choice')
  await window.getByRole('button', { name: 'Ask for prices' }).click()
  await window.getByRole('button', { name: 'Send 2 requests' }).click()
  await expect(window.getByText('0 of 2 answered with a price')).toBeVisible()

  const link = await linkIn(waybill, 'dispo@friulana.example', '/price/')
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    baseURL,
  })
  const carrier = await phone.newPage()
  const answer = await carrier.goto(new URL(link).pathname)
  expectPublicHeaders(answer)
  await expect(carrier.getByRole('heading', { name: 'Your price for Udine – Monfalcone' })).toBeVisible()
  await expect(carrier.getByText('Nordlicht')).toHaveCount(0)
  await expectAccessible(carrier)
  await shoot(carrier, 'price-request')
  await carrier.getByRole('button', { name: 'Send price' }).click()
  await expect(carrier.getByText('Please enter your price.')).toBeVisible()
  await carrier.getByLabel('Price without VAT').fill('1,180.50')
  await carrier.getByRole('button', { name: 'DE', exact: true }).click()
  await expect(carrier.getByLabel('Preis ohne Umsatzsteuer')).toHaveValue('1.180,50')
  // The titles in the other language come while the carrier is typing on: no key is lost.
  let comes = () => undefined as void
  const held = new Promise<void>((resolve) => (comes = resolve))
  await carrier.route('**/api/price/*', async (route) => {
    await held
    await route.continue()
  })
  await carrier.getByRole('button', { name: 'EN', exact: true }).click()
  await carrier.getByLabel('Plate, remarks').focus()
  await carrier.keyboard.type('same as last time')
  for (let back = 0; back < 'as last time'.length; back += 1) await carrier.keyboard.press('ArrowLeft')
  const arrived = carrier.waitForResponse('**/api/price/*')
  comes()
  await (await arrived).finished()
  await expect(carrier.locator('#page')).not.toHaveAttribute('aria-busy')
  await carrier.keyboard.type('truck ')
  await expect(carrier.getByLabel('Plate, remarks')).toHaveValue('same truck as last time')
  // A telephone that dropped the page has all of it again.
  await carrier.reload()
  await expect(carrier.getByLabel('Plate, remarks')).toHaveValue('same truck as last time')
  await expect(carrier.getByLabel('Price without VAT')).toHaveValue('1,180.50')
  await carrier.getByRole('button', { name: 'Send price' }).click()
  await expect(carrier.getByRole('heading', { name: 'Thank you, we have your price.' })).toBeVisible()
  await expect(carrier.getByText('1,180.50 €')).toBeVisible()
  await shoot(carrier, 'price-answered')
  expect(await phone.cookies()).toEqual([])

  // It stands there without a reload.
  await expect(window.getByText('same truck as last time')).toBeVisible()
  await shoot(page, 'price-answers')
  await window.getByRole('button', { name: 'Take 1,180.50 €' }).click()
  await expect(page.locator('[name="routes.0.assignment.costCents"]')).toHaveValue('1,180.50')
  await waybill.mails.waitFor(
    ({ subject, to }) => subject?.includes('given away') === true && to?.[0]?.address === 'traffico@valcanale.example',
  )
  await carrier.reload()
  await expect(carrier.getByRole('heading', { name: 'The transport is yours' })).toBeVisible()
  await carrier.goto('/price/not-a-link')
  await expect(carrier.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await expectAccessible(carrier)
  await phone.close()
})
