import { OrderWrite } from '@waybill/contract/order/order'
import { describe, expect, test } from 'vitest'
import {
  assumedActions,
  cargoAt,
  checkOrder,
  emptyCargo,
  emptyOrder,
  emptyStop,
  freeStops,
  namesOfStops,
  orderBodyOf,
  routeOver,
  stopOfCargo,
  stopsOfRoute,
  tidyOrder,
  usualKindAfter,
  withAction,
  withMeasures,
  withoutCargo,
  withoutGuesses,
  withUnit,
  withUsualActions,
  type CargoValues,
  type StopValues,
} from './draft.ts'

const started = () => emptyOrder({ departmentId: 1, caseWorkerId: 2 })

describe('a unit', () => {
  const euro = { id: 1, dimensions: { lengthCm: 120, widthCm: 80, heightCm: null } }
  const mesh = { id: 2, dimensions: { lengthCm: 120, widthCm: 80, heightCm: 97 } }
  const industrial = { id: 3, dimensions: { lengthCm: 120, widthCm: 100, heightCm: null } }
  const units = [euro, mesh, industrial, { id: 4 }]
  const line = (part: Partial<CargoValues> = {}) => ({ ...emptyCargo('c'), ...part })
  const chosen = (of: CargoValues, unit: number | null, typed: string[] = []) =>
    withMeasures(
      of,
      withUnit(of, unit, units, (field) => typed.includes(field)),
    )

  test('proposes what it measures where nothing stands, and Ldm and volume follow', () => {
    expect(chosen(line({ quantity: 6 }), 1)).toMatchObject({ unitTypeId: 1, lengthCm: 120, widthCm: 80, ldm: 2.4 })
    expect(chosen(line({ quantity: 2 }), 2)).toMatchObject({ heightCm: 97, volumeM3: 1.862, isVolumeCalculated: true })
  })

  test('takes its proposals along when another one is chosen, or none', () => {
    const boxes = chosen(line(), 2)
    expect(chosen(boxes, 3)).toMatchObject({ lengthCm: 120, widthCm: 100, heightCm: null })
    expect(chosen(boxes, 4)).toMatchObject({ lengthCm: null, widthCm: null, heightCm: null })
    expect(chosen(boxes, null)).toMatchObject({ unitTypeId: null, lengthCm: null, ldm: null })
  })

  test('leaves what somebody typed, even where it is what the unit before measures', () => {
    expect(chosen(line({ lengthCm: 60, heightCm: 145 }), 1)).toMatchObject({ lengthCm: 60, widthCm: 80, heightCm: 145 })
    const typed = line({ unitTypeId: 1, lengthCm: 120, widthCm: 80 })
    expect(chosen(typed, 3, ['widthCm'])).toMatchObject({ lengthCm: 120, widthCm: 80 })
    expect(chosen(typed, 3)).toMatchObject({ widthCm: 100 })
  })
})

describe('a new order', () => {
  test('that nobody wrote in saves no line and no stop', () => {
    const tidied = tidyOrder({ ...started(), customerIds: [5] })
    expect([tidied.cargo, tidied.locations]).toEqual([[], []])
    expect(OrderWrite.safeParse(orderBodyOf(tidied)).success).toBe(true)
  })

  test('keeps what was written, links its cargo by key and gives it the first customer', () => {
    const order = started()
    order.customerIds = [5, 6]
    order.cargo[0] = { ...order.cargo[0]!, title: 'Machine parts' }
    order.locations = order.locations.map((stop, index) => ({
      ...stop,
      countryId: 1,
      city: ['Hamburg', 'Poznań'][index]!,
    }))
    const tidied = tidyOrder(order)
    expect(tidied.cargo[0]).toMatchObject({ title: 'Machine parts', customerId: 5 })
    const sent = orderBodyOf(tidied) as typeof tidied
    expect(sent.locations.map(({ cargoActions }) => cargoActions)).toEqual([
      [{ cargoKey: order.cargo[0]!.key, action: 'PICK_UP' }],
      [{ cargoKey: order.cargo[0]!.key, action: 'DROP_OFF' }],
    ])
    expect(OrderWrite.safeParse(orderBodyOf(tidied)).error).toBeUndefined()
  })

  test('forgets what referred to a line that is left out', () => {
    const order = started()
    order.locations[0] = { ...order.locations[0]!, city: 'Hamburg', countryId: 1 }
    expect(tidyOrder(order).locations.map(({ cargoActions }) => cargoActions)).toEqual([[]])
  })

  test('is refused while a time is not understood or the plan runs backwards', () => {
    const order = started()
    order.locations[0] = { ...order.locations[0]!, terminText: 'soonish' }
    order.locations = order.locations.toReversed()
    expect(checkOrder(order).map(({ path, code }) => `${path} ${code}`)).toEqual([
      'locations.1.termin invalid_date',
      'locations.0.cargoActions.0 drop_off_before_pick_up',
    ])
  })
})

describe('cargo', () => {
  test('is measured until somebody types over, and again when that is emptied', () => {
    const measured = withMeasures(emptyCargo(), { quantity: 33, lengthCm: 120, widthCm: 80, heightCm: 145 })
    expect(measured).toMatchObject({ ldm: 13.2, volumeM3: 45.936, isLdmCalculated: true })
    const typed = withMeasures(withMeasures(measured, { ldm: 12 }), { quantity: 30 })
    expect(typed).toMatchObject({ ldm: 12, isLdmCalculated: false, volumeM3: 41.76 })
    expect(withMeasures(typed, { ldm: null })).toMatchObject({ ldm: 12, isLdmCalculated: true })
  })

  test('moves between stops and leaves them when it is removed', () => {
    const line = { ...emptyCargo(), id: 7, key: undefined }
    const stops = withUsualActions([emptyStop('loading'), emptyStop('unloading'), emptyStop('unloading')], line)
    expect([stopOfCargo(stops, line, 'PICK_UP'), stopOfCargo(stops, line, 'DROP_OFF')]).toEqual([0, 1])
    const moved = withAction(stops, line, 'DROP_OFF', 2)
    expect(moved[0]).toBe(stops[0])
    expect(cargoAt(moved[2]!, [line], 'DROP_OFF')).toEqual([line])
    expect(withoutCargo(moved, line).every(({ cargoActions }) => cargoActions.length === 0)).toBe(true)
  })
})

describe('where the program chose a stop for a line', () => {
  const [one, other] = ['a', 'b'].map((key) => emptyCargo(key)) as [CargoValues, CargoValues]
  const twoDrops = [emptyStop('loading'), emptyStop('unloading'), emptyStop('unloading')]

  test('it is a guess as long as there are others', () => {
    const stops = withUsualActions(withUsualActions(twoDrops, one), other)
    const isAssumed = assumedActions(stops)
    expect([isAssumed(one, 'PICK_UP'), isAssumed(one, 'DROP_OFF'), isAssumed(other, 'DROP_OFF')]).toEqual([
      false,
      true,
      true,
    ])
    expect(assumedActions(withUsualActions(twoDrops.slice(0, 2), one))(one, 'DROP_OFF')).toBe(false)
    const canceled = stops.with(2, { ...stops[2]!, canceledAt: '2026-12-01T08:00:00Z' })
    expect(assumedActions(canceled)(one, 'DROP_OFF')).toBe(false)
  })

  test('it is none any more once somebody chose by hand, the same stop too, or took all for right', () => {
    const stops = withUsualActions(withUsualActions(twoDrops, one), other)
    const place = stopOfCargo(stops, one, 'DROP_OFF')
    expect(assumedActions(withAction(stops, one, 'DROP_OFF', place))(one, 'DROP_OFF')).toBe(false)
    expect(assumedActions(withAction(stops, one, 'DROP_OFF', place))(other, 'DROP_OFF')).toBe(true)
    expect(assumedActions(withoutGuesses(stops))(other, 'DROP_OFF')).toBe(false)
    expect(withoutGuesses(twoDrops)[0]).toBe(twoDrops[0])
  })

  test('a stop that is added later makes a guess of what was none', () => {
    const plain = withUsualActions([emptyStop('loading'), emptyStop('unloading')], one)
    expect(assumedActions(plain)(one, 'DROP_OFF')).toBe(false)
    expect(assumedActions([...plain, emptyStop('unloading')])(one, 'DROP_OFF')).toBe(true)
  })
})

describe('a further line of cargo', () => {
  const ways = (kinds: readonly StopValues['kind'][]) => {
    let stops: StopValues[] = kinds.map((kind) => emptyStop(kind))
    const lines = ['a', 'b', 'c'].map((key) => emptyCargo(key))
    for (const line of lines) stops = withUsualActions(stops, line)
    return lines.map((line) => [stopOfCargo(stops, line, 'PICK_UP'), stopOfCargo(stops, line, 'DROP_OFF')])
  }
  test.each<[readonly StopValues['kind'][], number[][]]>([
    [
      ['loading', 'unloading'],
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    ],
    [
      ['loading', 'unloading', 'unloading'],
      [
        [0, 1],
        [0, 2],
        [0, 2],
      ],
    ],
    [
      ['loading', 'loading', 'unloading'],
      [
        [0, 2],
        [1, 2],
        [0, 2],
      ],
    ],
    [
      ['loading', 'customs', 'unloading'],
      [
        [0, 2],
        [0, 2],
        [0, 2],
      ],
    ],
    [
      ['loading', 'unloading', 'loading', 'unloading'],
      [
        [0, 1],
        [2, 3],
        [0, 3],
      ],
    ],
    [
      ['loading'],
      [
        [0, -1],
        [0, -1],
        [0, -1],
      ],
    ],
  ])('of %j goes to the stop that waits for cargo', (kinds, expected) => {
    expect(ways(kinds)).toEqual(expected)
  })

  test('never goes to a stop that is canceled', () => {
    const line = emptyCargo('a')
    const stops = withUsualActions(
      [emptyStop('loading'), { ...emptyStop('unloading'), canceledAt: '2026-12-03T07:00:00Z' }, emptyStop('unloading')],
      line,
    )
    expect(stopOfCargo(stops, line, 'DROP_OFF')).toBe(2)
  })
})

test('a stop added between pick-ups and drop-offs is one more pick-up, else a drop-off', () => {
  const stops = [emptyStop('loading'), emptyStop('customs'), emptyStop('unloading')]
  expect([0, 1, 2, 3].map((place) => usualKindAfter(stops, place))).toEqual([
    'loading',
    'unloading',
    'unloading',
    'unloading',
  ])
  expect(usualKindAfter([emptyStop('loading')], 0)).toBe('unloading')
})

test('a route names stored stops by id and new ones by key, and drives them in the order’s order', () => {
  const stops = [
    { ...emptyStop('loading'), id: 4, key: undefined },
    emptyStop('unloading', 1, 'k'),
    emptyStop('unloading', 1, 'free'),
  ]
  const route = { ...routeOver([]), ...namesOfStops([stops[1]!, stops[0]!]) }
  expect(route).toMatchObject({ locationIds: [4], locationKeys: ['k'] })
  expect(stopsOfRoute(route, stops)).toEqual([0, 1])
  expect(freeStops([route], stops)).toEqual([2])
})
