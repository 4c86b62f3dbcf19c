import type { CarrierCompany } from '@waybill/contract/carrier-company'
import type { Language } from '@waybill/contract/errors'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'

/** A child while it is typed: `id` once it is stored, `key` before. */
type Line<Key extends string> = Record<Key, string | null> & { id?: number; key?: string }
export type ContactLine = Line<'fullName' | 'position' | 'phone' | 'email'>
export type BankLine = Line<'bankName' | 'iban' | 'bic'>
export type DriverLine = Line<'fullName' | 'phone' | 'email' | 'plateNumber'>

/**
 * What the form holds: the write shape, where texts may be empty while they are typed, and both addresses and the
 * representative always have their fields.
 */
export interface CarrierCompanyValues {
  title: string | null
  vatNumber: string | null
  language: Language | null
  representative: { fullName: string | null; position: string | null; email: string | null; phone: string | null }
  timocomId: string | null
  transId: string | null
  website: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryId: number | null
  paymentPeriodDays: number | null
  creditorNumber: number | null
  billingAddress: {
    title: string | null
    address: string | null
    postal: string | null
    city: string | null
    countryId: number | null
    emails: string[]
  }
  notes: string | null
  warnings: string | null
  blockedReason: string | null
  isOnceOnly: boolean
  licenceNotNeededReason: string | null
  contactPersons: ContactLine[]
  bankAccounts: BankLine[]
  drivers: DriverLine[]
  vehicleTypeIds: number[]
}

const NOBODY = { fullName: null, position: null, email: null, phone: null }
const NOWHERE = { title: null, address: null, postal: null, city: null, countryId: null, emails: [] }

export const EMPTY_CARRIER: CarrierCompanyValues = {
  title: null,
  vatNumber: null,
  language: null,
  representative: NOBODY,
  timocomId: null,
  transId: null,
  website: null,
  address: null,
  postal: null,
  city: null,
  countryId: null,
  paymentPeriodDays: null,
  creditorNumber: null,
  billingAddress: NOWHERE,
  notes: null,
  warnings: null,
  blockedReason: null,
  isOnceOnly: false,
  licenceNotNeededReason: null,
  contactPersons: [],
  bankAccounts: [],
  drivers: [],
  vehicleTypeIds: [],
}

export const carrierValuesOf = (carrier: CarrierCompany): CarrierCompanyValues => ({
  title: carrier.title,
  vatNumber: formatVatNumber(carrier.vatNumber),
  language: carrier.language,
  representative: carrier.representative ?? NOBODY,
  timocomId: carrier.timocomId,
  transId: carrier.transId,
  website: carrier.website,
  address: carrier.address,
  postal: carrier.postal,
  city: carrier.city,
  countryId: carrier.countryId,
  paymentPeriodDays: carrier.paymentPeriodDays,
  creditorNumber: carrier.creditorNumber,
  billingAddress: carrier.billingAddress ?? NOWHERE,
  notes: carrier.notes,
  warnings: carrier.warnings,
  blockedReason: carrier.blockedReason,
  isOnceOnly: carrier.isOnceOnly,
  licenceNotNeededReason: carrier.licenceNotNeededReason,
  contactPersons: carrier.contactPersons,
  // Who entered and confirmed an account is not typed.
  bankAccounts: carrier.bankAccounts.map(({ id, bankName, iban, bic }) => ({ id, bankName, iban, bic })),
  drivers: carrier.drivers,
  vehicleTypeIds: carrier.vehicleTypeIds,
})

export const EMPTY_CONTACT = { fullName: null, position: null, phone: null, email: null }
export const EMPTY_BANK = { bankName: null, iban: null, bic: null }
export const EMPTY_DRIVER = { fullName: null, phone: null, email: null, plateNumber: null }

const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0)
const isNothing = (group: object): boolean => Object.values(group).every(isBlank)
const withoutKey = <Child extends { key?: string }>({ key: _key, ...child }: Child): Omit<Child, 'key'> => child

/** The values as the write schema takes them: a representative or billing address without a word is none. */
export function carrierBodyOf(values: CarrierCompanyValues) {
  const { representative, billingAddress, contactPersons, bankAccounts, drivers } = values
  return {
    ...values,
    representative: isNothing(representative) ? null : representative,
    billingAddress: isNothing(billingAddress) ? null : billingAddress,
    contactPersons: contactPersons.map(withoutKey),
    bankAccounts: bankAccounts.map(withoutKey),
    drivers: drivers.map(withoutKey),
  }
}

const typed = <Key extends string>(lines: Line<Key>[]): Line<Key>[] =>
  lines.filter(({ id, key: _key, ...cells }) => id !== undefined || !isNothing(cells))

/** New lines that nobody has typed into are taken out before a save. */
export const tidyCarrier = (values: CarrierCompanyValues): CarrierCompanyValues => ({
  ...values,
  contactPersons: typed(values.contactPersons),
  bankAccounts: typed(values.bankAccounts),
  drivers: typed(values.drivers),
})

/** Mail addresses as people put them side by side. */
export const emailsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((one) => one !== '')
