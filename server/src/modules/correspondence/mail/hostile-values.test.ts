import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import type { Email as Parsed } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Email } from '@waybill/contract/email'
import { variablesOf, VARIABLES, type VariableKey } from '@waybill/contract/email/variables'
import { isPlainText } from '@waybill/contract/kit/text'
import { CARGO_COLUMNS, SIGNATURE_LINES, STOP_COLUMNS } from '@waybill/contract/mail-blocks'
import type { Order } from '@waybill/contract/order/order'
import { ADMIN, useTestApp, type Caller } from '../../../../test/app.ts'
import { angles, closed, cut, elementsOf, hostile, send } from '../../../../test/hostile/values.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { modelRuns } from '../../../../test/model-runs.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'
import { renderEmails } from '../plan/render-mails.ts'

/*
 * Every text that somebody types into an order, its customer and its contact person goes through the real edge into a
 * mail that shows all of them, over SMTP and back through a parser, and into a PDF.
 */

const test = useTestApp()
let server: MailServer
let world: OrderWorld
let admin: Caller
const ctx = () => jobContext(test)

/** Each text field that a mail or a document shows, with the most characters that it takes. */
const ORDER_FIELDS = {
  customerOrderNumber: 100,
  description: 4000,
  'cargo.0.title': 500,
  'cargo.0.marks': 500,
  'cargo.0.instructions': 2000,
  'locations.0.companyTitle': 250,
  'locations.0.address': 250,
  'locations.0.postal': 20,
  'locations.0.city': 100,
  'locations.0.reference': 100,
  'locations.0.contactPerson': 150,
  'locations.0.comment': 2000,
  'locations.0.specialInstructions': 2000,
  'locations.1.companyTitle': 250,
  'locations.1.address': 250,
  'locations.1.postal': 20,
  'locations.1.city': 100,
  'locations.1.reference': 100,
  'locations.1.contactPerson': 150,
  'locations.1.comment': 2000,
  'locations.1.specialInstructions': 2000,
  'routes.0.assignment.driverText': 250,
  'routes.0.assignment.plateNumber': 40,
  'routes.0.assignment.disponentName': 150,
  'routes.0.assignment.extraData': 2000,
} as const
const CUSTOMER_FIELDS = {
  title: 250,
  address: 250,
  postal: 20,
  city: 100,
  'contactPersons.0.fullName': 150,
  'contactPersons.0.lastName': 100,
  'contactPersons.0.academicTitle': 30,
} as const
const ORDER_PATHS = Object.keys(ORDER_FIELDS) as (keyof typeof ORDER_FIELDS)[]
const CUSTOMER_PATHS = Object.keys(CUSTOMER_FIELDS) as (keyof typeof CUSTOMER_FIELDS)[]
const VALUES_A_MAIL = ORDER_PATHS.length + CUSTOMER_PATHS.length

const round = fc.record({
  values: fc.array(hostile, { minLength: VALUES_A_MAIL, maxLength: VALUES_A_MAIL }),
  // Some come as they are and are refused by the edge where they are too long.
  isCut: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
})

/** A text of the department that shows every value of an order in its subject, a heading, a sentence and a table. */
async function writeTemplate() {
  const keys = variablesOf('order_created', 'standard')
  const variable = (key: VariableKey) => ({ type: 'variable', attrs: { key, fallback: '–' } })
  const text = (said: string) => ({ type: 'text', text: said })
  const shown = ['order.reference', 'customer.title', 'contact.fullName', 'order.description'] as const
  const key = `departments/${world.departmentId}/email-templates/order_created.en`
  const written = await admin.put(
    key,
    {
      subject: shown.flatMap((one) => [variable(one), text(' | ')]),
      blocks: [
        { id: 'h', kind: 'heading', onlyIf: null, text: [text('About '), variable('customer.title')] },
        {
          id: 'p',
          kind: 'paragraph',
          onlyIf: null,
          text: [{ type: 'paragraph', content: keys.flatMap((one) => [variable(one), text(' ')]) }],
        },
        {
          id: 'f',
          kind: 'facts',
          onlyIf: null,
          rows: keys.slice(0, 40).map((one) => ({ label: VARIABLES[one].name.en, variable: one })),
        },
        { id: 's', kind: 'stops', onlyIf: null, columns: [...STOP_COLUMNS] },
        { id: 'c', kind: 'cargo', onlyIf: null, columns: [...CARGO_COLUMNS] },
        { id: 'g', kind: 'signature', onlyIf: null, lines: [...SIGNATURE_LINES] },
      ],
      replyTo: 'caseWorker',
      isOn: true,
    },
    { version: 0 },
  )
  expect([written.status, written.body.errors]).toEqual([200, undefined])
}

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  admin = test.admin
  world = await orderWorld(test)
  await writeTemplate()
})
afterAll(async () => {
  await test.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

interface Told {
  mail: Parsed
  taken: Map<string, string>
  order: Order
}

/** An order whose texts are these, and the mail that tells its customer of it. */
async function tell(values: readonly string[], isCut: boolean): Promise<Told> {
  // A session does not live through all of this.
  const { body } = await test.signIn(ADMIN.email, ADMIN.password)
  admin = test.withToken(body.token)
  const valuesOf = (paths: readonly string[], limits: Readonly<Record<string, number>>, from: number) =>
    new Map(
      paths.map((path, index) => {
        const value = values[from + index]!
        return [path, isCut ? cut(value, limits[path]!) : value]
      }),
    )
  const customer = await send(
    (given) => admin.post('customers', given),
    {
      countryId: world.countries.DE,
      language: 'en',
      contactPersons: [{ email: 'reader@hansa.example' }],
    },
    valuesOf(CUSTOMER_PATHS, CUSTOMER_FIELDS, 0),
    CUSTOMER_FIELDS,
  )
  const [contact] = customer.body.contactPersons as { id: number }[]
  const { cargo, locations } = shipment(world)
  const order = await send(
    (given) => admin.post('orders', given),
    structuredClone(
      plainOrder(world, customer.body.id as number, {
        contactPersonId: contact!.id,
        cargo: cargo!,
        locations: locations!,
        routes: [carried(world)],
      }),
    ),
    valuesOf(ORDER_PATHS, ORDER_FIELDS, CUSTOMER_PATHS.length),
    ORDER_FIELDS,
  )
  const saved = order.body as unknown as Order
  test.clock.advance(9000)
  await renderEmails.handle(ctx(), { orderId: saved.id })
  const { items } = (await admin.get(`emails?orderId=${saved.id}`)).body as { items: Email[] }
  const created = items.find(({ type }) => type === 'order_created')!
  server.inbox.length = 0
  await deliverEmail.handle(ctx(), { emailId: created.id })
  expect(server.inbox).toHaveLength(1)
  const [{ mail, recipients } = { mail: null, recipients: [] }] = server.inbox
  expect(recipients).toEqual(['reader@hansa.example'])
  return { mail: mail!, taken: new Map([...customer.taken, ...order.taken]), order: saved }
}

const headersOf = ({ headers }: Parsed) => headers.map(({ key }) => key).toSorted()

/** Shown whole and in one piece; of those in tables with several columns the words are. */
const IN_ONE_PIECE = ['title', 'city', 'contactPersons.0.fullName', 'description', 'customerOrderNumber']

function holds(harmless: Told, { mail, taken }: Told): void {
  expect(mail.subject).not.toMatch(/[\r\n]/)
  expect(mail.subject!.length).toBeLessThanOrEqual(250)
  expect(headersOf(mail)).toEqual(headersOf(harmless.mail))
  expect([mail.from, mail.to, mail.cc, mail.replyTo]).toEqual([
    harmless.mail.from,
    harmless.mail.to,
    harmless.mail.cc,
    harmless.mail.replyTo,
  ])
  const known = elementsOf(harmless.mail)
  for (const [element, count] of elementsOf(mail))
    expect([element, count <= (known.get(element) ?? 0)]).toEqual([element, true])
  expect(angles(mail)).toBeLessThanOrEqual(angles(harmless.mail))
  const text = closed(mail.text!)
  for (const path of IN_ONE_PIECE) expect(text).toContain(closed(taken.get(path)!))
}

/** Between the margins of an A4 page, in points: a text that goes over two pages has no footer in its middle. */
const BODY = ['-x', '0', '-y', '76', '-W', '596', '-H', '675']

const HARMLESS = Array.from({ length: VALUES_A_MAIL }, (_one, index) => `Text${index}`)
const RUNS = modelRuns(6, Math.ceil(10_000 / VALUES_A_MAIL))
const DRAWN = modelRuns(2, 50)

describe('texts that somebody types', () => {
  it(
    `leave their place in no mail, whatever they hold (${RUNS * VALUES_A_MAIL} of them)`,
    async () => {
      const harmless = await tell(HARMLESS, false)
      await fc.assert(
        fc.asyncProperty(round, async ({ values, isCut }) => holds(harmless, await tell(values, isCut))),
        { numRuns: RUNS, endOnFailure: true },
      )
    },
    modelRuns(60_000, 1_800_000),
  )

  it(
    `are drawn into a transport order as they are (${DRAWN} of them)`,
    async () => {
      const drawn = ['locations.0.companyTitle', 'locations.1.city', 'cargo.0.title', 'routes.0.assignment.extraData']
      await fc.assert(
        fc.asyncProperty(round, async ({ values }) => {
          const paths = [...CUSTOMER_PATHS, ...ORDER_PATHS]
          // A word before each value: what comes behind it may read from the right.
          const named = values.map((value, index) => `Zq${index}x ${isPlainText(value) ? value : 'refused'}`)
          const { order, taken } = await tell(named, true)
          const made = await admin.post(
            `orders/${order.id}/documents`,
            { documentType: 'ORDER_RESOLVED_DOCUMENT' },
            { version: order.version },
          )
          expect([made.status, made.body.errors]).toEqual([201, undefined])
          const { raw } = await admin.get(`documents/${made.body.items[0].id}/file`)
          const text = closed(execFileSync('pdftotext', [...BODY, '-raw', '-', '-'], { input: raw, encoding: 'utf8' }))
          for (const path of drawn) {
            const value = taken.get(path)!
            const isSimple = /^[\x20-\x7e]*$/.test(value) && value.length < 60
            expect(text).toContain(closed(isSimple ? value : `Zq${paths.indexOf(path as 'title')}x`))
          }
        }),
        { numRuns: DRAWN, endOnFailure: true },
      )
    },
    modelRuns(60_000, 900_000),
  )
})
