import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MailBlock } from '@waybill/contract/mail-blocks'
import type { EmailDraft, MailPage } from '@waybill/contract/email/by-hand'
import type { Email } from '@waybill/contract/email'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { FILES, upload } from '../../../../test/upload.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'

const test = useTestApp({ beginsOn: '2026-11-23T10:00:00Z' })
let world: OrderWorld
let server: MailServer
let customer: { id: number; contactId: number }
let order: Order

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(test)
  const herr = await test.idOf('salutation', 'title', 'Herr')
  const made = await test.admin.post('customers', {
    title: 'Hansa Holz GmbH',
    countryId: world.countries.DE,
    language: 'de',
    contactPersons: [
      { fullName: 'Jan Petersen', salutationId: herr, email: 'j.petersen@hansa.example' },
      { fullName: 'Katrin Böhm', email: 'k.boehm@hansa.example' },
    ],
  })
  customer = { id: made.body.id, contactId: made.body.contactPersons[0].id }
  order = await newOrder()
})
afterAll(async () => {
  await test.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})
beforeEach(() => {
  server.inbox.length = 0
})

const ctx = () => jobContext(test)

/** A route whose disponent has an address. */
const route = (world_: OrderWorld) => {
  const { assignment } = carried(world_)
  return { assignment: { ...assignment!, disponentName: 'Ewa Nowak', disponentEmail: 'e.nowak@trans.example' } }
}

async function newOrder(more: Partial<OrderInput> = {}): Promise<Order> {
  const made = await test.admin.post(
    'orders',
    plainOrder(world, customer.id, {
      contactPersonId: customer.contactId,
      customerOrderNumber: 'HH-2201',
      ...shipment(world),
      routes: [route(world)],
      ...more,
    }),
  )
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return made.body
}

const codes = (body: { errors?: { path: string; code: string }[] }) =>
  (body.errors ?? []).map(({ path, code }) => `${path} ${code}`)

const look = async (wish: object) => {
  const { status, body } = await test.admin.post('emails/preview', wish)
  expect([status, body.errors]).toEqual([200, undefined])
  const draft = body as EmailDraft
  return { ...draft, page: draft.page as MailPage }
}

/** What the page sends when somebody presses Send without having changed a word. */
async function asShown(wish: object, more: object = {}) {
  const { to, cc, subject, page } = await look(wish)
  return { ...wish, to, cc, subject, blocks: page.blocks, seen: page.seen, ...more }
}
const write = (body: object, caller = test.admin) => caller.post('emails', body)
const refusal = async (body: object) => {
  const answer = await write(body)
  return [answer.status, ...codes(answer.body)]
}
const paragraph = (text: string): MailBlock => ({
  id: 'p1',
  kind: 'paragraph',
  onlyIf: null,
  text: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})
const count = async () => (await test.admin.get(`emails?orderId=${order.id}&perPage=100`)).body.total as number
const fileOf = async (owner: object, documentType: string, more: object = {}) =>
  (
    await upload(test.admin, {
      fields: { ...owner, documentType, ...more },
      file: { name: `${documentType}.pdf`, bytes: FILES.pdf() },
    })
  ).body.id as number

describe('a mail by hand that cannot be', () => {
  it('is refused to who may not open the order, who has no right, and of an order that there is not', async () => {
    const { caller: own } = await test.userWith('ASSIGNED_ORDERS')
    const { caller: clerk } = await test.userWith('INVOICES_PROCESSING')
    const wish = { type: 'driver_information', orderId: order.id }
    const mail = await asShown(wish)
    for (const [caller, status] of [
      [own, 404],
      [clerk, 403],
      [test.anonymous, 401],
    ] as const) {
      expect((await caller.post('emails/preview', wish)).status).toBe(status)
      expect((await write(mail, caller)).status).toBe(status)
    }
    expect((await test.admin.post('emails/preview', { ...wish, orderId: 999_999 })).status).toBe(404)
    expect((await write({ ...mail, orderId: 999_999 })).status).toBe(404)
  })

  it('shows no IBAN in full that is not ours, in subject or text', async () => {
    const iban = 'PL61 1090 1014 0000 0712 1981 2874'
    const wish = { type: 'driver_information', orderId: order.id }
    const mail = await asShown(wish, { to: ['dispo@wolski.example'] })
    expect(await refusal({ ...mail, subject: `Your account ${iban}` })).toEqual([422, 'subject iban_in_mail'])
    const blocks = [paragraph('See below'), { ...paragraph(`We pay to ${iban}.`), id: 'p2' }]
    expect(await refusal({ ...mail, blocks })).toEqual([422, 'blocks.1 iban_in_mail'])
  })

  it('needs one record, of one kind', async () => {
    const ask = async (body: object) => codes((await test.admin.post('emails/preview', body)).body)
    expect(await ask({ type: 'pods' })).toEqual(['orderId required'])
    expect(await ask({ type: 'pods', orderId: order.id, invoiceId: 1 })).toEqual(['orderId required'])
    expect(await ask({ type: 'invoice', orderId: order.id })).toEqual(['type mail_of_invoice'])
  })

  it('says which route or carrier is missing, and knows none of another order', async () => {
    const bare = await newOrder({ routes: [], locations: [], cargo: [] })
    const other = await newOrder()
    const ask = async (body: object) => codes((await test.admin.post('emails/preview', body)).body)
    expect(await ask({ type: 'order_resolved', orderId: bare.id })).toEqual(['type route_missing'])
    expect(await ask({ type: 'driver_information', orderId: bare.id })).toEqual(['type route_missing'])
    const wish = { type: 'order_resolved', orderId: order.id }
    expect(await ask({ ...wish, routeId: other.routes[0]!.id })).toEqual(['routeId unknown_reference'])
    expect(await ask({ ...wish, type: 'order_created', customerId: 999_999 })).toEqual(['customerId unknown_reference'])
    expect(await ask({ ...wish, variant: 'lyrical' })).toEqual(['variant invalid_value'])
    expect(await ask({ type: 'other_emails', orderId: order.id, name: 'Never written' })).toEqual([
      'name unknown_reference',
    ])
    const own = await newOrder({ routes: [{ assignment: { ownFleet: true } }] })
    expect(await ask({ type: 'order_resolved', orderId: own.id })).toEqual(['type carrier_missing'])
  })

  it('has a receiver, a subject of one line, and no holes', async () => {
    const mail = await asShown({ type: 'driver_information', orderId: order.id })
    const before = await count()
    expect(await refusal({ ...mail, to: [] })).toEqual([422, 'to recipient_missing'])
    expect(await refusal({ ...mail, to: ['a@b.example\r\nBcc: all@b.example'] })).toEqual([422, 'to.0 invalid_email'])
    expect(await refusal({ ...mail, subject: 'Plate\r\nBcc: all@b.example' })).toEqual([422, 'subject invalid_text'])
    expect(await refusal({ ...mail, subject: 'Driver […]' })).toEqual([422, 'subject value_missing'])
    const hole: MailBlock = {
      ...paragraph(''),
      kind: 'paragraph',
      text: [
        { type: 'paragraph', content: [{ type: 'variable', attrs: { key: 'route.loadedDate', fallback: null } }] },
      ],
    }
    expect(await refusal({ ...mail, blocks: [hole] })).toEqual([422, 'blocks value_missing'])
    expect(await count()).toBe(before)
  })

  it('is made of blocks and takes no HTML, no script as a link, and no value that is not for its reader', async () => {
    const mail = await asShown({ type: 'driver_information', orderId: order.id })
    const facts = (variable: string) => ({
      id: 'f',
      kind: 'facts',
      onlyIf: null,
      rows: [{ label: 'Cost', variable }],
    })
    expect((await write({ ...mail, html: '<script>alert(1)</script>' })).status).toBe(422)
    expect((await write({ ...mail, blocks: [{ id: 'h', kind: 'html', html: '<b>' }] })).status).toBe(422)
    expect(await refusal({ ...mail, blocks: [facts('carrier.cost')] })).toEqual([
      422,
      'blocks.0.rows.0.variable unknown_variable',
    ])
    const link = {
      ...paragraph(''),
      text: [
        {
          type: 'paragraph',
          content: [{ type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] }],
        },
      ],
    }
    expect((await write({ ...mail, blocks: [link] })).status).toBe(422)
  })

  it('carries no file of another record, none twice, none that shows our cost to a customer, and no heap', async () => {
    const other = await newOrder()
    const foreign = await fileOf({ orderId: other.id }, 'OTHER_DOCUMENTS')
    const ofCustomer = await fileOf({ customerId: customer.id }, 'CUSTOMER_DOCUMENTS')
    const cost = await fileOf({ orderId: order.id }, 'ORDER_RESOLVED_DOCUMENT')
    const plain = await fileOf({ orderId: order.id }, 'OTHER_DOCUMENTS')
    const mail = await asShown({ type: 'driver_information', orderId: order.id })
    for (const strange of [foreign, ofCustomer, 999_999])
      expect(await refusal({ ...mail, documentIds: [plain, strange] })).toEqual([
        422,
        'documentIds.1 unknown_reference',
      ])
    expect(await refusal({ ...mail, documentIds: [plain, plain] })).toEqual([422, 'documentIds duplicate_key'])
    expect(await refusal({ ...mail, documentIds: [cost] })).toEqual([422, 'documentIds.0 not_for_customers'])
    const { page } = await look({ type: 'driver_information', orderId: order.id })
    expect(page.documents.find(({ documentId }) => documentId === cost)?.refusedFor).toBe('not_for_customers')
    // The carrier may see it, but not with the customer reading along.
    const toCarrier = await asShown({ type: 'order_resolved', orderId: order.id }, { documentIds: [cost] })
    expect(await refusal({ ...toCarrier, cc: ['J.Petersen@Hansa.example'] })).toEqual([
      422,
      'documentIds.0 not_for_customers',
    ])
    await test.asOwner(`update document set "sizeBytes" = 19000000 where id = ${plain}`)
    expect(await refusal({ ...mail, documentIds: [plain] })).toEqual([422, 'documentIds attachments_too_big'])
  })

  it('is not sent over an order that says something else by now', async () => {
    const own = await newOrder()
    const mail = await asShown({ type: 'driver_information', orderId: own.id })
    const { id, assignment } = own.routes[0]!
    const changed = await test.admin.patch(
      `orders/${own.id}`,
      { routes: [{ id, assignment: { ...carried(world).assignment, id: assignment!.id, plateNumber: 'PO 1X999' } }] },
      { version: own.version },
    )
    expect([changed.status, changed.body.errors]).toEqual([200, undefined])
    expect(await refusal(mail)).toEqual([422, 'seen seen_before_change'])
    expect(
      (await write({ ...mail, seen: (await asShown({ type: 'driver_information', orderId: own.id })).seen })).status,
    ).toBe(201)
  })
})

describe('a mail by hand', () => {
  it('about an export is none where the goods stay in the Union', async () => {
    const { status, body } = await test.admin.post('emails/preview', { type: 'export_certificate', orderId: order.id })
    expect([status, ...codes(body)]).toEqual([422, 'type no_export'])
  })

  it('is proposed with who it goes to, in their language, with its values written out', async () => {
    const { to, subject, html, page } = await look({ type: 'driver_information', orderId: order.id })
    expect(to).toEqual(['j.petersen@hansa.example'])
    expect(subject).toContain('HH-2201')
    expect(page).toMatchObject({ language: 'de', variant: 'first', routeId: order.routes[0]!.id, holes: [] })
    expect(page.people.map(({ email, role }) => [email, role])).toEqual([
      ['j.petersen@hansa.example', 'contactPerson'],
      ['k.boehm@hansa.example', 'contact'],
    ])
    expect(JSON.stringify(page.blocks)).toContain('Sehr geehrter Herr Petersen')
    expect(html).toContain('PO 4T112')
    const facts = page.blocks.find(({ kind }) => kind === 'facts')!
    expect(page.parts[facts.id]).toContain('PO 4T112')
    const english = await look({ type: 'driver_information', orderId: order.id, language: 'en' })
    expect(JSON.stringify(english.page.blocks)).toContain('Dear Mr Petersen')
  })

  it('names the contact person whom it is for, where that person has no address', async () => {
    const made = await test.admin.post('customers', {
      title: 'Stille Post KG',
      countryId: world.countries.DE,
      contactPersons: [{ fullName: 'Ohne Adresse' }, { fullName: 'Mit Adresse', email: 'mit@post.example' }],
    })
    const [silent, reachable] = made.body.contactPersons
    const seen = async (contactPersonId: number) => {
      const { id: orderId } = await newOrder({ customerIds: [made.body.id], contactPersonId })
      const { to, page } = await look({ type: 'driver_information', orderId })
      return { to, customerId: page.customerId, withoutAddress: page.withoutAddress }
    }
    expect(await seen(silent.id)).toEqual({
      to: [],
      customerId: made.body.id,
      withoutAddress: { id: silent.id, title: 'Ohne Adresse' },
    })
    expect(await seen(reachable.id)).toMatchObject({ to: ['mit@post.example'], withoutAddress: null })
    const { page } = await look({ type: 'order_resolved', orderId: order.id })
    expect(page.withoutAddress).toBeNull()
  })

  it('about a delay says why, where somebody has typed it', async () => {
    const { locations, cargo } = shipment(world)
    const [from, to] = locations!
    const late = await newOrder({
      cargo,
      locations: [{ ...from!, termin: { kind: 'fix', dateFrom: '2026-11-20', timeFrom: '08:00' } }, to!],
      routes: [{ assignment: { ownFleet: true, plateNumber: 'HH WB 417' } }],
    })
    const moved = await test.admin.post(`orders/${late.id}/status`, { to: 'scheduled' }, { version: late.version })
    expect(moved.body.delay).toMatchObject({ kind: 'sending' })
    const said = async () => {
      const { page } = await look({ type: 'other_emails', variant: 'delay', orderId: late.id })
      return Object.values(page.parts).join('')
    }
    expect(await said()).not.toContain('Grund')
    const [first, second] = moved.body.locations
    const kept = await test.admin.patch(
      `orders/${late.id}`,
      { locations: [{ ...first, delayReason: 'Stau vor dem Elbtunnel' }, second] },
      { version: moved.body.version },
    )
    expect([kept.status, kept.body.errors]).toEqual([200, undefined])
    expect(await said()).toMatch(/Grund.*Stau vor dem Elbtunnel/)
  })

  it('to the carrier goes to the disponent, and says which papers can still be made', async () => {
    const own = await newOrder()
    const { to, page } = await look({ type: 'order_resolved', orderId: own.id })
    expect(to).toEqual(['e.nowak@trans.example'])
    expect(page.people[0]).toEqual({ email: 'e.nowak@trans.example', name: 'Ewa Nowak', role: 'disponent' })
    expect(page.makeable).toContainEqual({ documentType: 'ORDER_RESOLVED_DOCUMENT', routeId: own.routes[0]!.id })
    expect(page.customers).toEqual([])
  })

  it('can be looked at and written in each type that an order has', async () => {
    await fileOf({ orderId: order.id }, 'PROOF_OF_DELIVERY')
    for (const type of [
      'order_created',
      'order_resolved',
      'driver_information',
      'loading_confirmation',
      'unloading_confirmation',
      'before_arriving',
      'pods',
      'arrival_certificate',
      'other_emails',
    ] as const) {
      const { subject, page } = await look({ type, orderId: order.id })
      expect([type, subject.length > 5, page.blocks.length > 1]).toEqual([type, true, true])
    }
    expect((await look({ type: 'pods', orderId: order.id })).attachments).toHaveLength(1)
  })

  it('proposes the certificate, makes one that is missing or outdated, and remembers when it was sent', {
    tags: 'long',
  }, async () => {
    const { locations, cargo } = shipment(world)
    const buyer = { companyTitle: 'Wielkopolska Tech Sp. z o.o.' }
    const times = { arrivedAt: '2026-11-01T08:00:00Z', unloadedAt: '2026-11-01T09:00:00Z' }
    const own = await newOrder({ cargo, locations: [locations![0]!, { ...locations![1]!, ...buyer }] })
    const wish = { type: 'arrival_certificate', orderId: own.id }
    expect((await look(wish)).page.makeable[0]).toEqual({
      documentType: 'ORDER_ARRIVAL_CERTIFICATE',
      routeId: null,
      hindrance: 'nothing_delivered',
    })
    const change = async (version: number, body: object) =>
      (await test.admin.patch(`orders/${own.id}`, body, { version })).body as Order
    const arrived = await change(own.version, {
      locations: own.locations.map(({ id, kind, countryId, city, cargoActions }, index) => ({
        id,
        kind,
        countryId,
        city,
        cargoActions,
        ...(index === 1 && { ...buyer, ...times }),
      })),
    })
    const make = async (version: number) => {
      const [paper] = (await look(wish)).page.makeable
      const made = await test.admin.post(`orders/${own.id}/documents`, paper!.wish, { version })
      expect([made.status, made.body.errors]).toEqual([201, undefined])
      return made.body.items[0].id as number
    }
    const first = await make(arrived.version)
    const shown = await look(wish)
    expect(shown.page.makeable.filter(({ documentType }) => documentType === 'ORDER_ARRIVAL_CERTIFICATE')).toEqual([])
    expect(shown.page.documents[0]).toMatchObject({ documentId: first, isProposed: true, state: 'current' })

    const renamed = await change(arrived.version, {
      cargo: arrived.cargo.map(({ id }) => ({ id, title: 'Fräsmaschinen', quantity: 2 })),
    })
    expect((await look(wish)).page.documents[0]).toMatchObject({
      documentId: first,
      isProposed: false,
      state: 'outdated',
    })
    const second = await make(renamed.version)
    expect(
      (await look(wish)).page.documents.map(({ documentId, state, isProposed }) => [documentId, state, isProposed]),
    ).toEqual([
      [second, 'current', true],
      [first, 'replaced', false],
    ])
    const sent = (await write(await asShown(wish, { documentIds: [second] }))).body as Email
    const sentAt = async () => {
      // Mails leave in the order of their time: those of earlier tests may go first.
      await deliverEmail.handle(ctx(), { emailId: sent.id })
      const { items } = (await test.admin.get(`orders/${own.id}/papers`)).body
      return items.map((one: { sentAt: string | null }) => one.sentAt)
    }
    await expect.poll(sentAt, { timeout: 20_000 }).toEqual([expect.any(String), null])
    expect((await look(wish)).page.documents[0]!.sentAt).not.toBeNull()
  })

  it('leaves as it was written: words as words, facts from the order, files as ticked', async () => {
    const file = await fileOf({ orderId: order.id }, 'OTHER_DOCUMENTS')
    const wish = { type: 'driver_information', orderId: order.id }
    const shown = await asShown(wish)
    const facts = shown.blocks.find(({ kind }) => kind === 'facts')!
    const hostile = '<script>alert("x")</script> & "<b>dringend</b>" 🚚 \u202Eabc'
    const answer = await write({
      ...shown,
      to: ['k.boehm@hansa.example', 'lager@elsewhere.example'],
      cc: ['chef@elsewhere.example'],
      subject: '"<dringend>" Fahrer 🚚',
      blocks: [paragraph(hostile), facts],
      documentIds: [file],
    })
    expect([answer.status, answer.body.errors]).toEqual([201, undefined])
    const sent = answer.body as Email
    expect(sent).toMatchObject({
      status: 'queued',
      isAutomatic: false,
      type: 'driver_information',
      to: ['k.boehm@hansa.example', 'lager@elsewhere.example'],
      cc: ['chef@elsewhere.example'],
      route: { id: order.routes[0]!.id },
      customer: { id: customer.id },
      attachments: [{ documentId: file, title: 'OTHER_DOCUMENTS.pdf' }],
    })
    expect(sent.html).not.toContain('<script')
    expect(sent.html).not.toContain('<b>dringend')
    // A delivery takes the oldest mail that is due, so each in hand gets one.
    const inHand = await test.database.pool.query<{ id: number }>(`select id from email where status = 'queued'`)
    for (const { id } of inHand.rows) await deliverEmail.handle(ctx(), { emailId: id })
    const { mail, recipients } = server.inbox.find((one) => one.mail.subject?.includes('dringend'))!
    expect(recipients).toEqual(['k.boehm@hansa.example', 'lager@elsewhere.example', 'chef@elsewhere.example'])
    expect(mail.subject).toBe('"<dringend>" Fahrer 🚚')
    expect(mail.text).toContain('alert("x")')
    expect(mail.text).toContain('PO 4T112')
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['OTHER_DOCUMENTS.pdf'])
  })

  it('is sent once, however often the same press arrives', async () => {
    const mail = await asShown({ type: 'order_created', orderId: order.id })
    const before = await count()
    const headers = { 'idempotency-key': 'one-press' }
    const first = await test.admin.post('emails', mail, { headers })
    const second = await test.admin.post('emails', mail, { headers })
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id])
    expect(await count()).toBe(before + 1)
  })

  it('shows a customer of several only what is theirs', async () => {
    const other = await world.customer('Zweite Ladung AG', 'CH', {
      contactPersons: [{ fullName: 'Urs Egli', email: 'u.egli@zweite.example' }],
    })
    const [line] = shipment(world).cargo!
    const shared = await newOrder({
      customerIds: [customer.id, other],
      cargo: [
        { ...line!, customerId: customer.id, title: 'Holz' },
        { ...line!, key: 'd', customerId: other, title: 'Geheimware' },
      ],
    })
    const mine = await look({ type: 'order_created', orderId: shared.id })
    expect(mine.html).not.toContain('Geheimware')
    expect(mine.page.people).toContainEqual({ email: 'u.egli@zweite.example', name: 'Urs Egli', role: 'coCustomer' })
    const theirs = await look({ type: 'order_created', orderId: shared.id, customerId: other })
    expect(theirs.to).toEqual(['u.egli@zweite.example'])
    expect(theirs.html).not.toContain('Holz')
  })

  it('says nothing of a delay at a stop of other customers', async () => {
    const other = await world.customer('Dritte Ladung AG', 'CH')
    const { cargo, locations } = shipment(world)
    const [from, to] = locations!
    const overdue = { kind: 'fix' as const, dateFrom: '2026-11-20', timeFrom: '08:00' }
    const drop = (cargoKey: string) => ({ cargoKey, action: 'DROP_OFF' as const })
    const shared = await newOrder({
      customerIds: [customer.id, other],
      cargo: [
        { ...cargo![0]!, customerId: customer.id },
        { ...cargo![0]!, key: 'd', customerId: other },
      ],
      locations: [
        {
          ...from!,
          key: 'theirs',
          city: 'Bremen',
          termin: overdue,
          delayReason: 'Geheime Ware nicht fertig',
          cargoActions: [{ cargoKey: 'd', action: 'PICK_UP' }],
        },
        from!,
        { ...to!, cargoActions: [drop('c'), drop('d')] },
      ],
      routes: [{ assignment: { ownFleet: true } }],
    })
    const moved = await test.admin.post(`orders/${shared.id}/status`, { to: 'scheduled' }, { version: shared.version })
    expect(moved.body.delay).toMatchObject({ kind: 'sending' })
    const wish = { type: 'other_emails', variant: 'delay', orderId: shared.id }
    const mine = await look({ ...wish, customerId: customer.id })
    expect(`${mine.subject} ${mine.html}`).not.toMatch(/Bremen|Geheim|Grund|Verspätung</)
    const theirs = await look({ ...wish, customerId: other })
    expect(`${theirs.subject} ${theirs.html}`).toMatch(/Bremen.*Geheime Ware nicht fertig/)
  })
})
