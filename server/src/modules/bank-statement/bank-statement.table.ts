import type { Generated } from 'kysely'
import type { EntryStatus } from '@waybill/contract/bank-statement/bank-statement'

declare module '../../kit/database/db.ts' {
  interface Tables {
    bank_statement: {
      id: Generated<number>
      companyId: number
      /** null: the account is off our record by now */
      bankAccountId: number | null
      iban: string
      fileName: string
      sha256: string
      position: number
      number: string | null
      fromDate: string | null
      toDate: string | null
      openingCents: number | null
      closingCents: number | null
      entryCount: number
      knownCount: number
      pendingCount: number
      createdAt: string
      createdById: number | null
      /** since then nothing of it is told but numbers, days and amounts */
      deletedAt: Generated<string | null>
    }
    /** What the bank said stays; what was done with it moves. */
    bank_entry: {
      id: Generated<number>
      version: Generated<number>
      statementId: number
      position: number
      iban: string
      key: string
      bookingDate: string
      valueDate: string
      amountCents: number
      partnerName: string | null
      partnerIban: string | null
      remittance: string
      endToEndId: string | null
      messageId: string | null
      returnReason: string | null
      /** one of another statement that says the same; nothing tells whether both are one movement */
      resemblesId: number | null
      status: Generated<EntryStatus>
      paymentId: Generated<number | null>
      paymentFileId: Generated<number | null>
      returnedPaymentId: Generated<number | null>
      settledAt: Generated<string | null>
      settledById: Generated<number | null>
      reason: Generated<string | null>
    }
    /** Whose account a payment came from, learned by booking. */
    payer_account: {
      id: Generated<number>
      iban: string
      customerId: number
      entryId: number
      confirmedAt: string
      confirmedById: number | null
    }
  }
}
