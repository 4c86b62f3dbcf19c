import { CustomerWrite } from '@waybill/contract/customer'
import { faultsOf } from '@waybill/contract/kit/issues'
import { expect, test } from 'vitest'
import {
  customerBodyOf,
  customerTabOf,
  EMPTY_ADDRESS,
  EMPTY_CONTACT,
  emptyCustomer,
  newPlace,
  tidyCustomer,
  type CustomerValues,
} from './customer-values.ts'

const hansa: CustomerValues = { ...emptyCustomer(7), title: 'Hansa Bau GmbH', countryId: 4 }
const faults = (values: CustomerValues) => {
  const parsed = CustomerWrite.safeParse(customerBodyOf(tidyCustomer(values)), { reportInput: true })
  return parsed.success ? [] : faultsOf(parsed.error.issues).map(({ path, code }) => `${path} ${code}`)
}

test('a new customer needs a name and a country, and nothing else', () => {
  expect(faults(emptyCustomer(null))).toEqual(['title required', 'countryId required'])
  expect(faults(hansa)).toEqual([])
})

test('rows and addresses that were begun and left empty are not sent', () => {
  const begun = {
    ...hansa,
    billingAddress: { ...EMPTY_ADDRESS, city: ' ' },
    contactPersons: [{ ...EMPTY_CONTACT, key: 'a' }],
    pickupLocations: [newPlace(4)],
  }
  expect(tidyCustomer(begun)).toEqual(hansa)
})

test('what is begun and not whole is named by its place', () => {
  expect(
    faults({
      ...hansa,
      contactPersons: [
        { ...EMPTY_CONTACT, key: 'a' },
        { ...EMPTY_CONTACT, key: 'b', email: 'ina' },
      ],
      pickupLocations: [{ ...newPlace(null), city: 'Kiel' }],
    }),
  ).toEqual([
    'contactPersons.0.fullName required',
    'contactPersons.0.email invalid_email',
    'pickupLocations.0.companyTitle required',
    'pickupLocations.0.countryId required',
  ])
  expect(faults({ ...hansa, paymentPeriodDays: null, chargeableKgPerLdm: Number.NaN })).toHaveLength(2)
})

test.each([
  ['title', 'general'],
  ['emailPreferences.pod', 'general'],
  ['billingAddress.city', 'payment'],
  ['invoiceEmail', 'payment'],
  ['podsInPdf', 'payment'],
  ['emissionsOnInvoices', 'payment'],
  ['isForwarder', 'payment'],
  ['needsOrderNumber', 'payment'],
  ['skonto.0.days', 'payment'],
  ['creditLimitCents', 'payment'],
  ['pickupLocations.3.city', 'places'],
  ['contactPersons.0', 'contacts'],
])('%s stands in %s', (path, tab) => {
  expect(customerTabOf(path)).toBe(tab)
})
