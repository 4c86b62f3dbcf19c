import type { z } from 'zod'
import { addDays } from '@waybill/contract/kit/local-time'
import { STANDARD_TARGET_BP, type CostSource, type Quote, type QuoteWrite } from '@waybill/contract/quote/quote'

export type End = 'from' | 'to'

/** One end of the lane as it is typed. */
export interface PlaceValues {
  countryId: number | null
  postal: string
  city: string
  date: string | null
}

/** A quote as it is typed; a figure that cannot be read is NaN. */
export interface QuoteValues {
  customerId: number | null
  contactPersonId: number | null
  departmentId: number | null
  caseWorkerId: number | null
  from: PlaceValues
  to: PlaceValues
  goods: string
  quantity: number | null
  unitTypeId: number | null
  weightKg: number | null
  ldm: number | null
  distanceKm: number | null
  costSource: CostSource | null
  costCents: number | null
  targetBp: number | null
  priceCents: number | null
  validUntil: string
  remark: string
}

/** For so many days a new quote is good. */
const VALID_DAYS = 14

const EMPTY_PLACE: PlaceValues = { countryId: null, postal: '', city: '', date: null }

export const emptyQuote = (
  today: string,
  { departmentId, caseWorkerId }: { departmentId: number | null; caseWorkerId: number | null },
): QuoteValues => ({
  customerId: null,
  contactPersonId: null,
  departmentId,
  caseWorkerId,
  from: EMPTY_PLACE,
  to: EMPTY_PLACE,
  goods: '',
  quantity: null,
  unitTypeId: null,
  weightKg: null,
  ldm: null,
  distanceKm: null,
  costSource: null,
  costCents: null,
  targetBp: STANDARD_TARGET_BP,
  priceCents: null,
  validUntil: addDays(today, VALID_DAYS),
  remark: '',
})

const placeOf = ({ countryId, postal, city, date }: Quote['from']): PlaceValues => ({
  countryId,
  postal: postal ?? '',
  city: city ?? '',
  date,
})

export const valuesOf = (quote: Quote): QuoteValues => ({
  customerId: quote.customerId,
  contactPersonId: quote.contactPersonId,
  departmentId: quote.departmentId,
  caseWorkerId: quote.caseWorkerId,
  from: placeOf(quote.from),
  to: placeOf(quote.to),
  goods: quote.goods ?? '',
  quantity: quote.quantity,
  unitTypeId: quote.unitTypeId,
  weightKg: quote.weightKg,
  ldm: quote.ldm,
  distanceKm: quote.distanceKm,
  costSource: quote.costSource,
  costCents: quote.costCents,
  targetBp: quote.targetBp,
  priceCents: quote.priceCents,
  validUntil: quote.validUntil,
  remark: quote.remark ?? '',
})

/** Asked again: the days of the first one are over. */
export const copyOf = (quote: Quote, today: string): QuoteValues => ({
  ...valuesOf(quote),
  from: { ...placeOf(quote.from), date: null },
  to: { ...placeOf(quote.to), date: null },
  validUntil: addDays(today, VALID_DAYS),
})

const FIGURES = ['quantity', 'weightKg', 'ldm', 'distanceKm', 'costCents', 'targetBp', 'priceCents'] as const

/** What keeps a quote from being saved, the first of it; a key of the texts. */
export function missingOf(values: QuoteValues): 'customer' | 'lane' | 'department' | 'dates' | 'figures' | null {
  const isPlace = ({ countryId, postal, city }: PlaceValues) =>
    countryId !== null && (postal.trim() !== '' || city.trim() !== '')
  if (values.customerId === null) return 'customer'
  if (!isPlace(values.from) || !isPlace(values.to)) return 'lane'
  if (values.departmentId === null) return 'department'
  const { from, to } = values
  if (from.date !== null && to.date !== null && from.date > to.date) return 'dates'
  return FIGURES.some((name) => Number.isNaN(values[name])) ? 'figures' : null
}

const written = ({ countryId, postal, city, date }: PlaceValues) => ({
  countryId: countryId!,
  postal: postal.trim() || null,
  city: city.trim() || null,
  date,
})

/** What is sent; only where nothing is missing. */
export const bodyOf = (values: QuoteValues): z.input<typeof QuoteWrite> => ({
  ...values,
  customerId: values.customerId!,
  departmentId: values.departmentId!,
  from: written(values.from),
  to: written(values.to),
  goods: values.goods.trim() || null,
  costSource: values.costCents === null ? null : (values.costSource ?? 'typed'),
  targetBp: values.targetBp ?? 0,
  remark: values.remark.trim() || null,
})
