import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeObstacles, stopsByDate, type DatedStop, type MergeCandidate, type MergeObstacle } from './merge.ts'
import { ORDER_STATUSES } from './status.ts'

const candidate = (id: number, more: Partial<MergeCandidate> = {}): MergeCandidate => ({
  id,
  status: 'new',
  state: 'active',
  departmentId: 1,
  hasRoute: false,
  isMergeResult: false,
  ...more,
})

describe('orders that are to be merged', () => {
  test.each<[string, Partial<MergeCandidate>, MergeObstacle[]]>([
    ['has a route', { hasRoute: true }, ['merge_has_route']],
    ['is of another department', { departmentId: 2 }, ['merge_other_department']],
    ['is inactive', { state: 'inactive' }, ['merge_inactive']],
    ['was itself merged from others', { hasRoute: true, isMergeResult: true }, ['merge_of_merged']],
    [
      'is wrong in every way',
      { status: 'scheduled', state: 'inactive', hasRoute: true, departmentId: 2 },
      ['merge_not_new', 'merge_inactive', 'merge_has_route', 'merge_other_department'],
    ],
    ['is like the others', {}, []],
  ])('are told which one %s', (_, more, obstacles) => {
    const found = mergeObstacles([candidate(1), candidate(2, more), candidate(3)])
    expect([found.get(1) ?? [], found.get(2) ?? [], found.get(3) ?? []]).toEqual([[], obstacles, []])
  })

  test('must all be new', () => {
    expect(ORDER_STATUSES.filter((status) => mergeObstacles([candidate(1, { status })]).size === 0)).toEqual(['new'])
  })
})

describe('the stops of several orders', () => {
  const at = (startAt: string, endAt = startAt): DatedStop => ({ startAt, endAt, isBefore: false })
  const before = (endAt: string): DatedStop => ({ startAt: endAt.slice(0, 10), endAt, isBefore: true })
  const undated: DatedStop = { startAt: null, endAt: null, isBefore: false }

  test('stand by date: a deadline by its end, a period by its start, one without a date after its neighbour', () => {
    const first = [at('2026-12-01T07'), undated, before('2026-12-03T12')]
    const second = [at('2026-12-01T06', '2026-12-09T06'), at('2026-12-03T11')]
    expect(stopsByDate([first, second])).toEqual([
      [1, 0],
      [0, 0],
      [0, 1],
      [1, 1],
      [0, 2],
    ])
  })

  test('are all there, once, and none of an order comes before the one that it follows', () => {
    const day = fc.option(fc.integer({ min: 1, max: 9 }))
    const dated = fc
      .tuple(day, fc.boolean())
      .map(
        ([on, isBefore]): DatedStop =>
          on === null ? undated : { startAt: `2026-12-0${on}`, endAt: `2026-12-0${on}T24`, isBefore },
      )
    fc.assert(
      fc.property(fc.array(fc.array(dated, { maxLength: 6 }), { maxLength: 5 }), (orders) => {
        const found = stopsByDate(orders)
        expect(found).toHaveLength(orders.flat().length)
        orders.forEach((stops, order) =>
          expect(found.filter(([of]) => of === order).map(([, stop]) => stop)).toEqual(stops.map((_, place) => place)),
        )
      }),
    )
  })
})
