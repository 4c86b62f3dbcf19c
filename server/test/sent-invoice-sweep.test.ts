// Every endpoint that writes is tried against an invoice that was sent: it refuses, or nothing of what the customer
// has changes. A new endpoint has to be tried here, or named with the reason why it reaches no invoice.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS, RESOURCES } from '@waybill/contract/api'
import { INVOICE_STATUSES } from '@waybill/contract/invoice/status'
import { ADMIN, useTestApp, type Answer, type Caller } from './app.ts'
import { readyCompany, readyCustomer } from './e-invoices/generated-invoices.ts'
import { INVOICE_MAIL } from './mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from './order-examples.ts'
import { statementXml } from './payments/statement-xml.ts'
import { encodeForm, FILES, upload } from './upload.ts'

const app = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
const DAY = 86_400_000
const OUR_IBAN = 'DE89370400440532013000'

let world: OrderWorld
let everybody: Caller
let customerId: number
let companyId: number
let order: { id: number; routeId: number; extraId: number }
let sent: { id: number; number: string }
let files: { pdf: number; xml: number }
let mailId: number

const rowsOf = async (statement: string) => (await app.database.pool.query(statement)).rows
const now = async (path: string) => (await everybody.get(path)).body

function mustBe(status: number, answer: Answer): void {
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
}

beforeAll(async () => {
  world = await orderWorld(app)
  ;({ id: companyId } = await readyCompany(app))
  customerId = await readyCustomer(app, 'xrechnungUbl', { paymentPeriodDays: 10 })
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: 100_000,
      customerVatBp: 1900,
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
    }),
  )
  mustBe(201, made)
  const extra = await app.admin.post(`orders/${made.body.id}/extras`, { kind: 'waiting_time', priceCents: 5000 })
  const approved = await app.admin.post(
    `orders/${made.body.id}/extras/${extra.body.id}/state`,
    { to: 'approved' },
    { version: extra.body.version },
  )
  mustBe(200, approved)
  order = { id: made.body.id, routeId: made.body.routes[0].id, extraId: extra.body.id }
  const draft = await app.admin.post('invoices', { entityType: 'customer', orderIds: [order.id] })
  const answer = await app.admin.post(`invoices/${draft.body.id}/send`, INVOICE_MAIL, { version: draft.body.version })
  mustBe(200, answer)
  sent = answer.body
  const documents = await app.admin.get(`documents?invoiceId=${sent.id}`)
  const ofType = (type: string) =>
    documents.body.items.find(({ contentType }: { contentType: string }) => contentType === type).id
  files = { pdf: ofType('application/pdf'), xml: ofType('application/xml') }
  mailId = (await app.admin.get(`emails?invoiceId=${sent.id}`)).body.items[0].id
  // Late enough for a reminder; who was signed in has been signed out by then.
  app.clock.advance(20 * DAY)
  everybody = app.admin = app.withToken((await app.signIn(ADMIN.email, ADMIN.password)).body.token)
}, 60_000)

/** All that the customer has of the invoice: its row but for its status, what hangs on it, and its files. */
async function picture(): Promise<unknown> {
  const moving = ['status', 'statusDate', 'version', 'sentAt', 'paidAt', 'canceledAt', 'searchKey']
  const [row] = await rowsOf(`
    select (select to_jsonb(i) - '{${moving.join()}}'::text[] from invoice i where i.id = ${sent.id}) as invoice,
      (select jsonb_agg(to_jsonb(l) order by l.id) from invoice_line l where l."invoiceId" = ${sent.id}) as lines,
      (select jsonb_agg(to_jsonb(o)) from invoice_order o where o."invoiceId" = ${sent.id}) as orders,
      (select jsonb_agg(to_jsonb(p)) from invoice_paper p where p."invoiceId" = ${sent.id}) as paper,
      (select jsonb_agg(to_jsonb(a)) from invoice_artifact a where a."invoiceId" = ${sent.id}) as artifacts,
      (select jsonb_agg(to_jsonb(s) order by s.position) from invoice_seal s where s."invoiceId" = ${sent.id}) as seals,
      (select jsonb_agg(to_jsonb(d) order by d.id) from document d
        where d.id in (${files.pdf}, ${files.xml})) as files`)
  const bytes = await Promise.all(
    [`documents/${files.pdf}/file`, `documents/${files.xml}/file`, `invoices/${sent.id}/e-invoice/xml`].map(
      async (path) => {
        const { status, raw } = await everybody.get(path)
        return [status, raw.length, createHash('sha256').update(raw).digest('hex')]
      },
    ),
  )
  return { row, bytes, faults: await rowsOf('select * from invoice_seal_faults()') }
}

const version = async (path: string) => ({ version: (await now(path)).version as number })
const onInvoice = async (verb: string, body: unknown = {}) =>
  everybody.post(`invoices/${sent.id}/${verb}`, body, await version(`invoices/${sent.id}`))
const patched = async (path: string, body: object) => everybody.patch(path, body, await version(path))
const removed = async (path: string) => everybody.delete(path, await version(path))
const form = async (path: string, name: string, bytes: Uint8Array<ArrayBuffer>, fields = {}) => {
  const { body, contentType } = await encodeForm({ fields, file: { name, bytes } })
  return everybody.post(path, body, { headers: { 'content-type': contentType } })
}
const whose = () => ({ companyId, customerId })
const openNow = async (): Promise<number> => (await now(`invoices/${sent.id}`)).openCents
const share = async () => [{ invoiceId: sent.id, amountCents: await openNow() }]
const pay = async (cents: number) =>
  everybody.post('payments', {
    ...whose(),
    valueDate: '2026-12-01',
    amountCents: cents,
    shares: [{ invoiceId: sent.id, amountCents: cents }],
  })
const inOrder = async (calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (const call of calls) answers.push(await call())
  return answers
}
const onOrder = async (verb: string, body: unknown = {}) =>
  everybody.post(`orders/${order.id}/${verb}`, body, await version(`orders/${order.id}`))
const extraPath = () => `orders/${order.id}/extras/${order.extraId}`
const extraVersion = async () => ({
  version: (await now(`orders/${order.id}/extras`)).items.find(({ id }: { id: number }) => id === order.extraId)
    .version as number,
})
const ownText = (text: string) => ({
  mode: 'replace',
  body: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})
const eachFile = async (call: (id: number) => Promise<Answer>) =>
  inOrder([files.pdf, files.xml].map((id) => () => call(id)))
const onFile = (verb: string, body: object) => () =>
  eachFile(async (id) => everybody.post(`documents/${id}/${verb}`, body, { version: 1 }))

type Tried = Answer | readonly Answer[]
interface Try {
  /** `either`: what it says depends on more than the invoice */
  says: 'refused' | 'works' | 'either'
  call: () => Promise<Tried>
}
const refused = (call: Try['call']): Try => ({ says: 'refused', call })
const works = (call: Try['call']): Try => ({ says: 'works', call })
const either = (call: Try['call']): Try => ({ says: 'either', call })

const TRIES: Record<string, Try> = {
  // What writes invoices.
  'POST /invoices': refused(() => everybody.post('invoices', { entityType: 'customer', orderIds: [order.id] })),
  'PUT /invoices/:id': refused(async () => {
    const { version: seen, lines } = await now(`invoices/${sent.id}`)
    const body = { entityType: 'customer', orderIds: [order.id], lines: lines.slice(1), notes: 'x' }
    return everybody.put(`invoices/${sent.id}`, body, { version: seen })
  }),
  'PATCH /invoices/:id': refused(() =>
    inOrder(
      [{ notes: 'x' }, { lines: [] }, { orderIds: [] }, { state: 'inactive' }, { paymentPeriodDays: 90 }].map(
        (body) => () => patched(`invoices/${sent.id}`, body),
      ),
    ),
  ),
  'DELETE /invoices/:id': refused(() => removed(`invoices/${sent.id}`)),
  'POST /invoices/:id/send': refused(() => onInvoice('send', INVOICE_MAIL)),
  'POST /invoices/:id/approve': refused(() => onInvoice('approve', { seen: 'x' })),
  'POST /invoices/:id/approve/undo': refused(() => onInvoice('approve/undo')),
  'POST /invoices/:id/problem': refused(() =>
    onInvoice('problem', { kind: 'other', text: 'x', waitsFor: 'us', stopsTerm: false, mail: null }),
  ),
  'POST /invoices/:id/ksef/number': refused(() => onInvoice('ksef/number', { number: '1' })),
  'POST /invoices/:id/ksef/without': refused(() => onInvoice('ksef/without', { reason: 'x' })),
  'POST /invoices/:id/ksef/offline': refused(() => onInvoice('ksef/offline')),
  'POST /invoices/:id/ksef/again': refused(() => onInvoice('ksef/again')),
  'PUT /nbp-rates/:day': works(() =>
    everybody.put('nbp-rates/2026-11-20', { tableNumber: '226/A/NBP/2026', rateE4: 42_000 }),
  ),
  'POST /invoices/:id/document': works(() => onInvoice('document')),
  'POST /invoices/:id/dispute': works(() => onInvoice('dispute', { reason: 'x' })),
  'POST /invoices/:id/dispute/end': works(() => onInvoice('dispute/end')),
  'POST /invoices/:id/status': either(async () => {
    const back = ['created', 'received', 'approved', 'in_progress', 'canceled']
    const untried = INVOICE_STATUSES.filter((status) => ![...back, 'sent', 'paid'].includes(status))
    const moves = await inOrder(back.map((to) => () => onInvoice('status', { to, reason: 'x' })))
    if (untried.length > 0 || moves.some(({ status }) => status < 400))
      throw new Error(JSON.stringify([untried, moves.map(({ status }) => status)]))
    return inOrder(['paid', 'sent'].map((to) => () => onInvoice('status', { to, reason: 'x' })))
  }),
  'POST /invoices/month-end/runs': either(() =>
    everybody.post('invoices/month-end/runs', {
      companyId,
      until: '2026-12-31',
      customers: [{ customerId, orderIds: [order.id], netCents: 105_000 }],
    }),
  ),
  'POST /invoices/month-end/runs/:id/stop': either(() => everybody.post('invoices/month-end/runs/1/stop')),

  // Money.
  'POST /payments': works(() => pay(10_000)),
  'POST /payments/:id/reverse': works(async () => {
    const { body } = await pay(100)
    return everybody.post(`payments/${body.id}/reverse`, { reason: 'x' })
  }),
  'POST /payments/credit': refused(async () =>
    everybody.post('payments/credit', { ...whose(), shares: await share() }),
  ),
  'POST /payments/write-off': refused(async () =>
    everybody.post('payments/write-off', { ...whose(), shares: await share() }),
  ),
  'POST /payments/write-off-credit': refused(() =>
    everybody.post('payments/write-off-credit', { ...whose(), amountCents: 1 }),
  ),
  'POST /payments/refund': refused(() =>
    everybody.post('payments/refund', { ...whose(), valueDate: '2026-12-01', amountCents: 1 }),
  ),
  'POST /reminders/preview': works(() => everybody.post('reminders/preview', { ...whose(), invoiceIds: [sent.id] })),
  'POST /reminders/letter': works(() => everybody.post('reminders/letter', { ...whose(), invoiceIds: [sent.id] })),
  'POST /reminders': works(async () =>
    everybody.post('reminders', { ...whose(), invoiceIds: [sent.id], totalCents: await openNow() }),
  ),
  'POST /open-items/statement': works(async () => {
    const { balanceCents } = await now(`open-items/statement/mail?customerId=${customerId}&companyId=${companyId}`)
    return everybody.post('open-items/statement', { ...whose(), to: 'k@example.com', balanceCents })
  }),
  'POST /claims/pay': refused(() =>
    everybody.post('claims/pay', { invoiceId: sent.id, feeCents: 4000, interestCents: 0 }),
  ),
  'POST /claims/waive': refused(() =>
    everybody.post('claims/waive', { invoiceId: sent.id, feeCents: 4000, interestCents: 0, reason: 'x' }),
  ),
  'POST /claims/bookings/:id/reverse': refused(() => everybody.post('claims/bookings/1/reverse', { reason: 'x' })),
  'POST /payment-files': refused(() =>
    everybody.post('payment-files', { invoiceIds: [sent.id], debtorBankId: 1, executionDate: '2026-12-16' }),
  ),
  'POST /payment-files/set-off': refused(() => everybody.post('payment-files/set-off', { invoiceIds: [sent.id] })),
  'POST /bank-statements': works(() => {
    const entries = [{ cents: 700, remittance: sent.number, date: '2026-12-10' }]
    return form('bank-statements', 'camt.xml', FILES.text(statementXml({ iban: OUR_IBAN, entries })))
  }),
  'POST /bank-statements/:id/book': works(async () => {
    const [{ id }] = (await now('bank-statements')).items
    const [entry] = (await now(`bank-statements/${id}`)).entries
    const shares = [{ invoiceId: sent.id, amountCents: 700 }]
    const booked = { action: 'payment', id: entry.id, version: entry.version, customerId, shares }
    return everybody.post(`bank-statements/${id}/book`, { entries: [booked] })
  }),
  'POST /bank-entries/:id/reopen': works(async () => {
    const [{ id }] = (await now('bank-statements')).items
    const [entry] = (await now(`bank-statements/${id}`)).entries
    return everybody.post(`bank-entries/${entry.id}/reopen`, { reason: 'x' }, { version: entry.version })
  }),
  'POST /bank-entries/:id/set-aside': works(async () => {
    const [{ id }] = (await now('bank-statements')).items
    const [entry] = (await now(`bank-statements/${id}`)).entries
    return everybody.post(`bank-entries/${entry.id}/set-aside`, { reason: 'x' }, { version: entry.version })
  }),
  'POST /bookkeeping/batches': either(() => everybody.post('bookkeeping/batches', { companyId, month: '2026-11' })),
  'POST /bookkeeping/account-numbers': either(() =>
    everybody.post('bookkeeping/account-numbers', { companyId, month: '2026-11' }),
  ),
  'POST /bookkeeping/batches/:id/void': either(() =>
    everybody.post('bookkeeping/batches/1/void', { reason: 'x' }, { version: 1 }),
  ),

  // Its files and mails.
  'PATCH /documents/:id': refused(() =>
    eachFile((id) => everybody.patch(`documents/${id}`, { documentType: 'OTHER_DOCUMENTS' }, { version: 1 })),
  ),
  'DELETE /documents/:id': refused(() => eachFile((id) => everybody.delete(`documents/${id}`))),
  'POST /documents/:id/accept': refused(onFile('accept', {})),
  'POST /documents/:id/refuse': refused(onFile('refuse', { reason: 'x' })),
  'POST /documents/:id/undo': refused(onFile('undo', {})),
  'POST /upload': either(() =>
    upload(everybody, {
      fields: { invoiceId: sent.id, documentType: 'CUSTOMER_INVOICE' },
      file: { name: 'other.pdf', bytes: FILES.pdf() },
    }),
  ),
  'POST /emails/preview': works(() => everybody.post('emails/preview', { invoiceId: sent.id, type: 'invoice' })),
  'POST /emails': works(() => {
    const { to, subject, blocks } = INVOICE_MAIL
    return everybody.post('emails', {
      invoiceId: sent.id,
      type: 'invoice',
      to,
      subject,
      blocks,
      documentIds: [files.xml],
    })
  }),
  'POST /emails/:id/resend': either(() => everybody.post(`emails/${mailId}/resend`, { to: ['other@example.com'] })),
  'POST /emails/resend': either(() => everybody.post('emails/resend', { ids: [mailId] })),
  'POST /emails/:id/send-now': either(() => everybody.post(`emails/${mailId}/send-now`)),
  'POST /emails/:id/cancel': either(() => everybody.post(`emails/${mailId}/cancel`)),

  // What it was written from.
  'PATCH /orders/:id': works(() =>
    inOrder(
      [{ customerPriceCents: 1 }, { customerVatBp: 700 }, { customerOrderNumber: 'NEW' }, { invoiceText: 'x' }].map(
        (body) => () => patched(`orders/${order.id}`, body),
      ),
    ),
  ),
  'PUT /orders/:id': either(async () => {
    const { version: seen } = await now(`orders/${order.id}`)
    return everybody.put(`orders/${order.id}`, plainOrder(world, customerId), { version: seen })
  }),
  'POST /orders/:id/billed/keep': either(() => onOrder('billed/keep')),
  'POST /orders/:id/status': either(() =>
    inOrder(['scheduled', 'canceled'].map((to) => () => onOrder('status', { to, reason: 'x' }))),
  ),
  'POST /orders/:id/status/undo': either(() => onOrder('status/undo')),
  'POST /orders/:id/duplicate': either(() => onOrder('duplicate')),
  'POST /orders/:id/documents': either(() => onOrder('documents', { documentType: 'CMR_NOTE' })),
  'POST /orders/:id/unmerge': refused(() => onOrder('unmerge')),
  'POST /orders/merge': refused(() =>
    everybody.post('orders/merge', { orderIds: [order.id, order.id], carrierCompanyId: world.carrier.id }),
  ),
  'DELETE /orders/:id': refused(() => removed(`orders/${order.id}`)),
  'PUT /orders/:id/extras/:extraId': refused(async () =>
    everybody.put(extraPath(), { kind: 'waiting_time', priceCents: 1 }, await extraVersion()),
  ),
  'POST /orders/:id/extras/:extraId/state': refused(async () =>
    everybody.post(`${extraPath()}/state`, { to: 'refused' }, await extraVersion()),
  ),
  'DELETE /orders/:id/extras/:extraId': refused(async () => everybody.delete(extraPath(), await extraVersion())),
  'POST /orders/:id/extras': works(() =>
    everybody.post(`orders/${order.id}/extras`, { kind: 'tolls', priceCents: 900 }),
  ),
  'POST /routes/:id/status': either(async () =>
    everybody.post(
      `routes/${order.routeId}/status`,
      { to: 'canceled', reason: 'x' },
      await version(`orders/${order.id}`),
    ),
  ),
  'PATCH /customers/:id': works(() =>
    inOrder(
      [
        { title: 'Anders AG', address: 'Neue Straße 2' },
        { eInvoiceFormat: 'pdf', buyerReference: null },
        { language: 'pl', paymentPeriodDays: 60, skonto: [{ percentBp: 300, days: 30 }] },
        { debtorNumber: 10_001, creditNotes: true },
      ].map((body) => () => patched(`customers/${customerId}`, body)),
    ),
  ),
  'PUT /customers/:id': works(async () => {
    const { version: seen } = await now(`customers/${customerId}`)
    const body = { title: 'Noch anders AG', countryId: world.countries.PL }
    return everybody.put(`customers/${customerId}`, body, { version: seen })
  }),
  'POST /customers/:id/vat-check': either(async () =>
    everybody.post(`customers/${customerId}/vat-check`, {}, await version(`customers/${customerId}`)),
  ),
  'DELETE /customers/:id': refused(() => removed(`customers/${customerId}`)),
  'POST /customers/:id/credit-lifts': either(() =>
    everybody.post(`customers/${customerId}/credit-lifts`, { reason: 'x', until: '2026-12-31' }),
  ),
  'PATCH /companies/:id': works(() =>
    inOrder(
      [
        { title: 'Neue Firma GmbH', address: 'Anderswo 1' },
        { bankAccounts: [{ bankName: 'Andere Bank', iban: 'DE02120300000000202051' }] },
        { invoiceNumberPattern: 'NEU-{YYYY}-{N}' },
      ].map((body) => () => patched(`companies/${companyId}`, body)),
    ),
  ),
  'PUT /companies/:id/logo': either(async () =>
    everybody.put(
      `companies/${companyId}/logo`,
      { png: Buffer.from(FILES.png()).toString('base64') },
      await version(`companies/${companyId}`),
    ),
  ),
  'DELETE /companies/:id': refused(() => removed(`companies/${companyId}`)),
  'PATCH /departments/:id': works(() => patched(`departments/${world.departmentId}`, { abbreviation: 'NEU' })),
  'DELETE /departments/:id': refused(() => removed(`departments/${world.departmentId}`)),
  'PUT /departments/:id/document-templates/:key': works(() =>
    everybody.put(`departments/${world.departmentId}/document-templates/CUSTOMER_INVOICE.de`, ownText('anders'), {
      version: 0,
    }),
  ),
  'DELETE /departments/:id/document-templates/:key': works(() =>
    everybody.delete(`departments/${world.departmentId}/document-templates/CUSTOMER_INVOICE.de`, { version: 1 }),
  ),
  'PATCH /countries/:id': works(() => patched(`countries/${world.countries.DE}`, { standardVatBp: 2000 })),
  'DELETE /countries/:id': refused(() => removed(`countries/${world.countries.DE}`)),

  // Last of all: a correction takes it back, and cancels it.
  'POST /invoices/:id/correction': works(async () => {
    const draft = await onInvoice('correction', { reason: 'x', lines: [] })
    return [draft, await onInvoice('correction', { reason: 'x', lines: null })]
  }),
}

/** Endpoints that reach no invoice to a customer, by the beginning of their path, each with its reason. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^\/(token|profile|users|user-roles|api-keys|webhooks|webhook-deliveries|operations)\b/, 'people and machines'],
  [/^\/(salutations|unit-types|vehicle-types|cargo-types|special-handling-types)\b/, 'titles that no invoice shows'],
  [
    /^\/(vehicles|emission-factors|load-carriers|load-carrier-types|load-carrier-places|statement)\b/,
    'nothing that was sent',
  ],
  [/^\/(intake-mails|quotes|quote|rate-cards|recurring-orders|price)\b/, 'before there is an order'],
  [/^\/(carrier-companies|carrier-releases|routes|upload-documents|new-papers|drive)\b/, 'the carrier’s side'],
  [/^\/payment-files\/:id\//, 'runs of carriers’ invoices'],
  [/^\/invoices\/read-e-invoice$/, 'reads a file, and keeps nothing'],
  [/^\/(bank-accounts|credit-lifts)\/:id\//, 'a word about an account, or about a limit'],
  [/^\/companies\/:id\/ksef-certificates\//, 'keys of an interface'],
  [/^\/customers\/:id\/learned-rules\//, 'how mails are read'],
  [/^\/departments\/:id\/(email-templates|snippets)\b/, 'texts of mails'],
  [/^\/departments\/:id\/document-templates\/:key\/preview$/, 'shows, and keeps nothing'],
  [/^\/orders\/:id\/(presence|notes|tracking-links|stops)\b/, 'beside the order'],
  [/^\/emails\/:id\/undo-cancel$/, 'a mail of an order'],
  [/\/import$/, 'makes records, and changes none'],
]
/** Of these records one that is made, or written whole where it is also written in part, is no other case. */
const LIKE_ANOTHER = ['POST', 'PUT'].flatMap((method) =>
  ['customers', 'companies', 'departments', 'countries', 'orders'].map((name) =>
    method === 'POST' ? `POST /${name}` : `PUT /${name}/:id`,
  ),
)

const WRITING = [...ENDPOINTS, ...RESOURCES.flatMap((api) => [api.create, api.replace, api.patch, api.remove])].filter(
  ({ method }) => method !== 'GET',
)
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

describe('an invoice that was sent', () => {
  it('is tried by every endpoint that writes, or the reason is named why it is not', () => {
    const missing = WRITING.filter(
      (one) =>
        !(nameOf(one) in TRIES) &&
        !LIKE_ANOTHER.includes(nameOf(one)) &&
        !ELSEWHERE.some(([path]) => path.test(one.path)),
    )
    expect(missing.map(nameOf)).toEqual([])
    expect(Object.keys(TRIES).filter((name) => !WRITING.some((one) => nameOf(one) === name))).toEqual([])
  })

  it.each(Object.keys(TRIES))(
    'keeps what the customer has: %s',
    async (name) => {
      const before = await picture()
      const { says, call } = TRIES[name]!
      const answers = [await call()].flat()
      const statuses = answers.map(({ status }) => status)
      const said = JSON.stringify(answers.map(({ status, body }) => [status, body]))
      expect(Math.max(...statuses), said).toBeLessThan(500)
      if (says === 'refused') expect(Math.min(...statuses), said).toBeGreaterThanOrEqual(400)
      if (says === 'works') expect(Math.max(...statuses), said).toBeLessThan(300)
      expect(await picture()).toEqual(before)
    },
    30_000,
  )

  it('keeps it when a correction takes it back in full; its freight and extra alone may be billed anew', async () => {
    const drafts = await rowsOf(`select id, version from invoice where "correctionOfId" = ${sent.id} order by id desc`)
    const before = (await picture()) as { row: { lines: object[] } }
    const answer = await everybody.post(
      `invoices/${drafts[0].id}/status`,
      { to: 'sent' },
      { version: drafts[0].version },
    )
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(await now(`invoices/${sent.id}`)).toMatchObject({ status: 'canceled' })
    const lines = before.row.lines.map((line) => ({ ...line, billsFreight: false, billsExtra: false }))
    expect(await picture()).toEqual({ ...before, row: { ...before.row, lines } })
  })
})
