// An invoice is sent in three steps: proved, numbered, its paper made (decision 047).
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrderInput } from '@waybill/contract/order/order'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { raced } from '../../../test/database/locks.ts'
import { jobContext } from '../../../test/job-context.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { INVOICE_MAIL } from '../../../test/mail-server.ts'
import type { Actor, Ctx } from '../../kit/context/context.ts'
import { makePaper, makePaperJob, wakePapers } from './make-paper.ts'
import { numberInvoice, proveInvoice } from './send-invoice.ts'

const app = useTestApp()
let world: OrderWorld
let clerk: Caller
let customerId: number
let draw: typeof app.ports.invoicePdf

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Hansa Bau GmbH', 'DE', { address: 'Kai 1', postal: '20457', city: 'Hamburg' })
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  draw = app.ports.invoicePdf
})

beforeEach(() => {
  app.ports.invoicePdf = draw
})

interface Known {
  id: number
  version: number
}

async function newInvoice(more: Partial<OrderInput> = {}): Promise<Known & { orderId: number }> {
  const order = await app.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 50_000, ...more }),
  )
  const { body, status } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.body.id] })
  expect(status).toBe(201)
  return { id: body.id, version: body.version, orderId: order.body.id }
}

const send = ({ id, version }: Known) => clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
const read = async (id: number) => (await clerk.get(`invoices/${id}`)).body
const mailsOf = async (id: number) => (await clerk.get(`emails?invoiceId=${id}`)).body.items
const filesOf = async (id: number) => (await clerk.get(`documents?invoiceId=${id}`)).body.items
const rowsOf = async (statement: string) => (await app.database.pool.query(statement)).rows
const lastNumber = async () => (await rowsOf('select coalesce(sum(last), 0)::int as last from invoice_counter'))[0].last
const faults = () => rowsOf('select * from invoice_seal_faults()')

/** Fails from the given drawing of each invoice on: the first proves it, the second is its paper. */
function failFrom(drawing: number): void {
  const drawn = new Map<string, number>()
  app.ports.invoicePdf = (data, ...more) => {
    const count = (drawn.get(data.innerNumber) ?? 0) + 1
    drawn.set(data.innerNumber, count)
    return count < drawing ? draw(data, ...more) : Promise.reject(new Error('the renderer failed'))
  }
}

const ctx = (): Ctx => ({
  ...jobContext(app),
  actor: { userId: 1, sessionId: 1, fullName: 'Clerk', isAdmin: true, permissions: [] } as unknown as Actor,
})
const inTransaction = <T>(work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  app.database.db.transaction().execute((db) => work({ ...ctx(), db }))

/** The first two steps alone: as if the process had died before the third. */
async function numbered(): Promise<Known & { number: string }> {
  const draft = await newInvoice()
  const proved = await proveInvoice(ctx(), draft.id, draft.version)
  const { id, version, number } = await inTransaction((inner) =>
    numberInvoice(inner, draft.id, draft.version, { proved, mail: INVOICE_MAIL }),
  )
  return { id, version, number: number! }
}

describe('refusals', () => {
  test('what cannot be drawn gets no number, no mail and no file', { tags: 'long' }, async () => {
    const [draft, files, before] = [await newInvoice(), await app.ports.fileStore.kept(), await lastNumber()]
    failFrom(1)
    expect((await send(draft)).status).toBe(500)
    expect((await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })).status).toBe(
      500,
    )
    expect(await read(draft.id)).toMatchObject({ status: 'created', number: null, paper: null, version: 1 })
    expect([await lastNumber(), await app.ports.fileStore.kept()]).toEqual([before, files])
    expect(await mailsOf(draft.id)).toEqual([])
    app.ports.invoicePdf = draw
    expect((await send(draft)).body).toMatchObject({ status: 'sent', paper: 'made' })
  })

  test('what has changed since it was proved: the invoice, the customer, an order', { tags: 'long' }, async () => {
    const changes: Record<string, (draft: { id: number; orderId: number }) => Promise<unknown>> = {
      invoice: ({ id }) => clerk.patch(`invoices/${id}`, { notes: 'later' }, { version: 1 }),
      customer: async () => {
        const { version } = (await app.admin.get(`customers/${customerId}`)).body
        await app.admin.patch(`customers/${customerId}`, { address: `Kai ${version + 1}` }, { version })
      },
      order: async ({ orderId }) => {
        const { version } = (await app.admin.get(`orders/${orderId}`)).body
        await app.admin.patch(`orders/${orderId}`, { customerOrderNumber: 'PO 7' }, { version })
      },
    }
    for (const [what, change] of Object.entries(changes)) {
      const [draft, before] = [await newInvoice(), await lastNumber()]
      app.ports.invoicePdf = async (...given) => {
        await change(draft)
        return draw(...given)
      }
      const answer = await send(draft)
      app.ports.invoicePdf = draw
      expect([what, answer.status, answer.body.code]).toEqual([what, 409, 'stale_version'])
      expect([what, await lastNumber(), await mailsOf(draft.id)]).toEqual([what, before, []])
      expect((await send(answer.body.current)).status).toBe(200)
    }
  })

  test('reverse charge for a customer without a VAT number; with one, or at our rate, it goes', async () => {
    const french = await world.customer('Sans Numéro SARL', 'FR', { address: '1 rue', city: 'Lyon' })
    const at = (customerVatBp: number) => newInvoice({ customerIds: [french], customerVatBp })
    const [draft, other, charged] = [await at(0), await at(0), await at(1900)]
    const before = await lastNumber()
    expect((await read(draft.id)).warnings).toEqual(['no_vat_number'])
    const headers = { 'accept-language': 'de' }
    for (const answer of [
      await clerk.post(`invoices/${draft.id}/send`, INVOICE_MAIL, { version: draft.version, headers }),
      await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version, headers }),
    ])
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        [
          {
            path: 'lines.0.vatCategory',
            code: 'vat_number_missing',
            message: 'Reverse Charge braucht die USt-IdNr. des Rechnungskunden',
          },
        ],
      ])
    expect(await lastNumber()).toBe(before)
    expect((await send(charged)).status).toBe(200)
    const { version } = (await app.admin.get(`customers/${french}`)).body
    const numbered = await app.admin.patch(`customers/${french}`, { vatNumber: 'FR40303265045' }, { version })
    expect(numbered.status).toBe(200)
    expect((await send(other)).body.vatGroups).toMatchObject([{ vatCategory: 'AE' }])
  })

  test('the PDF of a draft or of a carrier’s invoice is not made, nobody else’s either', async () => {
    const draft = await newInvoice()
    expect((await clerk.post(`invoices/${draft.id}/document`)).body.code).toBe('conflict')
    expect((await clerk.post('invoices/999999/document')).status).toBe(404)
    const { caller } = await app.userWith('ORDERS_MANAGEMENT')
    expect((await caller.post(`invoices/${draft.id}/document`)).status).toBe(403)
  })
})

describe('the number', () => {
  test('ten sent at once have ten numbers without a gap', async () => {
    const before = await lastNumber()
    const drafts = []
    for (let count = 0; count < 10; count += 1) drafts.push(await newInvoice())
    const answers = await Promise.all(drafts.map(send))
    expect(answers.map(({ body }) => [body.status, body.paper])).toEqual(drafts.map(() => ['sent', 'made']))
    const numbers = answers.map(({ body }) => Number(body.number.split('-')[2])).toSorted((a, b) => a - b)
    expect(numbers).toEqual(drafts.map((_draft, index) => before + 1 + index))
    expect(await faults()).toEqual([])
  })

  test('has the date of the moment in which the counter is free, and none before the number before', async () => {
    const berlin = () => localOf(app.clock.now(), 'Europe/Berlin').date
    expect((await send(await newInvoice())).status).toBe(200)
    const [draft, day] = [await newInvoice(), berlin()]
    const held = await app.database.pool.connect()
    await held.query('begin')
    await held.query('select last from invoice_counter for update')
    const waiting = send(draft)
    await expect
      .poll(
        async () =>
          (
            await rowsOf(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database() and query like '%invoice_counter%'`)
          ).length,
      )
      .toBe(1)
    app.clock.advance(86_400_000)
    await held.query('commit')
    held.release()
    const { body } = await waiting
    expect([body.invoiceDate, body.dueDate]).toEqual([addDays(day, 1), addDays(day, 31)])
    app.clock.advance(-86_400_000)

    // A clock that goes back: the number after has no date before it.
    expect((await send(await newInvoice())).body.invoiceDate).toBe(addDays(day, 1))
  })

  test('stands on the paper, with the moment of sending as its only clock', async () => {
    const { id, number } = await numbered()
    const said: unknown[] = []
    app.ports.invoicePdf = (data, language, createdAt) => {
      said.push([data.number, data.invoiceDate, createdAt?.toISOString()])
      return draw(data, language, createdAt)
    }
    const [{ frozenAt }] = await rowsOf(`select "frozenAt" from invoice where id = ${id}`)
    // What the records say by now makes no difference.
    const { version } = (await app.admin.get(`customers/${customerId}`)).body
    await app.admin.patch(`customers/${customerId}`, { title: 'Hansa Hochbau GmbH' }, { version })
    await makePaper(ctx(), id)
    const { invoiceDate, buyer } = await read(id)
    expect(said).toEqual([[number, invoiceDate, new Date(frozenAt).toISOString()]])
    expect(buyer.title).toBe('Hansa Bau GmbH')
    const again = (await app.admin.get(`customers/${customerId}`)).body
    await app.admin.patch(`customers/${customerId}`, { title: 'Hansa Bau GmbH' }, { version: again.version })
  })
})

describe('the paper', () => {
  test('of a process that died after the number is made by the job, and the mail goes once', async () => {
    const { id, number } = await numbered()
    expect(await read(id)).toMatchObject({ status: 'sent', number, documentId: null, paper: 'making' })
    expect(await mailsOf(id)).toMatchObject([{ status: 'planned', attachments: [] }])
    const [waiting] = await mailsOf(id)
    expect((await clerk.post(`emails/${waiting.id}/resend`, { to: ['x@y.example'] })).body.code).toBe('conflict')
    expect((await clerk.get(`invoices/${id}/document`)).body.code).toBe('paper_missing')
    expect(
      await rowsOf(`select data from job.job where name = 'make_paper' and state = 'created'
      and data ->> 'invoiceId' = '${id}'`),
    ).toHaveLength(1)

    for (let times = 0; times < 2; times += 1) await makePaperJob.handle(ctx(), { invoiceId: id })
    const made = await read(id)
    expect(made).toMatchObject({ paper: 'made', documentId: expect.any(Number), number })
    expect(await filesOf(id)).toMatchObject([{ id: made.documentId, title: `Rechnung_${number}_Hansa Bau GmbH.pdf` }])
    expect(await mailsOf(id)).toMatchObject([
      {
        status: 'waiting',
        attachments: [{ documentId: made.documentId, title: `Rechnung_${number}_Hansa Bau GmbH.pdf` }],
      },
    ])
    expect(await faults()).toEqual([])
  })

  test('is found by the start of a server where its job was lost', async () => {
    const { id } = await numbered()
    await app.database.pool.query(`delete from job.job where name = 'make_paper'`)
    const jobs = () => rowsOf(`select 1 from job.job where name = 'make_paper' and data ->> 'invoiceId' = '${id}'`)
    await wakePapers.handle(ctx(), {})
    expect(await jobs()).toEqual([])
    for (let times = 0; times < 2; times += 1) await wakePapers.handle(ctx(), { isStart: true })
    expect(await jobs()).toHaveLength(1)
    await makePaper(ctx(), id)
  })

  test('is made once by many who make it at once, with one mail, and no file is left over', async () => {
    const { id } = await numbered()
    const files = (await app.ports.fileStore.kept()).length
    const ask = () => clerk.post(`invoices/${id}/document`)
    const answers = await Promise.all([ask(), ask(), ask(), makePaper(ctx(), id)])
    expect(answers.slice(0, 3).map((answer) => (answer as { body: { paper: string } }).body.paper)).toEqual([
      'made',
      'made',
      'made',
    ])
    expect([(await filesOf(id)).length, (await app.ports.fileStore.kept()).length]).toEqual([1, files + 1])
    expect(await mailsOf(id)).toMatchObject([{ status: 'waiting', attachments: [{}] }])
    expect(await faults()).toEqual([])
  })

  test('that cannot be made leaves the number, says so, and can be made later', async () => {
    const before = await lastNumber()
    const draft = await newInvoice()
    failFrom(2)
    const { status, body } = await send(draft)
    expect([status, body.status, body.paper, body.documentId]).toEqual([200, 'sent', 'missing', null])
    expect(await lastNumber()).toBe(before + 1)
    expect((await clerk.post(`invoices/${draft.id}/document`)).status).toBe(500)
    expect(await mailsOf(draft.id)).toMatchObject([{ status: 'planned' }])
    expect(await rowsOf(`select tries from invoice_paper where "invoiceId" = ${draft.id}`)).toEqual([{ tries: 2 }])
    app.ports.invoicePdf = draw
    expect((await clerk.post(`invoices/${draft.id}/document`)).body).toMatchObject({
      paper: 'made',
      number: body.number,
      version: body.version,
    })
    expect((await clerk.get(`invoices/${draft.id}/document`)).status).toBe(200)
    expect(await mailsOf(draft.id)).toMatchObject([{ status: 'waiting' }])
  })

  test('is in the answer to a repeat of the sending, too', async () => {
    const draft = await newInvoice()
    const headers = { 'idempotency-key': 'once' }
    const ask = () => clerk.post(`invoices/${draft.id}/send`, INVOICE_MAIL, { version: draft.version, headers })
    const [first, second] = [await ask(), await ask()]
    expect(first.body.paper).toBe('made')
    expect(second.body).toEqual(first.body)
    expect(await mailsOf(draft.id)).toHaveLength(1)
  })

  test('is in the answer to a repeat that came while the sending was still at work', async () => {
    const draft = await newInvoice()
    const headers = { 'idempotency-key': 'at work' }
    const ask = () => clerk.post(`invoices/${draft.id}/send`, INVOICE_MAIL, { version: draft.version, headers })
    const first = await ask()
    // As the repeat finds it: no answer yet, and then the invoice and its answer at once.
    const { rows } = await app.database.pool.query('delete from idempotency_key returning *')
    const second = await raced(
      app,
      async (client) => {
        await client.query(
          'insert into idempotency_key select * from json_populate_recordset(null::idempotency_key, $1)',
          [JSON.stringify(rows)],
        )
        await client.query('lock table invoice in access exclusive mode')
      },
      ask,
    )
    expect([second.status, second.body]).toEqual([200, first.body])
    expect(await mailsOf(draft.id)).toHaveLength(1)
  })

  test('is refused to a repeat with another mail, and to another sending with a key of its own', async () => {
    const draft = await newInvoice()
    const ask = (key: string, subject: string) =>
      clerk.post(
        `invoices/${draft.id}/send`,
        { ...INVOICE_MAIL, subject },
        { version: draft.version, headers: { 'idempotency-key': key } },
      )
    expect((await ask('one', 'Our invoice')).status).toBe(200)
    expect((await ask('one', 'Another')).body.code).toBe('idempotency_key_reused')
    expect((await ask('two', 'Our invoice')).body.code).toBe('illegal_transition')
  })
})
