import type { JSONColumnType } from 'kysely'
import type { PaperType } from '@waybill/contract/email/paper-key'
import type { PaperText } from '@waybill/contract/kit/rich-text'
import type { Language } from '@waybill/contract/errors'
import type { ContentMode } from '@waybill/contract/kit/content-modes'

interface PaperColumns {
  departmentId: number
  version: number
  mode: ContentMode
  body: JSONColumnType<PaperText>
  editedAt: string
  editedById: number | null
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    paper_template: PaperColumns & { type: PaperType; language: Language }
    paper_template_version: PaperColumns & { key: string }
  }
}
