import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FIELD_ERRORS } from '../errors/all.ts'
import {
  allowedMoves,
  awaitsPod,
  FIRST_ORDER_STATUS,
  isCanceled,
  isReadOnlyOrder,
  leastAdvanced,
  mayDeactivateOrder,
  MERGE_STEP,
  missingFor,
  NOT_SUMMED_STATUSES,
  ORDER_MOVES,
  ORDER_STATUSES,
  SUMMED_STATUSES,
  UNMERGE_STEP,
  type MoveFacts,
  type OrderStatus,
  type RouteStatus,
} from './status.ts'
import type { Stop } from './schedule.ts'

const on = (date: string) => ({ kind: 'fix' as const, dateFrom: date, timeFrom: null, dateTo: null, timeTo: null })
const loading: Stop = { kind: 'loading', termin: on('2026-11-30'), cargoActions: [{ cargoId: 1, action: 'PICK_UP' }] }
const unloading: Stop = {
  kind: 'unloading',
  termin: on('2026-12-01'),
  cargoActions: [{ cargoId: 1, action: 'DROP_OFF' }],
}
const at = '2026-11-30T10:00:00Z'
const facts = (change: Partial<MoveFacts> = {}): MoveFacts => ({
  disposition: null,
  stops: [loading, unloading],
  hasRoute: true,
  hasAssignment: true,
  isCleared: true,
  pod: 'missing',
  ...change,
})

function moveBetween(from: OrderStatus, to: OrderStatus) {
  const move = ORDER_MOVES.find((one) => one.from === from && one.to === to)
  if (!move) throw new Error(`no move ${from} → ${to}`)
  return move
}

describe('which moves there are', () => {
  const anyone: Record<OrderStatus, OrderStatus[]> = {
    new: ['scheduled', 'canceled'],
    scheduled: ['in_transit', 'canceled', 'new'],
    in_transit: ['arrived', 'delivered', 'scheduled'],
    arrived: ['delivered', 'in_transit'],
    delivered: ['completed', 'arrived', 'in_transit'],
    completed: [],
    canceled: [],
    merged: [],
  }
  const administrators: Partial<Record<OrderStatus, OrderStatus[]>> = {
    in_transit: ['canceled'],
    arrived: ['canceled'],
    completed: ['delivered'],
    canceled: ['new'],
  }

  test.each(ORDER_STATUSES)('from %s they are those of the table, and some more for administrators', (from) => {
    expect(allowedMoves(from, { isAdmin: false }).map(({ to }) => to)).toEqual(anyone[from])
    expect(
      allowedMoves(from, { isAdmin: true })
        .map(({ to }) => to)
        .toSorted(),
    ).toEqual([...anyone[from], ...(administrators[from] ?? [])].toSorted())
  })

  test('no pair is in the table twice, and none leads to itself', () => {
    const pairs = ORDER_MOVES.map(({ from, to }) => `${from} ${to}`)
    expect(new Set(pairs).size).toBe(pairs.length)
    expect(ORDER_MOVES.every(({ from, to }) => from !== to)).toBe(true)
  })

  test('merged is reached by merging alone and left by unmerging alone', () => {
    expect(
      ORDER_MOVES.filter(({ from, to }) => from === 'merged' || to === 'merged').map(
        ({ from, to, by }) => `${from} ${to} ${by}`,
      ),
    ).toEqual(['new merged merge', 'merged new unmerge'])
  })

  test('every step back, every cancellation and no step forward needs a reason', () => {
    for (const move of ORDER_MOVES.filter(({ by }) => by === 'status')) {
      expect(move.needsReason).toBe(move.kind !== 'next')
      expect(missingFor(move, facts({ at, pod: 'accepted' }))).toEqual(move.needsReason ? ['reason_missing'] : [])
      expect(missingFor(move, facts({ at, pod: 'accepted', reason: ' \n' }))).toEqual(
        move.needsReason ? ['reason_missing'] : [],
      )
      expect(missingFor(move, facts({ at, pod: 'accepted', reason: 'customer changed the date' }))).toEqual([])
    }
  })

  test('every need is an error with words in three languages', () => {
    for (const need of ORDER_MOVES.flatMap(({ needs }) => needs))
      expect(Object.keys(FIELD_ERRORS[need]).toSorted()).toEqual(['de', 'en', 'pl'])
  })
})

describe('what a move still needs', () => {
  test.each<[string, OrderStatus, OrderStatus, Partial<MoveFacts>, string[]]>([
    [
      'scheduling without stops or carrier',
      'new',
      'scheduled',
      { stops: [], hasAssignment: false },
      ['pick_up_and_drop_off_missing', 'assignment_missing'],
    ],
    ['scheduling without a drop-off', 'new', 'scheduled', { stops: [loading] }, ['pick_up_and_drop_off_missing']],
    [
      'scheduling with a drop-off that has no date',
      'new',
      'scheduled',
      { stops: [loading, { ...unloading, termin: null }] },
      ['pick_up_and_drop_off_missing'],
    ],
    [
      'scheduling when the only drop-off is canceled',
      'new',
      'scheduled',
      { stops: [loading, { ...unloading, canceledAt: at }] },
      ['pick_up_and_drop_off_missing'],
    ],
    [
      'scheduling with the disposition for sale',
      'new',
      'scheduled',
      { hasAssignment: false, disposition: 'FOR_SALE' },
      ['assignment_missing'],
    ],
    [
      'scheduling with the own fleet as disposition',
      'new',
      'scheduled',
      { hasAssignment: false, disposition: 'OWN_FLEET' },
      [],
    ],
    ['scheduling with all there is', 'new', 'scheduled', {}, []],
    ['departing without a route', 'scheduled', 'in_transit', { hasRoute: false, at }, ['route_missing']],
    ['departing before loading', 'scheduled', 'in_transit', {}, ['loading_times_missing']],
    [
      'departing with one of two pick-ups loaded',
      'scheduled',
      'in_transit',
      { stops: [{ ...loading, loadedAt: at }, loading, unloading] },
      ['loading_times_missing'],
    ],
    [
      'departing with one pick-up loaded and one canceled',
      'scheduled',
      'in_transit',
      { stops: [{ ...loading, loadedAt: at }, { ...loading, canceledAt: at }, unloading] },
      [],
    ],
    [
      'departing when every pick-up is canceled',
      'scheduled',
      'in_transit',
      { stops: [{ ...loading, canceledAt: at }, unloading] },
      ['loading_times_missing'],
    ],
    ['departing with the time given by hand', 'scheduled', 'in_transit', { at }, []],
    [
      'arriving at the first of two drop-offs',
      'in_transit',
      'arrived',
      { stops: [loading, { ...unloading, arrivedAt: at }, unloading] },
      ['arrival_time_missing'],
    ],
    [
      'arriving at the last drop-off, before a customs stop',
      'in_transit',
      'arrived',
      { stops: [loading, unloading, { ...unloading, arrivedAt: at }, { kind: 'customs' }] },
      [],
    ],
    [
      'arriving when the last drop-off was canceled on the way',
      'in_transit',
      'arrived',
      { stops: [loading, { ...unloading, arrivedAt: at }, { ...unloading, canceledAt: at }] },
      [],
    ],
    [
      'delivering with one of two drop-offs unloaded',
      'arrived',
      'delivered',
      { stops: [loading, { ...unloading, unloadedAt: at }, unloading] },
      ['unloading_times_missing'],
    ],
    [
      'delivering straight from the road',
      'in_transit',
      'delivered',
      { stops: [loading, { ...unloading, unloadedAt: at }] },
      [],
    ],
    ['delivering with the time given by hand', 'arrived', 'delivered', { at }, []],
    ['completing without a POD', 'delivered', 'completed', {}, ['pod_missing']],
    ['completing with an empty waiver', 'delivered', 'completed', { podWaiverReason: '  ' }, ['pod_missing']],
    ['completing with a waiver', 'delivered', 'completed', { podWaiverReason: 'lost by the consignee' }, []],
    ['completing with a POD that nobody has accepted', 'delivered', 'completed', { pod: 'toCheck' }, ['pod_to_check']],
    ['completing with a POD', 'delivered', 'completed', { pod: 'accepted' }, []],
  ])('%s', (_, from, to, change, missing) => {
    expect(missingFor(moveBetween(from, to), facts(change))).toEqual(missing)
  })
})

describe('the status of an order by its routes', () => {
  test.each<[RouteStatus[], RouteStatus | null]>([
    [[], null],
    [['canceled', 'canceled'], 'canceled'],
    [['canceled', 'delivered'], 'delivered'],
    [['completed', 'in_transit', 'arrived'], 'in_transit'],
    [['scheduled', 'new'], 'new'],
    [['completed'], 'completed'],
  ])('%j makes %s', (statuses, status) => {
    expect(leastAdvanced(statuses)).toBe(status)
  })

  test('is one of theirs, whatever their order', () => {
    const route = fc.constantFrom(...ORDER_STATUSES.filter((status) => status !== 'merged'))
    fc.assert(
      fc.property(fc.array(route, { minLength: 1, maxLength: 6 }), (statuses) => {
        const status = leastAdvanced(statuses)
        expect(statuses).toContain(status)
        expect(leastAdvanced(statuses.toReversed())).toBe(status)
        expect(leastAdvanced([...statuses, 'canceled'])).toBe(status)
      }),
    )
  })
})

test('an order may be deactivated when new, completed or canceled only', () => {
  expect(ORDER_STATUSES.filter(mayDeactivateOrder)).toEqual(['new', 'completed', 'canceled'])
})

test('only a merged order is read-only', () => {
  expect(ORDER_STATUSES.filter(isReadOnlyOrder)).toEqual(['merged'])
})

describe('the questions that are asked of a status', () => {
  test('name the statuses that the trade means', () => {
    expect(ORDER_STATUSES.filter(isCanceled)).toEqual(['canceled'])
    expect(ORDER_STATUSES.filter(awaitsPod)).toEqual(['delivered'])
    expect(ORDER_STATUSES[0]).toBe(FIRST_ORDER_STATUS)
    expect([...SUMMED_STATUSES, ...NOT_SUMMED_STATUSES]).toEqual(ORDER_STATUSES)
  })

  test('only an order that waits for its paper is completed with it', () => {
    const withPod = ORDER_MOVES.filter(({ needs }) => needs.includes('pod_missing')).map(({ from }) => from)
    expect(withPod).toEqual(ORDER_STATUSES.filter(awaitsPod))
  })

  test('merging and unmerging are each one step of the table', () => {
    expect(ORDER_MOVES.filter(({ by }) => by === 'merge')).toEqual([expect.objectContaining(MERGE_STEP)])
    expect(ORDER_MOVES.filter(({ by }) => by === 'unmerge')).toEqual([expect.objectContaining(UNMERGE_STEP)])
  })
})
