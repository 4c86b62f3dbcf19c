import { differenceLine } from '@waybill/contract/invoice/correction'
import type { InvoiceWrite } from '@waybill/contract/invoice/invoice'
import { AppError, type FieldFault } from '../../../kit/context/errors.ts'
import type { SaleLine } from './sale.query.ts'

type Lines = NonNullable<InvoiceWrite['lines']>
type Line = Lines[number]

const NOTHING_CORRECTED = { correctsLineId: null, correctedQuantity: null, correctedUnitPriceCents: null }

const sameAs = (before: SaleLine, { correctedQuantity, correctedUnitPriceCents }: Line): boolean =>
  before.quantity === correctedQuantity && before.unitPriceCents === correctedUnitPriceCents

/**
 * The lines of a correction as they are billed: what says how a line should be is the difference to what is billed now;
 * what is left as it was falls away. Errors: `unknown_reference` at a line that is not billed, `required` without
 * quantity or price, `duplicate_key` where two correct the same.
 */
export function correctedLines(written: Lines, billed: readonly SaleLine[]): Lines {
  const byId = new Map(billed.map((line) => [line.id, line]))
  const fields: FieldFault[] = []
  const lines = written.flatMap((line, index): Lines => {
    const { correctsLineId, correctedQuantity, correctedUnitPriceCents } = line
    if (correctsLineId === null || correctsLineId === undefined) return [{ ...line, ...NOTHING_CORRECTED }]
    const before = byId.get(correctsLineId)
    const fault = (field: string, code: FieldFault['code']) => {
      fields.push({ path: `lines.${index}.${field}`, code })
      return []
    }
    if (before === undefined) return fault('correctsLineId', 'unknown_reference')
    if (written.findIndex((one) => one.correctsLineId === correctsLineId) < index)
      return fault('correctsLineId', 'duplicate_key')
    if (correctedQuantity === null || correctedQuantity === undefined) return fault('correctedQuantity', 'required')
    if (correctedUnitPriceCents === null || correctedUnitPriceCents === undefined)
      return fault('correctedUnitPriceCents', 'required')
    if (sameAs(before, line)) return []
    const { kind, text, vatBp, vatCategory, orderId, routeId } = before
    const after = { quantity: correctedQuantity, unitPriceCents: correctedUnitPriceCents }
    return [
      {
        ...(line.id !== undefined && { id: line.id }),
        kind,
        text,
        vatBp,
        vatCategory,
        orderId,
        routeId,
        extraId: null,
        ...differenceLine(before, after),
        correctsLineId,
        correctedQuantity,
        correctedUnitPriceCents,
      },
    ]
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  return lines
}

/** The lines that take back all that is billed. */
export const mirrorOf = (billed: readonly SaleLine[]): Lines =>
  billed.flatMap(({ id, unitPriceCents, quantity, ...line }) =>
    quantity === 0
      ? []
      : [
          {
            ...line,
            quantity: -quantity,
            unitPriceCents,
            extraId: null,
            correctsLineId: id,
            correctedQuantity: 0,
            correctedUnitPriceCents: unitPriceCents,
          },
        ],
  )
