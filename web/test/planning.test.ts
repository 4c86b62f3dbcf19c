import { getCarrierForOrder } from '@waybill/contract/carrier-company'
import { departmentApi } from '@waybill/contract/department'
import type { CarrierPapers } from '@waybill/contract/order/clearance/clearance'
import { listCarrierChoices } from '@waybill/contract/order/choice/carrier-choice'
import { getPriceRound } from '@waybill/contract/order/choice/price-round'
import { streamEvents } from '@waybill/contract/event'
import { moveRoute, orderApi, type Order } from '@waybill/contract/order/order'
import {
  exportForSale,
  getAttached,
  getBoard,
  type Board,
  type BoardBar,
  type BoardStop,
  type WaitingCard,
} from '@waybill/contract/order/planning/board'
import { getTruckLink, renewTruckLink, revokeTruckLink } from '@waybill/contract/public/driver-link'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { carrierForOrderOf, choiceOf, choicesOf } from './records/carrier-choice.ts'
import { FTL_WEST, NORDLICHT, offerMasterData } from './records/master-data.ts'
import { orderOf, stopOf } from './records/order.ts'

const ADDRESS = '/planning?from=2026-11-30&days=7'
const ANDREAS = { id: 71, title: 'Andreas Böhm' }
const TRANSWARTA = { id: 5, title: 'Transwarta' }

const ASKS = { lastDay: '2026-12-03', neededCents: 2_000_000 }
const PAPERS: CarrierPapers = {
  blockedReason: null,
  isUsedUp: false,
  licenceNotNeededReason: null,
  licences: ['2027-12-31'],
  insurances: [{ endsOn: '2027-12-31', insuredCents: 60_000_000 }],
}

const boardStop = (given: Partial<BoardStop>): BoardStop => ({
  id: 1,
  isLoading: true,
  isUnloading: false,
  city: 'Gersthofen',
  countryCode: 'DE',
  timeZone: 'Europe/Berlin',
  latitude: null,
  longitude: null,
  startAt: '2026-12-02T06:00:00.000Z',
  endAt: '2026-12-02T14:00:00.000Z',
  plannedAt: null,
  arrivedAt: null,
  doneAt: null,
  ldmOn: 1.3,
  ldmOff: 0,
  kgOn: 2100,
  kgOff: 0,
  ...given,
})
const lane = (id: number, plannedAt: string | null = null) => [
  boardStop({ id, plannedAt }),
  boardStop({
    id: id + 1,
    isLoading: false,
    isUnloading: true,
    city: 'Milano',
    countryCode: 'IT',
    startAt: '2026-12-03T06:00:00.000Z',
    endAt: '2026-12-03T11:00:00.000Z',
    plannedAt: plannedAt === null ? null : '2026-12-03T06:00:00.000Z',
    ldmOn: 0,
    ldmOff: 1.3,
    kgOn: 0,
    kgOff: 2100,
  }),
]
const cardOf = (given: Partial<WaitingCard> = {}): WaitingCard => ({
  orderId: 828,
  version: 1,
  asks: ASKS,
  customer: NORDLICHT,
  departmentId: FTL_WEST.id,
  disposition: null,
  customerPriceCents: 41_000,
  stops: lane(801),
  number: '26-04828',
  firstLoadingAt: '2026-12-02T06:00:00.000Z',
  vehicleType: null,
  ...given,
})
const barOf = (given: Partial<BoardBar> = {}): BoardBar => ({
  orderId: 817,
  version: 4,
  asks: ASKS,
  customer: NORDLICHT,
  departmentId: FTL_WEST.id,
  disposition: null,
  customerPriceCents: 145_000,
  stops: lane(701, '2026-12-02T06:00:00.000Z'),
  routeId: 600,
  number: '26-04817/1',
  isOnly: true,
  prices: null,
  attached: [],
  clearance: null,
  status: 'new',
  delay: null,
  marginBp: 1862,
  incomeCents: 27_000,
  distanceKm: 700,
  ownFleet: true,
  carrierCompany: null,
  plateNumber: 'HH-WB 2044',
  driverIds: [ANDREAS.id],
  driverNames: ANDREAS.title,
  vehicleTypeId: null,
  ...given,
})
const truck = (
  id: number,
  plate: string,
  given: Partial<Board['vehicles'][number]> = {},
): Board['vehicles'][number] => ({
  id,
  plate,
  kind: 'truck',
  carrierCompany: null,
  vehicleType: { id: 3, title: 'Mega trailer' },
  driver: null,
  ldm: 13.6,
  payloadKg: 24_500,
  nextInspectionOn: null,
  ...given,
})

/** The order behind the card, as the form would read it. */
const orderBehind = (given: Partial<Order> = {}): Order =>
  orderOf({
    id: 828,
    version: 1,
    number: '26-04828',
    routes: [],
    locations: [
      stopOf({ id: 801, position: 0, kind: 'loading', timeZone: 'Europe/Berlin' }),
      stopOf({ id: 802, position: 1, kind: 'unloading', timeZone: 'Europe/Rome', city: 'Milano' }),
    ],
    ...given,
  })

const ROUTE: Order['routes'][number] = {
  id: 600,
  number: '26-04817/1',
  status: 'new',
  statusDates: {},
  distanceKm: 700,
  isDistanceEstimated: true,
  customerPriceCents: null,
  locationIds: [801, 802],
  assignment: null,
}
const CARDS = [cardOf(), cardOf({ orderId: 829, number: '26-04829' })]

let board: Board
const showBoard = (given: Partial<Board> = {}) => {
  board = {
    timeZone: 'Europe/Berlin',
    startAt: '2026-11-29T23:00:00.000Z',
    endAt: '2026-12-06T23:00:00.000Z',
    bars: [],
    waiting: [cardOf()],
    vehicles: [truck(1, 'HH-WB 2041', { ldm: 1, payloadKg: 900 }), truck(2, 'HH-WB 2044', { driver: ANDREAS })],
    carriers: [],
    busy: [],
    isCut: false,
    ...given,
  }
}

beforeEach(() => {
  signIn()
  offerMasterData()
  server.offer(departmentApi, [FTL_WEST])
  showBoard()
  server.answer(getBoard, () => board)
  server.answer(getAttached, ({ params }) => ({
    attached: board.bars.find(({ routeId }) => routeId === params.id)?.attached ?? [],
  }))
  server.answer(orderApi.get, ({ params }) => orderBehind({ id: params.id, version: params.id === 828 ? 1 : 4 }))
  server.answer(orderApi.patch, ({ params, version }) => orderBehind({ id: params.id, version: version! + 1 }))
})

const card = page.getByRole('button', { name: /26-04828/ })
const row = (name: string) => page.getByRole('group', { name })
const said = page.getByRole('status')
const dialog = page.getByRole('dialog')
const patches = () => server.calls(orderApi.patch)
const takeCard = async () => {
  await expect.element(card).toBeVisible()
  ;(card.element() as HTMLElement).focus()
  await press(' ')
}

test('says what waits and what stands on which vehicle, and that nothing does', async () => {
  showBoard({
    bars: [barOf()],
    busy: [{ vehicleId: 1, startAt: '2026-12-01T06:00:00.000Z', endAt: '2026-12-01T16:00:00.000Z' }],
  })
  await visit(ADDRESS)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Planning' })).toBeVisible()
  await expect.element(page.getByText('Week 49, Mon 30 Nov – Sun 6 Dec')).toBeVisible()
  await expect.element(card).toMatchTextContent('Gersthofen → IT Milano410.0026-0482807:00–15:00')
  await expect.element(row('HH-WB 2044')).toMatchTextContent('Andreas Böhm · Mega trailer')
  await expect.element(row('HH-WB 2044').getByRole('button', { name: /26-04817/ })).toBeVisible()
  await expect.element(row('HH-WB 2041')).toMatchTextContent('Busy')
  await expectAccessibleInBothLooks()
  showBoard({ waiting: [], vehicles: [] })
  await visit(ADDRESS)
  await expect.element(page.getByText('Every order has a route.')).toBeVisible()
  await expect.element(row('No carrier yet')).toMatchTextContent('0 routes')
})

test('lists all that waits, also what is drawn after the board, and has it beside the pointer at once', async () => {
  showBoard({
    waiting: Array.from({ length: 300 }, (_, index) =>
      cardOf({ orderId: 1000 + index, number: `26-${30_000 + index}`, stops: lane(2000 + 2 * index) }),
    ),
  })
  await visit(ADDRESS)
  await expect.poll(() => document.querySelectorAll('[data-card]').length).toBe(300)
  await expect.element(page.getByRole('heading', { name: /^Wed 2 Dec/ })).toMatchTextContent('Wed 2 Dec300')
  const first = document.querySelector<HTMLElement>('[data-card]')!
  const point = (type: string, clientX: number, clientY: number) =>
    new PointerEvent(type, { clientX, clientY, pointerId: 1, isPrimary: true, button: 0, bubbles: true })
  first.dispatchEvent(point('pointerdown', 40, 250))
  document.dispatchEvent(point('pointermove', 60, 260))
  const inHand = () => document.querySelector('[data-in-hand]')?.getBoundingClientRect().toJSON()
  await expect.poll(inHand).toBeDefined()
  document.dispatchEvent(point('pointermove', 700, 300))
  // No task of the page has run since.
  expect(inHand()).toMatchObject({ left: 710, top: 310 })
  await press('Escape')
  await expect.poll(inHand).toBeUndefined()
})

test('says why there is no board, and asks again', { tags: 'long' }, async () => {
  server.answer(getBoard, refusal('unavailable'))
  await visit(ADDRESS)
  await expect.element(page.getByRole('alert')).toBeVisible()
  server.answer(getBoard, () => board)
  await page.getByRole('button', { name: /again/i }).click()
  await expect.element(card).toBeVisible()
})

test('plans an order onto a truck by keys alone, shows it at once, and takes it back', async () => {
  await visit(ADDRESS)
  await takeCard()
  await expect.element(said.filter({ hasText: '26-04828 in hand on HH-WB 2041' })).toBeVisible()
  await press('ArrowDown', 'ArrowRight', 'Shift+ArrowLeft', 'Shift+ArrowRight')
  await expect.element(said.filter({ hasText: 'on HH-WB 2044 02 Dec 08:00' })).toBeVisible()
  // The answer is still on its way.
  const release = server.holdBack(orderApi.patch)
  await press('Enter')
  await expect.element(row('HH-WB 2044').getByRole('button', { name: /26-04828\/1/ })).toBeVisible()
  await expect.element(page.getByText('Every order has a route.')).toBeVisible()
  const planned = orderBehind({ version: 2 })
  showBoard({ waiting: [], bars: [barOf({ orderId: 828, routeId: 601, number: '26-04828/1', version: 2 })] })
  release()
  await expect.element(page.getByText('26-04828 planned on HH-WB 2044')).toBeVisible()
  await expect.element(row('HH-WB 2044').getByRole('button', { name: /26-04828\/1/ })).toHaveFocus()
  expect(patches()[0]).toMatchObject({
    params: { id: 828 },
    version: 1,
    body: {
      routes: [{ assignment: { ownFleet: true, plateNumber: 'HH-WB 2044', driverIds: [ANDREAS.id] } }],
      locations: [{ id: 801, plannedAt: '2026-12-02T07:00:00.000Z' }, { id: 802 }],
    },
  })
  showBoard()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(card).toBeVisible()
  expect(patches()[1]).toMatchObject({ params: { id: 828 }, version: planned.version, body: { routes: [] } })
})

test('keeps the row at hand in sight, down to the last and up to the first', async () => {
  await page.viewport(1280, 720)
  showBoard({ vehicles: Array.from({ length: 40 }, (_, index) => truck(100 + index, `HH-WB ${3000 + index}`)) })
  await visit(ADDRESS)
  await takeCard()
  const isOn = async (plate: string) => {
    await expect.element(said.filter({ hasText: `in hand on HH-WB ${plate}` })).toBeVisible()
  }
  await isOn('3000')
  await press(...Array.from({ length: 39 }, () => 'ArrowDown'))
  await isOn('3039')
  await expect.element(row('HH-WB 3039')).toBeInViewport()
  await expect.element(row('HH-WB 3000')).not.toBeInTheDocument()
  await press(...Array.from({ length: 39 }, () => 'ArrowUp'))
  await isOn('3000')
  await expect.element(row('HH-WB 3000')).toBeInViewport()
  await expect.element(row('HH-WB 3039')).not.toBeInTheDocument()
})

test('plans a carrier with whom it is written to, and with the kind of its truck', { tags: 'long' }, async () => {
  showBoard({
    vehicles: [truck(3, 'PO 7K412', { kind: 'carrier', carrierCompany: TRANSWARTA })],
    carriers: [
      {
        id: TRANSWARTA.id,
        contact: { fullName: 'Ewa Lis', phone: '+48 61 555 0101', email: 'dispo@transwarta.example' },
        papers: PAPERS,
      },
    ],
  })
  await visit(ADDRESS)
  await takeCard()
  await press('ArrowDown', 'ArrowDown', 'Enter')
  await expect.element(page.getByText('26-04828 planned on Transwarta PO 7K412')).toBeVisible()
  expect(patches()[0]!.body.routes).toMatchObject([
    {
      assignment: {
        carrierCompanyId: TRANSWARTA.id,
        plateNumber: 'PO 7K412',
        vehicleTypeId: 3,
        disponentName: 'Ewa Lis',
        disponentPhone: '+48 61 555 0101',
        disponentEmail: 'dispo@transwarta.example',
      },
    },
  ])
})

test('puts back what is in hand on Escape, and asks once more where it does not fit', { tags: 'long' }, async () => {
  await visit(ADDRESS)
  await takeCard()
  await expect.element(row('HH-WB 2041')).toMatchTextContent('too long')
  await expect.element(row('HH-WB 2044')).toMatchTextContent('fits')
  await press('Escape')
  await expect.element(said.filter({ hasText: 'in hand' })).not.toBeInTheDocument()
  await takeCard()
  await press('Enter')
  await expect.element(dialog).toMatchTextContent('26-04828 does not fit on HH-WB 2041')
  await expect.element(dialog).toMatchTextContent('1.3 Ldm of 1')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(patches()).toEqual([])
  await takeCard()
  await press('Enter')
  await dialog.getByRole('button', { name: 'Plan it all the same' }).click()
  await expect.element(page.getByText('26-04828 planned on HH-WB 2041')).toBeVisible()
  expect(patches()).toHaveLength(1)
})

test('says by keys when it would arrive and what is doubtful there, and of each row what keeps it back', async () => {
  showBoard({
    bars: [barOf({ orderId: 819, routeId: 602, number: '26-04819/1' })],
    vehicles: [
      truck(2, 'HH-WB 2044', { driver: ANDREAS }),
      truck(4, 'HH-WB 2046'),
      truck(5, 'HH-WB 2048'),
      truck(3, 'PO 7K412', { kind: 'carrier', carrierCompany: TRANSWARTA }),
      truck(6, 'PO 8L001', { kind: 'carrier', carrierCompany: { id: 6, title: 'Wielton' } }),
    ],
    carriers: [
      { id: TRANSWARTA.id, contact: null, papers: { ...PAPERS, blockedReason: 'Damage of June' } },
      { id: 6, contact: null, papers: PAPERS },
    ],
    busy: [{ vehicleId: 5, startAt: '2026-12-02T12:00:00.000Z', endAt: '2026-12-03T16:00:00.000Z' }],
  })
  await visit(ADDRESS)
  await takeCard()
  await expect.element(row('HH-WB 2044')).toMatchTextContent('double booked')
  await expect.element(row('HH-WB 2046')).toMatchTextContent('fits')
  await expect.element(row('HH-WB 2048')).toMatchTextContent('busy')
  await expect.element(row('Transwarta PO 7K412')).toMatchTextContent('not cleared')
  await expect.element(row('Wielton PO 8L001')).toMatchTextContent('fits')
  const foot = said.filter({ hasText: '26-04828 in hand' })
  await expect.element(foot).toMatchTextContent('Milano 03 Dec')
  await expect.element(foot).toMatchTextContent('Vehicle is on 26-04819/1 too')
  await press('ArrowDown')
  await expect.element(foot).toMatchTextContent('on HH-WB 2046 02 Dec 07:00 · Milano 03 Dec 07:00 · fits')
  await press('Shift+ArrowLeft')
  await expect.element(foot).toMatchTextContent('Gersthofen: 1 d before its time')
  await press('Shift+ArrowRight', 'ArrowDown', 'ArrowDown')
  await expect.element(foot).toMatchTextContent('Carrier not cleared: Blocked: Damage of June')
})

test('says a refusal in words and puts the order back', async () => {
  server.answer(
    orderApi.patch,
    refusal('validation', { errors: [{ path: 'routes.0', code: 'carrier_not_cleared', message: 'Not cleared' }] }),
  )
  await visit(ADDRESS)
  await takeCard()
  await press('ArrowDown', 'Enter')
  await expect.element(page.getByText('26-04828 was not planned')).toBeVisible()
  await expect.element(card).toBeVisible()
  await expect.element(row('HH-WB 2044').getByRole('button', { name: /26-04828/ })).not.toBeInTheDocument()
})

test('overwrites nothing that somebody else has saved meanwhile', async () => {
  server.answer(orderApi.get, () => orderBehind({ version: 2 }))
  await visit(ADDRESS)
  await takeCard()
  await press('ArrowDown', 'Enter')
  await expect.element(page.getByText('26-04828 was changed meanwhile')).toBeVisible()
  expect(patches()).toEqual([])
  server.answer(orderApi.get, () => orderBehind())
  server.answer(orderApi.patch, refusal('stale_version', { current: orderBehind({ version: 2 }) }))
  await takeCard()
  await press('ArrowDown', 'Enter')
  await expect.poll(() => patches().length).toBe(1)
  await expect.element(page.getByText('26-04828 was changed meanwhile').last()).toBeVisible()
})

test('plans the same route twice in a row although the board has not read again yet', { tags: 'long' }, async () => {
  // As the server has it: each save makes the version one more, and the route keeps its id once it is made.
  let now = orderBehind()
  server.answer(orderApi.get, () => now)
  server.answer(orderApi.patch, ({ version }) => {
    if (version !== now.version) return refusal('stale_version', { current: now })
    now = orderBehind({ version: version! + 1, routes: [{ ...ROUTE, id: 601, number: '26-04828/1' }] })
    return now
  })
  await visit(ADDRESS)
  await expect.element(card).toBeVisible()
  const releaseBoard = server.holdBack(getBoard)
  const releaseSave = server.holdBack(orderApi.patch)
  await takeCard()
  await press('ArrowDown', 'Enter')
  const bar = page.getByRole('button', { name: /26-04828\/1/ })
  await expect.element(row('HH-WB 2044').getByRole('button', { name: /26-04828\/1/ })).toHaveFocus()
  // The first save is still on its way, and what is in hand has no id of its own yet.
  await press(' ', 'ArrowRight', 'Enter')
  releaseSave()
  await expect.poll(() => patches().map(({ version }) => version)).toEqual([1, 2])
  await expect.element(page.getByText('26-04828/1 moved')).toBeVisible()
  await bar.click()
  await press(' ', 'Shift+ArrowRight', 'Enter')
  await expect.poll(() => patches().map(({ version }) => version)).toEqual([1, 2, 3])
  expect(patches()[2]!.body.routes).toMatchObject([{ id: 601 }])
  await expect.element(page.getByText('was changed meanwhile')).not.toBeInTheDocument()
  showBoard({ waiting: [], bars: [barOf({ orderId: 828, routeId: 601, number: '26-04828/1' })] })
  const boardRead = server.read(getBoard)
  releaseBoard()
  await boardRead
  // A colleague's save is one all the same.
  now = { ...now, version: now.version + 1 }
  await bar.click()
  await press(' ', 'ArrowRight', 'Enter')
  await expect.element(page.getByText('26-04828/1 was changed meanwhile')).toBeVisible()
  expect(patches()).toHaveLength(3)
})

test('offers to undo each act; an older one takes back what followed it', { tags: 'long' }, async () => {
  const orders = new Map<number, Order>([828, 829].map((id) => [id, orderBehind({ id, number: `26-04${id}` })]))
  server.answer(orderApi.get, ({ params }) => orders.get(params.id)!)
  server.answer(orderApi.patch, ({ params, version, body }) => {
    const before = orders.get(params.id)!
    if (version !== before.version) return refusal('stale_version', { current: before })
    const plannedAt = (body.locations ?? []).map((stop) => stop.plannedAt ?? null)
    const after = orderBehind({
      ...before,
      version: version! + 1,
      locations: before.locations.map((stop, index) => ({ ...stop, plannedAt: plannedAt[index] ?? null })),
      routes: (body.routes ?? []).map(() => ({ ...ROUTE, id: params.id, number: `${before.number}/1` })),
    })
    orders.set(params.id, after)
    const isPlanned = ({ id }: { id: number }) => orders.get(id)!.routes.length > 0
    showBoard({
      waiting: CARDS.filter(({ orderId }) => !isPlanned({ id: orderId })),
      bars: [...orders.values()]
        .filter(isPlanned)
        .map(({ id, number, version: read }) =>
          barOf({ orderId: id, version: read, routeId: id, number: `${number}/1`, stops: lane(801) }),
        ),
    })
    return after
  })
  showBoard({ waiting: CARDS })
  await visit(ADDRESS)
  await takeCard()
  await press('ArrowDown', 'Enter')
  await expect.element(page.getByText('26-04828 planned on HH-WB 2044')).toBeVisible()
  const bar = page.getByRole('button', { name: /26-04828\/1/ })
  await bar.click()
  await press(' ', 'ArrowRight', 'Enter')
  await expect.element(page.getByText('26-04828/1 moved')).toBeVisible()
  ;(page.getByRole('button', { name: /26-04829/ }).element() as HTMLElement).focus()
  await press(' ', 'ArrowDown', 'Enter')
  await expect.element(page.getByText('26-04829 planned on HH-WB 2044')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Undo' }).nth(2)).toBeVisible()
  // The first one, as it was before it: without the move that followed.
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.element(page.getByText('26-04828 is as it was')).toBeVisible()
  expect(patches().at(-1)).toMatchObject({
    params: { id: 828 },
    version: 3,
    body: {
      routes: [],
      locations: [
        { id: 801, plannedAt: null },
        { id: 802, plannedAt: null },
      ],
    },
  })
  // The move of that order is gone with it, the other order's plan is not.
  await expect.element(page.getByText('26-04828/1 moved')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => patches().at(-1)).toMatchObject({ params: { id: 829 }, version: 2, body: { routes: [] } })
})

test('takes a route off its vehicle, and a route without one away', { tags: 'long' }, async () => {
  const routes = [ROUTE]
  server.answer(orderApi.get, ({ params }) => orderBehind({ id: params.id, version: 4, number: '26-04817', routes }))
  showBoard({ bars: [barOf()] })
  await visit(ADDRESS)
  const bar = page.getByRole('button', { name: /26-04817\/1/ })
  await bar.click()
  const strip = page.getByRole('region', { name: '26-04817/1' })
  await expect.element(strip).toMatchTextContent('270.00 € · 18.62 %')
  await expect.element(strip).toMatchTextContent('10 h at the wheel, 700 km, one driver')
  await press('Delete')
  await expect.element(page.getByText('26-04817/1 taken off its vehicle')).toBeVisible()
  expect(patches()[0]!.body).toMatchObject({ routes: [{ id: 600, assignment: null }] })
  showBoard({ bars: [barOf({ ownFleet: false, plateNumber: null, driverIds: [], driverNames: null })] })
  await visit(ADDRESS)
  await bar.click()
  await page.getByRole('button', { name: 'Remove route' }).click()
  await expect.element(page.getByText('26-04817/1 waits for a route again')).toBeVisible()
  expect(patches()[1]!.body).toMatchObject({ routes: [] })
})

test('asks before it ends what hangs on a route, and then offers no undo that would not restore it', {
  tags: 'long',
}, async () => {
  server.answer(orderApi.get, ({ params }) => orderBehind({ id: params.id, version: 4, routes: [ROUTE] }))
  const lane: Partial<BoardBar> = { ownFleet: false, plateNumber: null, driverIds: [], driverNames: null }
  const prices = { asked: 2, priced: 1, declined: 0, bestCents: 118_000, limitCents: null }
  showBoard({ bars: [barOf({ ...lane, prices, attached: ['prices', 'openPrices'] })] })
  await visit(ADDRESS)
  const bar = page.getByRole('button', { name: /26-04817\/1/ })
  await bar.click()
  await press('Delete')
  await expect.element(dialog).toMatchTextContent('This ends what hangs on 26-04817/1')
  await expect.element(dialog).toMatchTextContent('The price request with its answers')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(patches()).toEqual([])
  // Given to somebody, the request ends; on the other lane it goes on.
  await bar.click()
  await press(' ', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter')
  await expect.element(dialog).toMatchTextContent('The price request: who was asked')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await bar.click()
  await press('Delete')
  await dialog.getByRole('button', { name: 'Do it all the same' }).click()
  await expect.element(page.getByText('26-04817/1 waits for a route again')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  expect(patches()).toHaveLength(1)
})

test('asks about a price request that came after the board was read', { tags: 'long' }, async () => {
  server.answer(orderApi.get, ({ params }) => orderBehind({ id: params.id, version: 4, routes: [ROUTE] }))
  showBoard({ bars: [barOf({ ownFleet: false, plateNumber: null, driverIds: [], driverNames: null })] })
  server.answer(getAttached, { attached: ['prices', 'openPrices'] })
  await visit(ADDRESS)
  const bar = page.getByRole('button', { name: /26-04817\/1/ })
  await bar.click()
  await press('Delete')
  await expect.element(dialog).toMatchTextContent('The price request with its answers')
  expect(patches()).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  // Carried onto a truck, it is asked as well, and stands where it stood.
  await bar.click()
  await press(' ', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter')
  await expect.element(dialog).toMatchTextContent('The price request: who was asked')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(row('No carrier yet').getByRole('button', { name: /26-04817\/1/ })).toBeVisible()
  expect(patches()).toEqual([])
  await bar.click()
  await press('Delete')
  await dialog.getByRole('button', { name: 'Do it all the same' }).click()
  await expect.poll(() => patches()).toHaveLength(1)
  await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

test('chooses a carrier for the route at hand by C, and plans it with whom it is written to', async () => {
  const route = { ...ROUTE, locationIds: [801, 802] }
  server.answer(orderApi.get, () => orderBehind({ id: 817, version: 4, number: '26-04817', routes: [route] }))
  server.answer(getPriceRound, { round: null })
  server.answer(
    listCarrierChoices,
    choicesOf({ items: [choiceOf(), choiceOf({ ...TRANSWARTA, priceCents: 121_000 })] }),
  )
  server.answer(getCarrierForOrder, ({ params }) => carrierForOrderOf({ id: params.id }))
  const nobody = { ownFleet: false, plateNumber: null, driverIds: [], driverNames: null }
  showBoard({ bars: [barOf({ ...nobody, attached: ['openPrices'] })] })
  await visit(ADDRESS)
  const bar = page.getByRole('button', { name: /26-04817\/1/ })
  await bar.click()
  await press('c')
  await expect.element(dialog.getByRole('row', { name: 'Friulana' })).toBeVisible()
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(patches()).toEqual([])
  await bar.click()
  await press('c')
  await expect.element(dialog.getByRole('row', { name: 'Friulana' })).toBeVisible()
  await press('Enter')
  // Asked first: the price request ends with it.
  await expect.element(dialog).toMatchTextContent('The price request: who was asked')
  const friulana = { id: 61, title: 'Friulana Trasporti S.r.l.' }
  showBoard({ bars: [barOf({ ...nobody, version: 5, carrierCompany: friulana })] })
  await dialog.getByRole('button', { name: 'Do it all the same' }).click()
  await expect.element(page.getByText('26-04817/1 planned on Friulana Trasporti S.r.l.')).toBeVisible()
  expect(patches()).toMatchObject([
    {
      version: 4,
      body: {
        routes: [
          {
            id: 600,
            assignment: { carrierCompanyId: 61, costCents: 118_000, disponentName: 'Elisa Furlan', plateNumber: null },
          },
        ],
      },
    },
  ])
  await expect.element(row('Friulana Trasporti S.r.l.').getByRole('button', { name: /26-04817\/1/ })).toHaveFocus()
})

test('says why no carrier can be chosen: the order is not there any more', { tags: 'long' }, async () => {
  server.answer(orderApi.get, refusal('not_found'))
  showBoard({ bars: [barOf()] })
  await visit(ADDRESS)
  await page.getByRole('button', { name: /26-04817\/1/ }).click()
  await page.getByRole('button', { name: 'Choose carrier' }).click()
  await expect.element(page.getByText('26-04817/1 cannot be read')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('reads itself anew within a second of a change of an order, a vehicle or a carrier with its papers', async () => {
  const opened = server.next(streamEvents)
  await visit(ADDRESS)
  await opened
  await expect.element(card).toBeVisible()
  for (const kind of ['order', 'vehicle', 'carrierCompany'] as const) {
    const before = server.calls(getBoard).length
    server.tell('changed', { kind, ids: [1] })
    await expect.poll(() => server.calls(getBoard).length, { timeout: 1500 }).toBeGreaterThan(before)
  }
})

test('names conflicts, goes from one to the next, and says in the strip what they are', async () => {
  const other = { orderId: 819, routeId: 602, number: '26-04819/1' }
  showBoard({
    bars: [
      barOf(),
      barOf({ ...other, stops: lane(711, '2026-12-02T08:00:00.000Z') }),
      barOf({
        orderId: 820,
        routeId: 603,
        number: '26-04820/1',
        ownFleet: false,
        plateNumber: 'PO 7K412',
        driverIds: [],
        driverNames: 'Marek Zieliński',
        carrierCompany: TRANSWARTA,
        stops: lane(721, '2026-12-02T06:00:00.000Z'),
        clearance: {
          isCleared: false,
          reasons: [
            { code: 'licence_missing', endsOn: null, insuredCents: null, text: null },
            { code: 'insurance_ends', endsOn: '2026-12-02', insuredCents: null, text: null },
          ],
        },
      }),
    ],
    carriers: [{ id: TRANSWARTA.id, contact: null, papers: PAPERS }],
  })
  await visit(ADDRESS)
  await expect.element(page.getByRole('button', { name: '2 conflicts' })).toBeVisible()
  await expect.element(row('HH-WB 2044')).toMatchTextContent('double booked')
  await press('F8')
  await expect
    .element(page.getByRole('region', { name: '26-04819/1' }))
    .toMatchTextContent('Vehicle is on 26-04817/1 too')
  await press('F8')
  await expect
    .element(page.getByRole('region', { name: '26-04820/1' }))
    .toMatchTextContent('Carrier not cleared: There is no licence on file, The insurance ends on 02 Dec 2026')
  await expect.element(row('Transwarta PO 7K412')).toMatchTextContent('not cleared')
})

test('says beside a route for sale what carriers have answered, and sums it up at the lane', async () => {
  const none: Partial<BoardBar> = {
    ownFleet: false,
    plateNumber: null,
    driverIds: [],
    driverNames: null,
    disposition: 'FOR_SALE',
  }
  const prices = { asked: 4, priced: 0, declined: 1, bestCents: null, limitCents: 132_400 }
  showBoard({
    bars: [
      barOf({ ...none, prices }),
      barOf({
        ...none,
        routeId: 601,
        number: '26-04795/1',
        prices: { ...prices, priced: 3, bestCents: 118_000 },
      }),
      barOf({ ...none, routeId: 602, number: '26-04799/1', prices: { ...prices, declined: 4 } }),
    ],
  })
  await visit(ADDRESS)
  const sale = page.getByRole('group', { name: 'For sale' })
  await expect.element(sale).toMatchTextContent('3 routes, 3 prices')
  await expect.element(sale).toMatchTextContent('4 asked, no price yet')
  await expect.element(sale).toMatchTextContent('4 asked, all declined')
  await expect
    .element(sale.getByRole('button', { name: /26-04795.*1,180\.00.€ best of 3, limit 1,324\.00.€/ }))
    .toBeVisible()
})

test('schedules what has a tick; what is refused stays in the window with its reason', async () => {
  const mine = barOf()
  const refused = barOf({ orderId: 819, routeId: 602, number: '26-04819/1', plateNumber: 'HH-WB 2041' })
  const colleagues = barOf({ orderId: 820, routeId: 603, number: '26-04820/1', plateNumber: 'HH-WB 2041' })
  showBoard({ bars: [mine, refused, colleagues] })
  server.answer(moveRoute, ({ params, version }) => {
    if (params.id === 602)
      return refusal('validation', {
        errors: [{ path: 'to', code: 'pick_up_and_drop_off_missing', message: 'Missing' }],
      })
    return orderBehind({ id: 817, version: version! + 1, status: 'scheduled' })
  })
  await visit(ADDRESS)
  await page.getByRole('button', { name: 'Schedule 3' }).click()
  // Nothing was planned here in this session, and nothing is chosen.
  await expect.element(dialog.getByRole('button', { name: 'Schedule 0' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'All 3 routes' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Schedule 3' })).toBeEnabled()
  await dialog.getByRole('checkbox', { name: /26-04820/ }).click()
  showBoard({ bars: [{ ...mine, status: 'scheduled' }, { ...refused, version: 5 }, colleagues] })
  await dialog.getByRole('button', { name: 'Schedule 2' }).click()
  await expect.element(page.getByText('1 route is scheduled')).toBeVisible()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('26-04819/1:')
  await expect.element(dialog.getByRole('checkbox', { name: /26-04817/ })).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('checkbox', { name: /26-04819/ })).toBeChecked()
  await expect.element(dialog.getByRole('checkbox', { name: /26-04820/ })).not.toBeChecked()
  // Tried again, it goes with the version that the board has read meanwhile.
  server.answer(moveRoute, ({ version }) => orderBehind({ id: 819, version: version! + 1 }))
  showBoard({ bars: [{ ...mine, status: 'scheduled' }, { ...refused, status: 'scheduled' }, colleagues] })
  await dialog.getByRole('button', { name: 'Schedule 1' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(
    server
      .calls(moveRoute)
      .map(({ params, version, body }) => [params.id, version, body.to])
      .toSorted(),
  ).toEqual([
    [600, 4, 'scheduled'],
    [602, 4, 'scheduled'],
    [602, 5, 'scheduled'],
  ])
})

test('ticks what was planned here, and moves two routes of one order one after the other', {
  tags: 'long',
}, async () => {
  const second = { routeId: 601, number: '26-04817/2', isOnly: false }
  showBoard({
    bars: [
      barOf(),
      barOf({ ...second, plateNumber: 'HH-WB 2041' }),
      barOf({ orderId: 820, routeId: 603, number: '26-04820/1' }),
    ],
  })
  server.answer(orderApi.get, () => orderBehind({ id: 817, version: 4, routes: [ROUTE] }))
  server.answer(moveRoute, ({ version }) => orderBehind({ id: 817, version: version! + 1 }))
  await visit(ADDRESS)
  const bar = page.getByRole('button', { name: /26-04817\/1/ }).first()
  await bar.click()
  await press(' ', 'ArrowRight', 'Enter')
  await expect.element(page.getByText('26-04817/1 moved')).toBeVisible()
  await press('Control+Enter')
  await expect.element(dialog.getByRole('checkbox', { name: /26-04817\/1/ }).first()).toBeChecked()
  await expect.element(dialog.getByRole('checkbox', { name: /26-04817\/2/ })).toBeChecked()
  await expect.element(dialog.getByRole('checkbox', { name: /26-04820/ })).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Schedule 2' }).click()
  await expect.poll(() => server.calls(moveRoute).map(({ version }) => version)).toEqual([5, 6])
})

test('narrows what waits by what is typed, and keeps span and department in the address', {
  tags: 'long',
}, async () => {
  showBoard({ waiting: [cardOf(), cardOf({ orderId: 829, number: '26-04829' })] })
  await visit(ADDRESS)
  await expect.element(card).toBeVisible()
  await press('/')
  const find = page.getByRole('searchbox', { name: 'Find' })
  await expect.element(find).toHaveFocus()
  await find.fill('04829 milano')
  await expect.element(card).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /26-04829/ })).toBeVisible()
  await find.fill('nobody')
  await expect.element(page.getByText('No order matches.')).toBeVisible()
  await page.getByRole('button', { name: 'Day', exact: true }).click()
  expect(location.search).toBe('?from=2026-11-30&days=1')
  await page.getByRole('button', { name: 'Day after' }).click()
  expect(location.search).toBe('?from=2026-12-01&days=1')
  await page.getByRole('combobox', { name: 'Department' }).click()
  await page.getByRole('option', { name: FTL_WEST.title }).click()
  await expect
    .poll(() => server.calls(getBoard).at(-1)!.query)
    .toEqual({ from: '2026-12-01', days: 1, departmentId: [FTL_WEST.id] })
})

test('lists the routes of a day on a phone', async () => {
  await page.viewport(390, 844)
  showBoard({ bars: [barOf()] })
  await visit('/planning?from=2026-12-02&days=1')
  await expect.element(page.getByRole('heading', { name: /HH-WB 2044/ })).toBeVisible()
  await expect.element(page.getByRole('listitem').filter({ hasText: '26-04817/1' })).toMatchTextContent('Gersthofen')
  await page.getByRole('button', { name: 'Day after' }).click()
  await expect.poll(() => server.calls(getBoard).at(-1)!.query.from).toBe('2026-12-03')
})

test('shows one day on a phone: today where the address names none, and no week where it asks for one', async () => {
  await page.viewport(390, 844)
  const today = new Date()
  const local = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  )
  await visit('/planning')
  await expect.poll(() => server.calls(getBoard).at(-1)?.query).toEqual({ from: local.join('-'), days: 1 })
  await visit(ADDRESS)
  await expect.poll(() => server.calls(getBoard).at(-1)?.query).toEqual({ from: '2026-11-30', days: 1 })
})

test('saves the list of what is for sale, of the department in view, and says why it could not', async () => {
  server.answer(exportForSale, refusal('unavailable'))
  await visit(`${ADDRESS}&department=${FTL_WEST.id}`)
  const list = page.getByRole('button', { name: 'For sale list' })
  await list.click()
  await expect.element(page.getByText('The list was not saved')).toBeVisible()
  const fileName = 'for-sale-2026-12-01.csv'
  server.answer(exportForSale, { blob: new Blob(['x'], { type: 'text/csv' }), fileName })
  await list.click()
  await expect.element(page.getByText(`${fileName} is saved`)).toBeVisible()
  const asked = server.calls(exportForSale).map(({ query }) => [query.format, query.departmentId])
  expect(asked.at(-1)).toEqual(['csv', [FTL_WEST.id]])
})

const truckLink = {
  id: 9,
  url: 'https://waybill.example/drive/tRuCk2n8sX1',
  createdAt: '2026-11-30T09:00:00.000Z',
  endsAt: '2026-12-11T00:00:00.000Z',
}

test('makes the driver’s link of one of our trucks for two days, and says what it drives then', {
  tags: 'long',
}, async () => {
  showBoard({ bars: [barOf()] })
  const routes = [{ orderId: 817, number: '26-04817/1', places: ['Gersthofen', 'Milano'] }]
  server.answer(getTruckLink, ({ params }) => ({
    link: null,
    plate: 'HH-WB 2044',
    routes: params.day === '2026-12-03' ? [] : routes,
  }))
  await visit(ADDRESS)
  await page.getByRole('button', { name: /26-04817/ }).click()
  await page.getByRole('region', { name: '26-04817/1' }).getByRole('button', { name: 'Driver’s page' }).click()
  await expect.element(dialog).toMatchTextContent('Driver’s page of HH-WB 2044')
  await expect.element(dialog).toMatchTextContent('Wed 2 Dec and Thu 3 Dec')
  await expect.element(dialog.getByRole('listitem')).toMatchTextContent('26-04817/1Gersthofen – Milano')
  server.answer(renewTruckLink, () => {
    server.answer(getTruckLink, { link: truckLink, plate: 'HH-WB 2044', routes })
    return { link: truckLink, plate: 'HH-WB 2044', routes }
  })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect.element(dialog.getByRole('link', { name: /drive\/tRuCk2n8sX1/ })).toBeVisible()
  expect(server.calls(renewTruckLink)).toMatchObject([{ params: { id: 2, day: '2026-12-02' }, body: { linkId: null } }])
  await expectAccessibleInBothLooks()
})

test('asks before a truck’s link is revoked, says a refusal, and that nothing is planned on another day', {
  tags: 'long',
}, async () => {
  showBoard({ bars: [barOf()] })
  server.answer(getTruckLink, ({ params }) => ({
    link: params.day === '2026-12-02' ? truckLink : null,
    plate: 'HH-WB 2044',
    routes: [],
  }))
  server.answer(revokeTruckLink, refusal('not_found'))
  await visit(ADDRESS)
  await page.getByRole('button', { name: /26-04817/ }).click()
  await page.getByRole('region', { name: '26-04817/1' }).getByRole('button', { name: 'Driver’s page' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  expect(server.calls(revokeTruckLink)).toEqual([])
  await page
    .getByRole('dialog', { name: /the driver’s link\?/ })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expect.element(page.getByText('The driver’s link was not changed')).toBeVisible()
  await dialog.getByRole('button', { name: 'A day later' }).click()
  await expect.element(dialog).toMatchTextContent('Nothing is planned on this truck for these days yet')
  expect(server.calls(getTruckLink).at(-1)!.params).toEqual({ id: 2, day: '2026-12-03' })
})

test('offers no driver’s link of a carrier’s truck, nor to who sees assigned orders alone', {
  tags: 'long',
}, async () => {
  showBoard({
    bars: [barOf({ ownFleet: false, carrierCompany: TRANSWARTA, plateNumber: 'PO 4T112' })],
    vehicles: [truck(1, 'PO 4T112', { kind: 'carrier', carrierCompany: TRANSWARTA })],
  })
  await visit(ADDRESS)
  await page.getByRole('button', { name: /26-04817/ }).click()
  const strip = page.getByRole('region', { name: '26-04817/1' })
  await expect.element(strip.getByRole('link', { name: '26-04817/1' })).toBeVisible()
  expect(strip.getByRole('button', { name: 'Driver’s page' }).query()).toBeNull()

  signIn({ permissions: ['ASSIGNED_ORDERS'] })
  showBoard({ bars: [barOf()] })
  await visit(`${ADDRESS}&map=0`)
  await page.getByRole('button', { name: /26-04817/ }).click()
  await expect.element(strip.getByRole('link', { name: '26-04817/1' })).toBeVisible()
  expect(strip.getByRole('button', { name: 'Driver’s page' }).query()).toBeNull()
})
