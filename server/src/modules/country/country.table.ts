import type { Generated, GeneratedAlways } from 'kysely'
import type { State } from '@waybill/contract/kit/fields'

declare module '../../kit/database/db.ts' {
  interface Tables {
    country: {
      id: Generated<number>
      version: Generated<number>
      title: string
      code: string
      isEu: boolean
      standardVatBp: number
      timeZone: string
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
  }
}
