import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { PDFArray, PDFDict, PDFDocument, PDFRawStream, PDFRef, type PDFObject } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onlyLong } from '../../../test/model-runs.ts'
import { textOf } from '../../../test/papers/pdf-text.ts'
import { createPdfRenderer, type PdfRenderer } from '../../kit/pdf/pdf.ts'
import { renderAccountStatement, type AccountStatementData } from './account-statement.document.ts'
import { renderCmr, type CmrData } from './cmr.document.ts'
import { renderInvoice, type InvoiceDocumentData } from './invoice.document.ts'
import { renderLoadCarrierStatement, type LoadCarrierStatementData } from './load-carriers/statement.document.ts'
import { EXAMPLE_CERTIFICATES, EXAMPLE_REMINDER } from './own-text/example-papers.ts'
import type { OwnBlock } from './own-text/own-text.document.ts'
import { renderCertificate } from './papers/certificate.document.ts'
import { renderReminder } from './reminder/reminder.document.ts'
import { renderTransportOrder, type TransportOrderData } from './transport-order.document.ts'

// Mac, Windows and ARM get the documents that Linux gets: both builds of the typesetter make them from the same data.
const TEMPLATE_DIR = fileURLToPath(new URL('./templates', import.meta.url))
const BUILDS = ['native', 'webassembly'] as const
const createdAt = new Date('2026-11-30T10:20:30Z')

let folder: string
let renderers: Record<(typeof BUILDS)[number], PdfRenderer>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'builds-'))
  const create = (build: (typeof BUILDS)[number]): PdfRenderer => {
    const renderer = createPdfRenderer({ templateDir: TEMPLATE_DIR, build, timeLimitMs: 60_000 })
    return { ...renderer, renderPdf: (request) => renderer.renderPdf({ createdAt, ...request }) }
  }
  renderers = { native: create('native'), webassembly: create('webassembly') }
  // The first document of WebAssembly takes seconds.
  for (const renderer of Object.values(renderers)) await renderInvoice(renderer, invoice, 'de')
})

afterAll(() => {
  for (const renderer of Object.values(renderers)) renderer.close()
  rmSync(folder, { recursive: true })
})

/** 2 × 2 pixels, two of them half transparent: a PNG of RGBA. */
function picture(): Uint8Array {
  const crc = (bytes: Buffer) => {
    let rest = 0xffffffff
    for (const byte of bytes) {
      rest ^= byte
      for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
    }
    return (rest ^ 0xffffffff) >>> 0
  }
  const chunk = (kind: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind), content])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(content.length, 0)
    frame.writeUInt32BE(crc(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const rows = [
    [0, 200, 30, 30, 255, 30, 30, 200, 128],
    [0, 30, 200, 30, 255, 30, 30, 30, 128],
  ]
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const us = {
  title: 'Elbtor Spedition GmbH',
  address: 'Versmannstraße 4',
  postal: '20457',
  city: 'Hamburg',
  vatNumber: 'DE811907980',
  email: 'rechnung@elbtor.example',
  phone: '+49 40 5550 1200',
}

const invoice: InvoiceDocumentData = {
  seller: {
    ...us,
    country: 'Deutschland',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    bankName: 'Commerzbank',
    logo: picture(),
  },
  buyer: {
    title: 'Fabryka Mebli Łódź S.A. „ąęśćźńó“ 🚚',
    address: 'ul. Żwirki i Wigury 119',
    postal: '93-490',
    city: 'Łódź',
    country: 'Polen',
    vatNumber: 'PL7250015687',
  },
  number: 'WB-2026-0001',
  innerNumber: 'I-26-00007',
  invoiceDate: '2026-12-01',
  dueDate: '2027-01-15',
  servicePeriodFrom: '2026-11-30',
  servicePeriodTo: '2026-12-01',
  orderNumbers: ['26-00001'],
  customerOrderNumber: 'SZG-„Ostsee“/26 & Co <dringend> #typst $math$ (1 0 R)',
  lines: [
    {
      text: 'Transport Łódź – Bielefeld',
      quantity: 1,
      unitPriceCents: 118000,
      vatBp: 0,
      vatCategory: 'AE',
      netCents: 118000,
    },
    {
      text: 'Wartezeit',
      quantity: 2.5,
      unitPriceCents: 4000,
      vatBp: 1900,
      vatCategory: 'S',
      netCents: 10000,
    },
  ],
  vatGroups: [
    { vatBp: 0, vatCategory: 'AE', netCents: 118000, vatCents: 0 },
    { vatBp: 1900, vatCategory: 'S', netCents: 10000, vatCents: 1900 },
  ],
  amountCents: 128000,
  vatCents: 1900,
  totalCents: 129900,
  notes: ['Steuerschuldnerschaft des Leistungsempfängers.'],
  currency: 'EUR',
}

const combined: InvoiceDocumentData = {
  ...invoice,
  seller: { ...invoice.seller, logo: null },
  orderNumbers: Array.from({ length: 60 }, (_, index) => `26-${String(index + 1).padStart(5, '0')}`),
  lines: Array.from({ length: 60 }, (_, index) => ({ ...invoice.lines[0]!, text: `Transport ${index + 1}` })),
}

const correction: InvoiceDocumentData = {
  ...invoice,
  number: 'WB-2026-0002',
  correctionOf: { number: 'WB-2026-0001', invoiceDate: '2026-12-01', reason: 'Menge' },
  lines: [{ ...invoice.lines[0]!, quantity: -1, netCents: -118000 }],
  vatGroups: [{ vatBp: 0, vatCategory: 'AE', netCents: -118000, vatCents: 0 }],
  amountCents: -118000,
  vatCents: 0,
  totalCents: -118000,
}

const carrier = {
  title: 'Trans-Wielkopolska Sp. j.',
  address: 'ul. Głogowska 7',
  postal: '60-736',
  city: 'Poznań',
  countryCode: 'PL',
  vatNumber: 'PL7811767696',
}

const goods = {
  title: 'Lacke',
  quantity: 12,
  packages: 48,
  lengthCm: 120,
  widthCm: 80,
  heightCm: 145,
  weightKg: 5120.5,
  volumeM3: 16.704,
  temperatureFrom: 2,
  temperatureTo: 8,
  marks: 'LOT 7/26',
  adr: { unNumber: '1263', adrClass: '3' },
  unit: 'Europalette',
}

const termin = {
  kind: 'period' as const,
  dateFrom: '2026-11-30',
  timeFrom: '08:00',
  dateTo: '2026-11-30',
  timeTo: '12:00',
}

const stop = {
  kind: 'loading' as const,
  timeZone: 'Europe/Berlin',
  companyTitle: 'Nordlicht Maschinenbau GmbH',
  address: 'Billbrookdeich 210',
  postal: '22113',
  city: 'Hamburg',
  countryCode: 'DE',
  contactPerson: 'Anke Jürgens',
  phone: '+49 40 5550 77',
  reference: 'LADE-4711',
  comment: 'Tor 3',
  specialInstructions: 'Nicht stapeln',
  plannedAt: '2026-11-30T07:30:00Z',
  termin,
  cargoActions: [{ cargoId: 1, action: 'PICK_UP' as const }],
}

const transportOrder: TransportOrderData = {
  us: { ...us, countryCode: 'DE', logo: picture() },
  contact: { name: 'Jette Harms', email: 'jette@elbtor.example', phone: null },
  carrier,
  disponent: { name: 'Marek Nowak', email: null, phone: '+48 61 555 10' },
  number: '26-00001/1',
  date: '2026-11-28',
  vehicle: {
    type: 'Tautliner',
    plateNumber: 'PO 4T112',
    drivers: [{ name: 'Łukasz Żak', phone: '+48 600 100 200' }],
    driverText: null,
    isLiftRequired: true,
    isTransshipmentForbidden: true,
  },
  stops: [
    stop,
    {
      ...stop,
      kind: 'unloading',
      timeZone: 'Europe/Warsaw',
      companyTitle: 'Wielkopolska Tech Sp. z o.o.',
      city: 'Poznań',
      countryCode: 'PL',
      termin: { ...termin, kind: 'fix', dateFrom: '2026-12-01', dateTo: null, timeTo: null },
      cargoActions: [{ cargoId: 1, action: 'DROP_OFF' }],
    },
  ],
  cargo: [{ ...goods, id: 1, stackingFactor: 1, ldm: 4.8, instructions: 'Trocken halten', handling: ['Ladebordwand'] }],
  distanceKm: 452,
  isDistanceEstimated: true,
  price: { costCents: 95000, vatBp: 0, vatCents: 0, totalCents: 95000 },
  extraData: 'Maut inklusive',
  content: { mode: 'standard', text: null },
}

const sender = {
  companyTitle: 'Nordlicht Maschinenbau GmbH',
  address: 'Billbrookdeich 210',
  postal: '22113',
  city: 'Hamburg',
  countryCode: 'DE',
}

const consignee = {
  companyTitle: 'Wielkopolska Tech Sp. z o.o.',
  address: 'ul. Bukowska 285',
  postal: '60-189',
  city: 'Poznań',
  countryCode: 'PL',
}

const cmr: CmrData = {
  reference: '26-00001/1',
  sender,
  consignee,
  pickUp: { ...sender, termin },
  dropOff: { ...consignee, termin: null },
  carrier: { ...carrier, plateNumber: 'PO 4T112', drivers: ['Łukasz Żak'] },
  successiveCarriers: ['Spedition Weiß & Söhne OHG'],
  lines: [goods],
  customs: ['Zollamt Weil am Rhein'],
  isTransshipmentForbidden: true,
  instructions: ['Nicht stapeln'],
  references: ['4500129877'],
  established: { place: 'Hamburg', date: '2026-11-30' },
  details: {
    attachedDocuments: 'EX-A 26PL301',
    instructions: null,
    carriageIs: 'paid',
    cashOnDeliveryCents: 120000,
    declaredValueCents: null,
    agreements: null,
  },
}

const words = (text: string | null, look: object = {}) => ({ text, bold: false, italic: false, href: null, ...look })

/** What a department says of its own, of each kind once. */
const ownText: OwnBlock[] = [
  { kind: 'heading', level: 1, pieces: [words('Ihr Weg zu uns')] },
  {
    kind: 'paragraph',
    pieces: [words('Bitte '), words('vor dem 15.12.', { bold: true }), words(null), words('#typst $x$')],
  },
  {
    kind: 'list',
    ordered: true,
    items: [[[words('zahlen')]], [[words('anrufen', { href: 'https://elbtor.example/a' })]]],
  },
  {
    kind: 'table',
    rows: [
      ['Tag', 'Stunden'].map((text) => ({ head: true, lines: [[words(text)]] })),
      ['Mo–Fr', '8–17 „Łódź“'].map((text) => ({ head: false, lines: [[words(text, { italic: true })]] })),
    ],
  },
]

const accountStatement: AccountStatementData = {
  seller: invoice.seller,
  buyer: invoice.buyer,
  asOf: '2026-12-07',
  items: Array.from({ length: 40 }, (_, index) => ({
    number: `WB-2026-${String(index + 1).padStart(4, '0')}`,
    invoiceDate: '2026-10-15',
    dueDate: index % 3 === 0 ? null : '2026-11-14',
    daysLate: index % 2 === 0 ? 23 : null,
    totalCents: 172_550 + index,
    openCents: 100_000 + index,
  })),
  creditCents: 50,
  claims: [{ number: 'WB-2026-0001', feeCents: 4000, interestCents: 1231 }],
}

const movement = {
  damaged: 0,
  note: null,
  noteNumber: 'WT <0931>',
  order: null,
  invoice: null,
  isAgreed: false,
  createdBy: null,
  version: 1,
}

const palletStatement: LoadCarrierStatementData = {
  us: { ...us, countryCode: 'DE', logo: picture() },
  contact: { name: 'Jette Harms', phone: '+49 40 5550 12', email: 'jette@elbtor.example' },
  holder: { ...carrier, countryCode: 'PL' },
  asOf: '2026-12-07',
  types: [
    {
      title: 'Europalette',
      broughtForward: 12,
      movements: [
        {
          ...movement,
          id: 1,
          movedOn: '2026-11-20',
          type: { id: 1, title: 'Europalette' },
          given: 33,
          received: 0,
          balance: 45,
          stop: { title: 'Wielkopolska Tech', orderNumber: '26-00001' },
        },
        {
          ...movement,
          id: 2,
          movedOn: '2026-11-24',
          type: { id: 1, title: 'Europalette' },
          given: 0,
          received: 1045,
          balance: -1000,
          stop: null,
          note: 'Rückgabe im Lager',
        },
      ],
      pieces: -1000,
    },
    {
      title: 'Gitterbox',
      broughtForward: 0,
      movements: [
        {
          ...movement,
          id: 3,
          movedOn: '2026-11-24',
          type: { id: 2, title: 'Gitterbox' },
          given: 4,
          received: 0,
          balance: 4,
          stop: null,
          noteNumber: null,
        },
      ],
      pieces: 4,
    },
  ],
}

/**
 * All that a file holds, reached from its catalog and its information, each object once and under the number of its
 * first mention; streams as the checksum of their bytes. What a file is called inside (/ID and the ids of its
 * metadata, a checksum of its bytes) is left out, and metadata are told as text.
 */
async function contentsOf(file: Uint8Array): Promise<string> {
  const { context } = await PDFDocument.load(file, { updateMetadata: false })
  const numbers = new Map<string, number>()
  const queue: PDFRef[] = []
  const told = (object: PDFObject): string => {
    if (object instanceof PDFRef) {
      if (!numbers.has(object.tag)) {
        numbers.set(object.tag, numbers.size)
        queue.push(object)
      }
      return `#${numbers.get(object.tag)}`
    }
    if (object instanceof PDFArray) return `[${object.asArray().map(told).join(' ')}]`
    if (object instanceof PDFDict) {
      const entries = object
        .entries()
        .map(([key, value]) => [key.asString(), value] as const)
        .filter(([key]) => key !== '/Length')
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
      return `<<${entries.map(([key, value]) => `${key} ${told(value)}`).join(' ')}>>`
    }
    if (!(object instanceof PDFRawStream)) return object.toString()
    const bytes = object.getContents()
    const text = Buffer.from(bytes).toString()
    const content = text.startsWith('<?xpacket')
      ? text.replaceAll(/(instanceID|InstanceID|DocumentID)>[\w+/=]{24}/g, '$1>')
      : createHash('sha256').update(bytes).digest('hex')
    return `${told(object.dict)} ${content}`
  }
  const lines = [told(context.trailerInfo.Root!), told(context.trailerInfo.Info!)]
  for (let reference = queue.shift(); reference; reference = queue.shift())
    lines.push(`${numbers.get(reference.tag)}: ${told(context.lookup(reference)!)}`)
  expect(numbers.size, 'objects that nothing refers to').toBe(context.enumerateIndirectObjects().length)
  return lines.join('\n')
}

const documents: [name: string, render: (pdf: PdfRenderer) => Promise<Buffer>, pages: number][] = [
  ['an invoice with a logo', (pdf) => renderInvoice(pdf, invoice, 'de'), 1],
  ['a combined invoice', (pdf) => renderInvoice(pdf, combined, 'pl'), 3],
  ['a correction', (pdf) => renderInvoice(pdf, correction, 'en'), 1],
  ['a draft', (pdf) => renderInvoice(pdf, { ...invoice, number: null, dueDate: null }, 'de'), 1],
  ['a transport order', (pdf) => renderTransportOrder(pdf, transportOrder, 'pl'), 2],
  ['a consignment note', (pdf) => renderCmr(pdf, cmr, ['de', 'pl']), 3],
  ['a statement of an account', (pdf) => renderAccountStatement(pdf, accountStatement, 'de'), 2],
  ['a statement of load carriers', (pdf) => renderLoadCarrierStatement(pdf, palletStatement, 'pl'), 1],
  [
    'a reminder with the words of a department',
    (pdf) => renderReminder(pdf, { ...EXAMPLE_REMINDER, own: { mode: 'append', blocks: ownText } }, 'en'),
    1,
  ],
  [
    'a certificate of arrival with the words of a department',
    (pdf) =>
      renderCertificate(
        pdf,
        {
          ...EXAMPLE_CERTIFICATES.ORDER_ARRIVAL_CERTIFICATE,
          us: { ...us, countryCode: 'DE', logo: picture() },
          own: { mode: 'append', blocks: ownText },
        },
        'pl',
      ),
    2,
  ],
  ['a certificate of export', (pdf) => renderCertificate(pdf, EXAMPLE_CERTIFICATES.ORDER_EXPORT_CERTIFICATE, 'en'), 1],
  [
    'an invoice with files attached',
    (pdf) =>
      renderInvoice(
        {
          ...pdf,
          renderPdf: (request) =>
            pdf.renderPdf({
              ...request,
              attachments: [
                {
                  filename: 'rechnung „Łódź“.xml',
                  content: Buffer.from('<invoice ref="1 0 R">endstream endobj</invoice>'),
                  contentType: 'text/xml',
                  relationship: 'alternative',
                  description: 'The same as data (EN 16931)',
                },
                {
                  filename: 'a.csv',
                  content: Buffer.from('a;b\r\n'),
                  contentType: 'text/csv',
                  relationship: 'supplement',
                  description: 'Stops',
                },
              ],
            }),
        },
        invoice,
        'de',
      ),
    1,
  ],
]

describe('the native and the WebAssembly build', () => {
  // What each build draws in its own way comes up in these: pictures, tables over pages, files within.
  const DAILY = new Set(['an invoice with a logo', 'a transport order', 'an invoice with files attached'])
  const asked = [
    ...documents.filter(([name]) => DAILY.has(name)),
    ...onlyLong(() => documents.filter(([name]) => !DAILY.has(name))),
  ]
  it.for(asked)('set %s alike, down to each object of the file', async ([name, render, pages], { annotate }) => {
    const took: string[] = []
    const [native, webAssembly] = await Promise.all(
      BUILDS.map(async (build) => {
        const file = join(folder, `${build}.pdf`)
        const start = performance.now()
        const bytes = await render(renderers[build])
        took.push(`${build} ${Math.round(performance.now() - start)} ms`)
        writeFileSync(file, bytes)
        const ask = (tool: string, ...before: string[]) =>
          execFileSync(tool, [...before, file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        return {
          text: execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }),
          // Without the numbers of the objects.
          fonts: ask('pdffonts').replaceAll(/ +\d+ +0$/gm, ''),
          info: ask('pdfinfo', '-isodates').replace(/File size:.*\n/, ''),
          attached: ask('pdfdetach', '-list'),
          standard: /<pdfaid:part>3<\/pdfaid:part><pdfaid:conformance>B</.test(bytes.toString('latin1')),
          contents: await contentsOf(bytes),
        }
      }),
    )
    expect(webAssembly).toEqual(native)
    // `--reporter=verbose` shows how long each build takes.
    await annotate(`${name}: ${took.join(', ')}`)
    expect(native!.standard).toBe(true)
    expect(native!.info).toMatch(/Tagged: +yes/)
    expect(native!.info).toMatch(new RegExp(`Pages: +${pages}\\n`))
    expect(native!.info).toContain('2026-11-30T10:20:30')
  })

  it.for(['de', 'pl'] as const)(
    'set the key of an upload link on one line, with all of its hyphens, in %s',
    async (language) => {
      for (const host of ['waybill.example', `${'spedycja'.repeat(5)}.example`]) {
        const uploadUrl = `https://${host}/office/upload-documents/${'a-B-'.repeat(11)}`
        const paper = await renderTransportOrder(renderers.native, { ...transportOrder, uploadUrl }, language)
        expect(textOf(paper).replaceAll(/\s/g, '')).toContain(uploadUrl)
      }
    },
  )

  it('each set the same file again from the same data at the same time', async () => {
    for (const build of BUILDS) {
      const [first, second] = [
        await renderInvoice(renderers[build], invoice, 'de'),
        await renderInvoice(renderers[build], invoice, 'de'),
      ]
      expect(first.equals(second), build).toBe(true)
    }
  })
})
