import { settled } from './support/settled.ts'
import { expect, test } from './support/test.ts'

test('an order is dragged onto a truck; another board sees it, and a stale act there is refused and explained', {
  tag: '@long',
}, async ({ page, browser, waybill, signIn }) => {
  const { api, idOf } = waybill
  const germany = await idOf('countries', 'Germany')
  const customer = await api('POST', 'customers', { title: 'Planspiel Werke GmbH', countryId: germany, city: 'Ulm' })
  await api('POST', 'vehicles', { title: 'UL-PW 77', kind: 'truck', ldm: 13.6, payloadKg: 24_500 })
  const stop = (key: string, kind: string, city: string, day: string, action: string) => ({
    key,
    kind,
    countryId: germany,
    city,
    termin: { kind: 'period', dateFrom: day, timeFrom: '08:00', timeTo: '16:00' },
    cargoActions: [{ cargoKey: 'c', action }],
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds: [customer.body.id],
    departmentId: await idOf('departments', 'FTL West'),
    cargo: [{ key: 'c', title: 'Kisten', quantity: 4, lengthCm: 120, widthCm: 80, weightKg: 1200 }],
    locations: [
      stop('l', 'loading', 'Ulm', '2027-03-03', 'PICK_UP'),
      stop('u', 'unloading', 'Hof', '2027-03-04', 'DROP_OFF'),
    ],
  })
  const address = '/planning?from=2027-03-01&days=7'
  await signIn()
  await page.goto(address)
  const card = page.getByRole('button', { name: new RegExp(order.number) })
  const truck = page.getByRole('group', { name: 'UL-PW 77' })
  await expect(truck).toBeVisible()
  // Behind many orders that wait, too.
  await page.keyboard.press('/')
  await page.keyboard.type(order.number)
  await expect(card).toBeVisible()
  await settled(page)

  // Somebody else has the same board open.
  const other = await (await browser.newContext({ storageState: await page.context().storageState() })).newPage()
  await other.goto(address)
  const otherTruck = other.getByRole('group', { name: 'UL-PW 77' })
  await expect(other.getByRole('button', { name: new RegExp(order.number) })).toBeVisible()

  await truck.scrollIntoViewIfNeeded()
  const from = (await card.boundingBox())!
  const to = (await truck.boundingBox())!
  await page.mouse.move(from.x + 60, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(from.x + 90, from.y + 30, { steps: 4 })
  await page.mouse.move(to.x + 700, to.y + 16, { steps: 8 })
  await expect(page.getByRole('heading', { name: `${order.number} on UL-PW 77` })).toBeVisible()
  await page.mouse.up()
  const bar = truck.getByRole('button', { name: new RegExp(`${order.number}/1`) })
  await expect(bar).toBeVisible()
  await expect(page.getByText(`${order.number} planned on UL-PW 77`)).toBeVisible()
  const planned = (await api('GET', `orders/${order.id}`)).body
  expect(planned.routes).toMatchObject([{ assignment: { ownFleet: true, plateNumber: 'UL-PW 77' } }])
  expect(planned.locations.map(({ plannedAt }: { plannedAt: string | null }) => plannedAt)).toEqual([
    expect.any(String),
    expect.any(String),
  ])
  // Told by the events of the server, without a reload.
  const otherBar = otherTruck.getByRole('button', { name: new RegExp(`${order.number}/1`) })
  await expect(otherBar).toBeVisible()

  // The other one hears nothing for a while, and acts on what was.
  await other.route(/\/api\/(events|planning)/, (route) => route.abort())
  await otherBar.focus()
  await bar.focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText(`${order.number}/1 taken off its vehicle`)).toBeVisible()
  await other.keyboard.press('Space')
  await other.keyboard.press('ArrowRight')
  await other.keyboard.press('Enter')
  await expect(other.getByText(`${order.number}/1 was changed meanwhile`)).toBeVisible()
  await other.unroute(/\/api\/(events|planning)/)
  expect((await api('GET', `orders/${order.id}`)).body.routes).toMatchObject([{ assignment: null }])

  // Taken back within its eight seconds: it stands on the truck again, at the same time.
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(bar).toBeVisible()
  const back = (await api('GET', `orders/${order.id}`)).body
  expect(back.locations.map(({ plannedAt }: { plannedAt: string }) => plannedAt)).toEqual(
    planned.locations.map(({ plannedAt }: { plannedAt: string }) => plannedAt),
  )
  await other.context().close()
})
