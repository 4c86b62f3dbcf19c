import { describe, expect, test } from 'vitest'
import { proposeVat, VAT_NOTES, type VatFacts, type VatProposal } from './vat.ts'

const german = { countryCode: 'DE', standardVatBp: 1900 }
const polish = { countryCode: 'PL', standardVatBp: 2300 }
const austrian = { countryCode: 'AT', standardVatBp: 2000 }
const buyer = (countryCode: string, isEu = true, hasVatNumber = true) => ({
  countryCode,
  isEu,
  hasVatNumber,
  isForwarder: false,
})
const standard = (vatBp: number): VatProposal => ({ vatBp, category: 'S', noteKey: null, warning: null })
/** Until somebody says that the customer is sender or recipient of the goods. */
const asked = (vatBp: number): VatProposal => ({ ...standard(vatBp), warning: 'recipient_only' })
const reverse: VatProposal = { vatBp: 0, category: 'AE', noteKey: 'reverse_charge', warning: null }
const outside: VatProposal = { vatBp: 0, category: 'O', noteKey: 'outside_scope', warning: null }

describe('the VAT proposed', () => {
  test.each<[string, VatFacts, VatProposal]>([
    ['order 1: German to German', { company: german, buyer: buyer('DE'), stopsOutsideEu: false }, standard(1900)],
    ['order 2: German to Polish', { company: german, buyer: buyer('PL'), stopsOutsideEu: false }, reverse],
    ['order 3: German to Swiss', { company: german, buyer: buyer('CH', false), stopsOutsideEu: true }, outside],
    ['order 5: German to Dutch', { company: german, buyer: buyer('NL'), stopsOutsideEu: false }, reverse],
    [
      'at home without a VAT number',
      { company: german, buyer: buyer('DE', true, false), stopsOutsideEu: false },
      standard(1900),
    ],
    ['Polish to Polish', { company: polish, buyer: buyer('PL'), stopsOutsideEu: false }, standard(2300)],
    [
      'German to German, delivered in Switzerland',
      { company: german, buyer: buyer('DE'), stopsOutsideEu: true },
      asked(1900),
    ],
    [
      'Polish to Polish, delivered in Ukraine',
      { company: polish, buyer: buyer('PL'), stopsOutsideEu: true },
      asked(2300),
    ],
    [
      'Austrian to Austrian, delivered in Switzerland',
      { company: austrian, buyer: buyer('AT'), stopsOutsideEu: true },
      asked(2000),
    ],
    [
      'German to German, delivered in Switzerland, for another forwarder',
      { company: german, buyer: { ...buyer('DE'), isForwarder: true }, stopsOutsideEu: true },
      standard(1900),
    ],
    [
      'German to Polish, delivered in Switzerland',
      { company: german, buyer: buyer('PL'), stopsOutsideEu: true },
      reverse,
    ],
    [
      'German to Polish without a VAT number',
      { company: german, buyer: buyer('PL', true, false), stopsOutsideEu: false },
      { ...standard(1900), warning: 'no_vat_number' },
    ],
    [
      'German to Swiss without a VAT number',
      { company: german, buyer: buyer('CH', false, false), stopsOutsideEu: false },
      outside,
    ],
  ])('%s', (_, facts, proposal) => {
    expect(proposeVat(facts)).toEqual(proposal)
  })

  test('is zero exactly where a note says why', () => {
    for (const company of [german, polish, austrian])
      for (const countryCode of ['DE', 'PL', 'AT', 'CH'])
        for (const hasVatNumber of [true, false])
          for (const stopsOutsideEu of [true, false]) {
            const proposal = proposeVat({
              company,
              buyer: buyer(countryCode, countryCode !== 'CH', hasVatNumber),
              stopsOutsideEu,
            })
            expect(proposal.vatBp === 0).toBe(proposal.noteKey !== null)
            expect(proposal.category === 'S').toBe(proposal.noteKey === null)
          }
  })
})

test('reverse charge is named in the words that the law asks for', () => {
  expect(VAT_NOTES.reverse_charge).toEqual({
    en: 'Reverse charge',
    de: 'Steuerschuldnerschaft des Leistungsempfängers',
    pl: 'odwrotne obciążenie',
  })
})

test('every note names its paragraph in every language', () => {
  for (const language of ['en', 'de', 'pl'] as const) {
    expect(VAT_NOTES.exempt_de[language]).toContain('§ 4 Nr. 3 UStG')
    expect(VAT_NOTES.zero_pl[language]).toMatch(/art\. 83/i)
    expect(VAT_NOTES.exempt_eu[language]).toContain('146')
    expect(VAT_NOTES.outside_scope[language]).toContain('44')
  }
})
