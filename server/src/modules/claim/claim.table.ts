import type { Generated } from 'kysely'
import type { ClaimBookingKind } from '@waybill/contract/claim/claim'

declare module '../../kit/database/db.ts' {
  interface Tables {
    /** What was paid or waived of an invoice's claims; written once, taken back by a row of its own (decision 090). */
    claim_booking: {
      id: Generated<number>
      invoiceId: number
      kind: ClaimBookingKind
      /** negative: taken back */
      feeCents: number
      interestCents: number
      /** of `paid`: what took it from the customer's account, or brought it back */
      paymentId: number | null
      reversesId: number | null
      reason: string | null
      createdAt: string
      createdById: number | null
    }
    /** A view: what reminders have claimed beside an invoice, and what came of it. */
    invoice_claim: {
      invoiceId: number
      feeCents: number
      interestCents: number
      paidFeeCents: number
      paidInterestCents: number
      waivedFeeCents: number
      waivedInterestCents: number
      openFeeCents: number
      openInterestCents: number
    }
  }
}
