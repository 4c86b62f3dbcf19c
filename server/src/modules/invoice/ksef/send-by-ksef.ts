import { sumsFit } from '@waybill/contract/invoice/e-invoice/rules'
import { KSEF_FINDING_TEXTS, ksefFindings, type KsefFinding } from '@waybill/contract/invoice/ksef/rules'
import { rateDay } from '@waybill/contract/invoice/ksef/rate'
import { isHandedOver } from '@waybill/contract/e-invoice/ksef-states'
import type { Language } from '@waybill/contract/errors'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { filled } from '../../../kit/texts/texts.ts'
import type { Printed } from '../e-invoice/content.rules.ts'
import { refuseOtherAmounts } from '../e-invoice/prove-e-invoice.ts'
import type { PdfData } from '../invoice-pdf.builder.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { invoiceView } from '../invoice.query.ts'
import type { NewPaper } from '../invoice.repository.ts'
import { dateText } from '../invoice.rules.ts'
import { scheduleSubmission } from './interface/submit-to-ksef.ts'
import type { KsefFacts } from './ksef-facts.query.ts'
import { markOf, xmlOf } from './make-ksef-xml.ts'
import { waitsFor, type Correction } from './waits-for.query.ts'

interface Proving {
  id: number
  companyId: number | null
  billingCustomerId: number | null
  correctionOfId: number | null
  language: Language
  amountCents: number
  vatCents: number
  totalCents: number
}

/** What hinders an invoice on its way to KSeF, in the caller's language, each with the field that mends it. */
export function ksefFindingsOf(
  ctx: Ctx,
  invoice: Pick<Proving, 'companyId' | 'billingCustomerId'>,
  { printed, ksef }: { printed: Printed; ksef: KsefFacts },
) {
  const { seller, buyer, lines, notes, servicePeriodFrom, servicePeriodTo, correctionOf = null } = printed
  const { ratesMissing = [] } = ksef
  const findings = ksefFindings({
    seller,
    buyer: { ...buyer, countryCode: ksef.buyerCountryCode },
    lines,
    notes,
    servicePeriodFrom,
    servicePeriodTo,
    isCorrection: correctionOf !== null,
    isSumWrong: !sumsFit({ ...printed, correctionOf }),
    isRateMissing: ratesMissing.length > 0,
  })
  const ids = { invoice: null, company: invoice.companyId, customer: invoice.billingCustomerId }
  return findings.map(({ rule, text, record, path }) => ({
    rule: `FA(3) ${rule}`,
    message: filled(KSEF_FINDING_TEXTS[asWorded(ctx, text)][ctx.language], {
      day: ratesMissing.map((day) => dateText(day, ctx.language)).join(', '),
    }),
    record,
    recordId: ids[record],
    path,
  }))
}

/** Where NBP is asked, a missing rate is one that it has not given. */
const asWorded = ({ ports }: Ctx, text: KsefFinding['text']): KsefFinding['text'] =>
  text === 'exchangeRate' && ports.nbp !== null ? 'exchangeRateSilent' : text

/**
 * What KSeF would be given, and the PDF with its mark, made once before a number is given. Errors: `e_invoice_rule` at
 * each field that hinders it.
 */
export async function proveKsef(
  ctx: Ctx,
  invoice: Proving,
  { printed, ksef }: { printed: PdfData; ksef: KsefFacts },
): Promise<void> {
  const findings = ksefFindingsOf(ctx, invoice, { printed, ksef })
  if (findings.length > 0)
    throw new AppError('validation', {
      fields: findings.map(({ record, path, rule, message }) => ({
        path: record === 'invoice' ? path : `${record}.${path}`,
        code: 'e_invoice_rule',
        params: { rule, message },
      })),
    })
  const xml = xmlOf(printed, ksef, new Date(nowOf(ctx)))
  await refuseOtherAmounts({ ...invoice, printed }, xml)
  const mark = markOf(printed, ksef, { sha256: xml.sha256, number: null })
  await ctx.ports.invoicePdf({ ...printed, ksefMark: mark }, invoice.language)
}

/**
 * A correction names its original by the number of KSeF, and says what its lines were before. Errors:
 * `ksef_number_awaited` while the original has no number yet, `ksef_correction_undecided` while KSeF has another
 * correction of it in hand.
 */
export async function refuseBeforeOthers(ctx: Ctx, { id, correctionOfId }: Correction): Promise<void> {
  const first = await waitsFor(ctx, { id, correctionOfId })
  if (first !== null)
    throw new AppError(first.id === correctionOfId ? 'ksef_number_awaited' : 'ksef_correction_undecided')
}

/**
 * Notes that an invoice is on its way to KSeF, in the transaction that numbers it. Errors: `stale_version` where the
 * day that it was given needs the rate of another one.
 */
export async function submitToKsef(
  ctx: Ctx,
  { id, correctionOfId }: Pick<Proving, 'id' | 'correctionOfId'>,
  { facts: { mode, rates = [] }, paper }: { facts: KsefFacts; paper: NewPaper },
): Promise<void> {
  const invoiceDate = paper.printed.invoiceDate!
  if (correctionOfId === null && rates.some(({ taxPoint, day }) => day !== rateDay(taxPoint, invoiceDate)))
    throw new AppError('stale_version', { current: await invoiceView(ctx, visibleInvoices(ctx), id) })
  const common = { invoiceId: id, mode, createdAt: nowOf(ctx) }
  if (!isHandedOver(mode)) {
    await ctx.db
      .insertInto('ksef_submission')
      .values({ ...common, state: 'awaited' })
      .execute()
    return
  }
  const { printed, logoHash, language, title } = paper
  await ctx.db
    .insertInto('ksef_submission')
    .values({ ...common, state: 'queued', printed: JSON.stringify(printed), logoHash, language, title })
    .execute()
  await scheduleSubmission(ctx, id)
}
