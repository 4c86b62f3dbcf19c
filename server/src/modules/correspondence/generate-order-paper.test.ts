import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { consignmentsOf } from '@waybill/contract/order/consignment'
import type { Document } from '@waybill/contract/document'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import {
  carried,
  exampleOrders,
  orderWorld,
  plainOrder,
  shipment,
  type OrderWorld,
} from '../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let examples: Awaited<ReturnType<typeof exampleOrders>>
let germanCarrierId: number

beforeAll(async () => {
  world = await orderWorld(test)
  examples = await exampleOrders(world)
  const made = await test.admin.post('carrier-companies', {
    title: 'Spedition Weiß & Söhne OHG',
    countryId: world.countries.DE,
    address: 'Große Straße 3',
    postal: '21073',
    city: 'Hamburg',
    vatNumber: 'DE129273398',
    language: 'de',
  })
  germanCarrierId = made.body.id
})

const create = async (body: Partial<OrderInput>, caller: Caller = test.admin): Promise<Order> => {
  const answer = await caller.post('orders', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const example = (name: keyof typeof examples, more: Partial<OrderInput> = {}): Promise<Order> =>
  create({ ...examples[name].body, routes: [carried(world)], ...more })
const generate = (order: Order, wish: object, caller: Caller = test.admin): Promise<Answer> =>
  caller.post(`orders/${order.id}/documents`, wish, { version: order.version })
const faultsOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map((error: { path: string; code: string }) => `${error.path} ${error.code}`)

/** Text of each page in the order in which it was set, gaps narrowed to one space. */
async function pagesOf({ id }: Document, caller: Caller = test.admin): Promise<string[]> {
  const { raw, status, headers } = await caller.get(`documents/${id}/file`)
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
  const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input: raw, encoding: 'utf8' })
  return text
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replace(/[ \u00a0\u202f]+/g, ' '))
}
async function papers(order: Order, wish: object): Promise<{ document: Document; pages: string[] }[]> {
  const { status, body } = await generate(order, wish)
  expect(status, JSON.stringify(body)).toBe(201)
  return Promise.all((body.items as Document[]).map(async (document) => ({ document, pages: await pagesOf(document) })))
}
/** The only one. */
const paper = async (order: Order, wish: object) => {
  const made = await papers(order, wish)
  expect(made).toHaveLength(1)
  return made[0]!
}
const flat = (text: string) => text.replace(/\s+/g, ' ')
const LITERAL = 'SZG-„Ostsee“/26 & Co <dringend> #typst $math$ *x* "a" -- 120x80 -> b'

describe('papers of an order that cannot be made', () => {
  it('are not for who is not signed in, has another right, or may not know of the order', async () => {
    const order = await example('full truck of machine parts')
    const wish = { documentType: 'CMR_NOTE' }
    expect((await generate(order, wish, test.anonymous)).status).toBe(401)
    expect((await generate(order, wish, (await test.userWith('INVOICES_PROCESSING')).caller)).status).toBe(403)
    const assigned = await test.userWith('ASSIGNED_ORDERS')
    expect((await generate(order, wish, assigned.caller)).status).toBe(404)
    const own = (
      await test.admin.patch(`orders/${order.id}`, { managerIds: [assigned.id] }, { version: order.version })
    ).body
    const made = await generate(own, wish, assigned.caller)
    expect(made.status).toBe(201)
    expect(await pagesOf(made.body.items[0], assigned.caller)).toHaveLength(3)
    const other = await test.userWith('ASSIGNED_ORDERS')
    expect((await other.caller.get(`documents/${made.body.items[0].id}/file`)).status).toBe(404)
  })

  it('need the version that was read', async () => {
    const order = await example('full truck of machine parts')
    expect((await test.admin.post(`orders/${order.id}/documents`, { documentType: 'CMR_NOTE' })).body.code).toBe(
      'version_required',
    )
    await test.admin.patch(`orders/${order.id}`, { description: 'x' }, { version: order.version })
    expect((await generate(order, { documentType: 'CMR_NOTE' })).body.code).toBe('stale_version')
  })

  it('say what is missing: a route, a carrier, cargo with a way', async () => {
    const customerId = await world.customer('Hafenlager Nord GmbH', 'DE')
    const bare = await create(plainOrder(world, customerId, shipment(world)))
    expect(faultsOf(await generate(bare, { documentType: 'CMR_NOTE' }))).toEqual(['routeId route_missing'])
    expect(faultsOf(await generate(bare, { documentType: 'ORDER_RESOLVED_DOCUMENT' }))).toEqual([
      'routeId route_missing',
    ])
    const unassigned = await create(plainOrder(world, customerId, { ...shipment(world), routes: [{}] }))
    expect(faultsOf(await generate(unassigned, { documentType: 'CMR_NOTE' }))).toEqual(['routeId assignment_missing'])
    const own = await create(
      plainOrder(world, customerId, { ...shipment(world), routes: [{ assignment: { ownFleet: true } }] }),
    )
    const answer = await test.admin.post(
      `orders/${own.id}/documents`,
      { documentType: 'ORDER_RESOLVED_DOCUMENT' },
      { version: own.version, headers: { 'accept-language': 'de' } },
    )
    expect(answer.body.errors).toEqual([
      expect.objectContaining({
        path: 'routeId',
        code: 'carrier_missing',
        message: 'Die Route braucht einen Frachtführer',
      }),
    ])
    const unlinked = await create(
      plainOrder(world, customerId, { cargo: shipment(world).cargo!, routes: [carried(world)] }),
    )
    expect(faultsOf(await generate(unlinked, { documentType: 'CMR_NOTE' }))).toEqual(['routeId consignment_missing'])
  })

  it('name a route and a pair of the order, and know their languages and modes', async () => {
    const order = await example('furniture for two drops')
    const other = await example('full truck of machine parts')
    const [from, first, second] = order.locations.map(({ id }) => id)
    const wrong = async (wish: object) => faultsOf(await generate(order, { documentType: 'CMR_NOTE', ...wish }))
    expect(await wrong({ routeId: other.routes[0]!.id })).toEqual(['routeId unknown_reference'])
    expect(await wrong({ pickUpId: first, dropOffId: second })).toEqual(['dropOffId unknown_reference'])
    expect(await wrong({ pickUpId: from })).toEqual(['dropOffId required'])
    expect(await wrong({ dropOffId: first })).toEqual(['pickUpId required'])
    expect(await wrong({ language: 'de', secondLanguage: 'de' })).toEqual(['secondLanguage invalid_value'])
    expect(await wrong({ language: 'fr' })).toEqual(['language invalid_value'])
    expect(await wrong({ contentMode: 'append', content: 'x' })).toEqual(['contentMode invalid_value'])
    expect(await wrong({ content: 'x' })).toEqual(['content invalid_value'])
    expect(await wrong({ documentType: 'ORDER_RESOLVED_DOCUMENT', contentMode: 'replace' })).toEqual([
      'content required',
    ])
    expect(await wrong({ documentType: 'PROOF_OF_DELIVERY' })).toEqual(['documentType invalid_value'])
    expect((await test.admin.get(`documents?orderId=${order.id}`)).body.items).toEqual([])
  })

  it('ask for the route where there are several, and leave canceled ones out', async () => {
    const customerId = await world.customer('Hafenlager Nord GmbH', 'DE')
    const { cargo, locations } = shipment(world)
    const second = {
      cargo: [{ ...cargo![0]!, key: 'd' }],
      locations: locations!.map((stop, index) => ({
        ...stop,
        key: `s${index}`,
        cargoActions: stop.cargoActions!.map(({ action }) => ({ cargoKey: 'd', action })),
      })),
    }
    const order = await create(
      plainOrder(world, customerId, {
        cargo: [...cargo!, ...second.cargo],
        locations: [...locations!, ...second.locations],
        routes: [
          { ...carried(world), locationKeys: ['from', 'to'] },
          { ...carried(world), locationKeys: ['s0', 's1'] },
        ],
      }),
    )
    expect(faultsOf(await generate(order, { documentType: 'CMR_NOTE' }))).toEqual(['routeId required'])
    const { body: left } = await test.admin.post(`routes/${order.routes[1]!.id}/status`, {
      to: 'canceled',
      reason: 'not needed',
      version: order.version,
    })
    expect((await generate(left, { documentType: 'CMR_NOTE' })).body.items[0]).toMatchObject({
      orderCarrier: left.routes[0].assignment.id,
    })
  })
})

describe('a consignment note', () => {
  it('has all that the CMR asks for, in three originals (order 1)', async () => {
    const order = await example('full truck of machine parts')
    const { document, pages } = await paper(order, { documentType: 'CMR_NOTE' })
    expect(document).toMatchObject({
      documentType: 'CMR_NOTE',
      contentType: 'application/pdf',
      title: `CMR_${order.number}-1_Hamburg – Poznań.pdf`,
      owner: { kind: 'order', id: order.id },
      orderCarrier: order.routes[0]!.assignment!.id,
    })
    expect(pages).toHaveLength(3)
    const captions = [
      '1 Exemplar für den Absender / Egzemplarz dla nadawcy',
      '2 Exemplar für den Empfänger / Egzemplarz dla odbiorcy',
      '3 Exemplar für den Frachtführer / Egzemplarz dla przewoźnika',
    ]
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(captions[index])
      const text = flat(page)
      for (const part of [
        'Nordlicht Maschinenbau GmbH',
        'Billbrookdeich 210',
        '22113 Hamburg',
        'Wielkopolska Tech Sp. z o.o.',
        'ul. Bukowska 285',
        '60-189 Poznań',
        'Mo 30.11.2026 08:00–12:00',
        'Di 01.12.2026 fix 07:00',
        'Trans-Wielkopolska Sp. j.',
        'PO 4T112',
        'Łukasz Żak',
        '33',
        'Maschinenteile',
        '120 × 80 × 145 cm',
        '21.120',
        '45,936',
        '4500129877',
        'Umladung ist untersagt. / Przeładunek jest zabroniony.',
        'trotz einer gegenteiligen Abmachung',
        'bez względu na jakąkolwiek przeciwną klauzulę',
        `${order.number}/1`,
      ])
        expect(text).toContain(part)
      for (let box = 1; box <= 24; box++) expect(text, `box ${box}`).toMatch(new RegExp(`(^| )${box} `))
      expect(text).not.toMatch(/1\.180|null|undefined|NaN|siehe Beiblatt/)
    }
  })

  it('is written for each pair of pick-up and drop-off, each with its own goods (order 2)', async () => {
    const order = await example('furniture for two drops')
    const made = await papers(order, { documentType: 'CMR_NOTE' })
    expect(made.map(({ document }) => document.title)).toEqual([
      `CMR_${order.number}-1_Łódź – Bielefeld.pdf`,
      `CMR_${order.number}-1_Łódź – Frechen.pdf`,
    ])
    const [bielefeld, frechen] = made.map(({ pages }) => flat(pages[0]!))
    // A stop without a name is the customer's own.
    expect(bielefeld).toContain('Fabryka Mebli Łódź S.A.')
    expect(bielefeld).toContain('Möbelhaus Kröger')
    expect(bielefeld).toContain('2790'.replace('2', '2 '))
    expect(bielefeld).not.toContain('Wohnwelt')
    expect(frechen).toContain('Wohnwelt Rhein GmbH')
    expect(frechen).toContain('Egzemplarz dla nadawcy / Exemplar für den Absender')
    expect(frechen).toContain('40')
    expect((await test.admin.get(`documents?orderId=${order.id}`)).body.total).toBe(2)
    const [from, , second] = order.locations.map(({ id }) => id)
    expect(
      (await papers(order, { documentType: 'CMR_NOTE', pickUpId: from, dropOffId: second })).map(
        ({ document }) => document.title,
      ),
    ).toEqual([`CMR_${order.number}-1_Łódź – Frechen.pdf`])
  })

  it('names customs on the way, and what is typed for it alone (order 3)', async () => {
    const order = await example('part load to Basel over the customs')
    const consignment = {
      attachedDocuments: 'EX-A 26PL301',
      instructions: 'Insure for EUR 54,200',
      carriageIs: 'paid',
      cashOnDeliveryCents: 123_450,
      declaredValueCents: 5_420_000,
      agreements: 'Forklift on site',
    }
    const { pages } = await paper(order, {
      documentType: 'CMR_NOTE',
      language: 'en',
      secondLanguage: 'de',
      consignment,
    })
    const text = flat(pages[2]!)
    for (const part of [
      'Copy for carrier / Exemplar für den Frachtführer',
      'Customs / Zoll: Zollservice Dreiländereck, Weil am Rhein',
      'EX-A 26PL301',
      'Insure for EUR 54,200',
      'carriage paid / frei',
      '1,234.50 EUR',
      'Declared value (art. 24, 26) / Wertangabe (Art. 24, 26): 54,200.00 EUR',
      'Forklift on site',
      'by Mon 30 Nov 2026 12:00',
      'Switzerland',
      'Wrocław',
    ])
      expect(text).toContain(part)
  })

  it('sets what people wrote as they wrote it (order 7)', async () => {
    const order = await example('steel beams, too heavy and without a price', { customerOrderNumber: LITERAL })
    const { pages } = await paper(order, { documentType: 'CMR_NOTE' })
    expect(flat(pages[0]!)).toContain(LITERAL)
    expect(flat(pages[0]!)).toContain('1.340 × 60 × 45 cm')
    expect(flat(pages[0]!)).toContain('25.800')
  })

  it('goes on on a sheet of its own where forty lines, or texts, are too much for the form', {
    tags: 'long',
  }, async () => {
    const customerId = await world.customer('Hafenlager Nord GmbH', 'DE')
    const { locations } = shipment(world)
    const cargo = Array.from({ length: 40 }, (_, index) => ({
      key: `c${index}`,
      title: `Ware Nr. ${index + 1} mit Zubehör`,
      quantity: 2,
      weightKg: 100.5,
      marks: `ŁÓDŹ ${index + 1}`,
      adr: { unNumber: '1203', adrClass: '3' },
      temperatureFrom: 2,
      temperatureTo: 8,
      instructions: index === 0 ? `${'aufrecht befördern '.repeat(100)}ENDE` : null,
    }))
    const stops = locations!.map((stop, index) => ({
      ...stop,
      companyTitle: index === 0 ? `${'Sehr lange Firma '.repeat(14)}AG` : 'X'.repeat(250),
      address: 'Ł'.repeat(250),
      cargoActions: cargo.map(({ key }) => ({
        cargoKey: key,
        action: index === 0 ? ('PICK_UP' as const) : ('DROP_OFF' as const),
      })),
    }))
    const order = await create(plainOrder(world, customerId, { cargo, locations: stops, routes: [carried(world)] }))
    const { pages } = await paper(order, { documentType: 'CMR_NOTE' })
    expect(pages.length % 3).toBe(0)
    const copy = pages.slice(0, pages.length / 3)
    expect(copy.length).toBeGreaterThan(1)
    expect(copy[0]).toContain('siehe Beiblatt / patrz arkusz dodatkowy')
    const text = flat(copy.join(' '))
    for (let line = 1; line <= 40; line++)
      expect(text.match(new RegExp(`Ware Nr\\. ${line} mit`, 'g')), `line ${line}`).toHaveLength(1)
    expect(text).toContain('ENDE')
    expect(text).toContain('UN 1203, ADR 3')
    expect(text).toContain('4.020')
    expect(text.match(/Ł/g)!.length).toBeGreaterThanOrEqual(500)
    expect(copy[1]).toContain(`1 Exemplar für den Absender`)
  })

  it('is ours where our own fleet drives', async () => {
    const customerId = await world.customer('Hafenlager Nord GmbH', 'DE')
    const order = await create(
      plainOrder(world, customerId, {
        ...shipment(world),
        routes: [{ assignment: { ownFleet: true, plateNumber: 'HH WB 7' } }],
      }),
    )
    const { body: company } = await test.admin.get(`companies/${(await test.admin.get('companies')).body.items[0].id}`)
    const { pages } = await paper(order, { documentType: 'CMR_NOTE' })
    expect(flat(pages[0]!)).toContain(company.title)
    expect(flat(pages[0]!)).toContain('HH WB 7')
  })
})

describe('the consignments of a route', () => {
  const stop = (
    id: number,
    kind: 'loading' | 'unloading',
    cargoActions: { cargoId: number; action: 'PICK_UP' | 'DROP_OFF' }[] = [],
    canceledAt: string | null = null,
  ) => ({ id, kind, cargoActions, canceledAt })
  it.each([
    [
      'everything, where cargo has no way yet and there is one way only',
      [stop(1, 'loading'), stop(2, 'unloading')],
      [1, 2],
      [[1, 2, [7, 8]]],
    ],
    [
      'nothing, where it could go two ways',
      [stop(1, 'loading'), stop(2, 'unloading'), stop(3, 'unloading')],
      [1, 2, 3],
      [],
    ],
    [
      'nothing of a stop that is canceled',
      [
        stop(1, 'loading', [{ cargoId: 7, action: 'PICK_UP' }]),
        stop(2, 'unloading', [{ cargoId: 7, action: 'DROP_OFF' }], '2026-12-01T00:00:00Z'),
      ],
      [1, 2],
      [],
    ],
    [
      'what begins on it and ends on another',
      [
        stop(1, 'loading', [{ cargoId: 7, action: 'PICK_UP' }]),
        stop(2, 'unloading', [{ cargoId: 7, action: 'DROP_OFF' }]),
      ],
      [1],
      [[1, 2, [7]]],
    ],
  ])('are %s', (_what, locations, locationIds, expected) => {
    const found = consignmentsOf({ cargo: [{ id: 7 }, { id: 8 }], locations }, { locationIds })
    expect(found.map(({ pickUpId, dropOffId, cargoIds }) => [pickUpId, dropOffId, cargoIds])).toEqual(expected)
  })
})

describe('a transport order', () => {
  const wish = { documentType: 'ORDER_RESOLVED_DOCUMENT' }

  it('tells a Polish carrier in Polish what, where, when and for how much, without the customer’s price', async () => {
    const { body: worker } = await test.admin.get('profile')
    const base = carried(world)
    const order = await example('full truck of machine parts', {
      caseWorkerId: worker.id,
      routes: [
        {
          ...base,
          distanceKm: 640.4,
          assignment: {
            ...base.assignment!,
            disponentName: 'Ewa Żółć',
            disponentPhone: '+48 61 555 00 00',
            vehicleTypeId: world.vehicleTypeId,
            extraData: `Pasy 12 szt.\n\n${LITERAL}`,
          },
        },
      ],
    })
    const { document, pages } = await paper(order, wish)
    expect(document).toMatchObject({
      documentType: 'ORDER_RESOLVED_DOCUMENT',
      title: `Zlecenie transportowe_${order.number}-1_Trans-Wielkopolska Sp. j.pdf`,
      orderCarrier: order.routes[0]!.assignment!.id,
    })
    const text = flat(pages.join(' '))
    for (const part of [
      `Zlecenie transportowe ${order.number}/1`,
      'Trans-Wielkopolska Sp. j.',
      'Ewa Żółć, +48 61 555 00 00',
      'Administrator',
      'PO 4T112',
      'Łukasz Żak, +48 600 100 200',
      'zakaz przeładunku',
      '640 km (szacunkowo)',
      'pon. 30.11.2026 08:00–12:00',
      'czas lokalny (Europe/Berlin)',
      'wt. 01.12.2026 dokładnie 07:00',
      'czas lokalny (Europe/Warsaw)',
      'Herr Jansen, +49 40 5550 1204',
      'Tor 4',
      'Załadować: 1) 33',
      'Maschinenteile',
      '120 × 80 × 145 cm',
      '21 120',
      '13,2',
      'Fracht netto 900,00 EUR',
      'VAT 23% 207,00 EUR',
      'Łącznie 1 107,00 EUR',
      'Termin płatności: 30 dni od otrzymania faktury i potwierdzenia dostawy.',
      'Pasy 12 szt.',
      LITERAL,
      'ubezpieczenie OCP',
      'Strona 1 z',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/1 180|Nordlicht Holding|null|undefined|NaN/)
  })

  it('calls units, goods, handling and vehicle as its reader does, whatever the language of who makes it', async () => {
    const typed = {
      unitTypeId: await test.idOf('unit_type', 'title', 'Mesh box'),
      cargoTypeId: await test.idOf('cargo_type', 'title', 'General cargo'),
      specialHandlingTypeIds: [await test.idOf('special_handling_type', 'title', 'Tail lift')],
    }
    const { body } = examples['full truck of machine parts']
    const order = await example('full truck of machine parts', {
      vehicleTypeId: await test.idOf('vehicle_type', 'title', 'Reefer'),
      cargo: body.cargo!.map((line) => ({ ...line, ...typed, title: null })),
    })
    const read = async (more: object) => flat((await paper(order, { ...wish, ...more })).pages.join(' '))
    const polish = await read({})
    for (const part of ['Gitterboks', 'Drobnica', 'Winda załadowcza', 'Chłodnia']) expect(polish).toContain(part)
    const german = await read({ language: 'de' })
    for (const part of ['Gitterbox', 'Stückgut', 'Hebebühne', 'Kühlauflieger']) expect(german).toContain(part)
    const note = await paper(order, { documentType: 'CMR_NOTE', language: 'de', secondLanguage: 'pl' })
    expect(flat(note.pages[0]!)).toMatch(/Gitterbox.*Stückgut|Stückgut.*Gitterbox/)
  })

  it('speaks the carrier’s language, or the one that is asked for', async () => {
    const order = await example('furniture for two drops', {
      routes: [{ assignment: { carrierCompanyId: germanCarrierId, costCents: 98_000, vatBp: 1900 } }],
    })
    const text = flat((await papers(order, wish))[0]!.pages.join(' '))
    for (const part of [
      'Transportauftrag',
      'Spedition Weiß & Söhne OHG',
      'Große Straße 3',
      '21073 Hamburg',
      'DE 129 273 398',
      'bis Do 03.12.2026 16:00',
      'Fr 04.12.2026 08:00–10:00',
      'Entladen: 2) 6',
      '40 Packstücke',
      'Fracht netto 980,00 EUR',
      'USt. 19 % 186,20 EUR',
      'Kundenschutz',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('1.450')
    expect(flat((await papers(order, { ...wish, language: 'en' }))[0]!.pages.join(' '))).toContain('Transport order')
  })

  it('takes conditions behind ours, or in their place', async () => {
    const order = await example('part load to Basel over the customs', {
      routes: [{ assignment: { carrierCompanyId: germanCarrierId } }],
    })
    const content = `Palettentausch 1:1 ${LITERAL}`
    const appended = flat((await papers(order, { ...wish, contentMode: 'append', content }))[0]!.pages.join(' '))
    expect(appended).toContain('Kundenschutz')
    expect(appended).toContain(content)
    const replaced = flat((await papers(order, { ...wish, contentMode: 'replace', content }))[0]!.pages.join(' '))
    expect(replaced).not.toContain('Kundenschutz')
    expect(replaced).toContain(content)
    expect(replaced).toContain('Verzollung')
    // Without a cost there is no price to tell.
    expect(replaced).not.toContain('Gesamtbetrag')
  })

  it('repeats no hyphen of a number where its line ends, as Polish does with words', async () => {
    const order = await example('part load to Basel over the customs')
    const numbers = Array.from({ length: 15 }, (_, nth) => `NR-${100_000 + nth}`).join(' ')
    const content = `${numbers} ${numbers.replaceAll(' ', '-')} dispozycja@spedycja-pod-trzema-debami.example`
    const text = (await paper(order, { ...wish, language: 'pl', contentMode: 'replace', content })).pages.join('')
    expect(text.replaceAll(/[\s\u200b]/g, '')).toContain(content.replaceAll(' ', ''))
  })

  it('keeps all of 200 lines, twelve stops and the longest texts', { tags: 'long' }, async () => {
    const customerId = await world.customer('Hafenlager Nord GmbH', 'DE')
    const cargo = Array.from({ length: 200 }, (_, index) => ({
      key: `c${index}`,
      title: `Ware ${index + 1}`,
      quantity: 1,
      weightKg: 10,
    }))
    const stops: OrderInput['locations'] = Array.from({ length: 12 }, (_, index) => ({
      kind: index === 0 ? 'loading' : 'unloading',
      termin: { kind: 'fix', dateFrom: `2026-12-${String(index + 1).padStart(2, '0')}` },
      countryId: world.countries.DE,
      city: `Ort ${index + 1}`,
      specialInstructions: 'x'.repeat(2000),
      cargoActions:
        index === 0
          ? cargo.map(({ key }) => ({ cargoKey: key, action: 'PICK_UP' as const }))
          : cargo
              .filter((_line, line) => line % 11 === index - 1)
              .map(({ key }) => ({ cargoKey: key, action: 'DROP_OFF' as const })),
    }))
    const order = await create(
      plainOrder(world, customerId, {
        cargo,
        locations: stops,
        routes: [{ assignment: { carrierCompanyId: germanCarrierId, extraData: 'y'.repeat(2000) } }],
      }),
    )
    const { pages } = await paper(order, wish)
    const text = flat(pages.join(' '))
    expect(text).toContain('2.000')
    for (const line of [1, 100, 200]) expect(text).toContain(` ${line} Ware ${line} `)
    expect(text.match(/x/g)!.length).toBeGreaterThanOrEqual(12 * 2000)
    expect(pages.at(-1)).toContain(`Seite ${pages.length} von ${pages.length}`)
  })
})

describe('papers', () => {
  it('are made once, however often they are asked for with one key', async () => {
    const order = await example('urgent van')
    const send = () =>
      test.admin.post(
        `orders/${order.id}/documents`,
        { documentType: 'CMR_NOTE' },
        { version: order.version, headers: { 'idempotency-key': 'paper-once' } },
      )
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect((await test.admin.get(`documents?orderId=${order.id}`)).body.total).toBe(1)
    const { body: history } = await test.admin.get(`audit-entries?orderId=${order.id}`)
    expect(history.items.filter(({ action }: { action: string }) => action === 'fileAdded')).toHaveLength(1)
  })
})
