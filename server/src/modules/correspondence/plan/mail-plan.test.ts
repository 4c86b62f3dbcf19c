import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EmailType, SuppressedReason } from '@waybill/contract/email'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import type { Order } from '@waybill/contract/order/order'
import type { RouteStatus } from '@waybill/contract/order/status'
import { modelRuns } from '../../../../test/model-runs.ts'
import { arrivalOf, planSteps, reasonAgainst, type AcceptedPod, type KnownMail } from './mail-plan.rules.ts'

const START = Date.parse('2026-11-23T08:00:00Z')
const SECOND = 1000
const MINUTE = 60 * SECOND
const ROUTE = 7
/** Each customer has a line of the cargo and a drop-off of its own. */
const CUSTOMERS = [5, 6] as const
type CustomerId = (typeof CUSTOMERS)[number]
const DROPS = { 5: 22, 6: 23 } as const
const LINES = { 5: 3, 6: 4 } as const
const PREFERENCES = ['orderCreated', 'driverInformation', 'pickup', 'delivery', 'pod']

const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
beforeAll(() => console.log(`mail plan: WAYBILL_SEED=${seed}`))

interface Row extends KnownMail {
  locationId: number | null
}

interface Drop {
  arrival: number | null
  isReached: boolean
}

interface Rendered {
  key: string
  type: EmailType
  variant: string | null
  customerId: number | null
  at: number
  status: RouteStatus
  drop: Drop | null
  since: number
}

const pickUp = (cargoId: number) => ({ cargoId, action: 'PICK_UP' })

/** An order with one route, as far as its mails look at it. */
const orderOf = (world: World): Order =>
  ({
    id: 1,
    status: world.status,
    isMergeResult: false,
    customerIds: CUSTOMERS,
    cargo: CUSTOMERS.map((customerId) => ({ id: LINES[customerId], customerId })),
    locations: [
      {
        id: 21,
        kind: 'loading',
        routeId: ROUTE,
        canceledAt: null,
        cargoActions: CUSTOMERS.map((customerId) => pickUp(LINES[customerId])),
      },
      ...CUSTOMERS.map((customerId) => {
        const { arrival, isReached } = world.drops[customerId]
        return {
          id: DROPS[customerId],
          kind: 'unloading',
          routeId: ROUTE,
          canceledAt: null,
          plannedAt: arrival === null ? null : new Date(arrival).toISOString(),
          termin: null,
          timeZone: 'Europe/Berlin',
          arrivedAt: isReached ? 'reached' : null,
          unloadedAt: null,
          cargoActions: [{ cargoId: LINES[customerId], action: 'DROP_OFF' }],
        }
      }),
    ],
    routes: [
      {
        id: ROUTE,
        status: world.status,
        locationIds: [21, ...Object.values(DROPS)],
        assignment: {
          carrierCompanyId: world.carrierId,
          ownFleet: false,
          driverIds: world.driverId === null ? [] : [world.driverId],
          driverText: null,
          plateNumber: 'PO 4T112',
        },
      },
    ],
  }) as unknown as Order

/** The order, its mails and the clock; jobs do what is due at that moment, or once they run again. */
class World {
  now = START
  /** the jobs stand still until then */
  busyUntil = START
  status: RouteStatus = 'new'
  since = START
  carrierId: number | null = 9
  driverId: number | null = null
  drops: Record<CustomerId, Drop> = { 5: { arrival: null, isReached: false }, 6: { arrival: null, isReached: false } }
  unwanted: Record<CustomerId, Set<string>> = { 5: new Set(), 6: new Set() }
  /** switches that were off at any time */
  wasOff: Record<CustomerId, Set<string>> = { 5: new Set(), 6: new Set() }
  pods: AcceptedPod[] = []
  rows: Row[] = []
  rendered: Rendered[] = []
  /** why mails were let go, for a while or for good */
  reasons = new Set<SuppressedReason>()
  history: { at: number; status: RouteStatus }[] = [{ at: START, status: 'new' }]
  /** when the jobs ran: both ends are part of it */
  ran: [number, number][] = []

  facts() {
    return {
      order: orderOf(this),
      known: this.rows,
      pods: this.pods,
      refusedPods: [],
      passed: new Set<string>(),
      isFirstSave: this.rows.length === 0,
      now: this.now,
    }
  }

  /** As `order.written` does. */
  plan() {
    for (const step of planSteps(this.facts())) {
      if (step.step === 'plan') {
        const { mail } = step
        if (this.rows.some(({ key }) => key === mail.key)) throw new Error(`planned twice: ${mail.key}`)
        this.rows.push({ ...mail, id: this.rows.length + 1, state: 'planned', reason: null })
        continue
      }
      const row = this.rows.find(({ id }) => id === step.id)!
      if (step.step === 'drop') this.let(row, step.reason)
      else Object.assign(row, { state: 'planned', reason: null, dueAt: step.dueAt, told: step.told })
    }
    // Doing it twice changes nothing.
    const left = planSteps(this.facts())
    if (left.length > 0) throw new Error(`not settled: ${JSON.stringify(left)}`)
  }

  let(row: Row, reason: SuppressedReason) {
    Object.assign(row, { state: 'suppressed', reason })
    this.reasons.add(reason)
  }

  isUnwanted({ customerId, type }: Row): boolean {
    const { preference } = EMAIL_RULES[type]
    return preference !== null && this.unwanted[customerId as CustomerId].has(preference)
  }

  /** The job: everything due up to a moment, in the order of its time. */
  pass(milliseconds: number) {
    const end = this.now + milliseconds
    if (this.busyUntil <= end) this.ran.push([Math.max(this.now, this.busyUntil), end])
    while (this.busyUntil <= end) {
      const [next] = this.rows
        .filter(({ state, dueAt }) => state === 'planned' && dueAt <= end)
        .toSorted((one, other) => one.dueAt - other.dueAt || one.id - other.id)
      if (!next) break
      this.now = Math.max(this.now, this.busyUntil, next.dueAt)
      const reason = reasonAgainst(this.facts(), next) ?? (this.isUnwanted(next) ? 'preference' : null)
      if (reason !== null) {
        this.let(next, reason)
        continue
      }
      next.state = 'rendered'
      const { key, type, variant, customerId } = next
      const { status, since } = this
      const drop = customerId === null ? null : { ...this.drops[customerId as CustomerId] }
      this.rendered.push({ key, type, variant, customerId, at: this.now, status, drop, since })
    }
    this.now = end
  }

  move(status: RouteStatus) {
    if (status === this.status) return
    this.status = status
    this.since = this.now
    this.history.push({ at: this.now, status })
  }

  prefer(customerId: CustomerId, preference: string, isOn: boolean) {
    if (isOn) this.unwanted[customerId].delete(preference)
    else for (const off of [this.unwanted, this.wasOff]) off[customerId].add(preference)
  }

  prove(customerIds: readonly CustomerId[] | null) {
    const locationIds = customerIds?.map((id) => DROPS[id]) ?? null
    this.pods.push({ documentId: 100 + this.pods.length, routeId: ROUTE, locationIds })
  }
}

type Act = { label: string; run(world: World): void }
const act = (label: string, run: (world: World) => void): Act => ({ label, run })
const STATUSES: RouteStatus[] = ['new', 'scheduled', 'in_transit', 'arrived', 'delivered', 'completed', 'canceled']
const aCustomer = fc.constantFrom(...CUSTOMERS)

const acts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...STATUSES).map((to) => act(`move ${to}`, (world) => world.move(to))) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(aCustomer, fc.integer({ min: -40, max: 240 }))
      .map(([id, minutes]) =>
        act(`arrival at ${id} in ${minutes} min`, (world) => (world.drops[id].arrival = world.now + minutes * MINUTE)),
      ),
  },
  {
    weight: 1,
    arbitrary: aCustomer.map((id) => act(`no arrival at ${id}`, (world) => (world.drops[id].arrival = null))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(aCustomer, fc.boolean())
      .map(([id, is]) => act(`reached ${id} ${is}`, (world) => (world.drops[id].isReached = is))),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(1, 2, null).map((id) => act(`driver ${id}`, (world) => (world.driverId = id))),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(9, 10, null).map((id) => act(`carrier ${id}`, (world) => (world.carrierId = id))),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(null, [5] as const, [6] as const)
      .map((ids) => act(`POD of ${ids ?? 'all'}`, (world) => world.prove(ids))),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(aCustomer, fc.constantFrom(PREFERENCES, ...PREFERENCES.map((one) => [one])), fc.boolean())
      .map(([id, switches, isOn]) =>
        act(`${id} wants ${switches.join()}: ${isOn}`, (world) => {
          for (const one of switches) world.prefer(id, one, isOn)
        }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(5, 60, 1200, 7200)
      .map((seconds) => act(`no jobs for ${seconds} s`, (world) => (world.busyUntil = world.now + seconds * SECOND))),
  },
)
const steps = fc.array(fc.tuple(acts, fc.constantFrom(0, 1, 4, 7, 9, 60, 600, 1800, 7200)), {
  minLength: 8,
  maxLength: 40,
  size: 'max',
})

const LOADED: RouteStatus[] = ['in_transit', 'arrived', 'delivered', 'completed']
const UNLOADED: RouteStatus[] = ['delivered', 'completed']
const NOT_CANCELED = STATUSES.filter((status) => status !== 'canceled')

/** True where the jobs ran while the order was in one of these, without a break, for as long as an undo may take. */
function stayed({ history, ran, now }: World, statuses: readonly RouteStatus[]): boolean {
  let since: number | null = null
  for (const { at, status } of [...history, { at: now, status: null }]) {
    const from = since === null ? null : since + 8 * SECOND
    if (from !== null && ran.some(([begin, end]) => Math.max(from, begin) <= Math.min(at, end))) return true
    since = status !== null && statuses.includes(status) ? (since ?? at) : null
  }
  return false
}

function run(sequence: [Act, number][]): World {
  const world = new World()
  world.plan()
  for (const [{ run: change }, seconds] of sequence) {
    change(world)
    world.plan()
    world.pass(seconds * SECOND)
  }
  world.pass(86_400 * SECOND)
  return world
}

const sentOf = ({ rendered }: World, type: EmailType, customerId?: CustomerId) =>
  rendered.filter((mail) => mail.type === type && (customerId === undefined || mail.customerId === customerId))
/** What was sent to a customer, or was not because the customer wanted none. */
const settledOf = ({ rows }: World, type: EmailType, customerId: CustomerId) =>
  rows.filter(
    (mail) =>
      mail.type === type &&
      mail.customerId === customerId &&
      (mail.state === 'rendered' || mail.reason === 'preference'),
  )

describe('whatever becomes of an order', () => {
  const holds = (check: (world: World) => void) =>
    fc.assert(
      fc.property(steps, (sequence) => check(run(sequence))),
      { numRuns: modelRuns(150, 2500), seed },
    )
  const holdsForEach = (check: (world: World, customerId: CustomerId) => void) =>
    holds((world) => {
      for (const customerId of CUSTOMERS) check(world, customerId)
    })

  it('its lives end mails for every reason that an order can give', () => {
    const all = new Set<SuppressedReason>()
    holds(({ reasons }) => {
      for (const reason of reasons) all.add(reason)
    })
    expect(all).toEqual(new Set(['overtaken', 'preference', 'tooLate', 'notOnTheWay', 'orderCanceled']))
  })

  it('no mail leaves twice', () =>
    holds((world) => {
      const keys = world.rendered.map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
    }))

  it('each customer who always wanted a kind of mail was spared none for that', () =>
    holds(({ rows, wasOff }) => {
      const spared = rows.filter(({ reason }) => reason === 'preference')
      const wronged = spared.filter(
        ({ type, customerId }) => !wasOff[customerId as CustomerId].has(EMAIL_RULES[type].preference!),
      )
      expect(wronged).toEqual([])
    }))

  for (const [what, type, statuses] of [
    ['the order is confirmed', 'order_created', NOT_CANCELED],
    ['loading is confirmed', 'loading_confirmation', LOADED],
    ['unloading is confirmed', 'unloading_confirmation', UNLOADED],
  ] as const)
    it(`${what} once to each customer, if it stood longer than an undo may take`, () =>
      holdsForEach((world, customerId) => {
        expect(settledOf(world, type, customerId)).toHaveLength(stayed(world, statuses) ? 1 : 0)
        for (const { status } of sentOf(world, type, customerId)) expect(statuses).toContain(status)
      }))

  it('an arrival is announced at most once, on the way, no earlier than half an hour before and never after it', () =>
    holdsForEach((world, customerId) => {
      const sent = sentOf(world, 'before_arriving', customerId)
      expect(sent.length).toBeLessThanOrEqual(1)
      for (const { key, status, drop, at } of sent) {
        expect(key).toBe(`arriving:${DROPS[customerId]}:${customerId}`)
        expect([status, drop!.isReached]).toEqual(['in_transit', false])
        expect(drop!.arrival! - at).toBeLessThanOrEqual(30 * MINUTE)
        expect(drop!.arrival! - at).toBeGreaterThan(0)
      }
    }))

  it('an arrival that nothing changes any more is announced to whom it concerns', () =>
    holdsForEach((world, customerId) => {
      const drop = world.drops[customerId]
      if (world.status !== 'in_transit' || drop.isReached) return
      if (settledOf(world, 'before_arriving', customerId).length > 0) return
      world.prefer(customerId, 'delivery', true)
      drop.arrival = world.now + 45 * MINUTE
      world.plan()
      world.pass(86_400 * SECOND)
      const [mail] = sentOf(world, 'before_arriving', customerId)
      expect(mail!.at).toBe(mail!.drop!.arrival! - 30 * MINUTE)
    }))

  it('a carrier who was told of a transport is told that it is withdrawn, and no other', () =>
    holds((world) => {
      for (const carrier of [9, 10]) {
        const told = sentOf(world, 'order_resolved').filter(({ key }) => key.split(':')[2] === String(carrier))
        // Confirmed and withdrawn take turns, beginning with confirmed.
        expect(told.map(({ variant }) => variant)).toEqual(
          told.map((_mail, index) => (index % 2 === 0 ? 'confirmed' : 'withdrawn')),
        )
        const isTold = told.length % 2 === 1
        const isTheirs = world.carrierId === carrier && ['scheduled', ...LOADED].includes(world.status)
        if (isTold) expect(isTheirs).toBe(true)
        if (world.carrierId === carrier && world.status === 'scheduled') expect(isTold).toBe(true)
      }
    }))

  it('a customer hears nothing of an order that stays canceled', () =>
    holds((world) => {
      if (world.status !== 'canceled') return
      const late = world.rendered.filter(({ type, at }) => type !== 'order_resolved' && at > world.since)
      expect(late).toEqual([])
    }))

  it('every proof of delivery goes once, to whose cargo it proves', () =>
    holdsForEach((world, customerId) => {
      if (world.status === 'canceled') return
      const carried = settledOf(world, 'pods', customerId).flatMap(({ told }) => JSON.parse(told!) as number[])
      const theirs = world.pods.filter(
        ({ locationIds }) => locationIds === null || locationIds.includes(DROPS[customerId]),
      )
      expect(carried.toSorted()).toEqual(theirs.map(({ documentId }) => documentId).toSorted())
    }))

  it('driver and plate are told again only where they changed before the loading', () =>
    holdsForEach((world, customerId) => {
      const settled = settledOf(world, 'driver_information', customerId)
      const told = settled.map((mail) => mail.told)
      expect(told.filter((one, index) => one === told[index - 1])).toEqual([])
      const isKnown = world.status === 'scheduled' && world.driverId !== null
      expect(!isKnown || told.at(-1)!.includes(`[${world.driverId}]`)).toBe(true)
      const [first, ...others] = settled.filter(({ state }) => state === 'rendered').map(({ variant }) => variant)
      expect([first ?? 'first', ...others]).toEqual(['first', ...others.map(() => 'changed')])
    }))
})

describe('a customer who wanted none before', () => {
  const life = (...acts: ((world: World) => void)[]): World => {
    const world = new World()
    for (const change of acts) {
      change(world)
      world.plan()
      world.pass(9 * SECOND)
    }
    return world
  }

  it('is sent the proofs of delivery that come later', () => {
    const world = life(
      (one) => one.prefer(5, 'pod', false),
      (one) => one.prove([5]),
      (one) => one.prefer(5, 'pod', true),
      (one) => one.prove([5]),
    )
    const pods = world.rows.filter(({ type }) => type === 'pods')
    expect(pods.map(({ state, told }) => [state, told])).toEqual([
      ['suppressed', '[100]'],
      ['rendered', '[101]'],
    ])
  })

  it('hears of another driver as of the first', () => {
    const world = life(
      (one) => one.prefer(5, 'driverInformation', false),
      (one) => {
        one.move('scheduled')
        one.driverId = 1
      },
      (one) => one.prefer(5, 'driverInformation', true),
      (one) => (one.driverId = 2),
    )
    expect(sentOf(world, 'driver_information', 5).map(({ variant }) => variant)).toEqual(['first'])
    expect(sentOf(world, 'driver_information', 6).map(({ variant }) => variant)).toEqual(['first', 'changed'])
  })
})

describe('the arrival at a stop', () => {
  const stop = (more: object) =>
    arrivalOf({ plannedAt: null, termin: null, timeZone: 'Europe/Warsaw', ...more } as never)
  const termin = (kind: string, timeFrom: string | null, dateFrom = '2026-11-24') => ({
    termin: { kind, dateFrom, timeFrom, dateTo: null, timeTo: null },
  })

  it.each([
    ['the plan', { plannedAt: '2026-11-24T10:00:00Z', ...termin('fix', '08:00') }, '2026-11-24T10:00:00.000Z'],
    ['a fixed time', termin('fix', '08:00'), '2026-11-24T07:00:00.000Z'],
    ['the beginning of a period', termin('period', '08:00'), '2026-11-24T07:00:00.000Z'],
    ['a time in summer', termin('fix', '08:00', '2026-07-01'), '2026-07-01T06:00:00.000Z'],
    ['the second of two hours of one name', termin('fix', '03:30', '2026-10-25'), '2026-10-25T02:30:00.000Z'],
  ])('is %s', (_what, more, expected) => {
    expect(new Date(stop(more)!).toISOString()).toBe(expected)
  })

  it.each([
    ['before a time', termin('before', '08:00')],
    ['a date alone', termin('fix', null)],
    ['nothing', {}],
  ])('is not known of %s', (_what, more) => expect(stop(more)).toBeNull())
})
