import type { CheckLine } from '@waybill/contract/invoice/checking'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** In groups of four, as banks print it. */
const grouped = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1\u00A0')

/** What a check has found and expected, in the person's words. */
export function useCheckWords() {
  const { t } = useTranslation(['invoice-check', 'document'])
  const format = useFormat()
  const valueOf = (name: string, value: string | number | null): string | number => {
    if (value === null) return '–'
    if (name === 'count') return value
    if (name === 'documentType') return t(`document:types.${value as 'EU_LICENSE'}`)
    if (typeof value === 'string') return DAY.test(value) ? format.date(value) : value
    if (name === 'differenceCents') return `${value > 0 ? '+' : ''}${format.money(value)}`
    if (name.endsWith('Cents')) return format.money(value)
    if (name === 'differenceBp') return `${format.number(value / 100, 1, 1)}\u00A0%`
    return name.endsWith('Bp') ? format.percent(value) : format.number(value)
  }
  return {
    /** as it stands on the invoice; null where there is nothing to show */
    found({ key, found }: CheckLine, currency: string): string | null {
      if (found === null) return null
      if (key === 'iban') return grouped(String(found))
      if (key === 'amount') return format.amount(Number(found), currency)
      if (key === 'vat') return format.percent(Number(found))
      return typeof found === 'string' && DAY.test(found) ? format.date(found) : String(found)
    },
    expected({ expected: { says, values } }: CheckLine): string {
      const words = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(name, value)]))
      return String(t(`says.${says}`, { count: 0, ...words } as never))
    },
  }
}
