/*
 * What was read in a customer's mail: every value with the place where it stands and how sure the reading is. Nothing
 * is invented: a value without a span does not exist.
 */

export const READING_KINDS = ['order', 'change', 'cancel', 'other'] as const
/** `order`: new ones; `change`: of an order placed before; `cancel`: nothing but cancelling; `other`: none of these. */
export type ReadingKind = (typeof READING_KINDS)[number]

export type Json = string | number | boolean | null

/** A company as the mail names it. */
export interface ReadParty {
  title: string | null
  email: string | null
  vatNumber: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string | null
}

export interface ReadTermin {
  kind: 'before' | 'fix' | 'period'
  /** local days, YYYY-MM-DD, and times, HH:MM */
  dateFrom: string | null
  timeFrom: string | null
  dateTo: string | null
  timeTo: string | null
}

export interface ReadStop {
  action: 'PICK_UP' | 'DROP_OFF' | 'CUSTOMS'
  companyTitle: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string | null
  contactPerson: string | null
  phone: string | null
  reference: string | null
  specialInstructions: string | null
  termin: ReadTermin | null
}

export interface ReadCargo {
  title: string | null
  /** English title of a seeded unit type */
  unit: string | null
  quantity: number | null
  packages: number | null
  lengthCm: number | null
  widthCm: number | null
  heightCm: number | null
  /** of the whole line, gross where both are given */
  weightKg: number | null
  ldm: number | null
  volumeM3: number | null
  valueEur: number | null
  stackable: boolean | null
  stackingFactor: number | null
  temperatureFrom: number | null
  temperatureTo: number | null
  adr: { unNumber: string | null; adrClass: string | null } | null
  /** index of the stop where it is picked up, and of that where it is dropped off */
  from: number | null
  to: number | null
}

export interface ReadOrder {
  customer: ReadParty
  /** only where the mail names one of its own */
  billingCustomer: ReadParty | null
  customerOrderNumber: string | null
  contactPerson: string | null
  stops: ReadStop[]
  cargo: ReadCargo[]
  price: { amountCents: number; currency: string; vat: 'net' | 'gross' | 'reverse_charge' | null } | null
  paymentPeriodDays: number | null
  /** English title of a seeded vehicle type */
  vehicle: string | null
  equipment: string[]
  isLiftRequired: boolean | null
  isTransshipmentForbidden: boolean | null
}

export interface ReadChange {
  /** the customer's number of the order, or ours */
  reference: string | null
  field:
    | 'order'
    | 'pickUp.termin'
    | 'dropOff.termin'
    | 'pickUp.reference'
    | 'dropOff.reference'
    | 'cargo.quantity'
    | 'cargo.weightKg'
    | 'price.amountCents'
    | 'price.surcharge'
    | 'stop.added'
    | 'cargo.added'
  /** the town meant, where there are several */
  of: string | null
  from: Json | ReadTermin
  /** `canceled` of `order`; else the new value, a termin, a stop or a line */
  to: Json | ReadTermin | ReadStop | ReadCargo
  /** of an amount that is not in euros, or has VAT in it */
  money?: { currency: string; vat: 'net' | 'gross' | 'reverse_charge' | null }
  /** what a surcharge is for, as a kind of extra; readings from before lack it */
  extra?: string
}

/** Two statements of the mail that cannot both be true. */
export interface ReadContradiction {
  field: 'cargo.weightKg' | 'stops.postal' | 'stops.termin'
  /** what is said; of a weekday that is another day's also the termin by the weekday */
  values: (Json | ReadTermin)[]
  /** of each value the path of the field that it can be put into; null: of none. Readings from before lack them */
  paths?: (string | null)[]
  /** paths of the values in doubt: nobody may be sure of them */
  at: string[]
  spans: Span[]
}

/**
 * From and to (exclusive) in the text that was read, in UTF-16 units as in a JavaScript string. With a third entry in
 * the mail's subject, or in its sender written `Name <address>` (the address alone where there is no name).
 */
export type Span = readonly [from: number, to: number, of?: 'subject' | 'sender']

/** The orders of a mail that does not read as one, with their own places: for who says that it is one all the same. */
export type SetAside = Pick<Reading, 'orders' | 'contradictions' | 'sure' | 'spans'>

export interface Reading {
  kind: ReadingKind
  language: 'en' | 'de' | 'pl' | null
  orders: ReadOrder[]
  changes: ReadChange[]
  contradictions: ReadContradiction[]
  /** by path (`orders.0.stops.1.termin.dateFrom`; one path counts for all below it, the longest wins) */
  sure: Record<string, boolean>
  /** where each value stands, by path; of a derived value the place that it was worked out from */
  spans: Record<string, Span>
  /** paths of values that a rule learned from this sender has given */
  learned: string[]
  /** null: there is nothing. Readings from before lack it */
  setAside?: SetAside | null
  /** by order, in which attachment with a text it stands; null: in the mail's own words. Missing: in all together */
  ofParts?: (number | null)[]
}

/** What the reader is given: the mail's own text as it is shown, and what its header says. */
export interface MailText {
  /** header lines are not part of it; quoted history and signature are */
  text: string
  subject: string | null
  from: { name: string | null; address: string } | null
  /** of the mail's header, RFC 3339; relative days count from it, in the time zone of its offset */
  sentAt: string
}

const LEARNED_STOP_FIELDS = [
  'companyTitle',
  'address',
  'postal',
  'city',
  'contactPerson',
  'phone',
  'reference',
  'specialInstructions',
] as const

/**
 * What can be learned from a correction: of the first pick-up, of the last drop-off, of the only line of cargo. Days,
 * prices and what is worked out (Ldm, volume) are read by the general rules alone.
 */
export const LEARNED_FIELDS = [
  'customerOrderNumber',
  'paymentPeriodDays',
  ...LEARNED_STOP_FIELDS.map((name) => `pickUp.${name}` as const),
  ...LEARNED_STOP_FIELDS.map((name) => `dropOff.${name}` as const),
  'cargo.title',
  'cargo.quantity',
  'cargo.packages',
  'cargo.lengthCm',
  'cargo.widthCm',
  'cargo.heightCm',
  'cargo.weightKg',
] as const
export type LearnedField = (typeof LEARNED_FIELDS)[number]

/** Where a value stands that no words announce: it is the whole subject, or the whole first line. */
export const LEARNED_POSITIONS = ['subject', 'firstLine'] as const
export type LearnedPosition = (typeof LEARNED_POSITIONS)[number]

/** Where a value stands in the mails of a sender, as a person has corrected it in one. Never a value itself. */
export interface LearnedRule {
  field: LearnedField
  /** the words before the value, as they stood in the mail; null: by its position */
  label: string | null
  /** null: by its label */
  position: LearnedPosition | null
}
