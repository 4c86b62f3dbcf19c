import { describe, expect, it } from 'vitest'
import { emptyCargo, emptyStop } from '../../values/draft.ts'
import { fieldsForWords, valueOfWords } from './selected-value.ts'

describe('words of a mail', () => {
  it('are no figure and no time where they hold none', () => {
    expect(valueOfWords('cargo.0.weightKg', 'brutto', 'en')).toBeNull()
    expect(valueOfWords('locations.0.termin', 'sobald wie möglich', 'en')).toBeNull()
    expect(valueOfWords('customerOrderNumber', '  \n ', 'en')).toBeNull()
  })

  it.each([
    ['cargo.0.weightKg', 'Gewicht: 1.180 kg', 1180],
    ['cargo.0.weightKg', '22 950,5 kg', 22_950.5],
    ['cargo.0.weightKg', '21,000 kg', 21_000],
    ['cargo.0.ldm', '2,4 Ldm', 2.4],
    ['cargo.0.quantity', '4 Europaletten', 4],
    ['paymentPeriodDays', '45 Tage netto', 45],
    ['customerPriceCents', '1.180,00 EUR', 118_000],
    ['customerPriceCents', 'EUR 1,640.', 164_000],
  ])('are a figure in %s: %s', (path, words, value) => {
    expect(valueOfWords(path, words, 'en')).toBe(value)
  })

  it('are a time in the person’s language or another', () => {
    for (const words of ['04.12.2026 10:00', '4 Dec 2026 10:00'])
      expect(valueOfWords('locations.1.termin', words, 'pl')).toMatchObject({
        dateFrom: '2026-12-04',
        timeFrom: '10:00',
      })
  })

  it('are words in one line elsewhere', () => {
    expect(valueOfWords('locations.0.companyTitle', ' Nordlicht\n  GmbH ', 'de')).toBe('Nordlicht GmbH')
  })

  it('can be put into the fields of each stop and line, in the order of the form', () => {
    const fields = fieldsForWords({ locations: [emptyStop('loading'), emptyStop('unloading')], cargo: [emptyCargo()] })
    expect(fields).toHaveLength(1 + 2 * 9 + 7 + 3)
    expect([fields[0], fields[1], fields[10], fields[19], fields.at(-1)]).toEqual([
      'customerOrderNumber',
      'locations.0.companyTitle',
      'locations.1.companyTitle',
      'cargo.0.title',
      'description',
    ])
  })
})
