import { readFileSync } from 'node:fs'
import { geoMercator, geoPath, type GeoProjection } from 'd3-geo'
import { feature } from 'topojson-client'
import { isPlaced, type Located } from './tracked-part.rules.ts'

/** A picture of where the stops of a part lie, with the outlines of the countries around them (decision 104). */

const WIDTH = 640
const HEIGHT = 300
/** Room around the outermost stops, in pixels. */
const MARGIN = 48
/** So near that outlines of countries still say something, in pixels for a radian of longitude. */
const LARGEST_SCALE = 5_000
/** Below it fine outlines weigh ten times as much as what can be seen of them. */
const FINE_FROM_SCALE = 600
/** Mercator has no poles. */
const LARGEST_LATITUDE = 80
const HALF = 10

type Placed = Located & { isDone: boolean }
type Point = [longitude: number, latitude: number]
interface Box {
  west: number
  east: number
  south: number
  north: number
}

type Rings = number[][][]
type Outline = Box & { rings: Rings }

function outlineOf(rings: Rings): Outline {
  const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity }
  for (const [longitude, latitude] of rings[0] as Point[]) {
    box.west = Math.min(box.west, longitude)
    box.east = Math.max(box.east, longitude)
    box.south = Math.min(box.south, latitude)
    box.north = Math.max(box.north, latitude)
  }
  return { ...box, rings }
}

const kept = new Map<string, Outline[]>()

/** The lands of the earth: read and unpacked when the first map is drawn. */
function outlinesFor(scale: number): Outline[] {
  const name = scale < FINE_FROM_SCALE ? '110m' : '50m'
  const known = kept.get(name)
  if (known !== undefined) return known
  const file = new URL(import.meta.resolve(`world-atlas/countries-${name}.json`))
  const world = JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof feature>[0]
  const countries = feature(world, world.objects.countries!)
  const outlines = ('features' in countries ? countries.features : [countries]).flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [outlineOf(geometry.coordinates)]
    return geometry.type === 'MultiPolygon' ? geometry.coordinates.map(outlineOf) : []
  })
  kept.set(name, outlines)
  return outlines
}

/** What of the earth the picture shows. */
function boxOf(projection: GeoProjection): Box {
  const [west, north] = projection.invert!([-HALF, -HALF])!
  const [east, south] = projection.invert!([WIDTH + HALF, HEIGHT + HALF])!
  return { west, east, south, north }
}

const meet = (one: Box, other: Box): boolean =>
  one.west <= other.east && other.west <= one.east && one.south <= other.north && other.south <= one.north

function projectionFor(points: Point[]): GeoProjection {
  const projection = geoMercator().fitExtent(
    [
      [MARGIN, MARGIN],
      [WIDTH - MARGIN, HEIGHT - MARGIN],
    ],
    { type: 'MultiPoint', coordinates: points },
  )
  // Stops at one place would be infinitely large.
  if (!(projection.scale() <= LARGEST_SCALE)) {
    const middle = ([0, 1] as const).map((side) => points.reduce((sum, at) => sum + at[side], 0) / points.length)
    projection
      .scale(LARGEST_SCALE)
      .translate([WIDTH / 2, HEIGHT / 2])
      .center(middle as Point)
  }
  return projection.clipExtent([
    [-HALF, -HALF],
    [WIDTH + HALF, HEIGHT + HALF],
  ])
}

// In an image nothing of the page's looks is there: it follows the look of the device by itself.
const LOOK = `<style>
.sea{fill:#e4ecf1}.land{fill:#fbfaf7;stroke:#c3ccd2}.way{fill:none;stroke:#8a969e;stroke-width:3;stroke-dasharray:1 7;
stroke-linecap:round}.way.done{stroke:#0f6b74;stroke-dasharray:none}.stop{fill:#55626b;stroke:#fff;stroke-width:1.5}
.stop.done{fill:#0f6b74}text{fill:#fff;font:600 13px sans-serif;text-anchor:middle}
@media (prefers-color-scheme:dark){.sea{fill:#14202a}.land{fill:#22303b;stroke:#3c4c58}.way{stroke:#7d8b95}
.way.done{stroke:#58b6bf}.stop{fill:#7d8b95;stroke:#14202a}.stop.done{fill:#58b6bf}text{fill:#0d151b}}
</style>`

/** The map as SVG: the stops by their numbers, driven ways in full, those to come in dots. */
export function mapOf(stops: readonly Placed[]): string {
  const placed = stops.flatMap((stop, index) => {
    if (!isPlaced(stop)) return []
    const latitude = Math.max(-LARGEST_LATITUDE, Math.min(LARGEST_LATITUDE, stop.latitude!))
    return [{ at: [stop.longitude!, latitude] as Point, number: index + 1, isDone: stop.isDone }]
  })
  const projection = projectionFor(placed.map(({ at }) => at))
  const path = geoPath(projection).digits(1)
  const box = boxOf(projection)
  const lands = outlinesFor(projection.scale()).filter((outline) => meet(outline, box))
  const land = path({ type: 'MultiPolygon', coordinates: lands.map(({ rings }) => rings) })
  const ways = placed.slice(1).map(({ at, isDone }, index) => {
    const line = path({ type: 'LineString', coordinates: [placed[index]!.at, at] }) ?? ''
    return `<path class="way${isDone ? ' done' : ''}" d="${line}"/>`
  })
  const marks = placed.map(({ at, number, isDone }) => {
    const [x, y] = projection(at)!.map((value) => Math.round(value)) as [number, number]
    return (
      `<rect class="stop${isDone ? ' done' : ''}" x="${x - HALF}" y="${y - HALF}" width="${2 * HALF}" ` +
      `height="${2 * HALF}" rx="3"/><text x="${x}" y="${y + 5}">${number}</text>`
    )
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    LOOK,
    `<rect class="sea" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<path class="land" d="${land ?? ''}"/>`,
    ...ways,
    // Later stops first, so that the first ones lie on top where several are at one place.
    ...marks.toReversed(),
    '</svg>',
  ].join('\n')
}
