import type { Generated } from 'kysely'
import type { KsefMode, KsefState } from '@waybill/contract/invoice/ksef/states'

declare module '../../../kit/database/db.ts' {
  interface Tables {
    /** The euro in NBP's table A of a day, in ten-thousandths of a złoty. */
    nbp_rate: { day: string; tableNumber: string; rateE4: number; enteredById: number | null; enteredAt: string }
    /** What KSeF was given of an invoice, and what became of it (decision 087). */
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
      createdAt: string
    }
  }
}
