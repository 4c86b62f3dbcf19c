import { describe, expect, it } from 'vitest'
import { viesNumber, vatNumberShape } from './vat-number.ts'

describe('the shape of a VAT number', () => {
  it.each([
    ['DE 129.273-398', 'DE', 'fits'],
    ['129273398', 'DE', 'fits'],
    ['pl 725 901 23 40', 'PL', 'fits'],
    ['725-901-23-40', 'PL', 'fits'],
    ['PL7259012340', 'DE', 'fits'],
    ['EL123456783', 'GR', 'fits'],
    ['CHE-123.456.788 MWST', 'CH', 'fits'],
    ['123456788', 'CH', 'fits'],
    ['NO 974 760 673 MVA', 'NO', 'fits'],
    ['974 760 673', 'NO', 'fits'],
    ['NL801234566B01', 'NL', 'fits'],
    ['PL7831812692', 'PL', 'doubtful'],
    ['DE12927339', 'DE', 'wrong'],
    ['PL725901234', 'DE', 'wrong'],
    ['hello', 'DE', 'wrong'],
    ['XX123456789', 'DE', 'wrong'],
    ['TR1234567890', 'TR', 'not_checked'],
    ['1234567890', 'TR', 'not_checked'],
    ['UA123456789', 'DE', 'not_checked'],
  ])('%s in %s: %s', (vatNumber, countryCode, shape) => {
    expect(vatNumberShape(vatNumber, countryCode)).toBe(shape)
  })
})

describe('what VIES is asked for', () => {
  it.each([
    ['DE 129.273-398', 'DE', { countryCode: 'DE', vatNumber: '129273398' }],
    ['7259012340', 'PL', { countryCode: 'PL', vatNumber: '7259012340' }],
    ['123456783', 'GR', { countryCode: 'EL', vatNumber: '123456783' }],
    ['XI123456789', 'GB', { countryCode: 'XI', vatNumber: '123456789' }],
    ['CHE-123.456.788', 'CH', null],
    ['GB123456789', 'DE', null],
  ])('%s in %s', (vatNumber, countryCode, asked) => {
    expect(viesNumber(vatNumber, countryCode)).toEqual(asked)
  })
})
