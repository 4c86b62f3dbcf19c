import type { Generated, JSONColumnType } from 'kysely'
import type { RichText } from '@waybill/contract/kit/rich-text'
import type { Language } from '@waybill/contract/errors'

declare module '../../kit/database/db.ts' {
  interface Tables {
    mail_snippet: {
      id: Generated<number>
      version: number
      departmentId: number
      name: string
      language: Language
      text: JSONColumnType<RichText>
      editedAt: string
      editedById: number | null
    }
  }
}
