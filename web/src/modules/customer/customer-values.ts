import type { Language } from '@waybill/contract/errors'
import {
  EMAIL_PREFERENCES,
  STANDARD_PAYMENT_DAYS,
  type Customer,
  type EmailPreference,
} from '@waybill/contract/customer'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { newKey } from '../../kit/form/state/values.ts'

interface Child {
  id?: number
  /** of one that is not stored yet; never sent */
  key?: string
}

export interface ContactValues extends Child {
  salutationId: number | null
  fullName: string | null
  lastName: string | null
  academicTitle: string | null
  phone: string | null
  mobile: string | null
  email: string | null
  position: string | null
  language: Language | null
}

export interface PlaceValues extends Child {
  companyTitle: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryId: number | null
  latitude: number | null
  longitude: number | null
  contactPerson: string | null
  phone: string | null
  comment: string | null
}

type Address = Record<'address' | 'postal' | 'city', string | null> & { countryId: number | null }

/** What the form holds: the write shape, where a field may be empty while it is typed. */
export interface CustomerValues extends Address {
  alias: string | null
  title: string | null
  vatNumber: string | null
  language: Language | null
  responsibleUserId: number | null
  billingAddress: (Address & { title: string | null }) | null
  specialInstructions: string | null
  warnings: string | null
  emailPreferences: Record<EmailPreference, boolean>
  paymentOption: Customer['paymentOption']
  paymentPeriodDays: number | null
  skonto: { percentBp: number | null; days: number | null }[]
  chargeableKgPerM3: number | null
  chargeableKgPerLdm: number | null
  buyerReference: string | null
  eInvoiceFormat: Customer['eInvoiceFormat']
  eInvoiceAddress: string | null
  eInvoiceScheme: string | null
  creditNotes: boolean
  invoiceEmail: string | null
  podsInPdf: boolean
  emissionsOnInvoices: boolean
  isForwarder: boolean
  isConsumer: boolean
  needsOrderNumber: boolean
  remindersOff: boolean
  creditLimitCents: number | null
  debtorNumber: number | null
  contactPersons: ContactValues[]
  pickupLocations: PlaceValues[]
}

export const EMPTY_CONTACT: ContactValues = {
  salutationId: null,
  fullName: null,
  lastName: null,
  academicTitle: null,
  phone: null,
  mobile: null,
  email: null,
  position: null,
  language: null,
}

export const EMPTY_ADDRESS = { title: null, address: null, postal: null, city: null, countryId: null }

/** A new place lies in the customer's own country until it is said otherwise. */
export const newPlace = (countryId: number | null): PlaceValues => ({
  key: newKey(),
  companyTitle: null,
  address: null,
  postal: null,
  city: null,
  countryId,
  latitude: null,
  longitude: null,
  contactPerson: null,
  phone: null,
  comment: null,
})

/**
 * A new customer: all mails, the standard period, the usual factors (domain, Cargo), in the
 * care of the person who makes it.
 */
export const emptyCustomer = (responsibleUserId: number | null): CustomerValues => ({
  alias: null,
  title: null,
  vatNumber: null,
  language: null,
  responsibleUserId,
  address: null,
  postal: null,
  city: null,
  countryId: null,
  billingAddress: null,
  specialInstructions: null,
  warnings: null,
  emailPreferences: Object.fromEntries(EMAIL_PREFERENCES.map((name) => [name, true])) as Record<
    EmailPreference,
    boolean
  >,
  paymentOption: 'per_order',
  paymentPeriodDays: STANDARD_PAYMENT_DAYS,
  skonto: [],
  chargeableKgPerM3: 333,
  chargeableKgPerLdm: 1750,
  buyerReference: null,
  eInvoiceFormat: 'pdf',
  eInvoiceAddress: null,
  eInvoiceScheme: null,
  creditNotes: false,
  invoiceEmail: null,
  podsInPdf: false,
  emissionsOnInvoices: false,
  isForwarder: false,
  isConsumer: false,
  needsOrderNumber: false,
  remindersOff: false,
  creditLimitCents: null,
  debtorNumber: null,
  contactPersons: [],
  pickupLocations: [],
})

/** What is written of a record, and nothing that only is shown. */
export function customerValuesOf(customer: Customer): CustomerValues {
  const names = Object.keys(emptyCustomer(null)) as (keyof CustomerValues)[]
  const values = Object.fromEntries(names.map((name) => [name, customer[name]])) as unknown as CustomerValues
  return { ...values, vatNumber: formatVatNumber(customer.vatNumber) }
}

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
const isUntouched = (child: Child, beside: readonly string[] = []): boolean =>
  Object.entries(child).every(([name, value]) => name === 'key' || beside.includes(name) || isBlank(value))

/** Takes out what was begun and left empty: new rows, and a billing address without a word. */
export function tidyCustomer(values: CustomerValues): CustomerValues {
  const { billingAddress, contactPersons, pickupLocations } = values
  return {
    ...values,
    billingAddress: billingAddress !== null && Object.values(billingAddress).every(isBlank) ? null : billingAddress,
    contactPersons: contactPersons.filter((person) => !isUntouched(person)),
    // The country came by itself.
    pickupLocations: pickupLocations.filter((place) => !isUntouched(place, ['countryId'])),
  }
}

const withoutKey = <One extends Child>({ key: _key, ...child }: One): Omit<One, 'key'> => child

export const customerBodyOf = ({ contactPersons, pickupLocations, ...values }: CustomerValues): object => ({
  ...values,
  contactPersons: contactPersons.map(withoutKey),
  pickupLocations: pickupLocations.map(withoutKey),
})

export const CUSTOMER_TABS = ['general', 'places', 'payment', 'documents', 'contacts', 'learned'] as const
export type CustomerTab = (typeof CUSTOMER_TABS)[number]

/** How fields of the tab *Payment* begin. */
const PAYMENT = [
  'payment',
  'skonto',
  'credit',
  'remindersOff',
  'chargeable',
  'billingAddress',
  'buyerReference',
  'eInvoice',
  'invoiceEmail',
  'podsInPdf',
  'emissionsOnInvoices',
  'isForwarder',
  'isConsumer',
  'needsOrderNumber',
  'debtorNumber',
]

/** Which tab a field stands in. */
export function customerTabOf(path: string): CustomerTab {
  if (path.startsWith('contactPersons')) return 'contacts'
  if (path.startsWith('pickupLocations')) return 'places'
  return PAYMENT.some((name) => path.startsWith(name)) ? 'payment' : 'general'
}
