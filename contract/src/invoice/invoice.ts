import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  cents,
  countryCode,
  decimal,
  email,
  id,
  idText,
  instant,
  language,
  line,
  localDate,
  optionalText,
  periodDays,
  reference,
  state,
  text,
  vatBp,
} from '../kit/fields.ts'
import { MailBlocks } from '../mail-blocks.ts'
import { iban } from '../kit/bank/bank.ts'
import {
  compactQuery,
  compactRow,
  listBase,
  pageOf,
  queryBoolean,
  queryEnum,
  queryIds,
  queryRange,
} from '../kit/paging.ts'
import { resource } from '../kit/resource.ts'
import { can } from '../permissions.ts'
import { INVOICE_STATUSES } from './status.ts'
import { VAT_CATEGORIES, VAT_WARNINGS } from './vat.ts'

const INVOICE_ACCESS = can('INVOICES_PROCESSING')

export const ENTITY_TYPES = ['customer', 'carrier'] as const

/** `freight`: the price of an order, invoiced once only; `extra`: waiting time and the like, as often as needed. */
export const LINE_KINDS = ['freight', 'extra'] as const

/** One line of a customer's invoice; sums are derived from the lines alone (domain, Invoices). */
export const InvoiceLine = z.strictObject({
  id: id.optional(),
  kind: z.enum(LINE_KINDS).default('extra'),
  text: text(2000),
  /** negative on corrections */
  quantity: decimal(1_000_000, -1_000_000).default(1),
  unitPriceCents: cents,
  vatBp,
  vatCategory: z.enum(VAT_CATEGORIES),
  orderId: id.nullable().default(null),
  routeId: id.nullable().default(null),
  /** the extra of the order that it bills, which is billed once only (decision 079) */
  extraId: id.nullable().default(null),
  /**
   * of a correction: the line that it makes `correctedQuantity` × `correctedUnitPriceCents`; the rest of this line
   * follows from both, whatever is written (decision 084)
   */
  correctsLineId: id.nullable().optional(),
  correctedQuantity: decimal(1_000_000, -1_000_000).nullable().optional(),
  correctedUnitPriceCents: cents.nullable().optional(),
})

/** Routes that one invoice of a carrier can be for. */
export const MOST_ALLOCATIONS = 500

/** What of a carrier's invoice is for one route, net. */
const Allocation = z.strictObject({ routeId: id, netCents: cents })
export type Allocation = z.output<typeof Allocation>

/** ISO 4217 */
const currencyCode = z.string().regex(/^[A-Z]{3}$/)

const date = localDate.nullable().default(null)
const optionalId = id.nullable().default(null)

/**
 * Customer side: `orderIds` alone is enough; company, billing customer,
 * lines and VAT are then proposed from the orders.
 * Carrier side: header values and `allocations`, no lines. `orderIds` and `routeId` follow from the allocations: left
 * out, or as they were read. Without allocations `routeId`, or an order with one route of the carrier, is given all.
 */
export const InvoiceWrite = z.strictObject({
  entityType: z.enum(ENTITY_TYPES),
  orderIds: z.array(id).max(500).default([]),
  routeId: optionalId,
  /** carrier side only: its routes, each once; their sum is `amountCents`. Empty: of no route */
  allocations: z.array(Allocation).max(MOST_ALLOCATIONS).nullable().default(null),
  companyId: optionalId,
  billingCustomerId: optionalId,
  carrierCompanyId: optionalId,
  lines: z.array(InvoiceLine).max(1000).nullable().default(null),
  notes: optionalText(4000),
  paymentPeriodDays: periodDays,
  servicePeriodFrom: date,
  servicePeriodTo: date,
  /** carrier side only; the customer side's are derived or given at sending, and taken back unchanged at most */
  number: optionalText(100),
  amountCents: cents.nullable().default(null),
  vatBp: vatBp.nullable().default(null),
  totalCents: cents.nullable().default(null),
  /** carrier side only, of all its amounts; left out, it stays. A customer's invoice is in euros. */
  currency: currencyCode.optional(),
  iban: iban.nullable().default(null),
  documentCreationDate: date,
  dueDate: date,
  /** of a correction alone, and printed on it; left out, it stays */
  correctionReason: text(2000).nullable().optional(),
  state,
})
export type InvoiceWrite = z.output<typeof InvoiceWrite>

const status = z.enum(INVOICE_STATUSES)
const stateView = z.enum(['active', 'inactive'])

export const INVOICE_WARNINGS = ['amount_differs', 'vat_does_not_fit', 'unknown_iban', ...VAT_WARNINGS] as const

/** Where the goods of an invoice went (spec §3): the last stop of an order. */
const destination = z.object({ countryCode: z.string(), city: z.string().nullable() })

/** Where a route goes, and what was agreed with its carrier, as who writes its invoice sees it. */
export const CarrierRoute = z.object({
  id,
  /** `26-00042/1` */
  title: z.string(),
  order: reference,
  from: destination.nullable(),
  to: destination.nullable(),
  /** of the last drop-off, by its own clock: reached, else planned, else due */
  day: z.string().nullable(),
  /** net; null: nothing agreed, or with another carrier by now */
  agreedCents: z.number().int().nullable(),
  agreedVatBp: z.number().int().nullable(),
  paymentPeriodDays: z.number().int(),
  /** when its proof of delivery arrived, by our company's clock; null: it has not, or it was refused */
  podArrivedOn: z.string().nullable(),
  /** on invoices of this carrier that are there already, net; canceled and inactive ones left out */
  invoicedCents: z.number().int(),
})
export type CarrierRoute = z.output<typeof CarrierRoute>

/** `invoicedCents` counts the invoices before this one; the difference is all of them against what was agreed. */
const InvoicedRoute = CarrierRoute.extend({ netCents: z.number().int(), differenceCents: z.number().int() })

/** Seller and buyer as they were when the invoice was written (domain, Invoices). */
const party = z.object({
  title: z.string(),
  address: z.string().nullable(),
  postal: z.string().nullable(),
  city: z.string().nullable(),
  countryCode: z.string(),
  vatNumber: z.string().nullable(),
})

export const Invoice = z.object({
  id,
  version: z.number().int(),
  entityType: z.enum(ENTITY_TYPES),
  number: z.string().nullable(),
  innerNumber: z.string(),
  status,
  statusDate: z.string(),
  state: stateView,
  companyId: id.nullable(),
  company: reference.nullable(),
  billingCustomerId: id.nullable(),
  billingCustomer: reference.nullable(),
  carrierCompanyId: id.nullable(),
  carrierCompany: reference.nullable(),
  orderIds: z.array(id),
  orders: z.array(reference),
  /** of its orders, each place once */
  destinations: z.array(destination),
  /** where it is for one route alone */
  routeId: id.nullable(),
  allocations: z.array(Allocation),
  /** the routes of the allocations, in their order */
  invoicedRoutes: z.array(InvoicedRoute),
  /** carrier side, once it has a route: when it is due by what was agreed */
  agreedDue: z.object({ date: z.string(), isExpected: z.boolean() }).nullable(),
  correctionOfId: id.nullable(),
  correctionOf: reference.nullable(),
  correctionReason: z.string().nullable(),
  /** corrections of this invoice, canceled ones left out */
  corrections: z.array(reference),
  lines: z.array(InvoiceLine.extend({ id, netCents: z.number().int() })),
  /** `note`: the sentence that this VAT needs on the invoice, in its language */
  vatGroups: z.array(
    z.object({
      vatBp: z.number().int(),
      vatCategory: z.enum(VAT_CATEGORIES),
      netCents: z.number().int(),
      vatCents: z.number().int(),
      note: z.string().nullable(),
    }),
  ),
  amountCents: z.number().int(),
  vatBp: z.number().int().nullable(),
  vatCents: z.number().int(),
  totalCents: z.number().int(),
  currency: z.string(),
  iban: z.string().nullable(),
  notes: z.string().nullable(),
  language: z.string(),
  paymentPeriodDays: z.number().int().nullable(),
  invoiceDate: z.string().nullable(),
  documentCreationDate: z.string().nullable(),
  dueDate: z.string().nullable(),
  isOverdue: z.boolean(),
  /** what is still to be paid; null on a draft */
  openCents: z.number().int().nullable(),
  /** the customer does not agree with it */
  isDisputed: z.boolean(),
  servicePeriodFrom: z.string().nullable(),
  servicePeriodTo: z.string().nullable(),
  seller: party.nullable(),
  buyer: party.nullable(),
  documentId: id.nullable(),
  /**
   * the PDF of a sent invoice: about to be made, not made because a try failed, waiting for the number of KSeF, or
   * there; null before sending
   */
  paper: z.enum(['making', 'missing', 'awaits_ksef', 'made']).nullable(),
  /** when it was last paid; null while it is not */
  paidAt: z.string().nullable(),
  warnings: z.array(z.enum(INVOICE_WARNINGS)),
  createdAt: z.string(),
})
export type Invoice = z.output<typeof Invoice>

/** What a list of invoices is narrowed to by their reminders. */
export const REMINDED = ['none', '1', '2', '3'] as const

export const InvoiceRow = z.object({
  id,
  version: z.number().int(),
  entityType: z.enum(ENTITY_TYPES),
  number: z.string().nullable(),
  innerNumber: z.string(),
  status,
  statusDate: z.string(),
  state: stateView,
  billingCustomer: reference.nullable(),
  carrierCompany: reference.nullable(),
  orders: z.array(reference),
  /** carrier side: what of its net amount is for which order; none where it is for no route */
  shares: z.array(z.object({ orderId: id, netCents: z.number().int() })),
  destinations: z.array(destination),
  amountCents: z.number().int(),
  totalCents: z.number().int(),
  /** of both amounts */
  currency: z.string(),
  invoiceDate: z.string().nullable(),
  dueDate: z.string().nullable(),
  isOverdue: z.boolean(),
  openCents: z.number().int().nullable(),
  isDisputed: z.boolean(),
  /** the highest level that its customer was reminded of; null: of none */
  reminderLevel: z.number().int().nullable(),
  createdAt: z.string(),
})
export type InvoiceRow = z.output<typeof InvoiceRow>

const statusRanges = Object.fromEntries(INVOICE_STATUSES.map((name) => [name, queryRange.optional()])) as Record<
  (typeof INVOICE_STATUSES)[number],
  z.ZodOptional<typeof queryRange>
>

export const invoiceApi = resource({
  path: 'invoices',
  name: 'invoice',
  access: { read: INVOICE_ACCESS, write: INVOICE_ACCESS },
  write: InvoiceWrite,
  view: Invoice,
  changing: ['isOverdue', 'openCents', 'isDisputed', 'destinations', 'invoicedRoutes', 'agreedDue'],
  row: InvoiceRow,
  filter: {
    entityType: z.enum(ENTITY_TYPES).optional(),
    status: queryEnum(INVOICE_STATUSES).optional(),
    billingCustomerId: queryIds.optional(),
    carrierCompanyId: queryIds.optional(),
    orderId: queryIds.optional(),
    toCountry: z.array(countryCode).max(50).optional(),
    toTown: text(100).optional(),
    overdue: queryBoolean.optional(),
    /** something is still to be paid */
    open: queryBoolean.optional(),
    disputed: queryBoolean.optional(),
    /** by the highest level that its customer was reminded of */
    reminded: queryEnum(REMINDED).optional(),
    createdAt: queryRange.optional(),
    dueDate: queryRange.optional(),
    statusDate: z.strictObject(statusRanges).partial().optional(),
  },
  sort: ['createdAt', 'number', 'dueDate', 'totalCents', 'status'],
  defaultSort: '-createdAt',
})

const byId = z.strictObject({ id: idText })

/**
 * The orders that an invoice can be written for, `<number> · <customer>`: who processes invoices picks from them
 * without the right to orders.
 */
export const listInvoiceOrders = endpoint({
  method: 'GET',
  path: '/invoices/orders',
  access: INVOICE_ACCESS,
  summary: 'Orders to write an invoice for, for select boxes',
  query: compactQuery,
  reply: pageOf(compactRow),
})

/** Routes of a carrier that are not invoiced yet, the newest first; by `ids` those that are, too. */
export const listCarrierRoutes = endpoint({
  method: 'GET',
  path: '/invoices/carrier-routes',
  access: INVOICE_ACCESS,
  summary: 'Routes to write a carrier’s invoice for',
  query: z.strictObject({
    ...listBase,
    state: z.undefined().optional(),
    carrierCompanyId: idText,
    orderId: queryIds.optional(),
    /** those that are invoiced and those that were canceled, too */
    withInvoiced: queryBoolean.optional(),
    ids: queryIds.optional(),
  }),
  reply: pageOf(CarrierRoute),
})

/** Which invoice of a carrier has this number, however it is written; canceled ones leave theirs free. */
export const findCarrierNumber = endpoint({
  method: 'GET',
  path: '/invoices/carrier-number',
  access: INVOICE_ACCESS,
  summary: 'Whether a carrier has used an invoice number before',
  query: z.strictObject({ carrierCompanyId: idText, number: line(100), exceptId: idText.optional() }),
  /** `invoice`: where the caller may see it */
  reply: z.object({ isTaken: z.boolean(), invoice: reference.nullable() }),
})

/** What select boxes of orders ask where an invoice is written or looked for. */
export const invoiceOrders = { path: 'invoices/orders', compact: listInvoiceOrders }

/**
 * Gives the number, freezes and writes the mail in one transaction, then makes the PDF, for which the mail waits.
 * Should that fail, the reply has `paper` missing (domain, Invoices). Without blocks the mail is the department's text.
 * Errors beside those of the invoice: as `writeEmail` names them.
 */
export const sendInvoice = endpoint({
  method: 'POST',
  path: '/invoices/:id/send',
  access: INVOICE_ACCESS,
  summary: 'Send an invoice: number and mail in one transaction, then the PDF',
  params: byId,
  body: z.strictObject({
    /** left out: the customer's address for invoices */
    to: z.array(email).min(1).max(20).nullable().default(null),
    cc: z.array(email).max(20).default([]),
    /** null: the invoice's */
    language: language.nullable().default(null),
    /** null: as the department's text says */
    subject: line(250).nullable().default(null),
    blocks: MailBlocks.min(1).nullable().default(null),
    /** files of the invoice, and proofs of delivery of its orders, beside the PDF that is made */
    documentIds: z.array(id).max(40).default([]),
    /** as the preview gave it; left out, whatever the invoice says now is sent */
    seen: z.string().max(80).nullable().default(null),
  }),
  reply: Invoice,
  needsVersion: true,
})

/** `to: 'sent'` here = handed over without a mail (api, Resources). */
export const moveInvoice = endpoint({
  method: 'POST',
  path: '/invoices/:id/status',
  access: INVOICE_ACCESS,
  summary: 'Move an invoice to another status',
  params: byId,
  body: z.strictObject({ to: status, reason: optionalText(2000), at: instant.optional() }),
  reply: Invoice,
  needsVersion: true,
})

/** The frozen PDF once sent, a draft before. Errors: `paper_missing`. */
export const getInvoiceDocument = endpoint({
  method: 'GET',
  path: '/invoices/:id/document',
  access: INVOICE_ACCESS,
  summary: 'The invoice as PDF: frozen once sent, a draft before',
  params: byId,
  shape: 'file',
})

/** For a sent invoice whose PDF could not be made; one that is made is left as it is. */
export const makeInvoiceDocument = endpoint({
  method: 'POST',
  path: '/invoices/:id/document',
  access: INVOICE_ACCESS,
  summary: 'Make the PDF of a sent invoice that is missing',
  params: byId,
  reply: Invoice,
})

/** Errors: `conflict` for one that is not sent, or is disputed already. */
export const disputeInvoice = endpoint({
  method: 'POST',
  path: '/invoices/:id/dispute',
  access: INVOICE_ACCESS,
  summary: 'Mark a sent invoice as disputed by the customer',
  params: byId,
  body: z.strictObject({ reason: text(500) }),
  reply: Invoice,
  needsVersion: true,
})

export const endDispute = endpoint({
  method: 'POST',
  path: '/invoices/:id/dispute/end',
  access: INVOICE_ACCESS,
  summary: 'Take the mark of a dispute off an invoice',
  params: byId,
  reply: Invoice,
  needsVersion: true,
})

/** A correction is an invoice of its own, written as a draft that mirrors the original (domain, Invoices). */
export const correctInvoice = endpoint({
  method: 'POST',
  path: '/invoices/:id/correction',
  access: INVOICE_ACCESS,
  summary: 'Write a correction of a sent or paid invoice; without lines (null) it cancels the whole',
  params: byId,
  body: z.strictObject({ lines: z.array(InvoiceLine).max(1000).nullable().default(null), reason: text(2000) }),
  reply: Invoice,
  status: 201,
  needsVersion: true,
  location: '/invoices',
})

/** Always a proposal that staff may override (domain, Invoices). */
export const getVatProposal = endpoint({
  method: 'GET',
  path: '/vat-proposal',
  access: 'signedIn',
  summary: 'Which VAT an order would carry',
  query: z.strictObject({ billingCustomerId: idText, departmentId: idText, stopCountryId: queryIds.optional() }),
  reply: z.object({
    vatBp: z.number().int(),
    vatCategory: z.enum(VAT_CATEGORIES),
    note: z.string().nullable(),
    warning: z.enum(VAT_WARNINGS).nullable(),
  }),
})
