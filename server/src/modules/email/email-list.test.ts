import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Email, EmailRow } from '@waybill/contract/email'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../test/mail-server.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { createMailer } from '../../kit/mail/mailer.ts'
import { deliverEmail, queueMail } from './index.ts'

const app = useTestApp()
let world: OrderWorld
let server: MailServer
let customerId: number
let own: { caller: Caller; id: number }
let ownOrder: Order
let foreignOrder: Order
let polishOrder: Order
let invoiceId: number
let companies: { home: number; poland: number }

const ctx = () => jobContext(app)

/** A mail in the outbox, as whatever queues mails writes it. */
const queue = (owner: { kind: 'order' | 'invoice' | 'user'; id: number }, to: string, subject = 'A mail') =>
  queueMail(ctx(), {
    owner,
    type: owner.kind === 'user' ? 'invitation' : owner.kind === 'invoice' ? 'invoice' : 'order_created',
    to: [to],
    cc: [],
    subject,
    html: '<p>Words</p>',
    frame: { language: 'en', sender: 'Waybill', footer: [] },
    documentIds: [],
  })
const deliver = (emailId: number) => deliverEmail.handle(ctx(), { emailId })

const all = async (caller: Caller, query = '', headers: Record<string, string> = {}): Promise<EmailRow[]> => {
  const { status, body } = await caller.get(`emails?perPage=100${query}`, { headers })
  expect([status, body.errors ?? body.code]).toEqual([200, undefined])
  return body.items
}
const receivers = async (...given: Parameters<typeof all>) => (await all(...given)).map(({ to }) => to[0])
const refusals = async (...addresses: string[]) => {
  const query = addresses.map((address) => `address[]=${encodeURIComponent(address)}`).join('&')
  return (await app.admin.get(`email-refusals?${query}`)).body.items
}

async function newOrder(more: object = {}): Promise<Order> {
  const { status, body } = await app.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 50_000, ...more }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

beforeAll(async () => {
  world = await orderWorld(app)
  server = await startMailServer()
  customerId = await world.customer('Hansa Bau GmbH', 'DE')
  own = await app.userWith('ASSIGNED_ORDERS')
  const { body: company } = await app.admin.post('companies', {
    title: 'Waybill Polska Sp. z o.o.',
    code: 'WPL',
    countryId: world.countries.PL,
    timeZone: 'Europe/Warsaw',
    invoiceNumberPattern: 'PL{YYYY}-{NNNNN}',
  })
  const { body: department } = await app.admin.post('departments', {
    abbreviation: 'POZ',
    companyId: company.id,
    countryId: world.countries.PL,
  })
  companies = { home: await app.idOf('company', 'code', 'WB'), poland: company.id }
  ownOrder = await newOrder({ managerIds: [own.id] })
  foreignOrder = await newOrder()
  polishOrder = await newOrder({ departmentId: department.id })
  invoiceId = (await app.admin.post('invoices', { entityType: 'customer', orderIds: [foreignOrder.id] })).body.id
})

afterAll(async () => {
  await app.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

beforeEach(async () => {
  server.inbox.length = 0
  server.answerTo = () => null
  app.ports.mailer = null
  await app.asOwner('truncate email cascade; truncate email_refusal')
})

const open = () => {
  app.ports.mailer = createMailer({
    smtpUrl: server.smtpUrl,
    from: 'Waybill <office@waybill.example>',
    timeoutMs: 3000,
  })
}

describe('the list of all mails refuses', () => {
  test('who is not signed in', async () => {
    expect((await app.withToken('none').get('emails')).status).toBe(401)
    expect((await app.withToken('none').post('emails/resend', { ids: [1] })).status).toBe(401)
  })

  test('a filter, a value or a state that it does not know', async () => {
    for (const query of ['status[]=lost', 'type[]=fax', 'origin[]=luck', 'state=active', 'sort=subject', 'perPage=7'])
      expect([query, (await app.admin.get(`emails?${query}`)).status]).toEqual([query, 422])
  })

  test('a cursor of other filters', async () => {
    for (let n = 0; n < 11; n += 1) await queue({ kind: 'order', id: ownOrder.id }, `r${n}@hansa.example`)
    const { nextCursor } = (await app.admin.get('emails?perPage=10')).body
    const refused = await app.admin.get(`emails?perPage=10&status[]=waiting&cursor=${nextCursor}`)
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'cursor_mismatch'])
  })
})

describe('the list of all mails shows', () => {
  beforeEach(async () => {
    await queue({ kind: 'order', id: ownOrder.id }, 'own@hansa.example')
    await queue({ kind: 'order', id: foreignOrder.id }, 'foreign@hansa.example')
    await queue({ kind: 'order', id: polishOrder.id }, 'polish@hansa.example')
    await queue({ kind: 'invoice', id: invoiceId }, 'invoice@hansa.example')
    await queue({ kind: 'user', id: own.id }, 'person@waybill.example')
  })
  const ALL = ['person', 'invoice', 'polish', 'foreign', 'own']
  const seen = async (...given: Parameters<typeof all>) => (await receivers(...given)).map((to) => to!.split('@')[0])

  test('an administrator all of them, the newest first', async () => {
    expect(await seen(app.admin)).toEqual(ALL)
  })

  test('each right the mails of its records, and everybody those of the own account', async () => {
    expect(await seen((await app.userWith('ORDERS_MANAGEMENT')).caller)).toEqual(['polish', 'foreign', 'own'])
    expect(await seen((await app.userWith('INVOICES_PROCESSING')).caller)).toEqual(['invoice'])
    expect(await seen((await app.userWith('USERS_MANAGEMENT')).caller)).toEqual(['person'])
    expect(await seen((await app.userWith('CUSTOMER_MANAGEMENT')).caller)).toEqual([])
    expect(await seen(own.caller)).toEqual(['person', 'own'])
  })

  test('who manages some orders nothing of the others, whatever is asked for', async () => {
    expect(await seen(own.caller, `&orderIds[]=${foreignOrder.id}`)).toEqual([])
    expect(await seen(own.caller, '&q=foreign')).toEqual([])
    expect((await own.caller.get('emails')).body.total).toBe(2)
    const foreign = (await all(app.admin, '&q=foreign'))[0]!
    expect((await own.caller.get(`emails/${foreign.id}`)).status).toBe(404)
  })

  test('one’s own mail as it is, to nobody who may only look at it a way to send it', async () => {
    const [mine] = await all(own.caller, '&type[]=invitation')
    expect((await own.caller.get(`emails/${mine!.id}`)).body.to).toEqual(['person@waybill.example'])
    expect((await own.caller.post(`emails/${mine!.id}/cancel`, {})).status).toBe(403)
  })

  test('only those of the company that an administrator looks at', async () => {
    const filtered = (id: number) => seen(app.admin, '', { 'group-filter': String(id) })
    expect(await filtered(companies.poland)).toEqual(['person', 'polish'])
    expect(await filtered(companies.home)).toEqual(['person', 'invoice', 'foreign', 'own'])
  })

  test('nothing of a person who is gone', async () => {
    const { body: gone } = await app.admin.get(`users/${own.id}`)
    await app.database.pool.query(`update email set "ownerId" = 0 where "ownerKind" = 'user'`)
    expect(gone.id).toBe(own.id)
    expect(await seen(app.admin)).toEqual(ALL.slice(1))
  })

  test('record, customer and receiver of each, without its words', async () => {
    const [person, invoice, , , order] = await all(app.admin)
    expect(order).toMatchObject({
      html: null,
      owner: { kind: 'order', title: ownOrder.number, customer: { id: customerId, title: 'Hansa Bau GmbH' } },
    })
    expect(invoice!.owner).toMatchObject({ kind: 'invoice', customer: { id: customerId } })
    expect(person!.owner).toMatchObject({ kind: 'user', id: own.id, customer: null })
    expect((await all(app.admin, `&orderId=${ownOrder.id}`))[0]!.html).toContain('Words')
  })
})

describe('the list of all mails is narrowed', () => {
  beforeEach(async () => {
    await queue({ kind: 'order', id: ownOrder.id }, 'disposition@hansa.example')
    await queue({ kind: 'order', id: foreignOrder.id }, 'büro@kröger.example')
    await queue({ kind: 'user', id: own.id }, 'person@waybill.example')
    await app.database.pool.query(
      `update email set status = 'failed', "isAutomatic" = true where "to" = '{disposition@hansa.example}'`,
    )
  })

  test('by several states and types', async () => {
    expect(await receivers(app.admin, '&status[]=failed')).toEqual(['disposition@hansa.example'])
    expect(await receivers(app.admin, '&status[]=failed&status[]=waiting')).toHaveLength(3)
    expect(await receivers(app.admin, '&type[]=invitation')).toEqual(['person@waybill.example'])
    expect(await receivers(app.admin, '&type[]=invitation&type[]=order_created&status[]=waiting')).toHaveLength(2)
  })

  test('by parts of an address without its accents, and by the number of the order', async () => {
    expect(await receivers(app.admin, '&q=kroger')).toEqual(['büro@kröger.example'])
    expect(await receivers(app.admin, `&q=${ownOrder.number}`)).toEqual(['disposition@hansa.example'])
    expect(await receivers(app.admin, `&q=${ownOrder.number.slice(0, 2)}`)).toHaveLength(2)
    expect(await receivers(app.admin, '&q=nobody')).toEqual([])
  })

  test('by the beginning of a number: the highest number first, and of one the newest', async () => {
    await queue({ kind: 'order', id: ownOrder.id }, 'again@hansa.example')
    expect(foreignOrder.number > ownOrder.number).toBe(true)
    for (const length of [1, 2, 3, 4])
      expect(await receivers(app.admin, `&q=${ownOrder.number.slice(0, length)}`)).toEqual([
        'büro@kröger.example',
        'again@hansa.example',
        'disposition@hansa.example',
      ])
  })

  test('by orders, and by who made them', async () => {
    expect(await receivers(app.admin, `&orderIds[]=${foreignOrder.id}`)).toEqual(['büro@kröger.example'])
    expect(await receivers(app.admin, '&origin[]=automatic')).toEqual(['disposition@hansa.example'])
    expect(await receivers(app.admin, '&origin[]=byHand')).toHaveLength(2)
    expect(await receivers(app.admin, '&origin[]=byHand&origin[]=automatic')).toHaveLength(3)
  })

  test('by whether the caller is among the managers of the order', async () => {
    const mine = await all(own.caller, '&mine=1')
    expect(mine.length).toBeGreaterThan(0)
    expect(new Set(mine.map(({ owner }) => owner.id))).toEqual(new Set([ownOrder.id]))
    const { caller: dispatcher } = await app.userWith('ORDERS_MANAGEMENT')
    expect(await all(dispatcher, '&mine=1')).toEqual([])
    const others = (await all(dispatcher, '&mine=0')).map(({ owner }) => owner.id)
    expect(others).toEqual(expect.arrayContaining([ownOrder.id, foreignOrder.id]))
  })

  test('by days of the company that each belongs to, both ends included', async () => {
    await app.asOwner(`update email set "createdAt" = '2026-03-02T23:30:00Z'`)
    const within = (from: string, to: string) => receivers(app.admin, `&createdAt[from]=${from}&createdAt[to]=${to}`)
    expect(await within('2026-03-02', '2026-03-03')).toHaveLength(3)
    // Half past midnight in Berlin; who belongs to no company is asked in UTC.
    expect(await within('2026-03-03', '2026-03-03')).toHaveLength(2)
    expect(await within('2026-03-02', '2026-03-02')).toEqual(['person@waybill.example'])
    expect(await within('2026-03-04', '2026-03-04')).toEqual([])
    expect(await receivers(app.admin, '&createdAt[to]=2001-01-01')).toEqual([])
  })

  test('and walked by cursor without a gap', async () => {
    for (let n = 0; n < 20; n += 1) await queue({ kind: 'order', id: ownOrder.id }, `r${n}@hansa.example`)
    const found: number[] = []
    let cursor = ''
    do {
      const { body } = await app.admin.get(`emails?perPage=10&q=hansa${cursor}`)
      found.push(...(body.items as Email[]).map(({ id }) => id))
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`
    } while (cursor !== '')
    expect(found).toHaveLength(21)
    expect(found).toEqual([...new Set(found)].toSorted((one, other) => other - one))
  })
})

describe('a whole mail', () => {
  test('is read as HTML and as plain text by who may see its record, and by nobody else', async () => {
    const id = await queue({ kind: 'order', id: foreignOrder.id }, 'foreign@hansa.example')
    expect((await app.withToken('none').get(`emails/${id}/rendered`)).status).toBe(401)
    expect((await own.caller.get(`emails/${id}/rendered`)).status).toBe(404)
    expect((await app.admin.get('emails/999999/rendered')).status).toBe(404)
    const { status, body } = await app.admin.get(`emails/${id}/rendered`)
    expect(status).toBe(200)
    expect(body.html).toMatch(/<html[^]*Words[^]*<\/html>/)
    expect(body.text).toBe('Words')
  })

  test('that has no words yet is shown as it would leave now', async () => {
    const order = await newOrder()
    const planned = (await all(app.admin, `&orderIds[]=${order.id}`)).find(({ status }) => status === 'planned')!
    const { body } = await app.admin.get(`emails/${planned.id}/rendered`)
    expect(body.text).toContain(order.number)
    expect(body.html).toContain(order.number)
  })
})

describe('several mails are sent again', () => {
  test('each by itself: what cannot go says why and hinders no other', async () => {
    open()
    const failed = await queue({ kind: 'order', id: ownOrder.id }, 'own@hansa.example')
    const foreign = await queue({ kind: 'order', id: foreignOrder.id }, 'foreign@hansa.example')
    const account = await queue({ kind: 'user', id: own.id }, 'person@waybill.example')
    await app.database.pool.query(`update email set status = 'failed'`)
    const { status, body } = await own.caller.post('emails/resend', { ids: [failed, foreign, account, 999_999] })
    expect(status).toBe(200)
    expect(body.items).toEqual([
      { id: failed, copyId: expect.any(Number), code: null },
      { id: foreign, copyId: null, code: 'not_found' },
      { id: account, copyId: null, code: 'forbidden' },
      { id: 999_999, copyId: null, code: 'not_found' },
    ])
    await deliver(body.items[0].copyId)
    expect(server.inbox.map(({ recipients }) => recipients)).toEqual([['own@hansa.example']])
  })

  test('none that is still on its way, and of one named twice one copy', async () => {
    const waiting = await queue({ kind: 'order', id: ownOrder.id }, 'own@hansa.example')
    expect((await app.admin.post('emails/resend', { ids: [waiting] })).body.items).toEqual([
      { id: waiting, copyId: null, code: 'conflict' },
    ])
    await app.database.pool.query(`update email set status = 'failed'`)
    expect((await app.admin.post('emails/resend', { ids: [waiting, waiting] })).body.items).toHaveLength(1)
    expect(await all(app.admin)).toHaveLength(2)
  })

  test('no more at a time than a list takes in hand', async () => {
    const ids = Array.from({ length: 201 }, (_, n) => n + 1)
    expect((await app.admin.post('emails/resend', { ids })).status).toBe(422)
    expect((await app.admin.post('emails/resend', { ids: [] })).status).toBe(422)
  })
})

describe('an address that a mail server refuses', () => {
  test('is told to who deals with addresses, and to nobody else', async () => {
    const { caller } = await app.userWith('SETTINGS_ACCESS')
    expect((await caller.get('email-refusals?address[]=x@y.example')).status).toBe(403)
    expect((await app.admin.get('email-refusals')).status).toBe(422)
    expect(await refusals('x@y.example')).toEqual([])
  })

  test('for good is marked with the server’s words, and the mail has failed with them', async () => {
    open()
    server.answerTo = (address) =>
      address === 'Gone@hansa.example' ? { responseCode: 550, message: 'no such mailbox' } : null
    const id = await queue({ kind: 'order', id: ownOrder.id }, 'Gone@hansa.example')
    await deliver(id)
    expect((await app.admin.get(`emails/${id}`)).body).toMatchObject({
      status: 'failed',
      lastError: expect.stringContaining('no such mailbox'),
    })
    expect(await refusals('gone@HANSA.example', 'other@hansa.example')).toEqual([
      {
        address: 'gone@hansa.example',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        words: expect.stringContaining('550 no such mailbox'),
      },
    ])
  })

  test('is marked, too, where the mail left for the others', async () => {
    open()
    server.answerTo = (address) => (address.startsWith('gone') ? { responseCode: 553, message: 'unknown' } : null)
    const id = await queueMail(ctx(), {
      owner: { kind: 'order', id: ownOrder.id },
      type: 'order_created',
      to: ['here@hansa.example', 'gone@hansa.example'],
      cc: [],
      subject: 'To both',
      html: '<p>Words</p>',
      frame: { language: 'en', sender: 'Waybill', footer: [] },
      documentIds: [],
    })
    await deliver(id)
    expect((await app.admin.get(`emails/${id}`)).body.status).toBe('sent')
    expect(await refusals('here@hansa.example', 'gone@hansa.example')).toMatchObject([
      { address: 'gone@hansa.example' },
    ])
  })

  test('for now is not marked', async () => {
    open()
    server.answerTo = () => ({ responseCode: 451, message: 'greylisted' })
    await deliver(await queue({ kind: 'order', id: ownOrder.id }, 'later@hansa.example'))
    expect(await refusals('later@hansa.example')).toEqual([])
  })

  test('is no longer marked once a mail has arrived there', async () => {
    open()
    server.answerTo = () => ({ responseCode: 550, message: 'no such mailbox' })
    await deliver(await queue({ kind: 'order', id: ownOrder.id }, 'back@hansa.example'))
    expect(await refusals('back@hansa.example')).toHaveLength(1)
    server.answerTo = () => null
    await deliver(await queue({ kind: 'order', id: ownOrder.id }, 'Back@hansa.example'))
    expect(await refusals('back@hansa.example')).toEqual([])
  })
})
