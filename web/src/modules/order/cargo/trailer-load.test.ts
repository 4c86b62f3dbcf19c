import { expect, test } from 'vitest'
import { emptyCargo, emptyStop, namesOfStops, routeOver, withAction } from '../values/draft.ts'
import { trailerLoad, vehicleLoads } from './trailer-load.ts'

const lines = [
  { ...emptyCargo('a'), ldm: 9 },
  { ...emptyCargo('b'), ldm: 2.4 },
  { ...emptyCargo('c'), ldm: 1 },
  { ...emptyCargo('d'), ldm: null },
]
const stops = [
  emptyStop('loading'),
  { ...emptyStop('unloading'), city: 'Bielefeld' },
  { ...emptyStop('unloading'), city: 'Frechen' },
]
const [bielefeld, frechen] = [1, 2]
const planned = [
  [lines[0]!, bielefeld],
  [lines[1]!, frechen],
  [lines[2]!, frechen],
].reduce(
  (locations, [line, place]) => withAction(locations, line as { key: string }, 'DROP_OFF', place as number),
  stops,
)

test('the last drop lies at the cab, and what is left is free', () => {
  const { parts, free } = trailerLoad(lines, planned)
  expect(parts.map(({ position, title, ldm }) => [position, title, ldm])).toEqual([
    [3, 'Frechen', 3.4],
    [2, 'Bielefeld', 9],
  ])
  expect(free).toBe(1.2)
})

test('more than a trailer takes leaves nothing free and still fits the drawing', () => {
  const { parts, free } = trailerLoad([{ ...lines[0]!, ldm: 20 }], planned)
  expect([free, parts[0]!.share]).toEqual([0, 1])
})

test('cargo without a drop-off is there, at the doors', () => {
  expect(trailerLoad(lines, stops).parts).toEqual([{ position: null, title: null, ldm: 12.4, share: 12.4 / 13.6 }])
})

test('two routes are two vehicles, each with what it drops off', () => {
  const routes = [planned[1]!, planned[2]!].map((stop) => ({ ...routeOver([]), ...namesOfStops([stop]) }))
  expect(vehicleLoads(lines, planned, routes.slice(0, 1))).toEqual([{ route: null, lines: [0, 1, 2, 3] }])
  expect(vehicleLoads(lines, planned, routes)).toEqual([
    { route: 0, lines: [0] },
    { route: 1, lines: [1, 2] },
    { route: null, lines: [3] },
  ])
})
