import type { Language } from '@waybill/contract/errors'
import { addDays, isRealDate } from '@waybill/contract/kit/local-time'

/** A local date as one types it, in figures alone: `04.12.2026`, in English `04/12/2026`. */
export function dayTyped(day: string, language: Language): string {
  return day
    .split('-')
    .toReversed()
    .join(language === 'en' ? '/' : '.')
}

/**
 * Reads a day as people type it: `4.12`, `4/12/26`, `041226`, `2026-12-04`, or days from today, `+2`, `-7`. The day
 * stands before the month, as freight in Europe writes it; without a year it is the one nearest to today. Null for
 * what is no day. `today` is a local date.
 */
export function readDay(typed: string, today: string): string | null {
  const text = typed.trim().replace(/[.\-/\s]+$/, '')
  const away = /^([+-])\s?(\d{1,4})$/.exec(text)
  if (away) return addDays(today, Number(`${away[1]!}${away[2]!}`))
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (iso) return dateOf(iso[1]!, iso[2]!, iso[3]!)
  const parts =
    /^(\d{1,2})[.\-/\s]+(\d{1,2})(?:[.\-/\s]+(\d{4}|\d{2}))?$/.exec(text) ?? /^(\d{2})(\d{2})(\d{4}|\d{2})?$/.exec(text)
  if (!parts) return null
  const [, day, month, year] = parts as unknown as [string, string, string, string | undefined]
  if (year !== undefined) return dateOf(year.length === 2 ? `20${year}` : year, month, day)
  const thisYear = Number(today.slice(0, 4))
  const near = [thisYear - 1, thisYear, thisYear + 1].flatMap((one) => dateOf(String(one), month, day) ?? [])
  return near.toSorted((a, b) => distance(a, today) - distance(b, today))[0] ?? null
}

function dateOf(year: string, month: string, day: string): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isRealDate(date) ? date : null
}

const distance = (day: string, other: string): number => Math.abs(Date.parse(day) - Date.parse(other))
