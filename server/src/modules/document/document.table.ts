import type { Generated } from 'kysely'
import type { Document, DocumentOwner, DocumentType } from '@waybill/contract/document'

declare module '../../kit/database/db.ts' {
  interface Tables {
    document: {
      id: Generated<number>
      version: Generated<number>
      ownerKind: DocumentOwner
      ownerId: number
      documentType: DocumentType
      /** the name under which it came or was made, with its extension */
      title: string
      contentType: string
      sizeBytes: number
      sha256: string
      /** null: the file was deleted at the end of its period, its row tells what it was (decision 171) */
      fileKey: string | null
      deletedAt: Generated<string | null>
      expiredAt: string | null
      /** of an insurance: the sum for one loss, in cents of a euro */
      insuredCents: Generated<number | null>
      /** the assignment that the file is about */
      orderCarrier: number | null
      /** what the virus scanner said when it came */
      scan: Generated<Document['scan']>
      /** of a proof of delivery: whether it counts */
      acceptance: Generated<Document['acceptance']>
      /** null also where it was accepted before mails were planned */
      acceptedAt: Generated<string | null>
      /** of a proof of delivery: the drop-offs that it proves; null: all of its route, or of the order */
      locationIds: Generated<number[] | null>
      refusalReason: Generated<string | null>
      checkedById: Generated<number | null>
      checkedAt: Generated<string | null>
      /** JSON: what undoing the last accepting or refusing restores */
      checkedFrom: Generated<unknown>
      /** how it came, if it is an electronic invoice */
      eInvoice: Generated<Document['eInvoice']>
      /** of an electronic invoice of which part was paid before */
      leftToPayCents: Generated<number | null>
      /** JSON: from what we made it; null of what came as it is */
      source: Generated<unknown>
      userId: number | null
      createdAt: string
    }
    /** PDFs whose pages were drawn, or could not be (`pages` null; decision 096). */
    drawn_document: { documentId: number; pages: number | null; drawnAt: string }
    /** Their pages as JPEG, by hash. */
    drawn_document_page: { documentId: number; page: number; fileKey: string; sha256: string; sizeBytes: number }
  }
}
