import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { invoiceNumber } from '@waybill/contract/company'
import { useTestApp } from '../../../test/app.ts'

const test = useTestApp()
let count = 0
const GERMAN_IBAN = 'DE89 3704 0044 0532 0130 00'
const POLISH_IBAN = 'PL61109010140000071219812874'

const body = async () => ({
  title: 'Nordtrans Polska Sp. z o.o.',
  code: `NT${(count += 1)}`,
  countryId: await test.idOf('country', 'code', 'PL'),
  register: 'KRS 0000912345, Sąd Rejonowy Poznań',
  language: 'pl',
  timeZone: 'Europe/Warsaw',
  invoiceNumberPattern: 'FV/{NNN}/{YYYY}',
  eInvoiceContact: { fullName: 'Ewa Lis', phone: '+48 61 555 30 10', email: 'faktury@nordtrans.example' },
  bankAccounts: [{ bankName: 'Bank', iban: GERMAN_IBAN, bic: 'cobadeffxxx' }],
})
const confirm = (id: number) => `bank-accounts/${id}/confirm`

describe('companies', () => {
  it('are refused to people without the right, confirming and counting included', async () => {
    const { body: company } = await test.admin.post('companies', await body())
    const { caller } = await test.userWith('INVOICES_PROCESSING')
    expect((await test.anonymous.get('companies', { compact: true })).status).toBe(401)
    expect((await caller.get(`companies/${company.id}`)).status).toBe(403)
    expect((await caller.get(`companies/${company.id}/invoice-counter`)).status).toBe(403)
    expect((await caller.post(confirm(company.bankAccounts[0].id), {}, { version: 1 })).status).toBe(403)
    expect((await caller.get('companies', { compact: true })).body.items).toContainEqual({
      id: company.id,
      title: 'Nordtrans Polska Sp. z o.o.',
    })
  })

  it.each(['FV/{N}', 'FV/{YYYY}', '{YY}', 'FV {n}/{yyyy}', 'FV/{N}/{YYYY}<b>'])(
    'refuse the number pattern %s, and say what one needs',
    async (invoiceNumberPattern) => {
      const { status, body: problem } = await test.admin.post(
        'companies',
        { ...(await body()), invoiceNumberPattern },
        { headers: { 'accept-language': 'de' } },
      )
      expect(status).toBe(422)
      expect(problem.errors).toEqual([
        {
          path: 'invoiceNumberPattern',
          code: 'invalid_number_pattern',
          message: 'Das Muster braucht das Jahr, {YYYY} oder {YY}, und den Zähler, {N} oder {NNNN}',
        },
      ])
    },
  )

  it('refuse an IBAN and a BIC that cannot be, an account twice, and somebody else’s account', async () => {
    const wrong = await test.admin.post('companies', {
      ...(await body()),
      bankAccounts: [{ iban: 'DE89370400440532013001', bic: 'COBA' }],
    })
    expect(wrong.body.errors).toEqual([
      expect.objectContaining({ path: 'bankAccounts.0.iban', code: 'invalid_iban' }),
      expect.objectContaining({ path: 'bankAccounts.0.bic', code: 'invalid_bic' }),
    ])
    const twice = await test.admin.post('companies', {
      ...(await body()),
      bankAccounts: [{ iban: POLISH_IBAN }, { iban: POLISH_IBAN.toLowerCase() }],
    })
    expect(twice.body.errors).toEqual([expect.objectContaining({ path: 'iban', code: 'taken' })])
    const { body: one } = await test.admin.post('companies', await body())
    const foreign = await test.admin.post('companies', {
      ...(await body()),
      bankAccounts: one.bankAccounts.map(({ id, iban }: { id: number; iban: string }) => ({ id, iban })),
    })
    expect(foreign.body.errors).toEqual([
      expect.objectContaining({ path: 'bankAccounts.0.id', code: 'unknown_reference' }),
    ])
  })

  it('refuse a new VAT number that is not of the country’s shape; with an old one the rest can be saved', async () => {
    const refused = await test.admin.post(
      'companies',
      { ...(await body()), vatNumber: 'PL 12' },
      { headers: { 'accept-language': 'pl' } },
    )
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ path: 'vatNumber', code: 'invalid_vat_number', message: 'Ten numer VAT nie pasuje do kraju' }],
    ])
    const { body: made } = await test.admin.post('companies', { ...(await body()), vatNumber: 'PL 782-234-56-74' })
    expect(made.vatNumber).toBe('PL7822345674')
    const path = `companies/${made.id}`
    expect((await test.admin.patch(path, { vatNumber: 'PL 1' }, { version: 1 })).body.errors).toEqual([
      expect.objectContaining({ path: 'vatNumber', code: 'invalid_vat_number' }),
    ])
    await test.database.pool.query(`update company set "vatNumber" = 'applied for' where id = $1`, [made.id])
    expect((await test.admin.patch(path, { city: 'Gniezno' }, { version: 1 })).status).toBe(200)
  })

  it('keep what invoices need, and give it back as it was entered', async () => {
    const { body: made } = await test.admin.post('companies', await body())
    expect(made).toMatchObject({
      register: 'KRS 0000912345, Sąd Rejonowy Poznań',
      eInvoiceContact: { fullName: 'Ewa Lis', email: 'faktury@nordtrans.example' },
      marginWarningBp: 800,
      amountToleranceCents: 0,
    })
    expect(made.bankAccounts).toMatchObject([
      { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', enteredBy: { title: 'Administrator' }, confirmedBy: null },
    ])
    const { body: without } = await test.admin.patch(
      `companies/${made.id}`,
      { eInvoiceContact: null },
      { version: made.version },
    )
    expect(without.eInvoiceContact).toBeNull()
  })

  it('cannot be deleted while a department belongs to them', async () => {
    const { body: company } = await test.admin.post('companies', await body())
    const { body: department } = await test.admin.post('departments', {
      abbreviation: 'Test',
      companyId: company.id,
      countryId: company.countryId,
    })
    expect((await test.admin.delete(`companies/${company.id}`)).body.code).toBe('in_use')
    await test.admin.delete(`departments/${department.id}`)
    expect((await test.admin.delete(`companies/${company.id}`)).status).toBe(204)
  })
})

describe('a bank account of ours', () => {
  it('is not confirmed by who entered it, nor without the version that was looked at', async () => {
    const { body: company } = await test.admin.post('companies', await body())
    const [account] = company.bankAccounts
    const own = await test.admin.post(confirm(account.id), {}, { version: company.version })
    expect(own.status).toBe(409)
    expect(own.body.code).toBe('second_person_needed')
    const { caller } = await test.userWith('SETTINGS_ACCESS')
    expect((await caller.post(confirm(account.id), {})).status).toBe(428)
    expect((await caller.post(confirm(9_999_999), {}, { version: 1 })).status).toBe(404)
    await test.admin.patch(
      `companies/${company.id}`,
      { bankAccounts: [{ id: account.id, iban: POLISH_IBAN, bic: null }] },
      { version: company.version },
    )
    const late = await caller.post(confirm(account.id), {}, { version: company.version })
    expect(late.body).toMatchObject({
      code: 'stale_version',
      current: { bankAccounts: [{ iban: POLISH_IBAN, confirmedById: null }] },
    })
  })

  it('is confirmed by a second person, once, and the history says so', async () => {
    const { body: company } = await test.admin.post('companies', await body())
    const [account] = company.bankAccounts
    const { caller, id } = await test.userWith('SETTINGS_ACCESS')
    const confirmed = await caller.post(confirm(account.id), {}, { version: company.version })
    expect(confirmed.status).toBe(200)
    expect(confirmed.body).toMatchObject({
      version: company.version + 1,
      bankAccounts: [{ id: account.id, confirmedById: id }],
    })
    expect((await caller.post(confirm(account.id), {}, { version: confirmed.body.version })).body.version).toBe(
      confirmed.body.version,
    )
    const { items } = (await test.admin.get(`audit-entries?companyId=${company.id}`)).body
    expect(items[0].changes).toContainEqual({ path: `bankAccounts.${account.id}.confirmedById`, from: null, to: id })
    expect(items).toHaveLength(2)
  })

  it('is unconfirmed once anybody changes its BIC', async () => {
    const { body: company } = await test.admin.post('companies', await body())
    const [account] = company.bankAccounts
    const second = await test.userWith('SETTINGS_ACCESS')
    const confirmed = await second.caller.post(confirm(account.id), {}, { version: company.version })
    const changed = await second.caller.patch(
      `companies/${company.id}`,
      { bankAccounts: [{ id: account.id, iban: account.iban, bic: 'DEUTDEFF' }] },
      { version: confirmed.body.version },
    )
    expect(changed.status).toBe(200)
    expect(changed.body.bankAccounts[0]).toMatchObject({ enteredById: second.id, confirmedById: null })
  })

  it('is unconfirmed once anybody changes its IBAN, and stays confirmed when its bank is renamed', async () => {
    const { body: company } = await test.admin.post('companies', await body())
    const [account] = company.bankAccounts
    const second = await test.userWith('SETTINGS_ACCESS')
    const confirmed = await second.caller.post(confirm(account.id), {}, { version: company.version })
    const renamed = await test.admin.patch(
      `companies/${company.id}`,
      { bankAccounts: [{ id: account.id, iban: account.iban, bankName: 'Other name', bic: account.bic }] },
      { version: confirmed.body.version },
    )
    expect(renamed.body.bankAccounts[0]).toMatchObject({ bankName: 'Other name', confirmedById: second.id })
    const changed = await second.caller.patch(
      `companies/${company.id}`,
      { bankAccounts: [{ id: account.id, iban: POLISH_IBAN }] },
      { version: renamed.body.version },
    )
    expect(changed.body.bankAccounts[0]).toMatchObject({
      iban: POLISH_IBAN,
      enteredById: second.id,
      confirmedById: null,
    })
    expect((await second.caller.post(confirm(account.id), {}, { version: changed.body.version })).body.code).toBe(
      'second_person_needed',
    )
    expect((await test.admin.post(confirm(account.id), {}, { version: changed.body.version })).status).toBe(200)
  })
})

describe('the number of the next invoice', () => {
  it('counts on from the last of this year in the company’s time zone', async () => {
    const { body: company } = await test.admin.post('companies', await body())
    const path = `companies/${company.id}/invoice-counter`
    const { body: first } = await test.admin.get(path)
    expect(first.next).toBe(1)
    await test.database.pool.query(
      'insert into invoice_counter ("companyId", year, last) values ($1, $2, 41), ($1, $3, 7)',
      [company.id, first.year, first.year - 1],
    )
    expect((await test.admin.get(path)).body).toEqual({ year: first.year, next: 42 })
    expect((await test.admin.get('companies/9999999/invoice-counter')).status).toBe(404)
  })

  it.each([
    ['WB-{YYYY}-{NNNNN}', 'WB-2026-00042'],
    ['FV/{N}/{YY}', 'FV/42/26'],
    ['{YY}{N}', '2642'],
  ])('of the pattern %s is %s', (pattern, number) => {
    expect(invoiceNumber(pattern, 2026, 42)).toBe(number)
  })
})

/** A grey picture of this size. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height, 0x80)
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('a company’s logo', () => {
  it('is refused where it is no PNG, damaged, too large or too wide, whatever it is called', async () => {
    const { body: company } = await test.admin.post('companies', await body())
    const good = png(40, 20)
    const damaged = Buffer.from(good)
    damaged[45] = damaged[45]! ^ 1
    const wrongs = [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('ffd8ffe000104a464946', 'hex'),
      Buffer.alloc(0),
      good.subarray(0, -4),
      Buffer.concat([good, Buffer.from('<script>')]),
      damaged,
      png(2001, 1),
      Buffer.concat([good, Buffer.alloc(300_000)]),
    ]
    for (const [index, wrong] of wrongs.entries()) {
      const answer = await test.admin.put(
        `companies/${company.id}/logo`,
        { png: wrong.toString('base64') },
        { version: company.version },
      )
      expect(answer.body.errors, String(index)).toEqual([
        {
          path: 'png',
          code: 'invalid_logo',
          message: 'Please use a PNG picture of at most 300 kB and 2000 pixels a side',
        },
      ])
    }
    expect(
      (await test.admin.put(`companies/${company.id}/logo`, { png: 'not base64!' }, { version: company.version }))
        .status,
    ).toBe(422)
    expect((await test.admin.put(`companies/${company.id}/logo`, { png: good.toString('base64') })).status).toBe(428)
    expect((await test.admin.get(`companies/${company.id}/logo`)).status).toBe(404)
  })

  it('is given back as it was sent, replaced, and taken away, and the history knows when', async () => {
    const { body: company } = await test.admin.post('companies', await body())
    const path = `companies/${company.id}/logo`
    const { caller } = await test.userWith('ORDERS_MANAGEMENT')
    expect((await caller.get(path)).status).toBe(403)
    const set = await test.admin.put(path, { png: png(40, 20).toString('base64') }, { version: company.version })
    expect(set.body).toMatchObject({ hasLogo: true, version: company.version + 1 })
    expect((await test.admin.put(path, { png: null }, { version: company.version })).body.code).toBe('stale_version')
    const other = png(80, 20)
    const { body: replaced } = await test.admin.put(
      path,
      { png: other.toString('base64') },
      { version: set.body.version },
    )
    const answer = await test.admin.get(path)
    expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
    expect(answer.raw.equals(other)).toBe(true)
    const removed = await test.admin.put(path, { png: null }, { version: replaced.version })
    expect(removed.body.hasLogo).toBe(false)
    expect((await test.admin.get(path)).status).toBe(404)
    const { items } = (await test.admin.get(`audit-entries?companyId=${company.id}`)).body
    expect(items.map((entry: { action: string }) => entry.action)).toEqual([
      'logoRemoved',
      'logoSet',
      'logoSet',
      'created',
    ])
    expect((await test.admin.delete(`companies/${company.id}`)).status).toBe(204)
  })
})
