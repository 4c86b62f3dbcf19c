import { createHash } from 'node:crypto'
import { ksefCheckSigns } from '@waybill/contract/invoice/ksef/numbers'
import type { Ctx } from '../../../src/kit/context/context.ts'
import {
  ksefFactsFor,
  ksefMarkOf,
  ksefXmlOf,
  type KsefFacts,
  type pdfDataOf,
} from '../../../src/modules/invoice/index.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { iso, MINUTE } from '../calendar.ts'
import { keepFile, type KeptFile } from '../files.ts'
import type { JournalEntry, World } from '../world.ts'

type PdfData = Awaited<ReturnType<typeof pdfDataOf>>
type FactsOf = Parameters<typeof ksefFactsFor>[1]

/** Since then firms of the size of ours have no other way; what they wrote before never went there. */
const SINCE = '2026-04-01'
/** The newest ones wait for the number that somebody types; one a while before was sent without. */
const AWAITED = 2
const WITHOUT_AT = 3
const WHY_WITHOUT = 'KSeF nie odpowiadał, klient potrzebował faktury tego samego dnia'

/** A sent invoice, as far as KSeF looks at it. */
export interface SentInvoice {
  id: number
  columns: Pick<FactsOf, 'companyId' | 'billingCustomerId'> & { language: string }
  /** as it stands on the paper */
  shown: Pick<FactsOf, 'seller' | 'buyer'>
  invoiceDate: string
  sentAt: number
  /** the paper's name */
  title: string
  original: { id: number; invoiceDate: string } | null
  /** no correction of it, and none itself: nothing rests on its number */
  isAlone: boolean
  isPaid: boolean
}

/** What KSeF has of an invoice. */
interface KsefIssue {
  facts: KsefFacts
  state: 'accepted' | 'awaited' | 'without'
  number: string | null
  xml: KeptFile
  mark: NonNullable<PdfData['ksefMark']>
}

/** A number as KSeF gives it: seller, day, twelve signs and two that check them. */
function numberOf({ sellerNip }: KsefFacts, { id, invoiceDate }: SentInvoice): string {
  const signs = createHash('sha256').update(`ksef ${id}`).digest('hex').slice(0, 12).toUpperCase()
  const first = `${sellerNip}-${invoiceDate.replaceAll('-', '')}-${signs}`
  return `${first}-${ksefCheckSigns(first)}`
}

/**
 * The FA(3) of each invoice of our company in Poland, in the order of sending, and what became of it; null of others.
 * A correction names its original by that one's number.
 */
export async function issueInKsef(
  ctx: Ctx,
  sent: readonly SentInvoice[],
  { printed, kept }: { printed: readonly PdfData[]; kept: string[] },
): Promise<(KsefIssue | null)[]> {
  const facts = await Promise.all(
    sent.map(async ({ columns: { companyId, billingCustomerId }, shown, invoiceDate, original }, index) => {
      if (invoiceDate < SINCE) return null
      // Of a correction the rates are those of its original.
      const day = original?.invoiceDate ?? invoiceDate
      const invoice = { companyId, billingCustomerId, ...shown, correctionOfId: null }
      return ksefFactsFor(ctx, invoice, { ...printed[index]!, invoiceDate: day })
    }),
  )
  const alone = sent.filter(({ isAlone }, index) => isAlone && facts[index] !== null)
  const awaited = new Set(alone.filter(({ isPaid }) => !isPaid).slice(-AWAITED))
  const without = alone.filter((invoice) => !awaited.has(invoice)).at(-WITHOUT_AT)
  const numbers = new Map<number, string | null>()
  const issues: (KsefIssue | null)[] = []
  for (const [index, invoice] of sent.entries()) {
    const own = facts[index]
    if (!own) {
      issues.push(null)
      continue
    }
    const state = awaited.has(invoice) ? 'awaited' : invoice === without ? 'without' : 'accepted'
    const number = state === 'accepted' ? numberOf(own, invoice) : null
    numbers.set(invoice.id, number)
    const { original } = invoice
    const whole = { ...own, original: original && { number: numbers.get(original.id) ?? null } }
    const { bytes, sha256 } = ksefXmlOf(printed[index]!, whole, new Date(invoice.sentAt))
    const xml = await keepFile(ctx.ports.files, bytes)
    kept.push(xml.fileKey)
    issues.push({ facts: whole, state, number, xml, mark: ksefMarkOf(printed[index]!, whole, { sha256, number }) })
  }
  return issues
}

/** What the paper of an invoice in KSeF shows, fixed before the invoice is frozen; nothing is made of it yet. */
export const ksefPaperOf = ({ id, title, columns }: SentInvoice, { facts }: KsefIssue, printed: PdfData) => {
  const { logo: _logo, ...seller } = printed.seller
  return { invoiceId: id, printed: { ...printed, seller, ksef: facts }, language: columns.language, title }
}

/** Stores what KSeF has of frozen invoices, and names the PDFs of those that wait for nothing. */
export async function storeKsef(
  ctx: Ctx,
  world: World,
  issued: readonly { invoice: SentInvoice; issue: KsefIssue; pdf: (KeptFile & { documentId: number }) | null }[],
): Promise<JournalEntry[]> {
  const accountant = world.users.find((user) => user.job === 'accountant')!
  const xmlIds = await takeIds(ctx.db, 'document', issued.length)
  const decidedAt = ({ sentAt }: SentInvoice) => iso(sentAt + 25 * MINUTE)
  await insertRows(
    ctx.db,
    'document',
    issued.map(({ invoice: { id, title, sentAt }, issue }, index) => ({
      id: xmlIds[index],
      ownerKind: 'invoice',
      ownerId: id,
      documentType: 'CUSTOMER_INVOICE',
      title: title.replace(/\.pdf$/, '.xml'),
      contentType: 'application/xml',
      ...issue.xml,
      eInvoice: 'ksef',
      userId: accountant.id,
      createdAt: iso(sentAt),
    })),
  )
  await insertRows(
    ctx.db,
    'ksef_submission',
    issued.map(({ invoice, issue: { facts, state, number, xml } }, index) => ({
      invoiceId: invoice.id,
      mode: facts.mode,
      state,
      documentId: xmlIds[index],
      sha256: xml.sha256,
      madeAt: iso(invoice.sentAt),
      number,
      decidedAt: state === 'awaited' ? null : decidedAt(invoice),
      decidedById: state === 'awaited' ? null : accountant.id,
      reason: state === 'without' ? WHY_WITHOUT : null,
      tries: 0,
      createdAt: iso(invoice.sentAt),
    })),
  )
  const made = issued.flatMap(({ invoice, issue, pdf }, index) =>
    pdf === null ? [] : [{ invoice, pdf, xml: { documentId: xmlIds[index]!, ...issue.xml } }],
  )
  await insertRows(
    ctx.db,
    'invoice_artifact',
    made.flatMap(({ invoice, pdf, xml }) =>
      [['pdf', pdf] as const, ['xml', xml] as const].map(([kind, { documentId, sha256, sizeBytes }]) => ({
        invoiceId: invoice.id,
        kind,
        documentId,
        sha256,
        sizeBytes,
        madeAt: decidedAt(invoice),
      })),
    ),
  )
  for (const { invoice, pdf } of made)
    await ctx.db
      .updateTable('invoice_paper')
      .set({ documentId: pdf.documentId, madeAt: decidedAt(invoice) })
      .where('invoiceId', '=', invoice.id)
      .execute()
  return issued.flatMap(({ invoice, issue: { state, number } }): JournalEntry[] =>
    state === 'awaited'
      ? []
      : [
          {
            at: decidedAt(invoice),
            actorId: accountant.id,
            ownerKind: 'invoice',
            ownerId: invoice.id,
            action: state === 'accepted' ? 'ksefNumbered' : 'ksefLeftOut',
            changes: number === null ? [] : [{ path: 'ksefNumber', from: null, to: number }],
            reason: state === 'without' ? WHY_WITHOUT : null,
          },
        ],
  )
}
