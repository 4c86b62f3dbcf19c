import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { ImportResult } from '@waybill/contract/kit/import'
import { ADMIN, useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'

const test = useTestApp()

interface Sent {
  columns?: (string | null)[]
  fixes?: { row: number; column: number; value: string }[]
  commit?: boolean
  headers?: Record<string, string>
  resource?: string
}

async function send(
  file: string | Uint8Array,
  { columns, fixes, commit, headers, resource = 'customers' }: Sent = {},
  caller: Caller = test.admin,
): Promise<Answer<ImportResult & { code: string; errors: { path: string; code: string; message: string }[] }>> {
  const bytes = typeof file === 'string' ? FILES.text(file) : Uint8Array.from(file)
  const { body, contentType } = await encodeForm({
    fields: {
      ...(columns && { columns: JSON.stringify(columns) }),
      ...(fixes && { fixes: JSON.stringify(fixes) }),
      ...(commit && { commit: 1 }),
    },
    file: { name: 'partners.csv', bytes },
  })
  return caller.post(`${resource}/import`, body, { headers: { 'content-type': contentType, ...headers } })
}
const count = async () => Number((await test.database.pool.query('select count(*) from customer')).rows[0].count)
const fields = ({ body }: Answer<ImportResult>) => body.columns.map(({ field }) => field)

describe('an import that cannot be read', () => {
  it('is refused with words, whatever it is', async () => {
    expect((await send(FILES.exe())).body.code).toBe('file_type_not_allowed')
    expect(
      (await send(Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.alloc(500, 7)]))).body.errors,
    ).toEqual([expect.objectContaining({ path: 'file', code: 'unreadable_table' })])
    for (const empty of ['', '\n\n', 'Name;Land', 'Name;Land\n;;\n'])
      expect((await send(empty)).body.errors, JSON.stringify(empty)).toEqual([
        expect.objectContaining({ path: 'file', code: 'no_rows' }),
      ])
    expect((await send(`Name;Land\n${'A GmbH;DE\n'.repeat(10_001)}`)).body.errors).toEqual([
      expect.objectContaining({ path: 'file', code: 'too_many_rows' }),
    ])
    expect((await send('Name;Land\nA;DE', { columns: ['title', 'title'] })).body.errors).toEqual([
      expect.objectContaining({ path: 'columns', code: 'duplicate_key' }),
    ])
    expect((await send('Name;Land\nA;DE', { columns: ['title', 'password'] })).body.errors).toEqual([
      expect.objectContaining({ path: 'columns', code: 'invalid_value' }),
    ])
    expect((await send('Name;Land\nA;DE', { fixes: [{ row: 1, column: 0, value: 'B' }] })).body.errors).toEqual([
      expect.objectContaining({ path: 'fixes', code: 'invalid_value' }),
    ])
    expect((await test.admin.post('customers/import', {})).body.code).toBe('unsupported_media_type')
  })

  it('is refused above 5 MB', async () => {
    expect((await send(new Uint8Array(5_242_881).fill(65))).body.errors).toEqual([
      expect.objectContaining({ path: 'file', code: 'table_too_heavy' }),
    ])
  })

  it('is not for those who may not write customers', async () => {
    const { caller } = await test.userWith('CARRIER_MANAGEMENT')
    expect((await send('Name;Land\nA;DE', {}, caller)).status).toBe(403)
    expect((await send('Name;Land\nA;DE', { resource: 'carrier-companies' }, caller)).status).toBe(200)
  })
})

describe('the columns of an import', () => {
  it.each([
    ['Company name,VAT ID,ZIP,Town,Country,Shoe size', 'A Ltd,,1,Leeds,Germany,9'],
    ['Firma;USt-IdNr.;PLZ;Ort;Land;Schuhgröße', 'A GmbH;;1;Köln;Deutschland;9'],
    ['Nazwa\tNIP\tKod pocztowy\tMIEJSCOWOŚĆ\tKraj\tRozmiar', 'A\t\t1\tŁódź\tPolska\t9'],
  ])('are guessed from titles in three languages: %s', async (titles, row) => {
    const answer = await send(`${titles}\n${row}`)
    expect(fields(answer)).toEqual(['title', 'vatNumber', 'postal', 'city', 'countryId', null])
    expect(answer.body).toMatchObject({ rowCount: 1, faultCount: 0, created: null })
  })

  it('are filled as the person says instead', { tags: 'long' }, async () => {
    const answer = await send('x;y\nA GmbH;de', { columns: ['title', 'countryId'] })
    expect(answer.body).toMatchObject({
      faultCount: 0,
      columns: [{ title: 'x', example: 'A GmbH', field: 'title' }, { field: 'countryId' }],
    })
    expect((await send('x;y\nA GmbH;de')).body.faults.map(({ field, code, column }) => [field, code, column])).toEqual(
      expect.arrayContaining([
        ['title', 'required', null],
        ['countryId', 'required', null],
      ]),
    )
  })

  it.each([
    ['UTF-8', Buffer.from('Firma;Ort;Land\nMüller;Łódź;DE', 'utf8')],
    ['UTF-8 with a mark', Buffer.from('\ufeffFirma;Ort;Land\nMüller;Łódź;DE', 'utf8')],
    ['UTF-16', Buffer.from('\ufeffFirma;Ort;Land\nMüller;Łódź;DE', 'utf16le')],
    ['Windows-1250', Buffer.from('Firma;Ort;Land\nM\xfcller;\xa3\xf3d\x9f;DE', 'latin1')],
  ])('are read in %s', async (_name, bytes) => {
    const { columns } = (await send(bytes)).body
    expect(columns.map(({ example }) => example)).toEqual(['Müller', 'Łódź', 'DE'])
  })

  it('are read in Windows-1252, where nothing speaks for the east', async () => {
    expect(
      (
        await send(Buffer.from('Firma;Ort;Land\nM\xfcller & S\xf8n;Besan\xe7on, \xceles;FR', 'latin1'))
      ).body.columns.map(({ example }) => example),
    ).toEqual(['Müller & Søn', 'Besançon, Îles', 'FR'])
  })

  it('are read from XLSX, numbers as people see them', async () => {
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'Kunden',
          rows: [
            ['Firma', 'PLZ', 'Land', 'Zahlungsziel'],
            ['A GmbH', 22113, 'DE', 14.5],
            ['B GmbH', '01067', 'DE', null],
          ],
        },
      ],
    })
    const { body } = await send(bytes)
    expect(body.columns.map(({ example }) => example)).toEqual(['A GmbH', '22113', 'DE', '14.5'])
    expect(body.faults).toEqual([
      expect.objectContaining({ line: 2, column: 3, field: 'paymentPeriodDays', value: '14.5' }),
    ])
  })
})

describe('an import of customers', () => {
  const GOOD =
    'Firma;USt-IdNr.;Land;Sprache;Ansprechpartner;E-Mail;Zahlungsziel\n"Erste; GmbH";DE129273398;Deutschland;' +
    'Deutsch;Anna;anna@erste.example;14\n'

  it('says of every fault its line, column and what is wrong, in the person’s language; writes nothing', async () => {
    const before = await count()
    await test.admin.post('customers', {
      title: 'Schon da',
      vatNumber: 'DE136695976',
      countryId: await test.idOf('country', 'code', 'DE'),
    })
    const file = [
      'Firma;USt-IdNr.;Land;E-Mail;Zahlungsziel;Ansprechpartner',
      'Gut GmbH;;DE;;;',
      '"Zwei',
      'Zeilen";DE 136.695.976;DE;;;',
      ';;Atlantis;nicht-gut;bald;',
      'Kurz GmbH;DE12;DE;;;',
      'Doppelt A;PL7831812692;PL;;;',
      'Doppelt B;pl 783 181 26 92;PL;;;',
    ].join('\r\n')
    const { body } = await send(file, { headers: { 'accept-language': 'de' } })
    expect(body).toMatchObject({ rowCount: 6, created: null })
    expect(body.faults.map(({ line, column, code }) => [line, column, code])).toEqual([
      [3, 1, 'customer_vat_number_taken'],
      [5, 2, 'unknown_reference'],
      [5, 4, 'not_a_number'],
      [5, 0, 'required'],
      [5, 5, 'required'],
      [5, 3, 'invalid_email'],
      [6, 1, 'invalid_vat_number'],
      [8, 1, 'twice_in_file'],
    ])
    expect(body.faults[0]).toMatchObject({
      value: 'DE 136.695.976',
      fieldTitle: 'USt-IdNr.',
      message: 'Diese USt-IdNr. wird von einem anderen Kunden verwendet',
    })
    const refused = await send(file, { commit: true })
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0]).toMatchObject({ path: 'rows.1.vatNumber', code: 'customer_vat_number_taken' })
    expect(await count()).toBe(before + 1)
  })

  it('is mended cell by cell, and then makes every record once, however often it is sent', async () => {
    const before = await count()
    const file = `${GOOD}Zweite GmbH;DE12;DE;;;;\n`
    const fixes = [{ row: 1, column: 1, value: '' }]
    expect((await send(file)).body.faultCount).toBe(1)
    expect((await send(file, { fixes })).body).toMatchObject({ faultCount: 0, created: null })
    const headers = { 'idempotency-key': 'import-once' }
    const made = await send(file, { fixes, commit: true, headers })
    expect(made.body).toMatchObject({ rowCount: 2, created: 2 })
    expect((await send(file, { fixes, commit: true, headers })).body).toMatchObject({ created: 2 })
    expect(await count()).toBe(before + 2)
    const { body: view } = await test.admin.get(`customers/${await test.idOf('customer', 'title', 'Erste; GmbH')}`)
    expect(view).toMatchObject({
      vatNumber: 'DE129273398',
      language: 'de',
      paymentPeriodDays: 14,
      country: { title: 'Germany' },
      contactPersons: [{ fullName: 'Anna', email: 'anna@erste.example' }],
      creator: { title: 'Administrator' },
    })
  })

  it('takes what an export has written', { tags: 'long' }, async () => {
    await test.admin.post('customers', {
      title: '=HYPERLINK("x")',
      countryId: await test.idOf('country', 'code', 'CH'),
      city: 'Zürich',
    })
    const { raw } = await test.admin.get('customers/export?format=csv&q=hyperlink', {
      headers: { 'accept-language': 'pl' },
    })
    const { body } = await send(raw)
    expect(body.columns.find(({ field }) => field === 'title')?.example).toBe('=HYPERLINK("x")')
    expect(body.faultCount).toBe(0)
  })
})

describe('an import from XLSX', () => {
  it('takes pickup locations along, by their country’s name too', { tags: 'long' }, async () => {
    const titles = [
      'Name',
      'Country',
      'Contact person',
      'Pickup location',
      'Pickup location: postal code',
      'Pickup location: city',
      'Pickup location: country',
    ]
    const rows = [
      titles,
      ['Rampe GmbH', 'DE', 'Anna', 'Lager Süd', 81_549, 'München', 'Deutschland'],
      ['Ohne GmbH', 'DE', null, null, null, null, null],
    ]
    const made = await send(await writeXlsx({ sheets: [{ name: 'Kunden', rows }] }), { commit: true })
    expect(made.body).toMatchObject({ rowCount: 2, faultCount: 0, created: 2 })
    const view = async (title: string) =>
      (await test.admin.get(`customers/${await test.idOf('customer', 'title', title)}`)).body
    expect(await view('Rampe GmbH')).toMatchObject({
      contactPersons: [{ fullName: 'Anna' }],
      pickupLocations: [
        {
          companyTitle: 'Lager Süd',
          postal: '81549',
          city: 'München',
          countryId: await test.idOf('country', 'code', 'DE'),
        },
      ],
      emailPreferences: { invoice: true },
      version: 1,
      state: 'active',
    })
    expect(await view('Ohne GmbH')).toMatchObject({ contactPersons: [], pickupLocations: [] })
    const half = await send(
      await writeXlsx({
        sheets: [{ name: 'Kunden', rows: [titles, ['Halb GmbH', 'DE', null, 'Lager', null, 'Köln', 'Atlantis']] }],
      }),
    )
    expect(half.body.faults.map(({ field, code }) => [field, code])).toEqual([
      ['pickupLocations.0.countryId', 'unknown_reference'],
    ])
  })

  it('takes the drivers of carriers along', { tags: 'long' }, async () => {
    const rows = [
      ['Firma', 'Land', 'Fahrer', 'Kennzeichen', 'Fahrer: Telefon', 'IBAN'],
      ['Fahrwerk GmbH', 'PL', 'Łukasz Żak', 'PO 4T112', '+48 61 000', 'PL61109010140000071219812874'],
    ]
    const made = await send(await writeXlsx({ sheets: [{ name: 'Fuhrunternehmen', rows }] }), {
      commit: true,
      resource: 'carrier-companies',
    })
    expect(made.body).toMatchObject({ faultCount: 0, created: 1 })
    const { body } = await test.admin.get(
      `carrier-companies/${await test.idOf('carrier_company', 'title', 'Fahrwerk GmbH')}`,
    )
    expect(body).toMatchObject({
      drivers: [{ fullName: 'Łukasz Żak', plateNumber: 'PO 4T112', phone: '+48 61 000' }],
      bankAccounts: [{ iban: 'PL61109010140000071219812874', confirmedById: null }],
      contactPersons: [],
      vehicleTypeIds: [],
    })
    const { rows: entered } = await test.database.pool.query(
      `select "enteredById" from carrier_bank_account where "carrierCompanyId" = $1`,
      [body.id],
    )
    expect(entered).toEqual([{ enteredById: await test.idOf('user', 'email', ADMIN.email) }])
  })
})

describe('an import of more rows than one statement takes', () => {
  const file = (from: number) =>
    [
      'Firma;USt-IdNr.;Land;Ansprechpartner',
      ...Array.from(
        { length: 1500 },
        (_, place) => `Viele ${from + place} GmbH;NO${800_000_000 + from + place}MVA;NO;Anna ${from + place}`,
      ),
    ].join('\n')

  it('makes each record with its own parts and its own entry of history', { tags: 'long' }, async () => {
    expect((await send(file(0), { commit: true })).body.created).toBe(1500)
    const { rows } = await test.database.pool.query(`
      select count(*)::int as made,
        count(*) filter (where person."fullName" = replace(replace(customer.title, 'Viele', 'Anna'), ' GmbH',
        ''))::int as paired,
        count(*) filter (where (select count(*) from audit_entry e where e."ownerKind" = 'customer'
          and e."ownerId" = customer.id and e.action = 'created' and e."actorId" = customer."creatorId") = 1)::int
          as told
      from customer join contact_person person on person."customerId" = customer.id where customer.title like 'Viele %'
    `)
    expect(rows[0]).toEqual({ made: 1500, paired: 1500, told: 1500 })
    expect(
      (await test.admin.get(`audit-entries?customerId=${await test.idOf('customer', 'title', 'Viele 1499 GmbH')}`)).body
        .items,
    ).toMatchObject([{ action: 'created', changes: [] }])
  })

  it('is all or nothing, and names the row, when somebody else takes a number while it is written', {
    tags: 'long',
  }, async () => {
    const before = await count()
    const other = await test.database.pool.connect()
    // Not committed: the check of the import does not see it, the constraint waits for it.
    await other.query(`begin; insert into customer (title, "vatNumber", "countryId", "emailPreferences",
      "paymentOption", "paymentPeriodDays", "chargeableKgPerM3", "chargeableKgPerLdm", "createdAt")
      select 'Schneller GmbH', 'no 800.002.999 mva', id, '{}', 'per_order', 30, 333, 1750, now() from country
        where code = 'NO'`)
    const sending = send(file(2000), { commit: true })
    const waits = async () =>
      (
        await test.database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like '%insert into "customer" (%'`,
        )
      ).rowCount === 1
    let answered = false
    void sending.finally(() => (answered = true))
    while (!(await waits())) expect(answered).toBe(false)
    await other.query('commit')
    other.release()
    const refused = await sending
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [expect.objectContaining({ path: 'rows.999.vatNumber', code: 'customer_vat_number_taken' })],
    ])
    expect(await count()).toBe(before + 1)
  })
})

describe('an import of carriers', () => {
  it('takes bank accounts and the representative, and refuses what is no IBAN', { tags: 'long' }, async () => {
    const file =
      'Nazwa;Kraj;IBAN;SWIFT;Przedstawiciel;Timocom\nTranswarta;Polska;PL61 1090 1014 0000 0712 1981 2874;' +
      'WBKPPLPP;Jan Kowalski;4711\n'
    const wrong = await send(file.replace('2874', '2875'), { resource: 'carrier-companies', commit: true })
    expect(wrong.body.errors).toEqual([
      expect.objectContaining({ path: 'rows.0.bankAccounts.0.iban', code: 'invalid_iban' }),
    ])
    expect((await send(file, { resource: 'carrier-companies', commit: true })).body.created).toBe(1)
    const { body } = await test.admin.get(
      `carrier-companies/${await test.idOf('carrier_company', 'title', 'Transwarta')}`,
    )
    expect(body).toMatchObject({
      timocomId: '4711',
      representative: { fullName: 'Jan Kowalski' },
      bankAccounts: [{ iban: 'PL61109010140000071219812874', bic: 'WBKPPLPP', confirmedById: null }],
    })
  })
})
