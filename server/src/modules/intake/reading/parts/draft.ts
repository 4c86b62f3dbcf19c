import type { ReadTermin } from '@waybill/contract/intake/reading'
import type { Found } from '../find/found.ts'

/** A value with the place in the page where it stands. */
export interface Leaf<Value> extends Found {
  value: Value
  sure: boolean
}
export type Maybe<Value> = Leaf<Value> | null

export const leaf = <Value>(value: Value, { from, to }: Found, sure = false): Leaf<Value> => ({ value, from, to, sure })

export interface DraftParty {
  title: Maybe<string>
  email: Maybe<string>
  vatNumber: Maybe<string>
  address: Maybe<string>
  postal: Maybe<string>
  city: Maybe<string>
  countryCode: Maybe<string>
}

export const noParty = (): DraftParty => ({
  title: null,
  email: null,
  vatNumber: null,
  address: null,
  postal: null,
  city: null,
  countryCode: null,
})

export interface DraftStop {
  action: Leaf<'PICK_UP' | 'DROP_OFF' | 'CUSTOMS'>
  companyTitle: Maybe<string>
  address: Maybe<string>
  postal: Maybe<string>
  city: Maybe<string>
  countryCode: Maybe<string>
  contactPerson: Maybe<string>
  phone: Maybe<string>
  reference: Maybe<string>
  specialInstructions: Maybe<string>
  termin: Maybe<ReadTermin>
}

export interface DraftCargo {
  title: Maybe<string>
  unit: Maybe<string>
  quantity: Maybe<number>
  packages: Maybe<number>
  lengthCm: Maybe<number>
  widthCm: Maybe<number>
  heightCm: Maybe<number>
  weightKg: Maybe<number>
  ldm: Maybe<number>
  volumeM3: Maybe<number>
  valueEur: Maybe<number>
  stackable: Maybe<boolean>
  stackingFactor: Maybe<number>
  temperatureFrom: Maybe<number>
  temperatureTo: Maybe<number>
  adr: { unNumber: Maybe<string>; adrClass: Maybe<string> } | null
  from: Maybe<number>
  to: Maybe<number>
}

export interface DraftOrder {
  customer: DraftParty
  billingCustomer: DraftParty | null
  customerOrderNumber: Maybe<string>
  contactPerson: Maybe<string>
  stops: DraftStop[]
  cargo: DraftCargo[]
  price: { amountCents: Leaf<number>; currency: Leaf<string>; vat: Maybe<'net' | 'gross' | 'reverse_charge'> } | null
  paymentPeriodDays: Maybe<number>
  vehicle: Maybe<string>
  equipment: Leaf<string>[]
  isLiftRequired: Maybe<boolean>
  isTransshipmentForbidden: Maybe<boolean>
}
