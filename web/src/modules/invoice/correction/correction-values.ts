import {
  differenceLine,
  groupsTogether,
  settledGroups,
  type BilledLine,
  type Sale,
} from '@waybill/contract/invoice/correction'
import { invoiceTotals, lineNetCents, type VatGroup } from '@waybill/contract/invoice/totals'
import { sumCents } from '@waybill/contract/kit/money'
import type { LineValues } from '../invoice-values.ts'

const isFigure = (value: number | null | undefined): value is number =>
  typeof value === 'number' && !Number.isNaN(value)

/** What a line should be as it is typed; null while a figure is missing. */
export const typedLine = ({ correctedQuantity, correctedUnitPriceCents }: LineValues) =>
  isFigure(correctedQuantity) && isFigure(correctedUnitPriceCents)
    ? { quantity: correctedQuantity, unitPriceCents: correctedUnitPriceCents }
    : null

/** What a line differs by from what is billed, net; null while a figure is missing. */
export function differenceOf(billed: BilledLine, line: LineValues): number | null {
  const after = typedLine(line)
  return after === null ? null : lineNetCents(after) - billed.netCents
}

/** A line that is to be corrected, at first as it was billed. */
export const correctedFrom = (billed: BilledLine, quantity = billed.quantity): LineValues => ({
  kind: billed.kind,
  text: billed.text,
  vatBp: billed.vatBp,
  vatCategory: billed.vatCategory,
  orderId: billed.orderId,
  routeId: billed.routeId,
  extraId: null,
  ...differenceLine(billed, { quantity, unitPriceCents: billed.unitPriceCents }),
  correctsLineId: billed.lineId,
  correctedQuantity: quantity,
  correctedUnitPriceCents: billed.unitPriceCents,
})

/** The lines that take back all that is billed; a line that is in the form already keeps its id. */
export const allToZero = (billed: readonly BilledLine[], lines: readonly LineValues[]): LineValues[] =>
  billed.flatMap((line) => {
    if (line.quantity === 0) return []
    const known = lines.find(({ correctsLineId }) => correctsLineId === line.lineId)
    return [{ ...(known?.id !== undefined && { id: known.id }), ...correctedFrom(line, 0) }]
  })

/** True where nothing of what is billed is left. */
export const takesAllBack = (billed: readonly BilledLine[], lines: readonly LineValues[]): boolean =>
  lines.every(({ correctsLineId }) => correctsLineId != null) &&
  billed.some(({ quantity }) => quantity !== 0) &&
  billed.every(
    ({ lineId, quantity }) =>
      quantity === 0 || lines.some((line) => line.correctsLineId === lineId && line.correctedQuantity === 0),
  )

export interface ComparedSums {
  groups: (Pick<VatGroup, 'vatBp' | 'vatCategory'> & { before: number; after: number; difference: number })[]
  net: { before: number; after: number; difference: number }
  total: { before: number; after: number; difference: number }
}

/** Net, VAT and total before the correction, after it, and what it comes to. */
export function comparedSums(
  { groups: before, netCents, totalCents }: Sale['billed'],
  billed: readonly BilledLine[],
  lines: readonly LineValues[],
): ComparedSums {
  const priced = lines.flatMap((line) => {
    const { vatBp, vatCategory, correctsLineId } = line
    if (correctsLineId == null)
      return isFigure(line.quantity) && isFigure(line.unitPriceCents) && isFigure(vatBp)
        ? [{ quantity: line.quantity, unitPriceCents: line.unitPriceCents, vatBp, vatCategory }]
        : []
    const was = billed.find(({ lineId }) => lineId === correctsLineId)
    const after = typedLine(line)
    return was === undefined || after === null
      ? []
      : [{ ...differenceLine(was, after), vatBp: was.vatBp, vatCategory: was.vatCategory }]
  })
  const own = settledGroups(before, invoiceTotals(priced).vatGroups)
  const after = groupsTogether([...before, ...own])
  const of = (groups: readonly VatGroup[], { vatBp, vatCategory }: VatGroup): number =>
    groups.find((one) => one.vatBp === vatBp && one.vatCategory === vatCategory)?.vatCents ?? 0
  const net = sumCents(own.map((group) => group.netCents))
  const total = sumCents([net, ...own.map((group) => group.vatCents)])
  return {
    groups: after.map((group) => ({
      vatBp: group.vatBp,
      vatCategory: group.vatCategory,
      before: of(before, group),
      after: group.vatCents,
      difference: of(own, group),
    })),
    net: { before: netCents, after: netCents + net, difference: net },
    total: { before: totalCents, after: totalCents + total, difference: total },
  }
}
