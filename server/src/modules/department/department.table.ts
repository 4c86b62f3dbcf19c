import type { Generated, GeneratedAlways } from 'kysely'
import type { State } from '@waybill/contract/kit/fields'

declare module '../../kit/database/db.ts' {
  interface Tables {
    department: {
      id: Generated<number>
      version: Generated<number>
      abbreviation: string
      companyId: number
      countryId: number
      city: string | null
      phone: Generated<string | null>
      email: Generated<string | null>
      /** says nothing of its customers to carriers */
      isNeutral: Generated<boolean>
      showsCarrier: Generated<boolean>
      /** what carriers must be insured for at least */
      demandedInsuranceCents: Generated<number | null>
      createdAt: string
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
  }
}
