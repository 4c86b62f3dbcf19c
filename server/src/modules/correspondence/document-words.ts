import type { Language } from '@waybill/contract/errors'
import { correctionKind, type CorrectionLooks } from '@waybill/contract/invoice/correction'
import type { Order } from '@waybill/contract/order/order'
import type { Termin } from '@waybill/contract/order/termin/termin'
import { countryName, dateTimeFormat, numberFormat } from '@waybill/contract/kit/intl'
import { textsOf } from '../../kit/texts/texts.ts'

export const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE', pl: 'pl-PL' }
const NARROW_NO_BREAK_SPACE = '\u202f'
const NO_BREAK_SPACE = '\u00a0'

/** 118000 → `1,180.00`, `1.180,00`, `1 180,00` (Polish groups from the fourth digit too, as bills do). */
export function formatCents(cents: number, language: Language): string {
  const format = numberFormat(LOCALES[language], {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: 'always',
  })
  // As text, because large amounts divided by 100 lose cents.
  const sign = cents < 0 ? '-' : ''
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const decimal = `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`
  return format.format(decimal).replace(/\s/g, NARROW_NO_BREAK_SPACE)
}

/** At most three places, grouped. */
export const formatNumber = (value: number, language: Language): string =>
  numberFormat(LOCALES[language], { maximumFractionDigits: 3, useGrouping: 'always' })
    .format(value)
    .replace(/\s/g, NARROW_NO_BREAK_SPACE)

const CARGO = textsOf('cargo')

/** `26 × Palette`: the one word that a unit has is right beside any number. Without one they are pieces: `26 Stk.` */
export function formatUnits(quantity: number | null, unit: string | null | undefined, language: Language): string {
  if (quantity === null) return unit ?? ''
  const number = formatNumber(quantity, language)
  return unit ? `${number}${NO_BREAK_SPACE}× ${unit}` : `${number}${NO_BREAK_SPACE}${CARGO[language].pieces}`
}

/** 1900 → `19%`, German `19 %`. */
export const formatRate = (vatBp: number, language: Language): string =>
  numberFormat(LOCALES[language], { style: 'percent', maximumFractionDigits: 2 })
    .format(vatBp / 10_000)
    .replace(/\s/g, NARROW_NO_BREAK_SPACE)

/** `2026-12-01` → `1 Dec 2026`, `01.12.2026`: no reader may take the day for the month. */
export function formatDate(date: string, language: Language): string {
  const options: Intl.DateTimeFormatOptions =
    language === 'en'
      ? { day: 'numeric', month: 'short', year: 'numeric' }
      : { day: '2-digit', month: '2-digit', year: 'numeric' }
  return dateTimeFormat(LOCALES[language], { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
}

export const town = ({ postal, city }: { postal: string | null; city: string | null }): string =>
  [postal, city].filter(Boolean).join(' ')

/** `DE89 3704 0044 …`, as banks print it. */
export const groupIban = (iban: string): string => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')

export const isGiven = (row: readonly [string, string | null]): row is [string, string] => Boolean(row[1])

export { countryName }

const TERMIN = textsOf('termin')

/** `Mon 30 Nov 2026`, `Mo 30.11.2026`, `pon. 30.11.2026`: who loads looks for the weekday. */
export const formatDay = (date: string, language: Language): string =>
  dateTimeFormat(LOCALES[language], { weekday: 'short', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`)) +
  ' ' +
  `${formatDate(date, language)}`

/** Text that stays on one line: a phone number, a date with its time. */
const together = (text: string): string => text.replaceAll(' ', NO_BREAK_SPACE)

/** When a stop is due, by the clock of the stop: `Mo 30.11.2026 08:00–12:00`, `bis Do 03.12.2026 16:00`. */
export function formatTermin({ kind, dateFrom, timeFrom, dateTo, timeTo }: Termin, language: Language): string {
  const words = TERMIN[language]
  const at = (date: string, time: string | null) =>
    together([formatDay(date, language), time].filter(Boolean).join(' '))
  if (kind === 'before') return `${words.before} ${at(dateFrom, timeFrom)}`
  if (kind === 'fix')
    return timeFrom === null ? at(dateFrom, null) : together(`${at(dateFrom, null)} ${words.fix} ${timeFrom}`)
  if (dateTo === null || dateTo === dateFrom)
    return timeFrom === null
      ? `${at(dateFrom, null)} ${words.before} ${timeTo}`
      : `${at(dateFrom, timeFrom)}${timeTo === null ? '' : `–${timeTo}`}`
  return `${at(dateFrom, timeFrom)} – ${at(dateTo, timeTo)}`
}

/** A person and how to reach them, or null. */
export const contactOf = (name: string | null, phone: string | null, email: string | null = null): string | null =>
  [name, phone && together(phone), email].filter(Boolean).join(', ') || null

type CargoLine = Order['cargo'][number]

/** `120 × 80 × 145 cm`, with a dash for what is not known; null where nothing is. */
export function formatDimensions(
  { lengthCm, widthCm, heightCm }: Pick<CargoLine, 'lengthCm' | 'widthCm' | 'heightCm'>,
  language: Language,
): string | null {
  const sides = [lengthCm, widthCm, heightCm]
  return sides.every((side) => side === null)
    ? null
    : `${sides.map((side) => (side === null ? '–' : formatNumber(side, language))).join(' × ')} cm`
}

/** `2 … 8 °C`, or the one end that is given, or null. */
export function formatTemperature(
  { temperatureFrom, temperatureTo }: Pick<CargoLine, 'temperatureFrom' | 'temperatureTo'>,
  language: Language,
): string | null {
  const ends = [temperatureFrom, temperatureTo].filter((end) => end !== null)
  return ends.length === 0 ? null : together(`${ends.map((end) => formatNumber(end, language)).join(' … ')} °C`)
}

const INVOICE = textsOf('invoice')

/** What an invoice is called, on its paper and in its mail; `correction` is null of one that corrects none. */
export function invoiceKind(
  { correction, isCombined }: { correction: CorrectionLooks | null; isCombined: boolean },
  language: Language,
): string {
  const { kinds } = INVOICE[language]
  if (correction) return kinds[correctionKind(correction)]
  return isCombined ? kinds.combined : kinds.invoice
}
