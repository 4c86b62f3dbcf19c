import { expect, it } from 'vitest'
import { formatVatNumber } from './vat-number.ts'

it.each([
  ['DE811569869', 'DE 811 569 869'],
  ['PL5261040828', 'PL 526-104-08-28'],
  ['atu 12345675', 'ATU12345675'],
  ['CHE123456788', 'CHE-123.456.788 MWST'],
  ['CHE-123.456.788 TVA', 'CHE-123.456.788 MWST'],
  ['NO974760673MVA', 'NO 974 760 673 MVA'],
  ['NL801234566B01', 'NL 801234566 B01'],
  ['BE0987654394', 'BE 0987.654.394'],
  ['FR40303265045', 'FR 40 303 265 045'],
  ['EL123456783', 'EL 123456783'],
  ['5261040828', '5261040828'],
  ['applied for', 'applied for'],
  [null, null],
])('the VAT number %s is shown as %s', (stored, shown) => {
  expect(formatVatNumber(stored)).toBe(shown)
  expect(formatVatNumber(shown)).toBe(shown)
})
