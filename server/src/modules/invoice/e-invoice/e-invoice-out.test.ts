// Electronic invoices to customers: what hinders them, what is made, and what the mail carries (decision 080).
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import {
  differencesOf,
  insideOf,
  LEITWEG,
  readyCompany,
  readyCustomer,
  schemaFaults,
  sendGenerated,
} from '../../../../test/e-invoices/generated-invoices.ts'
import { exampleInvoice, ublOf } from '../../../../test/e-invoice-examples.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { refuseOtherAmounts } from './prove-e-invoice.ts'

const app = useTestApp()
let clerk: Caller
let company: { id: number; version: number }

beforeAll(async () => {
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  company = await readyCompany(app)
})

async function newInvoice(billingCustomerId: number, line: object = {}) {
  const { body, status } = await clerk.post('invoices', {
    entityType: 'customer',
    companyId: company.id,
    billingCustomerId,
    lines: [{ text: 'Fracht', unitPriceCents: 118_000, vatBp: 1900, vatCategory: 'S', ...line }],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; version: number }
}

const send = ({ id, version }: { id: number; version: number }) =>
  clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
const outgoing = async (id: number, caller = clerk) => (await caller.get(`invoices/${id}/e-invoice`)).body
const rowsOf = async (statement: string) => (await app.database.pool.query(statement)).rows
const lastNumber = async () => (await rowsOf('select coalesce(sum(last), 0)::int as last from invoice_counter'))[0].last
const changeCompany = async (values: object) => {
  const { version } = (await app.admin.get(`companies/${company.id}`)).body
  const answer = await app.admin.patch(`companies/${company.id}`, values, { version })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

describe('refusals', () => {
  test('an XRechnung without buyer reference gets no number, and the finding names the field', async () => {
    const customerId = await readyCustomer(app, 'xrechnungUbl', { title: 'Amt ohne Leitweg', buyerReference: null })
    const [draft, before] = [await newInvoice(customerId), await lastNumber()]
    const finding = {
      rule: 'BR-DE-15',
      message: 'The buyer reference is missing (of public customers their Leitweg-ID)',
      record: 'customer',
      recordId: customerId,
      path: 'buyerReference',
    }
    expect((await outgoing(draft.id)).findings).toEqual([finding])
    const { status, body } = await send(draft)
    expect([status, body.code, body.errors]).toEqual([
      422,
      'validation',
      [{ path: 'customer.buyerReference', code: 'e_invoice_rule', message: `${finding.message} (BR-DE-15)` }],
    ])
    const handedOver = await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
    expect([handedOver.status, handedOver.body.code]).toEqual([422, 'validation'])
    expect(await lastNumber()).toBe(before)

    const { version } = (await app.admin.get(`customers/${customerId}`)).body
    await app.admin.patch(`customers/${customerId}`, { buyerReference: LEITWEG }, { version })
    expect((await outgoing(draft.id)).findings).toEqual([])
    expect((await send(draft)).body).toMatchObject({ status: 'sent', paper: 'made' })
  })

  test('what is missing at a billing address is led to there', async () => {
    const countryId = await app.idOf('country', 'code', 'DE')
    const customerId = await readyCustomer(app, 'xrechnungCii', {
      title: 'Amt mit Postfach',
      billingAddress: { title: 'Amt, Kasse', address: 'Postfach 1', postal: null, city: 'Bonn', countryId },
    })
    const draft = await newInvoice(customerId)
    expect((await send(draft)).body.errors).toMatchObject([{ path: 'customer.billingAddress.postal' }])
  })

  test('what our company lacks is led to its form', async () => {
    const draft = await newInvoice(await readyCustomer(app, 'xrechnungCii', { title: 'Amt Süd' }))
    await changeCompany({ eInvoiceContact: null, eInvoiceAddress: null })
    try {
      expect((await send(draft)).body.errors.map(({ path }: { path: string }) => path)).toEqual([
        'company.eInvoiceAddress',
        'company.eInvoiceContact.fullName',
        'company.eInvoiceContact.phone',
        'company.eInvoiceContact.email',
      ])
    } finally {
      await readyCompany(app)
    }
  })

  test('categories that are only received, and kinds of addresses that there are not', async () => {
    const customerId = await readyCustomer(app, 'zugferd', { title: 'Empfänger Z' })
    for (const vatCategory of ['G', 'K']) {
      const line = { text: 'x', unitPriceCents: 1, vatBp: 0, vatCategory }
      const body = { entityType: 'customer', companyId: company.id, billingCustomerId: customerId, lines: [line] }
      expect((await clerk.post('invoices', body)).status).toBe(422)
    }
    const { version } = (await app.admin.get(`customers/${customerId}`)).body
    for (const wrong of [{ eInvoiceScheme: '9999' }, { eInvoiceFormat: 'ebInterface' }])
      expect((await app.admin.patch(`customers/${customerId}`, wrong, { version })).status).toBe(422)
    const unknown = await app.admin.patch(
      `companies/${company.id}`,
      { eInvoiceScheme: '9999' },
      { version: (await app.admin.get(`companies/${company.id}`)).body.version },
    )
    expect(unknown.body.errors).toMatchObject([{ path: 'eInvoiceScheme', code: 'invalid_value' }])
  })

  test('a Leitweg-ID with wrong check digits', async () => {
    const customerId = await readyCustomer(app, 'pdf', { title: 'Amt Ziffer' })
    const { version } = (await app.admin.get(`customers/${customerId}`)).body
    const wrong = { eInvoiceAddress: '04011000-1234512345-60' }
    const { status, body } = await app.admin.patch(`customers/${customerId}`, wrong, { version })
    expect([status, body.errors]).toMatchObject([422, [{ path: 'eInvoiceAddress', code: 'invalid_leitweg_id' }]])
  })

  test('nothing is made that says another amount than the row', async () => {
    const sums = { amountCents: 100, vatCents: 19, totalCents: 119 }
    await expect(refuseOtherAmounts({ ...sums, printed: sums }, null)).resolves.toBeUndefined()
    for (const name of ['amountCents', 'vatCents', 'totalCents'] as const)
      await expect(refuseOtherAmounts({ ...sums, printed: { ...sums, [name]: 1 } }, null)).rejects.toThrow('amounts')
    const bytes = Buffer.from(ublOf(exampleInvoice()))
    const xml = { bytes, eInvoice: 'ubl', inPdf: undefined } as const
    await expect(refuseOtherAmounts({ ...sums, printed: sums }, xml)).rejects.toThrow('amounts')
  })

  test('a changed address between proof and number is noticed', async () => {
    const customerId = await readyCustomer(app, 'xrechnungCii', { title: 'Amt West' })
    const [draft, before] = [await newInvoice(customerId), await lastNumber()]
    const { invoicePdf } = app.ports
    app.ports.invoicePdf = async (...given) => {
      const { version } = (await app.admin.get(`customers/${customerId}`)).body
      await app.admin.patch(`customers/${customerId}`, { buyerReference: `REF ${version}` }, { version })
      return invoicePdf(...given)
    }
    const { status, body } = await send(draft)
    app.ports.invoicePdf = invoicePdf
    expect([status, body.code, await lastNumber()]).toEqual([409, 'stale_version', before])
  })

  test('an XML of a draft, of a plain PDF, and for who may not see invoices', async () => {
    const plain = await newInvoice(await readyCustomer(app, 'pdf', { title: 'Empfänger P' }))
    const draft = await newInvoice(await readyCustomer(app, 'zugferd', { title: 'Empfänger D' }))
    expect((await send(plain)).status).toBe(200)
    expect(await outgoing(plain.id)).toMatchObject({ format: 'pdf', xml: null, pdf: { title: /\.pdf$/ as unknown } })
    for (const { id } of [plain, draft]) expect((await clerk.get(`invoices/${id}/e-invoice/xml`)).status).toBe(404)
    const other = (await app.userWith('ORDERS_MANAGEMENT')).caller
    for (const path of ['', '/xml']) expect((await other.get(`invoices/${draft.id}/e-invoice${path}`)).status).toBe(403)
  })

  test('the role that serves changes nothing of what was made', async () => {
    const sent = await newInvoice(await readyCustomer(app, 'xrechnungUbl', { title: 'Amt Fest' }))
    expect((await send(sent)).status).toBe(200)
    for (const statement of [
      `update invoice_artifact set sha256 = repeat('0', 64) where "invoiceId" = ${sent.id}`,
      `delete from invoice_artifact where "invoiceId" = ${sent.id}`,
      'truncate invoice_artifact',
      `insert into invoice_artifact select "invoiceId", 'xml', "documentId", sha256, "sizeBytes", "madeAt"
        from invoice_artifact where "invoiceId" = ${sent.id} and kind = 'pdf'`,
      `update document set title = 'x' where id in
        (select "documentId" from invoice_artifact where "invoiceId" = ${sent.id})`,
    ]) {
      await expect(app.database.pool.query(statement)).rejects.toThrow()
      await expect(app.asOwner(statement)).rejects.toThrow(/frozen|document \d+|invoice/)
    }
    expect(await rowsOf('select * from invoice_seal_faults()')).toEqual([])
  })
})

describe('what is made', () => {
  test('an XRechnung is stored by its hash, comes down byte for byte, and goes before the PDF', async () => {
    const draft = await newInvoice(await readyCustomer(app, 'xrechnungUbl', { title: 'Amt Ost' }))
    const before = await clerk.post('emails/preview', { type: 'invoice', invoiceId: draft.id })
    expect(before.body.attachments.map(({ title }: { title: string }) => title.slice(-4))).toEqual(['.xml', '.pdf'])
    const { body } = await send(draft)
    const { status, raw, headers } = await clerk.get(`invoices/${draft.id}/e-invoice/xml`)
    expect([status, headers['content-type']]).toEqual([200, 'application/xml'])
    expect(headers['content-disposition']).toContain(`attachment; filename="Rechnung_${body.number}_Amt Ost.xml"`)
    const shown = await outgoing(draft.id)
    expect(shown).toMatchObject({ format: 'xrechnungUbl', buyerReference: LEITWEG, findings: [] })
    expect(shown.xml).toMatchObject({ sha256: createHash('sha256').update(raw).digest('hex'), sizeBytes: raw.length })
    expect(raw.toString()).toContain('<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>')
    expect(schemaFaults(raw, 'ubl')).toBe('')
    const [mail] = (await clerk.get(`emails?invoiceId=${draft.id}`)).body.items
    const { attachments } = (await clerk.get(`emails/${mail.id}`)).body
    expect(attachments.map(({ title }: { title: string }) => title)).toEqual([
      `Rechnung_${body.number}_Amt Ost.xml`,
      `Rechnung_${body.number}_Amt Ost.pdf`,
    ])
    // A further mail proposes both again.
    const later = await clerk.post('emails/preview', { type: 'invoice', invoiceId: draft.id })
    expect(later.body.attachments.map(({ title }: { title: string }) => title).toSorted()).toEqual([
      `Rechnung_${body.number}_Amt Ost.pdf`,
      `Rechnung_${body.number}_Amt Ost.xml`,
    ])
  })

  test('ZUGFeRD is one PDF/A-3b that carries its XML and says so', async () => {
    const draft = await newInvoice(await readyCustomer(app, 'zugferd', { title: 'Nord & Süd <AG>' }))
    const { body } = await send(draft)
    const { raw: pdf } = await clerk.get(`invoices/${draft.id}/document`)
    const { files, relationship, xmp, hasId, outputIntents } = await insideOf(pdf)
    expect([files, relationship, hasId, outputIntents]).toEqual([1, '/Alternative', true, 1])
    expect(xmp).toContain('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>')
    expect(xmp).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>')
    expect(xmp).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>')
    expect(xmp).toContain(
      '<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>',
    )
    expect(xmp.match(/<pdfaExtension:schemas>/g)).toHaveLength(1)
    expect(await differencesOf(app, { id: draft.id, format: 'zugferd' })).toEqual([])
    const [mail] = (await clerk.get(`emails?invoiceId=${draft.id}`)).body.items
    const { attachments } = (await clerk.get(`emails/${mail.id}`)).body
    expect(attachments.map(({ title }: { title: string }) => title)).toEqual([
      `Rechnung_${body.number}_Nord & Süd -AG-.pdf`,
    ])
  })

  test('a correction is of type 384, bears negative amounts, and names the original', async () => {
    const draft = await newInvoice(await readyCustomer(app, 'xrechnungCii', { title: 'Amt Mitte' }))
    const { body: original } = await send(draft)
    const { body: correction } = await clerk.post(
      `invoices/${draft.id}/correction`,
      { reason: 'storniert' },
      { version: original.version },
    )
    expect((await send(correction)).status).toBe(200)
    const xml = (await clerk.get(`invoices/${correction.id}/e-invoice/xml`)).raw.toString()
    expect(xml).toContain('<ram:TypeCode>384</ram:TypeCode>')
    expect(xml).toContain('<ram:GrandTotalAmount>-1404.20</ram:GrandTotalAmount>')
    expect(xml).toContain('<ram:BilledQuantity unitCode="C62">-1</ram:BilledQuantity>')
    expect(xml).toContain(`<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>${original.number}<`)
    expect(await differencesOf(app, { id: correction.id, format: 'xrechnungCii' })).toEqual([])
  })

  test('Skonto is said in words, and to an authority in the form that its programs read', {
    tags: 'long',
  }, async () => {
    const skonto = [
      { percentBp: 300, days: 7 },
      { percentBp: 150, days: 14 },
    ]
    const termsOf = async (format: 'xrechnungUbl' | 'xrechnungCii' | 'zugferd') => {
      const sent = await newInvoice(await readyCustomer(app, format, { title: `Skonto ${format}`, skonto }))
      expect((await send(sent)).status).toBe(200)
      expect(await differencesOf(app, { id: sent.id, format })).toEqual([])
      const { raw } = await clerk.get(`invoices/${sent.id}/e-invoice/xml`)
      expect(schemaFaults(raw, format === 'xrechnungUbl' ? 'ubl' : 'cii')).toBe('')
      const terms = /<cac:PaymentTerms>.*<\/cac:PaymentTerms>|<ram:Description>Zahlbar.*?<\/ram:Description>/s
      return raw.toString().match(terms)![0]
    }
    // BR-DE-18: a line for each step, and a line break behind the last.
    const steps = '\n#SKONTO#TAGE=7#PROZENT=3.00#\n#SKONTO#TAGE=14#PROZENT=1.50#\n<'
    for (const format of ['xrechnungUbl', 'xrechnungCii'] as const) expect(await termsOf(format)).toContain(steps)
    expect(await termsOf('zugferd')).toMatch(
      /netto\n3\s% Skonto bei Zahlung bis \d\d\.\d\d\.\d{4}\n1,5\s% Skonto bei Zahlung bis \d\d\.\d\d\.\d{4}\n</,
    )
  })

  test('outside the scope of VAT the tax number names us, and no VAT number stands there', async () => {
    const customerId = await readyCustomer(app, 'xrechnungUbl', { title: 'Amt Bern', vatNumber: 'DE136695976' })
    const draft = await newInvoice(customerId, { vatBp: 0, vatCategory: 'O' })
    expect((await send(draft)).status).toBe(200)
    const xml = (await clerk.get(`invoices/${draft.id}/e-invoice/xml`)).raw.toString()
    expect(xml).toContain('<cbc:CompanyID>48/123/45678</cbc:CompanyID><cac:TaxScheme><cbc:ID>FC</cbc:ID>')
    expect(xml).not.toMatch(/DE811907980|DE136695976/)
  })

  test('twelve generated invoices and corrections say the same as row, XML and PDF', async () => {
    const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
    console.log(`electronic invoices: WAYBILL_SEED=${seed}`)
    await app.database.pool.query('update customer set "vatNumber" = null')
    for (const one of await sendGenerated(app, seed, 12))
      expect(await differencesOf(app, one), `seed ${one.seed}, ${one.format}, invoice ${one.id}`).toEqual([])
  })
})
