import { groupsTogether, type CorrectionLooks } from '@waybill/contract/invoice/correction'
import { lineNetCents, type VatGroup } from '@waybill/contract/invoice/totals'
import { sumCents } from '@waybill/contract/kit/money'
import type { Ctx, Ports } from '../../../kit/context/context.ts'
import { cancelsOut } from '../invoice.rules.ts'
import { submissionOf } from '../ksef/submission.query.ts'
import { billedBefore } from './sale.query.ts'

type PrintedCorrection = NonNullable<Parameters<Ports['invoicePdf']>[0]['correctionOf']>

interface Looked {
  id: number
  seller: { countryCode: string } | null
  correctionOfId: number | null
  totalCents: number
  language: string
  vatGroups: readonly VatGroup[]
}

interface Corrected extends Looked {
  correctionReason: string | null
}

const totalOf = (groups: readonly VatGroup[]): number =>
  sumCents(groups.flatMap(({ netCents, vatCents }) => [netCents, vatCents]))

// Polish law wants what was invoiced and what it should be, line by line (art. 106j ustawy o VAT).
const mustCompare = ({ seller, language }: Looked): boolean => seller?.countryCode === 'PL' || language === 'pl'

async function isCreditNote(ctx: Ctx, { id, totalCents }: { id: number; totalCents: number }): Promise<boolean> {
  if (totalCents >= 0) return false
  const customer = await ctx.db
    .selectFrom('customer')
    .innerJoin('invoice', 'invoice.billingCustomerId', 'customer.id')
    .select('customer.creditNotes')
    .where('invoice.id', '=', id)
    .executeTakeFirst()
  return customer?.creditNotes === true
}

/** What a correction is called as it is now; null of any other invoice. */
export async function correctionLooks(ctx: Ctx, invoice: Looked): Promise<CorrectionLooks | null> {
  if (invoice.correctionOfId === null) return null
  const { groups } = await billedBefore(ctx, invoice.correctionOfId, invoice.id)
  return {
    isFull: cancelsOut([...groups, ...invoice.vatGroups]),
    isCreditNote: !mustCompare(invoice) && (await isCreditNote(ctx, invoice)),
  }
}

/** What the paper of a correction says of its original: the number, the reason, and what it was and is to be. */
export async function printedCorrection(
  ctx: Ctx,
  invoice: Corrected,
  original: { id: number; number: string | null; invoiceDate: string | null },
): Promise<PrintedCorrection> {
  const { lines: billed, groups: before } = await billedBefore(ctx, original.id, invoice.id)
  const lines = await ctx.db
    .selectFrom('invoice_line')
    .select(['text', 'vatBp', 'vatCategory', 'netCents'])
    .select(['correctsLineId', 'correctedQuantity', 'correctedUnitPriceCents'])
    .where('invoiceId', '=', invoice.id)
    .orderBy('position')
    .execute()
  const isCompared = mustCompare(invoice)
  const after = [...before, ...invoice.vatGroups]
  return {
    number: original.number ?? '',
    ksefNumber: (await submissionOf(ctx, original.id))?.number ?? null,
    invoiceDate: original.invoiceDate,
    reason: invoice.correctionReason,
    isFull: cancelsOut(after),
    isCreditNote: !isCompared && (await isCreditNote(ctx, invoice)),
    isCompared,
    beforeCents: totalOf(before),
    afterCents: totalOf(after),
    groups: groupsTogether(after).map((group) => {
      const was = groupsTogether(before).find(
        ({ vatBp, vatCategory }) => vatBp === group.vatBp && vatCategory === group.vatCategory,
      )
      const { netCents, vatCents, vatBp, vatCategory } = group
      return {
        vatBp,
        vatCategory,
        before: { netCents: was?.netCents ?? 0, vatCents: was?.vatCents ?? 0 },
        after: { netCents, vatCents },
      }
    }),
    changes: lines.map(({ text, vatBp, vatCategory, netCents, ...line }) => {
      const was = billed.find(({ id }) => id === line.correctsLineId)
      const is = { quantity: line.correctedQuantity, unitPriceCents: line.correctedUnitPriceCents }
      const known = was !== undefined && is.quantity !== null && is.unitPriceCents !== null
      const priced = (quantity: number, unitPriceCents: number) => ({
        quantity,
        unitPriceCents,
        netCents: lineNetCents({ quantity, unitPriceCents }),
      })
      return {
        text,
        vatBp,
        vatCategory,
        netCents,
        // What a correction adds was not there before.
        before: known ? priced(was.quantity, was.unitPriceCents) : null,
        after: known ? priced(is.quantity!, is.unitPriceCents!) : null,
      }
    }),
  }
}
