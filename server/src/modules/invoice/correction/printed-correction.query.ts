import { groupsTogether } from '@waybill/contract/invoice/correction'
import { lineNetCents, type VatGroup } from '@waybill/contract/invoice/totals'
import { sumCents } from '@waybill/contract/kit/money'
import type { Ctx } from '../../../kit/context/context.ts'
import type { PdfData, PrintedInvoice } from '../invoice-pdf.builder.ts'
import { cancelsOut } from '../invoice.rules.ts'
import { billedBefore } from './sale.query.ts'

type PrintedCorrection = NonNullable<PdfData['correctionOf']>

const totalOf = (groups: readonly VatGroup[]): number =>
  sumCents(groups.flatMap(({ netCents, vatCents }) => [netCents, vatCents]))

// Polish law wants what was invoiced and what it should be, line by line (art. 106j ustawy o VAT).
const mustCompare = ({ seller, language }: PrintedInvoice): boolean => seller.countryCode === 'PL' || language === 'pl'

/** What the paper of a correction says of its original: the number, the reason, and what it was and is to be. */
export async function printedCorrection(
  ctx: Ctx,
  invoice: PrintedInvoice,
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
  const isCreditNote =
    invoice.totalCents < 0 &&
    (await ctx.db
      .selectFrom('customer')
      .innerJoin('invoice', 'invoice.billingCustomerId', 'customer.id')
      .select('customer.creditNotes')
      .where('invoice.id', '=', invoice.id)
      .executeTakeFirst())!.creditNotes
  const after = [...before, ...invoice.vatGroups]
  return {
    number: original.number ?? '',
    invoiceDate: original.invoiceDate,
    reason: invoice.correctionReason,
    isFull: cancelsOut(after),
    isCreditNote,
    isCompared: mustCompare(invoice),
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
