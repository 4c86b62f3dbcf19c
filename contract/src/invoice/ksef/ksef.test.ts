import { describe, expect, test } from 'vitest'
import { isKsefNumber, isNip, ksefCheckSigns, nipOf } from './numbers.ts'
import { inGrosz, isPolishWorkingDay, monthOf, nextPolishWorkingDay, rateDay, rateText } from './rate.ts'
import { VAT_NOTES } from '../vat.ts'
import { ksefFindings, ksefRate } from './rules.ts'
import { rateOfLine, taxPointsOf, vatInZloty } from './zloty.ts'

describe('numbers', () => {
  test('a NIP needs its check digit', () => {
    expect(['7822345674', '5260250274', '7822345673', '0822345674', '78223456'].map(isNip)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect([nipOf('PL 782-234-56-74'), nipOf('DE811907980'), nipOf(null)]).toEqual(['7822345674', null, null])
  })

  // The number is the example of the ministry (ksef-docs, faktury/numer-ksef.md).
  test('a KSeF number needs its check signs, and its seller where one is named', () => {
    const number = '5265877635-20250826-0100001AF629-AF'
    expect(ksefCheckSigns(number.slice(0, 32))).toBe('AF')
    expect(isKsefNumber(number)).toBe(true)
    expect(isKsefNumber(number, '5265877635')).toBe(true)
    expect(isKsefNumber(number, '7822345674')).toBe(false)
    for (const wrong of [
      '5265877635-20250826-0100001AF629-AE',
      '5265877635-20250826-0100001AF628-AF',
      '5265877635-20251326-0100001AF629-AF',
      number.toLowerCase(),
      `${number} `,
    ])
      expect(isKsefNumber(wrong), wrong).toBe(false)
  })
})

describe('the day of the rate', () => {
  test('is the last working day before tax point or invoice, whichever is earlier', () => {
    expect(rateDay('2026-11-20', '2026-11-23')).toBe('2026-11-19')
    expect(rateDay('2026-11-30', '2026-11-23')).toBe('2026-11-20')
    expect(rateDay(null, '2026-11-12')).toBe('2026-11-10')
  })

  test('passes over Polish holidays, Christmas Eve since 2025', () => {
    const free = ['2026-01-06', '2026-04-06', '2026-06-04', '2026-05-03', '2025-12-24', '2026-11-11', '2026-11-21']
    expect(free.map(isPolishWorkingDay)).toEqual(free.map(() => false))
    expect(['2024-12-24', '2026-11-23', '2026-04-03'].map(isPolishWorkingDay)).toEqual([true, true, true])
    expect(nextPolishWorkingDay('2026-12-23')).toBe('2026-12-28')
  })

  test('cents become grosz half away from zero', () => {
    const rate = { rateE4: 42_662 }
    expect([inGrosz(25_070, rate), inGrosz(-25_070, rate), inGrosz(0, rate)]).toEqual([106_954, -106_954, 0])
    expect([rateText(42_662), rateText(40_005)]).toEqual(['4.2662', '4.0005'])
  })
})

describe('VAT in złoty', () => {
  const rate = { day: '2026-11-20', tableNumber: '226/A/NBP/2026', rateE4: 42_662, taxPoint: '2026-11-23' }
  const group = (vatCategory: 'S' | 'AE', vatBp: number, vatCents: number) => ({ vatCategory, vatBp, vatCents })
  const line = (netCents: number, serviceDate: string | null = null, vatBp = 2300) => ({
    vatCategory: 'S' as const,
    vatBp,
    netCents,
    serviceDate,
  })
  const invoiceOf = (vatGroups: ReturnType<typeof group>[], lines: ReturnType<typeof line>[] = []) => ({
    vatGroups,
    lines,
    servicePeriodTo: '2026-11-23',
  })

  test('of two rates of VAT is rounded field by field, as FA(3) says it; what bears none counts nothing', () => {
    const groszOf = (...groups: ReturnType<typeof group>[]) => vatInZloty(invoiceOf(groups), [rate])?.grosz
    expect([groszOf(group('S', 2300, 1), group('S', 800, 1), group('AE', 0, 0)), inGrosz(2, rate)]).toEqual([8, 9])
    // What is of one field is one sum: 23 % and the 22 % of before.
    expect(groszOf(group('S', 2300, 1), group('S', 2200, 1))).toBe(9)
    expect(groszOf(group('S', 2300, -1), group('S', 800, -1), group('AE', 0, 0))).toBe(-8)
  })

  // 17 Nov is a Tuesday, 21 and 22 Nov are a weekend.
  const early = { day: '2026-11-16', tableNumber: '222/A/NBP/2026', rateE4: 42_000, taxPoint: '2026-11-17' }
  const saturday = { ...rate, taxPoint: '2026-11-21' }
  const lines = [line(100_000, '2026-11-17'), line(50_000, '2026-11-21'), line(30_000)]
  const combined = invoiceOf([group('S', 2300, 41_400)], lines)

  test('needs a rate for each tax point on which VAT is charged', () => {
    expect(taxPointsOf(combined)).toEqual(['2026-11-17', '2026-11-21', '2026-11-23'])
    const reverse = { vatCategory: 'AE' as const, vatBp: 0, netCents: 100, serviceDate: '2026-11-02' }
    expect(taxPointsOf({ ...combined, lines: [...lines, reverse] })).not.toContain('2026-11-02')
    expect(taxPointsOf({ ...combined, vatGroups: [group('AE', 0, 0)], lines: [reverse] })).toEqual([])
  })

  test('takes the rate of each line’s tax point; tax points with the same table share it', () => {
    const rates = [early, saturday, rate]
    expect(lines.map((one) => rateOfLine(one, combined, rates)?.day)).toEqual([
      '2026-11-16',
      '2026-11-20',
      '2026-11-20',
    ])
    expect(vatInZloty(combined, rates)).toEqual({
      grosz: 96_600 + 78_498,
      fields: new Map([['P_14_1', 96_600 + 78_498]]),
      parts: [
        { rate: early, grosz: 96_600 },
        { rate: saturday, grosz: 78_498 },
      ],
    })
  })

  test('is that of the invoice’s own VAT, to the cent, and a correction of all mirrors it', () => {
    // Each line alone would bear 0.00 or 0.01; together they bear 0.03.
    const cents = [2, 3, 4, 2, 2].map((net, index) => line(net, `2026-11-${17 + index}`))
    const rates = cents.map(({ serviceDate }, index) => ({
      ...early,
      day: serviceDate!,
      rateE4: 40_000 + index,
      taxPoint: serviceDate,
    }))
    const one = vatInZloty(invoiceOf([group('S', 2300, 3)], cents), rates)!
    expect(one.parts.map(({ grosz }) => grosz)).toEqual([0, 4, 4, 0, 4])
    const mirrored = cents.map((own) => ({ ...own, netCents: -own.netCents }))
    const back = vatInZloty(invoiceOf([group('S', 2300, -3)], mirrored), rates)!
    expect([back.grosz, ...back.parts.map(({ grosz }) => grosz)].map((grosz) => 0 - grosz)).toEqual([
      one.grosz,
      ...one.parts.map(({ grosz }) => grosz),
    ])
  })

  test('goes by one rate where none is for a tax point of its own', () => {
    const whole = { ...rate, taxPoint: null }
    expect(vatInZloty(combined, [whole])).toMatchObject({ grosz: inGrosz(41_400, rate), parts: [{ rate: whole }] })
    expect(vatInZloty(combined, [])).toBeNull()
  })

  test('a period is the calendar month', () => {
    expect(['2026-11-03', '2026-12-31', '2028-02-29'].map(monthOf)).toEqual([
      { from: '2026-11-01', to: '2026-11-30' },
      { from: '2026-12-01', to: '2026-12-31' },
      { from: '2028-02-01', to: '2028-02-29' },
    ])
  })
})

describe('rules', () => {
  const party = { title: 'Żubr', address: 'ul. Prosta 1', city: 'Poznań' }
  const good = {
    seller: { ...party, vatNumber: 'PL7822345674' },
    buyer: { ...party, vatNumber: 'PL5260250274', countryCode: 'PL' },
    lines: [{ vatCategory: 'S' as const, vatBp: 2300, text: 'Fracht' }],
    notes: [],
    servicePeriodFrom: '2026-11-20',
    servicePeriodTo: '2026-11-20',
    isCorrection: false,
    isSumWrong: false,
    isRateMissing: false,
  }

  test('nothing hinders an invoice that has all', () => {
    expect(ksefFindings(good)).toEqual([])
    const abroad = { ...good.buyer, vatNumber: 'DE136695976', countryCode: 'DE' }
    const lines = [{ vatCategory: 'AE' as const, vatBp: 0, text: 'Fracht' }]
    for (const vatNumber of ['DE136695976', 'DE 136 695 976', 'XI123456789'])
      expect(ksefFindings({ ...good, buyer: { ...abroad, vatNumber }, lines })).toEqual([])
    expect(ksefFindings({ ...good, buyer: { ...good.buyer, vatNumber: '526-025-02-74' }, lines })).toEqual([])
  })

  test('each rule names the field that mends it', () => {
    const pathsOf = (change: object) =>
      ksefFindings({ ...good, ...change }).map(({ record, path }) => `${record}.${path}`)
    expect(pathsOf({ seller: { ...good.seller, vatNumber: 'PL7822345673' } })).toEqual(['company.vatNumber'])
    expect(pathsOf({ seller: { ...good.seller, address: null, city: ' ' } })).toEqual(['company.address'])
    expect(pathsOf({ buyer: { ...good.buyer, vatNumber: 'PL5260250275' } })).toEqual(['customer.vatNumber'])
    expect(pathsOf({ seller: { ...good.seller, title: ' ' } })).toEqual(['company.title'])
    expect(pathsOf({ buyer: { ...good.buyer, title: '' } })).toEqual(['customer.title'])
    const text = 'Fracht'
    expect(pathsOf({ lines: [{ vatCategory: 'S', vatBp: 1900, text }] })).toEqual(['invoice.lines.0.vatBp'])
    expect(pathsOf({ lines: [{ vatCategory: 'E', vatBp: 0, text }] })).toEqual(['invoice.notes'])
    expect(pathsOf({ lines: [...good.lines, { ...good.lines[0], text: ' ' }] })).toEqual(['invoice.lines.1.text'])
    expect(pathsOf({ servicePeriodTo: '2026-11-19' })).toEqual(['invoice.servicePeriodTo'])
    expect(pathsOf({ isSumWrong: true })).toEqual(['invoice.lines'])
    const lines = [{ vatCategory: 'AE', vatBp: 0, text }]
    for (const vatNumber of ['136695976', 'CHE123456789', 'DE12345678901234']) {
      const odd = { lines, buyer: { ...good.buyer, vatNumber, countryCode: 'DE' } }
      expect(pathsOf(odd)).toEqual(['customer.vatNumber'])
      expect(pathsOf({ ...odd, isCorrection: true })).toEqual([])
    }
    expect(pathsOf({ isRateMissing: true })).toEqual(['invoice.exchangeRate'])
    expect(ksefFindings({ ...good, isRateMissing: true })).toMatchObject([{ rule: 'KursWaluty', text: 'exchangeRate' }])
  })

  test.each([
    ['Z', 'zero_pl'],
    ['AE', 'reverse_charge'],
    ['O', 'outside_scope'],
  ] as const)('beside %s its sentence is no provision that exempts', (vatCategory, note) => {
    const lines = [
      { vatCategory, vatBp: 0, text: 'Fracht' },
      { vatCategory: 'E' as const, vatBp: 0, text: 'Fracht' },
    ]
    for (const sentence of Object.values(VAT_NOTES[note])) {
      const mixed = { ...good, lines }
      expect(ksefFindings({ ...mixed, notes: [sentence] })).toEqual([
        { rule: 'P_19A', text: 'exemption', record: 'invoice', path: 'notes' },
      ])
      expect(ksefFindings({ ...mixed, notes: [sentence, 'art. 43 ust. 1 pkt 40 ustawy o VAT'] })).toEqual([])
    }
  })

  test('each category has its code and its field', () => {
    const all = [
      ksefRate('S', 2300),
      ksefRate('S', 800),
      ksefRate('S', 500),
      ksefRate('Z', 0),
      ksefRate('E', 0),
      ksefRate('O', 0),
      ksefRate('AE', 0),
    ]
    expect(all.map((one) => `${one?.code} ${one?.net} ${one?.vat}`)).toEqual([
      '23 P_13_1 P_14_1',
      '8 P_13_2 P_14_2',
      '5 P_13_3 P_14_3',
      '0 KR P_13_6_1 null',
      'zw P_13_7 null',
      'np I P_13_8 null',
      'np II P_13_9 null',
    ])
    expect([ksefRate('S', 1900), ksefRate('AE', 2300)]).toEqual([null, null])
  })
})
