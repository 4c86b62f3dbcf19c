// Corrections of a company in Poland: FA(3) with lines before and after, and what they wait for (decision 088).
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startFakeKsef } from '../../../../test/ksef/fake-ksef.ts'
import { enterRate, fa3Faults, ksefNumber, newCustomer, polishCompany } from '../../../../test/ksef/polish-company.ts'
import { makeKeys } from '../../../../test/ksef/test-keys.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { parseEInvoice } from '../../e-invoice/index.ts'
import { createKsef } from './interface/ksef-interface.ts'
import { submitInvoice } from './interface/submit-to-ksef.ts'

const app = useTestApp()
const keys = makeKeys({ kind: 'ec', name: 'Waybill Polska' })
let ksef: Awaited<ReturnType<typeof startFakeKsef>>
let clerk: Caller
let companyId: number
let polish: number

beforeAll(async () => {
  ksef = await startFakeKsef([keys])
  app.ports.ksef = { test: createKsef({ url: ksef.url }), production: createKsef({ url: 'http://127.0.0.1:9' }) }
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  companyId = (await polishCompany(app, { ksefMode: 'test' })).id
  await app.admin.put(`companies/${companyId}/ksef-certificates/authentication`, keys)
  polish = await newCustomer(app, 'PL', { vatNumber: 'PL5260250274' })
  await enterRate(app)
})
afterAll(() => ksef.close())

interface Draft {
  id: number
  version: number
}
const VAT = { vatBp: 2300, vatCategory: 'S' }
const FREIGHT = { text: 'Transport', unitPriceCents: 100_000, ...VAT }
const WAITING = { text: 'Postój', quantity: 3, unitPriceCents: 4500, ...VAT }
const go = (id: number) => submitInvoice(jobContext(app), id)
const get = async (id: number) => (await clerk.get(`invoices/${id}`)).body
const outgoing = async (id: number) => (await clerk.get(`invoices/${id}/e-invoice`)).body
const xmlOf = async (id: number) => (await clerk.get(`invoices/${id}/e-invoice/xml`)).raw
const saleOf = async (id: number) => (await clerk.get(`invoices/${id}/sale`)).body
const send = ({ id, version }: Draft) => clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
const pdfOf = async (id: number) =>
  execFileSync('pdftotext', ['-layout', '-', '-'], {
    input: (await clerk.get(`invoices/${id}/document`)).raw,
    encoding: 'utf8',
  })
    // Long words may break anywhere.
    .replaceAll('\u200b', '')
    .replace(/ +/g, ' ')

async function numbered(draft: Draft) {
  const { body, status } = await send(draft)
  expect([status, body.number === null], JSON.stringify(body)).toEqual([200, false])
  return body as Draft & { number: string; lines: { id: number }[] }
}
async function newInvoice(billingCustomerId = polish, lines: object[] = [FREIGHT, WAITING]): Promise<Draft> {
  const { body, status } = await clerk.post('invoices', { entityType: 'customer', companyId, billingCustomerId, lines })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function accepted(draft?: Draft) {
  const { id } = await numbered(draft ?? (await newInvoice()))
  await go(id)
  const invoice = await get(id)
  expect([invoice.status, invoice.paper]).toEqual(['sent', 'made'])
  return invoice
}
async function correct({ id, version }: Draft, lines: object[] | null = null): Promise<Draft> {
  const { body, status } = await clerk.post(`invoices/${id}/correction`, { reason: 'Rabat', lines }, { version })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const shouldBe = (line: { id: number }, correctedQuantity: number, correctedUnitPriceCents: number) => ({
  ...WAITING,
  correctsLineId: line.id,
  correctedQuantity,
  correctedUnitPriceCents,
})
/** Number, quantity, price, net and mark of each line. */
const rowsOf = (xml: Buffer) =>
  [...xml.toString().matchAll(/<FaWiersz>(.*?)<\/FaWiersz>/g)].map(([, row]) =>
    ['NrWierszaFa', 'P_8B', 'P_9A', 'P_11', 'StanPrzed'].map((name) => row!.split(`<${name}>`)[1]?.split('<')[0] ?? ''),
  )

describe('what waits for KSeF', () => {
  test('a correction waits for another one that is on its way, says which, and takes no number', {
    tags: 'long',
  }, async () => {
    const original = await accepted()
    const first = await numbered(await correct(original))
    const other = await correct(original, [{ ...FREIGHT, text: 'Dopłata' }])
    expect((await outgoing(other.id)).ksef.waitsFor).toEqual({ id: first.id, title: first.number })
    expect((await send(other)).body.code).toBe('ksef_correction_undecided')
    await go(first.id)
    expect((await outgoing(first.id)).ksef).toMatchObject({ state: 'accepted', waitsFor: null })
  })

  test('a correction that KSeF has not decided changes nothing of the sale', { tags: 'long' }, async () => {
    const original = await accepted()
    const before = await saleOf(original.id)
    const correction = await numbered(await correct(original, [shouldBe(original.lines[1], 1, 4500)]))
    const meanwhile = await saleOf(original.id)
    expect([meanwhile.owedCents, meanwhile.billed]).toEqual([before.owedCents, before.billed])
    expect(meanwhile.documents).toMatchObject([
      { id: original.id, isAtKsef: false },
      { id: correction.id, status: 'created', isAtKsef: true, invoiceDate: null },
    ])
    // What is drafted meanwhile starts from what was accepted, and is written anew afterwards.
    const second = await correct(original, [shouldBe(original.lines[1], 0, 4500)])
    expect((await saleOf(original.id)).documents.at(-1)).toMatchObject({ id: second.id, isAtKsef: false })
    expect(await get(second.id)).toMatchObject({ amountCents: -13_500 })
    await go(correction.id)
    expect((await saleOf(original.id)).owedCents).toBe(before.owedCents - 11_070)
    expect((await send(second)).body.code).toBe('stale_version')
    expect(await accepted(await get(second.id))).toMatchObject({ amountCents: -4500 })
    expect(rowsOf(await xmlOf(second.id))).toEqual([
      ['1', '1', '45.00', '45.00', '1'],
      ['2', '0', '45.00', '0.00', ''],
    ])
  })
})

describe('a correction in FA(3)', () => {
  test('has each line as it was and as it is to be; its sums are the differences', { tags: 'long' }, async () => {
    const original = await accepted()
    const { number } = (await outgoing(original.id)).ksef
    const correction = await accepted(
      await correct(original, [
        shouldBe(original.lines[1], 1, 4000),
        { ...FREIGHT, text: 'Opłata drogowa', unitPriceCents: 2500 },
      ]),
    )
    const xml = await xmlOf(correction.id)
    expect(fa3Faults(xml)).toBe('')
    expect(rowsOf(xml)).toEqual([
      ['1', '3', '45.00', '135.00', '1'],
      ['2', '1', '40.00', '40.00', ''],
      ['3', '1', '25.00', '25.00', ''],
    ])
    const text = xml.toString()
    for (const piece of [
      '<RodzajFaktury>KOR</RodzajFaktury>',
      '<P_13_1>-70.00</P_13_1><P_14_1>-16.10</P_14_1>',
      '<P_15>-86.10</P_15>',
      `<NrKSeFFaKorygowanej>${number}</NrKSeFFaKorygowanej>`,
    ])
      expect(text).toContain(piece)
    expect(await parseEInvoice(xml)).toMatchObject({
      kind: 'correction',
      netCents: -7000,
      vatCents: -1610,
      warnings: [],
    })
    expect(await pdfOf(correction.id)).toContain(`Numer KSeF faktury korygowanej: ${number}`)
  })

  test('in full takes every line to zero', async () => {
    const original = await accepted()
    const correction = await accepted(await correct(original))
    const xml = await xmlOf(correction.id)
    expect(fa3Faults(xml)).toBe('')
    expect(rowsOf(xml)).toEqual([
      ['1', '1', '1000.00', '1000.00', '1'],
      ['2', '0', '1000.00', '0.00', ''],
      ['3', '3', '45.00', '135.00', '1'],
      ['4', '0', '45.00', '0.00', ''],
    ])
    expect((await get(original.id)).status).toBe('canceled')
  })

  test('goes as KOR to a customer that demands credit notes, with its signs and its own name', {
    tags: 'long',
  }, async () => {
    const german = await newCustomer(app, 'DE', { vatNumber: 'DE136695976', language: 'de', creditNotes: true })
    const original = await accepted(await newInvoice(german, [{ ...FREIGHT, vatBp: 0, vatCategory: 'AE' }]))
    const draft = await correct(original)
    const preview = await clerk.post('emails/preview', { type: 'invoice_correction', invoiceId: draft.id })
    expect(preview.status, JSON.stringify(preview.body)).toBe(200)
    expect(JSON.stringify(preview.body)).not.toMatch(/Gutschrift/i)
    const correction = await accepted(draft)
    expect((await xmlOf(correction.id)).toString()).toContain('<RodzajFaktury>KOR</RodzajFaktury>')
    const text = await pdfOf(correction.id)
    expect(text).toContain('-1.000,00 EUR')
    expect(text).not.toContain('Gutschrift')
    const files = (await clerk.get(`documents?invoiceId=${correction.id}`)).body.items
    expect(files.map(({ title }: { title: string }) => title).join()).toContain('Stornorechnung')
  })

  test('of an invoice that went without a number says that this was issued outside of KSeF', {
    tags: 'long',
  }, async () => {
    const hand = await polishCompany(app, { code: 'WBPH', invoiceNumberPattern: 'WPH/{N}/{YYYY}', ksefMode: 'file' })
    const { body: draft } = await clerk.post('invoices', {
      entityType: 'customer',
      companyId: hand.id,
      billingCustomerId: polish,
      lines: [FREIGHT],
    })
    const original = await numbered(draft)
    const waiting = await correct(original)
    expect((await outgoing(waiting.id)).ksef.waitsFor).toEqual({ id: original.id, title: original.number })
    expect((await send(waiting)).body.code).toBe('ksef_number_awaited')
    await clerk.post(`invoices/${original.id}/ksef/without`, { reason: 'awaria' }, { version: original.version })
    expect((await outgoing(waiting.id)).ksef.waitsFor).toBe(null)
    const { id, version } = await numbered(waiting)
    const xml = (await xmlOf(id)).toString()
    expect(xml).toContain('<NrKSeFN>1</NrKSeFN>')
    expect(xml).not.toContain('NrKSeFFaKorygowanej')
    await clerk.post(`invoices/${id}/ksef/number`, { number: ksefNumber() }, { version })
    expect(await pdfOf(id)).not.toContain('Numer KSeF faktury korygowanej')
  })
})
