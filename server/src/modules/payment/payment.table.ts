import type { Generated } from 'kysely'
import type { PaymentKind, PaymentSource } from '@waybill/contract/payment/payment'

declare module '../../kit/database/db.ts' {
  interface Tables {
    /** Written once; a mistake is put right by a row of its own (decision 081). */
    payment: {
      id: Generated<number>
      kind: PaymentKind
      source: PaymentSource
      companyId: number
      customerId: number
      valueDate: string
      /** what moved between us and the customer: positive came in, negative went back */
      amountCents: number
      payer: string | null
      reference: string | null
      correctionId: Generated<number | null>
      reversesId: Generated<number | null>
      reason: Generated<string | null>
      createdAt: string
      createdById: number | null
    }
    /** Where a payment is: on invoices, or on the customer's account; their sum is its amount. */
    payment_share: {
      id: Generated<number>
      paymentId: number
      /** null: the customer's account */
      invoiceId: number | null
      amountCents: number
      skontoCents: Generated<number>
    }
    /** What a customer has with one of our companies; moved by shares alone. */
    customer_account: { companyId: number; customerId: number; balanceCents: number }
  }
}
