import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { ciiOf, exampleInvoice, hybridPdf, ublOf } from '../../../test/e-invoice-examples.ts'
import { orderWorld, plainOrder } from '../../../test/order-examples.ts'
import { onlyLong } from '../../../test/model-runs.ts'
import { encodeForm, upload } from '../../../test/upload.ts'

const app = useTestApp()
let orderId: number
let carrier: { id: number; title: string }
let clerk: Caller
let dispatcher: Caller

beforeAll(async () => {
  const world = await orderWorld(app)
  const customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  orderId = (await app.admin.post('orders', plainOrder(world, customerId))).body.id
  const found = (await app.admin.get(`carrier-companies/${world.carrier.id}`)).body
  carrier = { id: found.id, title: found.title }
  await app.admin.patch(`carrier-companies/${found.id}`, { vatNumber: 'PL5260250274' }, { version: found.version })
  clerk = (await app.userWith('ORDERS_MANAGEMENT', 'INVOICES_PROCESSING')).caller
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
})

const bytesOf = (given: string | Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(given as string))
const send = (given: string | Buffer, name: string, documentType = 'CARRIER_INVOICE') =>
  upload(clerk, { fields: { documentType, orderId }, file: { name, bytes: bytesOf(given) } })
const filesOf = async () =>
  (await clerk.get(`documents?orderId=${orderId}`)).body.items as { id: number; title: string; eInvoice: string }[]
async function read(caller: Caller, given: string | Buffer | null, fields: Record<string, string> = {}) {
  const file = given === null ? {} : { file: { name: 'invoice.xml', bytes: bytesOf(given) } }
  const { body, contentType } = await encodeForm({ fields, ...file })
  return caller.post('invoices/read-e-invoice', body, { headers: { 'content-type': contentType } })
}

describe('refused, and nothing is kept', () => {
  const laughs = ublOf(exampleInvoice()).replace('?>\n', '?>\n<!DOCTYPE Invoice [<!ENTITY a "ha">]>\n')

  test.each([
    ['an XML that is no invoice', '<page/>', 'e_invoice_unknown'],
    ['one with a document type', laughs, 'e_invoice_unsafe'],
    ...onlyLong<[string, string, string]>(() => [
      ['one that is damaged', ublOf(exampleInvoice()).slice(0, -9), 'e_invoice_broken'],
      ['one without its sums', ublOf(exampleInvoice()).replaceAll('1469.13', ''), 'e_invoice_incomplete'],
    ]),
  ])('%s', async (_name, bytes, code) => {
    const answer = await send(bytes, 'invoice.xml')
    expect([answer.status, answer.body.errors[0].path, answer.body.errors[0].code]).toEqual([422, 'file', code])
    expect(await filesOf()).toEqual([])
    expect((await read(clerk, bytes)).body.errors[0].code).toBe(code)
  })

  test('an electronic invoice as anything but an invoice of a carrier', async () => {
    const answer = await send(ublOf(exampleInvoice()), 'invoice.xml', 'OTHER_DOCUMENTS')
    expect([answer.status, answer.body.code]).toEqual([415, 'file_type_not_allowed'])
    expect(await filesOf()).toEqual([])
  })

  test('reading for the form needs the right to invoices, one file and nothing else', async () => {
    expect((await read(app.anonymous, ublOf(exampleInvoice()))).status).toBe(401)
    expect((await read(dispatcher, ublOf(exampleInvoice()))).status).toBe(403)
    expect((await read(clerk, null)).body.errors[0]).toMatchObject({ path: 'file', code: 'required' })
    expect((await read(clerk, ublOf(exampleInvoice()), { orderId: '1' })).body.errors[0].code).toBe('unknown_field')
    expect((await clerk.post('invoices/read-e-invoice', {})).status).toBe(415)
  })
})

describe('an electronic invoice among the files of an order', () => {
  test('is kept byte for byte, downloaded and never shown in place', async () => {
    const xml = Buffer.from(`\ufeff${ublOf(exampleInvoice()).replace('UTF-8', 'UTF-16')}`, 'utf16le')
    const { status, body } = await send(xml, 'RE-0815.bin')
    expect([status, body.title, body.contentType, body.eInvoice]).toEqual([
      201,
      'RE-0815.bin.xml',
      'application/xml',
      'ubl',
    ])
    const file = await clerk.get(`documents/${body.id}/file`, { isBinary: true } as never)
    expect(file.headers['content-disposition']).toMatch(/^attachment;/)
    const { rows } = await app.database.pool.query('select "fileKey" from document where id = $1', [body.id])
    expect((await app.ports.files.read(rows[0].fileKey)).equals(xml)).toBe(true)
    const shown = await clerk.get(`documents/${body.id}/e-invoice`)
    expect([shown.status, shown.body.number, shown.body.totalCents]).toEqual([200, 'RE-2026-0815', 146_913])
  })

  test('may lie in a PDF, which is known by it', { tags: 'long' }, async () => {
    const { body } = await send(await hybridPdf(ciiOf(exampleInvoice())), 'zugferd.pdf')
    expect([body.contentType, body.eInvoice]).toEqual(['application/pdf', 'zugferd'])
    expect((await clerk.get(`documents/${body.id}/e-invoice`)).body.format).toBe('zugferd')
  })

  test('is none where a PDF holds something else, or a broken one', { tags: 'long' }, async () => {
    for (const xml of [null, '<page/>', '<broken']) {
      const { status, body } = await send(await hybridPdf(xml), 'paper.pdf')
      expect([status, body.eInvoice]).toEqual([201, null])
      expect((await clerk.get(`documents/${body.id}/e-invoice`)).status).toBe(404)
    }
  })

  test('is read by whom the file is for, and by nobody else', async () => {
    const { body } = await send(ublOf(exampleInvoice()), 'invoice.xml')
    expect((await dispatcher.get(`documents/${body.id}/e-invoice`)).status).toBe(403)
    expect((await app.anonymous.get(`documents/${body.id}/e-invoice`)).status).toBe(401)
    expect((await clerk.get('documents/999999999/e-invoice')).status).toBe(404)
    const other = (await app.userWith('ASSIGNED_ORDERS', 'INVOICES_PROCESSING')).caller
    expect((await other.get(`documents/${body.id}/e-invoice`)).status).toBe(404)
  })
})

describe('read for the form', () => {
  const polish = exampleInvoice({ seller: { name: 'Żubr Trans', vatNumber: 'PL 526-025-02-74', countryCode: 'PL' } })

  test('gives the values of the header and the carrier by its VAT number', async () => {
    const before = await app.database.pool.query('select count(*) from document')
    const { status, body } = await read(clerk, ublOf(polish))
    expect(status).toBe(200)
    expect(body.values).toEqual({
      number: 'RE-2026-0815',
      amountCents: 123_456,
      vatBp: 1900,
      totalCents: 146_913,
      iban: 'DE89370400440532013000',
      documentCreationDate: '2026-11-03',
      dueDate: '2026-12-03',
      servicePeriodFrom: null,
      servicePeriodTo: null,
    })
    expect(body.carrierCompany).toEqual(carrier)
    expect((await app.database.pool.query('select count(*) from document')).rows).toEqual(before.rows)
  })

  test('leaves out an unknown carrier and a rate of several, and takes amounts in their currency', {
    tags: 'long',
  }, async () => {
    const pln = (await read(clerk, ublOf(exampleInvoice({ currency: 'PLN' })))).body
    expect([pln.carrierCompany, pln.eInvoice.currency]).toEqual([null, 'PLN'])
    expect(pln.values).toMatchObject({ amountCents: 123_456, totalCents: 146_913 })
    const credit = (await read(clerk, ublOf(exampleInvoice({ kind: 'creditNote' })))).body
    expect(credit.values).toMatchObject({ number: 'RE-2026-0815', amountCents: -123_456, totalCents: -146_913 })
    const lines = [1900, 700].map((vatBp) => ({ text: 'Fracht', netCents: 10_000, vatBp, category: 'S' }))
    const mixed = (await read(clerk, ublOf(exampleInvoice({ lines })))).body
    expect(mixed.values).toMatchObject({ amountCents: 20_000, vatBp: null, totalCents: 22_600 })
  })
})
