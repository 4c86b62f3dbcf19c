import { dayFromToday } from './support/days.ts'
import { expectPublicHeaders } from './support/public-page.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'de-DE' }

test.describe('on a phone', () => {
  test.use(PHONE)

  test('every wrong link is one neutral page, which no search engine keeps', async ({
    page,
    context,
    expectAccessible,
    shoot,
  }) => {
    const answer = await page.goto('/track/not-a-link')
    expectPublicHeaders(answer)
    await expect(page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr.' })).toBeVisible()
    await expect(page.getByText('Waybill Spedition GmbH')).toHaveCount(0)
    await expectAccessible(page)
    await shoot(page, 'tracking-wrong-link')
    await page.getByRole('button', { name: 'PL' }).click()
    await expect(page.getByRole('heading', { name: 'Ten link jest już nieważny.' })).toBeVisible()
    expect(await context.cookies()).toEqual([])
  })
})

test('staff make a link, the customer opens it on a phone, and a typed delay is there within five seconds', async ({
  page,
  browser,
  waybill,
  partners,
  signIn,
  shoot,
  expectAccessible,
}) => {
  const { api, idOf } = waybill
  const [germany, poland] = [await idOf('countries', 'Germany'), await idOf('countries', 'Poland')]
  const stop = (key: string, kind: string, countryId: number, city: string, action: string, ahead: number) => ({
    key,
    kind,
    city,
    countryId,
    termin: { kind: 'before', dateFrom: dayFromToday(ahead), timeFrom: '16:00' },
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    customerOrderNumber: '4500129877',
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 145_000,
    cargo: [{ key: 'a', title: 'Maschinenteile', quantity: 3 }],
    locations: [
      stop('from', 'loading', poland, 'Łódź', 'PICK_UP', 5),
      stop('to', 'unloading', germany, 'Frechen', 'DROP_OFF', 6),
    ],
    routes: [
      {
        locationKeys: ['from', 'to'],
        assignment: { carrierCompanyId: partners.transwarta, plateNumber: 'PO 7K412', costCents: 118_000, vatBp: 0 },
      },
    ],
  })

  await signIn()
  await page.goto(`/orders/${order.id as number}/edit`)
  await page.getByRole('heading', { name: 'Customers' }).scrollIntoViewIfNeeded()
  const row = page.getByRole('group', { name: 'Tracking link: Nordlicht Maschinenbau GmbH' })
  await row.getByRole('button', { name: 'Create link' }).click()
  const address = await row.getByRole('link').getAttribute('href')
  await shoot(page, 'tracking-link-in-order')
  // The mail to the customer speaks of it.
  await row.getByRole('button', { name: 'Write mail' }).click()
  await expect(page.getByRole('region', { name: 'As it arrives' })).toContainText('Sendung verfolgen')

  // The page speaks the customer's language, on a phone of another one.
  const context = await browser.newContext({ ...PHONE, locale: 'pl-PL', colorScheme: 'dark' })
  const phone = await context.newPage()
  await phone.clock.install()
  await phone.goto(`${waybill.url}${new URL(address!).pathname}`)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Łódź nach Frechen')
  await expect(phone.getByText('Eingeplant: Beladung in Łódź')).toBeVisible()
  await expect(phone.getByText('4500129877')).toBeVisible()
  await expectAccessible(phone)
  await shoot(phone, 'tracking-planned')
  const told = async () => (await phone.locator('body').innerText()) + (await phone.content())
  for (const secret of ['Transwarta', '1.450', '1.180', 'PO 7K412']) expect(await told()).not.toContain(secret)

  const { version, locations } = (await api('GET', `orders/${order.id as number}`)).body
  const saved = await api(
    'PATCH',
    `orders/${order.id as number}`,
    {
      locations: [{ id: locations[0].id }, { id: locations[1].id, plannedAt: `${dayFromToday(6)}T18:30:00Z` }].map(
        (change, place) => {
          const { country: _c, countryCode: _k, position: _p, routeId: _r, ...own } = locations[place]
          return { ...own, ...change }
        },
      ),
    },
    { 'If-Match': `"${version as number}"` },
  )
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  await phone.clock.runFor(5_000)
  await expect(phone.getByText('Später als geplant in Frechen', { exact: true })).toBeVisible()
  await expect(phone.getByRole('status')).toContainText('Später als geplant in Frechen, jetzt etwa')
  await expectAccessible(phone)
  await shoot(phone, 'tracking-delayed')

  // An accepted proof of delivery is there to be kept, by our name for it.
  await waybill.upload(
    { orderId: String(order.id), documentType: 'PROOF_OF_DELIVERY' },
    { name: 'Transwarta CMR.pdf', bytes: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n') },
  )
  await phone.clock.runFor(5_000)
  const download = phone.waitForEvent('download')
  await phone.getByRole('link', { name: /^POD_/ }).click()
  expect((await download).suggestedFilename()).toBe(`POD_${order.number as string}_1.pdf`)
  expect(await context.cookies()).toEqual([])
  await context.close()
})
