import type { z } from 'zod'
import { addDays } from '@waybill/contract/kit/local-time'
import { fromThousandths, toThousandths } from '@waybill/contract/kit/money'
import type { Draft } from '@waybill/contract/order/intake/mail-draft'
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

/** What a mail that asks for a price says of it: from the first loading to the last unloading, and what goes there. */
export function quoteOfDraft({ values }: Draft, first: QuoteValues): QuoteValues {
  const { customerId, contactPersonId, locations, cargo } = values
  const loading = locations.find(({ kind }) => kind === 'loading')
  const unloading = locations.findLast(({ kind }) => kind === 'unloading')
  const [from, to] = [loading?.termin?.dateFrom ?? null, unloading?.termin?.dateTo ?? unloading?.termin?.dateFrom]
  const unitTypeIds = new Set(cargo.map(({ unitTypeId }) => unitTypeId))
  const [unitTypeId = null] = unitTypeIds
  const place = (stop: Draft['values']['locations'][number] | undefined, date: string | null): PlaceValues => ({
    countryId: stop?.countryId ?? null,
    postal: stop?.postal ?? '',
    city: stop?.city ?? '',
    date,
  })
  const titles = new Set(cargo.flatMap(({ title }) => title ?? []))
  return {
    ...first,
    customerId,
    contactPersonId,
    from: place(loading, from),
    // Read wrongly, it could not be saved.
    to: place(unloading, to !== undefined && (from === null || from <= to) ? to : null),
    goods: [...titles].join(', ').slice(0, MOST_GOODS),
    // Pieces of several kinds are no quantity.
    quantity: unitTypeIds.size === 1 ? sumOf(cargo.map(({ quantity }) => quantity)) : null,
    unitTypeId: unitTypeIds.size === 1 ? unitTypeId : null,
    weightKg: sumOf(cargo.map(({ weightKg }) => weightKg)),
    ldm: sumOf(cargo.map(({ ldm }) => ldm)),
  }
}

const MOST_GOODS = 250

/** Of all together; null as soon as one is not known. */
const sumOf = (figures: readonly (number | null)[]): number | null =>
  figures.length === 0 || figures.includes(null)
    ? null
    : fromThousandths(figures.reduce<number>((sum, one) => sum + toThousandths(one!), 0))

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
