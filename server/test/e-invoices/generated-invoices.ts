import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFRawStream } from '@cantoo/pdf-lib'
import { CUSTOMER_FORMATS, type CustomerFormat } from '@waybill/contract/e-invoice/format'
import { lineNetCents } from '@waybill/contract/invoice/totals'
import { parseEInvoice } from '../../src/modules/e-invoice/index.ts'
import type { TestApp } from '../app.ts'
import { fa3Faults } from '../ksef/polish-company.ts'
import { randomFrom, type Random } from '../long/writers.ts'

/** The formats with an XML. */
export const ELECTRONIC = CUSTOMER_FORMATS.filter((format) => format !== 'pdf')

export const LEITWEG = '04011000-1234512345-06'

/** Our company, as electronic invoices want it. */
export async function readyCompany(test: TestApp): Promise<{ id: number; version: number }> {
  const [{ id, version }] = (await test.admin.get('companies')).body.items
  const { body, status } = await test.admin.patch(
    `companies/${id}`,
    {
      title: 'Elbtor Spedition GmbH',
      address: 'Versmannstraße 4',
      postal: '20457',
      city: 'Hamburg',
      countryId: await test.idOf('country', 'code', 'DE'),
      vatNumber: 'DE811907980',
      taxNumber: '48/123/45678',
      register: 'HRB 123456, Amtsgericht Hamburg',
      eInvoiceContact: { fullName: 'Jana Petersen', phone: '+49 40 5550 1200', email: 'rechnung@elbtor.example' },
      eInvoiceAddress: 'rechnung@elbtor.example',
      eInvoiceScheme: 'EM',
      bankAccounts: [{ bankName: 'Commerzbank', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }],
    },
    { version },
  )
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { id, version: body.version }
}

/** A public customer that wants this format, with all that it needs. */
export async function readyCustomer(test: TestApp, format: CustomerFormat, more: object = {}): Promise<number> {
  const { body, status } = await test.admin.post('customers', {
    title: `Zweckverband ${format}`,
    address: 'Rathausplatz 1',
    postal: '79650',
    city: 'Schopfheim',
    countryId: await test.idOf('country', 'code', 'DE'),
    language: 'de',
    buyerReference: LEITWEG,
    eInvoiceAddress: LEITWEG,
    eInvoiceScheme: '0204',
    eInvoiceFormat: format,
    invoiceEmail: 'rechnung@wiesental.example',
    ...more,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id as number
}

type Line = Record<'vatBp' | 'unitPriceCents' | 'quantity', number> & { text: string; vatCategory: string }

const TEXTS = [
  'Fracht Hamburg – Poznań',
  'A & B <dringend> "heute" \'gleich\'',
  'ż'.repeat(200),
  'Standgeld\n2 Stunden\nlaut Beleg',
  ']]> &amp; \u00a0 €',
]
/** What a kind of invoice is called, and the rates of its lines. */
export type Kind = readonly [name: string, rates: readonly (readonly [category: string, vatBp: number])[]]

const KINDS: readonly Kind[] = [
  ['19 %', [['S', 1900]]],
  ['7 %', [['S', 700]]],
  [
    '19 % and 7 %',
    [
      ['S', 1900],
      ['S', 700],
    ],
  ],
  ['reverse charge', [['AE', 0]]],
  ['outside scope', [['O', 0]]],
  ['export', [['E', 0]]],
  [
    'export and 19 %',
    [
      ['E', 0],
      ['S', 1900],
    ],
  ],
  ['zero rate', [['Z', 0]]],
]

/** Lines of a kind; `traits` says what else is special about them. */
export function linesFrom(random: Random, [, rates]: Kind): { lines: Line[]; traits: string[] } {
  const line = (index: number, unitPriceCents: number): Line => {
    const [vatCategory, vatBp] = rates[index % rates.length]!
    return { text: TEXTS[random(TEXTS.length)]!, quantity: 1, unitPriceCents, vatBp, vatCategory }
  }
  const lines = Array.from({ length: rates.length + random(4) }, (_, index) => ({
    ...line(index, 1 + random(500_000)),
    quantity: random(3) === 0 ? (1 + random(9_999)) / 1000 : 1 + random(20),
  }))
  return random(3) === 0 ? { lines: [...lines, line(0, -1)], traits: ['discount of a cent'] } : { lines, traits: [] }
}

/**
 * What a correction makes of the first line: one piece less, or something taken off the price; one more where there is
 * a discount, for less than nothing is never left.
 */
function partOf(random: Random, lines: readonly (Line & { id: number })[]): object[] {
  const [first] = lines
  const { id, quantity, unitPriceCents } = first!
  const hasDiscount = lines.some((line) => line.unitPriceCents < 0)
  const [correctedQuantity, correctedUnitPriceCents] = hasDiscount
    ? [quantity + 1, unitPriceCents]
    : random(2) === 0
      ? [quantity, unitPriceCents - 1]
      : [quantity - Math.min(1, quantity), unitPriceCents]
  const corrected = { correctsLineId: id, correctedQuantity, correctedUnitPriceCents }
  return [{ text: 'x', unitPriceCents: 1, vatBp: 0, vatCategory: 'AE', ...corrected }]
}

/** A correction in full or in part of what was sent, as a draft, with what it is called. */
export async function correctionFrom(
  test: TestApp,
  random: Random,
  { id, version, lines }: { id: number; version: number; lines: (Line & { id: number })[] },
): Promise<{ id: number; version: number; trait: string }> {
  const isFull = random(2) === 0
  const { body, status } = await test.admin.post(
    `invoices/${id}/correction`,
    { reason: 'Preis <falsch> & "zu hoch"', lines: isFull ? null : partOf(random, lines) },
    { version },
  )
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { id: body.id, version: body.version, trait: isFull ? 'full correction' : 'partial correction' }
}

/** How customers are called that no format may trip over. */
export const TITLES = ['A & B <Bau> "Nord" GmbH', `${'Ä'.repeat(200)} AG`, "O'Neill Sp. z o.o. „Łódź”"]

/** An invoice that was sent, and each name under which it is counted. */
export interface Generated {
  seed: number
  format: CustomerFormat | 'ksef'
  id: number
  kinds: string[]
}

/** Customers of every electronic format with difficult names, each with a VAT number of its own. */
async function difficultCustomers(test: TestApp) {
  const customers = new Map<string, number>()
  for (const format of ELECTRONIC)
    for (const title of TITLES)
      customers.set(`${format} ${title}`, await readyCustomer(test, format, { title, vatNumber: null }))
  for (const [index, id] of [...customers.values()].entries())
    await test.database.pool.query('update customer set "vatNumber" = $1 where id = $2', [VAT_NUMBERS[index], id])
  return (format: CustomerFormat, title: string) => customers.get(`${format} ${title}`)!
}

/** Sends a draft that no rule has anything against, and whose paper is made at once. */
export async function sendDraft(test: TestApp, { id, version }: { id: number; version: number }, seed: number) {
  const { findings } = (await test.admin.get(`invoices/${id}/e-invoice`)).body
  if (findings.length > 0) throw new Error(`seed ${seed}: ${JSON.stringify(findings)}`)
  const { body, status } = await test.admin.post(`invoices/${id}/status`, { to: 'sent' }, { version })
  if (status !== 200 || body.paper !== 'made') throw new Error(`seed ${seed}: ${JSON.stringify(body)}`)
  return body
}

/**
 * Sends `count` invoices of all kinds through the API, each third with a correction in full or in part, in all
 * electronic formats; gives what was made of each. The same seed, the same invoices.
 */
export async function sendGenerated(test: TestApp, seed: number, count: number): Promise<Generated[]> {
  const company = await readyCompany(test)
  const customerOf = await difficultCustomers(test)
  const sent: Generated[] = []
  for (let index = 0; sent.length < count; index += 1) {
    const at = seed + index
    const random = randomFrom(at)
    const format = ELECTRONIC[index % ELECTRONIC.length]!
    const kind = KINDS[index % KINDS.length]!
    const title = TITLES[random(TITLES.length)]!
    const { lines, traits } = linesFrom(random, kind)
    const { body, status } = await test.admin.post('invoices', {
      entityType: 'customer',
      companyId: company.id,
      billingCustomerId: customerOf(format, title),
      lines,
      notes: random(2) === 0 ? null : 'Vielen Dank & bis bald <gern>',
      servicePeriodFrom: '2026-11-02',
      servicePeriodTo: '2026-11-04',
    })
    if (status !== 201) throw new Error(`seed ${at}: ${JSON.stringify(body)}`)
    const original = await sendDraft(test, body, at)
    const kinds = [kind[0], ...traits, title.length > 200 ? 'name of 200 characters' : 'name with & < > " \'']
    sent.push({ seed: at, format, id: body.id, kinds })
    // Three in a row, so that each format has its share.
    if (Math.floor(index / 3) % 3 !== 0 || sent.length >= count) continue
    const { trait, ...correction } = await correctionFrom(test, random, original)
    await sendDraft(test, correction, at)
    sent.push({ seed: at, format, id: correction.id, kinds: [kind[0], trait] })
  }
  return sent
}

// Of Germany, with the right check digit.
const VAT_NUMBERS = [
  'DE136695976',
  'DE811569869',
  'DE129273398',
  'DE118509725',
  'DE143454214',
  'DE811128135',
  'DE811193231',
  'DE129515865',
  'DE120551541',
]

const SCHEMAS = process.env.E_INVOICE_SCHEMAS
if (SCHEMAS === undefined) console.log('electronic invoices to customers: skipped: schema not here')

/** What the published schema finds in an XML; nothing where the schemas are not here. */
export function schemaFaults(xml: Buffer, syntax: 'cii' | 'ubl' | 'ubl-credit'): string {
  if (SCHEMAS === undefined) return ''
  const folder = mkdtempSync(join(tmpdir(), 'e-invoice-out-'))
  const schema = {
    cii: 'cii-d16b/CrossIndustryInvoice_100pD16B.xsd',
    ubl: 'ubl-2.1/maindoc/UBL-Invoice-2.1.xsd',
    'ubl-credit': 'ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd',
  }
  try {
    const file = join(folder, 'invoice.xml')
    writeFileSync(file, xml)
    execFileSync('xmllint', ['--nonet', '--noout', '--schema', join(SCHEMAS, schema[syntax]), file], { stdio: 'pipe' })
    return ''
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a PDF carries and says of itself as a ZUGFeRD file. */
export async function insideOf(pdf: Buffer) {
  const { catalog, context } = await PDFDocument.load(pdf, { updateMetadata: false })
  const related = catalog.lookup(PDFName.of('AF'), PDFArray)
  const file = related.lookup(0, PDFDict)
  const metadata = context.lookup(catalog.get(PDFName.of('Metadata'))!) as PDFRawStream
  return {
    files: related.size(),
    relationship: file.lookup(PDFName.of('AFRelationship'))!.toString(),
    xmp: Buffer.from(metadata.getContents()).toString(),
    hasId: context.trailerInfo.ID !== undefined,
    outputIntents: catalog.lookup(PDFName.of('OutputIntents'), PDFArray).size(),
  }
}

const inGerman = (cents: number): string =>
  new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2 }).format(Math.abs(cents) / 100).replaceAll('\u00a0', ' ')

const netsOf = (lines: readonly { netCents: number | null }[]) => lines.map(({ netCents }) => netCents).join()

type Corrected = Record<'netCents' | 'correctedUnitPriceCents' | 'correctedQuantity', number>
const twice = (lines: readonly Corrected[]) =>
  lines.flatMap(({ netCents, correctedQuantity, correctedUnitPriceCents }) => {
    const after = lineNetCents({ quantity: correctedQuantity, unitPriceCents: correctedUnitPriceCents })
    return [{ netCents: netCents - after }, { netCents: after }]
  })

/** VAT in złoty as the page says it, as FA(3) does (`P_14_1W` …), and whether the PDF does. */
async function zlotyFaults(test: TestApp, id: number, { xml, text }: { xml: Buffer; text: string }): Promise<string[]> {
  const { ksef } = (await test.admin.get(`invoices/${id}/e-invoice`)).body
  const fields = [...xml.toString().matchAll(/<P_14_\dW>(-?)(\d+)\.(\d\d)</g)]
  const grosz = fields.reduce((sum, [, sign, whole, part]) => sum + Number(`${sign}${whole}${part}`), 0)
  const shown: number = ksef.vatGrosz ?? 0
  const parts = ksef.rates.reduce((sum: number, rate: { grosz: number }) => sum + rate.grosz, 0)
  return [
    grosz === shown ? '' : `XML: VAT of ${grosz} grosz instead of ${shown}`,
    parts === shown ? '' : `rates that come to ${parts} grosz instead of ${shown}`,
    shown === 0 || text.includes(`${inGerman(shown)} PLN`) ? '' : `PDF without ${inGerman(shown)} PLN`,
  ]
}

/**
 * What differs between the row of a sent invoice, its XML, the PDF and the XML inside of it; nothing where all say the
 * same, and the schema finds nothing.
 */
export async function differencesOf(test: TestApp, { id, format }: Pick<Generated, 'id' | 'format'>) {
  const { body: row } = await test.admin.get(`invoices/${id}`)
  const { raw: xml } = await test.admin.get(`invoices/${id}/e-invoice/xml`)
  const { raw: pdf } = await test.admin.get(`invoices/${id}/document`)
  const read = await parseEInvoice(xml)
  const inside = format === 'zugferd' ? await parseEInvoice(pdf) : null
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' })
  const sums = ({ netCents, vatCents, totalCents, payableCents, number }: typeof read) =>
    [number, netCents, vatCents, totalCents, payableCents].join(' ')
  const wanted = [row.number, row.amountCents, row.vatCents, row.totalCents, row.totalCents].join(' ')
  // FA(3) says of a correction what each line was, which is taken off, and what it is to be.
  const isTwice = format === 'ksef' && row.correctionOfId !== null
  const faults = [
    sums(read) === wanted ? '' : `XML: ${sums(read)} instead of ${wanted}`,
    inside === null || sums(inside) === wanted ? '' : `XML in the PDF: ${sums(inside)} instead of ${wanted}`,
    read.warnings.join(' '),
    read.kind === (row.correctionOfId === null ? 'invoice' : 'correction') ? '' : `kind ${read.kind}`,
    netsOf(read.lines) === netsOf(isTwice ? twice(row.lines) : row.lines) ? '' : 'nets of the lines',
    read.buyer.name === row.buyer.title ? '' : `buyer ${read.buyer.name}`,
    ...[row.amountCents, row.vatCents, row.totalCents].map((cents: number) =>
      text.includes(inGerman(cents)) ? '' : `PDF without ${inGerman(cents)}`,
    ),
    format === 'ksef' ? fa3Faults(xml) : schemaFaults(xml, format === 'xrechnungUbl' ? 'ubl' : 'cii'),
    ...(format === 'ksef' ? await zlotyFaults(test, id, { xml, text }) : []),
  ]
  return faults.filter(Boolean)
}
