import type { Generated } from 'kysely'

declare module '../../kit/database/db.ts' {
  interface Tables {
    /** Until when a customer's credit limit does not hold; one at most is in force. */
    credit_lift: {
      id: Generated<number>
      customerId: number
      reason: string
      until: string
      createdAt: string
      createdById: number | null
      endedAt: Generated<string | null>
      endedById: Generated<number | null>
    }
  }
}
