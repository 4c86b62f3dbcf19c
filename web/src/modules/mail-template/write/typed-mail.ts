import type { MailBlock } from '@waybill/contract/mail-blocks'
import type { Language } from '@waybill/contract/errors'

/** A mail as somebody writes it: the words in each language that was opened, the rest once. */
export interface TypedMail {
  to: string[]
  cc: string[]
  /** addresses that are still typed */
  begun?: { to?: string; cc?: string }
  documentIds: number[]
  texts: Partial<Record<Language, TypedText>>
}

export interface TypedText {
  subject: string
  blocks: MailBlock[]
}
