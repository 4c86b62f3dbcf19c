import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { AppError } from '../../kit/context/errors.ts'
import { ciiOf, exampleInvoice, hybridPdf, ksefOf, sumsOf, ublOf } from '../../../test/e-invoice-examples.ts'
import { onlyLong } from '../../../test/model-runs.ts'
import { parseEInvoice } from './parse-e-invoice.ts'
import { readEInvoice } from './read-e-invoice.ts'

const refusalOf = async (given: string | Buffer): Promise<string> =>
  readEInvoice(Buffer.from(given as string)).then(
    () => 'taken',
    (error: AppError) => error.details?.fields?.[0]?.code ?? error.code,
  )
const read = (given: string | Buffer) => parseEInvoice(Buffer.from(given as string))
const refused = async (given: string | Buffer): Promise<string> =>
  read(given).then(
    () => 'taken',
    (error: { code: string }) => error.code,
  )

/** An invoice with something put behind its root's opening tag. */
const holding = (inside: string): string => ublOf(exampleInvoice()).replace('<cbc:ID>', `${inside}<cbc:ID>`)
const withDoctype = (doctype: string): string =>
  ublOf(exampleInvoice()).replace('?>\n', `?>\n${doctype}\n`).replace('RE-2026-0815', '&x;')

const LAUGHS = Array.from(
  { length: 10 },
  (_, at) => `<!ENTITY x${at + 1} "${(at === 0 ? 'ha' : `&x${at};`).repeat(10)}">`,
).join('')

describe('refused, whatever else it says', () => {
  it.each([
    ['a document type without anything in it', withDoctype('<!DOCTYPE Invoice>'), 'e_invoice_unsafe'],
    ['a billion laughs', withDoctype(`<!DOCTYPE Invoice [${LAUGHS}<!ENTITY x "&x10;">]>`), 'e_invoice_unsafe'],
    [
      'a file from outside',
      withDoctype('<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      'e_invoice_unsafe',
    ],
    [
      'an address from outside',
      withDoctype('<!DOCTYPE Invoice SYSTEM "http://127.0.0.1:9/x.dtd">'),
      'e_invoice_unsafe',
    ],
    [
      'an entity that nobody declared',
      ublOf(exampleInvoice({ number: 'NR' })).replace('NR', '&nbsp;'),
      'e_invoice_unsafe',
    ],
    [
      'an XInclude',
      holding('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>'),
      'e_invoice_unsafe',
    ],
    ['65 elements in each other', `${'<a>'.repeat(65)}${'</a>'.repeat(65)}`, 'e_invoice_too_heavy'],
    [
      '33 attributes',
      holding(`<b ${Array.from({ length: 33 }, (_, at) => `a${at}=""`).join(' ')}/>`),
      'e_invoice_too_heavy',
    ],
    ['an attribute of 5,000 characters', holding(`<b a="${'x'.repeat(5_000)}"/>`), 'e_invoice_too_heavy'],
    ['a text of 20,001 characters', holding(`<b>${'x'.repeat(20_001)}</b>`), 'e_invoice_too_heavy'],
    ['an end that is missing', ublOf(exampleInvoice()).slice(0, -20), 'e_invoice_broken'],
    ['something behind the end', `${ublOf(exampleInvoice())}<b/>`, 'e_invoice_broken'],
    ['a prefix that nobody declared', holding('<nn:b/>'), 'e_invoice_broken'],
    ['an encoding that is not taken', ublOf(exampleInvoice()).replace('UTF-8', 'UTF-7'), 'e_invoice_broken'],
    ['UTF-16 that is none', ublOf(exampleInvoice()).replace('UTF-8', 'UTF-16'), 'e_invoice_broken'],
    ['bytes that are no UTF-8', Buffer.from(ublOf(exampleInvoice()), 'latin1'), 'e_invoice_broken'],
    ['a page', '<html><body>1.00</body></html>', 'e_invoice_unknown'],
    ['an order', ublOf(exampleInvoice()).replaceAll('xsd:Invoice-2', 'xsd:Order-2'), 'e_invoice_unknown'],
    [
      'the CII of 2013',
      ciiOf(exampleInvoice()).replace('CrossIndustryInvoice:100', 'CrossIndustryInvoice:1'),
      'e_invoice_unknown',
    ],
    ['a text', 'Invoice 4711', 'e_invoice_unknown'],
    ['no bytes', '', 'e_invoice_unknown'],
    ['no number', ublOf(exampleInvoice({ number: '' })), 'e_invoice_incomplete'],
    ['a day that does not exist', ublOf(exampleInvoice({ issueDate: '2026-02-30' })), 'e_invoice_incomplete'],
    ['an amount in words', ublOf(exampleInvoice()).replaceAll('1469.13', 'a lot'), 'e_invoice_incomplete'],
    ['an amount with an exponent', ublOf(exampleInvoice()).replaceAll('1469.13', '1e9'), 'e_invoice_incomplete'],
  ])('%s', async (_name, bytes, code) => {
    expect(await refused(bytes)).toBe(code)
  })

  it.each([
    ['25 MB of elements in each other', Buffer.alloc(25_000_000, '<a>')],
    ...onlyLong<[string, Buffer]>(() => [
      [
        '25 MB of small elements',
        Buffer.concat([Buffer.from('<a>'), Buffer.alloc(25_000_000, '<b/>'), Buffer.from('</a>')]),
      ],
      [
        '25 MB of attributes',
        Buffer.concat([
          Buffer.from('<a '),
          Buffer.from(Array.from({ length: 2_000_000 }, (_, at) => `a${at}="" `).join('')),
        ]),
      ],
      [
        '25 MB of one attribute',
        Buffer.concat([Buffer.from('<a b="'), Buffer.alloc(25_000_000, 'x'), Buffer.from('"/>')]),
      ],
      ['25 MB of text', Buffer.concat([Buffer.from('<a>'), Buffer.alloc(25_000_000, 'x'), Buffer.from('</a>')])],
    ]),
  ])('%s', async (_name, bytes) => {
    expect(await refusalOf(bytes)).toBe('e_invoice_too_heavy')
  })

  it('a PDF without an invoice in it', async () => {
    expect(await refused(await hybridPdf(null))).toBe('e_invoice_unknown')
    expect(await refused(await hybridPdf(ciiOf(exampleInvoice()), 'terms.xml'))).toBe('e_invoice_unknown')
    expect(await refused('%PDF-1.7 and nothing more')).toBe('e_invoice_unknown')
  })

  it('a PDF whose embedded file unpacks to more than any file may have', { tags: 'long' }, async () => {
    const bomb = deflateSync(Buffer.alloc(60_000_000, ' '), { level: 9 })
    const bytes = Buffer.concat([
      Buffer.from(
        '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Names << /EmbeddedFiles << /Names ' +
          '[(factur-x.xml) 2 0 R] >> >> >>\nendobj\n' +
          '2 0 obj\n<< /Type /Filespec /F (factur-x.xml) /UF (factur-x.xml) /EF << /F 3 0 R >> >>\nendobj\n' +
          `3 0 obj\n<< /Type /EmbeddedFile /Filter /FlateDecode /Length ${bomb.length} >>\nstream\n`,
      ),
      bomb,
      Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 4 >>\n%%EOF\n'),
    ])
    expect(await refusalOf(bytes)).toBe('e_invoice_too_heavy')
  })

  it('a PDF whose own tables unpack to gigabytes, before the server feels it', { tags: 'long' }, async () => {
    // Twenty tables of objects, each 3 GB of blanks in 3 MB; what is unpacked of one is kept while the next is.
    const bomb = deflateSync(deflateSync(Buffer.alloc(400_000_000, ' '), { level: 9 }), { level: 9 })
    const objects = Array.from({ length: 20 }, (_, at) =>
      Buffer.concat([
        Buffer.from(
          `${at + 2} 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter [/FlateDecode /FlateDecode] ` +
            `/Length ${bomb.length} >>\nstream\n`,
        ),
        bomb,
        Buffer.from('\nendstream\nendobj\n'),
      ]),
    )
    const bytes = Buffer.concat([
      Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'),
      ...objects,
      Buffer.from('trailer\n<< /Root 1 0 R /Size 30 >>\n%%EOF\n'),
    ])
    expect(await refusalOf(bytes)).toMatch(/^e_invoice_(too_heavy|unknown)$/)
  })

  it('the eleventh at once is asked to come again, and the next one is read', { tags: 'long' }, async () => {
    const all = await Promise.all(Array.from({ length: 11 }, () => refusalOf(ublOf(exampleInvoice()))))
    expect(all.toSorted()).toEqual([...Array(10).fill('taken'), 'unavailable'])
    expect((await readEInvoice(Buffer.from(ublOf(exampleInvoice())))).number).toBe('RE-2026-0815')
  })
})

const polish = (more: Parameters<typeof exampleInvoice>[0] = {}) =>
  exampleInvoice({
    number: 'FV/2026/11/7',
    iban: 'PL61109010140000071219812874',
    lines: [{ text: 'Usługa transportowa Łódź – Hamburg', netCents: 123_456, vatBp: 2300, category: 'S' }],
    seller: { name: 'Żubr Trans Sp. z o.o.', vatNumber: 'PL5260250274', countryCode: 'PL' },
    ...more,
  })

describe('each format says the same', () => {
  it.each([
    ['ubl', ublOf],
    ['cii', ciiOf],
  ] as const)('%s', async (format, written) => {
    expect(await read(written(exampleInvoice()))).toMatchObject({
      format,
      kind: 'invoice',
      number: 'RE-2026-0815',
      issueDate: '2026-11-03',
      dueDate: '2026-12-03',
      currency: 'EUR',
      netCents: 123_456,
      vatCents: 23_457,
      totalCents: 146_913,
      payableCents: 146_913,
      vatGroups: [{ category: 'S', vatBp: 1900, netCents: 123_456, vatCents: 23_457, reason: null }],
      iban: 'DE89370400440532013000',
      seller: { name: 'Müller & Söhne Spedition GmbH', vatNumber: 'DE136695976', city: 'Hamburg', countryCode: 'DE' },
      buyer: { name: 'Waybill Spedition GmbH', vatNumber: 'DE811569869', address: 'Hafenstraße 1', postal: '20457' },
      buyerReference: '04011000-12345-03',
      orderReference: '26-00042',
      lines: [{ number: '1', text: 'Fracht Hamburg – Łódź', quantity: 1, unit: 'C62', netCents: 123_456, vatBp: 1900 }],
      notes: ['Vielen Dank für <Ihren> Auftrag'],
      paymentTerms: '30 Tage netto',
      attachmentCount: format === 'ubl' ? 1 : 0,
      warnings: [],
    })
  })

  it.each([2, 3] as const)('FA(%i) of the KSeF', async (form) => {
    expect(await read(ksefOf(polish(), form))).toMatchObject({
      format: 'ksef',
      profile: `FA (${form})`,
      number: 'FV/2026/11/7',
      issueDate: '2026-11-03',
      dueDate: '2026-12-03',
      servicePeriodFrom: '2026-10-28',
      servicePeriodTo: '2026-10-30',
      netCents: 123_456,
      vatCents: 28_395,
      totalCents: 151_851,
      vatGroups: [{ category: 'S', vatBp: 2300, netCents: 123_456, vatCents: 28_395 }],
      iban: 'PL61109010140000071219812874',
      seller: { name: 'Żubr Trans Sp. z o.o.', vatNumber: 'PL5260250274', countryCode: 'PL' },
      buyer: { vatNumber: 'DE811569869' },
      orderReference: '26-00042',
      lines: [{ text: 'Usługa transportowa Łódź – Hamburg', quantity: 1, netCents: 123_456, vatBp: 2300 }],
      warnings: [],
    })
  })

  it.each(['factur-x.xml', 'ZUGFeRD-invoice.xml', 'zugferd-invoice.xml', 'xrechnung.xml'])(
    'a PDF with %s in it',
    async (name) => {
      const { format, ...said } = await read(await hybridPdf(ciiOf(exampleInvoice()), name))
      expect(format).toBe('zugferd')
      expect(said).toEqual({ ...(await read(ciiOf(exampleInvoice()))), format: undefined })
    },
  )
})

describe('what differs from one to the next', () => {
  const SEVERAL = [
    { text: 'Fracht', netCents: 100_001, vatBp: 1900, category: 'S' },
    { text: 'Maut', netCents: 33, vatBp: 700, category: 'S' },
    { text: 'Export', netCents: 20_000, vatBp: 0, category: 'Z' },
  ]

  it.each([ublOf, ciiOf])('several rates are several groups', async (written) => {
    const { vatGroups, warnings } = await read(written(exampleInvoice({ lines: SEVERAL })))
    expect(vatGroups.map(({ vatBp, netCents, vatCents }) => [vatBp, netCents, vatCents])).toEqual([
      [1900, 100_001, 19_000],
      [700, 33, 2],
      [0, 20_000, 0],
    ])
    expect(warnings).toEqual([])
  })

  it('reverse charge is no VAT, with its reason', async () => {
    const lines = [{ text: 'Fracht', netCents: 50_000, vatBp: 0, category: 'AE' }]
    const found = await Promise.all([ublOf, ciiOf].map((written) => read(written(exampleInvoice({ lines })))))
    for (const { vatGroups, totalCents } of found)
      expect([totalCents, vatGroups[0]?.category, vatGroups[0]?.reason]).toEqual([
        50_000,
        'AE',
        expect.stringContaining('reverse'),
      ])
    expect((await read(ksefOf(polish({ lines })))).vatGroups).toMatchObject([{ category: 'np II', vatBp: 0 }])
  })

  it.each([
    ['creditNote', ublOf, 123_456],
    ['creditNote', ciiOf, 123_456],
    ['correction', ublOf, -123_456],
    ['correction', ciiOf, -123_456],
  ] as const)('a %s is one, its amounts as they are written', async (kind, written, netCents) => {
    const lines = [{ text: 'Fracht', netCents, vatBp: 1900, category: 'S' }]
    const said = await read(written(exampleInvoice({ kind, lines })))
    expect([said.kind, said.netCents, said.lines[0]?.netCents, said.warnings]).toEqual([kind, netCents, netCents, []])
  })

  it('without a bank account, a due date and an order there are none', async () => {
    const bare = { iban: null, dueDate: null, orderReference: null }
    for (const text of [ublOf(exampleInvoice(bare)), ciiOf(exampleInvoice(bare)), ksefOf(polish(bare))])
      expect(await read(text)).toMatchObject(bare)
  })

  it('an account that cannot be one is none', async () => {
    expect((await read(ublOf(exampleInvoice({ iban: 'DE89370400440532013001' })))).iban).toBeNull()
  })

  it('amounts in another currency stay in it', async () => {
    expect(await read(ublOf(exampleInvoice({ currency: 'PLN' })))).toMatchObject({
      currency: 'PLN',
      totalCents: 146_913,
    })
  })

  it('of two totals of the VAT the one in the currency of the invoice counts', async () => {
    const text = ciiOf(exampleInvoice()).replace(
      '<ram:TaxTotalAmount',
      '<ram:TaxTotalAmount currencyID="PLN">999.99</ram:TaxTotalAmount><ram:TaxTotalAmount',
    )
    expect(await read(text)).toMatchObject({ vatCents: 23_457, warnings: [] })
  })

  it('lines as they were before a Polish correction are taken off', async () => {
    const text = ksefOf(polish()).replace(
      '<FaWiersz>',
      '<FaWiersz><NrWierszaFa>9</NrWierszaFa><P_7>Było</P_7><P_8B>1</P_8B><P_11>10.00</P_11>' +
        '<StanPrzed>1</StanPrzed></FaWiersz><FaWiersz>',
    )
    const said = await read(text.replace('>VAT<', '>KOR<'))
    expect([said.kind, said.lines[0]?.netCents]).toEqual(['correction', -1_000])
  })
})

describe('the bytes may be of any encoding that they declare', () => {
  const text = ciiOf(exampleInvoice())
  const utf16 = (littleEndian: boolean) => {
    const bytes = Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le')
    return littleEndian ? bytes : bytes.swap16()
  }
  const western = ciiOf(exampleInvoice({ lines: [{ text: 'Fracht nach Köln', netCents: 1, vatBp: 0, category: 'Z' }] }))

  it.each([
    ['UTF-16, low byte first', utf16(true)],
    ['UTF-16, high byte first', utf16(false)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
  ])('%s', async (_name, bytes) => {
    expect(await read(bytes)).toEqual(await read(text))
  })

  it('ISO 8859-1', async () => {
    const bytes = Buffer.from(western.replace('UTF-8', 'ISO-8859-1'), 'latin1')
    expect((await read(bytes)).lines[0]?.text).toBe('Fracht nach Köln')
  })

  it('a sign that lies across two pieces is whole', async () => {
    const long = ublOf(exampleInvoice({ note: 'ł'.repeat(19_000) })).replace('QUJD', 'ł'.repeat(40_000))
    expect((await read(long)).notes[0]).toBe('ł'.repeat(19_000))
  })
})

describe('sums that do not fit are told and not refused', () => {
  it.each([
    [
      'BR-CO-10',
      (text: string) =>
        text
          .replace('<cbc:LineExtensionAmount', '<cbc:Note/><cbc:LineExtensionAmount')
          .replace('>1234.56</cbc:LineExtensionAmount><cbc:Tax', '>1234.57</cbc:LineExtensionAmount><cbc:Tax'),
    ],
    [
      'BR-CO-14',
      (text: string) =>
        text.replace(
          '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">234.57',
          '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">234.50',
        ),
    ],
    ['BR-CO-15', (text: string) => text.replaceAll('1469.13', '1469.00')],
    ['BR-CO-16', (text: string) => text.replace('>1469.13</cbc:PayableAmount', '>1400.00</cbc:PayableAmount')],
    ['BR-CO-17', (text: string) => text.replaceAll('234.57', '230.00').replaceAll('1469.13', '1464.56')],
  ])('%s', async (rule, spoil) => {
    const { warnings } = await read(spoil(ublOf(exampleInvoice())))
    expect(warnings).toContain(rule)
  })

  describe('the account is that of the first means of payment that is a transfer', () => {
    const [FIRST, SECOND] = ['DE02120300000000202051', 'PL61109010140000071219812874']
    const ublMeans = (code: string, iban: string) =>
      `<cac:PaymentMeans><cbc:PaymentMeansCode>${code}</cbc:PaymentMeansCode><cac:PayeeFinancialAccount>` +
      `<cbc:ID>${iban}</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>`
    const ciiMeans = (code: string, iban: string) =>
      `<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>${code}</ram:TypeCode>` +
      `<ram:PayeePartyCreditorFinancialAccount><ram:IBANID>${iban}</ram:IBANID>` +
      '</ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>'
    const written = (means: readonly (readonly [string, string])[]) => [
      ublOf(exampleInvoice()).replace(
        /<cac:PaymentMeans>.*?<\/cac:PaymentMeans>/s,
        means.map((one) => ublMeans(...one)).join(''),
      ),
      ciiOf(exampleInvoice()).replace(
        /<ram:SpecifiedTradeSettlementPaymentMeans>.*?<\/ram:SpecifiedTradeSettlementPaymentMeans>/s,
        means.map((one) => ciiMeans(...one)).join(''),
      ),
    ]
    it.each<[string, [string, string][], string | null]>([
      [
        'behind a direct debit',
        [
          ['59', FIRST],
          ['58', SECOND],
        ],
        SECOND,
      ],
      [
        'behind a card',
        [
          ['48', FIRST],
          ['30', SECOND],
        ],
        SECOND,
      ],
      [
        'behind one of no kind',
        [
          ['1', FIRST],
          ['58', SECOND],
        ],
        SECOND,
      ],
      [
        'behind a transfer without an IBAN',
        [
          ['30', '4711'],
          ['58', SECOND],
        ],
        SECOND,
      ],
      [
        'the first of two transfers',
        [
          ['30', FIRST],
          ['58', SECOND],
        ],
        FIRST,
      ],
      ['none of a direct debit alone', [['59', FIRST]], null],
      ['that of the only one, of no kind', [['ZZZ', FIRST]], FIRST],
      [
        'none beside a transfer without an IBAN',
        [
          ['1', FIRST],
          ['30', '4711'],
        ],
        null,
      ],
    ])('%s', async (_name, means, iban) => {
      for (const text of written(means)) expect((await read(text)).iban).toBe(iban)
    })
  })

  it('allowances, charges and prepayments are counted', async () => {
    const money = (name: string, value: string) => `<cbc:${name} currencyID="EUR">${value}</cbc:${name}>`
    const text = ublOf(exampleInvoice())
      .replace(
        '<cac:TaxTotal>',
        `${[false, true]
          .map(
            (isCharge) =>
              `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator>` +
              `${money('Amount', '34.56')}</cac:AllowanceCharge>`,
          )
          .join('')}<cac:TaxTotal>`,
      )
      .replace(
        /<cbc:PayableAmount.*?<\/cbc:PayableAmount>/,
        money('AllowanceTotalAmount', '34.56') +
          money('ChargeTotalAmount', '34.56') +
          money('PrepaidAmount', '1000.00') +
          money('PayableAmount', '469.13'),
      )
    // The total is more than what is due: that is said.
    expect(await read(text)).toMatchObject({ payableCents: 46_913, warnings: ['prepaid'] })
    const wrong = await read(text.replace('>34.56</cbc:AllowanceTotalAmount', '>30.00</cbc:AllowanceTotalAmount'))
    expect(wrong.warnings).toEqual(['BR-CO-11', 'BR-CO-13', 'prepaid'])
    const rounded = ublOf(exampleInvoice()).replace(
      /<cbc:PayableAmount.*?<\/cbc:PayableAmount>/,
      money('PayableRoundingAmount', '-0.13') + money('PayableAmount', '1469.00'),
    )
    expect(await read(rounded)).toMatchObject({ payableCents: 146_900, warnings: [] })
  })

  it('a third decimal is rounded, half away from zero, and that is said', async () => {
    const text = ublOf(exampleInvoice()).replaceAll('1469.13', '1469.125').replaceAll('>1234.56<', '>1234.5600<')
    expect(await read(text)).toMatchObject({ totalCents: 146_913, netCents: 123_456, warnings: ['rounded'] })
  })
})

/** A stream of whole numbers from 0 to below `below`, always the same (mulberry32). */
function numbers(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

it('whatever we write into a format, the same cents are read from it', async () => {
  const next = numbers(72)
  for (let round = 0; round < 150; round++) {
    const lines = Array.from({ length: 1 + next(6) }, (_, at) => {
      const [vatBp, category] = (
        [
          [2300, 'S'],
          [800, 'S'],
          [500, 'S'],
          [0, 'Z'],
        ] as const
      )[next(4)]!
      return { text: `Fracht ${at}`, netCents: next(2) === 0 ? next(1_000) : next(900_000_000), vatBp, category }
    })
    const invoice = polish({ lines })
    const { netCents, vatCents, totalCents, groups } = sumsOf(invoice)
    for (const written of [ublOf, ciiOf, ksefOf]) {
      const said = await read(written(invoice))
      expect([said.netCents, said.vatCents, said.totalCents, said.warnings]).toEqual([
        netCents,
        vatCents,
        totalCents,
        [],
      ])
      expect(said.lines.map((line) => line.netCents)).toEqual(lines.map((line) => line.netCents))
      expect(said.vatGroups.map((group) => group.netCents).toSorted()).toEqual(
        groups.map((group) => group.netCents).toSorted(),
      )
    }
  }
})

// The published schemas are no part of the project: their folder, with `ubl-2.1`, `cii-d16b` and `ksef-fa3` in it.
const SCHEMAS = process.env.E_INVOICE_SCHEMAS

if (SCHEMAS === undefined) console.log('the published schemas of invoices: skipped: schema not here')
else
  describe('the examples are valid by the published schemas', () => {
    it.each([
      ['ubl-2.1/maindoc/UBL-Invoice-2.1.xsd', ublOf(exampleInvoice())],
      ['ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd', ublOf(exampleInvoice({ kind: 'creditNote' }))],
      ['cii-d16b/CrossIndustryInvoice_100pD16B.xsd', ciiOf(exampleInvoice())],
      ['ksef-fa3/schemat_FA(3)_v1-0E.xsd', ksefOf(polish())],
    ])('%s', (schema, text) => {
      const folder = mkdtempSync(join(tmpdir(), 'e-invoice-'))
      try {
        writeFileSync(join(folder, 'invoice.xml'), text)
        const checked = () =>
          execFileSync(
            'xmllint',
            ['--nonet', '--noout', '--schema', join(SCHEMAS, schema), join(folder, 'invoice.xml')],
            { env: { ...process.env, XML_CATALOG_FILES: join(SCHEMAS, 'ksef-fa3/catalog.xml') }, stdio: 'pipe' },
          )
        expect(checked).not.toThrow()
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  })
