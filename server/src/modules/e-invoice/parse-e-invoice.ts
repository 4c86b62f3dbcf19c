import type { EInvoice, EInvoiceWarning } from '@waybill/contract/e-invoice/e-invoice'
import { RefusedXml } from '../../kit/xml/refused-xml.ts'
import { beginsLikeXml } from '../../kit/xml/xml-text.ts'
import { parseXml } from '../../kit/xml/xml-tree.ts'
import type { Noticed } from '../../kit/xml/xml-values.ts'
import { isCii, readCii } from './cii.rules.ts'
import { needed, type EInvoiceDraft } from './draft.rules.ts'
import { isKsef, readKsef } from './ksef.rules.ts'
import { RefusedEInvoice } from './refusal.rules.ts'
import { brokenSums } from './sums.rules.ts'
import { isUbl, readUbl } from './ubl.rules.ts'

// As many as an invoice of ours can have.
const MAX_LINES = 1_000
const MAX_SHOWN = 100

// Files inside an invoice: counted by who reads it, and not kept.
const isFile = (name: string): boolean => name.endsWith('BinaryObject')

const READERS = [
  { format: 'ubl', is: isUbl, read: readUbl },
  { format: 'cii', is: isCii, read: readCii },
  { format: 'ksef', is: isKsef, read: readKsef },
] as const

/**
 * Reads an electronic invoice by its bytes: UBL, CII or KSeF as XML, or a PDF with one of them in it. Time and memory
 * are limited by the process that this runs in. Rejects with `RefusedEInvoice`.
 */
export async function parseEInvoice(bytes: Uint8Array): Promise<EInvoice> {
  const isPdf = Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')
  if (!isPdf && !beginsLikeXml(bytes)) throw new RefusedEInvoice('e_invoice_unknown')
  // What takes PDFs apart is large: an XML does without it.
  const xml = isPdf ? await (await import('./embedded-xml.rules.ts')).embeddedXml(bytes) : bytes
  try {
    const root = parseXml(xml, { isFile })
    const reader = READERS.find(({ is }) => is(root))
    if (reader === undefined) throw new RefusedEInvoice('e_invoice_unknown')
    const noticed: Noticed = { rounded: false }
    const draft = reader.read(root, noticed)
    return finished(draft, isPdf ? 'zugferd' : reader.format, noticed)
  } catch (error) {
    throw error instanceof RefusedXml ? new RefusedEInvoice(`e_invoice_${error.code}`) : error
  }
}

// Who types the total over would pay what was paid before. A rounding of what is due is no payment.
const isPrepaid = (
  { totalCents, payableCents }: Pick<EInvoice, 'totalCents' | 'payableCents'>,
  others: EInvoiceDraft['others'],
): boolean => (others === null ? payableCents !== totalCents : (others.prepaid ?? 0) !== 0)

function finished(draft: EInvoiceDraft, format: EInvoice['format'], { rounded }: Noticed): EInvoice {
  const { others, ...said } = draft
  const currency = needed(said.currency)
  if (!/^[A-Z]{3}$/.test(currency)) throw new RefusedEInvoice('e_invoice_incomplete')
  const totalCents = needed(said.totalCents)
  const whole = {
    ...said,
    format,
    currency,
    number: needed(said.number),
    issueDate: needed(said.issueDate),
    netCents: needed(said.netCents),
    vatCents: needed(said.vatCents),
    totalCents,
    payableCents: said.payableCents ?? totalCents,
  }
  const warnings: EInvoiceWarning[] = [
    ...brokenSums(whole, others),
    ...(isPrepaid(whole, others) ? (['prepaid'] as const) : []),
    ...(rounded ? (['rounded'] as const) : []),
    ...(whole.lines.length > MAX_LINES ? (['lines_cut'] as const) : []),
  ]
  return {
    ...whole,
    vatGroups: whole.vatGroups.slice(0, MAX_SHOWN),
    lines: whole.lines.slice(0, MAX_LINES),
    notes: whole.notes.slice(0, MAX_SHOWN),
    warnings,
  }
}
