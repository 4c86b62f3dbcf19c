import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { fillLogin } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Partners } from './support/partners.ts'
import type { Waybill } from './support/waybill.ts'
import { ADMIN } from './support/waybill.ts'

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)

async function addOrder(
  { api, idOf }: Waybill,
  partners: Partners,
  customerOrderNumber: string,
): Promise<{ id: number; version: number }> {
  const { status, body } = await api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber,
    customerPriceCents: 145_000,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; version: number }
}

/** How many drafts this device keeps; runs in the page. */
const keptDrafts = () =>
  new Promise<number>((resolve, reject) => {
    const opening = indexedDB.open('waybill-drafts')
    opening.addEventListener('error', () => reject(opening.error!))
    opening.addEventListener('success', () => {
      const counting = opening.result.transaction('drafts').objectStore('drafts').count()
      counting.addEventListener('success', () => {
        opening.result.close()
        resolve(counting.result)
      })
    })
  })

test.beforeEach(({ signIn }) => signIn())

test('keeps what was typed over a reload and over an expired session', async ({ page, waybill, partners }) => {
  const order = await addOrder(waybill, partners, 'ZT/11/0342')
  await page.goto(`/orders/${order.id}/edit`)
  await field(page, 'internalComments').fill('Ramp 2 only after 06:30')
  await expect(page.getByText('1 unsaved change').first()).toBeVisible()
  await expect.poll(() => page.evaluate(keptDrafts)).toBe(1)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(field(page, 'internalComments')).toHaveValue('Ramp 2 only after 06:30')
  await expect(page.getByText('Your unsaved typing')).toBeVisible()

  // The session ends on the server; the next save meets the login page, and after it the form with its draft.
  const refreshToken = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('authData') ?? '{}') as { refreshToken: string }).refreshToken,
  )
  expect((await waybill.api('POST', 'token/logout', { refreshToken })).status).toBe(204)
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/auth\/login/)
  await fillLogin(page, ADMIN)
  await expect(page).toHaveURL(new RegExp(`/orders/${order.id}/edit`))
  await expect(field(page, 'internalComments')).toHaveValue('Ramp 2 only after 06:30')
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () => (await waybill.api('GET', `orders/${order.id}`)).body.internalComments as string)
    .toBe('Ramp 2 only after 06:30')
})

test(
  'refuses a file of 25 MB and one byte, and a program that calls itself a PDF',
  { tag: '@long' },
  async ({ page, waybill, partners }, testInfo) => {
    const order = await addOrder(waybill, partners, 'ZT/11/0344')
    await page.goto(`/orders/${order.id}/edit`)
    await page.getByRole('heading', { name: 'Other documents' }).scrollIntoViewIfNeeded()
    const chooser = page.locator('input[type="file"]').first()
    // From the disk: through the driver such a file takes five seconds of the page's time.
    const tooLarge = testInfo.outputPath('scan.pdf')
    writeFileSync(tooLarge, Buffer.alloc(26_214_401, '%PDF-1.4 '))
    await chooser.setInputFiles(tooLarge)
    await expect(page.getByText('The file exceeds the maximum allowed size of 25 MB.')).toBeVisible()
    await chooser.setInputFiles({
      name: 'invoice.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.concat([
        Buffer.from('MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff', 'latin1'),
        Buffer.alloc(600),
      ]),
    })
    await expect(page.getByText('This type of file is not allowed.', { exact: false })).toBeVisible()
    expect((await waybill.api('GET', `documents?orderId=${order.id}`)).body.items).toEqual([])
  },
)

interface End {
  postal: string
  city: string
}

/** An order from Poland to Germany with a line of cargo. */
async function addTransport(
  { api, idOf }: Waybill,
  partners: Partners,
  customerOrderNumber: string,
  from: End,
  to: End,
): Promise<{ id: number; version: number; number: string }> {
  const stop = (kind: string, countryId: number, end: End, action: string, dateFrom: string) => ({
    kind,
    countryId,
    ...end,
    termin: { kind: 'fix', dateFrom, timeFrom: '08:00' },
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const { status, body } = await api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber,
    customerPriceCents: 145_000,
    cargo: [{ key: 'a', title: 'Furniture', quantity: 9, lengthCm: 120, widthCm: 80, weightKg: 2790 }],
    locations: [
      stop('loading', await idOf('countries', 'Poland'), from, 'PICK_UP', '2026-12-02'),
      stop('unloading', await idOf('countries', 'Germany'), to, 'DROP_OFF', '2026-12-03'),
    ],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; version: number; number: string }
}

test('estimates a route’s distance and marks it so until another is typed; draws the route; warns of a loss', {
  tag: '@long',
}, async ({ page, waybill, partners, expectAccessible }) => {
  const order = await addTransport(
    waybill,
    partners,
    'ZT/11/0354',
    { postal: '93-490', city: 'Łódź' },
    { postal: '33689', city: 'Bielefeld' },
  )
  await page.goto(`/orders/${order.id}/edit`)
  await page.getByRole('heading', { name: 'Carriers and routes' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Plan a route', exact: true }).click()
  const km = field(page, 'routes.0.distanceKm')
  // The first search of all reads the gazetteer.
  await expect(km).not.toHaveValue('', { timeout: 60_000 })
  const route = page.getByRole('region', { name: 'Route 1' })
  await expect(route.getByText('estimated')).toBeVisible()
  await km.fill('915')
  await expect(route.getByText('estimated')).toHaveCount(0)
  await route.getByRole('button', { name: 'Map' }).click()
  await expect(route.getByRole('application', { name: 'Map of the route: 1 Łódź, 2 Bielefeld' })).toBeVisible()
  await field(page, 'routes.0.assignment.costCents').fill('1500')
  await expect(route.getByText('The cost is 50.00 € above the price.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () => (await waybill.api('GET', `orders/${order.id}`)).body.routes as object[])
    .toEqual([expect.objectContaining({ distanceKm: 915, isDistanceEstimated: false })])
  const saved = page.getByRole('region', { name: `${order.number}/1` })
  await saved.getByRole('button', { name: 'Measure' }).click()
  await expect(saved.getByText('estimated').first()).toBeVisible()
})

test('moves one route of several by itself', { tag: '@long' }, async ({ page, waybill, partners }) => {
  const order = await addTransport(
    waybill,
    partners,
    'ZT/11/0357',
    { postal: '93-490', city: 'Łódź' },
    { postal: '33689', city: 'Bielefeld' },
  )
  const { body: read } = await waybill.api('GET', `orders/${order.id}`)
  const [from, to] = read.locations as { id: number; countryId: number }[]
  const { status, body } = await waybill.api(
    'PATCH',
    `orders/${order.id}`,
    {
      locations: [
        ...read.locations,
        {
          key: 'b',
          kind: 'loading',
          countryId: from!.countryId,
          city: 'Poznań',
          termin: { kind: 'fix', dateFrom: '2026-12-02' },
        },
        {
          key: 'c',
          kind: 'unloading',
          countryId: to!.countryId,
          city: 'Frechen',
          termin: { kind: 'fix', dateFrom: '2026-12-04' },
        },
      ],
      routes: [
        { locationIds: [from!.id, to!.id], assignment: { carrierCompanyId: partners.transwarta } },
        { locationKeys: ['b', 'c'], assignment: { carrierCompanyId: partners.transwarta } },
      ],
    },
    { 'if-match': `"${order.version}"` },
  )
  expect(status, JSON.stringify(body)).toBe(200)
  await page.goto(`/orders/${order.id}/edit`)
  await page.getByRole('heading', { name: 'Carriers and routes' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: `${order.number}/2, Status: New. Change` }).click()
  await page.getByRole('menuitem', { name: /^Scheduled/ }).click()
  await expect(page.getByRole('button', { name: `${order.number}/2, Status: Scheduled. Change` })).toBeVisible()
  // The order is as far as its least advanced route.
  await expect(page.getByRole('button', { name: 'Status: New. Change', exact: true })).toBeVisible()
  const { body: moved } = await waybill.api('GET', `orders/${order.id}`)
  expect([moved.status, ...(moved.routes as { status: string }[]).map((route) => route.status)]).toEqual([
    'new',
    'new',
    'scheduled',
  ])
})
