import { isXRechnung } from '@waybill/contract/e-invoice/format'
import type { OutgoingEInvoice } from '@waybill/contract/invoice/e-invoice/sending'
import type { Ctx } from '../../../kit/context/context.ts'
import '../invoice.table.ts'
import type { EInvoiceFacts } from './facts.query.ts'

type Artifact = NonNullable<OutgoingEInvoice['xml']> & { documentId: number }

/** What was made of an invoice, by its kind; null where there is none. */
export async function artifactsOf(
  ctx: Ctx,
  invoiceId: number,
): Promise<{ xml: Artifact | null; pdf: Artifact | null }> {
  const rows = await ctx.db
    .selectFrom('invoice_artifact as made')
    .innerJoin('document', 'document.id', 'made.documentId')
    .select(['made.kind', 'made.documentId', 'made.sha256', 'made.sizeBytes', 'made.madeAt', 'document.title'])
    .where('made.invoiceId', '=', invoiceId)
    .execute()
  const of = (wanted: 'xml' | 'pdf'): Artifact | null => {
    const { kind: _kind, ...row } = rows.find(({ kind }) => kind === wanted) ?? { kind: null }
    return 'documentId' in row ? row : null
  }
  return { xml: of('xml'), pdf: of('pdf') }
}

/** The files that a mail of a sent invoice carries, the invoice itself first: of an XRechnung its XML, and the PDF. */
export async function sentFiles(ctx: Ctx, invoiceId: number): Promise<number[]> {
  const [facts, { xml, pdf }] = [await fixedFacts(ctx, invoiceId), await artifactsOf(ctx, invoiceId)]
  const carried = facts !== null && isXRechnung(facts.format) ? [xml, pdf] : [pdf]
  return carried.flatMap((made) => made?.documentId ?? [])
}

/** What was fixed for the XML of a sent invoice; null where the PDF alone is the invoice. */
export async function fixedFacts(ctx: Ctx, invoiceId: number): Promise<EInvoiceFacts | null> {
  const paper = await ctx.db
    .selectFrom('invoice_paper')
    .select('printed')
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst()
  return (paper?.printed as { eInvoice?: EInvoiceFacts } | undefined)?.eInvoice ?? null
}
