import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { BookkeepingSettings } from '@waybill/contract/bookkeeping/settings'
import type { UMLAUTS } from '@waybill/contract/company'
import type { KsefMode } from '@waybill/contract/e-invoice/ksef-states'
import type { Language } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import type { ReminderLevels } from '@waybill/contract/reminder/terms'

declare module '../../kit/database/db.ts' {
  interface Tables {
    company: {
      id: Generated<number>
      version: Generated<number>
      title: string
      code: string
      vatNumber: string | null
      taxNumber: string | null
      register: string | null
      address: string | null
      postal: string | null
      city: string | null
      countryId: number
      email: string | null
      phone: string | null
      eInvoiceContact: JSONColumnType<object> | null
      eInvoiceAddress: Generated<string | null>
      eInvoiceScheme: Generated<string | null>
      ksefMode: Generated<KsefMode>
      language: Language
      timeZone: string
      invoiceNumberPattern: string
      marginWarningBp: number
      amountToleranceCents: Generated<number>
      fourEyesRuns: Generated<boolean>
      umlautsInPayments: Generated<(typeof UMLAUTS)[number]>
      reminderLevels: Generated<JSONColumnType<ReminderLevels>>
      bookkeeping: Generated<JSONColumnType<BookkeepingSettings> | null>
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
    company_logo: { companyId: number; png: Buffer }
    company_bank_account: {
      id: Generated<number>
      companyId: number
      position: number
      bankName: string | null
      iban: string
      bic: string | null
      enteredById: number | null
      enteredAt: string | null
      confirmedById: number | null
      confirmedAt: string | null
    }
    /** The last number of a company's invoices in a year, and its date; sending one moves them, under its lock. */
    invoice_counter: { companyId: number; year: number; last: number; lastDate: string | null }
  }
}
