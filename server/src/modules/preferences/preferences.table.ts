import type { Generated, JSONColumnType } from 'kysely'
import type { Preferences, View } from '@waybill/contract/preferences'

declare module '../../kit/database/db.ts' {
  interface Tables {
    user_preference: { userId: number; value: JSONColumnType<Partial<Preferences>> }
    saved_view: {
      id: Generated<number>
      version: Generated<number>
      userId: number
      list: string
      name: string
      query: string
      columns: JSONColumnType<NonNullable<View['columns']>> | null
      sharedWith: View['sharedWith']
      createdAt: string
    }
  }
}
