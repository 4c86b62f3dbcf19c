import type { Generated, GeneratedAlways } from 'kysely'
import type { State } from '@waybill/contract/kit/fields'
import type { Gender } from '@waybill/contract/salutation'

declare module '../../kit/database/db.ts' {
  interface Tables {
    salutation: {
      id: Generated<number>
      version: Generated<number>
      title: string
      gender: Gender
      countryId: number
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
  }
}
