import { describe, expect, it } from 'vitest'
import { expectedCarrierVatBp, uploadHints } from './upload-link.ts'

const page = {
  agreed: { netCents: 118_000, vatBp: 0, vatCents: 0, totalCents: 118_000 },
  expectedVatBp: 0,
  knownAccounts: ['2874'],
}
const typed = { amountCents: 118_000, vatBp: 0, totalCents: 118_000, iban: 'PL61109010140000071219812874' }

describe('what a carrier is told before it sends its invoice', () => {
  it.each([
    ['as agreed', {}, []],
    ['another amount', { amountCents: 120_000, totalCents: 120_000 }, ['amount_differs']],
    ['a total that is no sum', { totalCents: 118_002 }, ['total_does_not_fit']],
    ['a cent of rounding', { totalCents: 118_001 }, []],
    ['VAT where none is due', { vatBp: 2300, totalCents: 145_140 }, ['vat_unusual']],
    ['an account that is not on record', { iban: 'LT589999000412770316' }, ['iban_unknown']],
  ] as const)('%s', (_name, change, hints) => {
    expect(uploadHints({ ...typed, ...change }, page)).toEqual(hints)
  })

  it('compares nothing where no cost is agreed yet', () => {
    expect(uploadHints({ ...typed, amountCents: 1, totalCents: 1 }, { ...page, agreed: null })).toEqual([])
  })
})

describe('the VAT of a carrier', () => {
  const carrier = { countryCode: 'PL', standardVatBp: 2300 }
  it('is that of the country at home, and none from abroad', () => {
    expect(expectedCarrierVatBp(carrier, 'PL')).toBe(2300)
    expect(expectedCarrierVatBp(carrier, null)).toBe(2300)
    expect(expectedCarrierVatBp(carrier, 'DE')).toBe(0)
  })
})
