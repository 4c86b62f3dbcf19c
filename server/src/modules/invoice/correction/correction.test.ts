// Corrections by line: what was invoiced, what it should be, and the sale that they make together (decision 084).
import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { onlyLong } from '../../../../test/model-runs.ts'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { readyCompany, readyCustomer, schemaFaults } from '../../../../test/e-invoices/generated-invoices.ts'
import { enterRate, polishCompany } from '../../../../test/ksef/polish-company.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { parseEInvoice } from '../../e-invoice/index.ts'

const app = useTestApp()
let clerk: Caller
let company: { id: number; version: number }
let customerId: number

const FREIGHT = { text: 'Fracht Bremen – Wrocław', unitPriceCents: 124_000, vatBp: 1900, vatCategory: 'S' }
const WAITING = {
  text: 'Standzeit Wrocław (Stunden)',
  quantity: 2,
  unitPriceCents: 4500,
  vatBp: 1900,
  vatCategory: 'S',
}
const TAIL_LIFT = { text: 'Hebebühne', unitPriceCents: 6000, vatBp: 1900, vatCategory: 'S' }

beforeAll(async () => {
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  company = await readyCompany(app)
  customerId = await readyCustomer(app, 'pdf', { title: 'Vogelsang Verpackungen GmbH' })
})

const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors?.map((fault: { path: string; code: string }) => `${fault.path} ${fault.code}`) ?? [body.code]),
]
const send = ({ id, version }: { id: number; version: number }) =>
  clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })

async function sentInvoice(lines: object[] = [FREIGHT, WAITING, TAIL_LIFT], billingCustomerId = customerId) {
  const draft = await clerk.post('invoices', {
    entityType: 'customer',
    companyId: company.id,
    billingCustomerId,
    lines,
  })
  expect(draft.status, JSON.stringify(draft.body)).toBe(201)
  const sent = await send(draft.body)
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return sent.body
}

const correct = ({ id, version }: { id: number; version: number }, lines: object[] | null, reason = 'not agreed') =>
  clerk.post(`invoices/${id}/correction`, { reason, lines }, { version })
/** What a line should be; the rest of the line is the server's. */
const shouldBe = (line: { id: number }, quantity: number, unitPriceCents: number) => ({
  text: 'whatever',
  unitPriceCents: 1,
  vatBp: 0,
  vatCategory: 'AE',
  correctsLineId: line.id,
  correctedQuantity: quantity,
  correctedUnitPriceCents: unitPriceCents,
})
const saleOf = async (id: number, caller = clerk) => (await caller.get(`invoices/${id}/sale`)).body
const pdfOf = async (id: number) =>
  execFileSync('pdftotext', ['-layout', '-', '-'], {
    input: (await clerk.get(`invoices/${id}/document`)).raw,
    encoding: 'utf8',
  }).replace(/ +/g, ' ')

describe('refusals', () => {
  test('a line of another invoice, one that is named twice, and one that does not say what it should be', async () => {
    const [invoice, other] = [await sentInvoice(), await sentInvoice()]
    const waiting = invoice.lines[1]
    expect(codes(await correct(invoice, [shouldBe(other.lines[0], 0, 0)]))).toEqual([
      422,
      'lines.0.correctsLineId unknown_reference',
    ])
    expect(codes(await correct(invoice, [shouldBe(waiting, 1, 4500), shouldBe(waiting, 0, 4500)]))).toEqual([
      422,
      'lines.1.correctsLineId duplicate_key',
    ])
    const { correctedQuantity: _none, ...incomplete } = shouldBe(waiting, 1, 4500)
    expect(codes(await correct(invoice, [incomplete]))).toEqual([422, 'lines.0.correctedQuantity required'])
    expect(codes(await correct(invoice, [shouldBe(waiting, 1e9, 4500)]))).toEqual([
      422,
      'lines.0.correctedQuantity too_big',
    ])
    expect(
      codes(await correct(invoice, [shouldBe(invoice.lines[0], -1, 124_000), shouldBe(waiting, -9, 4500)])),
    ).toEqual([422, 'lines exceeds_original'])
  })

  test('a draft without a line is not sent; nothing but a correction has a reason, and it keeps one', async () => {
    const invoice = await sentInvoice()
    const draft = await correct(invoice, [])
    expect(draft.body).toMatchObject({ lines: [], totalCents: 0 })
    expect(codes(await send(draft.body))).toEqual([422, 'lines too_few'])
    const change = (id: number, version: number, correctionReason: unknown) =>
      clerk.patch(`invoices/${id}`, { correctionReason }, { version })
    expect((await change(draft.body.id, 1, '  ')).status).toBe(422)
    expect((await change(draft.body.id, 1, 'a better one')).body.correctionReason).toBe('a better one')
    const plain = await clerk.post('invoices', {
      entityType: 'customer',
      companyId: company.id,
      billingCustomerId: customerId,
      lines: [FREIGHT],
    })
    expect(codes(await change(plain.body.id, 1, 'why not'))).toEqual([422, 'correctionReason read_only'])
  })

  test('the sale of an invoice is for who processes invoices, and there is none of a carrier’s', async () => {
    const invoice = await sentInvoice()
    const stranger = (await app.userWith('ORDERS_MANAGEMENT')).caller
    expect((await stranger.get(`invoices/${invoice.id}/sale`)).status).toBe(403)
    expect((await clerk.get('invoices/999999/sale')).status).toBe(404)
  })
})

describe('a partial correction', () => {
  test('bills the difference of the line alone, says both on paper, and is set off; the original stays', async () => {
    const invoice = await sentInvoice()
    const paper = await pdfOf(invoice.id)
    const draft = await correct(invoice, [shouldBe(invoice.lines[1], 0, 4500), shouldBe(invoice.lines[2], 1, 6000)])
    expect(draft.body.lines).toMatchObject([
      { text: WAITING.text, quantity: -2, unitPriceCents: 4500, netCents: -9000, vatBp: 1900, correctedQuantity: 0 },
    ])
    expect(draft.body).toMatchObject({ amountCents: -9000, vatCents: -1710, totalCents: -10_710 })
    const correction = (await send(draft.body)).body
    const text = await pdfOf(correction.id)
    for (const part of [
      `Rechnungskorrektur ${correction.number}`,
      `Korrektur zur Rechnung ${invoice.number}`,
      'Grund: not agreed',
      'bisher 2 × 45,00, richtig 0 × 45,00',
      'Bisher berechnet: 1.654,10 EUR. Nach dieser Korrektur: 1.547,00 EUR.',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/Gutschrift/)
    expect((await clerk.get(`invoices/${invoice.id}`)).body).toMatchObject({ status: 'sent', openCents: 154_700 })
    expect(await pdfOf(invoice.id)).toBe(paper)
    expect((await clerk.get(`emails?invoiceId=${correction.id}`)).body.items[0].type).toBe('invoice_correction')
  })

  test('with price and quantity changed is one line of the difference; a further one goes on from there', async () => {
    const invoice = await sentInvoice()
    const waiting = invoice.lines[1]
    const first = (await send((await correct(invoice, [shouldBe(waiting, 1, 4000)])).body)).body
    expect(first.lines).toMatchObject([{ quantity: -1, unitPriceCents: 5000, netCents: -5000 }])
    const sale = await saleOf(invoice.id)
    expect(sale.billed.lines[1]).toMatchObject({ lineId: waiting.id, quantity: 1, unitPriceCents: 4000 })
    const second = (await correct(invoice, [shouldBe(waiting, 0, 4000)])).body
    expect(second.lines).toMatchObject([{ quantity: -1, unitPriceCents: 4000 }])
    expect((await saleOf(first.id)).billed.lines[1]).toMatchObject({ quantity: 2, unitPriceCents: 4500 })
  })

  test('is written anew where another one was sent meanwhile, and its sender looks again', {
    tags: 'long',
  }, async () => {
    const invoice = await sentInvoice()
    const waiting = invoice.lines[1]
    const [one, two] = [
      (await correct(invoice, [shouldBe(waiting, 1, 4500)])).body,
      (await correct(invoice, [shouldBe(waiting, 0, 4500)])).body,
    ]
    expect(two.amountCents).toBe(-9000)
    expect((await send(one)).status).toBe(200)
    const stale = await send(two)
    expect([stale.status, stale.body.code]).toEqual([409, 'stale_version'])
    const now = (await clerk.get(`invoices/${two.id}`)).body
    expect(now).toMatchObject({ version: two.version + 1, amountCents: -4500, lines: [{ quantity: -1 }] })
    expect((await send(now)).body).toMatchObject({ status: 'sent', totalCents: -5355 })
    expect((await saleOf(invoice.id)).billed.lines[1].quantity).toBe(0)
  })
})

test('corrections in parts and then the rest leave nothing owed, not a cent of VAT', { tags: 'long' }, async () => {
  const invoice = await sentInvoice([{ ...FREIGHT, unitPriceCents: 10_004 }])
  const half = (await send((await correct(invoice, [shouldBe(invoice.lines[0], 1, 5002)])).body)).body
  expect(half).toMatchObject({ amountCents: -5002, vatCents: -950 })
  const rest = (await send((await correct(invoice, null)).body)).body
  expect(rest).toMatchObject({ amountCents: -5002, vatCents: -951, totalCents: -5953 })
  expect((await clerk.get(`invoices/${invoice.id}`)).body).toMatchObject({ status: 'canceled', openCents: 0 })
  expect(await saleOf(rest.id)).toMatchObject({
    owedCents: 0,
    documents: [
      { id: invoice.id, kind: 'invoice', totalCents: 11_905 },
      { id: half.id, kind: 'partial', reason: 'not agreed' },
      { id: rest.id, kind: 'full', totalCents: -5953 },
    ],
  })
  expect(await pdfOf(rest.id)).toContain(`Stornorechnung ${rest.number}`)
})

test('drafts stand in the sale and count nowhere', async () => {
  const invoice = await sentInvoice()
  const draft = (await correct(invoice, null)).body
  expect(await saleOf(invoice.id)).toMatchObject({
    owedCents: 165_410,
    documents: [{ id: invoice.id }, { id: draft.id, kind: 'full', invoiceDate: null, totalCents: -165_410 }],
    billed: { totalCents: 165_410, netCents: 139_000, vatCents: 26_410 },
  })
})

describe('a credit note, for who demands one', () => {
  test.each([
    ...onlyLong(() => [['zugferd', 'cii'] as const]),
    ['xrechnungCii', 'cii'],
    ['xrechnungUbl', 'ubl-credit'],
  ] as const)('as %s is of type 381, bears no sign, and says the same as the row', async (format, syntax) => {
    const buyer = await readyCustomer(app, format, { title: `Gutschriftskunde ${format}`, creditNotes: true })
    const invoice = await sentInvoice([FREIGHT, WAITING], buyer)
    const correction = (await send((await correct(invoice, [shouldBe(invoice.lines[1], 0, 4500)])).body)).body
    expect(correction).toMatchObject({ status: 'sent', paper: 'made', totalCents: -10_710 })
    const xml = (await clerk.get(`invoices/${correction.id}/e-invoice/xml`)).raw
    expect(await parseEInvoice(xml)).toMatchObject({
      kind: 'creditNote',
      netCents: 9000,
      vatCents: 1710,
      totalCents: 10_710,
      payableCents: 10_710,
      lines: [{ quantity: 2, netCents: 9000 }],
      warnings: [],
    })
    expect(xml.toString()).toMatch(/TypeCode>381</)
    expect(xml.toString()).toContain(invoice.number)
    expect(schemaFaults(xml, syntax)).toBe('')
    const text = await pdfOf(correction.id)
    expect(text).toContain('Korrekturbetrag zu Ihren Gunsten 107,10 EUR')
    expect(text).not.toMatch(/Gutschrift(?!skunde)|-107,10/)
    const more = (await send((await correct(invoice, [shouldBe(invoice.lines[0], 1, 125_000)])).body)).body
    expect((await parseEInvoice((await clerk.get(`invoices/${more.id}/e-invoice/xml`)).raw)).kind).toBe('correction')
  })
})

/** Sent, and its PDF made without a KSeF number. */
async function sentWithout(draft: { id: number; version: number }) {
  const { body: sent, status } = await send(draft)
  expect(status, JSON.stringify(sent)).toBe(200)
  return (await clerk.post(`invoices/${sent.id}/ksef/without`, { reason: 'x' }, { version: sent.version })).body
}

test('a company in Poland compares what was with what should be, in whatever language', { tags: 'long' }, async () => {
  const polish = await polishCompany(app)
  await enterRate(app)
  const draft = await clerk.post('invoices', {
    entityType: 'customer',
    companyId: polish.id,
    billingCustomerId: customerId,
    lines: [{ ...WAITING, vatBp: 2300 }],
  })
  const invoice = await sentWithout(draft.body)
  const correction = await sentWithout((await correct(invoice, [shouldBe(invoice.lines[0], 1, 4500)])).body)
  const text = await pdfOf(correction.id)
  for (const part of [
    'bisher 2 45,00 23 % 90,00',
    'richtig 1 45,00 23 % 45,00',
    'Differenz -45,00',
    '23 %, bisher 90,00',
  ])
    expect(text).toContain(part)
})
