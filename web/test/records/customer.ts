import { getCarrierForOrder } from '@waybill/contract/carrier-company'
import { EMAIL_PREFERENCES, getCustomerForOrder, type CustomerForOrder } from '@waybill/contract/customer'
import { getVatProposal } from '@waybill/contract/invoice/invoice'
import { listKnownPlaces } from '@waybill/contract/order/known-places'
import { server } from '../kit/fake-server.ts'
import { CUSTOMERS, GERMANY, NORDLICHT, TRANSWARTA } from './master-data.ts'

const mails = Object.fromEntries(EMAIL_PREFERENCES.map((name) => [name, true])) as CustomerForOrder['emailPreferences']

/** What order entry learns of a customer in Hamburg. */
export const customerForOrderOf = (given: Partial<CustomerForOrder> = {}): CustomerForOrder => ({
  ...NORDLICHT,
  billingCustomer: NORDLICHT,
  language: 'de',
  address: 'Billbrookdeich 210',
  countryId: GERMANY.id,
  countryCode: 'DE',
  postal: '22113',
  city: 'Hamburg',
  paymentPeriodDays: 30,
  paymentOption: 'per_order',
  chargeableKgPerM3: 333,
  chargeableKgPerLdm: 1750,
  hasCreditLimit: false,
  warnings: null,
  specialInstructions: null,
  emailPreferences: mails,
  contactPersons: [{ id: 401, fullName: 'Herr Jansen', phone: '+49 40 5550 1204', email: 'jansen@nordlicht.example' }],
  pickupLocations: [],
  ...given,
})

/** What an order form reads of each customer and carrier that is chosen: their own data, and German VAT. */
export function answerOrderEntry(): void {
  server.answer(getCustomerForOrder, ({ params }) => {
    const customer = CUSTOMERS.find(({ id }) => id === params.id) ?? NORDLICHT
    return customerForOrderOf({ ...customer, billingCustomer: customer })
  })
  server.answer(getCarrierForOrder, ({ params }) => ({
    id: params.id,
    title: TRANSWARTA.title,
    language: 'pl' as const,
    countryCode: 'PL',
    paymentPeriodDays: null,
    warnings: null,
    drivers: [],
    vehicleTypes: [],
    dispatchContacts: [],
  }))
  server.answer(listKnownPlaces, { items: [] })
  server.answer(getVatProposal, { vatBp: 1900, vatCategory: 'S', note: null, warning: null })
}
