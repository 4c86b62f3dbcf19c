import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '@waybill/contract/order/order'
import type { RouteStatus } from '@waybill/contract/order/status'
import { ADMIN, useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { giveCarrierPapers } from '../../../../test/carrier-papers.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { CARRIER_TEXTS, MINUTE, PLATE, PREFERENCES, SECOND, World, type Ids } from '../../../../test/mail-plan/model.ts'
import { PROPERTIES } from '../../../../test/mail-plan/properties.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { modelRuns } from '../../../../test/model-runs.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../../test/order-examples.ts'
import { GIVEN } from '../../../../test/order-moves.ts'
import { FILES, upload } from '../../../../test/upload.ts'
import type { Ctx } from '../../../kit/context/context.ts'
import { openDatabase, type Database } from '../../../kit/database/db.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail, dueEmails } from '../../email/index.ts'
import { renderEmails } from './render-mails.ts'

/*
 * Random lives of real orders, through the interface and over SMTP: the jobs of two nodes do the same work at the same
 * time, also while somebody changes the order. After each step every mail is what the model says, and has arrived if
 * it has left. A mail that is due while the order changes leaves as the order was, or becomes what the order is: which
 * of both, the two transactions decide, and either is right.
 */

const test = useTestApp()
let now = 0
let server: MailServer
let admin: Caller
let places: OrderWorld
let carriers: [number, number]
let nodes: { ctx: Ctx; database: Database }[]
/** what happens as soon as the mail server is told of a receiver */
let atDelivery = () => undefined as void

const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)

/** One more server over the same database, with connections of its own to it and to the mail server. */
function openNode() {
  const database = openDatabase(test.databaseUrl, { max: 4 })
  const mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  const ctx = jobContext(test)
  return { database, ctx: { ...ctx, db: database.db, ports: { ...ctx.ports, mailer } } }
}

beforeAll(async () => {
  console.log(`two nodes: WAYBILL_SEED=${seed}`)
  now = test.clock.now().getTime()
  // It stands still between the steps: a mail is due at one moment, not a little later on a busy machine.
  test.clock.now = () => new Date(now)
  server = await startMailServer()
  server.answerTo = () => {
    atDelivery()
    return null
  }
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  admin = test.admin
  places = await orderWorld(test)
  const other = await admin.post('carrier-companies', { title: 'Weser Trans GmbH', countryId: places.countries.DE })
  await giveCarrierPapers(admin, other.body.id)
  carriers = [places.carrier.id, other.body.id]
  nodes = [openNode(), openNode()]
})
afterAll(async () => {
  await test.ports.jobs.stop({ graceMs: 1000 })
  for (const { database } of nodes) await database.close()
  await server.close()
})

/** Without a time: it promises no arrival by itself. */
const ON_A_DAY = { kind: 'fix' as const, dateFrom: '2026-11-30' }
const pickUp = (cargoKey: string) => ({ cargoKey, action: 'PICK_UP' as const })
const dropOff = (cargoKey: string) => ({ cargoKey, action: 'DROP_OFF' as const })

/** None of them is merged. */
const statusOf = ({ status }: Order) => status as RouteStatus

/** The model of an order that is really there. */
class RealWorld extends World {
  private real: Order

  constructor(ids: Ids, real: Order) {
    super(ids)
    this.real = real
    this.now = now
    this.busyUntil = now
    this.since = now
    this.history = [{ at: now, status: statusOf(real), routeId: ids.route }]
    this.see(real)
  }

  override order(): Order {
    return this.real
  }

  /** The order as it is after a change. */
  see(order: Order) {
    this.real = order
    this.drive(order.routes[0]?.id ?? null)
    this.move(statusOf(order))
    const assignment = order.routes[0]?.assignment
    this.carrierId = assignment?.carrierCompanyId ?? null
    this.driver = assignment?.driverText ?? null
    for (const { id, dropId } of this.ids.customers) {
      const { plannedAt, arrivedAt, unloadedAt } = order.locations.find((stop) => stop.id === dropId)!
      this.drops.set(id, {
        arrival: plannedAt === null ? null : Date.parse(plannedAt),
        isReached: arrivedAt !== null || unloadedAt !== null,
      })
    }
  }

  /** Everything as it is, to go back to. */
  keep() {
    const { ids: _, ...state } = this
    const kept = structuredClone(state)
    return () => Object.assign(this, structuredClone(kept))
  }

  seen() {
    return this.rows
      .map(({ key, type, state, reason, dueAt, told }) => ({
        key,
        state: state === 'rendered' ? 'sent' : state,
        reason,
        dueAt: state === 'planned' ? new Date(dueAt).toISOString() : null,
        told: type === 'order_resolved' ? null : told,
      }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
  }
}

const DISPONENT = 'a.nowak@carrier.example'
const routeOf = (carrierCompanyId: number) => ({
  assignment: {
    carrierCompanyId,
    plateNumber: PLATE,
    disponentName: 'Anna Nowak',
    disponentEmail: DISPONENT,
    costCents: 90_000,
  },
})

interface Life {
  world: RealWorld
  order: Order
  /** mails that other orders were sent */
  before: number
}

let signedInAt = 0

/** A session does not live through all of this. */
async function signIn(): Promise<void> {
  if (now - signedInAt < 5 * MINUTE) return
  const { body } = await test.signIn(ADMIN.email, ADMIN.password)
  admin = test.withToken(body.token)
  signedInAt = now
}

async function newLife(): Promise<Life> {
  await signIn()
  const before = server.inbox.length
  const customerIds: number[] = []
  for (const name of ['a', 'b']) {
    const customer = await admin.post('customers', {
      title: `Hansa ${name} ${now}`,
      countryId: places.countries.DE,
      contactPersons: [{ fullName: 'Jan Petersen', email: `${name}@hansa.example` }],
    })
    customerIds.push(customer.body.id)
  }
  const made = await admin.post<Order>(
    'orders',
    plainOrder(places, customerIds[0]!, {
      customerIds,
      cargo: customerIds.map((customerId, at) => ({ key: `c${at}`, title: 'Pallets', quantity: 4, customerId })),
      locations: [
        {
          kind: 'loading',
          termin: ON_A_DAY,
          countryId: places.countries.DE,
          city: 'Hamburg',
          cargoActions: [pickUp('c0'), pickUp('c1')],
        },
        {
          kind: 'unloading',
          termin: ON_A_DAY,
          countryId: places.countries.PL,
          city: 'Poznań',
          cargoActions: [dropOff('c0')],
        },
        {
          kind: 'unloading',
          termin: ON_A_DAY,
          countryId: places.countries.PL,
          city: 'Łódź',
          cargoActions: [dropOff('c1')],
        },
      ],
      routes: [routeOf(carriers[0])],
    }),
  )
  expect([made.status, made.body]).toEqual([201, expect.anything()])
  const order = made.body
  const [loading, ...drops] = order.locations
  const world = new RealWorld(
    {
      order: order.id,
      route: order.routes[0]!.id,
      loading: loading!.id,
      customers: customerIds.map((id, at) => ({ id, lineId: order.cargo[at]!.id, dropId: drops[at]!.id })),
      carriers,
    },
    order,
  )
  world.plan()
  return { world, order, before }
}

/** A wish of a person: what is asked of the server, and what the model makes of it where the server grants it. */
interface Act {
  label: string
  ask(life: Life): Promise<Answer>
  /** left out: the order was saved, and is read again */
  granted?: (world: RealWorld, answer: Answer) => void
}

/** What nobody can ask for as the order is. */
const NOT_ASKED: Promise<Answer> = Promise.resolve({ status: 409, headers: {}, body: {}, raw: Buffer.alloc(0) })

const patch = ({ order }: Life, change: object) => admin.patch(`orders/${order.id}`, change, { version: order.version })
const assign = (life: Life, more: object) => {
  const [route] = life.order.routes
  if (!route) return NOT_ASKED
  return patch(life, { routes: [{ ...route, assignment: { ...route.assignment, ...more } }] })
}
/** As the page of a mail by hand sends it, at once. */
async function writeToCarrier({ order }: Life, variant: (typeof CARRIER_TEXTS)[number]): Promise<Answer> {
  const about = { type: 'order_resolved', orderId: order.id, variant }
  const shown = await admin.post('emails/preview', about)
  if (shown.status !== 200) return shown
  const { subject, page } = shown.body
  const mail = { ...about, to: [DISPONENT], cc: [], subject, blocks: page.blocks, seen: page.seen }
  const written = await admin.post('emails', mail)
  await deliverQueued(nodes[0]!, order.id)
  return written
}
const plan = (life: Life, nth: 0 | 1, plannedAt: string | null) => {
  const { dropId } = life.world.ids.customers[nth]!
  const locations = life.order.locations.map((stop) => (stop.id === dropId ? { ...stop, plannedAt } : stop))
  return patch(life, { locations })
}
/** Where a move leads to, most of them on the way that an order takes. */
const MOVES = {
  on: {
    new: 'scheduled',
    scheduled: 'in_transit',
    in_transit: 'arrived',
    arrived: 'delivered',
    delivered: 'completed',
    completed: 'delivered',
    canceled: 'new',
  },
  'far on': {
    new: 'scheduled',
    scheduled: 'in_transit',
    in_transit: 'delivered',
    arrived: 'delivered',
    delivered: 'completed',
    completed: 'delivered',
    canceled: 'new',
  },
  back: {
    new: 'canceled',
    scheduled: 'new',
    in_transit: 'scheduled',
    arrived: 'in_transit',
    delivered: 'in_transit',
    completed: 'delivered',
    canceled: 'new',
  },
  canceled: {
    new: 'canceled',
    scheduled: 'canceled',
    in_transit: 'canceled',
    arrived: 'canceled',
    delivered: 'arrived',
    completed: 'delivered',
    canceled: 'new',
  },
} satisfies Record<string, Record<RouteStatus, RouteStatus>>
const anyCustomer = fc.constantFrom(0 as const, 1 as const)

const acts = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.constantFrom<keyof typeof MOVES>('on', 'on', 'on', 'on', 'on', 'far on', 'back', 'canceled').map(
      (where): Act => ({
        label: `move ${where}`,
        ask: ({ order }) =>
          admin.post(
            `orders/${order.id}/status`,
            { ...GIVEN, to: MOVES[where][statusOf(order)], at: new Date(now).toISOString() },
            { version: order.version },
          ),
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Act>({
      label: 'undo',
      ask: ({ order }) => admin.post(`orders/${order.id}/status/undo`, {}, { version: order.version }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(anyCustomer, fc.integer({ min: -40, max: 240 })).map(
      ([nth, minutes]): Act => ({
        label: `arrival at ${nth} in ${minutes} min`,
        ask: (life) => plan(life, nth, new Date(now + minutes * MINUTE).toISOString()),
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: anyCustomer.map(
      (nth): Act => ({
        label: `no arrival at ${nth}`,
        ask: (life) => plan(life, nth, null),
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('Kowalski', 'Nowak', null).map(
      (driverText): Act => ({
        label: `driver ${driverText}`,
        ask: (life) => assign(life, { driverText }),
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: anyCustomer.map(
      (nth): Act => ({
        label: `carrier ${nth}`,
        ask: (life) => assign(life, { carrierCompanyId: carriers[nth] }),
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom([0], [1], [0, 1]).map(
      (which): Act => ({
        label: `POD of ${which}`,
        ask: ({ world, order }) => {
          const [route] = order.routes
          if (!route) return NOT_ASKED
          return upload(admin, {
            fields: {
              documentType: 'PROOF_OF_DELIVERY',
              orderId: order.id,
              orderCarrier: route.assignment!.id,
              locationIds: which.map((nth) => world.ids.customers[nth]!.dropId).join(),
            },
            file: { name: 'CMR.pdf', bytes: FILES.pdf() },
          })
        },
        granted: (world, { body }) => {
          const { ids, routeId } = world
          const locationIds = which.map((nth) => ids.customers[nth]!.dropId)
          world.pods.push({ documentId: body.id, routeId, locationIds })
          world.plan()
        },
      }),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(anyCustomer, fc.constantFrom(...PREFERENCES), fc.boolean()).map(
      ([nth, name, isOn]): Act => ({
        label: `${nth} wants ${name}: ${isOn}`,
        ask: async ({ world }) => {
          const path = `customers/${world.ids.customers[nth]!.id}`
          const { body } = await admin.get(path)
          const emailPreferences = { ...body.emailPreferences, [name]: isOn }
          return admin.patch(path, { emailPreferences }, { version: body.version })
        },
        granted: (world) => world.prefer(world.ids.customers[nth]!.id, name, isOn),
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...CARRIER_TEXTS).map(
      (text): Act => ({
        label: `transport order by hand: ${text}`,
        ask: (life) => writeToCarrier(life, text),
        granted: (world) => {
          world.tellCarrier(text)
          world.plan()
        },
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constant<Act>({
      label: 'route removed',
      ask: (life) => (life.order.routes.length === 0 ? NOT_ASKED : patch(life, { routes: [] })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.constant<Act>({
      label: 'route made',
      ask: (life) => (life.order.routes.length > 0 ? NOT_ASKED : patch(life, { routes: [routeOf(carriers[0])] })),
    }),
  },
)

/** What of it was granted to anybody. */
const granted = new Set<string>()
const WANTED = ['route removed', 'route made', ...CARRIER_TEXTS.map((text) => `transport order by hand: ${text}`)]

async function deliverQueued({ ctx }: (typeof nodes)[number], orderId: number): Promise<void> {
  const { rows } = await test.database.pool.query<{ id: number }>(
    `select id from email where "ownerKind" = 'order' and "ownerId" = $1 and status = 'queued' order by id`,
    [orderId],
  )
  for (const { id } of rows) await deliverEmail.handle(ctx, { emailId: id })
}

/** What two nodes do with an order until nothing is due: both see the same work, and begin at once. */
async function work(orderId: number): Promise<void> {
  const hand = async (node: (typeof nodes)[number]) => {
    await renderEmails.handle(node.ctx, { orderId })
    await deliverQueued(node, orderId)
  }
  do await Promise.all(nodes.map(hand))
  while ((await dueEmails(nodes[0]!.ctx, orderId)).length > 0)
}

async function rowsOf(orderId: number) {
  const { rows } = await test.database.pool.query<Omit<ReturnType<RealWorld['seen']>[number], 'type'>>(
    `select "causeKey" as key, status as state, reason,
        case when status = 'planned' then to_char("notBefore" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end
          as "dueAt",
        case when type <> 'order_resolved' then told end as told
      from email where "ownerKind" = 'order' and "ownerId" = $1 and "causeKey" is not null
      order by "causeKey" collate "C"`,
    [orderId],
  )
  return rows
}

/** Nothing has arrived that the order did not send by now, and nothing twice. */
async function expectArrived({ world, before }: Life): Promise<void> {
  const { rows } = await test.database.pool.query<{ messageId: string }>(
    `select "messageId" from email where "ownerKind" = 'order' and "ownerId" = $1 and status = 'sent'`,
    [world.ids.order],
  )
  const arrived = server.inbox.slice(before).map(({ mail }) => mail.messageId)
  expect(arrived.toSorted()).toEqual(rows.map(({ messageId }) => messageId).toSorted())
}

async function expectAsModel(life: Life): Promise<void> {
  expect(await rowsOf(life.order.id)).toEqual(life.world.seen())
  await expectArrived(life)
}

/** Time goes by; at each moment at which something is due both nodes do it. */
async function pass(life: Life, milliseconds: number): Promise<void> {
  const { world } = life
  const end = now + milliseconds
  for (;;) {
    const [next] = world.due(end)
    const at = next ? Math.max(now, world.busyUntil, next.dueAt) : end
    if (at > end || !next) break
    world.pass(at - now)
    now = at
    await work(life.order.id)
    await expectAsModel(life)
  }
  world.pass(end - now)
  now = end
}

/** Asks for it, and tells the model once it is granted; gives what the model is to do. */
async function asked(life: Life, { label, ask, granted: tell }: Act): Promise<() => void> {
  const answer = await ask(life)
  if (answer.status === 401 || answer.status >= 500) throw new Error(JSON.stringify(answer.body))
  if (answer.status >= 400) return () => undefined
  granted.add(label)
  if (tell) return () => tell(life.world, answer)
  return () => {
    life.order = answer.body
    life.world.see(answer.body)
    life.world.plan()
  }
}

type When = 'alone' | 'together' | 'amidst'

/** Every choice of some of them. */
const choices = <Item>(items: readonly Item[]): Item[][] =>
  items.reduce<Item[][]>((found, item) => found.flatMap((some) => [some, [...some, item]]), [[]])

/** The order changes while both nodes see to what is due: as they begin, or as the first of the mails leaves. */
async function race(life: Life, act: Act, when: When): Promise<void> {
  const { world } = life
  const due = world.due().map(({ id }) => id)
  const begun = Promise.withResolvers<void>()
  atDelivery = begun.resolve
  const working = work(life.order.id).finally(begun.resolve)
  if (when === 'amidst') await begun.promise
  const change = asked(life, act)
  await working
  const apply = await change
  atDelivery = () => undefined
  await work(life.order.id)
  const real = await rowsOf(life.order.id)
  const back = world.keep()
  const possible: unknown[] = []
  for (const earlier of choices(due)) {
    back()
    for (const row of world.due()) if (earlier.includes(row.id)) world.handle(row)
    apply()
    world.pass(0)
    possible.push(world.seen())
    if (!isDeepStrictEqual(world.seen(), real)) continue
    if (earlier.length < due.length) world.raced.add(now)
    return expectArrived(life)
  }
  expect(possible, `what may have become of the mails as ${act.label}`).toContainEqual(real)
}

const steps = fc.array(
  fc.record({
    act: acts,
    when: fc.constantFrom<When>('alone', 'together', 'amidst'),
    seconds: fc.constantFrom(0, 1, 7, 9, 60, 600, 1800, 7200),
    /** for so long no node works; rarely */
    pause: fc.constantFrom(0, 0, 0, 0, 0, 0, 5, 1200),
  }),
  { minLength: 8, maxLength: 30, size: 'max' },
)

async function run(sequence: typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never): Promise<RealWorld> {
  const life = await newLife()
  const { world } = life
  for (const { act, when, seconds, pause } of sequence) {
    await signIn()
    world.busyUntil = Math.max(world.busyUntil, now + pause * SECOND)
    // The next mail's time has come, and nobody has seen to it yet.
    const [next] = when === 'alone' ? [] : world.due(now + 7200 * SECOND)
    if (next) {
      now = Math.max(now, world.busyUntil, next.dueAt)
      world.now = now
      await signIn()
      await race(life, act, when)
    } else {
      const apply = await asked(life, act)
      apply()
    }
    await pass(life, seconds * SECOND)
    await expectAsModel(life)
  }
  await pass(life, 86_400 * SECOND)
  await expectAsModel(life)
  return world
}

const RUNS = modelRuns(4, 100)
const KINDS = [
  'before_arriving',
  'driver_information',
  'loading_confirmation',
  'order_created',
  'order_resolved',
  'pods',
  'unloading_confirmation',
]

describe('the jobs of two nodes that do the same work at the same time', () => {
  it(`send each mail that the model sends, then, and once, whatever becomes of an order (${RUNS} orders)`, {
    tags: 'long',
    timeout: modelRuns(120_000, 1_800_000),
  }, async () => {
    const sent = new Set<string>()
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const world = await run(sequence)
        for (const check of Object.values(PROPERTIES)) check(world)
        for (const { type } of world.rendered) sent.add(type)
      }),
      { numRuns: RUNS, seed, endOnFailure: true },
    )
    // Few lives may leave one out; many leave out none.
    expect([...sent].toSorted()).toEqual(process.env.WAYBILL_LONG ? KINDS : expect.anything())
    expect([...granted]).toEqual(expect.arrayContaining(process.env.WAYBILL_LONG ? WANTED : []))
  })
})
