import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Document, OrderPaperState } from '@waybill/contract/document'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { carried, orderWorld, plainOrder, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-23T10:00:00Z' })
let world: OrderWorld
let customerId: number

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', {
    address: 'Billbrookdeich 210',
    postal: '22113',
    city: 'Hamburg',
  })
})

type Stop = NonNullable<OrderInput['locations']>[number]
type Country = keyof OrderWorld['countries']

const action = (what: 'PICK_UP' | 'DROP_OFF', ...keys: string[]) => keys.map((cargoKey) => ({ cargoKey, action: what }))
const loading = (country: Country, keys: string[], more: Partial<Stop> = {}): Stop => ({
  kind: 'loading',
  termin: { kind: 'fix', dateFrom: '2026-10-28', timeFrom: '08:00' },
  companyTitle: 'Nordlicht Maschinenbau GmbH',
  address: 'Billbrookdeich 210',
  postal: '22113',
  city: 'Hamburg',
  countryId: world.countries[country],
  loadedAt: '2026-10-28T08:00:00Z',
  cargoActions: action('PICK_UP', ...keys),
  ...more,
})
const unloading = (country: Country, keys: string[], more: Partial<Stop> = {}): Stop => ({
  kind: 'unloading',
  termin: { kind: 'fix', dateFrom: '2026-10-31', timeFrom: '07:00' },
  companyTitle: 'Wielkopolska Tech Sp. z o.o.',
  address: 'ul. Bukowska 285',
  postal: '60-189',
  city: 'Poznań',
  countryId: world.countries[country],
  // In Poznań November has begun already.
  arrivedAt: '2026-10-31T23:30:00Z',
  unloadedAt: '2026-11-01T00:10:00Z',
  cargoActions: action('DROP_OFF', ...keys),
  ...more,
})
const CARGO = [
  { key: 'a', title: 'Drehmaschinen', quantity: 3, weightKg: 4200.5, marks: 'NL-1 … NL-3' },
  { key: 'b', title: 'Ersatzteile', quantity: 1, weightKg: 800 },
]
const create = async (locations: Stop[], more: Partial<OrderInput> = {}): Promise<Order> => {
  const answer = await test.admin.post(
    'orders',
    plainOrder(world, customerId, { cargo: CARGO, locations, routes: [carried(world)], ...more }),
  )
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const toPoland = (dropOff: Partial<Stop> = {}) =>
  create([loading('DE', ['a', 'b']), unloading('PL', ['a', 'b'], dropOff)])
const BERN = { companyTitle: 'Alpenfaden AG', address: 'Fabrikweg 1', postal: '3000', city: 'Bern' }
const toBern = (more: Stop[] = []) => create([loading('DE', ['a', 'b']), ...more, unloading('CH', ['a', 'b'], BERN)])

const ARRIVAL = { documentType: 'ORDER_ARRIVAL_CERTIFICATE' }
const EXPORT = { documentType: 'ORDER_EXPORT_CERTIFICATE' }
const make = (order: Order, wish: object, caller: Caller = test.admin): Promise<Answer> =>
  caller.post(`orders/${order.id}/documents`, wish, { version: order.version })
const faultsOf = async (order: Order, wish: object): Promise<string[]> => {
  const { status, body } = await make(order, wish)
  expect(status).toBe(422)
  return body.errors.map((error: { path: string; code: string }) => `${error.path} ${error.code}`)
}
const flat = (text: string) => text.replace(/\s+/g, ' ')
async function pagesOf({ id }: Document): Promise<string[]> {
  const { raw } = await test.admin.get(`documents/${id}/file`)
  return execFileSync('pdftotext', ['-raw', '-', '-'], { input: raw, encoding: 'utf8' })
    .split('\f')
    .slice(0, -1)
    .map(flat)
}
async function made(order: Order, wish: object): Promise<{ document: Document; pages: string[] }> {
  const { status, body } = await make(order, wish)
  expect(status, JSON.stringify(body)).toBe(201)
  const [document] = body.items as Document[]
  return { document: document!, pages: await pagesOf(document!) }
}
const contains = (page: string | undefined, ...parts: string[]) => {
  for (const part of parts) expect(page).toContain(part)
}

describe('a certificate is refused', () => {
  it('to who is not signed in, has another right, or may not know of the order', async () => {
    const order = await toPoland()
    expect((await make(order, ARRIVAL, test.anonymous)).status).toBe(401)
    expect((await make(order, ARRIVAL, (await test.userWith('INVOICES_PROCESSING')).caller)).status).toBe(403)
    const foreign = (await test.userWith('ASSIGNED_ORDERS')).caller
    expect((await make(order, ARRIVAL, foreign)).status).toBe(404)
    expect((await foreign.get(`orders/${order.id}/papers`)).status).toBe(404)
    expect((await test.anonymous.get(`orders/${order.id}/papers`)).status).toBe(401)
  })

  it('while nothing has arrived, and without goods that have a way', async () => {
    const underWay = await toPoland({ arrivedAt: null, unloadedAt: null })
    expect(await faultsOf(underWay, ARRIVAL)).toEqual(['dropOffId nothing_delivered'])
    expect(await faultsOf(await create([]), ARRIVAL)).toEqual(['dropOffId consignment_missing'])
  })

  it('without a buyer: the sender is never taken for one', async () => {
    const unnamed = await toPoland({ companyTitle: null })
    expect(await faultsOf(unnamed, ARRIVAL)).toEqual(['certificate.buyer buyer_missing'])
    const own = await toPoland({ companyTitle: 'NORDLICHT  Maschinenbau GmbH' })
    expect(await faultsOf(own, ARRIVAL)).toEqual(['certificate.buyer buyer_missing'])
    const buyer = { title: 'Nordlicht Maschinenbau GmbH', address: 'Poznań' }
    expect(await faultsOf(own, { ...ARRIVAL, certificate: { buyer } })).toEqual(['certificate.buyer buyer_is_supplier'])
  })

  it('of an export, where goods stay in the Union, are not loaded, or nobody says where they left', async () => {
    expect(await faultsOf(await toPoland(), EXPORT)).toEqual(['dropOffId no_export'])
    const waiting = await create([loading('DE', ['a', 'b'], { loadedAt: null }), unloading('CH', ['a', 'b'], BERN)])
    expect(await faultsOf(waiting, EXPORT)).toEqual(['dropOffId nothing_loaded'])
    const order = await toBern()
    expect(await faultsOf(order, EXPORT)).toEqual(['certificate.exportPlace required'])
    const exportPlace = 'Weil am Rhein-Autobahn'
    expect(await faultsOf(order, { ...EXPORT, certificate: { exportPlace } })).toEqual([
      'certificate.exportedOn required',
    ])
    const certificate = { exportPlace, exportedOn: '2999-01-01' }
    expect(await faultsOf(order, { ...EXPORT, certificate })).toEqual(['certificate.exportedOn in_the_future'])
    expect(await faultsOf(order, { ...EXPORT, certificate: { mrn: '26DE1' } })).toEqual(['certificate.mrn invalid_mrn'])
  })

  it('where it is not clear which drop-off is meant, and with what it does not know', async () => {
    const order = await create([
      loading('DE', ['a', 'b']),
      unloading('PL', ['a']),
      unloading('FR', ['b'], { companyTitle: 'Atelier', city: 'Metz', arrivedAt: null, unloadedAt: null }),
    ])
    expect(await faultsOf(order, ARRIVAL)).toEqual(['dropOffId required'])
    expect(await faultsOf(order, { ...ARRIVAL, dropOffId: order.locations[0]!.id })).toEqual([
      'dropOffId unknown_reference',
    ])
    expect(await faultsOf(order, { ...ARRIVAL, dropOffId: order.locations[2]!.id })).toEqual([
      'dropOffId nothing_delivered',
    ])
    expect(await faultsOf(order, { ...ARRIVAL, routeId: order.routes[0]!.id })).toEqual(['routeId invalid_value'])
    expect(await faultsOf(order, { ...ARRIVAL, contentMode: 'replace', content: 'x' })).toEqual([
      'contentMode invalid_value',
    ])
    expect(await faultsOf(order, { ...ARRIVAL, certificate: { month: '2026-13' } })).toEqual([
      'certificate.month invalid_date',
    ])
    const month = { ...ARRIVAL, dropOffId: order.locations[1]!.id, certificate: { month: '2999-01' } }
    expect(await faultsOf(order, month)).toEqual(['certificate.month in_the_future'])
  })
})

describe('the certificate of arrival', () => {
  it('names buyer, goods, place and month by the clock there; the forwarder certifies on a second sheet', async () => {
    const order = await toPoland()
    const { document, pages } = await made(order, {
      ...ARRIVAL,
      certificate: { vehicleNumbers: 'WVWZZZ1JZXW000001\nWVWZZZ1JZXW000002' },
    })
    expect(document).toMatchObject({
      documentType: 'ORDER_ARRIVAL_CERTIFICATE',
      title: `Gelangensbestätigung_${order.number}_Nordlicht Maschinenbau GmbH.pdf`,
      orderCarrier: null,
    })
    expect(pages).toHaveLength(2)
    contains(
      pages[0],
      'Gelangensbestätigung / Potwierdzenie przybycia towaru',
      'innergemeinschaftlichen Lieferung',
      '§ 17b Abs. 2 Satz 1 Nr. 2 UStDV',
      'Wielkopolska Tech Sp. z o.o. ul. Bukowska 285 60-189 Poznań Polen',
      'Drehmaschinen',
      'NL-1 … NL-3',
      'WVWZZZ1JZXW000002',
      '4.200,5',
      '5.000,5',
      '60-189 Poznań Polen / Polska',
      'November 2026 / listopad 2026',
      'Datum der Ausstellung / Data wystawienia',
      'Unterschrift des Abnehmers',
      'Seite 1 von 2',
    )
    contains(
      pages[1],
      'Spediteurbescheinigung / Zaświadczenie spedytora',
      '§ 17b Abs. 3 Satz 1 Nr. 1 Buchst. b UStDV',
      'Monat, in dem die Beförderung geendet hat',
      'im Gemeinschaftsgebiet nachprüfbar sind',
      'Nordlicht Maschinenbau GmbH Billbrookdeich 210 22113 Hamburg Deutschland',
      'Wielkopolska Tech Sp. z o.o.',
    )
  })

  it('speaks English beside German where the buyer’s language is not ours, and German alone in Austria', {
    tags: 'long',
  }, async () => {
    const dutch = await made(
      await create([loading('DE', ['a', 'b']), unloading('NL', ['a', 'b'], { city: 'Venlo' })]),
      ARRIVAL,
    )
    contains(dutch.pages[0], 'Gelangensbestätigung / Entry certificate', 'Niederlande / Netherlands')
    const austrian = await made(
      await create([loading('DE', ['a', 'b']), unloading('AT', ['a', 'b'], { city: 'Linz' })]),
      ARRIVAL,
    )
    expect(austrian.pages[0]).not.toContain('Entry certificate')
    const chosen = await made(await toPoland(), { ...ARRIVAL, language: 'en' })
    contains(chosen.pages[0], 'Month and year of arrival')
  })

  it('is a neutral one where the goods did not go from Germany to another member state', async () => {
    for (const order of [
      await create([loading('DE', ['a', 'b']), unloading('DE', ['a', 'b'], { city: 'Celle' })]),
      await create([loading('PL', ['a', 'b']), unloading('DE', ['a', 'b'], { city: 'Celle' })]),
      await toBern(),
    ]) {
      const { document, pages } = await made(order, ARRIVAL)
      expect(document.title).toMatch(/^Ablieferungsbescheinigung_/)
      expect(pages).toHaveLength(1)
      contains(pages[0], 'Ablieferungsbescheinigung', 'November 2026')
      for (const word of ['UStDV', 'innergemeinschaftlich', 'Gelangensbestätigung'])
        expect(pages[0]).not.toContain(word)
    }
  })

  it('is about the goods from Germany where others arrive with them, and about one drop-off', async () => {
    const order = await create([
      loading('DE', ['a']),
      loading('NL', ['b'], { companyTitle: 'Polder B.V.', city: 'Venlo' }),
      unloading('PL', ['a', 'b']),
    ])
    const { pages } = await made(order, ARRIVAL)
    contains(pages[0], 'Drehmaschinen')
    expect(pages.join(' ')).not.toContain('Ersatzteile')
  })

  it('takes the buyer, the supplier and the month that are asked, whatever stands in them', async () => {
    const hostile = 'Käufer "#eval" $x$ *b* <dringend> & \u202Eabc 🚚'
    const { pages, document } = await made(await toPoland({ companyTitle: null }), {
      ...ARRIVAL,
      language: 'en',
      certificate: {
        buyer: { title: hostile, address: `Straße 1\n#set page(fill: red)\n${'W'.repeat(300)}` },
        supplier: { title: 'Ö'.repeat(250), address: '' },
        month: '2026-09',
        vehicleNumbers: '// #import "x"',
      },
    })
    contains(
      pages[0],
      'Käufer "#eval" $x$ *b* <dringend> &',
      '#set page(fill: red)',
      'September 2026',
      '// #import "x"',
    )
    // Two names and an address of many lines push the first sheet's foot onto a page of its own.
    expect(pages).toHaveLength(3)
    expect(document.title).toMatch(/^Gelangensbestätigung_/)
  })

  it('has a page more where the goods need it, with its head again', async () => {
    const cargo = Array.from({ length: 70 }, (_, index) => ({ key: `k${index}`, title: `Kiste ${index}`, quantity: 1 }))
    const keys = cargo.map(({ key }) => key)
    const { pages } = await made(await create([loading('DE', keys), unloading('PL', keys)], { cargo }), ARRIVAL)
    expect(pages.length).toBeGreaterThan(3)
    contains(pages.join(' '), 'Kiste 69', `Seite ${pages.length} von ${pages.length}`)
    contains(pages[1], 'Handelsübliche Bezeichnung')
  })
})

describe('the export certificate', () => {
  const certificate = { exportPlace: 'Weil am Rhein-Autobahn', exportedOn: '2026-10-30', mrn: ' 26de482000123456e1 ' }

  it('says who issues it, the goods, the export, the recipient, and that it can be verified', async () => {
    const order = await toBern()
    const { document, pages } = await made(order, { ...EXPORT, certificate })
    expect(document.title).toBe(`Ausfuhrbescheinigung_${order.number}_Nordlicht Maschinenbau GmbH.pdf`)
    expect(pages).toHaveLength(1)
    contains(
      pages[0],
      'Ausfuhrbescheinigung / Export certificate',
      '§ 10 Abs. 1 Satz 1 Nr. 2 Buchst. b UStDV',
      'Nordlicht Maschinenbau GmbH',
      'Drehmaschinen',
      'Weil am Rhein-Autobahn',
      '30.10.2026',
      'Alpenfaden AG Fabrikweg 1 3000 Bern Schweiz',
      '26DE482000123456E1',
      'im Gemeinschaftsgebiet nachprüfbar sind',
      'Ausgangsvermerk',
    )
    expect(pages[0]).not.toContain('Auftraggeber der Versendung')
  })

  it('names who ordered the transport if another supplies, and asks the customs stop for place and day', async () => {
    const customs: Stop = {
      kind: 'customs',
      countryId: world.countries.DE,
      city: 'Konstanz',
      companyTitle: 'Zollamt Autobahn',
      arrivedAt: '2026-10-29T09:00:00Z',
    }
    const order = await create([
      loading('DE', ['a', 'b'], { companyTitle: 'Gießerei Süd KG' }),
      customs,
      unloading('CH', ['a', 'b'], BERN),
    ])
    const { pages } = await made(order, EXPORT)
    expect(pages).toHaveLength(1)
    contains(pages[0], 'Auftraggeber der Versendung', 'Gießerei Süd KG', 'Zollamt Autobahn, Konstanz', '29.10.2026')
  })
})

describe('a paper of an order', () => {
  const statesOf = async ({ id }: Order): Promise<OrderPaperState[]> =>
    (await test.admin.get(`orders/${id}/papers`)).body.items
  const change = async (order: Order, body: Partial<OrderInput>): Promise<Order> => {
    const answer = await test.admin.patch(`orders/${order.id}`, body, { version: order.version })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }

  it('says from which version it comes, and is outdated once the order says something else', {
    tags: 'long',
  }, async () => {
    const first = await toPoland()
    const { document } = await made(first, ARRIVAL)
    await made(first, { documentType: 'CMR_NOTE' })
    expect((await statesOf(first)).map(({ state }) => state)).toEqual(['current', 'current'])

    const noted = await change(first, { internalComments: 'nothing that a paper says' })
    expect((await statesOf(noted)).map(({ state }) => state)).toEqual(['current', 'current'])

    const renamed = await change(noted, {
      cargo: noted.cargo.map(({ id }, index) => ({ id, title: `Fräsen ${index}`, quantity: 3 })),
    })
    const states = await statesOf(renamed)
    expect(states.map(({ state }) => state)).toEqual(['outdated', 'outdated'])
    expect(states.at(-1)).toMatchObject({ documentId: document.id, orderVersion: first.version, sentAt: null })

    const anew = await made(renamed, states.at(-1)!.wish!)
    contains(anew.pages[0], 'Fräsen 0')
    expect((await statesOf(renamed)).map(({ documentId, state, wish }) => [documentId, state, wish === null])).toEqual([
      [anew.document.id, 'current', false],
      [states[0]!.documentId, 'outdated', false],
      [document.id, 'replaced', true],
    ])
  })

  it('is outdated and cannot be made anew where its goods lose their way', async () => {
    const order = await toPoland()
    await made(order, ARRIVAL)
    const without = await change(order, {
      locations: order.locations.map(({ id, kind, countryId }) => ({
        id,
        kind,
        countryId,
        cargoActions: [],
        canceledAt: '2026-11-02T08:00:00Z',
      })),
    })
    expect(await statesOf(without)).toMatchObject([{ state: 'outdated', wish: null }])
  })
})

describe('what a department says on a certificate', () => {
  it('stands below the signatures of the first sheet, beside our hint or in its place', { tags: 'long' }, async () => {
    const order = await toPoland()
    const key = `departments/${world.departmentId}/document-templates/ORDER_ARRIVAL_CERTIFICATE.pl`
    const words = [
      { type: 'text', text: 'Podpisany egzemplarz prosimy odesłać do ' },
      { type: 'variable', attrs: { key: 'company.title', fallback: null } },
    ]
    const write = async (mode: string, version: number) =>
      expect(
        (await test.admin.put(key, { mode, body: [{ type: 'paragraph', content: words }] }, { version })).status,
      ).toBe(200)
    await write('append', 0)
    const drawn = await test.admin.post(`${key}/preview`, {
      text: { mode: 'append', body: [{ type: 'paragraph', content: words }] },
      orderId: order.id,
    })
    expect([drawn.status, drawn.body.order, drawn.body.holes]).toEqual([200, { id: order.id, title: order.number }, []])
    const said = `Podpisany egzemplarz prosimy odesłać do ${drawn.body.values['company.title']}`
    const appended = await made(order, ARRIVAL)
    expect(appended.pages).toHaveLength(2)
    expect(appended.pages[0]).toMatch(new RegExp(`Unterschrift des Abnehmers.*zurück.*${said}`))
    expect(appended.pages[1]).not.toContain('Podpisany egzemplarz')
    await write('replace', 1)
    const replaced = await made(order, ARRIVAL)
    contains(replaced.pages[0], said, '§ 17b Abs. 2 Satz 1 Nr. 2 UStDV', 'Unterschrift des Abnehmers')
    expect(replaced.pages[0]).not.toContain('Unterschrieben bitte')
    expect((await made(order, { ...ARRIVAL, language: 'en' })).pages[0]).not.toContain('Podpisany')
  })
})

describe('a collective certificate of arrival', () => {
  const list = async (order: Order, query = '', caller: Caller = test.admin): Promise<Answer> =>
    caller.get(`orders/${order.id}/collective-deliveries${query}`)
  const numbersOf = async (order: Order, query = ''): Promise<string[]> =>
    (await list(order, query)).body.items.map(({ number }: { number: string }) => number)
  const LOADED = { loadedAt: '2026-09-29T08:00:00Z' }
  /** Each test has a buyer of its own: the orders of the others are no delivery to them. */
  const deliveredTo = (buyer: string, day: string, more: Partial<Stop> = {}, rest: Partial<OrderInput> = {}) =>
    create(
      [
        loading('DE', ['a', 'b'], LOADED),
        unloading('PL', ['a', 'b'], {
          companyTitle: buyer,
          arrivedAt: `${day}T09:00:00Z`,
          unloadedAt: `${day}T23:00:00Z`,
          ...more,
        }),
      ],
      rest,
    )

  it('offers what the same buyer got in the quarter from the same supplier, to who may see it', async () => {
    const buyer = 'Śrubex S.A.'
    const asked = await deliveredTo(buyer, '2026-10-12')
    const early = await deliveredTo(
      'śrubex  s.a.',
      '2026-10-01',
      { arrivedAt: '2026-09-30T22:01:00Z' },
      { customerOrderNumber: 'PO 77' },
    )
    const late = await deliveredTo(buyer, '2026-11-10')
    // In Poznań September has not ended yet.
    await deliveredTo(buyer, '2026-10-01', { arrivedAt: '2026-09-30T21:59:00Z' })
    await deliveredTo(buyer, '2026-10-13', { arrivedAt: null, unloadedAt: null })
    await deliveredTo('Śrubex Nowa S.A.', '2026-10-13')
    await create([
      loading('DE', ['a', 'b'], { companyTitle: 'Gießerei Süd KG', ...LOADED }),
      unloading('PL', ['a', 'b'], { companyTitle: buyer, arrivedAt: '2026-10-14T09:00:00Z' }),
    ])
    const stranger = await world.customer('Südlicht Werkzeuge GmbH', 'DE')
    await deliveredTo(buyer, '2026-10-15', {}, { customerIds: [stranger] })

    const { body } = await list(asked)
    expect(body.items).toEqual([
      {
        orderId: early.id,
        dropOffId: early.locations[1]!.id,
        number: early.number,
        reference: 'PO 77',
        place: 'Poznań',
        arrivedOn: '2026-10-01',
        weightKg: 5000.5,
        hasCertificate: false,
      },
      expect.objectContaining({ number: late.number, arrivedOn: '2026-11-10' }),
    ])
    const clerk = (await test.userWith('ASSIGNED_ORDERS')).caller
    expect((await list(asked, '', clerk)).status).toBe(404)
    expect((await list(asked, '', test.anonymous)).status).toBe(401)
    expect((await list(asked, '', (await test.userWith('INVOICES_PROCESSING')).caller)).status).toBe(403)
    expect((await list(asked, '?month=2026-13')).status).toBe(422)
    expect((await list(asked, '?dropOffId=1')).body.errors[0]).toMatchObject({
      path: 'dropOffId',
      code: 'unknown_reference',
    })
    expect(await numbersOf(asked, '?month=2026-07')).toHaveLength(1)
  })

  it('refuses what is not offered, and papers that are not of arrival', async () => {
    const buyer = 'Huta Centrum Sp. z o.o.'
    const asked = await deliveredTo(buyer, '2026-10-12')
    const foreign = await deliveredTo('Inna Firma Sp. z o.o.', '2026-10-12')
    const together = [{ orderId: foreign.id, dropOffId: foreign.locations[1]!.id }]
    expect(await faultsOf(asked, { ...ARRIVAL, certificate: { together } })).toEqual([
      'certificate.together unknown_reference',
    ])
    const wish = { ...EXPORT, certificate: { together } }
    expect(await faultsOf(asked, wish)).toEqual(['certificate.together invalid_value'])
    const home = await create([
      loading('DE', ['a', 'b'], LOADED),
      unloading('DE', ['a', 'b'], { companyTitle: buyer, arrivedAt: '2026-10-12T08:00:00Z' }),
    ])
    expect(await numbersOf(home)).toEqual([])
  })

  it('names each delivery with place, month and goods, and lies in each of the orders', async () => {
    const buyer = 'Meblarz & Synowie S.K.A.'
    const asked = await deliveredTo(buyer, '2026-11-02', { city: 'Swarzędz', postal: '62-020' })
    const other = await deliveredTo(buyer, '2026-10-03', {}, { customerOrderNumber: 'PO 4711/7' })
    const { items } = (await list(asked)).body
    const together = items.map(({ orderId, dropOffId }: { orderId: number; dropOffId: number }) => ({
      orderId,
      dropOffId,
    }))
    const wish = { ...ARRIVAL, certificate: { together, vehicleNumbers: 'WVWZZZ1JZXW000001' } }
    const { document, pages } = await made(asked, wish)
    expect(document.title).toBe('Sammel-Gelangensbestätigung_4-2026_Nordlicht Maschinenbau GmbH.pdf')
    const early = '60-189 Poznań, Polen / Polska · Oktober 2026 / październik 2026'
    contains(
      pages[0],
      'Sammelbestätigung',
      'Gegenstände innergemeinschaftlicher Lieferungen',
      `${other.number} · Referenz / Referencja: PO 4711/7 · ${early}`,
      `${asked.number} · 62-020 Swarzędz, Polen / Polska · November 2026 / listopad 2026`,
      '10.001',
      'Anzahl der Lieferungen',
    )
    expect(pages[0]!.indexOf(other.number)).toBeLessThan(pages[0]!.indexOf(asked.number))
    contains(pages.join(' '), 'Spediteurbescheinigung', 'WVWZZZ1JZXW000001')

    const files = (await test.admin.get(`documents?orderId=${other.id}`)).body.items
    expect(files).toMatchObject([{ title: document.title, documentType: 'ORDER_ARRIVAL_CERTIFICATE' }])
    expect((await test.admin.get(`orders/${other.id}/papers`)).body.items).toEqual([])
    expect((await list(asked)).body.items).toMatchObject([{ orderId: other.id, hasCertificate: true }])
    expect(await pagesOf(files[0])).toEqual(pages)

    const stateOf = async () => (await test.admin.get(`orders/${asked.id}/papers`)).body.items[0].state
    expect(await stateOf()).toBe('current')
    const cargo = other.cargo.map(({ id }) => ({ id, title: 'Tischfräsen', quantity: 1 }))
    await test.admin.patch(`orders/${other.id}`, { cargo }, { version: other.version })
    expect(await stateOf()).toBe('outdated')
  })
})
