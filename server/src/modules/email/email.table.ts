import type { Generated, JSONColumnType } from 'kysely'
import type { Email, EmailOwner } from '@waybill/contract/email'
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
      ownerKind: EmailOwner['kind']
      ownerId: number
      type: Email['type']
      variant: Generated<string | null>
      status: Email['status']
      waitsFor: Generated<Email['waitsFor']>
      reason: Generated<Email['reason']>
      missing: Generated<string[]>
      isAutomatic: Generated<boolean>
      /** what it is for, once in its record: see `mail-plan.rules.ts` */
      causeKey: Generated<string | null>
      /** what it tells, as far as a later one must know whether that has changed */
      told: Generated<string | null>
      routeId: Generated<number | null>
      locationId: Generated<number | null>
      customerId: Generated<number | null>
      replyTo: Generated<string | null>
      to: string[]
      cc: string[]
      subject: string
      html: string
      frame: JSONColumnType<Frame>
      messageId: string
      /** number of its record and addresses; written by the database */
      searchKey: Generated<string>
      /** true: the company's logo travels with it */
      hasLogo: Generated<boolean>
      /** whose logo that is; null: of the company of its order or invoice */
      companyId: Generated<number | null>
      /** the one link of an account's mail, until the mail has left; see queue-mail.ts */
      sealedButton: Generated<Buffer | null>
      tries: Generated<number>
      lastError: string | null
      notBefore: string
      createdById: number | null
      createdAt: string
      sentAt: string | null
      /** when it was given up; null of those from before this was kept */
      failedAt: Generated<string | null>
      /** when its words were fixed, or it was let go; null while that is to come, and of some from before */
      settledAt: Generated<string | null>
      /** of the whole mail as it left */
      mimeSizeBytes: Generated<number | null>
    }
    /** `address` in small letters; `words`: what the mail server said */
    email_refusal: { address: string; at: string; words: string }
    email_attachment: { emailId: number; position: number; documentId: number }
    email_try: { id: Generated<number>; emailId: number; at: string; isSent: boolean; response: string | null }
  }
}
