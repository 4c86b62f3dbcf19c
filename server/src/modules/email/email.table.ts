import type { Generated, JSONColumnType } from 'kysely'
import type { Email } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'

/** What stands around the body: see `wrapMail`. */
export interface Frame {
  language: Language
  /** our company, above the body */
  sender: string
  /** plain lines below it */
  footer: string[]
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    email: {
      id: Generated<number>
      ownerKind: Email['owner']['kind']
      ownerId: number
      type: Email['type']
      status: Email['status']
      to: string[]
      cc: string[]
      subject: string
      html: string
      frame: JSONColumnType<Frame>
      messageId: string
      /** the one link of an account's mail, until the mail has left; see queue-mail.ts */
      sealedButton: Generated<Buffer | null>
      tries: Generated<number>
      lastError: string | null
      notBefore: string
      createdById: number | null
      createdAt: string
      sentAt: string | null
    }
    email_attachment: { emailId: number; position: number; documentId: number }
    email_try: { id: Generated<number>; emailId: number; at: string; isSent: boolean; response: string | null }
  }
}
