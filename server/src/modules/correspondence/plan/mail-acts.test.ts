import { beforeAll, describe, expect, it } from 'vitest'
import { HELD_REASONS, SUPPRESSED_REASONS, type Email, type EmailOwner } from '@waybill/contract/email'
import { LOAD_CARRIER_STATEMENT, PRICE_REQUEST, QUOTE_MAIL } from '@waybill/contract/email/email-rules'
import { mayCancel, mayResend, mayResendElsewhere, maySendNow, mayUndoCancel } from '@waybill/contract/email/may-send'
import { useTestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { queueMail } from '../../email/index.ts'

/*
 * What may be done with a mail, in every state and of every record: what the table says, what the contract says of the
 * mail as it is read (its buttons), and what the server does are one and the same.
 */

const ACTS = {
  cancel: { may: mayCancel, path: 'cancel', body: {} },
  'send now': { may: maySendNow, path: 'send-now', body: { to: ['typed@hansa.example'] } },
  'send again': { may: mayResend, path: 'resend', body: {} },
  'send to others': { may: mayResendElsewhere, path: 'resend', body: { to: ['others@hansa.example'] } },
  'undo that it was canceled': { may: mayUndoCancel, path: 'undo-cancel', body: {} },
} satisfies Record<string, { may: (mail: Email) => boolean; path: string; body: object }>
type Act = keyof typeof ACTS
const NAMES = Object.keys(ACTS) as Act[]

interface State {
  name: string
  status: Email['status']
  waitsFor?: Email['waitsFor']
  reason?: Email['reason']
  tries?: number
  /** of a mail of an order that has no other reader than its own */
  may: readonly Act[]
}

const AGAIN: readonly Act[] = ['send again', 'send to others']
const ON_ITS_WAY: readonly Act[] = ['cancel', 'send to others']
const UNDO: readonly Act[] = ['undo that it was canceled']

/** Its words are fixed. */
const WRITTEN: readonly State[] = [
  { name: 'planned, waits for its document', status: 'planned', waitsFor: 'document', may: ['cancel'] },
  { name: 'queued', status: 'queued', may: ON_ITS_WAY },
  { name: 'queued after a try', status: 'queued', tries: 1, may: ['send to others'] },
  { name: 'waiting', status: 'waiting', may: ON_ITS_WAY },
  { name: 'sent', status: 'sent', tries: 1, may: AGAIN },
  { name: 'failed', status: 'failed', tries: 8, may: AGAIN },
  { name: 'failed before a try', status: 'failed', may: AGAIN },
  ...SUPPRESSED_REASONS.map((reason) => ({
    name: `written and suppressed: ${reason}`,
    status: 'suppressed' as const,
    reason,
    may: reason === 'preference' ? AGAIN : reason === 'canceled' ? UNDO : [],
  })),
]

/** Its words are made when it leaves: mails that an order plans. */
const UNWRITTEN: readonly State[] = [
  { name: 'planned', status: 'planned', waitsFor: 'time', may: ['cancel', 'send now'] },
  ...HELD_REASONS.map((reason) => ({
    name: `held: ${reason}`,
    status: 'held' as const,
    reason,
    may: ['cancel', 'send now'] as const,
  })),
  ...SUPPRESSED_REASONS.map((reason) => ({
    name: `suppressed: ${reason}`,
    status: 'suppressed' as const,
    reason,
    may: reason === 'canceled' ? (['send now', ...UNDO] as const) : (['send now'] as const),
  })),
]

interface Kind {
  name: string
  owner: EmailOwner['kind']
  type: Email['type']
  variant: string | null
  /** what of the table's holds for it, too */
  isFor: readonly Act[]
}

const OF_OTHERS: readonly Act[] = AGAIN
/** Mails of each kind of record, and those whose link is for one reader. */
const KINDS: readonly Kind[] = [
  { name: 'of an order', owner: 'order', type: 'order_created', variant: 'standard', isFor: NAMES },
  {
    name: 'of an order that asks for a price',
    owner: 'order',
    type: 'other_emails',
    variant: PRICE_REQUEST,
    isFor: ['cancel'],
  },
  { name: 'of an invoice', owner: 'invoice', type: 'invoice', variant: 'standard', isFor: OF_OTHERS },
  { name: 'of a customer', owner: 'customer', type: 'other_emails', variant: null, isFor: OF_OTHERS },
  { name: 'of a carrier', owner: 'carrierCompany', type: 'other_emails', variant: null, isFor: OF_OTHERS },
  { name: 'of a place', owner: 'loadCarrierPlace', type: 'other_emails', variant: null, isFor: OF_OTHERS },
  {
    name: 'with a statement of load carriers',
    owner: 'loadCarrierPlace',
    type: 'other_emails',
    variant: LOAD_CARRIER_STATEMENT,
    isFor: [],
  },
  { name: 'with a quote', owner: 'quote', type: 'other_emails', variant: QUOTE_MAIL, isFor: [] },
  { name: 'about a quote', owner: 'quote', type: 'other_emails', variant: null, isFor: OF_OTHERS },
  { name: 'that tries a text', owner: 'user', type: 'order_created', variant: null, isFor: OF_OTHERS },
  { name: 'of an account', owner: 'user', type: 'invitation', variant: null, isFor: [] },
]

const test = useTestApp()
let world: OrderWorld
const ids = {} as Record<EmailOwner['kind'], number>
/** the one that the order planned, without words */
let plannedId: number
const written = new Map<string, number>()

const made = async (path: string, body: object): Promise<number> => {
  const answer = await test.admin.post(path, body)
  expect([path, answer.status, answer.body.errors]).toEqual([path, 201, undefined])
  return answer.body.id
}

beforeAll(async () => {
  // What is queued stays where it is put.
  test.ports.mailer = null
  world = await orderWorld(test)
  ids.customer = await world.customer('Hansa Bau GmbH', 'DE', {
    contactPersons: [{ fullName: 'Jan Petersen', email: 'petersen@hansa.example' }],
  })
  ids.order = await made('orders', plainOrder(world, ids.customer, { ...shipment(world), customerPriceCents: 50_000 }))
  ids.invoice = await made('invoices', { entityType: 'customer', orderIds: [ids.order] })
  ids.carrierCompany = world.carrier.id
  ids.loadCarrierPlace = await made('load-carrier-places', { title: 'Hafenlager', countryId: world.countries.DE })
  ids.quote = await made('quotes', {
    customerId: ids.customer,
    departmentId: world.departmentId,
    from: { countryId: world.countries.DE, postal: '52351', city: 'Düren', date: '2026-12-07' },
    to: { countryId: world.countries.PL, postal: '60-101', city: 'Poznań', date: '2026-12-08' },
    goods: 'Paper reels',
    quantity: 22,
    weightKg: 22_100,
    ldm: 13.6,
    distanceKm: 900,
    costSource: 'typed',
    costCents: 120_000,
    priceCents: 148_000,
    validUntil: '2026-12-15',
  })
  ids.user = (await test.userWith('ORDERS_MANAGEMENT')).id
  plannedId = (await test.admin.get(`emails?orderId=${ids.order}`)).body.items[0].id
  for (const { name, owner, type, variant } of KINDS)
    written.set(
      name,
      await queueMail(jobContext(test), {
        owner: { kind: owner, id: ids[owner] },
        type,
        variant,
        to: ['petersen@hansa.example'],
        cc: [],
        subject: `A mail ${name}`,
        html: '<p>Words</p>',
        frame: { language: 'en', sender: 'Waybill', footer: [] },
        documentIds: [],
      }),
    )
})

/** Puts a mail into a state, without what the act before made of it, and reads it. */
async function inState(id: number, { status, waitsFor = null, reason = null, tries = 0 }: State): Promise<Email> {
  const kept = [plannedId, ...written.values()].join()
  await test.database.pool.query(`delete from email where id not in (${kept})`)
  const words = id === plannedId ? `, subject = '', html = '', "to" = '{}', "isAutomatic" = true` : ''
  await test.database.pool.query(
    `update email set status = $2, "waitsFor" = $3, reason = $4, tries = $5${words} where id = $1`,
    [id, status, waitsFor, reason, tries],
  )
  return (await test.admin.get(`emails/${id}`)).body
}

/** Of each act, whether the contract lets a screen offer it, and what the server answers. */
async function tried(id: number, state: State): Promise<{ offered: Act[]; done: Act[]; answers: string[] }> {
  const [done, answers]: [Act[], string[]] = [[], []]
  const mail = await inState(id, state)
  expect([mail.status, mail.isWritten]).toEqual([state.status, id !== plannedId])
  const offered = NAMES.filter((name) => ACTS[name].may(mail))
  for (const name of NAMES) {
    const { path, body } = ACTS[name]
    const answer = await test.admin.post(`emails/${id}/${path}`, body)
    if (answer.status !== 200) answers.push(`${name} ${answer.status} ${answer.body.code}`)
    else {
      done.push(name)
      await inState(id, state)
    }
  }
  return { offered, done, answers }
}

/** What `tried` gives where a mail may do these alone. */
const expected = (may: readonly Act[]) => ({
  offered: may,
  done: may,
  answers: NAMES.filter((act) => !may.includes(act)).map((act) => `${act} 409 conflict`),
})

describe('with a mail whose words are fixed, what the table says is offered and done, and nothing else:', () => {
  it.each(WRITTEN)('$name', async (state) => {
    for (const { name, isFor } of KINDS)
      expect([name, await tried(written.get(name)!, state)]).toEqual([
        name,
        expected(state.may.filter((act) => isFor.includes(act))),
      ])
  })
})

describe('the same holds of one that an order plans, whose words are still to be made:', () => {
  it.each(UNWRITTEN)('$name', async (state) => expect(await tried(plannedId, state)).toEqual(expected(state.may)))
})
