import { z } from 'zod'
import { CUSTOMER_FORMATS } from '../../e-invoice/format.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { cents, id, idText, localDate, reference } from '../../kit/fields.ts'
import { queryBoolean, queryIds } from '../../kit/paging.ts'
import { can } from '../../permissions.ts'
import { VAT_CATEGORIES } from '../vat.ts'
import { FINDING_RECORDS } from '../e-invoice/rules.ts'

const RUN_ACCESS = can('INVOICES_PROCESSING')

/**
 * Why an order that was delivered is not billed by a run, the first that applies. `on_draft`: somebody has begun its
 * invoice; `other_company`: it is billed by another company of ours.
 */
export const BLOCK_REASONS = [
  'other_company',
  'on_draft',
  'no_price',
  'order_number_missing',
  'pod_missing',
  'pod_to_check',
  'not_completed',
] as const
export type BlockReason = (typeof BLOCK_REASONS)[number]

/** A run sends to no more customers at once, and bills no more orders of one. */
export const MOST_RUN_CUSTOMERS = 1000
export const MOST_RUN_ORDERS = 2000

/** `running` until every customer has its result; `stopping` once somebody has asked it to end early. */
export const INVOICE_RUN_STATUSES = ['running', 'stopping', 'finished'] as const
export type InvoiceRunStatus = (typeof INVOICE_RUN_STATUSES)[number]
export const isRunOver = (status: InvoiceRunStatus): boolean => status === 'finished'

/** How one invoice of a run stands; `stopped`: the run was ended before its turn. */
export const RUN_ITEM_STATUSES = ['waiting', 'sending', 'sent', 'failed', 'stopped'] as const
export type RunItemStatus = (typeof RUN_ITEM_STATUSES)[number]

/** Of an invoice of a run that was numbered; with KSeF it may not be sent yet. */
export const DONE_RUN_ITEM = 'sent' as const satisfies RunItemStatus
export const isDoneRunItem = (status: RunItemStatus): boolean => status === DONE_RUN_ITEM

/**
 * Where KSeF stands between an invoice of a run and its customer: `awaited`: its XML waits for the number that somebody
 * types; `undecided`: numbered, and not sent before KSeF has accepted it; `rejected`: not sent, to be mended.
 */
export const RUN_KSEF_STATES = ['awaited', 'undecided', 'rejected'] as const

const place = z.object({ countryCode: z.string().nullable(), city: z.string().nullable() })
const amount = z.number().int()

const RunInvoice = z.object({
  id,
  customer: reference,
  orderCount: z.number().int(),
  netCents: amount,
  status: z.enum(RUN_ITEM_STATUSES),
  /** once it has its number */
  invoice: reference.nullable(),
  /** of companies in Poland; null once nothing is waited for */
  ksef: z.object({ state: z.enum(RUN_KSEF_STATES), reason: z.string().nullable() }).nullable(),
  /** why it was not sent, in the caller's language; `path` begins with `customer` or `company` where one is mended */
  fault: z
    .object({ message: z.string(), fields: z.array(z.object({ path: z.string(), message: z.string() })) })
    .nullable(),
})
export type RunInvoice = z.output<typeof RunInvoice>

export const InvoiceRun = z.object({
  id,
  version: z.number().int(),
  status: z.enum(INVOICE_RUN_STATUSES),
  company: reference,
  until: z.string(),
  createdAt: z.string(),
  createdBy: reference.nullable(),
  finishedAt: z.string().nullable(),
  /** by customer, as they are sent; of one customer several where its orders cannot stand on one invoice */
  items: z.array(RunInvoice),
})
export type InvoiceRun = z.output<typeof InvoiceRun>

const choice = { companyId: idText, until: localDate }

/** What a month's end has to bill of each customer, and the run in hand or, while there is none, the last one. */
export const getMonthEnd = endpoint({
  method: 'GET',
  path: '/invoices/month-end',
  access: RUN_ACCESS,
  summary: 'What could be billed until a day, by customer',
  query: z.strictObject({
    ...choice,
    /** customers that get an invoice for each order, too */
    all: queryBoolean.optional(),
  }),
  reply: z.object({
    items: z.array(
      z.object({
        customer: reference,
        readyCount: z.number().int(),
        blockedCount: z.number().int(),
        /** of what is ready */
        netCents: amount,
        /** of what is ready, in the order in which it is billed */
        orderIds: z.array(id),
      }),
    ),
    run: z.object({ id, status: z.enum(INVOICE_RUN_STATUSES), createdAt: z.string() }).nullable(),
  }),
})
export type MonthEnd = z.output<(typeof getMonthEnd)['reply']>
export type MonthEndCustomer = MonthEnd['items'][number]

const MonthEndOrder = z.object({
  order: reference,
  customerOrderNumber: z.string().nullable(),
  /** of the last unloading, by its own clock */
  day: z.string().nullable(),
  from: place,
  to: place,
  /** freight and approved extras; null without a price */
  netCents: amount.nullable(),
  /** the freight is billed already, or the order was canceled: approved extras alone */
  isExtrasOnly: z.boolean(),
  extraCount: z.number().int(),
  reason: z.enum(BLOCK_REASONS).nullable(),
  /** with `on_draft`: the invoice that somebody has begun */
  draft: reference.nullable(),
  /** with `other_company`: who bills it */
  company: reference.nullable(),
})
export type MonthEndOrder = z.output<typeof MonthEndOrder>

const ofCustomer = z.strictObject({ id: idText })
const ofProposal = z.strictObject({
  ...choice,
  /** orders that are ready, and left out all the same */
  without: queryIds.optional(),
})

/** What one customer would get: its orders, and the invoices that the ready ones come to. Errors: `not_found`. */
export const getMonthEndCustomer = endpoint({
  method: 'GET',
  path: '/invoices/month-end/customers/:id',
  access: RUN_ACCESS,
  summary: 'What could be billed to one customer until a day, order by order',
  params: ofCustomer,
  query: ofProposal,
  reply: z.object({
    customer: reference,
    /** `ksef` of a company in Poland, whatever the customer has */
    format: z.enum([...CUSTOMER_FORMATS, 'ksef']),
    language: z.string(),
    paymentPeriodDays: z.number().int(),
    /** where its invoices are mailed; null: nothing is known */
    receiver: z.string().nullable(),
    /** false: the customer wants no mails with invoices, and a run hands them over without */
    isMailWanted: z.boolean(),
    orders: z.array(MonthEndOrder),
    invoices: z.array(
      z.object({
        orderIds: z.array(id),
        amountCents: amount,
        vatCents: amount,
        totalCents: amount,
        vatGroups: z.array(
          z.object({ vatBp: z.number().int(), vatCategory: z.enum(VAT_CATEGORIES), vatCents: amount }),
        ),
        /** proofs of delivery behind its pages, and those that go as files */
        podPages: z.number().int(),
        podFiles: z.number().int(),
        /** if it were sent today */
        dueDate: z.string(),
        /** the day whose euro rate VAT in złoty needs, and nobody knows */
        rateMissing: z.string().nullable(),
        /** what hinders an electronic invoice, or any */
        findings: z.array(
          z.object({ message: z.string(), record: z.enum(FINDING_RECORDS), recordId: id.nullable(), path: z.string() }),
        ),
      }),
    ),
  }),
})
export type MonthEndProposal = z.output<(typeof getMonthEndCustomer)['reply']>

/** Of so many customers the findings are asked at once: each invoice is worked out for it. */
export const MOST_HINDERED_ASKED = 25

/** Of some customers, those whose invoices would not be sent as they are. Errors: `not_found`. */
export const listMonthEndHindered = endpoint({
  method: 'GET',
  path: '/invoices/month-end/hindered',
  access: RUN_ACCESS,
  summary: 'Which customers could not be sent their invoices, by the findings of these',
  query: z.strictObject({ ...choice, customerId: z.array(idText).min(1).max(MOST_HINDERED_ASKED) }),
  reply: z.object({ customerIds: z.array(id) }),
})

/** Invoices of a customer have nowhere to go, and should go by mail. */
export const lacksReceiver = ({ receiver, isMailWanted }: Pick<MonthEndProposal, 'receiver' | 'isMailWanted'>) =>
  isMailWanted && receiver === null

type Hindrances = Pick<MonthEndProposal, 'receiver' | 'isMailWanted' | 'invoices'>

/** An invoice of a customer would not be sent: it has a finding, a rate is missing, or there is no address for it. */
export const isHindered = ({ invoices, ...to }: Hindrances): boolean =>
  invoices.some(({ findings, rateMissing }) => findings.length > 0 || rateMissing !== null) ||
  (invoices.length > 0 && lacksReceiver(to))

/** The paper of one of the invoices that a customer would get, as a draft; nothing is written. Errors: `not_found`. */
export const getMonthEndDocument = endpoint({
  method: 'GET',
  path: '/invoices/month-end/customers/:id/document',
  access: RUN_ACCESS,
  summary: 'The paper that a customer would get, as a draft',
  params: ofCustomer,
  query: ofProposal.extend({
    /** which of its invoices, from 0 */
    part: z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number)
      .optional(),
  }),
  shape: 'file',
})

/**
 * Sends what was chosen, one invoice after the other, in a job; the page may be left. One run at a time for a company.
 * Each customer is sent what its page showed, or nothing: an order that is not ready any more, or another net amount,
 * is its result. Errors: `conflict` with `run_in_hand` at `companyId`, `duplicate_key`.
 */
export const startInvoiceRun = endpoint({
  method: 'POST',
  path: '/invoices/month-end/runs',
  access: RUN_ACCESS,
  inPerson: true,
  summary: 'Send the invoices of a month’s end',
  body: z.strictObject({
    companyId: id,
    until: localDate,
    customers: z
      .array(
        z.strictObject({
          customerId: id,
          orderIds: z.array(id).min(1).max(MOST_RUN_ORDERS),
          /** as it was seen */
          netCents: cents,
        }),
      )
      .min(1)
      .max(MOST_RUN_CUSTOMERS),
  }),
  reply: InvoiceRun,
  status: 201,
  location: '/invoices/month-end/runs',
})

const byId = z.strictObject({ id: idText })

export const getInvoiceRun = endpoint({
  method: 'GET',
  path: '/invoices/month-end/runs/:id',
  access: RUN_ACCESS,
  summary: 'How a run of invoices stands, customer by customer',
  params: byId,
  reply: InvoiceRun,
})

/** What is being sent is finished, the rest stays ready. Asking for it twice, or of one that is over, is a no-op. */
export const stopInvoiceRun = endpoint({
  method: 'POST',
  path: '/invoices/month-end/runs/:id/stop',
  access: RUN_ACCESS,
  summary: 'End a run of invoices after the one in hand',
  params: byId,
  reply: InvoiceRun,
})
