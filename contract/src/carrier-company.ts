import { z } from 'zod'
import { addressFields, billingAddress } from './kit/earth/address.ts'
import { ACCOUNT_SOURCES, bankAccount, storedBankAccount } from './kit/bank/bank.ts'
import { endpoint } from './kit/endpoint.ts'
import { EXPIRY_WARNINGS } from './kit/expiry.ts'
import {
  email,
  id,
  idText,
  language,
  optionalEmail,
  optionalPhone,
  optionalText,
  periodDays,
  reference,
  state,
  text,
} from './kit/fields.ts'
import { importOf } from './kit/import.ts'
import { lookalikesOf } from './kit/lookalike.ts'
import { queryEnum, queryIds } from './kit/paging.ts'
import { resource } from './kit/resource.ts'
import { accountNumber } from './bookkeeping/account-number.ts'
import { can, ORDER_ACCESS } from './permissions.ts'

export const driver = z.strictObject({
  id: id.optional(),
  fullName: text(150),
  phone: optionalPhone,
  email: optionalEmail,
  plateNumber: optionalText(20),
})

const dispatchContact = z.strictObject({
  id: id.optional(),
  fullName: text(150),
  phone: optionalPhone,
  email: optionalEmail,
  position: optionalText(100),
})

/** A carrier company: whom we buy the transport from. */
export const CarrierCompanyWrite = z.strictObject({
  title: text(250),
  vatNumber: optionalText(30),
  language: language.nullable().default(null),
  representative: z
    .strictObject({
      fullName: optionalText(150),
      position: optionalText(100),
      email: optionalEmail,
      phone: optionalPhone,
    })
    .nullable()
    .default(null),
  timocomId: optionalText(30),
  transId: optionalText(30),
  website: optionalText(250),
  ...addressFields,
  billingAddress: billingAddress
    .extend({ emails: z.array(email).max(20).default([]) })
    .nullable()
    .default(null),
  /** days after invoice and proof of delivery; null: 30 */
  paymentPeriodDays: periodDays,
  /** its account in bookkeeping; one for all companies of ours, and of nobody else */
  creditorNumber: accountNumber,
  notes: optionalText(4000),
  warnings: optionalText(4000),
  /** why it may drive nothing; null: it is not blocked */
  blockedReason: optionalText(500),
  /** it may be planned for one order alone */
  isOnceOnly: z.boolean().default(false),
  /** why it drives without a Community licence: vehicles of 2.5 t at most, another permit; null: it needs one */
  licenceNotNeededReason: optionalText(500),
  contactPersons: z.array(dispatchContact).max(500).default([]),
  bankAccounts: z.array(bankAccount).max(20).default([]),
  drivers: z.array(driver).max(1000).default([]),
  vehicleTypeIds: z.array(id).max(100).default([]),
  state,
})

/** An account of a carrier, with where it came from; `sourceInvoice` is the invoice on which it stood. */
const storedCarrierAccount = storedBankAccount.extend({
  source: z.enum(ACCOUNT_SOURCES).nullable(),
  sourceInvoiceId: id.nullable(),
  sourceInvoice: reference.nullable(),
  /** of one that was taken from an invoice: who of us had typed its IBAN there by then */
  typedBy: z.array(reference),
})

export const CarrierCompany = z.object({
  id,
  version: z.number().int(),
  ...CarrierCompanyWrite.shape,
  state: z.enum(['active', 'inactive']),
  contactPersons: z.array(dispatchContact.extend({ id })),
  bankAccounts: z.array(storedCarrierAccount),
  drivers: z.array(driver.extend({ id })),
  vehicleTypes: z.array(reference),
  country: reference,
  billingCountry: reference.nullable(),
  createdAt: z.string(),
})
export type CarrierCompany = z.output<typeof CarrierCompany>

export const carrierCompanyApi = resource({
  path: 'carrier-companies',
  name: 'carrier company',
  access: { read: can('CARRIER_MANAGEMENT'), write: can('CARRIER_MANAGEMENT'), compact: 'signedIn' },
  write: CarrierCompanyWrite,
  view: CarrierCompany,
  row: z.object({
    id,
    version: z.number().int(),
    title: z.string(),
    vatNumber: z.string().nullable(),
    country: reference,
    city: z.string().nullable(),
    timocomId: z.string().nullable(),
    transId: z.string().nullable(),
    paymentPeriodDays: z.number().int().nullable(),
    vehicleTypes: z.array(reference),
    /** null: no paper that asks for another one */
    documentWarning: z.enum(EXPIRY_WARNINGS).nullable(),
    isBlocked: z.boolean(),
    state: z.enum(['active', 'inactive']),
    createdAt: z.string(),
  }),
  filter: {
    countryId: queryIds.optional(),
    vehicleTypeId: queryIds.optional(),
    documentWarning: queryEnum(EXPIRY_WARNINGS).optional(),
  },
  sort: ['title', 'city', 'createdAt'],
  defaultSort: 'title',
})

export const findCarrierLookalikes = lookalikesOf('carrier-companies', 'carrier companies', can('CARRIER_MANAGEMENT'))

export const importCarrierCompanies = importOf('carrier-companies', 'carrier companies', can('CARRIER_MANAGEMENT'))

/**
 * Takes an account onto a carrier's record: entered by the caller, confirmed by nobody. With `invoiceId`, the invoice
 * of this carrier on which it stands, whose IBAN it must be. The version is the carrier's. Errors: `taken` at `iban`
 * where it is on the record already, `unknown_reference` and `iban_of_invoice` at `invoiceId`.
 */
export const enterCarrierBankAccount = endpoint({
  method: 'POST',
  path: '/carrier-companies/:id/bank-accounts',
  access: can('CARRIER_MANAGEMENT'),
  summary: 'Take a bank account onto the record of a carrier',
  params: z.strictObject({ id: idText }),
  body: bankAccount.omit({ id: true }).extend({ invoiceId: id.nullable().default(null) }),
  reply: CarrierCompany,
  status: 201,
  location: '/carrier-companies',
  needsVersion: true,
})

/**
 * Somebody who had no hand in it vouches for a carrier's bank account (domain, Invoices; decision 076). The version is
 * the carrier's. Errors: `second_person_needed`.
 */
export const confirmCarrierBankAccount = endpoint({
  method: 'POST',
  path: '/carrier-companies/:id/bank-accounts/:bankAccountId/confirm',
  access: can('CARRIER_MANAGEMENT'),
  inPerson: true,
  summary: 'Confirm a bank account of a carrier',
  params: z.strictObject({ id: idText, bankAccountId: idText }),
  reply: CarrierCompany,
  needsVersion: true,
})

/** What order entry needs of a carrier, under the order rights (domain, People and rights). */
export const CarrierForOrder = z.object({
  id,
  title: z.string(),
  language: language.nullable(),
  countryCode: z.string(),
  paymentPeriodDays: z.number().int().nullable(),
  warnings: z.string().nullable(),
  drivers: z.array(driver.extend({ id })),
  vehicleTypes: z.array(reference),
  dispatchContacts: z.array(dispatchContact.extend({ id })),
})
export type CarrierForOrder = z.output<typeof CarrierForOrder>

export const getCarrierForOrder = endpoint({
  method: 'GET',
  path: '/carrier-companies/:id/for-order',
  access: ORDER_ACCESS,
  summary: 'What order entry needs of a carrier',
  params: z.strictObject({ id: idText }),
  reply: CarrierForOrder,
})
