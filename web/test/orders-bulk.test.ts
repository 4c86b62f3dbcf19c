import { departmentApi } from '@waybill/contract/department'
import { addDays, instantOf, localOf } from '@waybill/contract/kit/local-time'
import {
  listObstacles,
  listTakenBack,
  moveOrder,
  orderApi,
  undoOrderMove,
  type Order,
} from '@waybill/contract/order/order'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { pageOf, refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { offerMasterData, ZACHARIAS } from './records/master-data.ts'
import { listOrders } from './records/order-list.ts'
import { assignmentOf, orderOf, orderRowOf, routeOf, stopOf, transportOf } from './records/order.ts'

const BERLIN = 'Europe/Berlin'
// What has happened at a stop lies before now.
const yesterday = addDays(localOf(new Date(), BERLIN).date, -1)
const dayTyped = (date: string): string => date.split('-').toReversed().join('.')

const NEEDED = 'At least one pick-up and one drop-off with dates are needed'

let orders: Order[]
const now = (id: number): Order => orders.find((order) => order.id === id)!
/** Somebody, here or elsewhere, changes an order. */
const change = (id: number, fields: Partial<Order>): Order => {
  orders = orders.map((order) => (order.id === id ? { ...order, ...fields, version: order.version + 1 } : order))
  return now(id)
}

/** Orders as the server keeps them; one without stops cannot be scheduled. */
function keepOrders(given: Order[]): void {
  orders = given
  listOrders(() =>
    orders.map(({ id, version, number, status, state, mergedIntoId, createdAt, caseWorker }) =>
      orderRowOf({ id, version, number, status, state, mergedIntoId, createdAt, caseWorker }),
    ),
  )
  server.answer(orderApi.get, ({ params }) => now(params.id))
  server.answer(listObstacles, ({ query }) => ({
    items: query.id
      .filter((id) => query.to === 'scheduled' && now(id).locations.length === 0)
      .map((id) => ({ id, needs: ['pick_up_and_drop_off_missing'] })),
  }))
  server.answer(listTakenBack, { items: [] })
  server.answer(orderApi.patch, ({ params, body, version }) => {
    if (now(params.id).version !== version) return refusal('stale_version', { current: now(params.id) })
    return change(params.id, body as Partial<Order>)
  })
  server.answer(moveOrder, ({ params, body, version }) => {
    const order = now(params.id)
    if (order.version !== version) return refusal('stale_version', { current: order })
    if (body.to === 'scheduled' && order.locations.length === 0) {
      const errors = [{ path: 'locations', code: 'pick_up_and_drop_off_missing' as const, message: NEEDED }]
      return refusal('validation', { errors })
    }
    return change(order.id, { status: body.to })
  })
  server.answer(undoOrderMove, ({ params }) => change(params.id, { status: 'new' }))
}

const createdAt = new Date().toISOString()
const bareOf = (id: number, given: Partial<Order> = {}) => orderOf({ id, number: `26-00${id}`, createdAt, ...given })
const readyOf = (id: number, given: Partial<Order> = {}) =>
  transportOf({ id, number: `26-00${id}`, createdAt, ...given })

const row = ({ number }: Pick<Order, 'number'>) => page.getByRole('row').filter({ hasText: number })
const bar = (count: number) => page.getByRole('region', { name: `${count} selected` })
const entry = (name: string) => page.getByRole('menuitem', { name })
const dialog = page.getByRole('dialog')

async function choose(...chosen: Order[]): Promise<void> {
  await visit('/orders')
  for (const order of chosen) await row(order).getByRole('checkbox').click()
  await expect.element(bar(chosen.length)).toBeVisible()
}

beforeEach(() => {
  signIn()
  offerMasterData()
})

test('moves several orders at once, names before what keeps others back, and keeps those chosen', async () => {
  const [ready, bare, gone] = [readyOf(301), bareOf(302), readyOf(303, { status: 'scheduled' })]
  keepOrders([ready, bare, gone])
  await choose(ready, bare, gone)
  await bar(3).getByRole('button', { name: 'Status' }).click()
  await expect.element(entry('Scheduled 2 of 3')).toBeVisible()
  await expectAccessible()
  await entry('Scheduled 2 of 3').click()
  const asking = page.getByRole('dialog', { name: 'Set 1 order to Scheduled' })
  await expect.element(asking).toMatchTextContent(`Cannot go there and stays as it is: ${gone.number}`)
  await expect.element(asking).toMatchTextContent('1 order cannot go there yet and stays as it is:')
  await expect.element(asking.getByRole('listitem').filter({ hasText: bare.number })).toMatchTextContent(/pick-up/)
  expect(asking.getByRole('listitem').elements()).toHaveLength(1)
  await expectAccessible()
  await asking.getByRole('button', { name: 'Set to Scheduled' }).click()
  await expect.element(page.getByText('1 order changed')).toBeVisible()
  await expect.element(row(ready)).toMatchTextContent('Scheduled')
  await expect.element(row(ready).getByRole('checkbox')).not.toBeChecked()
  await expect.element(row(bare).getByRole('checkbox')).toBeChecked()
  await expect.element(row(gone).getByRole('checkbox')).toBeChecked()
  expect(server.calls(moveOrder)).toMatchObject([{ params: { id: 301 }, version: 1, body: { to: 'scheduled' } }])
  expect([now(301).status, now(302).status]).toEqual(['scheduled', 'new'])
})

test('asks once for the reason or the time that the chosen orders need', { tags: 'long' }, async () => {
  const chosen = [readyOf(301, { status: 'scheduled' }), readyOf(302, { status: 'scheduled' })]
  keepOrders(chosen)
  await choose(...chosen)
  await bar(2).getByRole('button', { name: 'Status', exact: true }).click()
  await entry('In transit').click()
  await dialog.getByLabelText('Loaded').fill('lately')
  await dialog.getByRole('button', { name: 'Set to In transit' }).click()
  await expect.element(dialog).toMatchTextContent('This date does not exist')
  expect(server.calls(moveOrder)).toEqual([])
  await dialog.getByLabelText('Loaded').fill(`${dayTyped(yesterday)} 07:15`)
  await press('Enter')
  await expect.element(page.getByText('2 orders changed')).toBeVisible()
  const at = instantOf(yesterday, '07:15', BERLIN)
  expect(server.calls(moveOrder)).toMatchObject([
    { params: { id: 301 }, version: 1, body: { to: 'in_transit', at } },
    { params: { id: 302 }, version: 1, body: { to: 'in_transit', at } },
  ])

  for (const order of chosen) await row(order).getByRole('checkbox').click()
  await bar(2).getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByRole('group', { name: 'Back and out' }).getByRole('menuitem', { name: 'Scheduled' }).click()
  await dialog.getByRole('button', { name: 'Set to Scheduled' }).click()
  await expect.element(dialog).toMatchTextContent('The field is required')
  await dialog.getByLabelText('Reason').fill('lorry broke down')
  await dialog.getByRole('button', { name: 'Set to Scheduled' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(moveOrder).slice(2)).toMatchObject([
    { params: { id: 301 }, version: 2, body: { to: 'scheduled', reason: 'lorry broke down' } },
    { params: { id: 302 }, version: 2, body: { to: 'scheduled', reason: 'lorry broke down' } },
  ])
  expect(orders.map((order) => order.status)).toEqual(['scheduled', 'scheduled'])
})

test('hands several orders to a case worker, overwrites nobody, and succeeds at the second try', {
  tags: 'long',
}, async () => {
  const [first, second] = [bareOf(301), bareOf(302)]
  keepOrders([first, second])
  await choose(first, second)
  change(302, { description: 'theirs' })
  await bar(2).getByRole('button', { name: 'Case worker' }).click()
  const set = dialog.getByRole('button', { name: 'Set case worker' })
  await set.click()
  await expect.element(dialog).toMatchTextContent('The field is required')
  await dialog.getByLabelText('Case worker').fill(ZACHARIAS.title)
  await expect
    .element(page.getByRole('option', { name: ZACHARIAS.title, exact: true }))
    .toHaveAttribute('data-combobox-selected', 'true')
  await press('Enter')
  await expectAccessible()
  await set.click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(second.number)
  expect(orders.map(({ caseWorkerId }) => caseWorkerId)).toEqual([ZACHARIAS.id, second.caseWorkerId])
  await set.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(now(302)).toMatchObject({ caseWorkerId: ZACHARIAS.id, description: 'theirs' })
  expect(server.calls(orderApi.patch).map(({ params, version, body }) => [params.id, version, body])).toEqual([
    [301, 1, { caseWorkerId: ZACHARIAS.id }],
    [302, 1, { caseWorkerId: ZACHARIAS.id }],
    [302, 2, { caseWorkerId: ZACHARIAS.id }],
  ])
})

test('moves one order at its badge by key, takes it back, and stays in the list', async () => {
  const order = readyOf(301)
  keepOrders([order])
  await visit('/orders')
  await expect.element(row(order)).toBeVisible()
  await press('j')
  await expect.element(row(order).getByRole('link').first()).toHaveFocus()
  await press('?')
  await expect.element(dialog).toMatchTextContent('Change the row’s status')
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  await press('s')
  const menu = page.getByRole('menu', { name: 'Status: New. Change' })
  const entries = menu.getByRole('menuitem')
  await expect.element(entries.first()).toMatchTextContent(/^Scheduled/)
  await expect.element(entries.nth(1)).toMatchTextContent(/^Canceled/)
  expect(entries.elements()).toHaveLength(2)
  await expectAccessible()
  await press('Escape')
  await expect.element(menu).not.toBeInTheDocument()
  await expect.element(row(order).getByRole('button', { name: 'Status: New. Change' })).toHaveFocus()
  await press('Enter')
  await expect.element(menu.getByRole('menuitem', { name: 'Scheduled' })).toHaveFocus()
  await press('Enter')
  await expect.element(page.getByText(`${order.number} is Scheduled`)).toBeVisible()
  await expect.element(row(order)).toMatchTextContent('Scheduled')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText(`${order.number}: the status was taken back`)).toBeVisible()
  await expect.element(row(order)).toMatchTextContent('New')
  expect(server.calls(moveOrder)).toMatchObject([{ params: { id: 301 }, version: 1, body: { to: 'scheduled' } }])
  expect(server.calls(undoOrderMove)).toMatchObject([{ params: { id: 301 }, version: 2 }])
  expect(location.pathname).toBe('/orders')
})

test('tells at the badge what an order lacks, and asks for the reason of an end', { tags: 'long' }, async () => {
  const order = bareOf(302)
  keepOrders([order])
  await visit('/orders')
  const badge = row(order).getByRole('button', { name: 'Status: New. Change' })
  await badge.click()
  await entry('Scheduled').click()
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'The status was not changed' }))
    .toMatchTextContent(/pick-up/)
  await badge.click()
  await entry('Canceled').click()
  const asking = page.getByRole('dialog', { name: 'Cancel this order?' })
  await expect.element(asking).toBeVisible()
  expect(
    asking
      .css('footer button')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Keep order', 'Cancel order'])
  await asking.getByRole('button', { name: 'Cancel order' }).click()
  await expect.element(asking).toMatchTextContent('The field is required')
  await asking.getByLabelText('Reason').fill('called off')
  await asking.getByRole('button', { name: 'Cancel order' }).click()
  const message = page.getByText(`${order.number} is Canceled`)
  await expect.element(message).toBeVisible()
  expect(message.element().getBoundingClientRect().y).toBeGreaterThan(innerHeight / 2)
  expect(server.calls(moveOrder).at(-1)).toMatchObject({ version: 1, body: { to: 'canceled', reason: 'called off' } })
  expect(location.pathname).toBe('/orders')
  // What was said here is not said on the next screen.
  server.answer(departmentApi.list, pageOf([]))
  await page.getByRole('link', { name: 'Departments' }).first().click()
  await expect.poll(() => location.pathname).toBe('/departments')
  await expect.element(message, { timeout: 4_000 }).not.toBeInTheDocument()
})

const scheduledOf = (id: number) =>
  readyOf(id, {
    status: 'scheduled',
    locations: transportOf().locations.map((stop) => ({ ...stop, timeZone: BERLIN })),
    routes: [
      routeOf({
        status: 'scheduled',
        locationIds: transportOf().locations.map((stop) => stop.id),
        assignment: assignmentOf({ ownFleet: true }),
      }),
    ],
  })

test('a time typed for a step is there again after a closed tab, until it is given up', { tags: 'long' }, async () => {
  const order = scheduledOf(301)
  keepOrders([order])
  const time = dialog.getByLabelText('Loaded, Łódź')
  const ask = async () => {
    await visit('/orders')
    await row(order).getByRole('button', { name: 'Status: Scheduled. Change' }).click()
    await entry('In transit').click()
    await expect.element(time).toBeVisible()
  }
  const typed = () => (time.element() as HTMLInputElement).value
  await ask()
  const proposed = typed()
  expect(proposed).not.toContain('07:15')
  await time.fill(`${dayTyped(yesterday)} 07:15`)
  await ask()
  await expect.poll(typed).toContain('07:15')
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  await ask()
  await expect.poll(typed).not.toContain('07:15')
})

test('asks at the badge for the times that the stops lack', { tags: 'long' }, async () => {
  const order = scheduledOf(301)
  keepOrders([order])
  await visit('/orders')
  await row(order).getByRole('button', { name: 'Status: Scheduled. Change' }).click()
  await entry('In transit').click()
  const time = dialog.getByLabelText('Loaded, Łódź')
  await time.fill(`${dayTyped(addDays(yesterday, 2))} 07:15`)
  await press('Enter')
  await expect.element(dialog).toMatchTextContent('This time has not come yet')
  expect(server.calls(moveOrder)).toEqual([])
  await time.fill(`${dayTyped(yesterday)} 07:15`)
  await press('Enter')
  await expect.element(page.getByText(`${order.number} is In transit`)).toBeVisible()
  await expect.element(row(order)).toMatchTextContent('In transit')
  const stopTimes = [{ locationId: stopOf().id, loadedAt: instantOf(yesterday, '07:15', BERLIN) }]
  expect(server.calls(moveOrder)).toMatchObject([{ version: 1, body: { to: 'in_transit', stopTimes } }])
})

test('says at the badge that somebody was faster, and shows the order as it is now', { tags: 'long' }, async () => {
  const order = readyOf(301)
  keepOrders([order])
  await visit('/orders')
  await expect.element(row(order)).toMatchTextContent('New')
  change(301, { status: 'canceled' })
  await row(order).getByRole('button', { name: 'Status: New. Change' }).click()
  await entry('Scheduled').click()
  await expect.element(page.getByText(`${order.number} was changed by somebody else`)).toBeVisible()
  await expect.element(row(order)).toMatchTextContent('Canceled')
  expect(server.calls(moveOrder)).toMatchObject([{ version: 1, body: { to: 'scheduled' } }])
  expect(now(301).status).toBe('canceled')
})

test('leaves a plain badge where nothing may be moved: at the end of the way, put aside, merged', {
  tags: 'long',
}, async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  const open = readyOf(301)
  const canceled = bareOf(302, { status: 'canceled' })
  const idle = bareOf(303, { state: 'inactive' })
  const source = bareOf(304, { status: 'merged', mergedIntoId: 305 })
  keepOrders([open, canceled, idle, source])
  await visit('/orders')
  await expect.element(row(open).getByRole('button', { name: 'Status: New. Change' })).toBeVisible()
  await expect.element(row(canceled)).toMatchTextContent('Canceled')
  expect(row(canceled).getByRole('button').elements()).toEqual([])
  await expect.element(row(source)).toMatchTextContent('Merged')
  expect(row(source).getByRole('button').elements()).toEqual([])
  await visit('/orders?state=inactive')
  await expect.element(row(idle)).toMatchTextContent('New')
  expect(row(idle).getByRole('button').elements()).toEqual([])
})
