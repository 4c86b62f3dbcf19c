import fc from 'fast-check'
import { planErrors } from '@waybill/contract/order/schedule'
import { expect, test } from 'vitest'
import { emptyCargo, emptyOrder, emptyStop, routeOver, stopOfCargo, withAction, type StopValues } from './draft.ts'
import { moveStop, type Plan } from './stop-order.ts'

const NOBODY = { departmentId: null, caseWorkerId: null }
const keysOf = (stops: readonly StopValues[]) => stops.map(({ key }) => key)

/** Stops A to D, a line from A to C and one from B to D. */
function plan(): Plan {
  const cargo = [emptyCargo('one'), emptyCargo('two')]
  const stops = ['A', 'B', 'C', 'D'].map((key, place) => emptyStop(place < 2 ? 'loading' : 'unloading', null, key))
  const ways = [
    [0, 2],
    [1, 3],
  ] as const
  const locations = ways.reduce(
    (all, [from, to], line) => withAction(withAction(all, cargo[line]!, 'PICK_UP', from), cargo[line]!, 'DROP_OFF', to),
    stops,
  )
  return { cargo, locations, routes: [] }
}

test('a stop goes up with its cargo, and its route names the stops in the new order', () => {
  const { cargo, locations } = plan()
  const moved = moveStop({ cargo, locations, routes: [routeOver(locations)] }, 1, -1)
  if ('line' in moved) throw new Error('was refused')
  expect(keysOf(moved.plan.locations)).toEqual(['B', 'A', 'C', 'D'])
  expect(moved.plan.routes[0]!.locationKeys).toEqual(['B', 'A', 'C', 'D'])
  expect(stopOfCargo(moved.plan.locations, cargo[1]!, 'PICK_UP')).toBe(0)
})

test('a drop does not go before the pick-up of its line, and the line is named', () => {
  const before = plan()
  const closer = moveStop(before, 2, -1)
  if ('line' in closer) throw new Error('was refused')
  expect(moveStop({ ...before, ...closer.plan }, 1, -1)).toEqual({ line: 0 })
  expect(moveStop({ ...before, ...closer.plan }, 0, 1)).toEqual({ line: 0 })
})

test('what was only assumed of a line is assumed anew', () => {
  const { cargo, locations } = emptyOrder(NOBODY)
  expect(moveStop({ cargo, locations, routes: [] }, 1, -1)).toEqual({ line: 0 })
  const turned = [
    { ...locations[0]!, kind: 'unloading' as const },
    { ...locations[1]!, kind: 'loading' as const },
  ]
  const moved = moveStop({ cargo, locations: turned, routes: [] }, 1, -1)
  if ('line' in moved) throw new Error('was refused')
  expect(stopOfCargo(moved.plan.locations, cargo[0]!, 'PICK_UP')).toBe(0)
  expect(stopOfCargo(moved.plan.locations, cargo[0]!, 'DROP_OFF')).toBe(1)
})

test('however stops are moved, no line is dropped off before it is picked up', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ index: fc.nat(3), step: fc.constantFrom(-1 as const, 1 as const) })), (moves) => {
      let last = plan()
      for (const { index, step } of moves) {
        if (index + step < 0 || index + step > 3) continue
        const moved = moveStop(last, index, step)
        if ('plan' in moved) last = { cargo: last.cargo, ...moved.plan }
      }
      expect(planErrors(last.locations, last.cargo)).toEqual([])
    }),
  )
})
