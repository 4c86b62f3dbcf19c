import { describe, expect, it } from 'vitest'
import { clearanceOf, isCleared, transportOf, type CarrierPapers, type ClearanceCode } from './clearance.ts'

const papers = (change: Partial<CarrierPapers> = {}): CarrierPapers => ({
  blockedReason: null,
  isUsedUp: false,
  licenceNotNeededReason: null,
  licences: ['2027-03-14'],
  insurances: [{ endsOn: '2027-06-30', insuredCents: 60_000_000 }],
  ...change,
})
const transport = { lastDay: '2026-12-04', neededCents: 30_000_000 }
const codesOf = (change: Partial<CarrierPapers>, asked = transport) =>
  clearanceOf(papers(change), asked).map(({ code }) => code)

describe('a carrier', () => {
  it.each<[string, Partial<CarrierPapers>, ClearanceCode[]]>([
    ['with valid papers is cleared', {}, []],
    ['without a licence is not', { licences: [] }, ['licence_missing']],
    ['that needs no licence is, with a reason', { licences: [], licenceNotNeededReason: 'vans of 2.5 t' }, []],
    ['whose licence ends the day before is not', { licences: ['2026-12-03', '2025-01-01'] }, ['licence_ends']],
    ['whose licence ends on the last day is', { licences: ['2026-12-04'] }, []],
    ['whose licence says no end is not', { licences: [null] }, ['licence_ends']],
    ['without an insurance is not', { insurances: [] }, ['insurance_missing']],
    [
      'whose insurance ends before is not',
      { insurances: [{ endsOn: '2026-12-03', insuredCents: 90_000_000 }] },
      ['insurance_ends'],
    ],
    [
      'that is insured for less is not, whatever an old insurance said',
      {
        insurances: [
          { endsOn: '2026-12-31', insuredCents: 29_999_999 },
          { endsOn: '2026-01-31', insuredCents: 90_000_000 },
        ],
      },
      ['insurance_low'],
    ],
    [
      'whose insured sum nobody knows is not',
      { insurances: [{ endsOn: '2026-12-31', insuredCents: null }] },
      ['insurance_low'],
    ],
    ['that is insured for exactly that is', { insurances: [{ endsOn: '2026-12-04', insuredCents: 30_000_000 }] }, []],
    ['that is blocked is not', { blockedReason: 'unpaid damage' }, ['blocked']],
    ['that may drive once and has is not', { isUsedUp: true }, ['once_only_used']],
    [
      'is told every reason',
      { licences: [], insurances: [], blockedReason: 'fraud', isUsedUp: true },
      ['licence_missing', 'insurance_missing', 'blocked', 'once_only_used'],
    ],
  ])('%s', (_, change, codes) => {
    expect(codesOf(change)).toEqual(codes)
  })

  it('is told until when the paper is valid that is valid longest, and for how much it is insured', () => {
    expect(clearanceOf(papers({ licences: ['2026-12-01', null, '2026-11-01'] }), transport)).toMatchObject([
      { code: 'licence_ends', endsOn: '2026-12-01' },
    ])
    expect(
      clearanceOf(papers({ insurances: [{ endsOn: '2027-01-01', insuredCents: 10_000_000 }] }), transport),
    ).toMatchObject([{ code: 'insurance_low', insuredCents: 10_000_000 }])
  })
})

describe('a release', () => {
  const reasons = clearanceOf(papers({ licences: ['2026-12-03'] }), transport)
  const granted = { decision: 'granted' as const, reasons: ['licence_ends' as const], ...transport }

  it('lets pass what it was asked for, and nothing else', () => {
    expect(isCleared(reasons, transport, null)).toBe(false)
    expect(isCleared(reasons, transport, granted)).toBe(true)
    expect(isCleared(reasons, transport, { ...granted, decision: 'refused' })).toBe(false)
    expect(isCleared(reasons, transport, { ...granted, decision: null })).toBe(false)
    const both = clearanceOf(papers({ licences: ['2026-12-03'], insurances: [] }), transport)
    expect(isCleared(both, transport, granted)).toBe(false)
  })

  it('holds neither for a later day nor for dearer goods, and never for a carrier that is blocked', () => {
    expect(isCleared(reasons, { ...transport, lastDay: '2026-12-05' }, granted)).toBe(false)
    expect(isCleared(reasons, { ...transport, neededCents: 30_000_001 }, granted)).toBe(false)
    const blocked = clearanceOf(papers({ blockedReason: 'fraud' }), transport)
    expect(isCleared(blocked, transport, { ...granted, reasons: ['blocked'] })).toBe(false)
  })
})

describe('what a transport asks of the papers', () => {
  const demands = { today: '2026-11-24', demandedCents: null }
  const stop = (kind: string, dateFrom: string, more: object = {}) => ({
    kind,
    termin: { kind: 'fix' as const, dateFrom, timeFrom: null, dateTo: null, timeTo: null },
    timeZone: 'Europe/Berlin',
    ...more,
  })
  const line = (id: number, weightKg: number | null, valueCents: number | null = null) => ({ id, weightKg, valueCents })

  it('is the last day of unloading, in its plan too, and today where that has passed', () => {
    const stops = [
      stop('loading', '2026-12-09'),
      stop('unloading', '2026-12-01', { termin: { ...stop('', '2026-12-01').termin, dateTo: '2026-12-04' } }),
      stop('unloading', '2026-12-31', { canceledAt: '2026-11-01T00:00:00Z' }),
    ]
    expect(transportOf(stops, [], demands).lastDay).toBe('2026-12-04')
    const late = stop('unloading', '2026-12-01', { plannedAt: '2026-12-04T23:30:00Z' })
    expect(transportOf([late], [], demands).lastDay).toBe('2026-12-05')
    expect(transportOf([stop('unloading', '2026-10-01')], [], demands).lastDay).toBe('2026-11-24')
    expect(transportOf([], [], demands).lastDay).toBe('2026-11-24')
  })

  it('is 8.33 special drawing rights for a kilogram, at most what the goods are worth', () => {
    // 1000 kg × 8.33 × 1.18 €
    expect(transportOf([], [line(1, 1000)], demands).neededCents).toBe(982_940)
    expect(transportOf([], [line(1, 1000, 500_000)], demands).neededCents).toBe(500_000)
    expect(transportOf([], [line(1, 1000, 5_000_000), line(2, null, 1000)], demands).neededCents).toBe(983_940)
    expect(transportOf([], [line(1, null)], demands).neededCents).toBe(0)
  })

  it('counts the lines that its stops name, and what the department demands at least', () => {
    const stops = [stop('unloading', '2026-12-01', { cargoActions: [{ cargoId: 2, action: 'DROP_OFF' as const }] })]
    const cargo = [line(1, 1000), line(2, 10)]
    expect(transportOf(stops, cargo, demands).neededCents).toBe(9829)
    expect(transportOf(stops, cargo, { ...demands, demandedCents: 60_000_000 }).neededCents).toBe(60_000_000)
  })
})
