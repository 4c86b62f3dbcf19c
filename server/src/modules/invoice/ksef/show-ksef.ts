import type { OutgoingEInvoice } from '@waybill/contract/invoice/e-invoice/sending'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { vatInZloty, type InZloty } from '@waybill/contract/invoice/ksef/zloty'
import { isSendable } from '@waybill/contract/invoice/status'
import { localOf } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { partiesNow, sellingCompany } from '../billing.query.ts'
import { pdfDataOf } from '../invoice-pdf.builder.ts'
import { readInvoice } from '../invoice.repository.ts'
import { fixedKsef, ksefFactsFor, ksefModeOf, ratesOf, type FixedKsef, type KsefFacts } from './ksef-facts.query.ts'
import { offlineKeyOf } from './interface/certificates.ts'
import { invoiceLink } from './qr-links.rules.ts'
import { ksefFindingsOf } from './send-by-ksef.ts'
import { reservedNumber, submissionOf } from './submission.query.ts'
import { waitsFor } from './waits-for.query.ts'

type Shown = Pick<OutgoingEInvoice, 'ksef' | 'findings' | 'xml'>

/** What KSeF has of a numbered invoice; null where it does not go there. */
export async function showNumbered(
  ctx: Ctx,
  { id, invoiceDate, company }: Pick<Invoice, 'id' | 'invoiceDate' | 'company'>,
): Promise<Shown | null> {
  const submission = await submissionOf(ctx, id)
  const fixed = (submission?.printed as FixedKsef | null) ?? (await fixedKsef(ctx, id))
  if (submission === null || fixed?.ksef === undefined) return null
  const facts = fixed.ksef
  const { mode, state, number, decidedAt, reason, sha256, madeAt, documentId } = submission
  const file =
    documentId === null
      ? null
      : await ctx.db
          .selectFrom('document')
          .select(['title', 'sizeBytes'])
          .where('id', '=', documentId)
          .executeTakeFirstOrThrow()
  return {
    findings: [],
    xml: file && { ...file, sha256: sha256!, madeAt: madeAt! },
    ksef: {
      mode,
      state,
      number,
      decidedAt,
      reason,
      url: sha256 && invoiceLink({ mode, sellerNip: facts.sellerNip, invoiceDate: invoiceDate!, sha256 }),
      rateMissing: null,
      ...zlotyOf(fixed, facts),
      trouble: submission.trouble,
      reservedNumber: null,
      waitsFor: null,
      upo: await upoOf(ctx, submission),
      offline: offlineOf(ctx, submission),
      canGoOffline: await canGoOffline(ctx, submission, company!.id),
    },
  }
}

/** VAT in złoty as paper and XML say it; none as long as a rate is missing. */
function zlotyOf(printed: InZloty, facts: KsefFacts): Pick<Ksef, 'rates' | 'vatGrosz'> {
  const zloty = facts.ratesMissing ? null : vatInZloty(printed, ratesOf(facts))
  return {
    rates: (zloty?.parts ?? []).map(({ grosz, rate: { day, tableNumber, rateE4 } }) => ({
      day,
      tableNumber,
      rateE4,
      grosz,
    })),
    vatGrosz: zloty?.grosz ?? null,
  }
}

type Submission = NonNullable<Awaited<ReturnType<typeof submissionOf>>>
type Ksef = NonNullable<OutgoingEInvoice['ksef']>

async function upoOf(ctx: Ctx, { upoDocumentId }: Submission): Promise<Ksef['upo']> {
  if (upoDocumentId === null) return null
  const found = await ctx.db.selectFrom('document').select('title').where('id', '=', upoDocumentId).executeTakeFirst()
  return found === undefined ? null : { documentId: upoDocumentId, title: found.title }
}

function offlineOf(ctx: Ctx, { offlineAt, submitBy, state }: Submission): Ksef['offline'] {
  if (offlineAt === null || submitBy === null) return null
  const today = localOf(nowOf(ctx), 'Europe/Warsaw').date
  return { at: offlineAt, submitBy, isLate: state !== 'accepted' && submitBy < today }
}

async function canGoOffline(
  ctx: Ctx,
  { offlineAt, state, trouble }: Submission,
  companyId: number,
): Promise<Ksef['canGoOffline']> {
  if (offlineAt !== null || state !== 'queued' || trouble === null) return null
  return (await offlineKeyOf(ctx, companyId)) === null ? 'no_certificate' : 'yes'
}

/** How a draft of a company in Poland would go out, and what hinders it; null of other companies. */
export async function showDraft(ctx: Ctx, view: Invoice): Promise<Shown | null> {
  const mode = view.companyId === null ? 'off' : await ksefModeOf(ctx, view.companyId)
  if (mode === 'off') return null
  // What is a draft again says why.
  const rejected = await submissionOf(ctx, view.id)
  const draft: Shown = {
    findings: [],
    xml: null,
    ksef: {
      mode,
      state: rejected === null ? null : 'rejected',
      number: null,
      decidedAt: rejected?.decidedAt ?? null,
      reason: rejected?.reason ?? null,
      url: null,
      rates: [],
      rateMissing: null,
      vatGrosz: null,
      trouble: null,
      reservedNumber: await reservedNumber(ctx, view.id),
      waitsFor: null,
      upo: null,
      offline: null,
      canGoOffline: null,
    },
  }
  if (!isSendable(view.entityType, view.status)) return draft
  const { timeZone } = (await sellingCompany(ctx, view.companyId!))!
  const today = localOf(nowOf(ctx), timeZone).date
  const invoice = (await readInvoice(ctx, view.id))!
  const shown = { ...invoice, ...(await partiesNow(ctx, view)), number: '1', invoiceDate: today, dueDate: today }
  const printed = await pdfDataOf(ctx, shown)
  const facts = (await ksefFactsFor(ctx, shown, printed))!
  return {
    findings: ksefFindingsOf(ctx, invoice, { printed, ksef: facts }),
    xml: null,
    ksef: {
      ...draft.ksef!,
      waitsFor: await waitsFor(ctx, invoice),
      rateMissing: facts.ratesMissing?.[0] ?? null,
      ...zlotyOf(printed, facts),
    },
  }
}
