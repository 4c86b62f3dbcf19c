import type { Generated, GeneratedAlways } from 'kysely'
import type { State } from '@waybill/contract/kit/fields'

interface TypeTable {
  id: Generated<number>
  version: Generated<number>
  title: string
  state: Generated<State>
  titleKey: GeneratedAlways<string>
  searchKey: GeneratedAlways<string>
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    unit_type: TypeTable
    vehicle_type: TypeTable
    cargo_type: TypeTable
    special_handling_type: TypeTable
  }
}
