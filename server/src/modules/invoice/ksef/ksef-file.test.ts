// Invoices of a company in Poland whose files somebody hands over to KSeF (decision 085).
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { enterRate, fa3Faults, ksefNumber, newCustomer, polishCompany } from '../../../../test/ksef/polish-company.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { parseEInvoice } from '../../e-invoice/index.ts'

const app = useTestApp()
let clerk: Caller
let company: { id: number; version: number }
let polish: number
let german: number

beforeAll(async () => {
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  company = await polishCompany(app)
  polish = await newCustomer(app, 'PL', { vatNumber: 'PL5260250274' })
  german = await newCustomer(app, 'DE', { vatNumber: 'DE136695976', eInvoiceFormat: 'zugferd' })
})

const polishCustomer = () => polish
const germanCustomer = () => german

async function newInvoice(billingCustomerId: number, line: object = {}, more: object = {}) {
  const { body, status } = await clerk.post('invoices', {
    entityType: 'customer',
    companyId: company.id,
    billingCustomerId,
    lines: [{ text: 'Transport 26-01758', unitPriceCents: 109_000, vatBp: 2300, vatCategory: 'S', ...line }],
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; version: number }
}
const abroad = () => newInvoice(german, { vatBp: 0, vatCategory: 'AE' })
const send = ({ id, version }: { id: number; version: number }) =>
  clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
async function sent(draft: { id: number; version: number }) {
  const { body, status } = await send(draft)
  expect([status, body.status, body.paper], JSON.stringify(body)).toEqual([200, 'sent', 'awaits_ksef'])
  return body as { id: number; version: number; number: string; invoiceDate: string }
}
const outgoing = async (id: number) => (await clerk.get(`invoices/${id}/e-invoice`)).body
const xmlOf = async (id: number) => (await clerk.get(`invoices/${id}/e-invoice/xml`)).raw
const mailOf = async (id: number) => (await clerk.get(`emails?invoiceId=${id}`)).body.items[0]
const type = ({ id, version }: { id: number; version: number }, number: string) =>
  clerk.post(`invoices/${id}/ksef/number`, { number }, { version })
const rowsOf = async (statement: string) => (await app.database.pool.query(statement)).rows
const lastNumber = async () => (await rowsOf('select coalesce(sum(last), 0)::int as last from invoice_counter'))[0].last

describe('refusals', () => {
  test('KSeF is for companies in Poland, and for them always', async () => {
    const path = `companies/${company.id}`
    const { version } = (await app.admin.get(path)).body
    const off = await app.admin.patch(path, { ksefMode: 'off' }, { version })
    expect([off.status, off.body.errors]).toMatchObject([422, [{ path: 'ksefMode', code: 'ksef_in_poland' }]])
    const other = (await app.admin.get('companies')).body.items.find(({ id }: { id: number }) => id !== company.id)
    expect(other.ksefMode).toBe('off')
    const elsewhere = await app.admin.patch(`companies/${other.id}`, { ksefMode: 'file' }, { version: other.version })
    expect([elsewhere.status, elsewhere.body.errors]).toMatchObject([422, [{ path: 'ksefMode' }]])
  })

  test('without the rate of the day no number is given, and the finding names the day', async () => {
    const draft = await newInvoice(polish, {}, { servicePeriodFrom: '2026-01-02', servicePeriodTo: '2026-01-07' })
    const before = await lastNumber()
    const { status, body } = await send(draft)
    expect([status, body.errors]).toMatchObject([
      422,
      [{ path: 'exchangeRate', code: 'e_invoice_rule', message: /NBP’s table A of 5 Jan 2026/ as unknown }],
    ])
    const shown = await outgoing(draft.id)
    expect(shown).toMatchObject({ format: 'ksef', ksef: { mode: 'file', state: null, rateMissing: '2026-01-05' } })
    expect(await lastNumber()).toBe(before)
  })

  test('a rate of a day without a table, and a table of another year', async () => {
    const rate = { tableNumber: '1/A/NBP/2026', rateE4: 42_000 }
    expect((await clerk.put('nbp-rates/2026-01-06', rate)).body.errors).toMatchObject([{ path: 'day' }])
    expect((await clerk.put('nbp-rates/2027-01-05', rate)).body.errors).toMatchObject([{ path: 'tableNumber' }])
    const other = (await app.userWith('ORDERS_MANAGEMENT')).caller
    expect((await other.put('nbp-rates/2026-01-05', rate)).status).toBe(403)
  })

  test('rates that Poland does not have, and a seller without a right NIP', async () => {
    await enterRate(app)
    const draft = await newInvoice(polish, { vatBp: 1900 })
    expect((await send(draft)).body.errors).toMatchObject([{ path: 'lines.0.vatBp', code: 'e_invoice_rule' }])
    const path = `companies/${company.id}`
    const patch = async (vatNumber: string) =>
      app.admin.patch(path, { vatNumber }, { version: (await app.admin.get(path)).body.version })
    await app.database.pool.query(`update company set "vatNumber" = 'PL7822345673' where id = ${company.id}`)
    const second = await newInvoice(polish)
    expect((await send(second)).body.errors).toMatchObject([{ path: 'company.vatNumber' }])
    expect((await patch('PL7822345674')).status).toBe(200)
  })

  test('numbers with wrong check signs, of other sellers, twice, and where none is awaited', {
    tags: 'long',
  }, async () => {
    const [one, other] = [await sent(await abroad()), await sent(await abroad())]
    const number = ksefNumber()
    const codes = async (asked: typeof one, typed: string) => (await type(asked, typed)).body.errors
    expect(await codes(one, `${number.slice(0, 33)}ZZ`)).toMatchObject([{ code: 'invalid_ksef_number' }])
    expect(await codes(one, ksefNumber('5260250274'))).toMatchObject([{ path: 'number', code: 'invalid_ksef_number' }])
    expect((await type({ ...one, version: 1 }, number)).status).toBe(409)
    const { status, body } = await type(one, number)
    expect([status, body.paper]).toEqual([200, 'made'])
    expect((await type(body, ksefNumber())).body.code).toBe('conflict')
    expect(await codes(other, number)).toMatchObject([{ path: 'number', code: 'taken' }])
    const draft = await abroad()
    expect((await type(draft, ksefNumber())).body.code).toBe('conflict')
    const blind = (await app.userWith('ORDERS_MANAGEMENT')).caller
    expect((await blind.post(`invoices/${other.id}/ksef/number`, { number }, { version: 2 })).status).toBe(403)
  })

  test('a correction waits for the number of its original', async () => {
    const original = await sent(await abroad())
    const { body: correction } = await clerk.post(
      `invoices/${original.id}/correction`,
      { reason: 'storno' },
      { version: original.version },
    )
    const before = await lastNumber()
    expect([(await send(correction)).body.code, await lastNumber()]).toEqual(['ksef_number_awaited', before])
  })

  test('the role that serves changes nothing of what KSeF was given', async () => {
    const { id } = await sent(await abroad())
    for (const statement of [
      `update ksef_submission set sha256 = repeat('0', 64) where "invoiceId" = ${id}`,
      `update ksef_submission set mode = 'test' where "invoiceId" = ${id}`,
      `update ksef_submission set state = 'queued' where "invoiceId" = ${id}`,
      `delete from ksef_submission where "invoiceId" = ${id}`,
      'truncate ksef_submission',
      `insert into ksef_submission ("invoiceId", mode, state, "createdAt") values (${id}, 'file', 'awaited', now())`,
      `update document set title = 'x' where id = (select "documentId" from ksef_submission where "invoiceId" = ${id})`,
    ])
      await expect(app.database.pool.query(statement), statement).rejects.toThrow()
  })
})

describe('what is made', () => {
  test('an invoice is sent at once, its mail waits, and both go on with the number', async () => {
    const day = await enterRate(app, 42_662)
    const draft = await newInvoice(polish, { text: 'Transport <26-01758> & żwir\nWrześnia – Landskrona' })
    const invoice = await sent(draft)
    expect((await clerk.get(`invoices/${invoice.id}/document`)).body.code).toBe('paper_missing')
    expect(await mailOf(invoice.id)).toMatchObject({ status: 'planned' })
    const xml = await xmlOf(invoice.id)
    expect(fa3Faults(xml)).toBe('')
    const text = xml.toString()
    for (const piece of [
      '<KodFormularza kodSystemowy="FA (3)" wersjaSchemy="1-0E">FA</KodFormularza>',
      '<NIP>7822345674</NIP>',
      '<NIP>5260250274</NIP>',
      '<P_13_1>1090.00</P_13_1><P_14_1>250.70</P_14_1><P_14_1W>1069.54</P_14_1W><P_15>1340.70</P_15>',
      '<RodzajFaktury>VAT</RodzajFaktury>',
      '<P_7>Transport &lt;26-01758&gt; &amp; żwir Września – Landskrona</P_7>',
      // The rate stands in each line; the field in the head is for invoices of advance payments.
      '<P_12>23</P_12><KursWaluty>4.2662</KursWaluty></FaWiersz>',
      '<NrRB>PL61109010140000071219812874</NrRB>',
    ])
      expect(text).toContain(piece)
    expect(text).not.toContain('KursWalutyZ')
    expect(await parseEInvoice(xml)).toMatchObject({ netCents: 109_000, vatCents: 25_070, totalCents: 134_070 })

    const shown = await outgoing(invoice.id)
    const sha256 = createHash('sha256').update(xml).digest('hex')
    const hashInUrl = Buffer.from(sha256, 'hex').toString('base64url')
    const [year, month, dayOf] = invoice.invoiceDate.split('-')
    expect(shown).toMatchObject({
      format: 'ksef',
      xml: { sha256, sizeBytes: xml.length },
      pdf: null,
      ksef: {
        mode: 'file',
        state: 'awaited',
        number: null,
        url: `https://qr.ksef.mf.gov.pl/invoice/7822345674/${dayOf}-${month}-${year}/${hashInUrl}`,
        rates: [{ day, rateE4: 42_662, grosz: 106_954 }],
        vatGrosz: 106_954,
      },
    })

    const number = ksefNumber()
    const { body } = await type(invoice, ` ${number.toLowerCase()} `)
    expect(body).toMatchObject({ status: 'sent', paper: 'made' })
    const after = await outgoing(invoice.id)
    expect(after).toMatchObject({ ksef: { state: 'accepted', number }, pdf: { title: /\.pdf$/ as unknown } })
    expect(await xmlOf(invoice.id)).toEqual(xml)
    const mail = await mailOf(invoice.id)
    expect(mail.status).not.toBe('planned')
    const { attachments } = (await clerk.get(`emails/${mail.id}`)).body
    expect(attachments.map(({ title }: { title: string }) => title.slice(-4))).toEqual(['.pdf'])
    expect(await rowsOf('select * from invoice_seal_faults()')).toEqual([])
    const history = (await clerk.get(`audit-entries?invoiceId=${invoice.id}`)).body.items
    const entry = history.find(({ action }: { action: string }) => action === 'ksefNumbered')
    expect(entry.changes).toEqual([{ path: 'ksefNumber', from: null, to: number }])
  })

  test('what the PDF is drawn from bears code and number, and VAT in złoty', async () => {
    await enterRate(app, 42_662)
    const invoice = await sent(await newInvoice(polish))
    const drawn: unknown[] = []
    const { invoicePdf } = app.ports
    app.ports.invoicePdf = (...given) => {
      drawn.push(given[0].ksefMark)
      return invoicePdf(...given)
    }
    const number = ksefNumber()
    await type(invoice, number)
    app.ports.invoicePdf = invoicePdf
    const { url } = (await outgoing(invoice.id)).ksef
    expect(drawn).toMatchObject([{ number, url, vat: { grosz: 106_954, parts: [{ grosz: 106_954, rate: '4.2662' }] } }])
  })

  test('it can be sent without the number, with a reason', async () => {
    const invoice = await sent(await abroad())
    const without = (reason: string) =>
      clerk.post(`invoices/${invoice.id}/ksef/without`, { reason }, { version: invoice.version })
    expect((await without(' ')).status).toBe(422)
    const { body, status } = await without('klient czeka')
    expect([status, body.paper]).toEqual([200, 'made'])
    expect((await outgoing(invoice.id)).ksef).toMatchObject({ state: 'without', number: null, reason: 'klient czeka' })
    expect((await mailOf(invoice.id)).status).not.toBe('planned')
    expect((await type(body, ksefNumber())).body.code).toBe('conflict')
  })

  test('the XML of a customer abroad is KSeF’s, whatever format it wants', async () => {
    const { id } = await sent(await abroad())
    const text = (await xmlOf(id)).toString()
    // Services to taxable persons in other member states are sold under the VAT number of the Union.
    expect(text).toContain('<Podmiot1><PrefiksPodatnika>PL</PrefiksPodatnika><DaneIdentyfikacyjne>')
    expect(text).toContain('<KodUE>DE</KodUE><NrVatUE>136695976</NrVatUE>')
    expect(text).toContain('<P_13_9>1090.00</P_13_9><P_15>1090.00</P_15>')
    expect(text).toContain('<P_18>1</P_18>')
    expect(text).toContain('<P_12>np II</P_12>')
    expect(fa3Faults(Buffer.from(text))).toBe('')
  })

  test.each([
    ['S', 800, 'P_13_2', '8'],
    ['S', 500, 'P_13_3', '5'],
    ['Z', 0, 'P_13_6_1', '0 KR'],
    ['E', 0, 'P_13_7', 'zw'],
    ['O', 0, 'P_13_8', 'np I'],
  ])('category %s at %i is %s, %s', async (vatCategory, vatBp, field, code) => {
    await enterRate(app)
    const notes = vatCategory === 'E' ? 'art. 43 ust. 1 pkt 40 ustawy o VAT' : null
    const { id } = await sent(await newInvoice(polish, { vatCategory, vatBp }, { notes }))
    const xml = await xmlOf(id)
    expect(xml.toString()).toContain(`<${field}>1090.00</${field}>`)
    expect(xml.toString()).toContain(`<P_12>${code}</P_12>`)
    expect(xml.toString()).not.toContain('PrefiksPodatnika')
    if (notes) expect(xml.toString()).toContain(`<P_19>1</P_19><P_19A>${notes}</P_19A>`)
    expect(fa3Faults(xml)).toBe('')
  })

  test.each([
    ['Z', polishCustomer],
    ['AE', germanCustomer],
  ])('an exemption beside %s is named by its own provision alone', async (vatCategory, customer) => {
    const common = { text: 'Transport', unitPriceCents: 50_000, vatBp: 0 }
    const lines = [
      { ...common, vatCategory },
      { ...common, vatCategory: 'E' },
    ]
    const refused = await send(await newInvoice(customer(), {}, { lines }))
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ path: 'notes', code: 'e_invoice_rule' }]])
    const notes = 'art. 43 ust. 1 pkt 40 ustawy o VAT'
    const { id } = await sent(await newInvoice(customer(), {}, { lines, notes }))
    const xml = await xmlOf(id)
    expect(xml.toString()).toContain(`<P_19>1</P_19><P_19A>${notes}</P_19A>`)
    expect(fa3Faults(xml)).toBe('')
  })

  test('the day of the service stands there where it is another one than that of the invoice', async () => {
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' }).format(app.clock.now())
    const dayOf = async (servicePeriodTo: string) => {
      const more = { servicePeriodFrom: '2026-01-02', servicePeriodTo }
      const xml = await xmlOf((await sent(await newInvoice(german, { vatBp: 0, vatCategory: 'AE' }, more))).id)
      expect(fa3Faults(xml)).toBe('')
      return /<P_6>([^<]+)</.exec(xml.toString())?.[1]
    }
    expect([await dayOf('2026-01-07'), await dayOf(today)]).toEqual(['2026-01-07', undefined])
  })

  test('a correction names the number of its original and takes its rate', async () => {
    await enterRate(app, 42_662)
    const invoice = await sent(await newInvoice(polish))
    const number = ksefNumber()
    const { body: numbered } = await type(invoice, number)
    await enterRate(app, 50_000)
    const { body: correction } = await clerk.post(
      `invoices/${invoice.id}/correction`,
      { reason: 'Rabat & zwrot' },
      { version: numbered.version },
    )
    const { id } = await sent(correction)
    const xml = await xmlOf(id)
    const text = xml.toString()
    expect(text).toContain('<RodzajFaktury>KOR</RodzajFaktury><PrzyczynaKorekty>Rabat &amp; zwrot</PrzyczynaKorekty>')
    expect(text).toContain(`<NrKSeF>1</NrKSeF><NrKSeFFaKorygowanej>${number}</NrKSeFFaKorygowanej>`)
    expect(text).toContain('<P_14_1W>-1069.54</P_14_1W><P_15>-1340.70</P_15>')
    expect(text).toContain('<KursWaluty>4.2662</KursWaluty><StanPrzed>1</StanPrzed></FaWiersz>')
    expect(text.match(/<KursWaluty>4\.2662</g)).toHaveLength(text.match(/<FaWiersz>/g)!.length)
    expect(fa3Faults(xml)).toBe('')
    // Its original went through KSeF, and stands as taken back.
    expect((await clerk.get(`invoices/${invoice.id}`)).body.status).toBe('canceled')
  })

  test('a correction of an invoice that went without says so', async () => {
    const invoice = await sent(await abroad())
    const path = `invoices/${invoice.id}`
    const { body } = await clerk.post(`${path}/ksef/without`, { reason: 'x' }, { version: invoice.version })
    const { body: correction } = await clerk.post(`${path}/correction`, { reason: 'y' }, { version: body.version })
    const { id } = await sent(correction)
    expect((await xmlOf(id)).toString()).toContain('<NrKSeFN>1</NrKSeFN>')
  })

  test('a file that could not be made is made by the job, and then waits', async () => {
    const draft = await abroad()
    const { files } = app.ports
    app.ports.files = { ...files, keep: () => Promise.reject(new Error('away')) }
    const { body } = await send(draft)
    app.ports.files = files
    expect([body.status, body.paper]).toEqual(['sent', 'missing'])
    expect((await clerk.get(`invoices/${draft.id}/e-invoice/xml`)).body.code).toBe('paper_missing')
    const { status, body: made } = await clerk.post(`invoices/${draft.id}/document`)
    expect([status, made.paper]).toEqual([200, 'awaits_ksef'])
    expect((await xmlOf(draft.id)).length).toBeGreaterThan(1000)
  })
})
