import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { coded, id, idText, reference, text } from '../kit/fields.ts'
import { can } from '../permissions.ts'

const CLAIM_ACCESS = can('INVOICES_PROCESSING')

/** What came of a claim: the customer paid it, or we gave it up. */
export const CLAIM_BOOKINGS = ['paid', 'waived'] as const
export type ClaimBookingKind = (typeof CLAIM_BOOKINGS)[number]

/** Claims of more invoices than this are not listed; their sum is counted. */
export const MOST_CLAIMS = 500

const cents = z.number().int()

const ClaimSums = z.object({ claimedCents: cents, paidCents: cents, waivedCents: cents, openCents: cents })
export type ClaimSums = z.output<typeof ClaimSums>

const ClaimBooking = z.object({
  id,
  kind: z.enum(CLAIM_BOOKINGS),
  /** negative: taken back */
  feeCents: cents,
  interestCents: cents,
  /** why it was waived, or taken back */
  reason: z.string().nullable(),
  reversesId: id.nullable(),
  isReversed: z.boolean(),
  createdAt: z.string(),
  createdBy: reference.nullable(),
})
export type ClaimBooking = z.output<typeof ClaimBooking>

/** Whatever was booked of a claim can be taken back once; what took something back cannot. */
export const mayReverseClaim = ({ reversesId, isReversed }: Pick<ClaimBooking, 'reversesId' | 'isReversed'>): boolean =>
  reversesId === null && !isReversed

/** What reminders have claimed beside an invoice, and what came of it. */
export const Claim = z.object({
  invoice: reference,
  company: reference,
  customer: reference,
  /** the flat sum: claimed once for an invoice */
  fee: ClaimSums,
  /** that of the newest reminder */
  interest: ClaimSums,
  openCents: cents,
  /** on the customer's account with this company */
  creditCents: cents,
  /** the oldest first */
  bookings: z.array(ClaimBooking),
})
export type Claim = z.output<typeof Claim>

/** By customer, then by invoice; without `all` those alone of which something is open. */
export const listClaims = endpoint({
  method: 'GET',
  path: '/claims',
  access: CLAIM_ACCESS,
  summary: 'Claims of late payment beside invoices, and what was paid or waived of them',
  query: z.strictObject({
    customerId: idText.optional(),
    companyId: idText.optional(),
    q: text(100).optional(),
    show: z.enum(['open', 'all']).default('open'),
  }),
  reply: z.object({ items: z.array(Claim), claimCount: cents, openCents: cents }),
})
export type Claims = z.output<(typeof listClaims)['reply']>

const amount = z.number().int().min(0).max(1_000_000_000_000)
const asked = { invoiceId: id, feeCents: amount, interestCents: amount }
const isSome = ({ feeCents, interestCents }: { feeCents: number; interestCents: number }) =>
  feeCents + interestCents > 0
const nothing = { ...coded('required'), path: ['feeCents'] }

/**
 * Takes the amount from the customer's account with our company, where money for claims arrives. Errors: at
 * `invoiceId` `unknown_reference`; at `feeCents` or `interestCents` `exceeds_claim`; at `feeCents` `required`,
 * `credit_too_small`.
 */
export const payClaim = endpoint({
  method: 'POST',
  path: '/claims/pay',
  access: CLAIM_ACCESS,
  summary: 'Book claims of late payment as paid from the customer’s account',
  body: z.strictObject(asked).refine(isSome, nothing),
  reply: Claim,
  status: 201,
  location: null,
})

/** Errors: as `payClaim`, but for the account. */
export const waiveClaim = endpoint({
  method: 'POST',
  path: '/claims/waive',
  access: CLAIM_ACCESS,
  summary: 'Waive claims of late payment',
  body: z.strictObject({ ...asked, reason: text(500) }).refine(isSome, nothing),
  reply: Claim,
  status: 201,
  location: null,
})

/**
 * Takes a booking back as a whole by a row of its own; what was paid is on the customer's account again. Nothing
 * booked changes, and each is taken back once: there is no version to send. Errors: `conflict` where it is taken back
 * already, or takes one back itself.
 */
export const reverseClaim = endpoint({
  method: 'POST',
  path: '/claims/bookings/:id/reverse',
  access: CLAIM_ACCESS,
  summary: 'Take back that claims were paid or waived',
  params: z.strictObject({ id: idText }),
  body: z.strictObject({ reason: text(500) }),
  reply: Claim,
  status: 201,
  location: null,
})
