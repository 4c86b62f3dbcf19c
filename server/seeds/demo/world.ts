import { estimatedKm, type Position } from '@waybill/contract/order/planning/distance'
import type { EmailPreference } from '@waybill/contract/customer'
import type { Language } from '@waybill/contract/errors'
import type { Industry } from './partners/companies.ts'
import type { Random } from './random.ts'

/** Everything that orders are made from, as it is stored. */
export interface World {
  random: Random
  /** epoch milliseconds */
  now: number
  countries: ReadonlyMap<string, Country>
  countriesById: ReadonlyMap<number, Country>
  towns: ReadonlyMap<string, readonly Town[]>
  types: Record<'unit_type' | 'vehicle_type' | 'cargo_type' | 'special_handling_type', ReadonlyMap<string, number>>
  departments: Record<DepartmentName, Department>
  users: readonly User[]
  customers: readonly Customer[]
  carriers: readonly Carrier[]
  /** what the history of records will say; written in the order in which it happened, at the end */
  journal: JournalEntry[]
  /** names that are given already: no two firms share one */
  takenTitles: Set<string>
}

/** One change of one record, as an audit entry. */
export interface JournalEntry {
  at: string
  actorId: number | null
  ownerKind: 'order' | 'invoice' | 'customer' | 'carrierCompany'
  ownerId: number
  action: string
  changes: { path: string; from: unknown; to: unknown }[]
  reason: string | null
}

export interface Country {
  id: number
  code: string
  isEu: boolean
  standardVatBp: number
  timeZone: string
}

export interface Town {
  countryCode: string
  city: string
  postal: string
  latitude: number
  longitude: number
  gravity: number
}

/** A ramp with a firm's name on it. */
export interface Place extends Omit<Town, 'gravity'> {
  companyTitle: string
  address: string
  contactPerson: string | null
  phone: string | null
}

export type DepartmentName = 'FTL West' | 'Groupage' | 'FTL East'

export interface Department {
  id: number
  name: DepartmentName
  /** in which its people write */
  language: 'de' | 'pl'
  company: { id: number; title: string; countryCode: string; standardVatBp: number; timeZone: string; footer: string[] }
}

export interface User {
  id: number
  fullName: string
  department: DepartmentName | null
  job: 'manager' | 'dispatcher' | 'accountant' | 'driver' | 'other'
  plateNumber: string | null
}

export interface Customer {
  id: number
  title: string
  industry: Industry
  countryCode: string
  language: Language
  hasVatNumber: boolean
  paymentPeriodDays: number
  /** agreed to take 2 % off within ten days */
  takesSkonto: boolean
  paymentOption: 'per_order' | 'end_of_period'
  contacts: { id: number; fullName: string; email: string | null }[]
  invoiceEmail: string | null
  emailPreferences: Record<EmailPreference, boolean>
  responsible: User
  department: DepartmentName
  /** where its goods are, the first is home */
  ramps: Place[]
  /** whom it sends to or gets from, again and again */
  partners: Place[]
  /** how many orders it gives against the others */
  share: number
  /** full trucks, part loads, groupage */
  sizes: readonly [full: number, part: number, groupage: number]
  /** how it writes its order numbers, made from a running number and the date */
  orderNumber(date: string): string | null
  /** who pays for it, where that is not itself */
  billedTo: number | null
}

export interface Carrier {
  id: number
  title: string
  countryCode: string
  language: Language
  contacts: { fullName: string; phone: string; email: string }[]
  drivers: { id: number; fullName: string; phone: string; plateNumber: string }[]
  vehicleTypes: ReadonlySet<string>
  iban: string
  share: number
}

/** Time zone of a country's stops. */
export const zoneOf = (world: Pick<World, 'countries'>, countryCode: string): string =>
  world.countries.get(countryCode)!.timeZone

export const townIn = ({ random, towns }: Pick<World, 'random' | 'towns'>, countryCode: string): Town =>
  random.weighted(towns.get(countryCode)!.map((town) => [town, town.gravity] as const))

/** By road, estimated; two ramps in one town are still a drive apart. */
export const roadKm = (a: Position, b: Position): number => Math.max(12, estimatedKm(a, b))
