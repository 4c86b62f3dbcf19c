import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { AccountSource } from '@waybill/contract/kit/bank/bank'
import type { State } from '@waybill/contract/kit/fields'

declare module '../../kit/database/db.ts' {
  interface Tables {
    carrier_company: {
      id: Generated<number>
      version: Generated<number>
      title: string
      vatNumber: string | null
      language: Language | null
      representative: JSONColumnType<object> | null
      timocomId: string | null
      transId: string | null
      website: string | null
      address: string | null
      postal: string | null
      city: string | null
      countryId: number
      billingAddress: JSONColumnType<object> | null
      paymentPeriodDays: number | null
      creditorNumber: Generated<number | null>
      notes: string | null
      warnings: string | null
      /** why it may drive nothing; null: it is not blocked */
      blockedReason: Generated<string | null>
      /** it may be planned for one order alone */
      isOnceOnly: Generated<boolean>
      licenceNotNeededReason: Generated<string | null>
      createdAt: string
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
    carrier_contact: {
      id: Generated<number>
      carrierCompanyId: number
      position: number
      fullName: string
      phone: string | null
      email: string | null
      jobTitle: string | null
    }
    carrier_bank_account: {
      id: Generated<number>
      carrierCompanyId: number
      position: number
      bankName: string | null
      iban: string
      bic: string | null
      enteredById: number | null
      enteredAt: string | null
      confirmedById: number | null
      confirmedAt: string | null
      /** null: of before this was kept */
      source: AccountSource | null
      sourceInvoiceId: number | null
    }
    /**
     * Who had a hand in an IBAN of a carrier: entered it on the record, typed it on an invoice, made the link through
     * which it came. Never changed: neither account nor invoice have to be there any more (decision 076).
     */
    carrier_iban_author: {
      id: Generated<number>
      carrierCompanyId: number
      iban: string
      userId: number
      how: 'account' | 'invoice' | 'link'
      /** on which it was typed; null of the other ways, and of what is older than this was noted */
      invoiceId: Generated<number | null>
      at: string
    }
    driver: {
      id: Generated<number>
      carrierCompanyId: number
      position: number
      fullName: string
      phone: string | null
      email: string | null
      plateNumber: string | null
    }
    carrier_vehicle_type: { carrierCompanyId: number; vehicleTypeId: number }
  }
}
