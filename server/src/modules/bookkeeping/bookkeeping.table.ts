import type { Generated, JSONColumnType } from 'kysely'
import type { BookedKind, BookedSum } from '@waybill/contract/bookkeeping/bookkeeping'
import type { VatCategory } from '@waybill/contract/invoice/vat'

declare module '../../kit/database/db.ts' {
  interface Tables {
    bookkeeping_batch: {
      id: Generated<number>
      version: Generated<number>
      companyId: number
      /** the first day of the month, and of the fiscal year that it is in */
      month: string
      fiscalYear: string
      /** counts the batches of a month, void ones too */
      counter: number
      rowCount: number
      debitCents: number
      creditCents: number
      sums: JSONColumnType<BookedSum[]>
      /** null: without numbers of DATEV there is no file */
      fileName: string | null
      sha256: string | null
      createdAt: string
      createdById: number | null
      voidedAt: Generated<string | null>
      voidedById: Generated<number | null>
      voidReason: Generated<string | null>
      /** the bytes are gone since then, and the names and words of its rows */
      deletedAt: Generated<string | null>
    }
    /** The bytes, written once with their batch and never again; gone at the end of their period. */
    bookkeeping_file: { batchId: number; bytes: Buffer }
    /** What a batch holds; each is in one valid batch at most. */
    bookkeeping_item: {
      id: Generated<number>
      batchId: number
      invoiceId: number | null
      paymentId: number | null
      payablePaymentId: number | null
      isValid: Generated<boolean>
    }
    /** Written once with their batch. */
    bookkeeping_row: {
      batchId: number
      position: number
      kind: BookedKind
      date: string
      amountCents: number
      /** of the account; the contra account has the other side */
      isDebit: boolean
      account: number
      contraAccount: number
      taxKey: string | null
      documentNumber: string | null
      dueDate: string | null
      partner: string
      text: string
      vatNumber: string | null
      netCents: number | null
      vatCents: number | null
      vatBp: number | null
      vatCategory: VatCategory | null
    }
    /** What a carrier was paid of an invoice, or what came back: written by the database with the invoice's status. */
    payable_payment: {
      id: Generated<number>
      invoiceId: number
      valueDate: string
      amountCents: number
      /** no money flowed: it was set off, or that was taken back */
      setOffId: number | null
    }
  }
}
