import { planErrors } from '@waybill/contract/order/schedule'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyCargo, emptyStop, routeOver, stopOfCargo, stopsOfRoute, withAction } from './draft.ts'
import { addRoute, routeOfStop, tornLines, waysOf, withStopMoved } from './route-stops.ts'
import type { Plan } from './stop-order.ts'

/** Stops A to D on one route, and lines by the places of their two stops. */
function planOf(...ways: (readonly [from: number, to: number])[]): Plan {
  const cargo = ways.map((_way, line) => emptyCargo(`line ${line}`))
  const stops = ['A', 'B', 'C', 'D'].map((key, place) => emptyStop(place < 2 ? 'loading' : 'unloading', null, key))
  const locations = ways.reduce(
    (all, [from, to], line) => withAction(withAction(all, cargo[line]!, 'PICK_UP', from), cargo[line]!, 'DROP_OFF', to),
    stops,
  )
  return { cargo, locations, routes: [routeOver(locations)] }
}

const namesOn = ({ locations, routes }: Pick<Plan, 'locations' | 'routes'>) =>
  routes.map((route) => stopsOfRoute(route, locations).map((stop) => locations[stop]!.key!.slice(0, 1)))

test('the ticked stops go over to the new route, with their cargo', () => {
  const before = planOf([0, 2], [1, 3])
  const { plan, copied, emptied } = addRoute(before, [1, 3], [])
  expect(namesOn(plan)).toEqual([
    ['A', 'C'],
    ['B', 'D'],
  ])
  expect([copied, emptied]).toEqual([[], []])
  expect(tornLines({ ...before, ...plan })).toEqual([])
})

test('a stop where cargo stays is driven by both routes: the new one gets a copy below it', () => {
  const before = planOf([0, 2], [0, 3])
  const { plan, copied } = addRoute(before, [0, 3], [])
  expect(copied).toEqual([0])
  expect(plan.locations).toHaveLength(5)
  expect(plan.routes.map((route) => stopsOfRoute(route, plan.locations))).toEqual([
    [0, 2, 3],
    [1, 4],
  ])
  expect(stopOfCargo(plan.locations, before.cargo[0]!, 'PICK_UP')).toBe(0)
  expect(stopOfCargo(plan.locations, before.cargo[1]!, 'PICK_UP')).toBe(1)
})

test('a line that was split goes with its own truck although both have the same stops', () => {
  const before = planOf([0, 2], [0, 2])
  const { plan, copied } = addRoute(before, [0, 2], [0])
  expect(copied).toEqual([0, 2])
  expect(stopsOfRoute(plan.routes[1]!, plan.locations)).toEqual([1, 4])
  expect(stopOfCargo(plan.locations, before.cargo[0]!, 'DROP_OFF')).toBe(3)
  expect(stopOfCargo(plan.locations, before.cargo[1]!, 'DROP_OFF')).toBe(4)
})

test('of a line one end of which is ticked the other is named', () => {
  const { cargo, locations } = planOf([0, 2], [1, 3])
  expect(waysOf(cargo, locations, [0])).toEqual([{ kind: 'half', missing: 2 }, { kind: 'none' }])
})

test('routes that lose all of their stops are named', () => {
  expect(addRoute(planOf([0, 2], [1, 3]), [0, 1, 2, 3], []).emptied).toEqual([0])
})

test('a stop moves from one route to another, to its place among the stops, and an estimate is dropped', () => {
  const before = planOf([0, 2], [1, 3])
  const { plan } = addRoute(before, [1, 3], [])
  const measured = plan.routes.map((route) => ({ ...route, distanceKm: 500 }))
  const routes = withStopMoved(measured, plan.locations, 0, 1)
  expect(namesOn({ ...plan, routes })).toEqual([['C'], ['A', 'B', 'D']])
  expect(routes[1]!.locationKeys).toEqual(['A', 'B', 'D'])
  expect(routes.map(({ distanceKm }) => distanceKm)).toEqual([null, null])
  expect(tornLines({ ...before, ...plan, routes })).toEqual([{ line: 0, from: 0, to: 2, fromRoute: 1, toRoute: 0 }])
})

test('whatever is ticked, each stop has one route, and no cargo is dropped before it is picked up', () => {
  const way = fc.record({ from: fc.nat(2), more: fc.integer({ min: 1, max: 3 }) })
  fc.assert(
    fc.property(
      fc.array(way, { minLength: 1, maxLength: 5 }),
      fc.uniqueArray(fc.nat(3)),
      fc.uniqueArray(fc.nat(4)),
      (ways, ticked, staying) => {
        const before = planOf(...ways.map(({ from, more }) => [from, Math.min(3, from + more)] as const))
        const { plan } = addRoute(before, ticked, staying)
        expect(planErrors(plan.locations, before.cargo)).toEqual([])
        for (const route of plan.routes) {
          const own = stopsOfRoute(route, plan.locations).map((stop) => plan.locations[stop]!)
          expect(planErrors(own, before.cargo)).toEqual([])
        }
        for (const stop of plan.locations.keys())
          expect(plan.routes.filter((route) => stopsOfRoute(route, plan.locations).includes(stop))).toHaveLength(1)
        expect(routeOfStop(plan.routes, plan.locations, 0)).not.toBe(-1)
      },
    ),
  )
})
