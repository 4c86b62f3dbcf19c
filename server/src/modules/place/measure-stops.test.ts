import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { createRoadRouting } from './index.ts'

const test = useTestApp()
let clerk: Caller
let [germany, poland] = [0, 0]
beforeAll(async () => {
  clerk = (await test.userWith('ORDERS_MANAGEMENT')).caller
  ;[germany, poland] = [await test.idOf('country', 'code', 'DE'), await test.idOf('country', 'code', 'PL')]
}, 60_000)

const asked = (...stops: string[]) =>
  `places/distance?${stops.map((stop) => `stops[]=${encodeURIComponent(stop)}`).join('&')}`
const measure = async (...stops: string[]) => {
  const { status, body } = await clerk.get(asked(...stops))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const LODZ = '51.77058,19.47395'
const HAMBURG = '53.57532,10.01534'

describe('the distance between stops', () => {
  it('is for those who are signed in', async () => {
    expect((await test.anonymous.get(asked(LODZ, HAMBURG))).status).toBe(401)
  })

  it('refuses a single stop, what is no place, and an unknown country', async () => {
    for (const [path, field, code] of [
      ['places/distance', 'stops', 'required'],
      [asked(LODZ), 'stops', 'too_few'],
      [asked(LODZ, 'Hamburg'), 'stops.1', 'invalid_value'],
      [asked(LODZ, '95.5,10'), 'stops.1', 'invalid_value'],
      [asked(LODZ, '999999 Hamburg'), 'stops.1', 'unknown_reference'],
      [asked(LODZ, `${germany} Ham\u0000burg`), 'stops.1', 'invalid_text'],
    ]) {
      const { status, body } = await clerk.get(path!)
      expect([path, status, body.errors?.[0]]).toEqual([path, 422, expect.objectContaining({ path: field, code })])
    }
  })

  it('is estimated without a routing service, from coordinates or from the town', { tags: 'long' }, async () => {
    const { positions, ...rest } = await measure(LODZ, `${germany} Hamburg`, `${poland} Łódź`)
    expect(positions).toEqual([
      { latitude: 51.77058, longitude: 19.47395 },
      { latitude: expect.closeTo(53.57, 1), longitude: expect.closeTo(10, 1) },
      { latitude: 51.77058, longitude: 19.47395 },
    ])
    // 665 km as the crow flies.
    expect(rest).toEqual({
      legsKm: [expect.closeTo(867, -1), expect.closeTo(867, -1)],
      distanceKm: rest.legsKm[0] * 2,
      isEstimated: true,
      drivingMinutes: null,
      line: null,
    })
  })

  // The first question of a database reads the gazetteer.
  it('leaves open what lies beside a town that nobody knows', { tags: 'long', timeout: 120_000 }, async () => {
    expect(await measure(LODZ, `${germany} Xqzwburg`, HAMBURG, LODZ)).toMatchObject({
      positions: [{}, null, {}, {}],
      legsKm: [null, null, expect.any(Number)],
      distanceKm: null,
      isEstimated: true,
    })
  })
})

describe('a configured routing service', () => {
  let close = async (): Promise<void> => undefined
  const paths: string[] = []
  afterEach(async () => {
    test.ports.routing = null
    test.clock.advance(60_000)
    paths.length = 0
    await close()
  })
  const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void, timeLimitMs?: number) => {
    const server = createServer((request, response) => {
      paths.push(request.url!)
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    close = () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
    test.ports.routing = createRoadRouting({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/osrm`,
      ...(timeLimitMs && { timeLimitMs }),
    })
  }
  const saying = (body: unknown) => (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const road = {
    code: 'Ok',
    routes: [
      {
        duration: 30_629,
        distance: 853_049,
        legs: [{ distance: 853_049 }],
        geometry: {
          coordinates: [
            [19.47, 51.77],
            [14.5, 52.3],
            [10.02, 53.58],
          ],
        },
      },
    ],
  }

  it('gives kilometres, hours and the road', async () => {
    await serve(saying(road))
    expect(await measure(LODZ, HAMBURG)).toMatchObject({
      legsKm: [853],
      distanceKm: 853,
      isEstimated: false,
      drivingMinutes: 510,
      line: [
        [51.77, 19.47],
        [52.3, 14.5],
        [53.58, 10.02],
      ],
    })
    expect(paths).toEqual([
      '/osrm/route/v1/driving/19.47395,51.77058;10.01534,53.57532?overview=simplified&geometries=geojson',
    ])
  })

  it('is not asked about a place that nobody knows', { tags: 'long' }, async () => {
    await serve(saying(road))
    expect(await measure(LODZ, `${germany} Xqzwburg`)).toMatchObject({ distanceKm: null, isEstimated: true })
    expect(paths).toEqual([])
  })

  it.each([
    [
      'is in trouble',
      (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(400).end('{"code":"NoRoute"}'),
    ],
    ['finds no way', saying({ code: 'NoRoute', routes: [] })],
    ['answers of another way', saying({ ...road, routes: [{ ...road.routes[0], legs: [] }] })],
    [
      'answers no JSON',
      (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(200).end('<html>'),
    ],
  ])('that %s is not waited for: the distance is estimated, and the service rests', async (_, answer) => {
    await serve(answer)
    expect(await measure(LODZ, HAMBURG)).toMatchObject({ isEstimated: true, distanceKm: expect.any(Number) })
    expect(await measure(LODZ, HAMBURG)).toMatchObject({ isEstimated: true })
    expect(paths).toHaveLength(1)
    test.clock.advance(60_000)
    await measure(LODZ, HAMBURG)
    expect(paths).toHaveLength(2)
  })

  it('that is silent is waited for as long as its limit', async () => {
    await serve(() => undefined, 50)
    expect(await measure(LODZ, HAMBURG)).toMatchObject({ isEstimated: true })
  })
})
