import { orderApi } from '@waybill/contract/order/order'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { offerMasterData } from './records/master-data.ts'
import { answerOrderForm, answerOrderList, keepOrder } from './records/order-screens.ts'
import { orderRowOf, routeOf, transportOf } from './records/order.ts'

/*
 * Times at stops are those of the stop's own clock: what that clock skips or shows twice is asked, and what looks like
 * a slip is told (decision 055). The browser of these tests stands in Berlin.
 */

const field = (name: string) => page.field(name)
const skipped = page.getByText('The clocks skip this time; 01:30 and 03:30 are around it')

beforeEach(() => {
  signIn()
  offerMasterData()
  answerOrderForm()
  answerOrderList([orderRowOf()])
})

async function openRoute() {
  keepOrder(transportOf({ routes: [routeOf({ locationIds: [801, 802] })] }), () => ({}))
  await visit('/orders/7/edit')
  const heading = await page.getByRole('heading', { name: 'Carriers and routes' }).findElement()
  heading.scrollIntoView()
  await expect.element(field('locations.0.plannedAt')).toBeVisible()
}

test('a time on a route that the clocks skip is said with those around it, and is not saved', {
  tags: 'long',
}, async () => {
  await openRoute()
  await field('locations.0.plannedAt').fill('28.3.2027 2:30')
  await expect.element(skipped).toBeVisible()
  await press('Control+s')
  await expect.element(page.getByRole('alert').filter({ hasText: 'Not saved yet' })).toBeVisible()
  expect(server.calls(orderApi.patch)).toEqual([])
  await field('locations.0.plannedAt').fill('28.3.2027 3:30')
  await expect.element(skipped).not.toBeInTheDocument()
  const saved = server.next(orderApi.patch)
  await press('Control+s')
  expect((await saved).body.locations?.[0]?.plannedAt).toBe('2027-03-28T01:30:00.000Z')
})

test('a time on a route that the clocks show twice is asked, and the one that is meant is saved', {
  tags: 'long',
}, async () => {
  await openRoute()
  await field('locations.0.plannedAt').fill('31.10.2027 2:30')
  const both = page.getByRole('group', { name: 'The clocks show this time twice. Which one?' }).getByRole('button')
  await expect.poll(() => both.elements().map((one) => one.getAttribute('aria-pressed'))).toEqual(['true', 'false'])
  await both.nth(1).click()
  await expect.poll(() => both.elements().map((one) => one.getAttribute('aria-pressed'))).toEqual(['false', 'true'])
  const saved = server.next(orderApi.patch)
  await press('Control+s')
  expect((await saved).body.locations?.[0]?.plannedAt).toBe('2027-10-31T01:30:00.000Z')
})

test('a stop that is planned too late asks why, and its customers read what is typed there', async () => {
  await openRoute()
  const reason = field('locations.1.delayReason')
  await expect.element(reason).not.toBeInTheDocument()
  await field('locations.1.plannedAt').fill('3.12.2026 11:30')
  await expect.element(reason).toHaveAccessibleName('Reason of the delay, Bielefeld')
  await reason.fill('A2 closed near Magdeburg')
  // What is typed stays in sight where the stop is in time again.
  await field('locations.1.plannedAt').fill('3.12.2026 7:30')
  await expect.element(reason).toHaveValue('A2 closed near Magdeburg')
  const saved = server.next(orderApi.patch)
  await press('Control+s')
  expect((await saved).body.locations?.[1]?.delayReason).toBe('A2 closed near Magdeburg')
})

test('a termin that the clocks skip or show twice is told where it is typed', async () => {
  keepOrder(transportOf())
  await visit('/orders/7/edit')
  await field('locations.1.termin').fill('28.3.2027 2:30')
  await expect.element(skipped).toBeVisible()
  await field('locations.1.termin').fill('31.10.2027 2:30')
  await expect.element(page.getByText('The clocks show this time twice; the first counts')).toBeVisible()
  await expect.element(skipped).not.toBeInTheDocument()
})

test('a time by the calendar that cannot be read is told at its field, and is not taken over', async () => {
  keepOrder(transportOf())
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: 'Date and time of stop 1' }).click()
  const dialog = page.getByRole('dialog')
  const time = dialog.getByRole('textbox', { name: 'Time' })
  await expect.element(time).not.toHaveAttribute('aria-invalid', 'true')
  await time.fill('9:3x')
  await expect.element(time).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByRole('button', { name: 'Take over' }).click()
  await expect.element(time).toHaveValue('9:3x')
  await time.fill('9:30')
  await expect.element(time).not.toHaveAttribute('aria-invalid', 'true')
  await dialog.getByRole('button', { name: 'Take over' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(field('locations.0.termin')).toHaveValue(expect.stringMatching(/0?9:30/))
})

test('a drop-off before its pick-up, a Sunday and a holiday are told, in the form and in a new order', {
  tags: 'long',
}, async () => {
  const doubts = { 'This lies before the pick-up': '1.12.2026 8', 'This is a Sunday': '6.12.2026 8' }
  keepOrder(transportOf())
  await visit('/orders/7/edit')
  for (const [doubt, typed] of [
    ...Object.entries(doubts),
    ['This is a public holiday there', '25.12.2026 8'],
  ] as const) {
    await field('locations.1.termin').fill(typed)
    await expect.element(page.getByText(doubt, { exact: true })).toBeVisible()
  }
  await field('locations.1.termin').fill('4.12.2026 8')
  await expect.element(page.getByText('This is a public holiday there', { exact: true })).not.toBeInTheDocument()

  await visit('/orders/create')
  await field('locations.0.termin').fill('2.12.2026 8')
  for (const [doubt, typed] of Object.entries(doubts)) {
    await field('locations.1.termin').fill(typed)
    await expect.element(page.getByText(doubt, { exact: true })).toBeVisible()
  }
})

test('a delay is told in the time of the stop where it counts', async () => {
  const order = transportOf({
    status: 'in_transit',
    delay: { kind: 'delivery', hours: 3, days: 1, expectedAt: '2026-12-03T06:00:00.000Z' },
  })
  const [from, to] = order.locations
  keepOrder({ ...order, locations: [from!, { ...to!, timeZone: 'Europe/Bucharest', city: 'Arad' }] })
  await visit('/orders/7/edit')
  // Seven o'clock in Berlin is eight in Bucharest.
  await expect.element(page.getByText(/Delivery 3 h late, due .*08:00/).first()).toBeVisible()
})
