// What the upload page learns of an electronic invoice that is put on it.
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { ciiOf, exampleInvoice, hybridPdf, ksefOf, ublOf } from '../../../test/e-invoice-examples.ts'
import { onlyLong } from '../../../test/model-runs.ts'
import { carried, orderWorld, plainOrder, shipment } from '../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'

const app = useTestApp()
let clerk: Caller
let newToken: () => Promise<{ token: string; orderId: number }>

beforeAll(async () => {
  const world = await orderWorld(app)
  const customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  clerk = (await app.userWith('ORDERS_MANAGEMENT', 'INVOICES_PROCESSING')).caller
  newToken = async () => {
    const routes = [{ ...carried(world), locationKeys: ['from', 'to'] }]
    const { body } = await clerk.post('orders', plainOrder(world, customerId, { ...shipment(world), routes }))
    const path = `routes/${body.routes[0].id}/upload-link`
    const made = await clerk.post(path, { linkId: null }, { version: body.version })
    return { token: made.body.link.url.split('/').at(-1), orderId: body.id }
  }
})

let calls = 0
const from = () => ({ ip: `2001:db8:9:${((calls += 1)).toString(16)}::1` })
async function send(token: string, name: string, content: string | Buffer, kind = 'invoice'): Promise<Answer> {
  const bytes = Uint8Array.from(typeof content === 'string' ? Buffer.from(content) : content)
  const { body, contentType } = await encodeForm({ fields: { kind }, file: { name, bytes } })
  return app.anonymous.post(`upload-documents/${token}/files`, body, {
    ...from(),
    headers: { 'content-type': contentType },
  })
}

const said = {
  invoiceNumber: 'RE-2026-0815',
  documentCreationDate: '2026-11-03',
  dueDate: '2026-12-03',
  amountCents: 123_456,
  vatBp: 1900,
  totalCents: 146_913,
  iban: 'DE89370400440532013000',
}
const polish = (more: object = {}) =>
  exampleInvoice({
    iban: 'PL61109010140000071219812874',
    lines: [{ text: 'Transport', netCents: 90_000, vatBp: 2300, category: 'S' }],
    seller: { name: 'Trans Sp. z o.o.', vatNumber: 'PL7811897358', countryCode: 'PL' },
    ...more,
  })

describe('refused, and not kept', () => {
  test.each([
    ['a credit note', () => ublOf(exampleInvoice({ kind: 'creditNote' }))],
    [
      'a correction that takes away',
      () =>
        ublOf(
          exampleInvoice({
            kind: 'correction',
            lines: [{ text: 'Fracht', netCents: -5000, vatBp: 1900, category: 'S' }],
          }),
        ),
    ],
    ['a credit note in a PDF', () => hybridPdf(ciiOf(exampleInvoice({ kind: 'creditNote' })))],
  ])('%s', async (_name, made) => {
    const { token } = await newToken()
    const before = (await app.ports.fileStore.kept()).length
    const answer = await send(token, 'FV.xml', await made())
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [{ path: 'file', code: 'upload_credit_note', message: expect.stringContaining('credit note') }],
    ])
    expect((await app.ports.fileStore.kept()).length).toBe(before)
    expect((await app.anonymous.get(`upload-documents/${token}`, from())).body.files).toEqual([])
  })
})

describe('the answer to a file', () => {
  test.each([
    ['ubl', 'FV.xml', () => ublOf(exampleInvoice())],
    ['cii', 'FV.xml', () => ciiOf(exampleInvoice())],
    ['zugferd', 'FV.pdf', () => hybridPdf(ciiOf(exampleInvoice()))],
  ])('says what an invoice as %s says', async (format, name, made) => {
    const { token } = await newToken()
    const answer = await send(token, name, await made())
    expect([answer.status, answer.body.read]).toEqual([
      201,
      { format, currency: 'EUR', values: said, otherBuyer: null },
    ])
  })

  test.each([3, ...onlyLong(() => [2] as const)] as const)(
    'says what an invoice as FA(%i) of KSeF says',
    async (form) => {
      const { token } = await newToken()
      const answer = await send(token, 'FV.xml', ksefOf(polish(), form))
      expect(answer.body.read).toMatchObject({
        format: 'ksef',
        values: { amountCents: 90_000, vatBp: 2300, totalCents: 110_700, iban: 'PL61109010140000071219812874' },
        otherBuyer: null,
      })
    },
  )

  test('says nothing where there is nothing to read', async () => {
    const { token } = await newToken()
    const paper = FILES.text('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
    expect((await send(token, 'FV.pdf', Buffer.from(paper))).body).toMatchObject({ title: 'FV.pdf', read: null })
    // A proof of delivery is never read, whatever is in it.
    const hybrid = await hybridPdf(ciiOf(exampleInvoice()))
    expect((await send(token, 'CMR.pdf', hybrid, 'pod')).body).toMatchObject({ kind: 'pod', read: null })
  })

  test('leaves out what the invoice does not say, and takes amounts in the currency that it says', {
    tags: 'long',
  }, async () => {
    const { token } = await newToken()
    const bare = await send(token, 'a.xml', ublOf(exampleInvoice({ dueDate: null, iban: null })))
    expect(bare.body.read.values).toEqual({ ...said, dueDate: null, iban: null })
    const zloty = await send(token, 'b.xml', ublOf(exampleInvoice({ currency: 'PLN' })))
    expect(zloty.body.read).toMatchObject({
      currency: 'PLN',
      values: said,
    })
  })

  test('names the buyer where that is not us', async () => {
    const { token } = await newToken()
    const buyer = { name: 'Nordlicht Maschinenbau GmbH', vatNumber: 'DE136695976', countryCode: 'DE' }
    const answer = await send(token, 'FV.xml', ublOf(exampleInvoice({ buyer })))
    expect([answer.status, answer.body.read.otherBuyer]).toEqual([201, 'Nordlicht Maschinenbau GmbH, DE136695976'])
  })

  test('says the same to a repeat, whose first answer may be lost, and no reading of the page says it', async () => {
    const { token } = await newToken()
    const xml = ublOf(exampleInvoice())
    const first = await send(token, 'FV.xml', xml)
    expect((await send(token, 'FV.xml', xml)).body).toEqual(first.body)
    const { body } = await app.anonymous.get(`upload-documents/${token}`, from())
    expect(body.files).toHaveLength(1)
    expect(JSON.stringify(body)).not.toContain(said.iban)
  })
})

test('what is sent is kept as an electronic invoice, with the values that the carrier confirmed', async () => {
  const { token, orderId } = await newToken()
  const { body } = await send(token, 'FV.xml', ksefOf(polish()))
  const { read } = body
  const sent = await app.anonymous.post(
    `upload-documents/${token}`,
    { ...read.values, vatBp: 2300, dueDate: null },
    from(),
  )
  expect([sent.status, sent.body.page?.invoice?.number]).toEqual([200, 'RE-2026-0815'])
  const { items } = (await clerk.get(`invoices?orderId[]=${orderId}&entityType=carrier`)).body
  expect(items).toMatchObject([{ number: 'RE-2026-0815', totalCents: 110_700, status: 'received' }])
  const { body: documents } = await clerk.get(`documents?invoiceId=${items[0].id}`)
  expect(documents.items).toMatchObject([{ documentType: 'CARRIER_INVOICE', eInvoice: 'ksef' }])
})
