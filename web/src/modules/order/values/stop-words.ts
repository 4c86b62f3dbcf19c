import type { Language } from '@waybill/contract/errors'
import type { KnownPlace } from '@waybill/contract/order/known-places'
import type { Termin } from '@waybill/contract/order/termin/termin'
import type { Format } from '../../../kit/i18n/format.ts'

/** Words around times, from the locale files. */
export interface TerminTexts {
  before: string
  fix: string
}

const dayAndTime = (day: string, time: string | null) => [day, time].filter(Boolean).join(' ')

/** A termin as it is shown: `Wed 2 Dec 06:00–14:00`, `Thu 3 Dec before 16:00`, `Tue 1 Dec fix 07:00`. */
export function terminWords(termin: Termin, format: Pick<Format, 'shortWeekdayDate'>, texts: TerminTexts): string {
  const day = format.shortWeekdayDate(termin.dateFrom)
  if (termin.kind === 'before')
    return termin.timeFrom === null ? `${texts.before} ${day}` : `${day} ${texts.before} ${termin.timeFrom}`
  if (termin.kind === 'fix') return termin.timeFrom === null ? day : `${day} ${texts.fix} ${termin.timeFrom}`
  const lastDay = termin.dateTo ?? termin.dateFrom
  if (lastDay === termin.dateFrom) return `${day} ${termin.timeFrom ?? '00:00'}–${termin.timeTo ?? '24:00'}`
  return `${dayAndTime(day, termin.timeFrom)} – ${dayAndTime(format.shortWeekdayDate(lastDay), termin.timeTo)}`
}

const UNTIL: Readonly<Record<Language, string>> = { en: 'before', de: 'bis', pl: 'do' }

/** A termin as one would type it, to be edited; `parseTermin` reads it back. */
export function terminTyped(termin: Termin, language: Language): string {
  const date = (day: string) => day.split('-').toReversed().join('.')
  const day = date(termin.dateFrom)
  if (termin.kind === 'before')
    return termin.timeFrom === null ? `${UNTIL[language]} ${day}` : `${day} -${termin.timeFrom}`
  if (termin.kind === 'fix') return termin.timeFrom === null ? `${day} fix` : `${day} fix ${termin.timeFrom}`
  const lastDay = termin.dateTo ?? termin.dateFrom
  if (lastDay === termin.dateFrom) return `${day} ${termin.timeFrom ?? '00:00'}-${termin.timeTo ?? '23:59'}`
  return `${dayAndTime(day, termin.timeFrom)} - ${dayAndTime(date(lastDay), termin.timeTo)}`
}

/** A time of day as people type it: `7`, `7.30`, `730`, `07:30`. Null for nothing, undefined for what is none. */
export function readTime(typed: string): string | null | undefined {
  const text = typed.trim()
  if (text === '') return null
  const match = /^(\d{1,2})(?:[:.,h ]?(\d{2}))?\s*(?:h|uhr)?$/i.exec(text)
  if (match === null || Number(match[1]) > 23 || Number(match[2] ?? 0) > 59) return undefined
  return `${match[1]!.padStart(2, '0')}:${match[2] ?? '00'}`
}

/**
 * What a stop takes over of an address that the customer is known for; what was remarked at the stop stays
 * where the address has no remark.
 */
export const placeOf = (
  { companyTitle, address, countryId, postal, city, latitude, longitude, contactPerson, phone, comment }: KnownPlace,
  stop: { readonly comment: string | null },
) => ({
  companyTitle,
  address,
  countryId,
  postal,
  city,
  latitude,
  longitude,
  contactPerson,
  phone,
  comment: comment ?? stop.comment,
})
