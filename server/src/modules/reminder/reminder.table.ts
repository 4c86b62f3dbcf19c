import type { Generated } from 'kysely'

declare module '../../kit/database/db.ts' {
  interface Tables {
    /** Written once, with its mail; what it claims beside the open sums is no part of any invoice (decision 086). */
    reminder: {
      id: Generated<number>
      companyId: number
      customerId: number
      /** the highest of its invoices */
      level: number
      asOf: string
      payUntil: string
      openCents: number
      feeCents: number
      interestCents: number
      /** the one of its invoices that its mail belongs to */
      mailInvoiceId: number
      createdAt: string
      createdById: number | null
    }
    reminder_item: {
      id: Generated<number>
      reminderId: number
      invoiceId: number
      level: number
      daysLate: number
      openCents: number
      feeCents: number
      interestCents: number
      /** paid or waived by then: what was claimed so far is the sum of both */
      bookedFeeCents: Generated<number>
      bookedInterestCents: Generated<number>
    }
  }
}
