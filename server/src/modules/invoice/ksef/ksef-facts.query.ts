import { sql } from 'kysely'
import { nipOf } from '@waybill/contract/invoice/ksef/numbers'
import { rateDay, type NbpRate, type TaxPointRate } from '@waybill/contract/invoice/ksef/rate'
import { taxPointsOf, type InZloty } from '@waybill/contract/invoice/ksef/zloty'
import type { KsefMode } from '@waybill/contract/e-invoice/ksef-states'
import type { Ctx } from '../../../kit/context/context.ts'
import { isBilledByPeriods } from '../billing.query.ts'
import type { PrintedInvoice } from '../invoice-pdf.builder.ts'
import '../invoice.table.ts'
import './ksef.table.ts'
import { submissionOf } from './submission.query.ts'

/** What an invoice says in KSeF beside what its PDF shows; fixed with the number, as the PDF's data are. */
export interface KsefFacts {
  mode: Exclude<KsefMode, 'off'>
  sellerNip: string
  sellerCountryCode: string
  buyerCountryCode: string
  /** by which VAT is said in złoty, a rate for each tax point; none where none is charged */
  rates?: TaxPointRate[]
  /** of what was fixed before an invoice could have more than one (decision 149) */
  rate?: NbpRate | null
  /** the days whose rate is needed and not known; none of what is fixed */
  ratesMissing?: string[]
  /** its customer is billed by periods, and the invoice names the period (Polish VAT Act, Art. 19a(3)) */
  isOfPeriod?: boolean
  /** of a correction: the number of its original, null where that went without KSeF */
  original: { number: string | null } | null
}

/** How one of our companies issues its invoices. */
export async function ksefModeOf(ctx: Ctx, companyId: number): Promise<KsefMode> {
  const { rows } = await sql<{ mode: KsefMode }>`
    select "ksefMode" as mode from company where id = ${companyId}
  `.execute(ctx.db)
  return rows[0]?.mode ?? 'off'
}

/** The rates of what was fixed, or is about to be. */
export const ratesOf = ({ rates, rate }: KsefFacts): readonly TaxPointRate[] =>
  rates ?? (rate ? [{ ...rate, taxPoint: null }] : [])

/** What the paper of an invoice shows, as far as its rates go. */
type Rated = InZloty & { invoiceDate: string | null }

/** The day of the table that each tax point of an invoice needs; those of a correction are its original's. */
async function neededRates(
  ctx: Ctx,
  correctionOfId: number | null,
  printed: Rated,
): Promise<{ taxPoint: string | null; day: string }[]> {
  const original =
    correctionOfId === null
      ? null
      : await ctx.db
          .selectFrom('invoice')
          .select(['invoiceDate', 'servicePeriodTo'])
          .where('id', '=', correctionOfId)
          .executeTakeFirstOrThrow()
  const { invoiceDate } = original ?? printed
  return taxPointsOf({ ...printed, ...original }).map((taxPoint) => ({
    taxPoint,
    day: rateDay(taxPoint, invoiceDate!),
  }))
}

type KsefRates = Required<Pick<KsefFacts, 'rates' | 'ratesMissing'>>

/** The rates of an invoice; a correction takes those of its original. */
async function ratesFor(ctx: Ctx, original: KsefFacts | null, needed: Needed): Promise<KsefRates> {
  const fixed = original === null ? [] : ratesOf(original)
  if (needed.length === 0) return { rates: [], ratesMissing: [] }
  if (fixed.length > 0) return { rates: [...fixed], ratesMissing: [] }
  const known = await ctx.db
    .selectFrom('nbp_rate')
    .select(['day', 'tableNumber', 'rateE4'])
    .where('day', 'in', [...new Set(needed.map(({ day }) => day))])
    .execute()
  const found = needed.map(({ taxPoint, day }) => ({ taxPoint, day, rate: known.find((one) => one.day === day) }))
  return {
    rates: found.flatMap(({ taxPoint, rate }) => (rate ? [{ ...rate, taxPoint }] : [])),
    ratesMissing: [...new Set(found.flatMap(({ day, rate }) => (rate ? [] : [day])))],
  }
}

type Needed = Awaited<ReturnType<typeof neededRates>>

type Issued = Pick<PrintedInvoice, 'companyId' | 'billingCustomerId' | 'correctionOfId' | 'seller' | 'buyer'>

/** What an invoice is about to say in KSeF, by its paper; null where its company issues none there. */
export async function ksefFactsFor(ctx: Ctx, invoice: Issued, printed: Rated): Promise<KsefFacts | null> {
  const { companyId, billingCustomerId, correctionOfId, seller, buyer } = invoice
  const mode = companyId === null ? 'off' : await ksefModeOf(ctx, companyId)
  if (mode === 'off') return null
  const original = correctionOfId === null ? null : ((await fixedKsef(ctx, correctionOfId))?.ksef ?? null)
  const { rates, ratesMissing } = await ratesFor(ctx, original, await neededRates(ctx, correctionOfId, printed))
  const isOfPeriod =
    correctionOfId === null
      ? await isBilledByPeriods(ctx, { companyId: companyId!, customerId: billingCustomerId! })
      : original?.isOfPeriod
  return {
    mode,
    sellerNip: nipOf(seller.vatNumber) ?? '',
    sellerCountryCode: seller.countryCode,
    buyerCountryCode: buyer.countryCode,
    rates,
    ...(ratesMissing.length > 0 && { ratesMissing }),
    ...(isOfPeriod && { isOfPeriod }),
    original: correctionOfId === null ? null : { number: (await submissionOf(ctx, correctionOfId))?.number ?? null },
  }
}

/** What was fixed with the number of an invoice, with what it says in KSeF. */
export type FixedKsef = InZloty & { ksef?: KsefFacts }

/** What was fixed with the number of an invoice; null where it has no paper yet. */
export async function fixedKsef(ctx: Ctx, invoiceId: number): Promise<FixedKsef | null> {
  const paper = await ctx.db
    .selectFrom('invoice_paper')
    .select('printed')
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst()
  return (paper?.printed as FixedKsef | undefined) ?? null
}
