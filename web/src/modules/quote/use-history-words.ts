import type { CostSource, LostReason } from '@waybill/contract/quote/quote'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import type { HistoryWords } from '../audit-entry/history-list-section.ts'

const DAYS = ['fromDate', 'toDate', 'validUntil']
const SUMS = ['costCents', 'priceCents']

/** How the history of a quote calls its fields, and says what stood in them. */
export function useHistoryWords(): HistoryWords {
  const { t } = useTranslation('quote')
  const format = useFormat()
  return {
    labelOf: (path) => t(`historyFields.${path}`, { defaultValue: path }),
    wordsOf: (path, value) => {
      if (value === null || value === undefined || value === '') return ''
      if (path === 'costSource') return t(`cost.${value as CostSource}`)
      if (path === 'lostReason') return t(`reasons.${value as LostReason}`)
      if (DAYS.includes(path)) return format.date(String(value))
      if (SUMS.includes(path)) return format.euro(Number(value))
      if (path === 'targetBp') return format.percent(Number(value))
      return typeof value === 'number' ? format.number(value) : String(value)
    },
  }
}
