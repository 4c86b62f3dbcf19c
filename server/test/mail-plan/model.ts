// A small model of an order's mails: the order as far as its mails look at it, the rows, the clock, and a job that
// never fails. What became of it is judged in `properties.ts`.
import type { EmailType, SuppressedReason } from '@waybill/contract/email'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import type { Order } from '@waybill/contract/order/order'
import type { RouteStatus } from '@waybill/contract/order/status'
import {
  planSteps,
  reasonAgainst,
  type AcceptedPod,
  type KnownMail,
} from '../../src/modules/correspondence/plan/mail-plan.rules.ts'

const START = Date.parse('2026-11-23T08:00:00Z')
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const PREFERENCES = ['orderCreated', 'driverInformation', 'pickup', 'delivery', 'pod'] as const
export const STATUSES: RouteStatus[] = [
  'new',
  'scheduled',
  'in_transit',
  'arrived',
  'delivered',
  'completed',
  'canceled',
]
export const PLATE = 'PO 4T112'

/** Two customers in one order with one route: each has a line of the cargo and a drop-off of its own. */
export interface Ids {
  order: number
  route: number
  loading: number
  customers: readonly { id: number; lineId: number; dropId: number }[]
  carriers: readonly [number, number]
}
const IDS: Ids = {
  order: 1,
  route: 7,
  loading: 21,
  customers: [
    { id: 5, lineId: 3, dropId: 22 },
    { id: 6, lineId: 4, dropId: 23 },
  ],
  carriers: [9, 10],
}

export interface Row extends KnownMail {
  locationId: number | null
}

export interface Drop {
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

/** The order, its mails and the clock; jobs do what is due at that moment, or once they run again. */
export class World {
  now = START
  /** the jobs stand still until then */
  busyUntil = START
  status: RouteStatus = 'new'
  since = START
  carrierId: number | null
  driver: string | null = null
  drops = new Map<number, Drop>()
  unwanted = new Map<number, Set<string>>()
  /** switches that were off at any time */
  wasOff = new Map<number, Set<string>>()
  pods: AcceptedPod[] = []
  rows: Row[] = []
  rendered: Rendered[] = []
  /** why mails were let go, for a while or for good */
  reasons = new Set<SuppressedReason>()
  history: { at: number; status: RouteStatus }[] = [{ at: START, status: 'new' }]
  /** when the jobs ran: both ends are part of it */
  ran: [number, number][] = []
  readonly ids: Ids

  constructor(ids: Ids = IDS) {
    this.ids = ids
    this.carrierId = ids.carriers[0]
    for (const { id } of ids.customers) {
      this.drops.set(id, { arrival: null, isReached: false })
      this.unwanted.set(id, new Set())
      this.wasOff.set(id, new Set())
    }
  }

  /** The order, as far as its mails look at it. */
  order(): Order {
    const { ids } = this
    return {
      id: ids.order,
      status: this.status,
      isMergeResult: false,
      customerIds: ids.customers.map(({ id }) => id),
      cargo: ids.customers.map(({ id, lineId }) => ({ id: lineId, customerId: id })),
      locations: [
        {
          id: ids.loading,
          kind: 'loading',
          routeId: ids.route,
          canceledAt: null,
          cargoActions: ids.customers.map(({ lineId }) => ({ cargoId: lineId, action: 'PICK_UP' })),
        },
        ...ids.customers.map(({ id, lineId, dropId }) => {
          const { arrival, isReached } = this.drops.get(id)!
          return {
            id: dropId,
            kind: 'unloading',
            routeId: ids.route,
            canceledAt: null,
            plannedAt: arrival === null ? null : new Date(arrival).toISOString(),
            termin: null,
            timeZone: 'Europe/Berlin',
            arrivedAt: isReached ? 'reached' : null,
            unloadedAt: null,
            cargoActions: [{ cargoId: lineId, action: 'DROP_OFF' }],
          }
        }),
      ],
      routes: [
        {
          id: ids.route,
          status: this.status,
          locationIds: [ids.loading, ...ids.customers.map(({ dropId }) => dropId)],
          assignment: {
            carrierCompanyId: this.carrierId,
            ownFleet: false,
            driverIds: [],
            driverText: this.driver,
            plateNumber: PLATE,
          },
        },
      ],
    } as unknown as Order
  }

  facts() {
    return {
      order: this.order(),
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
      else if (step.step === 'note') row.told = step.told
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
    return preference !== null && this.unwanted.get(customerId!)!.has(preference)
  }

  /** Those whose time has come, in the order of their time. */
  due(until = this.now): Row[] {
    return this.rows
      .filter(({ state, dueAt }) => state === 'planned' && dueAt <= until)
      .toSorted((one, other) => one.dueAt - other.dueAt || one.id - other.id)
  }

  /** What the job does with one whose time has come. */
  handle(row: Row) {
    const reason = reasonAgainst(this.facts(), row) ?? (this.isUnwanted(row) ? 'preference' : null)
    if (reason !== null) return this.let(row, reason)
    row.state = 'rendered'
    const { key, type, variant, customerId } = row
    const { status, since } = this
    const drop = customerId === null ? null : { ...this.drops.get(customerId)! }
    this.rendered.push({ key, type, variant, customerId, at: this.now, status, drop, since })
  }

  /** The job: everything due up to a moment, in the order of its time. */
  pass(milliseconds: number) {
    const end = this.now + milliseconds
    if (this.busyUntil <= end) this.ran.push([Math.max(this.now, this.busyUntil), end])
    while (this.busyUntil <= end) {
      const [next] = this.due(end)
      if (!next) break
      this.now = Math.max(this.now, this.busyUntil, next.dueAt)
      this.handle(next)
    }
    this.now = end
  }

  move(status: RouteStatus) {
    if (status === this.status) return
    this.status = status
    this.since = this.now
    this.history.push({ at: this.now, status })
  }

  prefer(customerId: number, preference: string, isOn: boolean) {
    if (isOn) this.unwanted.get(customerId)!.delete(preference)
    else for (const off of [this.unwanted, this.wasOff]) off.get(customerId)!.add(preference)
  }

  /** A proof of delivery for the stops of these customers; null: for all. */
  prove(customerIds: readonly number[] | null) {
    const { customers, route } = this.ids
    const locationIds = customerIds?.map((one) => customers.find(({ id }) => id === one)!.dropId) ?? null
    this.pods.push({ documentId: 100 + this.pods.length, routeId: route, locationIds })
  }
}
