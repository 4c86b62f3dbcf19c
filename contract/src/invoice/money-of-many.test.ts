// What holds of every sum, over many random invoices with one seed: no cent is lost or made.
import { describe, expect, it } from 'vitest'
import { roundHalfAwayFromZero } from '../kit/money.ts'
import { splitCargo } from '../order/split-cargo.ts'
import { skontoOf, skontoOffers } from '../skonto/offers.ts'
import { billedLines, differenceLine, groupsTogether, settledGroups, type CountedLine } from './correction.ts'
import { invoiceTotals, lineNetCents, mirroredLines, type PricedLine, type VatGroup } from './totals.ts'

/** The same seed, the same invoices. */
const SEED = 4711

type Random = (below: number) => number

/** mulberry32 */
function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const RATES: readonly Pick<PricedLine, 'vatBp' | 'vatCategory'>[] = [
  { vatBp: 1900, vatCategory: 'S' },
  { vatBp: 700, vatCategory: 'S' },
  { vatBp: 2300, vatCategory: 'S' },
  { vatBp: 550, vatCategory: 'S' },
  { vatBp: 0, vatCategory: 'AE' },
  { vatBp: 0, vatCategory: 'E' },
]

const quantityOf = (random: Random): number => (random(2) === 0 ? 1 + random(50) : (1 + random(99_999)) / 1000)

function invoiceOf(random: Random): PricedLine[] {
  const lines = Array.from({ length: 1 + random(5) }, () => ({
    quantity: quantityOf(random),
    unitPriceCents: random(4) === 0 ? random(100) : random(1_000_000),
    ...RATES[random(RATES.length)]!,
  }))
  return random(4) === 0 ? [...lines, { ...lines[0]!, quantity: 1, unitPriceCents: -1 }] : lines
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Written a second time, with nothing of the code under test: a half goes away from zero. */
function rounded(numerator: bigint, denominator: bigint): number {
  const size = numerator < 0n ? -numerator : numerator
  const whole = size / denominator + ((size % denominator) * 2n >= denominator ? 1n : 0n)
  return Number(numerator < 0n ? -whole : whole)
}

// `expect` itself takes longer than the sums do.
let seen: unknown = null
function holds(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`seed ${SEED}: ${what}: ${JSON.stringify(seen)}`)
}

/** What of the first invoice that breaks it does not hold; null where all are right. */
function firstFault(invoices: number, check: (random: Random, lines: PricedLine[]) => void): string | null {
  const random = randomFrom(SEED)
  try {
    for (let index = 0; index < invoices; index += 1) {
      const lines = invoiceOf(random)
      seen = { index, lines }
      check(random, lines)
    }
    return null
  } catch (error) {
    return (error as Error).message
  }
}

function sumsHold(lines: readonly PricedLine[]): void {
  const { netCents, vatGroups, amountCents, vatCents, totalCents } = invoiceTotals(lines)
  holds(amountCents + vatCents === totalCents, 'net + VAT = gross')
  holds(sum(netCents) === amountCents, 'lines come to the net')
  holds(sum(vatGroups.map((group) => group.netCents)) === amountCents, 'nets of the rates come to the net')
  holds(sum(vatGroups.map((group) => group.vatCents)) === vatCents, 'VAT of the rates comes to the VAT')
  lines.forEach(({ quantity, unitPriceCents }, index) => {
    const thousandths = BigInt(Math.round(quantity * 1000))
    holds(netCents[index] === rounded(thousandths * BigInt(unitPriceCents), 1000n), `net of line ${index}`)
  })
  for (const { vatBp, vatCategory, netCents: net, vatCents: vat } of vatGroups) {
    holds(vat === rounded(BigInt(net) * BigInt(vatBp), 10_000n), `VAT of ${vatBp}`)
    const own = lines.flatMap((line, index) =>
      line.vatBp === vatBp && line.vatCategory === vatCategory ? [netCents[index]!] : [],
    )
    holds(sum(own) === net, `net of ${vatBp}`)
  }
}

const isMirror = (one: number, other: number): boolean => one + other === 0

describe.each([
  { invoices: 20_000, tags: [] },
  { invoices: 100_000, tags: ['long'] },
])(`of $invoices random invoices of the seed ${SEED}`, ({ invoices, tags }) => {
  it('net and VAT come to the gross, and each sum is that of its parts', { tags, timeout: 300_000 }, () => {
    expect(firstFault(invoices, (_random, lines) => sumsHold(lines))).toBeNull()
  })

  it('the lines that take an invoice back give its sums with the other sign, to the cent', {
    tags,
    timeout: 300_000,
  }, () => {
    expect(
      firstFault(invoices, (_random, lines) => {
        const [there, back] = [invoiceTotals(lines), invoiceTotals(mirroredLines(lines))]
        for (const name of ['amountCents', 'vatCents', 'totalCents'] as const)
          holds(isMirror(there[name], back[name]), name)
        holds(
          there.vatGroups.every((group, index) => isMirror(group.vatCents, back.vatGroups[index]!.vatCents)),
          'VAT by rate',
        )
      }),
    ).toBeNull()
  })

  it('a correction by line bills the difference, and the one after it that takes back the rest leaves nothing', {
    tags,
    timeout: 300_000,
  }, () => {
    expect(
      firstFault(invoices, (random, lines) => {
        const asCounted = (list: readonly PricedLine[], from: number): (CountedLine & PricedLine)[] =>
          list.map((line, index) => ({
            ...line,
            id: from + index,
            correctsLineId: null,
            correctedQuantity: null,
            correctedUnitPriceCents: null,
          }))
        const original = asCounted(lines, 1)
        const place = random(lines.length)
        const before = original[place]!
        const after =
          random(2) === 0
            ? { quantity: quantityOf(random), unitPriceCents: before.unitPriceCents }
            : { quantity: before.quantity, unitPriceCents: random(1_000_000) }
        const difference = differenceLine(before, after)
        holds(lineNetCents(difference) === lineNetCents(after) - lineNetCents(before), 'net of the difference')
        const partial: CountedLine & PricedLine = {
          ...before,
          ...difference,
          id: 100,
          correctsLineId: before.id,
          correctedQuantity: after.quantity,
          correctedUnitPriceCents: after.unitPriceCents,
        }
        const billed = billedLines([...original, partial])
        holds(billed.length === lines.length, 'lines that are billed')
        const groupsOf = (list: readonly PricedLine[], earlier: readonly VatGroup[]) =>
          settledGroups(earlier, invoiceTotals(list).vatGroups)
        const first = groupsOf(original, [])
        const second = groupsOf([partial], first)
        const third = groupsOf(mirroredLines(billed), [...first, ...second])
        for (const { vatBp, netCents, vatCents } of groupsTogether([...first, ...second, ...third]))
          holds(netCents === 0 && vatCents === 0, `what is left at ${vatBp}`)
      }),
    ).toBeNull()
  })

  it('payments in parts and a Skonto come to what is owed, and shares to what was shared', {
    tags,
    timeout: 300_000,
  }, () => {
    expect(
      firstFault(invoices, (random, lines) => {
        const { totalCents } = invoiceTotals(lines)
        const steps = [{ percentBp: 1 + random(2000), days: 10 }]
        const offers = skontoOffers(steps, '2026-11-23', totalCents)
        const most = totalCents <= 0 ? 0 : rounded(BigInt(totalCents) * BigInt(steps[0]!.percentBp), 10_000n)
        holds((offers[0]?.amountCents ?? 0) === most, 'the Skonto that is offered')
        let [open, paid, skonto] = [Math.max(totalCents, 0), 0, 0]
        while (open > 0) {
          const amount = 1 + random(open)
          const granted = skontoOf(open, amount, offers, '2026-12-01')
          holds(granted === 0 || (granted <= most && granted + amount === open), 'the Skonto that is taken')
          holds(skontoOf(open, amount, offers, '2026-12-04') === 0, 'no Skonto after its days')
          paid += amount
          skonto += granted
          open -= amount + granted
        }
        holds(paid + skonto === Math.max(totalCents, 0), 'what was paid and taken off')
        const quantity = 2 + random(40)
        const valueCents = random(10_000_000)
        const [rest, part] = splitCargo(
          { quantity, weightKg: null, volumeM3: null, ldm: null, valueCents },
          1 + random(quantity - 1),
        )
        holds(sum([rest.valueCents ?? 0, part.valueCents ?? 0]) === valueCents, 'shares of a value')
      }),
    ).toBeNull()
  })

  it('a half goes away from zero on both sides', { tags, timeout: 300_000 }, () => {
    const random = randomFrom(SEED)
    for (let index = 0; index < invoices; index += 1) {
      const [whole, half] = [random(1_000_000), 1 + random(5_000)]
      seen = { whole, half }
      holds(roundHalfAwayFromZero((2 * whole + 1) * half, 2 * half) === whole + 1, 'up')
      holds(roundHalfAwayFromZero(-(2 * whole + 1) * half, 2 * half) === -(whole + 1), 'down')
    }
    expect(roundHalfAwayFromZero(-1, 2)).toBe(-1)
  })
})
