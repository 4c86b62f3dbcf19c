import type { CarrierForOrder } from '@waybill/contract/carrier-company'
import type { CarrierChoice, CarrierChoices } from '@waybill/contract/order/choice/carrier-choice'
import type { PriceAnswer, PriceRound } from '@waybill/contract/order/choice/price-round'
import { ANNA } from './master-data.ts'

/** A carrier from Udine that drove the lane nine times, and is cleared. */
export const choiceOf = (given: Partial<CarrierChoice> = {}): CarrierChoice => ({
  id: 61,
  title: 'Friulana Trasporti S.r.l.',
  countryCode: 'IT',
  city: 'Udine',
  phone: '+39 0432 555 118',
  email: 'dispo@friulana.example',
  warnings: null,
  why: 'cheapestPunctual',
  trips: 9,
  prices: [
    { orderId: 71, number: '26-04501/1', at: '2026-11-12T08:00:00Z', priceCents: 118_000, perKmCents: 113 },
    { orderId: 72, number: '26-04262/1', at: '2026-10-20T08:00:00Z', priceCents: 119_500, perKmCents: null },
  ],
  averageCents: 119_500,
  averagePerKmCents: 114,
  priceCents: 118_000,
  onTime: { inTime: 48, measured: 50 },
  deviations: 1,
  problemInvoices: 0,
  vehicleTypes: ['Curtain-sider 13.6'],
  before: { countryCode: 'IT', city: 'Udine', at: '2026-12-01T08:00:00Z', km: 9 },
  isCleared: true,
  reasons: [],
  papers: {
    blockedReason: null,
    isUsedUp: false,
    licenceNotNeededReason: null,
    licences: ['2028-03-14'],
    insurances: [{ endsOn: '2027-06-30', insuredCents: 60_000_000 }],
  },
  ...given,
})

/** From Łódź to Bielefeld, for 1,450.00 €. */
export const choicesOf = (given: Partial<CarrierChoices> = {}): CarrierChoices => ({
  lane: {
    from: { countryCode: 'PL', area: '93', city: 'Łódź' },
    to: { countryCode: 'DE', area: '33', city: 'Bielefeld' },
  },
  distanceKm: 812,
  lastDay: '2026-12-04',
  neededCents: 30_000_000,
  revenueCents: 145_000,
  extrasCostCents: 0,
  marginWarningBp: 1000,
  limitCents: 130_500,
  items: [choiceOf()],
  ...given,
})

/** Friulana was asked, and has not answered yet. */
export const answerOf = (given: Partial<PriceAnswer> = {}): PriceAnswer => ({
  id: 91,
  carrierCompany: { id: 61, title: 'Friulana Trasporti S.r.l.' },
  email: 'dispo@friulana.example',
  state: 'asked',
  priceCents: null,
  remark: null,
  holdsUntil: null,
  answeredAt: null,
  ...given,
})

/** A round of an hour ago that is open for a day. */
export const roundOf = (given: Partial<PriceRound> = {}): PriceRound => ({
  id: 81,
  routeId: 901,
  deadline: new Date(Date.now() + 86_400_000).toISOString(),
  limitCents: null,
  remark: null,
  askedAt: new Date(Date.now() - 3_600_000).toISOString(),
  askedBy: ANNA,
  closedAt: null,
  closeReason: null,
  takenAnswerId: null,
  answers: [answerOf()],
  ...given,
})

/** Where a carrier is written to. */
export const carrierForOrderOf = (given: Partial<CarrierForOrder> = {}): CarrierForOrder => ({
  id: 61,
  title: 'Friulana Trasporti S.r.l.',
  language: null,
  countryCode: 'IT',
  paymentPeriodDays: null,
  warnings: null,
  drivers: [],
  vehicleTypes: [],
  dispatchContacts: [{ id: 611, fullName: 'Elisa Furlan', phone: null, email: null, position: null }],
  ...given,
})
