import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { email, id, idText, line, optionalText, reference, text } from '../kit/fields.ts'
import { can } from '../permissions.ts'
import { CHECK_KEYS, CHECK_LEVELS, CHECK_SAYINGS, DIFFERENCE_KINDS } from './check.ts'
import { INVOICE_STATUSES, UNCHECKED_INVOICE_STATUSES } from './status.ts'

const ACCESS = can('INVOICES_PROCESSING')
const byId = z.strictObject({ id: idText })

/** What can be wrong with a carrier's invoice (decision 074). */
export const PROBLEM_KINDS = [
  'pod_missing',
  'pod_unusable',
  'amount',
  'vat',
  'iban',
  'damage',
  'wrong_addressee',
  'other',
] as const
export type ProblemKind = (typeof PROBLEM_KINDS)[number]

/** Who has to do something before the invoice goes on. */
export const WAITS_FOR_WHOM = ['carrier', 'customer', 'us'] as const
export type WaitsForWhom = (typeof WAITS_FOR_WHOM)[number]

/** An approval can be taken back for this long; as much longer as a call may take. */
export const APPROVAL_UNDO_GRACE_SECONDS = 2

const CheckLine = z.object({
  key: z.enum(CHECK_KEYS),
  level: z.enum(CHECK_LEVELS),
  found: z.union([z.string(), z.number()]).nullable(),
  expected: z.object({
    says: z.enum(CHECK_SAYINGS),
    values: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
  }),
  answer: z.enum(['difference', 'reason']).optional(),
})

const Verdict = z.object({ level: z.enum(['ok', 'look', 'stop']), keys: z.array(z.enum(CHECK_KEYS)) })

const Problem = z.object({
  kind: z.enum(PROBLEM_KINDS),
  text: z.string(),
  waitsFor: z.enum(WAITS_FOR_WHOM),
  stopsTerm: z.boolean(),
  openedAt: z.string(),
  openedBy: reference.nullable(),
  /** a mail about it was written to the carrier */
  isTold: z.boolean(),
})

const Margin = z.object({ incomeCents: z.number().int(), marginBp: z.number().int().nullable() })

const Paper = z.object({
  documentId: id,
  title: z.string(),
  contentType: z.string(),
  createdAt: z.string(),
})

/** An invoice of a carrier with everything that is looked at before it is approved. */
export const InvoiceCheck = z.object({
  id,
  version: z.number().int(),
  status: z.enum(INVOICE_STATUSES),
  number: z.string().nullable(),
  innerNumber: z.string(),
  carrierCompany: reference.nullable(),
  /** ours, to which it should be addressed */
  company: reference.nullable(),
  amountCents: z.number().int(),
  totalCents: z.number().int(),
  /** of both amounts */
  currency: z.string(),
  dueDate: z.string().nullable(),
  receivedAt: z.string(),
  isFromLink: z.boolean(),
  notes: z.string().nullable(),
  checks: z.array(CheckLine),
  verdict: Verdict,
  orders: z.array(
    z.object({
      id,
      title: z.string(),
      fromCountryCode: z.string().nullable(),
      fromCity: z.string().nullable(),
      toCountryCode: z.string().nullable(),
      toCity: z.string().nullable(),
      priceCents: z.number().int().nullable(),
    }),
  ),
  routes: z.array(z.object({ id, title: z.string(), orderId: id, costCents: z.number().int().nullable() })),
  /** of its orders together, as agreed and with what this invoice says; null where price or cost is not known */
  margin: z.object({ before: Margin, after: Margin }).nullable(),
  /** the company's: a margin below it is marked */
  marginWarningBp: z.number().int(),
  /** the invoice itself, the newest first */
  papers: z.array(Paper),
  /** what its carrier was given in writing: the newest transport order of each of its routes */
  transportOrders: z.array(Paper),
  /** the proofs of delivery of its routes, refused ones too, the newest first */
  pods: z.array(
    Paper.extend({
      version: z.number().int(),
      acceptance: z.enum(['accepted', 'toCheck', 'refused']).nullable(),
      refusalReason: z.string().nullable(),
      /** the drop-offs of which accepting it has to name those that it proves; empty where that is clear */
      stops: z.array(z.object({ id, position: z.number().int(), place: z.string(), note: z.string() })),
    }),
  ),
  problem: Problem.nullable(),
  /** of an approved one: what the difference was for, why it was approved */
  differenceKind: z.enum(DIFFERENCE_KINDS).nullable(),
  approvalReason: z.string().nullable(),
  /** sent along with the approval: it is refused where a check says something else by then */
  seen: z.string(),
})
export type InvoiceCheck = z.output<typeof InvoiceCheck>
export type CheckLine = z.output<typeof CheckLine>

/** Error: `not_found` for a customer's invoice too. */
export const getInvoiceCheck = endpoint({
  method: 'GET',
  path: '/invoices/:id/check',
  access: ACCESS,
  summary: 'What a carrier’s invoice is checked for, with agreed amounts, margin and papers',
  params: byId,
  reply: InvoiceCheck,
})

export const TO_CHECK_VIEWS = UNCHECKED_INVOICE_STATUSES
export type ToCheckView = (typeof TO_CHECK_VIEWS)[number]

const InvoiceToCheck = z.object({
  id,
  number: z.string().nullable(),
  innerNumber: z.string(),
  carrier: z.string(),
  totalCents: z.number().int(),
  currency: z.string(),
  /** since the invoice came, by the clock of our company */
  ageDays: z.number().int(),
  verdict: Verdict,
  problemKind: z.enum(PROBLEM_KINDS).nullable(),
})
export type InvoiceToCheck = z.output<typeof InvoiceToCheck>

/**
 * `next` is sent as `after` to read on. `after` and `before` may name any invoice of a carrier, also one that waits no
 * longer: its place in the queue is that of its arrival. With `before` those next to it come, still the oldest first.
 */
export const listInvoicesToCheck = endpoint({
  method: 'GET',
  path: '/invoices/to-check',
  access: ACCESS,
  summary: 'Carriers’ invoices that wait to be checked, or with a problem, the oldest first',
  query: z.strictObject({
    status: z.enum(TO_CHECK_VIEWS).default('received'),
    after: idText.optional(),
    before: idText.optional(),
    /** how many at most, 1 to 50 */
    limit: z
      .string()
      .regex(/^([1-9]|[1-4]\d|50)$/)
      .transform(Number)
      .default(50),
  }),
  reply: z.object({
    items: z.array(InvoiceToCheck),
    next: id.nullable(),
    counts: z.object({ received: z.number().int(), in_progress: z.number().int() }),
    /** of all invoices in this status that are in euros, as below */
    totalCents: z.number().int(),
    /** since midnight, by the clock of the company of each invoice */
    approvedToday: z.object({ count: z.number().int(), totalCents: z.number().int() }),
  }),
})

/**
 * Errors: `stale_version` with the check as it is now where the invoice or one of its checks has changed since it was
 * seen, `illegal_transition`; `required` at `answers.amount` where the amount differs, `reason_missing` at `reason`
 * where a check stops the invoice and at the answer `other`.
 */
export const approveInvoice = endpoint({
  method: 'POST',
  path: '/invoices/:id/approve',
  access: ACCESS,
  summary: 'Approve a carrier’s invoice as it was checked',
  params: byId,
  body: z.strictObject({
    answers: z.strictObject({ amount: z.enum(DIFFERENCE_KINDS).nullable().default(null) }).prefault({}),
    reason: optionalText(2000),
    /** as the check gave it */
    seen: z.string().max(80),
  }),
  reply: InvoiceCheck,
  needsVersion: true,
})

/** Within eight seconds, by who approved it. Errors: `conflict` where that is too late or somebody else’s. */
export const undoApproval = endpoint({
  method: 'POST',
  path: '/invoices/:id/approve/undo',
  access: ACCESS,
  summary: 'Take back one’s own approval of a carrier’s invoice',
  params: byId,
  reply: InvoiceCheck,
  needsVersion: true,
})

/**
 * Sets an invoice to `in_progress`, with a mail to the carrier where one is given. The mail is the department’s text
 * *Problem with an invoice*, in the carrier’s language, with `text` as what is wrong and, where it drives a
 * transport of the invoice still, the upload link. Errors: `illegal_transition`, `stale_version`; at `mail`
 * `route_missing` where the invoice names no transport that its carrier drives or drove. What an approval has booked
 * on the orders is taken back: `conflict` at `state` with `extra_billed` where it stands on a customer's invoice.
 */
export const holdInvoice = endpoint({
  method: 'POST',
  path: '/invoices/:id/problem',
  access: ACCESS,
  summary: 'Say what is wrong with a carrier’s invoice, and write to the carrier',
  params: byId,
  body: z.strictObject({
    kind: z.enum(PROBLEM_KINDS),
    /** stays inside */
    text: text(2000),
    waitsFor: z.enum(WAITS_FOR_WHOM).default('carrier'),
    /** the due date moves on by as long as the invoice waits */
    stopsTerm: z.boolean().default(false),
    mail: z
      .strictObject({ to: email, subject: line(250), text: text(2000) })
      .nullable()
      .default(null),
  }),
  reply: InvoiceCheck,
  needsVersion: true,
})

/** What the mail about a problem would say, for changing it; null where there is no transport to write about. */
export const getProblemMail = endpoint({
  method: 'GET',
  path: '/invoices/:id/problem-mail',
  access: ACCESS,
  summary: 'The mail to a carrier about a problem with its invoice, as it would be sent',
  params: byId,
  query: z.strictObject({ kind: z.enum(PROBLEM_KINDS) }),
  reply: z.object({
    mail: z
      .object({
        to: z.string().nullable(),
        language: z.enum(['en', 'de', 'pl']),
        subject: z.string(),
        /** what is wrong, in the carrier’s language */
        text: z.string(),
        /** its upload link goes with it: not where others drive the transports of the invoice by now */
        hasLink: z.boolean(),
        /** the whole mail with that text */
        html: z.string(),
      })
      .nullable(),
  }),
})
