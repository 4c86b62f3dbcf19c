import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { createGeocoder, fillGazetteer } from './index.ts'

const test = useTestApp()
let clerk: Caller
beforeAll(async () => {
  clerk = (await test.userWith('ORDERS_MANAGEMENT')).caller
}, 60_000)

const search = async (q: string, more = '', caller = clerk) => {
  const { status, body } = await caller.get(`places?q=${encodeURIComponent(q)}${more}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const titles = async (q: string, more = ''): Promise<string[]> =>
  (await search(q, more)).items.map(
    ({ title, countryCode }: { title: string; countryCode: string }) => `${title} ${countryCode}`,
  )

describe('the list of towns', () => {
  it('is filled by a job that begins with the server, so that nobody waits for it', async () => {
    const towns = async () => (await test.database.pool.query('select count(*)::int as n from place')).rows[0].n
    expect(await towns()).toBe(0)
    await fillGazetteer.handle(jobContext(test), {})
    const filled = await towns()
    expect(filled).toBeGreaterThan(135_000)
    await fillGazetteer.handle(jobContext(test), {})
    expect(await towns()).toBe(filled)
    expect(fillGazetteer.timetable?.atStart).toBeDefined()
  })
})

describe('places', () => {
  it('are for those who are signed in, with any right or none', async () => {
    expect((await test.anonymous.get('places?q=lodz')).status).toBe(401)
    expect((await test.anonymous.get('places/map')).status).toBe(401)
    const { caller } = await test.userWith()
    expect((await caller.get('places?q=lodz')).status).toBe(200)
  })

  it('refuse a question without words, one too long, an unknown country and unknown filters', async () => {
    for (const [query, path, code] of [
      ['', 'q', 'required'],
      ['q=', 'q', 'required'],
      [`q=${'x'.repeat(201)}`, 'q', 'too_long'],
      ['q=lodz%00', 'q', 'invalid_text'],
      ['q=lodz&countryId=999999', 'countryId', 'unknown_reference'],
      ['q=lodz&countryId=PL', 'countryId', 'invalid_value'],
      ['q=lodz&bounds=1', 'bounds', 'unknown_field'],
    ]) {
      const { status, body } = await clerk.get(`places?${query}`)
      expect([query, status, body.errors?.[0]]).toEqual([query, 422, expect.objectContaining({ path, code })])
    }
  })

  it('are found without their accents, with country, coordinates and time zone', async () => {
    const { items, source, isFallback } = await search('lodz')
    expect({ source, isFallback }).toEqual({ source: 'gazetteer', isFallback: false })
    expect(items[0]).toEqual({
      key: 'geonames-3093133',
      title: 'Łódź',
      address: null,
      postal: null,
      city: 'Łódź',
      countryCode: 'PL',
      country: { id: await test.idOf('country', 'code', 'PL'), title: 'Poland' },
      near: null,
      latitude: 51.77058,
      longitude: 19.47395,
      timeZone: 'Europe/Warsaw',
    })
  })

  it.each([
    ['München', 'München DE'],
    ['muenchen', 'München DE'],
    ['Munich', 'München DE'],
    ['Monachium', 'München DE'],
    ['koeln', 'Köln DE'],
    ['Wien', 'Wien AT'],
    ['Warschau', 'Warszawa PL'],
    ['Breslau', 'Wrocław PL'],
    ['Mediolan', 'Milano IT'],
    ['Frankfurt/M.', 'Frankfurt am Main DE'],
    ['bielsko biala', 'Bielsko-Biała PL'],
    ['halle saale', 'Halle (Saale) DE'],
    ['freiburg', 'Freiburg im Breisgau DE'],
  ])('are called as people call them: %s is %s', async (typed, meant) => {
    expect((await titles(typed))[0]).toBe(meant)
  })

  it('come with the name that begins so first, then the larger, then those with a later word', async () => {
    const found = await titles('frankfurt')
    expect(found.slice(0, 2)).toEqual(['Frankfurt am Main DE', 'Frankfurt (Oder) DE'])
    expect((await titles('most'))[0]).toBe('Most CZ')
    expect(await titles('ems', `&countryId=${await test.idOf('country', 'code', 'DE')}`)).toEqual(
      expect.arrayContaining(['Emsdetten DE', 'Bad Ems DE']),
    )
    expect((await titles('ham')).length).toBe(12)
  })

  it('of one name are told apart by the large town nearby', async () => {
    const { items } = await search('neustadt', `&countryId=${await test.idOf('country', 'code', 'DE')}`)
    const near = items.map((item: { near: string | null }) => item.near)
    expect(new Set(near).size).toBeGreaterThan(4)
  })

  it('are found in a whole address: postal codes and house numbers are no part of a name', async () => {
    for (const typed of ['93-490 Łódź', 'PL-93-490 Lodz', 'ul. Pabianicka 119, 93-490 Łódź'])
      expect((await titles(typed))[0], typed).toBe('Łódź PL')
    expect((await titles('D 80331 München'))[0]).toBe('München DE')
    expect((await titles('89073 Ulm'))[0]).toBe('Ulm DE')
    expect((await titles('Ulm 89073'))[0]).toBe('Ulm DE')
    expect(await titles('12345')).toEqual([])
    expect(await titles('%_')).toEqual([])
    expect(await titles('nowhere is called this')).toEqual([])
  })

  it('lie in the country that is asked for, and in one of ours before others', async () => {
    const austria = await test.idOf('country', 'code', 'AT')
    expect((await titles('salz', `&countryId=${austria}`)).every((found) => found.endsWith(' AT'))).toBe(true)
    expect((await titles('vienna'))[0]).toBe('Wien AT')
  })

  it('tell of a country that the settings do not hold, or no longer', async () => {
    expect((await search('chicago')).items[0]).toMatchObject({
      countryCode: 'US',
      country: null,
      timeZone: 'America/Chicago',
    })
    await test.database.pool.query(`update country set state = 'inactive' where code = 'IS'`)
    expect((await search('reykjavik')).items[0]).toMatchObject({ title: 'Reykjavík', country: null })
  })
})

interface Asked {
  query: URLSearchParams
  agent: string | undefined
}

/** A geocoder of our own that answers as it is told. */
async function serveGeocoder(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; asked: Asked[]; close(): Promise<void> }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://geocoder')
    asked.push({ query: searchParams, agent: request.headers['user-agent'] })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const saying = (body: unknown) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const photon = {
  type: 'FeatureCollection',
  features: [
    {
      geometry: { type: 'Point', coordinates: [19.4309, 51.7206] },
      properties: {
        osm_type: 'W',
        osm_id: 71,
        type: 'house',
        name: 'Fabryka Mebli',
        street: 'Pabianicka',
        housenumber: '119',
        postcode: '93-490',
        city: 'Łódź',
        state: 'Województwo łódzkie',
        countrycode: 'PL',
      },
    },
    {
      geometry: { type: 'Point', coordinates: [19.457, 51.7687] },
      properties: { osm_type: 'R', osm_id: 72, type: 'city', name: 'Łódź', countrycode: 'pl' },
    },
    {
      geometry: { type: 'Point', coordinates: [2.3, 48.85] },
      properties: {
        osm_type: 'N',
        osm_id: 73,
        type: 'house',
        street: 'Rue de Lodz',
        housenumber: '4',
        city: 'Paris',
        countrycode: 'FR',
      },
    },
    {
      geometry: { type: 'Point', coordinates: [999, 51] },
      properties: { osm_id: 74, name: 'nowhere', countrycode: 'PL' },
    },
    'nonsense',
  ],
}

describe('a configured geocoder', () => {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    test.ports.geocoder = null
    test.clock.advance(60_000)
    for (const one of open.splice(0)) await one.close()
  })
  const useGeocoder = async (
    path: '/api' | '/search',
    answer: Parameters<typeof serveGeocoder>[0],
    timeLimitMs?: number,
  ) => {
    const served = await serveGeocoder(answer)
    open.push(served)
    test.ports.geocoder = createGeocoder({ url: `${served.url}${path}`, ...(timeLimitMs && { timeLimitMs }) })
    return served
  }

  it('is Photon: streets and houses come as the country writes them, and what is no place is left out', async () => {
    const { asked } = await useGeocoder('/api', saying(photon))
    const { items, source, isFallback } = await search('pabianicka 119')
    expect({ source, isFallback }).toEqual({ source: 'geocoder', isFallback: false })
    expect(items).toHaveLength(3)
    expect(items[0]).toMatchObject({
      title: 'Fabryka Mebli',
      address: 'Pabianicka 119',
      postal: '93-490',
      city: 'Łódź',
      countryCode: 'PL',
      country: { title: 'Poland' },
      near: 'Województwo łódzkie',
      latitude: 51.7206,
      longitude: 19.4309,
      timeZone: 'Europe/Warsaw',
    })
    expect(items[1]).toMatchObject({ title: 'Łódź', address: null, city: 'Łódź', countryCode: 'PL' })
    expect(items[2]).toMatchObject({ title: '4 Rue de Lodz', address: '4 Rue de Lodz', city: 'Paris' })
    expect(asked[0]).toEqual({ query: expect.any(URLSearchParams), agent: 'Waybill' })
    expect(asked[0]!.query.get('q')).toBe('pabianicka 119')
    const { items: french } = await search('lodz', `&countryId=${await test.idOf('country', 'code', 'FR')}`)
    expect(french.map(({ city }: { city: string }) => city)).toEqual(['Paris'])
  })

  it('is Nominatim: asked in the language of the caller, narrowed by the country', async () => {
    const { asked } = await useGeocoder(
      '/search',
      saying([
        {
          place_id: 9,
          lat: '53.5278',
          lon: '10.0656',
          name: '',
          display_name: 'Billbrookdeich 210, …',
          address: {
            house_number: '210',
            road: 'Billbrookdeich',
            postcode: '22113',
            city: 'Hamburg',
            country_code: 'de',
          },
        },
      ]),
    )
    const { body } = await clerk.get(`places?q=billbrookdeich&countryId=${await test.idOf('country', 'code', 'DE')}`, {
      headers: { 'accept-language': 'pl' },
    })
    expect(body.items).toEqual([
      expect.objectContaining({
        title: 'Billbrookdeich 210',
        address: 'Billbrookdeich 210',
        postal: '22113',
        city: 'Hamburg',
        latitude: 53.5278,
        timeZone: 'Europe/Berlin',
      }),
    ])
    expect(Object.fromEntries(asked[0]!.query)).toMatchObject({
      q: 'billbrookdeich',
      format: 'jsonv2',
      'accept-language': 'pl',
      countrycodes: 'de',
    })
  })

  it('that finds nothing has found nothing: the gazetteer does not step in', async () => {
    await useGeocoder('/api', saying({ features: [] }))
    expect(await search('lodz')).toEqual({ items: [], source: 'geocoder', isFallback: false })
  })

  it.each([
    [
      'is in trouble',
      (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(500).end('{"features":[]}'),
    ],
    ['answers something else', saying({ hello: 'world' })],
    [
      'answers no JSON',
      (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(200).end('<html>'),
    ],
    [
      'sends elsewhere',
      (request: IncomingMessage, response: ServerResponse) =>
        void (request.url === '/elsewhere'
          ? saying(photon)(request, response)
          : response.writeHead(302, { location: '/elsewhere' }).end()),
    ],
    [
      'answers without end',
      (_request: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200).end(`{"features":[${'1,'.repeat(600_000)}1]}`),
    ],
    ['hangs up', (request: IncomingMessage) => void request.socket.destroy()],
  ])('that %s is stood in for by the gazetteer, which says so', async (_what, answer) => {
    const { asked } = await useGeocoder('/api', answer)
    const { items, source, isFallback } = await search('lodz')
    expect({ title: items[0].title, source, isFallback }).toEqual({
      title: 'Łódź',
      source: 'gazetteer',
      isFallback: true,
    })
    // Nobody waits for it again until it has rested.
    await search('lodz')
    expect(asked).toHaveLength(1)
    test.clock.advance(31_000)
    await search('lodz')
    expect(asked).toHaveLength(2)
  })

  it('that takes too long is not waited for', async () => {
    await useGeocoder('/api', () => undefined, 100)
    expect(await search('lodz')).toMatchObject({ source: 'gazetteer', isFallback: true })
  })
})

describe('the map', () => {
  it('has outlines alone, unless the settings name tiles', async () => {
    expect((await clerk.get('places/map')).body).toEqual({ tiles: null })
    const tiles = { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '© somebody' }
    test.ports.tiles = tiles
    expect((await clerk.get('places/map')).body).toEqual({ tiles })
    test.ports.tiles = null
  })
})

describe('the gazetteer', () => {
  it('is loaded once, however many ask for it first', { tags: 'long', timeout: 60_000 }, async () => {
    await test.asOwner('truncate place')
    // On a busy machine who waits long for the first one is told to come again.
    const ask = async (): Promise<Answer> => {
      const answer = await clerk.get('places?q=gorlitz')
      return answer.status === 503 ? ask() : answer
    }
    const answers = await Promise.all(Array.from({ length: 6 }, ask))
    for (const { status, body } of answers) {
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.items[0].title).toBe('Görlitz')
    }
    const { rows } = await test.database.pool.query<{ places: string }>(
      'select count(distinct "geonameId") as places from place',
    )
    expect(Number(rows[0]!.places)).toBe(135_233)
  })
})
