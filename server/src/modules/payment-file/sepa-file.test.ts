import fc from 'fast-check'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultsOf, generatedRun } from '../../../test/payments/generated-runs.ts'
import { schemaFaults } from '../../../test/payments/payment-examples.ts'
import { planPayments } from './plan-payments.rules.ts'
import { sepaText } from './sepa-text.rules.ts'

describe('the characters of SEPA', () => {
  it.each([
    ['Müller & Söhne', 'Mueller + Soehne'],
    ['ÜBER Überland', 'UEBER Ueberland'],
    ['Łódź, Świętojańska „Ć”', "Lodz, Swietojanska 'C'"],
    ['Μεταφορές Ψαρράς', 'Metafores Psarras'],
    ['Щастлив път', 'Shchastliv ptt'.replace('ptt', "p't")],
    ['Київ Україна', 'Kiyiv Ukrayina'],
    ['Шумадија Ђорђе Љиљана', 'Shumadija Djordje Ljiljana'],
    ['Ärzte İstanbul ığdır şeker', 'Aerzte Istanbul igdir seker'],
    ['Ærø Straße Þór Đakovo', 'Aero Strasse Thor Dakovo'],
    ['//a//b/', 'a/b'],
    ['x\u0000\u2028<y>', 'x (y)'],
    ['文字', ''],
  ])('write %s as %s', (text, written) => expect(sepaText(text, 70)).toBe(written))

  it('write umlauts with one letter where that is wanted', () =>
    expect(sepaText('Müller Öl Größe', 70, 'one_letter')).toBe('Muller Ol Grosse'))

  it('are all that is left of any text, and as long as it may be', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 140 }), (text, max) => {
        const written = sepaText(text, max)
        expect(written.length).toBeLessThanOrEqual(max)
        expect(written).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]*$/)
        expect(written).not.toMatch(/^\/|\/$|\/\//)
      }),
    )
  })
})

describe('the payments to a carrier', () => {
  const payable = fc.record({
    reference: fc.string({ unit: fc.constantFrom('A', '1', '-'), minLength: 1, maxLength: 100 }),
    iban: fc.constantFrom('PL1', 'PL2'),
    totalCents: fc.integer({ min: -20_000, max: 50_000 }).filter((cents) => cents !== 0),
  })

  it('hold every invoice once, more than nothing each, and as many as can be named', () => {
    fc.assert(
      fc.property(fc.array(payable, { maxLength: 40 }), fc.boolean(), (given, combine) => {
        const items = given.map((one, id) => ({ ...one, id }))
        const { payments, left } = planPayments(items, { combine })
        const held = [...payments.flatMap((payment) => payment.items), ...left].map(({ id }) => id)
        expect(held.toSorted((a, b) => a - b)).toEqual(items.map(({ id }) => id))
        expect(left.every(({ totalCents }) => totalCents < 0)).toBe(true)
        for (const payment of payments) {
          expect(payment.amountCents).toBeGreaterThan(0)
          expect(payment.amountCents).toBe(payment.items.reduce((sum, { totalCents }) => sum + totalCents, 0))
          expect(payment.remittance.length).toBeLessThanOrEqual(140)
          const paid = payment.items.filter(({ totalCents }) => totalCents > 0)
          expect(paid.every(({ iban }) => iban === payment.iban)).toBe(true)
          if (!combine && paid.length === payment.items.length) expect(paid).toHaveLength(1)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a payment file', () => {
  it('is valid by the published schema, with the right sums, for twelve runs of any names and towns', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-runs-'))
    for (let seed = 1; seed <= 12; seed += 1) {
      const run = generatedRun(seed, 300)
      expect(faultsOf(run), `seed ${seed}`).toEqual([])
      const path = join(folder, `${seed}.xml`)
      await writeFile(path, run.xml)
      expect(await schemaFaults(path), `seed ${seed}`).toBe('')
    }
    await rm(folder, { recursive: true })
  })

  it('that is not valid is seen by the test', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-runs-'))
    const run = generatedRun(3, 5)
    await writeFile(join(folder, 'x.xml'), run.xml.replace('<PmtMtd>TRF</PmtMtd>', '<PmtMtd>XXX</PmtMtd>'))
    expect(await schemaFaults(join(folder, 'x.xml'))).toContain('PmtMtd')
    expect(faultsOf({ ...run, totalCents: run.totalCents + 1 })).not.toEqual([])
    await rm(folder, { recursive: true })
  })
})
