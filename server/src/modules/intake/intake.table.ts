import type { Generated, JSONColumnType } from 'kysely'
import type { IntakeSource, IntakeState, IntakeSummary, MailboxFault } from '@waybill/contract/intake/intake'
import type { LearnedField, LearnedPosition, Reading, ReadingKind } from '@waybill/contract/intake/reading'

declare module '../../kit/database/db.ts' {
  interface Tables {
    intake_mail: {
      id: Generated<number>
      version: Generated<number>
      source: IntakeSource
      messageId: string | null
      /** of the words without regard to blanks and case; several mails may have the same */
      textHash: string
      /** what tells it from others where it has no Message-ID; null where it has one */
      sameKey: string | null
      fromName: string | null
      fromAddress: string | null
      subject: string | null
      /** RFC 3339 with the offset of the mail's header */
      sentAt: string
      receivedAt: string
      text: string
      /** the file has more than is kept as text */
      isCut: Generated<boolean>
      /** JSON: where the texts of attachments begin */
      parts: unknown
      /** JSON: names of attachments of which nothing could be read */
      unread: unknown
      /** JSON: all attachments as they lie in the file; empty of mails from before they were kept */
      attachments: Generated<unknown>
      kind: ReadingKind
      reading: JSONColumnType<Reading>
      summary: JSONColumnType<IntakeSummary>
      customerId: number | null
      fileName: string | null
      fileKey: string | null
      contentType: string | null
      state: Generated<IntakeState>
      reason: Generated<string | null>
      /** never null of a drafted one */
      assignedToId: number | null
      broughtInById: number | null
      createdAt: string
    }
    /** How reading the mailbox went last. */
    intake_mailbox: {
      id: number
      readAt: string | null
      fault: MailboxFault | null
      faultSince: string | null
      /** how many mails lay in the folder of those that were refused */
      refusedCount: Generated<number>
    }
    /** What a mail became, and which orders it is about. */
    intake_order: {
      id: Generated<number>
      mailId: number
      /** which order of the mail; null: the mail as a whole */
      position: number | null
      /** it is about the order, and did not become it */
      isFiled: Generated<boolean>
      orderId: number
      createdAt: string
      createdById: number | null
    }
    /** Which draft of a mail became which quote. */
    intake_quote: {
      mailId: number
      position: number
      quoteId: number
      createdAt: string
      createdById: number | null
    }
    /** Where values stand in a customer's mails; one rule for a field. */
    learned_rule: {
      id: Generated<number>
      customerId: number
      field: LearnedField
      /** null: by its position */
      label: string | null
      position: LearnedPosition | null
      usedCount: Generated<number>
      lastUsedAt: string | null
      learnedAt: string
      learnedById: number | null
      /** the mail whose correction taught it */
      mailId: number | null
      /** on how many mails of the customer it was tried, and in how many it found what was saved */
      triedCount: Generated<number>
      foundCount: Generated<number>
    }
  }
}
