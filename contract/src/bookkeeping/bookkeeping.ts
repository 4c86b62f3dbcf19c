import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference, text, timeZone } from '../kit/fields.ts'
import { EXPORT_FORMATS, listBase, pageOf, queryIds } from '../kit/paging.ts'
import { can } from '../permissions.ts'
import { VAT_CATEGORIES } from '../kit/vat-category.ts'
import { BOOKED_SIDES } from './settings.ts'

const ACCESS = can('INVOICES_PROCESSING')

/** What is booked, in the order in which a batch lists it. */
export const BOOKED_KINDS = [
  'invoice',
  'correction',
  'carrierInvoice',
  'payment',
  'carrierPayment',
  'carrierSetOff',
] as const
export type BookedKind = (typeof BOOKED_KINDS)[number]

/** A batch holds no more rows: DATEV reads 99,999 at most. */
export const MOST_ROWS = 50_000
/** A proposal names no more findings. */
export const MOST_FINDINGS = 200

/**
 * What hinders a batch: a customer or a carrier without a number of its own (which can be given), or with one that
 * lies outside the company's range; VAT that no account is named for, or none for the Skonto taken off it or the small
 * credits kept of it; flat sums or interest for late payment that were paid, without an account for them.
 */
export const BOOKKEEPING_FINDINGS = [
  'number_missing',
  'number_out_of_range',
  'account_missing',
  'skonto_account_missing',
  'credit_account_missing',
  'fee_account_missing',
  'interest_account_missing',
] as const
export type BookkeepingFindingCode = (typeof BOOKKEEPING_FINDINGS)[number]

const cents = z.number().int()
const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

const ofBatch = { companyId: idText, month }

const Sum = z.object({
  kind: z.enum(BOOKED_KINDS),
  /** invoices, payments */
  count: cents,
  /** on the accounts of customers and carriers */
  debitCents: cents,
  creditCents: cents,
})
export type BookedSum = z.output<typeof Sum>

const Finding = z.object({
  code: z.enum(BOOKKEEPING_FINDINGS),
  side: z.enum(BOOKED_SIDES),
  /** whose number is meant */
  partner: reference.nullable(),
  /** which VAT no account is named for, and an invoice with it; of claims the invoice alone */
  vatCategory: z.enum(VAT_CATEGORIES).nullable(),
  vatBp: cents.nullable(),
  invoice: reference.nullable(),
})
export type BookkeepingFinding = z.output<typeof Finding>

const BatchRow = z.object({
  id,
  version: cents,
  /** `2026-03/1` */
  number: z.string(),
  company: reference,
  month: z.string(),
  fiscalYear: z.string(),
  rowCount: cents,
  debitCents: cents,
  creditCents: cents,
  /** null: the company has no numbers of DATEV; there is the table alone */
  fileName: z.string().nullable(),
  createdAt: z.string(),
  createdBy: reference.nullable(),
  voidedAt: z.string().nullable(),
  voidedBy: reference.nullable(),
  voidReason: z.string().nullable(),
  /** at the end of its period: since then there is no file, and its rows have no names and words */
  deletedAt: z.string().nullable(),
  /** valid ones of the same month that were made before it */
  earlier: z.array(reference),
})
export type BatchRow = z.output<typeof BatchRow>

export const Batch = BatchRow.extend({ sums: z.array(Sum), sha256: z.string().nullable() })
export type Batch = z.output<typeof Batch>

/** Our companies and whether their accounts are known. */
export const listBookkeepingCompanies = endpoint({
  method: 'GET',
  path: '/bookkeeping/companies',
  access: ACCESS,
  summary: 'Our companies, and whether their bookings can be exported',
  reply: z.object({ items: z.array(reference.extend({ isSetUp: z.boolean(), hasDatev: z.boolean() })) }),
})

/**
 * What a batch of a month would hold: what no valid batch holds yet. `earlier` are the valid batches of that month.
 */
export const getBookkeepingProposal = endpoint({
  method: 'GET',
  path: '/bookkeeping/proposal',
  access: ACCESS,
  summary: 'What is to be booked of a month, and what hinders it',
  query: z.strictObject(ofBatch),
  reply: z.object({
    isSetUp: z.boolean(),
    sums: z.array(Sum),
    rowCount: cents,
    findings: z.array(Finding),
    /** how many numbers `giveAccountNumbers` would give */
    missingNumbers: cents,
    earlier: z.array(BatchRow),
  }),
})
export type BookkeepingProposal = z.output<(typeof getBookkeepingProposal)['reply']>

/** The number that the next customer, or carrier, would be given. */
export const getNextAccountNumber = endpoint({
  method: 'GET',
  path: '/bookkeeping/next-number',
  access: can('CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT', 'INVOICES_PROCESSING'),
  summary: 'The next free account number of a customer or carrier',
  query: z.strictObject({ side: z.enum(BOOKED_SIDES) }),
  reply: z.object({ number: cents }),
})

/** Gives the next free numbers to the customers and carriers of a month that have none. Errors: as the batch. */
export const giveAccountNumbers = endpoint({
  method: 'POST',
  path: '/bookkeeping/account-numbers',
  access: ACCESS,
  summary: 'Give account numbers to the customers and carriers of a month that have none',
  body: z.strictObject({ companyId: id, month }),
  reply: z.object({ given: cents }),
})

const { state: _state, ...pages } = listBase

export const listBatches = endpoint({
  method: 'GET',
  path: '/bookkeeping/batches',
  access: ACCESS,
  summary: 'Batches of bookings, the newest first',
  query: z.strictObject({ ...pages, companyId: queryIds.optional() }),
  reply: pageOf(BatchRow),
})

const byId = z.strictObject({ id: idText })

export const getBatch = endpoint({
  method: 'GET',
  path: '/bookkeeping/batches/:id',
  access: ACCESS,
  summary: 'Read: batch of bookings',
  params: byId,
  reply: Batch,
})

/**
 * Makes a batch and its file, once and for good; what it holds is in no other valid one. Errors: at `companyId`
 * `bookkeeping_not_set_up`; at `month` `nothing_to_book`, `bookkeeping_hindered`, `too_many`.
 */
export const createBatch = endpoint({
  method: 'POST',
  path: '/bookkeeping/batches',
  access: ACCESS,
  summary: 'Make a batch of bookings and its DATEV file',
  body: z.strictObject({ companyId: id, month }),
  reply: Batch,
  status: 201,
})

/**
 * The bytes as they were made; never made anew. Errors: `not_found` without numbers of DATEV; `file_deleted` at the
 * end of its period.
 */
export const getBatchFile = endpoint({
  method: 'GET',
  path: '/bookkeeping/batches/:id/file',
  access: ACCESS,
  summary: 'The DATEV file of a batch, as it was made',
  params: byId,
  shape: 'file',
})

export const getBatchTable = endpoint({
  method: 'GET',
  path: '/bookkeeping/batches/:id/table',
  access: ACCESS,
  summary: 'The bookings of a batch as a table',
  params: byId,
  query: z.strictObject({ format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') }),
  shape: 'file',
})

/** What it holds is free for another batch; for one that was never read in. */
export const voidBatch = endpoint({
  method: 'POST',
  path: '/bookkeeping/batches/:id/void',
  access: ACCESS,
  summary: 'Void a batch of bookings that was not read in',
  params: byId,
  body: z.strictObject({ reason: text(500) }),
  reply: Batch,
  needsVersion: true,
})

/** In which valid batch an invoice was handed to bookkeeping. */
export const getInvoiceBooking = endpoint({
  method: 'GET',
  path: '/bookkeeping/invoices/:id',
  access: ACCESS,
  summary: 'The batch that an invoice is in',
  params: byId,
  /** `month`: `2026-03` */
  reply: z.object({ batch: reference.extend({ companyId: id, month: z.string() }).nullable() }),
})
