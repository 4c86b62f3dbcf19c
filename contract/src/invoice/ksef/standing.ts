import { z } from 'zod'
import { KSEF_CERTIFICATE_KINDS, KSEF_STATES } from '../../e-invoice/ksef-states.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { reference, timeZone } from '../../kit/fields.ts'
import { EXPORT_FORMATS } from '../../kit/paging.ts'
import { can } from '../../permissions.ts'

const INVOICE_ACCESS = can('INVOICES_PROCESSING')

const Rejected = z.object({
  invoice: reference,
  customer: reference.nullable(),
  reason: z.string().nullable(),
  at: z.string(),
  /** it was issued offline, and keeps its content */
  isOut: z.boolean(),
})

const Waiting = z.object({
  invoice: reference,
  customer: reference.nullable(),
  state: z.enum(KSEF_STATES),
  /** when it was numbered */
  since: z.string(),
  trouble: z.string().nullable(),
  /** of one that was issued offline: until when KSeF must have it */
  submitBy: z.string().nullable(),
  isLate: z.boolean(),
})

const NotIssued = z.object({
  number: z.string(),
  company: reference,
  invoice: reference,
  customer: reference.nullable(),
  reason: z.string().nullable(),
  rejectedAt: z.string(),
  canceledAt: z.string(),
})
/** A number that was kept for an invoice which KSeF rejected, and which was canceled then. */
export type NotIssued = z.output<typeof NotIssued>

/** No list here shows more; what is beyond it moves up. */
export const MOST_OF_KSEF = 200

/** What of our companies in Poland asks for somebody: all lists are empty where we have none. */
export const getKsefStanding = endpoint({
  method: 'GET',
  path: '/invoices/ksef',
  access: INVOICE_ACCESS,
  summary: 'Invoices that KSeF rejected or has not decided, numbers that were not issued, certificates that end',
  reply: z.object({
    /** the newest first */
    rejected: z.array(Rejected),
    /** the oldest first */
    waiting: z.array(Waiting),
    /** the newest first */
    notIssued: z.array(NotIssued),
    certificates: z.array(
      z.object({ company: reference, kind: z.enum(KSEF_CERTIFICATE_KINDS), validTo: z.string(), isOver: z.boolean() }),
    ),
  }),
})
export type KsefStanding = z.output<(typeof getKsefStanding)['reply']>

export const exportNotIssued = endpoint({
  method: 'GET',
  path: '/invoices/ksef/not-issued/export',
  access: INVOICE_ACCESS,
  summary: 'All numbers that were reserved and not issued, as a table',
  query: z.strictObject({ format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') }),
  shape: 'file',
})
