import { expect, test } from 'vitest'
import type { Board, BoardBar, BoardStop, BoardVehicle } from '@waybill/contract/order/planning/board'
import { rowsOf } from './board-rows.ts'

const stop = (id: number, plannedAt: string): BoardStop => ({
  id,
  isLoading: false,
  isUnloading: false,
  city: 'Ulm',
  countryCode: 'DE',
  timeZone: 'Europe/Berlin',
  latitude: null,
  longitude: null,
  startAt: null,
  endAt: null,
  plannedAt,
  arrivedAt: null,
  doneAt: null,
  ldmOn: 0,
  ldmOff: 0,
  kgOn: 0,
  kgOff: 0,
})

let ids = 0
const bar = (from: string, to: string, more: Partial<BoardBar> = {}): BoardBar => ({
  orderId: (ids += 1),
  version: 1,
  customer: { id: 1, title: 'Nordlicht' },
  departmentId: 1,
  disposition: null,
  customerPriceCents: null,
  stops: [stop((ids += 1), from), stop((ids += 1), to)],
  asks: { lastDay: '2026-12-02', neededCents: 0 },
  routeId: (ids += 1),
  number: `26-0000${ids}/1`,
  isOnly: true,
  prices: null,
  attached: [],
  clearance: null,
  status: 'new',
  delay: null,
  marginBp: null,
  incomeCents: null,
  distanceKm: null,
  ownFleet: false,
  carrierCompany: null,
  plateNumber: null,
  driverIds: [],
  driverNames: null,
  vehicleTypeId: null,
  ...more,
})

const vehicle = (id: number, plate: string, more: Partial<BoardVehicle> = {}): BoardVehicle => ({
  id,
  plate,
  kind: 'truck',
  carrierCompany: null,
  vehicleType: null,
  driver: null,
  ldm: null,
  payloadKg: null,
  nextInspectionOn: null,
  ...more,
})

const board = (more: Partial<Board>): Board => ({
  timeZone: 'Europe/Berlin',
  startAt: '2026-11-29T23:00:00.000Z',
  endAt: '2026-12-06T23:00:00.000Z',
  bars: [],
  waiting: [],
  vehicles: [],
  carriers: [],
  busy: [],
  isCut: false,
  ...more,
})

const [MORNING, NOON, EVENING] = ['2026-12-01T06:00:00Z', '2026-12-01T11:00:00Z', '2026-12-01T18:00:00Z']
const TRANSWARTA = { id: 5, title: 'Transwarta' }

test('the two lanes stand first, also where nothing lies in them', () => {
  expect(rowsOf(board({})).map(({ key }) => key)).toEqual(['nobody', 'sale'])
})

test('a route lies on the row of the vehicle whose plate it carries, however that is written', () => {
  const own = bar(MORNING, NOON, { ownFleet: true, plateNumber: 'hh wb2041' })
  const rows = rowsOf(board({ vehicles: [vehicle(1, 'HH-WB 2041')], bars: [own] }))
  expect(rows.map(({ plate, bars }) => [plate, bars.length])).toEqual([
    ['', 0],
    ['', 0],
    ['HH-WB 2041', 1],
  ])
  expect(rows[2]!.target).toEqual({ kind: 'own', plate: 'HH-WB 2041', driverId: null, vehicleTypeId: null })
})

test('nothing is left out: our routes without a vehicle, and carriers with and without a plate', () => {
  const rows = rowsOf(
    board({
      bars: [
        bar(MORNING, NOON, { ownFleet: true }),
        bar(MORNING, NOON, { carrierCompany: TRANSWARTA, plateNumber: 'PO 7K412' }),
        bar(MORNING, NOON, { carrierCompany: TRANSWARTA }),
        bar(MORNING, NOON),
        bar(MORNING, NOON, { disposition: 'FOR_SALE' }),
      ],
    }),
  )
  expect(rows.map(({ key, bars }) => [key, bars.length])).toEqual([
    ['nobody', 1],
    ['sale', 1],
    ['own ', 1],
    ['5 ', 1],
    ['5 PO7K412', 1],
  ])
  // Without a plate it may be several trucks: nothing is said of overlaps.
  expect(rows.map(({ capacity }) => capacity === null)).toEqual([true, true, true, true, false])
})

test('bars that overlap lie below each other, those that do not beside each other', () => {
  const three = [bar(MORNING, NOON), bar('2026-12-01T08:00:00Z', EVENING), bar(NOON, EVENING)]
  const [lane] = rowsOf(board({ bars: three }))
  expect(lane!.bars.map(({ level }) => level)).toEqual([0, 1, 0])
  expect(lane!.levels).toBe(2)
})
