import type { ColumnType, Generated } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { KsefCertificateKind, KsefMode, KsefState } from '@waybill/contract/e-invoice/ksef-states'

declare module '../../../kit/database/db.ts' {
  interface Tables {
    /** The euro in NBP's table A of a day, in ten-thousandths of a złoty. */
    nbp_rate: { day: string; tableNumber: string; rateE4: number; enteredById: number | null; enteredAt: string }
    /** What KSeF was given of an invoice, and what became of it (decision 085). */
    ksef_submission: {
      id: Generated<number>
      invoiceId: number
      mode: Exclude<KsefMode, 'off'>
      state: KsefState
      documentId: Generated<number | null>
      sha256: Generated<string | null>
      madeAt: Generated<string | null>
      number: Generated<string | null>
      decidedAt: Generated<string | null>
      decidedById: Generated<number | null>
      reason: Generated<string | null>
      /** through the interface: what its paper will show */
      printed: ColumnType<object | null, string | undefined, never>
      logoHash: Generated<string | null>
      language: Generated<Language | null>
      title: Generated<string | null>
      sessionReference: Generated<string | null>
      invoiceReference: Generated<string | null>
      submittedAt: Generated<string | null>
      upoDocumentId: Generated<number | null>
      /** when it was given out while KSeF was away, with the link of code II, and until when KSeF must have it */
      offlineAt: Generated<string | null>
      certificateUrl: Generated<string | null>
      submitBy: Generated<string | null>
      /** of one that was given out and rejected, and is handed over again: the hash of the first file */
      correctsSha256: Generated<string | null>
      tries: Generated<number>
      /** why it could not be handed over or asked about, last */
      trouble: Generated<string | null>
      createdAt: string
    }
    /** The number of an invoice that KSeF rejected. */
    ksef_reserved_number: { invoiceId: number; companyId: number; number: string }
    /** With what a company signs in, or signs offline; the key sealed. */
    ksef_certificate: {
      companyId: number
      kind: KsefCertificateKind
      certificate: string
      sealedKey: Buffer
      serial: string
      subject: string
      validFrom: string
      validTo: string
      enteredById: number | null
      enteredAt: string
    }
  }
}
