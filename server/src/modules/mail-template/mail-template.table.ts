import type { Generated, JSONColumnType } from 'kysely'
import type { MailBlock } from '@waybill/contract/mail-blocks'
import type { Line } from '@waybill/contract/kit/rich-text'
import type { Template, TemplateWrite } from '@waybill/contract/email/template'
import type { Language } from '@waybill/contract/errors'

interface TextColumns {
  subject: JSONColumnType<Line>
  blocks: JSONColumnType<MailBlock[]>
  replyTo: TemplateWrite['replyTo']
  isOn: boolean
  editedAt: string
  editedById: number | null
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    email_template: TextColumns & {
      id: Generated<number>
      version: number
      departmentId: number
      type: Template['type']
      /** null: added by the department, under `name` */
      variant: string | null
      name: string | null
      language: Language
    }
    email_template_version: TextColumns & { departmentId: number; key: string; version: number }
  }
}
