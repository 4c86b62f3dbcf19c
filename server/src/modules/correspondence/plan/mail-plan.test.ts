import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EmailType, SuppressedReason } from '@waybill/contract/email'
import type { Order } from '@waybill/contract/order/order'
import type { RouteStatus } from '@waybill/contract/order/status'
import { modelRuns } from '../../../../test/model-runs.ts'
import { arrivalOf, planSteps, reasonAgainst, type AcceptedPod, type KnownMail } from './mail-plan.rules.ts'

const START = Date.parse('2026-11-23T08:00:00Z')
const SECOND = 1000
const MINUTE = 60 * SECOND
const ROUTE = 7
const DROP = 22

interface Row extends KnownMail {
  locationId: number | null
}

interface Rendered {
  key: string
  type: EmailType
  variant: string | null
  at: number
  status: RouteStatus
  isReached: boolean
  arrival: number | null
  since: number
}

/** An order with one route, as far as its mails look at it. */
const orderOf = (world: World): Order =>
  ({
    id: 1,
    status: world.status,
    isMergeResult: false,
    customerIds: [5],
    cargo: [{ id: 3, customerId: null }],
    locations: [
      { id: 21, kind: 'loading', canceledAt: null, cargoActions: [{ cargoId: 3, action: 'PICK_UP' }] },
      {
        id: DROP,
        kind: 'unloading',
        canceledAt: null,
        plannedAt: world.arrival === null ? null : new Date(world.arrival).toISOString(),
        termin: null,
        timeZone: 'Europe/Berlin',
        arrivedAt: world.isReached ? 'reached' : null,
        unloadedAt: null,
        cargoActions: [{ cargoId: 3, action: 'DROP_OFF' }],
      },
    ],
    routes: [
      {
        id: ROUTE,
        status: world.status,
        locationIds: [21, DROP],
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

/** The order, its mails and the clock; what the jobs do happens in it at the very moment it is due. */
class World {
  now = START
  status: RouteStatus = 'new'
  since = START
  carrierId: number | null = 9
  driverId: number | null = null
  arrival: number | null = null
  isReached = false
  pods: AcceptedPod[] = []
  rows: Row[] = []
  rendered: Rendered[] = []
  history: { at: number; status: RouteStatus }[] = [{ at: START, status: 'new' }]

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
  }

  /** The job: everything due up to a moment, in the order of its time. */
  pass(milliseconds: number) {
    const end = this.now + milliseconds
    for (;;) {
      const [next] = this.rows
        .filter(({ state, dueAt }) => state === 'planned' && dueAt <= end)
        .toSorted((one, other) => one.dueAt - other.dueAt || one.id - other.id)
      if (!next) break
      this.now = Math.max(this.now, next.dueAt)
      const reason = reasonAgainst(this.facts(), next)
      if (reason !== null) {
        this.let(next, reason)
        continue
      }
      next.state = 'rendered'
      const { key, type, variant } = next
      const { status, isReached, arrival, since } = this
      this.rendered.push({ key, type, variant, at: this.now, status, isReached, arrival, since })
    }
    this.now = end
  }

  move(status: RouteStatus) {
    if (status === this.status) return
    this.status = status
    this.since = this.now
    this.history.push({ at: this.now, status })
  }
}

type Act = { label: string; run(world: World): void }
const act = (label: string, run: (world: World) => void): Act => ({ label, run })
const STATUSES: RouteStatus[] = ['new', 'scheduled', 'in_transit', 'arrived', 'delivered', 'completed', 'canceled']

const acts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...STATUSES).map((to) => act(`move ${to}`, (world) => world.move(to))) },
  {
    weight: 4,
    arbitrary: fc
      .integer({ min: -40, max: 240 })
      .map((minutes) => act(`arrival in ${minutes} min`, (world) => (world.arrival = world.now + minutes * MINUTE))),
  },
  { weight: 1, arbitrary: fc.constant(act('no arrival', (world) => (world.arrival = null))) },
  { weight: 2, arbitrary: fc.boolean().map((is) => act(`reached ${is}`, (world) => (world.isReached = is))) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(1, 2, null).map((id) => act(`driver ${id}`, (world) => (world.driverId = id))),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(9, 10, null).map((id) => act(`carrier ${id}`, (world) => (world.carrierId = id))),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      act('POD', (world) =>
        world.pods.push({ documentId: 100 + world.pods.length, routeId: ROUTE, locationIds: null }),
      ),
    ),
  },
)
const steps = fc.array(fc.tuple(acts, fc.constantFrom(0, 1, 4, 7, 9, 60, 600, 1800, 7200)), { maxLength: 40 })

const LOADED: RouteStatus[] = ['in_transit', 'arrived', 'delivered', 'completed']
const UNLOADED: RouteStatus[] = ['delivered', 'completed']

/** True where the order was without a break in one of these for as long as a move can be undone. */
function stayed({ history, now }: World, statuses: readonly RouteStatus[]): boolean {
  let since: number | null = null
  for (const { at, status } of [...history, { at: now, status: 'new' as const }]) {
    if (since !== null && at - since >= 8 * SECOND) return true
    since = statuses.includes(status) ? (since ?? at) : null
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

const sentOf = ({ rendered }: World, type: EmailType) => rendered.filter((mail) => mail.type === type)

describe('whatever becomes of an order', () => {
  const holds = (check: (world: World) => void) =>
    fc.assert(
      fc.property(steps, (sequence) => check(run(sequence))),
      { numRuns: modelRuns(300, 5000) },
    )

  it('no mail leaves twice', () =>
    holds((world) => {
      const keys = world.rendered.map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
    }))

  it('loading and unloading are confirmed once, if they stood longer than an undo may take', () =>
    holds((world) => {
      expect(sentOf(world, 'loading_confirmation')).toHaveLength(stayed(world, LOADED) ? 1 : 0)
      expect(sentOf(world, 'unloading_confirmation')).toHaveLength(stayed(world, UNLOADED) ? 1 : 0)
      for (const { status } of sentOf(world, 'loading_confirmation')) expect(LOADED).toContain(status)
      for (const { status } of sentOf(world, 'unloading_confirmation')) expect(UNLOADED).toContain(status)
    }))

  it('an arrival is announced at most once, on the way, no earlier than half an hour before and never after it', () =>
    holds((world) => {
      const sent = sentOf(world, 'before_arriving')
      expect(sent.length).toBeLessThanOrEqual(1)
      for (const { status, isReached, arrival, at } of sent) {
        expect([status, isReached]).toEqual(['in_transit', false])
        expect(arrival! - at).toBeLessThanOrEqual(30 * MINUTE)
        expect(arrival! - at).toBeGreaterThan(0)
      }
    }))

  it('an arrival that nothing changes any more is announced', () =>
    holds((world) => {
      if (world.status !== 'in_transit' || world.isReached || sentOf(world, 'before_arriving').length > 0) return
      world.arrival = world.now + 45 * MINUTE
      world.plan()
      world.pass(86_400 * SECOND)
      const [mail] = sentOf(world, 'before_arriving')
      expect(mail!.at).toBe(mail!.arrival! - 30 * MINUTE)
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

  it('every proof of delivery goes once', () =>
    holds((world) => {
      if (world.status === 'canceled') return
      const sent = world.rows.filter(({ type, state }) => type === 'pods' && state === 'rendered')
      const carried = sent.flatMap(({ told }) => JSON.parse(told!) as number[])
      expect(carried.toSorted()).toEqual(world.pods.map(({ documentId }) => documentId).toSorted())
    }))

  it('driver and plate are told again only where they changed before the loading', () =>
    holds((world) => {
      const sent = world.rows.filter(({ type, state }) => type === 'driver_information' && state === 'rendered')
      const told = sent.map((mail) => mail.told)
      expect(told.filter((one, index) => one === told[index - 1])).toEqual([])
      const isKnown = world.status === 'scheduled' && world.driverId !== null
      expect(!isKnown || told.at(-1)!.includes(`[${world.driverId}]`)).toBe(true)
    }))
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
