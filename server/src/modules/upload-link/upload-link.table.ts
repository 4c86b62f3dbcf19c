import type { Generated } from 'kysely'
import type { Document } from '@waybill/contract/document'
import type { UploadKind } from '@waybill/contract/public/upload-link'

declare module '../../kit/database/db.ts' {
  interface Tables {
    upload_link: {
      id: Generated<number>
      orderId: number
      /** route and assignment as they were: both go when the order is saved without them */
      routeId: number
      assignmentId: number
      carrierCompanyId: number
      nonce: Buffer
      /** by it a link is found; the token itself is worked out anew where it is shown */
      tokenHash: Buffer
      createdAt: string
      /** null: made for a mail that writes itself */
      createdById: number | null
      expiresAt: string
      revokedAt: Generated<string | null>
      revokedById: Generated<number | null>
      sentAt: Generated<string | null>
      openedFirstAt: Generated<string | null>
      openedLastAt: Generated<string | null>
      openedCount: Generated<number>
      /** the invoice that came through it */
      invoiceId: Generated<number | null>
    }
    upload_file: {
      id: Generated<number>
      linkId: number
      kind: UploadKind
      state: Generated<'draft' | 'submitted'>
      title: string
      contentType: string
      eInvoice: Generated<Document['eInvoice']>
      /** of an electronic invoice */
      currency: Generated<string | null>
      leftToPayCents: Generated<number | null>
      /** as it is kept */
      sizeBytes: number
      sha256: string
      /** as it came: by it a repeat is known */
      receivedSha256: string
      /** of a draft; once it is sent the document has it */
      fileKey: string | null
      scan: Document['scan']
      createdAt: string
      submittedAt: Generated<string | null>
      documentId: Generated<number | null>
    }
    upload_try: { subject: string; minute: string; count: number }
  }
}
