import { z } from 'zod'
import { addressFields, billingAddress } from './kit/earth/address.ts'
import { endpoint } from './kit/endpoint.ts'
import {
  decimal,
  id,
  idText,
  language,
  optionalEmail,
  optionalPhone,
  optionalText,
  positiveCents,
  reference,
  state,
  text,
} from './kit/fields.ts'
import { CUSTOMER_FORMATS } from './e-invoice/format.ts'
import { importOf } from './kit/import.ts'
import { lookalikesOf, VAT_NUMBER_SHAPES } from './kit/lookalike.ts'
import { queryIds } from './kit/paging.ts'
import { resource } from './kit/resource.ts'
import { Skonto } from './skonto/skonto.ts'
import { accountNumber } from './bookkeeping/account-number.ts'
import { can, ORDER_ACCESS } from './permissions.ts'

/** Which automatic mails a customer wants (domain, Emails: the last column). */
export const EMAIL_PREFERENCES = [
  'orderCreated',
  'driverInformation',
  'pickup',
  'delivery',
  'pod',
  'invoice',
  'paymentReminder',
  'arrivalCertificate',
  'exportCertificate',
] as const
export type EmailPreference = (typeof EMAIL_PREFERENCES)[number]

const emailPreferences = z
  .strictObject(
    Object.fromEntries(EMAIL_PREFERENCES.map((name) => [name, z.boolean().default(true)])) as Record<
      EmailPreference,
      z.ZodDefault<z.ZodBoolean>
    >,
  )
  .prefault({})

export const contactPerson = z.strictObject({
  id: id.optional(),
  salutationId: id.nullable().default(null),
  fullName: text(150),
  /** as a letter addresses them; left out, read from the full name */
  lastName: optionalText(100),
  academicTitle: optionalText(30),
  phone: optionalPhone,
  mobile: optionalPhone,
  email: optionalEmail,
  position: optionalText(100),
  language: language.nullable().default(null),
})

export const pickupLocation = z.strictObject({
  id: id.optional(),
  companyTitle: text(250),
  ...addressFields,
  latitude: z.number().min(-90).max(90).nullable().default(null),
  longitude: z.number().min(-180).max(180).nullable().default(null),
  contactPerson: optionalText(150),
  phone: optionalPhone,
  comment: optionalText(2000),
})

export const PAYMENT_OPTIONS = ['per_order', 'end_of_period'] as const

/** Days until a customer's invoice is due, where nothing else is agreed (spec §9). */
export const STANDARD_PAYMENT_DAYS = 30

export const CustomerWrite = z.strictObject({
  alias: optionalText(100),
  title: text(250),
  vatNumber: optionalText(30),
  language: language.nullable().default(null),
  responsibleUserId: id.nullable().default(null),
  ...addressFields,
  billingAddress: billingAddress.nullable().default(null),
  specialInstructions: optionalText(4000),
  warnings: optionalText(4000),
  emailPreferences,
  paymentOption: z.enum(PAYMENT_OPTIONS).default('per_order'),
  paymentPeriodDays: z.number().int().min(0).max(365).default(STANDARD_PAYMENT_DAYS),
  /** what may be taken off for paying early */
  skonto: Skonto.default([]),
  chargeableKgPerM3: decimal(10_000).default(333),
  chargeableKgPerLdm: decimal(10_000).default(1750),
  buyerReference: optionalText(100),
  /** what it gets as its invoice */
  eInvoiceFormat: z.enum(CUSTOMER_FORMATS).default('pdf'),
  eInvoiceAddress: optionalText(100),
  /** what kind of address that is, by the code list EAS */
  /** a code of the list EAS that can be chosen (`e-invoice/address-schemes.ts`), else `invalid_value` */
  eInvoiceScheme: optionalText(10),
  /** what is given back comes as a credit note without signs (UNTDID 1001: 381) in place of a correction (384) */
  creditNotes: z.boolean().default(false),
  /** where invoices are mailed; else the first contact person with an address */
  invoiceEmail: optionalEmail,
  /** proofs of delivery stand behind the pages of its invoices, where a run writes them */
  podsInPdf: z.boolean().default(false),
  /** its invoices say what the transports emitted, as far as that is known (decision 115) */
  emissionsOnInvoices: z.boolean().default(false),
  /** it sells transports itself, so it is never sender or recipient of the goods: no transport for it is exempt */
  isForwarder: z.boolean().default(false),
  /** a private person: of late payment less may be claimed than of a business */
  isConsumer: z.boolean().default(false),
  /** it pays no invoice without its own order number */
  needsOrderNumber: z.boolean().default(false),
  /** how much it may owe, with what is under way; null: as much as comes */
  creditLimitCents: positiveCents.nullable().default(null),
  /** it is never reminded of what it owes */
  remindersOff: z.boolean().default(false),
  /** its account in bookkeeping; one for all companies of ours, and of nobody else */
  debtorNumber: accountNumber,
  contactPersons: z.array(contactPerson).max(500).default([]),
  pickupLocations: z.array(pickupLocation).max(500).default([]),
  state,
})

/** What VIES, the EU's register, answered last, for the number as it stands. */
export const VatCheck = z.object({
  isValid: z.boolean(),
  name: z.string().nullable(),
  address: z.string().nullable(),
  checkedAt: z.string(),
})
export type VatCheck = z.output<typeof VatCheck>

const withId = <Shape extends z.ZodRawShape>(child: z.ZodObject<Shape>) => child.extend({ id })

export const Customer = z.object({
  id,
  version: z.number().int(),
  ...CustomerWrite.shape,
  state: z.enum(['active', 'inactive']),
  contactPersons: z.array(withId(contactPerson)),
  pickupLocations: z.array(withId(pickupLocation)),
  country: reference,
  responsibleUser: reference.nullable(),
  creatorId: id.nullable(),
  creator: reference.nullable(),
  createdAt: z.string(),
  /** null without a number */
  vatNumberShape: z.enum(VAT_NUMBER_SHAPES).nullable(),
  vatCheck: VatCheck.nullable(),
  /** VIES is switched on, and knows the number's country */
  isVatCheckable: z.boolean(),
})
export type Customer = z.output<typeof Customer>

export const customerApi = resource({
  path: 'customers',
  name: 'customer',
  access: { read: can('CUSTOMER_MANAGEMENT'), write: can('CUSTOMER_MANAGEMENT'), compact: 'signedIn' },
  write: CustomerWrite,
  view: Customer,
  row: z.object({
    id,
    version: z.number().int(),
    title: z.string(),
    alias: z.string().nullable(),
    vatNumber: z.string().nullable(),
    country: reference,
    city: z.string().nullable(),
    postal: z.string().nullable(),
    responsibleUser: reference.nullable(),
    paymentOption: z.enum(PAYMENT_OPTIONS),
    paymentPeriodDays: z.number().int(),
    state: z.enum(['active', 'inactive']),
    createdAt: z.string(),
  }),
  filter: { countryId: queryIds.optional(), responsibleUserId: queryIds.optional() },
  sort: ['title', 'city', 'createdAt'],
  defaultSort: 'title',
})

export const findCustomerLookalikes = lookalikesOf('customers', 'customers', can('CUSTOMER_MANAGEMENT'))

export const importCustomers = importOf('customers', 'customers', can('CUSTOMER_MANAGEMENT'))

/** What order entry needs of a customer, under the order rights (domain, People and rights). */
export const CustomerForOrder = z.object({
  id,
  title: z.string(),
  billingCustomer: reference,
  language: language.nullable(),
  address: z.string().nullable(),
  countryId: id,
  countryCode: z.string(),
  postal: z.string().nullable(),
  city: z.string().nullable(),
  paymentPeriodDays: z.number().int(),
  paymentOption: z.enum(PAYMENT_OPTIONS),
  chargeableKgPerM3: z.number(),
  chargeableKgPerLdm: z.number(),
  /** what is left of it is told to nobody here, only whether it is near */
  hasCreditLimit: z.boolean(),
  warnings: z.string().nullable(),
  specialInstructions: z.string().nullable(),
  emailPreferences: z.record(z.enum(EMAIL_PREFERENCES), z.boolean()),
  contactPersons: z.array(
    z.object({ id, fullName: z.string(), email: z.string().nullable(), phone: z.string().nullable() }),
  ),
  pickupLocations: z.array(withId(pickupLocation)),
})
export type CustomerForOrder = z.output<typeof CustomerForOrder>

export const getCustomerForOrder = endpoint({
  method: 'GET',
  path: '/customers/:id/for-order',
  access: ORDER_ACCESS,
  summary: 'What order entry needs of a customer',
  params: z.strictObject({ id: idText }),
  reply: CustomerForOrder,
})

/**
 * Asks VIES and keeps the answer with its date; saving never waits for it. Errors: `conflict` where the number cannot
 * be asked for, `vat_register_silent`.
 */
export const checkCustomerVat = endpoint({
  method: 'POST',
  path: '/customers/:id/vat-check',
  access: can('CUSTOMER_MANAGEMENT'),
  summary: 'Ask the EU’s register (VIES) for a customer’s VAT number',
  params: z.strictObject({ id: idText }),
  reply: Customer,
  needsVersion: true,
})
