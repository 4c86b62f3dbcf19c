import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { templateKey, type RenderedMail, type TemplateWrite } from '@waybill/contract/email/template'
import { variablesOf, VARIABLES } from '@waybill/contract/email/variables'
import { isPlainText } from '@waybill/contract/kit/text'
import { CARGO_COLUMNS, SIGNATURE_LINES, STOP_COLUMNS } from '@waybill/contract/mail-blocks'
import type { Order } from '@waybill/contract/order/order'
import { ADMIN, useTestApp, type Caller } from '../../../../test/app.ts'
import { angles, closed, cut, elementsOf, hostile, send, type Body } from '../../../../test/hostile/values.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { modelRuns } from '../../../../test/model-runs.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { upload, FILES } from '../../../../test/upload.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'
import { STANDARD_TEXT_NAMES, standardText } from '../../mail-template/standard-texts.ts'

/*
 * The texts of every record that a mail speaks of: our company, its department and case worker, the carrier, its driver
 * and disponent, the customer and its contact person, vehicles, places and goods, and the names of files. Every type
 * and variant of a mail shows them, in its standard text and in one that names every field that it may name.
 */

const test = useTestApp()
let server: MailServer
let world: OrderWorld
let admin: Caller

/** Each text field by its record, with the most characters that it takes. */
const FIELDS = {
  companies: { title: 250, address: 250, city: 100, register: 150 },
  departments: { abbreviation: 30, city: 100 },
  users: { fullName: 150, plateNumber: 20 },
  'vehicle-types': { title: 100 },
  'carrier-companies': {
    title: 250,
    address: 250,
    city: 100,
    'drivers.0.fullName': 150,
    'drivers.0.plateNumber': 20,
  },
  customers: {
    title: 250,
    address: 250,
    city: 100,
    'contactPersons.0.fullName': 150,
    'contactPersons.0.lastName': 100,
    'contactPersons.0.academicTitle': 30,
  },
  orders: {
    customerOrderNumber: 100,
    description: 4000,
    'cargo.0.title': 500,
    'cargo.0.marks': 500,
    'cargo.0.instructions': 2000,
    'locations.0.companyTitle': 250,
    'locations.0.city': 100,
    'locations.1.companyTitle': 250,
    'locations.1.address': 250,
    'locations.1.postal': 20,
    'locations.1.city': 100,
    'locations.1.reference': 100,
    'locations.1.comment': 2000,
    'routes.0.assignment.plateNumber': 40,
    'routes.0.assignment.disponentName': 150,
    'routes.0.assignment.extraData': 2000,
  },
} as const satisfies Record<string, Record<string, number>>
type Kind = keyof typeof FIELDS
const KINDS = Object.keys(FIELDS) as Kind[]
const PATHS = KINDS.flatMap((kind) => Object.keys(FIELDS[kind]).map((path) => [kind, path] as const))
/** the subject that a person types, and the name of the file */
const BY_HAND = 2
const VALUES_A_ROUND = PATHS.length + BY_HAND

/** Every type and variant: languages differ in their words alone. */
const NAMES = STANDARD_TEXT_NAMES.filter(({ language }) => language === 'en')

/** A text with every field that a mail of this kind may name: in its subject, a sentence and a table. */
function textOf({ type, variant }: (typeof NAMES)[number]): TemplateWrite {
  const keys = variablesOf(type, variant)
  const said = keys.flatMap((key) => [
    { type: 'variable' as const, attrs: { key, fallback: '–' } },
    { type: 'text' as const, text: ' | ' },
  ])
  return {
    ...standardText({ type, variant, language: 'en' }),
    subject: said.slice(0, 24),
    blocks: [
      { id: 'p', kind: 'paragraph', onlyIf: null, text: [{ type: 'paragraph', content: said }] },
      {
        id: 'f',
        kind: 'facts',
        onlyIf: null,
        rows: keys.slice(0, 40).map((variable) => ({ label: VARIABLES[variable].name.en, variable })),
      },
      { id: 's', kind: 'stops', onlyIf: null, columns: [...STOP_COLUMNS] },
      { id: 'c', kind: 'cargo', onlyIf: null, columns: [...CARGO_COLUMNS] },
      { id: 'g', kind: 'signature', onlyIf: null, lines: [...SIGNATURE_LINES] },
    ],
  } as TemplateWrite
}

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  admin = test.admin
  world = await orderWorld(test)
})
afterAll(async () => {
  await test.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

type Values = ReadonlyMap<string, string>
const nameOf = (kind: Kind, path: string) => `${kind}.${path}`

/** Changes a record that is there; what the edge refuses becomes a word. */
async function change(kind: Kind, id: number, values: Values, body: Body = {}): Promise<Map<string, string>> {
  const limits: Record<string, number> = FIELDS[kind]
  const theirs = new Map(Object.keys(limits).map((path) => [path, values.get(nameOf(kind, path))!]))
  const { version } = (await admin.get(`${kind}/${id}`)).body
  return (await send((given) => admin.patch(`${kind}/${id}`, given, { version }), body, theirs, limits)).taken
}

interface Shown {
  order: Order
  mails: Map<string, RenderedMail>
  taken: Map<string, string>
}

/**
 * Writes the values into every record, and shows each kind of mail of an order in which they meet: by a text that names
 * every field, and by its standard text where that is asked for.
 */
async function show(values: Values, withStandard: boolean): Promise<Shown> {
  // A session does not live through all of this.
  const { body } = await test.signIn(ADMIN.email, ADMIN.password)
  admin = test.withToken(body.token)
  const department = (await admin.get(`departments/${world.departmentId}`)).body
  const me = (await admin.get('profile')).body.id as number
  const taken = new Map<string, string>()
  const note = (kind: Kind, found: Map<string, string>) => {
    for (const [path, value] of found) taken.set(nameOf(kind, path), value)
  }
  note('companies', await change('companies', department.companyId, values))
  note('departments', await change('departments', world.departmentId, values))
  note('users', await change('users', me, values))
  note('vehicle-types', await change('vehicle-types', world.vehicleTypeId, values, { titleEn: null }))
  note(
    'carrier-companies',
    await change('carrier-companies', world.carrier.id, values, { drivers: [{ id: world.carrier.driverId }] }),
  )
  const valuesOf = (kind: Kind) =>
    new Map(Object.keys(FIELDS[kind]).map((path) => [path, values.get(nameOf(kind, path))!]))
  const customer = await send(
    (given) => admin.post('customers', given),
    { countryId: world.countries.DE, language: 'en', contactPersons: [{ email: 'reader@hansa.example' }] },
    valuesOf('customers'),
    FIELDS.customers,
  )
  note('customers', customer.taken)
  const { cargo, locations } = shipment(world)
  const { assignment } = carried(world)
  const order = await send(
    (given) => admin.post('orders', given),
    structuredClone(
      plainOrder(world, customer.body.id as number, {
        contactPersonId: (customer.body.contactPersons as { id: number }[])[0]!.id,
        caseWorkerId: me,
        vehicleTypeId: world.vehicleTypeId,
        cargo: cargo!,
        locations: locations!,
        routes: [{ assignment: { ...assignment!, vehicleTypeId: world.vehicleTypeId } }],
      }),
    ),
    valuesOf('orders'),
    FIELDS.orders,
  )
  note('orders', order.taken)
  const mails = new Map<string, RenderedMail>()
  for (const name of NAMES) {
    const key = templateKey({ ...name, id: null })
    for (const [which, text] of [
      ['every field', textOf(name)] as const,
      ...(withStandard ? [['standard', standardText(name)] as const] : []),
    ]) {
      const shown = await admin.post<RenderedMail>(`departments/${world.departmentId}/email-templates/${key}/preview`, {
        text,
        orderId: order.body.id,
      })
      expect([key, which, shown.status, shown.body]).toEqual([key, which, 200, expect.anything()])
      mails.set(`${key}, ${which}`, shown.body)
    }
  }
  return { order: order.body as unknown as Order, mails, taken }
}

/** Nothing but words: the same elements as with harmless ones, one line in the subject, all of the text there. */
function expectWordsAlone(harmless: Shown, { mails, taken }: Shown): void {
  for (const [name, mail] of mails) {
    expect([name, /[\r\n]/.test(mail.subject), mail.subject.length <= 250]).toEqual([name, false, true])
    const known = elementsOf(harmless.mails.get(name)!)
    for (const [element, count] of elementsOf(mail))
      expect([name, element, count <= (known.get(element) ?? 0)]).toEqual([name, element, true])
    expect([name, angles(mail) <= angles(harmless.mails.get(name)!)]).toEqual([name, true])
  }
  const text = closed(mails.get('order_created.en, every field')!.text)
  for (const path of ['companies.title', 'users.fullName', 'customers.title', 'orders.customerOrderNumber'])
    expect([path, text.includes(closed(taken.get(path)!))]).toEqual([path, true])
  const carrier = closed(mails.get('order_resolved.confirmed.en, every field')!.text)
  for (const path of ['carrier-companies.title', 'orders.routes.0.assignment.plateNumber', 'vehicle-types.title'])
    expect([path, taken.get(path), carrier.includes(closed(taken.get(path)!))]).toEqual([path, taken.get(path), true])
}

/** A mail by hand with such a subject and a file of such a name, over the mail server: nothing but one more header. */
async function expectOneMail(order: Order, subject: string, fileName: string): Promise<void> {
  const stored = await upload(admin, {
    fields: { documentType: 'OTHER_DOCUMENTS', orderId: order.id },
    file: { name: fileName, bytes: FILES.pdf() },
  })
  const documentIds = stored.status === 201 ? [stored.body.id as number] : []
  const wish = { type: 'other_emails', orderId: order.id }
  const { body: draft } = await admin.post('emails/preview', wish)
  const mail = { ...wish, to: ['reader@hansa.example'], cc: [], blocks: draft.page.blocks, seen: draft.page.seen }
  let written = await admin.post('emails', { ...mail, subject, documentIds })
  if (written.status === 422) {
    // Nothing in it can begin a line of its own.
    const isLine = isPlainText(subject) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(subject) && subject.trim() !== ''
    expect([subject, isLine]).toEqual([subject, false])
    written = await admin.post('emails', { ...mail, subject: 'refused', documentIds })
  }
  expect([written.status, written.body.errors]).toEqual([201, undefined])
  server.inbox.length = 0
  await deliverEmail.handle(jobContext(test), { emailId: written.body.id })
  const [arrived] = server.inbox
  expect(arrived!.recipients).toEqual(['reader@hansa.example'])
  expect(arrived!.mail.headers.map(({ key }) => key).toSorted()).toEqual(HEADERS)
  expect(arrived!.mail.subject).not.toMatch(/[\r\n]/)
  expect(arrived!.mail.attachments.map(({ filename }) => filename)).toHaveLength(documentIds.length)
  for (const { filename } of arrived!.mail.attachments) expect(filename).not.toMatch(/[\r\n\0/\\]/)
}
const HEADERS = ['content-type', 'date', 'from', 'message-id', 'mime-version', 'reply-to', 'subject', 'to']

const round = fc.array(hostile, { minLength: VALUES_A_ROUND, maxLength: VALUES_A_ROUND })
const RUNS = modelRuns(2, Math.ceil(10_000 / VALUES_A_ROUND))

describe('texts of every record that a mail speaks of', () => {
  it(`are words and nothing else in every kind of mail (${RUNS * VALUES_A_ROUND} of them)`, {
    tags: 'long',
    timeout: modelRuns(120_000, 3_600_000),
  }, async () => {
    const valuesOf = (values: readonly string[]): Values =>
      new Map(
        PATHS.map(([kind, path], index) => [
          nameOf(kind, path),
          cut(values[index]!, (FIELDS[kind] as Record<string, number>)[path]!),
        ]),
      )
    const harmless = await show(valuesOf(PATHS.map((_path, index) => `Text${index}`)), true)
    await expectOneMail(harmless.order, 'Text', 'Text.pdf')
    let rounds = 0
    await fc.assert(
      fc.asyncProperty(round, async (values) => {
        // Standard texts name a few of the fields that the other text names, too: half of the time for little.
        const shown = await show(valuesOf(values), rounds++ % 4 === 0)
        expectWordsAlone(harmless, shown)
        const [subject, fileName] = values.slice(PATHS.length)
        await expectOneMail(shown.order, cut(subject!, 250), `${cut(fileName!, 200)}.pdf`)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})
