import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Language } from '@waybill/contract/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPdfRenderer, type PdfRenderer } from '../../kit/pdf/pdf.ts'
import { renderInvoice, type InvoiceDocumentData } from './invoice.document.ts'

let folder: string
let pdf: PdfRenderer

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'invoice-'))
  pdf = createPdfRenderer({ templateDir: fileURLToPath(new URL('./templates', import.meta.url)) })
})

afterAll(() => {
  pdf.close()
  rmSync(folder, { recursive: true })
})

// Order 1: a full truck from Hamburg to Poznań, billed 45 days net to the holding.
const fullTruck: InvoiceDocumentData = {
  seller: {
    title: 'Elbtor Spedition GmbH',
    address: 'Versmannstraße 4',
    postal: '20457',
    city: 'Hamburg',
    country: 'Deutschland',
    vatNumber: 'DE811907980',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    bankName: 'Commerzbank',
    email: 'rechnung@elbtor.example',
    phone: '+49 40 5550 1200',
  },
  buyer: {
    title: 'Nordlicht Holding AG',
    address: 'Am Sandtorkai 50',
    postal: '20457',
    city: 'Hamburg',
    country: 'Deutschland',
    vatNumber: 'DE136695976',
  },
  number: 'WB-2026-0001',
  innerNumber: 'I-26-00007',
  invoiceDate: '2026-12-01',
  dueDate: '2027-01-15',
  servicePeriodFrom: '2026-11-30',
  servicePeriodTo: '2026-12-01',
  orderNumbers: ['26-00001'],
  customerOrderNumber: '4500129877',
  lines: [
    {
      text: 'Transport Hamburg – Poznań',
      quantity: 1,
      unitPriceCents: 118000,
      vatBp: 1900,
      vatCategory: 'S',
      netCents: 118000,
    },
  ],
  vatGroups: [{ vatBp: 1900, vatCategory: 'S', netCents: 118000, vatCents: 22420 }],
  amountCents: 118000,
  vatCents: 22420,
  totalCents: 140420,
  notes: [],
  currency: 'EUR',
}

/** Text as it stands on the pages, gaps narrowed to one space. */
async function textOf(data: InvoiceDocumentData, language: Language): Promise<string> {
  const file = join(folder, 'invoice.pdf')
  writeFileSync(file, await renderInvoice(pdf, data, language))
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).replace(/ +/g, ' ')
}

const LITERAL = 'SZG-„Ostsee“/26 & Co <dringend> #typst $math$ *x* "a" -- 120x80 -> b'

describe('a sent invoice', () => {
  it.each([
    [
      'en',
      [
        'Invoice WB-2026-0001',
        'Invoice date 1 Dec 2026',
        'Due date 15 Jan 2027',
        '30 Nov 2026 – 1 Dec 2026',
        '19% 1,180.00 224.20 1,404.20',
        'Total amount 1,404.20 EUR',
        'Payable without deduction by 15 Jan 2027.',
        'If you pay by 15 Dec 2026, you may deduct a discount of 2%: 28.08 EUR, leaving 1,376.12 EUR.',
        'Page 1 of 1',
      ],
    ],
    [
      'de',
      [
        'Rechnung WB-2026-0001',
        'Rechnungsdatum 01.12.2026',
        'Fällig am 15.01.2027',
        '30.11.2026 – 01.12.2026',
        '19 % 1.180,00 224,20 1.404,20',
        'Gesamtbetrag 1.404,20 EUR',
        'Zahlbar ohne Abzug bis zum 15.01.2027.',
        'Bei Zahlung bis 15.12.2026 gewähren wir 2 % Skonto: 28,08 EUR, Zahlbetrag 1.376,12 EUR.',
        'Seite 1 von 1',
      ],
    ],
    [
      'pl',
      [
        'Faktura WB-2026-0001',
        'Data wystawienia 01.12.2026',
        'Termin płatności 15.01.2027',
        '30.11.2026 – 01.12.2026',
        '19% 1 180,00 224,20 1 404,20',
        'Do zapłaty 1 404,20 EUR',
        'Termin płatności: 15.01.2027, bez potrąceń.',
        'Przy zapłacie do 15.12.2026 przysługuje skonto 2%: 28,08 EUR, do zapłaty 1 376,12 EUR.',
        'Strona 1 z 1',
      ],
    ],
  ] as const)('says who, what, how much and when in %s', async (language, expected) => {
    const text = await textOf({ ...fullTruck, skonto: [{ percentBp: 200, days: 14 }] }, language)
    for (const part of [
      ...expected,
      'Nordlicht Holding AG',
      'Am Sandtorkai 50',
      'DE 136 695 976',
      'DE 811 907 980',
      '26-00001',
      '4500129877',
      'I-26-00007',
      'Transport Hamburg – Poznań',
      'DE89 3704 0044 0532 0130 00',
      'COBADEFFXXX',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/Draft|Entwurf|Szkic|null|undefined|NaN|[{}]/)
  })

  it('shows Polish and German letters, and the buyer’s country when it is another', async () => {
    const text = await textOf(
      {
        ...fullTruck,
        buyer: {
          title: 'Fabryka Mebli Łódź S.A.',
          address: 'ul. Żwirki i Wigury 119 „ąęśćźńó“',
          postal: '93-490',
          city: 'Łódź',
          country: 'Polen',
          vatNumber: null,
        },
      },
      'de',
    )
    expect(text).toMatch(
      /Fabryka Mebli Łódź S\.A\..*\n.*ul\. Żwirki i Wigury 119 „ąęśćźńó“.*\n.*93-490 Łódź.*\n.*POLEN/,
    )
    expect(text).toContain('Versmannstraße 4')
  })

  it('shows user texts literally wherever they stand', async () => {
    const text = await textOf(
      {
        ...fullTruck,
        customerOrderNumber: LITERAL,
        notes: [LITERAL],
        lines: [{ ...fullTruck.lines[0]!, text: LITERAL }],
        buyer: { ...fullTruck.buyer, title: '*Müller* & <Söhne> #1 $x$' },
      },
      'de',
    )
    expect(text).toContain('*Müller* & <Söhne> #1 $x$')
    const note = text.slice(text.indexOf('Gesamtbetrag'))
    expect(note).toContain(LITERAL)
    const lines = text.slice(text.indexOf('Bezeichnung'), text.indexOf('Steuersatz'))
    expect(lines.replace(/ 1 1\.180,00 19 % 1\.180,00/, '').replace(/\s+/g, ' ')).toContain(LITERAL)
  })

  it('lists each rate with its reason and sums them', async () => {
    const text = await textOf(
      {
        ...fullTruck,
        lines: [
          ...fullTruck.lines,
          { text: 'Wartezeit', quantity: 2.5, unitPriceCents: 4000, vatBp: 0, vatCategory: 'AE', netCents: 10000 },
        ],
        vatGroups: [...fullTruck.vatGroups, { vatBp: 0, vatCategory: 'AE', netCents: 10000, vatCents: 0 }],
        amountCents: 128000,
        totalCents: 150420,
        notes: ['Reverse charge'],
      },
      'en',
    )
    for (const part of [
      '2 Waiting',
      '19% 1,180.00 224.20 1,404.20',
      '0% · reverse charge 100.00 0.00 100.00',
      'Sum 1,280.00 224.20 1,504.20',
      'Total amount 1,504.20 EUR',
      '\nReverse charge',
    ])
      expect(text).toContain(part.replace('2 Waiting', '2 Wartezeit 2.5 40.00 0% 100.00'))
  })

  it('loses no cent of a large amount', async () => {
    const text = await textOf(
      { ...fullTruck, lines: [{ ...fullTruck.lines[0]!, unitPriceCents: 900719925474099, netCents: 900719925474099 }] },
      'de',
    )
    expect(text).toContain('9.007.199.254.740,99')
  })

  it('keeps all of 200 lines, and the head of the table on each page', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => ({
      ...fullTruck.lines[0]!,
      text: `Stück ${index + 1} von zweihundert`,
    }))
    lines[100] = {
      ...lines[100]!,
      text: `Stück 101 von zweihundert ${'Ladung verzögert. '.repeat(100)} Ende der Zeile 101 ${'x'.repeat(400)}`,
    }
    const pages = (await textOf({ ...fullTruck, lines }, 'de')).split('\f').slice(0, -1)
    const text = pages.join('\n')
    for (let position = 1; position <= 200; position++)
      expect(text).toMatch(new RegExp(`\\b${position} Stück ${position} von zweihundert`))
    expect(text).toMatch(/Ende\s+der\s+Zeile\s+101/)
    expect(pages.length).toBeGreaterThan(4)
    pages.forEach((page, index) => {
      expect(page).toContain(`Seite ${index + 1} von ${pages.length}`)
      if (page.includes('von zweihundert')) expect(page).toMatch(/Pos\. Bezeichnung Menge/)
      if (index > 0) expect(page).toMatch(/Elbtor Spedition GmbH Rechnung WB-2026-0001/)
    })
    expect(pages.at(-1)).toContain('1.404,20 EUR')
  })

  it('lists many orders of a combined invoice below its heading', async () => {
    const orderNumbers = Array.from({ length: 40 }, (_, index) => `26-${String(index + 1).padStart(5, '0')}`)
    expect((await textOf({ ...fullTruck, orderNumbers }, 'en')).replace(/\s+/g, ' ')).toContain(
      `Our orders: ${orderNumbers.join(', ')}`,
    )
  })
})

/** Two hours of waiting were invoiced in place of one. */
const partial = (more: Partial<NonNullable<InvoiceDocumentData['correctionOf']>> = {}): InvoiceDocumentData => {
  const line = { text: 'Standzeit Poznań (Stunden)', vatBp: 1900, vatCategory: 'S' as const, netCents: -4500 }
  return {
    ...fullTruck,
    number: 'WB-2026-0002',
    lines: [{ ...line, quantity: -1, unitPriceCents: 4500 }],
    vatGroups: [{ vatBp: 1900, vatCategory: 'S', netCents: -4500, vatCents: -855 }],
    amountCents: -4500,
    vatCents: -855,
    totalCents: -5355,
    correctionOf: {
      number: 'WB-2026-0001',
      invoiceDate: '2026-12-01',
      reason: 'Menge',
      isFull: false,
      isCreditNote: false,
      isCompared: false,
      beforeCents: 151_130,
      afterCents: 145_775,
      groups: [
        {
          vatBp: 1900,
          vatCategory: 'S',
          before: { netCents: 127_000, vatCents: 24_130 },
          after: { netCents: 122_500, vatCents: 23_275 },
        },
      ],
      changes: [
        {
          ...line,
          before: { quantity: 2, unitPriceCents: 4500, netCents: 9000 },
          after: { quantity: 1, unitPriceCents: 4500, netCents: 4500 },
        },
      ],
      ...more,
    },
  }
}

describe('other kinds', () => {
  it.each([
    ['en', 'Invoice – Draft I-26-00007'],
    ['de', 'Rechnung – Entwurf I-26-00007'],
    ['pl', 'Faktura – Szkic I-26-00007'],
  ] as const)(
    'marks an invoice without a number as a draft in %s and asks for no payment',
    async (language, heading) => {
      const text = await textOf({ ...fullTruck, number: null, invoiceDate: null, dueDate: null }, language)
      expect(text).toContain(heading)
      expect(text).not.toMatch(/Please pay|Bitte überweisen|Prosimy o przelew|null/)
    },
  )

  it.each([
    [
      'en',
      [
        'Invoice correction WB-2026-0002',
        'Correction of invoice WB-2026-0001 of 1 Dec 2026',
        'Reason: Menge',
        'Correction number WB-2026-0002',
        'Correction amount -1,404.20 EUR',
        'The amount is set off against the original invoice.',
      ],
    ],
    [
      'de',
      [
        'Rechnungskorrektur WB-2026-0002',
        'Korrektur zur Rechnung WB-2026-0001 vom 01.12.2026',
        'Grund: Menge',
        'Korrekturnummer WB-2026-0002',
        'Korrekturbetrag -1.404,20 EUR',
        'Der Betrag wird mit der ursprünglichen Rechnung verrechnet.',
      ],
    ],
    [
      'pl',
      [
        'Faktura korygująca WB-2026-0002',
        'Korekta do faktury nr WB-2026-0001 z dnia 01.12.2026',
        'Przyczyna korekty: Menge',
        'Numer faktury korygującej WB-2026-0002',
        'Kwota korekty -1 404,20 EUR',
        'Kwota korekty pomniejsza należność z faktury pierwotnej.',
      ],
    ],
  ] as const)('names what a correction corrects in %s and asks for no payment', async (language, expected) => {
    const text = await textOf(
      {
        ...fullTruck,
        number: 'WB-2026-0002',
        correctionOf: { number: 'WB-2026-0001', invoiceDate: '2026-12-01', reason: 'Menge' },
        lines: [{ ...fullTruck.lines[0]!, quantity: -1, netCents: -118000 }],
        vatGroups: [{ vatBp: 1900, vatCategory: 'S', netCents: -118000, vatCents: -22420 }],
        amountCents: -118000,
        vatCents: -22420,
        totalCents: -140420,
      },
      language,
    )
    for (const part of expected) expect(text).toContain(part)
    expect(text).not.toMatch(/Payable|Zahlbar|potrąceń|Gutschrift/)
  })

  it.each([
    [
      'de',
      [
        'Rechnungskorrektur WB-2026-0002',
        'bisher 2 × 45,00, richtig 1 × 45,00',
        'Korrekturbetrag -53,55 EUR',
        'Bisher berechnet: 1.511,30 EUR. Nach dieser Korrektur: 1.457,75 EUR.',
      ],
    ],
    ['en', ['Invoice correction WB-2026-0002', 'invoiced 2 × 45.00, should be 1 × 45.00', 'Correction amount -53.55']],
  ] as const)('of one line says in %s what it was and what it should be', async (language, expected) => {
    const text = await textOf(partial(), language)
    for (const part of expected) expect(text).toContain(part)
    expect(text).not.toMatch(/Gutschrift|null|undefined|NaN/)
  })

  it('of a Polish invoice compares line and VAT before, after, and the difference', async () => {
    const text = await textOf(partial({ isCompared: true }), 'pl')
    for (const part of [
      'Faktura korygująca WB-2026-0002',
      'przed korektą 2 45,00 19% 90,00',
      'po korekcie 1 45,00 19% 45,00',
      'różnica -45,00',
      '19%, przed korektą 1 270,00 241,30 1 511,30',
      '19%, po korekcie 1 225,00 232,75 1 457,75',
      '19%, różnica -45,00 -8,55 -53,55',
      'Wartość przed korektą: 1 511,30 EUR. Wartość po korekcie: 1 457,75 EUR.',
    ])
      expect(text).toContain(part)
  })

  it.each([
    ['de', 'Stornorechnung WB-2026-0002', false],
    ['en', 'Cancellation invoice WB-2026-0002', false],
    ['pl', 'Faktura korygująca WB-2026-0002', false],
    ['de', 'Stornorechnung WB-2026-0002', true],
    ['en', 'Credit note WB-2026-0002', true],
  ] as const)('that takes all back is called in %s %s', async (language, heading, isCreditNote) => {
    const text = await textOf(partial({ isFull: true, isCreditNote }), language)
    expect(text).toContain(heading)
    expect(text).not.toMatch(/bisher 2|invoiced 2/)
  })

  it('bears no sign as a credit note, which the customer demands', async () => {
    const text = await textOf(partial({ isCreditNote: true }), 'de')
    for (const part of ['1 45,00 19 % 45,00', '19 % 45,00 8,55 53,55', 'Korrekturbetrag zu Ihren Gunsten 53,55 EUR'])
      expect(text).toContain(part)
    expect(text).not.toMatch(/-45,00|-53,55|Gutschrift/)
  })

  it('comes out with nothing but the required fields, and with the longest ones', async () => {
    const bare = { title: 'A', address: null, postal: null, city: null, country: null, vatNumber: null }
    const sparse = {
      ...fullTruck,
      seller: { ...bare, iban: null, bic: null, bankName: null, email: null, phone: null },
      buyer: bare,
      customerOrderNumber: null,
      orderNumbers: [],
      servicePeriodFrom: null,
      servicePeriodTo: null,
    }
    expect(await textOf(sparse, 'pl')).not.toMatch(/null|undefined/)
    const long = 'Straßenbahnhaltestellenverzeichnis'.repeat(8).slice(0, 250)
    const full = {
      ...fullTruck,
      seller: { ...fullTruck.seller, title: long, address: long },
      buyer: { ...fullTruck.buyer, title: long, address: long },
      customerOrderNumber: long,
      notes: [long.repeat(16)],
    }
    expect(await textOf(full, 'de')).toContain('Gesamtbetrag 1.404,20 EUR')
  })
})

describe('the picture of the seller', () => {
  // 1 × 1, from the PNG specification's own smallest form.
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const imagesIn = async (logo: Uint8Array | null) => {
    const file = join(folder, 'logo.pdf')
    writeFileSync(file, await renderInvoice(pdf, { ...fullTruck, seller: { ...fullTruck.seller, logo } }, 'de'))
    return execFileSync('pdfimages', ['-list', file], { encoding: 'utf8' }).trim().split('\n').length - 2
  }

  it('stands at the head of the invoice', async () => {
    expect(await imagesIn(null)).toBe(0)
    expect(await imagesIn(dot)).toBeGreaterThan(0)
  })

  it('does not stop a bill where it cannot be drawn', async () => {
    expect(await imagesIn(dot.subarray(0, 40))).toBe(0)
  })
})
