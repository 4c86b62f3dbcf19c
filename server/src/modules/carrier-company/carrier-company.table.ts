import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Language } from '@waybill/contract/errors'
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
      notes: string | null
      warnings: string | null
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
      confirmedById: number | null
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
