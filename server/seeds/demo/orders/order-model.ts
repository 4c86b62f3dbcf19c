import type { OrderInput } from '@waybill/contract/order/order'
import type { Disposition, RouteStatus } from '@waybill/contract/order/status'
import type { Carrier, Customer, Department, Place, User } from '../world.ts'
import type { CargoLine } from './cargo.ts'

type Stop = NonNullable<OrderInput['locations']>[number]
type Termin = NonNullable<Stop['termin']>

/** A stop as it is ordered: where, when, and which cargo lines load or unload there. */
export interface PlannedStop {
  place: Place
  kind: 'loading' | 'unloading' | 'customs' | 'other'
  termin: Termin | null
  loads: string[]
  unloads: string[]
  reference: string | null
  comment: string | null
  /** a drop that the customer took out under way */
  canceledAt?: string
}

/** One truck: its stops in order, by their place in the order's list. */
export interface Truck {
  stops: number[]
  distanceKm: number
}

/** An order as a customer gives it: what happens to it comes later. */
export interface PlannedOrder {
  /** epoch milliseconds */
  createdAt: number
  customer: Customer
  /** of a merged transport: whose goods go along */
  coCustomers: Customer[]
  contactPersonId: number | null
  billingCustomerId: number
  department: Department
  caseWorker: User
  creator: User
  managers: User[]
  customerOrderNumber: string | null
  originalMessage: string | null
  description: string | null
  internalComments: string | null
  invoiceText: string | null
  cargo: CargoLine[]
  stops: PlannedStop[]
  trucks: Truck[]
  vehicle: string
  isLiftRequired: boolean
  isTransshipmentForbidden: boolean
  /** null: not agreed yet, so nobody drives */
  priceCents: number | null
  vatBp: number
  paymentPeriodDays: number | null
  /** the carrier's price share of ours */
  costShare: number
  plan?: Fate
  /** the orders whose transport this one carries (domain, Merge) */
  mergeOf?: PlannedOrder[]
}

/** What is known beforehand of an order's life; left out, chance decides. */
export interface Fate {
  /** who drives; `none`: nobody is looked for */
  carrier?: Carrier | 'none'
  costCents?: number
  scheduledAt?: number
  /** canceled after that, with the reason */
  canceledAt?: number
  cancelReason?: string
  isPunctual?: boolean
  /** waits now: in the yard before loading, on the road, or at the dock before unloading */
  stuckAt?: 'yard' | 'road' | 'dock'
  disposition?: Disposition
}

export interface Move {
  /** which truck; null where the order moved as a whole */
  truck: number | null
  from: RouteStatus
  to: RouteStatus
  at: string
  movedAt: string
  actor: User
  reason: string | null
}

interface StopTimes {
  delayReason: string | null
  plannedAt: string | null
  arrivedAt: string | null
  loadedAt: string | null
  unloadedAt: string | null
}

export interface Assigned {
  carrier: Carrier | null
  drivers: { id: number; fullName: string; phone: string | null }[]
  driverText: string | null
  plateNumber: string | null
  costCents: number | null
  vatBp: number
}

/** What became of an order up to now. */
export interface OrderLife {
  times: StopTimes[]
  /** one for each truck; empty while nothing is planned */
  assigned: Assigned[]
  moves: Move[]
  statuses: RouteStatus[]
  /** the order's own */
  status: RouteStatus
  disposition: Disposition | null
  deviations: NonNullable<OrderInput['deviations']>
  podAt: string | null
  /** it came, and is still to be accepted */
  podWaits: boolean
  podWaiverReason: string | null
  /** a price that was agreed anew: what it was before, and when */
  repriced: { fromCents: number; at: string; actor: User } | null
}
