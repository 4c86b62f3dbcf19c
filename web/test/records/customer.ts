import { getCarrierForOrder } from '@waybill/contract/carrier-company'
import {
  customerApi,
  EMAIL_PREFERENCES,
  getCustomerForOrder,
  type Customer,
  type CustomerForOrder,
} from '@waybill/contract/customer'
import { getVatProposal } from '@waybill/contract/invoice/invoice'
import { listKnownPlaces } from '@waybill/contract/order/known-places'
import { pageOf, server } from '../kit/fake-server.ts'
import { keep, type Stored } from '../kit/stored.ts'
import { ANNA, CUSTOMERS, GERMANY, NORDLICHT, TRANSWARTA } from './master-data.ts'

const mails = Object.fromEntries(EMAIL_PREFERENCES.map((name) => [name, true])) as Customer['emailPreferences']

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

export const contactOf = (
  given: Partial<Customer['contactPersons'][number]> = {},
): Customer['contactPersons'][number] => ({
  id: 401,
  salutationId: null,
  fullName: 'Herr Jansen',
  lastName: null,
  academicTitle: null,
  phone: '+49 40 5550 1204',
  mobile: null,
  email: 'jansen@nordlicht.example',
  position: null,
  language: null,
  ...given,
})

/** A customer of Hamburg that nothing else is agreed with. */
export const customerOf = (given: Partial<Customer> = {}): Customer => ({
  ...NORDLICHT,
  version: 1,
  alias: null,
  vatNumber: 'DE129273398',
  language: null,
  responsibleUserId: ANNA.id,
  address: 'Billbrookdeich 210',
  postal: '22113',
  city: 'Hamburg',
  countryId: GERMANY.id,
  billingAddress: null,
  specialInstructions: null,
  warnings: null,
  emailPreferences: mails,
  paymentOption: 'per_order',
  paymentPeriodDays: 30,
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
  creditLimitCents: null,
  remindersOff: false,
  debtorNumber: null,
  contactPersons: [],
  pickupLocations: [],
  state: 'active',
  country: GERMANY,
  responsibleUser: ANNA,
  creatorId: ANNA.id,
  creator: ANNA,
  createdAt: '2026-11-02T09:00:00Z',
  vatNumberShape: 'fits',
  vatCheck: null,
  isVatCheckable: false,
  ...given,
})

/** Keeps a customer, and in the list of customers no other. */
export function keepCustomer(customer: Customer): Stored<Customer> {
  const stored = keep(customerApi, customer)
  server.answer(customerApi.list, ({ query }) =>
    pageOf([stored.now()].filter(({ state }) => query.state === undefined || query.state === state)),
  )
  return stored
}
