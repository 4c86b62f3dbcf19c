import { shiftMonth } from '@waybill/contract/kit/months'
import { NO_KEY, OWN_FLEET_KEY, SEVERAL_KEY, type ReportGroup } from '@waybill/contract/report/report'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { isMonth, periodOf, type ReportView } from './report-address.ts'

/** How the report writes amounts, months and what its rows are called. */
export function useReportWords() {
  const { t } = useTranslation('report')
  const format = useFormat()
  const euros = (cents: number): string => format.number(Math.round(cents / 100))
  const monthIn = (month: string, shape: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(format.locale, { ...shape, timeZone: 'UTC' }).format(new Date(`${month}-15T12:00:00Z`))
  const monthOf = (month: string): string => monthIn(month, { month: 'short', year: 'numeric' })
  const spanOf = (from: string, to: string): string => {
    if (from === to) return monthOf(from)
    const isOneYear = from.slice(0, 4) === to.slice(0, 4)
    return `${isOneYear ? monthIn(from, { month: 'short' }) : monthOf(from)} – ${monthOf(to)}`
  }
  return {
    /** Whole euros: what is looked at here are thousands. */
    euros,
    /** With its sign; nothing has none. */
    signed: (cents: number): string => `${Math.round(cents / 100) > 0 ? '+' : ''}${euros(cents)}`,
    monthOf,
    monthLetter: (month: string): string => monthIn(month, { month: 'narrow' }),
    spanOf,
    /** The span before, as short as it goes: its year, or both. */
    yearBefore: (view: ReportView): string => {
      const [from, to] = Object.values(periodOf(view)).map((month) => shiftMonth(month, -12).slice(0, 4))
      return from === to ? from! : `${from}/${to!.slice(2)}`
    },
    titleOf: (by: ReportGroup, key: string, title: string | null): string => {
      if (key === NO_KEY) return t(`none.${by}`)
      if (key === OWN_FLEET_KEY) return t('ownFleet')
      if (key === SEVERAL_KEY) return t(`several.${by}`)
      // Rows of another group stand there until those of months have come.
      if (by === 'month' && isMonth(key)) return monthOf(key)
      if (by === 'lane') return key.replace('>', ' → ')
      return title ?? key
    },
  }
}
