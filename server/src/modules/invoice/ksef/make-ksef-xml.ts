import { createHash } from 'node:crypto'
import type { Language } from '@waybill/contract/errors'
import { rateText } from '@waybill/contract/invoice/ksef/rate'
import { vatInZloty } from '@waybill/contract/invoice/ksef/zloty'
import { isAwaited } from '@waybill/contract/e-invoice/ksef-states'
import { inTransaction, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { keepFile, removeStray, storeDocument } from '../../document/index.ts'
import type { Printed } from '../e-invoice/content.rules.ts'
import { refuseOtherAmounts, type MadeXml } from '../e-invoice/prove-e-invoice.ts'
import type { PdfData } from '../invoice-pdf.builder.ts'
import { fileNameOf, xmlNameOf } from '../invoice.rules.ts'
import { ratesOf, type KsefFacts } from './ksef-facts.query.ts'
import { submissionOf } from './submission.query.ts'
import { invoiceLink } from './qr-links.rules.ts'
import { writeFa3 } from './write-fa3.rules.ts'

/** The FA(3) of an invoice as its file lies in the store. */
export interface KsefXml {
  documentId: number
  sha256: string
  sizeBytes: number
}

type KsefMark = NonNullable<PdfData['ksefMark']>

/** The FA(3) of what was fixed, with its hash. */
export function xmlOf(printed: Printed, facts: KsefFacts, createdAt: Date): MadeXml & { sha256: string } {
  const bytes = writeFa3(printed, facts, createdAt)
  return { bytes, eInvoice: 'ksef', inPdf: undefined, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** What the PDF shows of KSeF. */
export function markOf(
  printed: Printed,
  facts: KsefFacts,
  { sha256, number, certificateUrl }: { sha256: string; number: string | null; certificateUrl?: string | null },
): KsefMark {
  const { mode, sellerNip } = facts
  const vat = vatInZloty(printed, ratesOf(facts))
  return {
    url: invoiceLink({ mode, sellerNip, invoiceDate: printed.invoiceDate!, sha256 }),
    number,
    ...(certificateUrl && { certificateUrl }),
    vat: vat && {
      grosz: vat.grosz,
      parts: vat.parts.map(({ grosz, rate: { rateE4, tableNumber, day } }) => ({
        grosz,
        rate: rateText(rateE4),
        tableNumber,
        day,
      })),
    },
  }
}

interface Fixed {
  printed: Printed
  facts: KsefFacts
  language: Language
  frozenAt: string
  amountCents: number
  vatCents: number
  totalCents: number
}

/** Puts the FA(3) into the store and names it, once; gives the one that stands. */
export async function keepXml(ctx: Ctx, invoiceId: number, fixed: Fixed): Promise<KsefXml> {
  const found = await standing(ctx, invoiceId)
  if (found !== null) return found
  const { printed, facts, language, frozenAt } = fixed
  const made = xmlOf(printed, facts, new Date(frozenAt))
  await refuseOtherAmounts(fixed, made)
  const kept = await keepFile(ctx, made.bytes)
  return inTransaction(ctx, async (inner) => {
    await inner.db
      .selectFrom('ksef_submission')
      .select('id')
      .where('invoiceId', '=', invoiceId)
      .orderBy('id', 'desc')
      .limit(1)
      .forUpdate()
      .execute()
    const faster = await standing(inner, invoiceId)
    if (faster !== null) {
      await removeStray(inner, kept.fileKey)
      return faster
    }
    const { number, innerNumber, correctionOf: correction, buyer } = printed
    const documentId = await storeDocument(inner, {
      owner: { kind: 'invoice', id: invoiceId },
      documentType: 'CUSTOMER_INVOICE',
      title: xmlNameOf(fileNameOf({ number, innerNumber, correction, buyer }, language)),
      contentType: 'application/xml',
      kept,
      eInvoice: 'ksef',
    })
    await inner.db
      .updateTable('ksef_submission')
      .set({ documentId, sha256: kept.sha256, madeAt: nowOf(inner) })
      .where('invoiceId', '=', invoiceId)
      .where('documentId', 'is', null)
      .execute()
    return { documentId, sha256: kept.sha256, sizeBytes: kept.sizeBytes }
  })
}

/** The FA(3) that was made for the newest try; null while it is not. */
async function standing(ctx: Ctx, invoiceId: number): Promise<KsefXml | null> {
  const submission = await submissionOf(ctx, invoiceId)
  if (submission?.documentId == null) return null
  const { sizeBytes } = await ctx.db
    .selectFrom('document')
    .select('sizeBytes')
    .where('id', '=', submission.documentId)
    .executeTakeFirstOrThrow()
  return { documentId: submission.documentId, sha256: submission.sha256!, sizeBytes }
}

/**
 * What KSeF is given of a numbered invoice, made where it is not there yet, and what its PDF shows of it. `isAwaited`:
 * the PDF waits for the number. Call it outside of any transaction.
 */
export async function ksefPaper(
  ctx: Ctx,
  invoiceId: number,
  fixed: Fixed,
): Promise<{ xml: KsefXml; mark: KsefMark; isAwaited: boolean }> {
  const xml = await keepXml(ctx, invoiceId, fixed)
  const { state, number, certificateUrl } = (await submissionOf(ctx, invoiceId))!
  const mark = markOf(fixed.printed, fixed.facts, { sha256: xml.sha256, number, certificateUrl })
  return { xml, mark, isAwaited: isAwaited(state) }
}
