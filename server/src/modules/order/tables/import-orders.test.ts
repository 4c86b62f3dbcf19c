import { writeXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Email } from '@waybill/contract/email'
import type { ImportResult } from '@waybill/contract/kit/import'
import type { Order, OrderRow } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../../test/upload.ts'
import { writeSearchKeys } from '../order.repository.ts'

const test = useTestApp()
let world: OrderWorld
let fabryka: number

beforeAll(async () => {
  world = await orderWorld(test)
  fabryka = await world.customer('Fabryka Mebli Łódź S.A.', 'PL', { alias: 'FABMEB', vatNumber: 'PL7259012340' })
  await test.admin.patch(
    `users/${(await test.admin.get('profile')).body.id}`,
    { departmentId: world.departmentId },
    { version: (await test.admin.get(`users/${(await test.admin.get('profile')).body.id}`)).body.version },
  )
})

interface Sent {
  columns?: (string | null)[]
  fixes?: { row: number; column: number; value: string }[]
  commit?: boolean
  tells?: boolean
  headers?: Record<string, string>
}
type Refusal = { code: string; errors: { path: string; code: string; message: string }[] }

async function send(
  file: string | Uint8Array,
  { columns, fixes, commit, tells, headers }: Sent = {},
  caller: Caller = test.admin,
): Promise<Answer<ImportResult & Refusal>> {
  const bytes = typeof file === 'string' ? FILES.text(file) : Uint8Array.from(file)
  const { body, contentType } = await encodeForm({
    fields: {
      ...(columns && { columns: JSON.stringify(columns) }),
      ...(fixes && { fixes: JSON.stringify(fixes) }),
      ...(commit && { commit: 1 }),
      ...(tells && { tells: 1 }),
    },
    file: { name: 'orders.csv', bytes },
  })
  return caller.post('orders/import', body, { headers: { 'content-type': contentType, ...headers } })
}
const count = async () => Number((await test.database.pool.query('select count(*) from "order"')).rows[0].count)
const orderNumbered = async (customerOrderNumber: string, caller: Caller = test.admin): Promise<Order> => {
  const { body } = await caller.get(`orders?q=${encodeURIComponent(customerOrderNumber)}`)
  const row = (body.items as OrderRow[]).find((one) => one.customerOrderNumber === customerOrderNumber)!
  return (await caller.get(`orders/${row.id}`)).body
}
const faults = ({ body }: Answer<ImportResult>) =>
  body.faults.map(({ line, field, code }) => `${line} ${field} ${code}`)

const TITLES =
  'Kunde;Auftragsnummer des Kunden;Preis (€);Beladung: Ort;Beladung: Land;Beladung: Datum;Beladung: von;' +
  'Beladung: bis;Entladung: Ort;Entladung: Land;Entladung: Datum;Entladung: bis;Fracht;Anzahl;Länge (cm);' +
  'Breite (cm);Höhe (cm);Gewicht (kg)'
// Order 2: one pick-up, two drop-offs, three lines.
const TWO_DROPS = [
  TITLES,
  'Fabryka Mebli Łódź S.A.;IMP-0341;1 450,00;Łódź;Polska;2.12.2026;6;14:00;Bielefeld;DE;2026-12-03;16:00;' +
    'Polstermöbel;9;200;120;110;2790',
  'fabmeb;IMP-0341;;;;;;;Frechen;Deutschland;04/12/2026;10.00;Schränke;6;120;80;220;1680',
  'PL 725-901-23-40;imp-0341;1450;;;;;;Frechen;Deutschland;04/12/2026;10.00;Kartons;2;120;100;;410',
].join('\n')

describe('an import of orders', () => {
  it('is not for who is not signed in, or has another right', async () => {
    expect((await send(TWO_DROPS, {}, test.anonymous)).status).toBe(401)
    expect((await send(TWO_DROPS, {}, (await test.userWith('CUSTOMER_MANAGEMENT')).caller)).status).toBe(403)
  })

  it('shows first what it would do, and writes nothing', async () => {
    const before = await count()
    const { body } = await send(TWO_DROPS)
    expect(body.columns.map(({ field }) => field)).toEqual([
      'customerId',
      'customerOrderNumber',
      'customerPriceCents',
      'pickUp.city',
      'pickUp.countryId',
      'pickUp.date',
      'pickUp.timeFrom',
      'pickUp.timeTo',
      'dropOff.city',
      'dropOff.countryId',
      'dropOff.date',
      'dropOff.timeTo',
      'cargo.title',
      'cargo.quantity',
      'cargo.lengthCm',
      'cargo.widthCm',
      'cargo.heightCm',
      'cargo.weightKg',
    ])
    expect(body).toMatchObject({ rowCount: 3, faultCount: 0, created: null })
    expect(await count()).toBe(before)
  })

  describe('reads figures', () => {
    const FIGURES = 'Kunde;Auftragsnummer des Kunden;Preis (€);Gewicht (kg);Fracht'
    const file = (...rows: [price: string, weight: string][]) =>
      [FIGURES, ...rows.map(([price, weight], n) => `fabmeb;FIG-${n};${price};${weight};Kartons`)].join('\n')

    it('never by guessing: 24.000 alone may be 24 kg or 24 t', async () => {
      expect(faults(await send(file(['', '24.000'], ['1,200', ''])))).toEqual([
        '2 cargo.weightKg ambiguous_number',
        '3 customerPriceCents ambiguous_number',
      ])
    })

    it.each([
      ['a comma elsewhere in the file', ['1.250,50', '24.000'], 125_050, 24_000],
      ['a point elsewhere in the file', ['1,250.50', '24.000'], 125_050, 24],
      ['what stands before it', ['0,500', '1234,567'], 50, 1234.567],
      ['blanks and units', ['1 450 EUR', '640 kg'], 145_000, 640],
    ] as const)('by %s', async (name, row, cents, kilograms) => {
      const text = file([...row]).replaceAll('FIG-', `${name} `)
      expect((await send(text, { commit: true })).body).toMatchObject({ faultCount: 0, created: 1 })
      const { customerPriceCents, cargo } = await orderNumbered(`${name} 0`)
      expect([customerPriceCents, cargo[0]!.weightKg]).toEqual([cents, kilograms])
    })

    it('by neither where a file has both ways: then each cell speaks for itself', async () => {
      expect(faults(await send(file(['12,5', '3.5'], ['', '24.000'])))).toEqual(['3 cargo.weightKg ambiguous_number'])
    })

    it('as the sheet holds them, and refuses parts of a cent', async () => {
      const rows = [
        FIGURES.split(';'),
        ['fabmeb', 'FIG-X', 1.234, 1.234, 'Kartons'],
        ['fabmeb', 'FIG-Y', 12.5, 3.25, 'X'],
      ]
      const answer = await send(await writeXlsx({ sheets: [{ name: 'Aufträge', rows }] }))
      expect(faults(answer)).toEqual(['2 customerPriceCents not_a_number'])
    })
  })

  it('makes one order of the rows of one customer and one number', async () => {
    const before = await count()
    const headers = { 'idempotency-key': 'orders-once' }
    expect((await send(TWO_DROPS, { commit: true, headers })).body).toMatchObject({
      rowCount: 3,
      faultCount: 0,
      created: 1,
    })
    expect((await send(TWO_DROPS, { commit: true, headers })).body.created).toBe(1)
    expect(await count()).toBe(before + 1)
    const order = await orderNumbered('IMP-0341')
    expect(order).toMatchObject({
      status: 'new',
      customerIds: [fabryka],
      customerPriceCents: 145_000,
      departmentId: world.departmentId,
      caseWorker: { title: 'Administrator' },
    })
    expect(
      order.locations.map(({ kind, city, termin, cargoActions, timeZone }) => [
        kind,
        city,
        timeZone,
        termin,
        cargoActions.length,
      ]),
    ).toEqual([
      [
        'loading',
        'Łódź',
        'Europe/Warsaw',
        { kind: 'period', dateFrom: '2026-12-02', timeFrom: '06:00', dateTo: null, timeTo: '14:00' },
        3,
      ],
      [
        'unloading',
        'Bielefeld',
        'Europe/Berlin',
        { kind: 'before', dateFrom: '2026-12-03', timeFrom: '16:00', dateTo: null, timeTo: null },
        1,
      ],
      [
        'unloading',
        'Frechen',
        'Europe/Berlin',
        { kind: 'before', dateFrom: '2026-12-04', timeFrom: '10:00', dateTo: null, timeTo: null },
        2,
      ],
    ])
    expect(order.cargo.map(({ title, quantity, ldm, weightKg }) => [title, quantity, ldm, weightKg])).toEqual([
      ['Polstermöbel', 9, 9, 2790],
      ['Schränke', 6, 2.4, 1680],
      ['Kartons', 2, 1, 410],
    ])
  })

  it('tells no customer unless it is asked to, and then each of its own orders once', async () => {
    const fileOf = (mark: string) =>
      ['Kunde;Auftragsnummer des Kunden;Fracht', `fabmeb;${mark}-1;Kartons`, `fabmeb;${mark}-2;Stühle`].join('\n')
    const mailsOf = async (number: string) => {
      const { id } = await orderNumbered(number)
      const { body } = await test.admin.get(`emails?orderId=${id}`)
      return (body.items as Email[]).map(({ type, isAutomatic, customer }) => ({
        type,
        isAutomatic,
        customer: customer?.id,
      }))
    }
    const quiet = await send(fileOf('STILL'), { commit: true })
    expect(quiet.body.created, JSON.stringify(quiet.body)).toBe(2)
    expect([await mailsOf('STILL-1'), await mailsOf('STILL-2')]).toEqual([[], []])

    expect((await send(fileOf('TOLD'), { tells: true })).body.created).toBeNull()
    expect((await send(fileOf('TOLD'), { commit: true, tells: true })).body.created).toBe(2)
    const told = [{ type: 'order_created', isAutomatic: true, customer: fabryka }]
    expect([await mailsOf('TOLD-1'), await mailsOf('TOLD-2')]).toEqual([told, told])
    // Customers are not told of themselves.
    const { body, contentType } = await encodeForm({
      fields: { tells: 1 },
      file: { name: 'customers.csv', bytes: FILES.text('Firma\nX') },
    })
    const refused = await test.admin.post('customers/import', body, { headers: { 'content-type': contentType } })
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ path: 'tells', code: 'invalid_value' }]])
  })

  it('says of every fault its line and its cell, and writes none of the file', async () => {
    await world.customer('Doppelt GmbH', 'DE')
    await test.admin.post('customers', { title: 'Doppelt GmbH', countryId: world.countries.DE })
    const before = await count()
    const file = [
      'Kunde;Auftragsnummer des Kunden;Preis (€);Beladung: Ort;Beladung: Land;Beladung: Datum;Beladung: von;' +
        'Entladung: Ort;Entladung: Land;Gewicht (kg);Art der Einheiten',
      'Fabryka Mebli Łódź S.A.;GOOD-1;900;Łódź;PL;1.12.2026;8;Köln;DE;100;',
      'Niemand GmbH;BAD-1;viel;Łódź;Atlantis;31.02.2026;25:00;Köln;DE;schwer;Kiste Nr. 5',
      'Doppelt GmbH;BAD-2;;Łódź;;;;;;-5;',
      'Fabryka Mebli Łódź S.A.;;;Łódź;PL;;;;;;',
      'Fabryka Mebli Łódź S.A.;GOOD-1;901;;;;;;;;',
    ].join('\n')
    const answer = await send(file, { headers: { 'accept-language': 'de' } })
    expect(faults(answer).toSorted()).toEqual(
      [
        '3 cargo.unitTypeId unknown_reference',
        '3 cargo.weightKg not_a_number',
        '3 customerId unknown_reference',
        '3 customerPriceCents not_a_number',
        '3 pickUp.countryId unknown_reference',
        '3 pickUp.date invalid_date',
        '3 pickUp.timeFrom invalid_time',
        '4 cargo.weightKg too_small',
        '4 customerId ambiguous_reference',
        '4 pickUp.countryId required',
        '5 customerOrderNumber required',
        '6 customerPriceCents differs_from_first_row',
      ].toSorted(),
    )
    expect(answer.body.faults.find(({ code }) => code === 'differs_from_first_row')).toMatchObject({
      value: '901',
      fieldTitle: 'Preis (€)',
      message: 'Dies weicht von der ersten Zeile desselben Auftrags ab',
    })
    expect((await send(file, { commit: true })).status).toBe(422)
    expect(await count()).toBe(before)
  })

  it('refuses times that the clocks skip, and tells slips without refusing them', { tags: 'long' }, async () => {
    const titles = 'Kunde;Auftragsnummer des Kunden;Beladung: Ort;Beladung: Land;Beladung: Datum;Beladung: von;'
    const file = (from: string, ...days: [loading: string, unloading: string]) =>
      [
        `${titles}Entladung: Ort;Entladung: Land;Entladung: Datum`,
        `FABMEB;SLIP-1;Łódź;PL;${days[0]};${from};Köln;DE;${days[1]}`,
      ].join('\n')
    const skipped = await send(file('2:30', '28.3.2027', '29.3.2027'))
    expect(faults(skipped)).toEqual(['2 pickUp.timeFrom no_such_time'])
    expect(skipped.body.faults[0]!.message).toBe('The clocks skip this time; 01:30 and 03:30 are around it')

    const slip = file('8:00', '4.12.2026', '3.1.2027')
    const doubts = ({ body }: Answer<ImportResult>) =>
      body.doubts.map(({ line, field, code, value }) => `${line} ${field} ${code} ${value}`)
    expect(doubts(await send(slip))).toEqual(['2 dropOff.date on_sunday 3.1.2027'])
    const swapped = await send(slip.replace('3.1.2027', '3.12.2026'))
    expect(doubts(swapped)).toEqual(['2 dropOff.date before_pick_up 3.12.2026'])
    expect(swapped.body.faultCount).toBe(0)
  })

  it('refuses numbers that an order of the customer has, as far as one may know of it', { tags: 'long' }, async () => {
    await test.admin.post('orders', plainOrder(world, fabryka, { customerOrderNumber: 'KNOWN-1' }))
    const file = 'Kunde;Auftragsnummer des Kunden\nFABMEB;known-1\n'
    expect(faults(await send(file))).toEqual(['2 customerOrderNumber taken'])
    const assigned = await test.userWith('ASSIGNED_ORDERS')
    expect((await send(file, { commit: true }, assigned.caller)).body.created).toBe(1)
    expect((await orderNumbered('known-1', assigned.caller)).managerIds).toEqual([assigned.id])
    expect(faults(await send(file, {}, assigned.caller))).toEqual(['2 customerOrderNumber taken'])
  })

  it('is mended cell by cell, and reads XLSX with its dates, times and amounts', { tags: 'long' }, async () => {
    const at = (date: string) => new Date(`${date}T00:00:00Z`)
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'Orders',
          rows: [
            [
              'Customer',
              'Customer order number',
              'Price',
              'Pick-up: country',
              'Pick-up: city',
              'Pick-up: date',
              'Pick-up: from',
              'Drop-off: country',
              'Drop-off: city',
              'Goods',
              'Value',
            ],
            [
              'Fabryka Mebli Łódź S.A.',
              'XL-1',
              1450.5,
              'Poland',
              'Łódź',
              at('2026-12-02'),
              0.25,
              'Germany',
              'Köln',
              'Furniture',
              '1,234.50 EUR',
            ],
            ['Nobody', 'XL-2', null, 'Poland', 'Łódź', null, null, 'Germany', 'Köln', 'Furniture', '1.234,5'],
          ],
        },
      ],
    })
    expect(faults(await send(bytes))).toEqual(['3 customerId unknown_reference'])
    expect((await send(bytes, { fixes: [{ row: 1, column: 0, value: 'fabmeb' }], commit: true })).body.created).toBe(2)
    expect(await orderNumbered('XL-1')).toMatchObject({
      customerPriceCents: 145_050,
      locations: [{ termin: { kind: 'fix', dateFrom: '2026-12-02', timeFrom: '06:00' } }, { termin: null }],
      cargo: [{ title: 'Furniture', valueCents: 123_450 }],
    })
    expect((await orderNumbered('XL-2')).cargo[0]!.valueCents).toBe(123_450)
  })

  it('finds a type of unit by its title in any language', { tags: 'long' }, async () => {
    const file = [
      'Kunde;Auftragsnummer des Kunden;Fracht;Anzahl;Art der Einheiten',
      'fabmeb;IMP-UNITS;Schrauben;2;Gitterbox',
      'fabmeb;IMP-UNITS;Muttern;1;mesh box',
      'fabmeb;IMP-UNITS;Dübel;3;Gitterboks',
    ].join('\n')
    const sent = await send(file, { commit: true })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    const order = await orderNumbered('IMP-UNITS')
    const mesh = await test.idOf('unit_type', 'title', 'Mesh box')
    expect(order.cargo.map(({ unitTypeId }) => unitTypeId)).toEqual([mesh, mesh, mesh])
    const polish = await test.admin.get(`orders/${order.id}`, { headers: { 'accept-language': 'pl' } })
    expect(polish.body.cargo[0].unitType).toEqual({ id: mesh, title: 'Gitterboks' })
  })

  it('fills what the person says, where the titles say nothing', { tags: 'long' }, async () => {
    const answer = await send('x;y\nFABMEB;COL-1', { columns: ['customerId', 'customerOrderNumber'] })
    expect(answer.body).toMatchObject({ faultCount: 0, rowCount: 1 })
    expect(
      (await send('x;y\nFABMEB;COL-1')).body.faults.map(({ field, code, column }) => [field, code, column]),
    ).toEqual([
      ['customerOrderNumber', 'required', null],
      ['customerId', 'required', null],
    ])
  })

  it('needs a department, by name or the person’s own', { tags: 'long' }, async () => {
    const { caller, id } = await test.userWith('ORDERS_MANAGEMENT')
    await test.database.pool.query('update "user" set "departmentId" = null where id = $1', [id])
    expect(faults(await send('Kunde;Auftragsnummer des Kunden\nFABMEB;DEP-1', {}, caller))).toEqual([
      '2 departmentId required',
    ])
    const { abbreviation } = (await test.admin.get('departments')).body.items[0]
    expect(
      (await send(`Kunde;Auftragsnummer des Kunden;Abteilung\nFABMEB;DEP-1;${abbreviation}`, { commit: true }, caller))
        .body.created,
    ).toBe(1)
  })

  describe('of 2,000 rows', () => {
    const file = (tag: string, rows = 2000, last = 'DE') =>
      [
        'Kunde;Auftragsnummer des Kunden;Preis (€);Beladung: Ort;Beladung: Land;Beladung: Datum;Beladung: Referenz;' +
          'Entladung: Ort;Entladung: Land;Fracht;Anzahl;Gewicht (kg)',
        ...Array.from(
          { length: rows },
          (_, row) =>
            `FABMEB;${tag}-${row};${row + 1},50;Łódź;PL;2.12.2026;Tor ${row};Köln;${row === rows - 1 ? last : 'DE'};` +
            `Sofas;9;${row + 10}`,
        ),
      ].join('\n')

    it('is refused as a whole for a fault in the last one', async () => {
      const before = await count()
      const { status, body } = await send(file('LATE', 2000, 'Atlantis'), { commit: true })
      expect([status, body.errors.map(({ path, code }) => `${path} ${code}`)]).toEqual([
        422,
        ['rows.1999.dropOff.countryId unknown_reference'],
      ])
      expect(await count()).toBe(before)
    })

    it('comes in whole: each order with its number, its parts, its history, and found by its words', {
      tags: 'long',
    }, async () => {
      expect((await send(file('WHOLE'), { commit: true })).body).toMatchObject({ rowCount: 2000, created: 2000 })
      const { rows } = await test.database.pool.query<{ id: number; key: string; parts: string }>(
        `select id, "searchKey" as key, concat_ws(' ', (select count(*) from order_customer c where c."orderId" = o.id),
            (select count(*) from order_manager m where m."orderId" = o.id),
            (select count(*) from cargo c where c."orderId" = o.id),
            (select count(*) from location l where l."orderId" = o.id),
            (select count(*) from cargo_action a join cargo c on c.id = a."cargoId" where c."orderId" = o.id),
            (select count(*) from audit_entry e where e."ownerKind" = 'order' and e."ownerId" = o.id
              and e.action = 'created')) as parts
          from "order" o where "customerOrderNumber" like 'WHOLE-%' order by id`,
      )
      expect(new Set(rows.map(({ parts }) => parts))).toEqual(new Set(['1 1 1 2 2 1']))
      const { rows: numbers } = await test.database.pool.query(
        `select count(distinct number)::int as count from "order" where "customerOrderNumber" like 'WHOLE-%'`,
      )
      expect(numbers).toEqual([{ count: 2000 }])
      await writeSearchKeys(
        test.database.db,
        rows.map(({ id }) => id),
      )
      const { rows: again } = await test.database.pool.query<{ key: string }>(
        `select "searchKey" as key from "order" where "customerOrderNumber" like 'WHOLE-%' order by id`,
      )
      expect(rows.map(({ key }) => key)).toEqual(again.map(({ key }) => key))
      expect(await orderNumbered('WHOLE-1999')).toMatchObject({
        customerPriceCents: 200_050,
        locations: [{ reference: 'Tor 1999' }, { city: 'Köln' }],
        cargo: [{ weightKg: 2009 }],
      })
    })

    it('comes in once, however often the button is pressed', { tags: 'long' }, async () => {
      const before = await count()
      const headers = { 'idempotency-key': 'pressed-four-times' }
      const answers = await Promise.all([1, 2, 3, 4].map(() => send(file('PRESSED'), { commit: true, headers })))
      for (const { status, body } of answers)
        expect([status, status === 200 ? body.created : body.code]).toEqual(
          status === 200 ? [200, 2000] : [409, 'conflict'],
        )
      expect((await send(file('PRESSED'), { commit: true, headers })).body.created).toBe(2000)
      expect(await count()).toBe(before + 2000)
    })
  })

  it('waits for its turn or is asked to come again, when many come at once', { tags: 'long' }, async () => {
    const before = await count()
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, which) =>
        send(`Kunde;Auftragsnummer des Kunden\nFABMEB;TURN-${which}`, { commit: true }),
      ),
    )
    for (const { status, body } of answers)
      expect(status === 200 ? body.created : body.code).toBe(status === 200 ? 1 : 'unavailable')
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(6)
    expect(await count()).toBe(before + answers.filter(({ status }) => status === 200).length)
  })

  it('keeps to what one order may hold', { tags: 'long' }, async () => {
    const rows = Array.from({ length: 501 }, (_, index) => `FABMEB;MANY-1;Ware ${index}`)
    expect(faults(await send(['Kunde;Auftragsnummer des Kunden;Fracht', ...rows].join('\n')))).toEqual([
      '2 customerOrderNumber too_many',
    ])
    expect(
      (await send(['Kunde;Auftragsnummer des Kunden;Fracht', ...rows.slice(1)].join('\n'), { commit: true })).body
        .created,
    ).toBe(1)
  })
})
