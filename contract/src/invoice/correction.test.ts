import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumCents } from '../kit/money.ts'
import { billedLines, differenceLine, groupsTogether, settledGroups, type CountedLine } from './correction.ts'
import { invoiceTotals, lineNetCents, mirroredLines, type PricedLine, type VatGroup } from './totals.ts'

const quantity = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((thousandths) => thousandths / 1000)
const priced = fc.record({ quantity, unitPriceCents: fc.integer({ min: 0, max: 100_000_000 }) })
const billable = fc.record({
  quantity: fc.integer({ min: 1, max: 50_000 }).map((thousandths) => thousandths / 1000),
  unitPriceCents: fc.integer({ min: 1, max: 1_000_000 }),
  vatBp: fc.constantFrom(0, 700, 1900, 2300),
})
const withCategory = <Line extends { vatBp: number }>(line: Line) => ({
  ...line,
  vatCategory: line.vatBp > 0 ? ('S' as const) : ('AE' as const),
})

describe('a difference', () => {
  test.each([
    ['the quantity alone', [2, 4500], [0, 4500], [-2, 4500]],
    ['the quantity to another', [2.5, 4500], [1, 4500], [-1.5, 4500]],
    ['the price alone, lower', [1, 132_000], [1, 123_000], [-1, 9000]],
    ['the price alone of two, lower', [2, 4500], [2, 4000], [-2, 500]],
    ['the price alone, higher', [3, 1000], [3, 1250], [3, 250]],
    ['both', [2, 4500], [1, 4000], [-1, 5000]],
    ['nothing', [2, 4500], [2, 4500], [0, 4500]],
    // 0.333 × 1.05 is 0.35, and 0.667 × 1.05 is 0.70: a third taken off would be 0.01 too little.
    ['a quantity whose parts are rounded', [0.333, 150], [0.666, 150], [0.333, 150]],
  ] as const)('of %s is one line', (_name, before, after, expected) => {
    const of = ([quantity, unitPriceCents]: readonly [number, number]) => ({ quantity, unitPriceCents })
    expect(differenceLine(of(before), of(after))).toEqual(of(expected))
  })

  test('makes any line any other one, to the cent, and its price is never negative', () => {
    fc.assert(
      fc.property(priced, priced, fc.boolean(), fc.boolean(), (before, other, keepsPrice, keepsQuantity) => {
        const after = {
          quantity: keepsQuantity ? before.quantity : other.quantity,
          unitPriceCents: keepsPrice ? before.unitPriceCents : other.unitPriceCents,
        }
        const line = differenceLine(before, after)
        expect(lineNetCents(before) + lineNetCents(line)).toBe(lineNetCents(after))
        expect(line.unitPriceCents).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

const counted = (id: number, line: Pick<PricedLine, 'quantity' | 'unitPriceCents'>): CountedLine => ({
  id,
  quantity: line.quantity,
  unitPriceCents: line.unitPriceCents,
  correctsLineId: null,
  correctedQuantity: null,
  correctedUnitPriceCents: null,
})

describe('what is billed', () => {
  test('is each line as it was corrected last, and those that corrections added', () => {
    const [freight, waiting] = [
      counted(1, { quantity: 1, unitPriceCents: 124_000 }),
      counted(2, { quantity: 2, unitPriceCents: 4500 }),
    ]
    const less = {
      ...counted(3, { quantity: -1, unitPriceCents: 4500 }),
      correctsLineId: 2,
      correctedQuantity: 1,
      correctedUnitPriceCents: 4500,
    }
    const discount = counted(4, { quantity: -1, unitPriceCents: 1000 })
    const none = {
      ...counted(5, { quantity: -1, unitPriceCents: 4500 }),
      correctsLineId: 2,
      correctedQuantity: 0,
      correctedUnitPriceCents: 4500,
    }
    expect(billedLines([freight, waiting, less, discount, none])).toEqual([
      freight,
      { ...waiting, quantity: 0 },
      discount,
    ])
  })
})

test('corrections in any parts, and then in full, mirror the invoice at every rate to the cent', () => {
  fc.assert(
    fc.property(
      fc.array(billable, { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(7), fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 })), {
        maxLength: 6,
      }),
      (written, steps) => {
        const lines = written.map(withCategory)
        const groups: VatGroup[] = [...invoiceTotals(lines).vatGroups]
        const now = lines.map((line) => ({ ...line }))
        const add = (corrected: PricedLine[]) => {
          const own = invoiceTotals(corrected).vatGroups
          groups.push(...settledGroups(groups, own))
        }
        for (const [at, quantityPart, pricePart] of steps) {
          const line = now[at % now.length]!
          const after = {
            quantity: Math.floor(line.quantity * quantityPart) / 1000,
            unitPriceCents: Math.floor((line.unitPriceCents * pricePart) / 1000),
          }
          add([{ ...line, ...differenceLine(line, after) }])
          Object.assign(line, after)
        }
        for (const { vatBp, vatCategory, netCents } of groupsTogether(groups)) {
          const nets = now.flatMap((line) =>
            line.vatBp === vatBp && line.vatCategory === vatCategory ? [lineNetCents(line)] : [],
          )
          expect(netCents).toBe(sumCents(nets))
        }
        add(mirroredLines(now))
        for (const left of groupsTogether(groups)) expect(left).toMatchObject({ netCents: 0, vatCents: 0 })
      },
    ),
  )
})

test('without the rounding rule, two halves of 100.04 at 19 % would leave a cent of VAT', () => {
  const group = (netCents: number, vatCents: number): VatGroup => ({
    vatBp: 1900,
    vatCategory: 'S',
    netCents,
    vatCents,
  })
  const [invoice, half] = [group(10_004, 1901), group(-5002, -950)]
  expect(settledGroups([invoice], [half])).toEqual([half])
  expect(settledGroups([invoice, half], [half])).toEqual([group(-5002, -951)])
})
