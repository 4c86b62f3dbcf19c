import type { Page } from '@playwright/test'
import { dayFromToday } from './support/days.ts'
import type { Partners } from './support/partners.ts'
import { expectPublicHeaders } from './support/public-page.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'de-DE' }

test.describe('on a phone', () => {
  test.use(PHONE)

  test('every wrong link is one neutral page, which no search engine keeps', async ({
    page,
    context,
    expectAccessible,
    shoot,
  }) => {
    const answer = await page.goto('/drive/not-a-link')
    expectPublicHeaders(answer)
    await expect(page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr.' })).toBeVisible()
    await expectAccessible(page)
    await shoot(page, 'driver-wrong-link')
    await page.getByRole('button', { name: 'PL' }).click()
    await expect(page.getByRole('heading', { name: 'Ten link jest już nieważny.' })).toBeVisible()
    expect(await context.cookies()).toEqual([])
  })
})

/** A photo as the camera gives it. */
async function photo(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 3200, height: 1800 })
    canvas.getContext('2d')!.fillRect(0, 0, 900, 900)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
    return [...new Uint8Array(await blob!.arrayBuffer())]
  })
  return Buffer.from(drawn)
}

/** A scheduled order from Łódź to Frechen that our own fleet drives. */
async function drivenOrder(waybill: Waybill, partners: Partners, plateNumber = 'HH-WB 2050') {
  const { api, idOf } = waybill
  const [germany, poland] = [await idOf('countries', 'Germany'), await idOf('countries', 'Poland')]
  const stop = (key: string, kind: string, countryId: number, city: string, action: string, ahead: number) => ({
    key,
    kind,
    city,
    address: 'Moselring 4',
    reference: `VT-77${ahead}`,
    countryId,
    termin: { kind: 'before', dateFrom: dayFromToday(ahead), timeFrom: '16:00' },
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 145_000,
    cargo: [{ key: 'a', title: 'Maschinenteile', quantity: 3, weightKg: 5900 }],
    locations: [
      { ...stop('from', 'loading', poland, 'Łódź', 'PICK_UP', 0), specialInstructions: 'Rampe 6, am Tor klingeln.' },
      stop('to', 'unloading', germany, 'Frechen', 'DROP_OFF', 1),
    ],
    routes: [{ locationKeys: ['from', 'to'], assignment: { ownFleet: true, plateNumber, costCents: 118_000 } }],
  })
  const planned = await api(
    'POST',
    `orders/${order.id as number}/status`,
    { to: 'scheduled' },
    { 'If-Match': `"${order.version as number}"` },
  )
  expect(planned.status, JSON.stringify(planned.body)).toBe(200)
  return order
}

test('what a driver tells without a network arrives once, in order and with its own times', { tag: '@long' }, async ({
  page,
  browser,
  waybill,
  partners,
  signIn,
  shoot,
  expectAccessible,
}) => {
  const { api } = waybill
  const order = await drivenOrder(waybill, partners)

  await signIn()
  await page.goto(`/orders/${order.id as number}/edit`)
  await page.getByRole('link', { name: 'Carriers and routes' }).click()
  await page.getByRole('button', { name: 'Driver’s page' }).click({ timeout: 20_000 })
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  const address = await page.getByRole('region', { name: 'Driver’s page' }).getByRole('link').getAttribute('href')

  const context = await browser.newContext(PHONE)
  const phone = await context.newPage()
  await phone.goto(`${waybill.url}${new URL(address!).pathname}`)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Stopp 1 von 2')
  await expect(phone.getByText('Rampe 6, am Tor klingeln.')).toBeVisible()
  await expectAccessible(phone)
  await shoot(phone, 'driver-first-stop')
  const told = async () => (await phone.locator('body').innerText()) + (await phone.content())
  for (const secret of ['Nordlicht', '1.450', '1.180']) expect(await told()).not.toContain(secret)

  // The network goes, and the page is opened again all the same.
  await phone.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await expect
    .poll(() => phone.evaluate(async () => (await (await caches.open('waybill-drive')).keys()).length))
    .toBeGreaterThan(2)
  await context.setOffline(true)
  await phone.reload()
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Stopp 1 von 2')
  await expect(phone.getByText('Kein Netz.')).toBeVisible()

  const step = async (button: string) => {
    await phone.locator('#step').click()
    await phone.getByRole('dialog').getByRole('button', { name: button }).click()
    await expect(phone.getByRole('dialog')).toHaveCount(0)
  }
  const shot = async (name: string) => {
    const chooser = phone.waitForEvent('filechooser')
    await phone.getByRole('button', { name }).click()
    await (await chooser).setFiles({ name: 'IMG_0815.jpg', mimeType: 'image/jpeg', buffer: await photo(phone) })
  }
  const waiting = (text: string) => expect(phone.getByText(text)).toBeVisible()
  await step('Ich bin da')
  await waiting('Bleibt auf dem Telefon, 1 Meldung wartet.')
  await step('Geladen')
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Stopp 2 von 2')
  await step('Ich bin da')
  await shot('Foto: CMR')
  await waiting('4 Meldungen warten')
  await phone.getByRole('button', { name: 'Schaden melden' }).click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Melden' }).click()
  await expect(phone.getByText('Bitte ein paar Worte schreiben')).toBeVisible()
  await phone.getByLabel('Was ist beschädigt oder fehlt?').fill('Zwei Kartons nass')
  // The camera needed the room of the page: the words are there again.
  await phone.reload()
  await phone.getByRole('button', { name: 'Schaden melden' }).click()
  await expect(phone.getByLabel('Was ist beschädigt oder fehlt?')).toHaveValue('Zwei Kartons nass')
  await phone.getByRole('dialog').getByRole('button', { name: 'Melden' }).click()
  await shot('Foto: Schaden')
  await waiting('6 Meldungen warten')
  await phone.getByRole('button', { name: 'Unterschrift' }).click()
  await phone.getByLabel('Wer hat empfangen').fill('P. Moser')
  const glass = await phone.getByRole('img', { name: 'Feld für die Unterschrift' }).boundingBox()
  await phone.mouse.move(glass!.x + 30, glass!.y + 60)
  await phone.mouse.down()
  for (const [x, y] of [
    [80, 20],
    [120, 80],
    [180, 30],
    [260, 70],
  ] as const)
    await phone.mouse.move(glass!.x + x, glass!.y + y)
  await phone.mouse.up()
  await expectAccessible(phone)
  await shoot(phone, 'driver-signature')
  // Nobody signs twice because the page needed room.
  const drawn = () =>
    phone.getByRole('img', { name: 'Feld für die Unterschrift' }).evaluate((glass) => {
      const { width, height } = glass as HTMLCanvasElement
      const { data } = (glass as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
      return data.reduce((count, value, index) => (index % 4 === 3 && value > 0 ? count + 1 : count), 0)
    })
  const before = await drawn()
  expect(before).toBeGreaterThan(0)
  await phone.reload()
  await phone.getByRole('button', { name: 'Unterschrift' }).click()
  await expect(phone.getByLabel('Wer hat empfangen')).toHaveValue('P. Moser')
  expect(await drawn()).toBe(before)
  await phone.getByRole('button', { name: 'Fertig' }).click()
  await phone.getByRole('button', { name: 'Ladehilfsmittel' }).click()
  const pallets = phone.getByRole('dialog', { name: 'Ladehilfsmittel · Frechen' })
  await pallets.getByRole('button', { name: 'Melden' }).click()
  await expect(pallets.getByText('Bitte die Anzahl eingeben oder ankreuzen')).toBeVisible()
  await pallets
    .getByRole('textbox', { name: /^Dort gelassen/ })
    .first()
    .fill('5')
  await pallets
    .getByRole('button', { name: /^Eins mehr: .*, Dort gelassen$/ })
    .first()
    .click()
  // The page may be dropped here as well.
  await phone.reload()
  await phone.getByRole('button', { name: 'Ladehilfsmittel' }).click()
  await expect(pallets.getByRole('textbox', { name: /^Dort gelassen/ }).first()).toHaveValue('6')
  await pallets
    .getByRole('textbox', { name: /^Mitgenommen/ })
    .first()
    .fill('4')
  await pallets
    .getByRole('textbox', { name: /^Davon beschädigt/ })
    .first()
    .fill('11')
  await pallets.getByRole('button', { name: 'Melden' }).click()
  await expect(pallets.getByText('Mehr beschädigte, als gelassen')).toBeVisible()
  await pallets
    .getByRole('textbox', { name: /^Davon beschädigt/ })
    .first()
    .fill('1')
  await pallets.getByLabel('Nummer des Palettenscheins').fill('77120')
  await expectAccessible(phone)
  await shoot(phone, 'driver-load-carriers')
  await pallets.getByRole('button', { name: 'Melden' }).click()
  await expect(phone.getByText(/: 6 dort gelassen, 4 mitgenommen, 1 beschädigt · Schein 77120/)).toBeVisible()
  await step('Entladen')
  await waiting('9 Meldungen warten')
  await expectAccessible(phone)
  await shoot(phone, 'driver-offline')
  // Closed and opened again, nothing is lost.
  await phone.reload()
  await waiting('9 Meldungen warten')
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Alle Stopps sind erledigt')

  const link = async () => (await api('GET', `routes/${order.routes[0].id as number}/driver-link`)).body
  expect((await link()).reports).toEqual([])
  const back = Date.now()
  await context.setOffline(false)
  await expect(phone.getByText(/Kein Netz|Meldung/)).toHaveCount(0)
  const ALL = [
    'arrived',
    'loaded',
    'arrived',
    'cmr',
    'damage',
    'damagePicture',
    'signature',
    'loadCarriers',
    'unloaded',
  ]
  const arrived = (await link()).reports as { kind: string; at: string; receivedAt: string; signedBy: string | null }[]
  expect(arrived.map(({ kind }) => kind)).toEqual(ALL)
  expect(arrived.map(({ at }) => at)).toEqual(arrived.map(({ at }) => at).toSorted())
  for (const { at, receivedAt } of arrived) {
    expect(Date.parse(at)).toBeLessThan(back)
    expect(Date.parse(receivedAt)).toBeGreaterThanOrEqual(back)
  }
  await phone.reload()
  await expect(phone.getByText('Alle Stopps sind erledigt')).toBeVisible()
  expect((await link()).reports).toHaveLength(ALL.length)
  expect((await api('GET', `orders/${order.id as number}`)).body.status).toBe('delivered')
  const stop = `orders/${order.id as number}/stops/${order.locations[1].id as number}/load-carriers`
  expect((await api('GET', stop)).body).toMatchObject({
    isAsTold: true,
    noteNumber: '77120',
    lines: [{ given: 6, received: 4, damaged: 1 }],
  })
  expect(await context.cookies()).toEqual([])
  await context.close()

  // Staff see it in the window that they have open.
  await expect(page.getByRole('row', { name: /signature/ })).toContainText('P. Moser')
  await page
    .getByRole('row', { name: /signature/ })
    .getByRole('button', { name: /^Show / })
    .click()
  await expect(page.getByRole('img', { name: /^Unterschrift_/ })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'driver-told-in-order')
})

test('what waits when the link is renewed is said, kept, and sent by the new link', { tag: '@long' }, async ({
  browser,
  waybill,
  partners,
  shoot,
  expectAccessible,
}) => {
  const { api } = waybill
  const order = await drivenOrder(waybill, partners)
  const path = `routes/${order.routes[0].id as number}/driver-link`
  const renewed = async (linkId: number | null): Promise<{ id: number; path: string }> => {
    const { version } = (await api('GET', `orders/${order.id as number}`)).body
    const { status, body } = await api('POST', path, { linkId }, { 'If-Match': `"${version as number}"` })
    expect(status, JSON.stringify(body)).toBe(200)
    return { id: body.link.id, path: new URL(body.link.url as string).pathname }
  }
  const first = await renewed(null)
  const context = await browser.newContext(PHONE)
  const phone = await context.newPage()
  await phone.goto(`${waybill.url}${first.path}`)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Stopp 1 von 2')
  await context.setOffline(true)
  await phone.locator('#step').click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Ich bin da' }).click()
  const chooser = phone.waitForEvent('filechooser')
  await phone.getByRole('button', { name: 'Foto: CMR' }).click()
  await (await chooser).setFiles({ name: 'IMG_0815.jpg', mimeType: 'image/jpeg', buffer: await photo(phone) })
  await expect(phone.getByText('2 Meldungen warten')).toBeVisible()

  const second = await renewed(first.id)
  await context.setOffline(false)
  await expect(phone.getByRole('heading', { name: '2 Meldungen wurden nicht gesendet' })).toBeVisible()
  await expectAccessible(phone)
  await shoot(phone, 'driver-not-sent')
  const saved = phone.waitForEvent('download')
  await phone.getByRole('link', { name: /^CMR_.* speichern$/ }).click()
  expect((await saved).suggestedFilename()).toMatch(/^CMR_.*\.jpg$/)
  // Opened again it still says so.
  await phone.reload()
  await expect(phone.getByRole('heading', { name: '2 Meldungen wurden nicht gesendet' })).toBeVisible()
  expect((await api('GET', path)).body.reports).toEqual([])

  await phone.goto(`${waybill.url}${second.path}`)
  await expect
    .poll(async () => (await api('GET', path)).body.reports.map(({ kind }: { kind: string }) => kind))
    .toEqual(['arrived', 'cmr'])
  await phone.reload()
  await expect(phone.getByText(/Meldung/)).toHaveCount(0)
  expect((await api('GET', path)).body.reports).toHaveLength(2)
  await context.close()
})

test('a phone whose clock goes wrong tells by the clock of the server', { tag: '@long' }, async ({
  browser,
  waybill,
  partners,
}) => {
  const order = await drivenOrder(waybill, partners, 'HH-WB 2081')
  const path = `routes/${order.routes[0].id as number}/driver-link`
  const { version } = (await waybill.api('GET', `orders/${order.id as number}`)).body
  const made = await waybill.api('POST', path, { linkId: null }, { 'If-Match': `"${version as number}"` })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const context = await browser.newContext(PHONE)
  const phone = await context.newPage()
  await phone.clock.install({ time: Date.now() - 2 * 3_600_000 })
  await phone.goto(`${waybill.url}${new URL(made.body.link.url as string).pathname}`)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Stopp 1 von 2')
  await phone.locator('#step').click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Ich bin da' }).click()
  const told = async () => (await waybill.api('GET', path)).body.reports as { at: string }[]
  await expect.poll(async () => (await told()).length).toBe(1)
  expect(Math.abs(Date.parse((await told())[0]!.at) - Date.now())).toBeLessThan(120_000)
  await context.close()
})

test('one link shows a truck’s driver all of two days, and tells each route its own', { tag: '@long' }, async ({
  browser,
  waybill,
  partners,
  shoot,
  expectAccessible,
}) => {
  const { api } = waybill
  const truck = await api('POST', 'vehicles', { title: 'HH-WB 2077', kind: 'truck' })
  expect(truck.status, JSON.stringify(truck.body)).toBe(201)
  const [first, second] = [
    await drivenOrder(waybill, partners, 'HH-WB 2077'),
    await drivenOrder(waybill, partners, 'HH-WB 2077'),
  ]
  const day = dayFromToday(0)
  const path = `vehicles/${truck.body.id as number}/driver-links/${day}`
  const made = await api('POST', path, { linkId: null })
  expect(made.status, JSON.stringify(made.body)).toBe(200)

  const context = await browser.newContext(PHONE)
  const phone = await context.newPage()
  await phone.goto(`${waybill.url}${new URL(made.body.link.url as string).pathname}`)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Stopp 1 von 4')
  await expect(phone.getByText(/^HH-WB 2077 · /)).toBeVisible()
  for (const { routes } of [first, second])
    await expect(phone.getByText(new RegExp(`^${routes[0].number as string} · `))).toHaveCount(2)
  await expectAccessible(phone)
  await shoot(phone, 'driver-truck-days')
  // The second route's stop is opened by hand and told at.
  await phone.locator(`#stop-${second.locations[0].id as number}`).click()
  await phone.locator('#step').click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Ich bin da' }).click()
  const toldOf = async (order: { routes: { id: number }[] }) =>
    ((await api('GET', `routes/${order.routes[0]!.id}/driver-link`)).body.reports as { kind: string }[]).map(
      ({ kind }) => kind,
    )
  await expect.poll(() => toldOf(second)).toEqual(['arrived'])
  expect(await toldOf(first)).toEqual([])
  await context.close()

  // Where the telephone speaks another language than the driver's, the names of things follow as well.
  const abroad = await browser.newContext({ ...PHONE, locale: 'en-GB' })
  const english = await abroad.newPage()
  await english.goto(`${waybill.url}${new URL(made.body.link.url as string).pathname}`)
  const firstType = async () => {
    await english.getByRole('button', { name: 'Ladehilfsmittel' }).click()
    const said = await english.locator('summary').first().innerText()
    await english.getByRole('button', { name: 'Abbrechen' }).click()
    return said
  }
  await expect.poll(firstType).toBe('Europalette')
  await abroad.close()
})
