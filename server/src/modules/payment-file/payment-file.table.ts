import type { Generated, JSONColumnType } from 'kysely'
import type { PaymentFileStatus } from '@waybill/contract/payment-file/payment-file'

/** Our account as the file names it, kept with it. */
export interface Debtor {
  title: string
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
  iban: string
  bic: string | null
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    payment_file_counter: { year: number; last: number }
    payment_file: {
      id: Generated<number>
      version: Generated<number>
      number: string
      status: Generated<PaymentFileStatus>
      companyId: number
      /** null: the account is off our record by now */
      debtorBankId: number | null
      debtor: JSONColumnType<Debtor>
      executionDate: string
      combine: boolean
      messageId: string
      fileName: string
      sizeBytes: number
      sha256: string
      paymentCount: number
      invoiceCount: number
      totalCents: number
      returnedCount: Generated<number>
      returnedCents: Generated<number>
      createdAt: string
      createdById: number | null
      confirmedAt: Generated<string | null>
      confirmedById: Generated<number | null>
      voidedAt: Generated<string | null>
      voidedById: Generated<number | null>
      voidReason: Generated<string | null>
      searchKey: Generated<string>
      /** the bytes are gone since then, and who was paid is told by the carrier alone */
      deletedAt: Generated<string | null>
    }
    /** The bytes, written once with their run and never again; gone at the end of their period. */
    payment_file_content: { paymentFileId: number; xml: Buffer }
    payment_file_payment: {
      id: Generated<number>
      paymentFileId: number
      position: number
      carrierCompanyId: number
      creditorName: string
      iban: string
      bic: string | null
      amountCents: number
      remittance: string
      endToEndId: string
      returnedAt: Generated<string | null>
      returnedById: Generated<number | null>
      returnReason: Generated<string | null>
    }
    /** Invoices and credit notes of a carrier that came to the same: no money flows. */
    set_off: {
      id: Generated<number>
      companyId: number
      carrierCompanyId: number
      totalCents: number
      createdAt: string
      createdById: number | null
      takenBackAt: Generated<string | null>
      takenBackById: Generated<number | null>
    }
    set_off_item: { setOffId: number; invoiceId: number; amountCents: number; isValid: Generated<boolean> }
    payment_file_item: {
      id: Generated<number>
      paymentFileId: number
      paymentId: number
      invoiceId: number
      amountCents: number
      isValid: Generated<boolean>
    }
  }
}
