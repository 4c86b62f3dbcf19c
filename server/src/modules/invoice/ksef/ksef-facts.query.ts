import { sql } from 'kysely'
import { nipOf } from '@waybill/contract/invoice/ksef/numbers'
import { rateDay, type NbpRate } from '@waybill/contract/invoice/ksef/rate'
import { needsRate } from '@waybill/contract/invoice/ksef/rules'
import type { KsefMode } from '@waybill/contract/e-invoice/ksef-states'
import type { Ctx } from '../../../kit/context/context.ts'
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
  /** by which VAT is said in złoty; null where none is charged, or the rate is not known */
  rate: NbpRate | null
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

/** The euro rate of a day; null where nobody has entered it. */
async function nbpRateOf(ctx: Ctx, day: string): Promise<NbpRate | null> {
  const found = await ctx.db
    .selectFrom('nbp_rate')
    .select(['day', 'tableNumber', 'rateE4'])
    .where('day', '=', day)
    .executeTakeFirst()
  return found ?? null
}

type Rated = Pick<PrintedInvoice, 'correctionOfId' | 'invoiceDate' | 'servicePeriodTo' | 'vatGroups'>

/** The day of which an invoice needs the rate; null where no VAT is charged, or its original has fixed one. */
export async function neededRateDay(
  ctx: Ctx,
  { correctionOfId, invoiceDate, servicePeriodTo, vatGroups }: Rated,
): Promise<string | null> {
  if (!needsRate(vatGroups)) return null
  if (correctionOfId === null) return rateDay(servicePeriodTo, invoiceDate!)
  const original = await ctx.db
    .selectFrom('invoice')
    .select(['invoiceDate', 'servicePeriodTo'])
    .where('id', '=', correctionOfId)
    .executeTakeFirstOrThrow()
  return rateDay(original.servicePeriodTo, original.invoiceDate!)
}

/** A correction takes the rate of its original. */
async function rateFor(ctx: Ctx, invoice: Rated): Promise<NbpRate | null> {
  const day = await neededRateDay(ctx, invoice)
  if (day === null) return null
  const fixed = invoice.correctionOfId === null ? null : await fixedKsef(ctx, invoice.correctionOfId)
  return fixed?.rate ?? nbpRateOf(ctx, day)
}

/** What an invoice is about to say in KSeF; null where its company issues none there. */
export async function ksefFactsFor(
  ctx: Ctx,
  invoice: Rated & { companyId: number | null } & Pick<PrintedInvoice, 'seller' | 'buyer'>,
): Promise<KsefFacts | null> {
  const { companyId, correctionOfId, seller, buyer } = invoice
  const mode = companyId === null ? 'off' : await ksefModeOf(ctx, companyId)
  if (mode === 'off') return null
  return {
    mode,
    sellerNip: nipOf(seller.vatNumber) ?? '',
    sellerCountryCode: seller.countryCode,
    buyerCountryCode: buyer.countryCode,
    rate: await rateFor(ctx, invoice),
    original: correctionOfId === null ? null : { number: (await submissionOf(ctx, correctionOfId))?.number ?? null },
  }
}

/** The day of which an invoice lacks the rate; null where it needs none, or that is known. */
export async function missingRateDay(ctx: Ctx, invoice: Parameters<typeof ksefFactsFor>[1]): Promise<string | null> {
  const facts = await ksefFactsFor(ctx, invoice)
  return facts === null || facts.rate !== null ? null : neededRateDay(ctx, invoice)
}

/** What was fixed for KSeF with the number of an invoice; null where it does not go there. */
export async function fixedKsef(ctx: Ctx, invoiceId: number): Promise<KsefFacts | null> {
  const paper = await ctx.db
    .selectFrom('invoice_paper')
    .select('printed')
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst()
  return (paper?.printed as { ksef?: KsefFacts } | undefined)?.ksef ?? null
}
