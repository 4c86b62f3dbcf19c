import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'

const LINE_FIELDS = ['kind', 'text', 'quantity', 'unitPriceCents', 'vatBp', 'vatCategory', 'orderId', 'routeId'] as const
const FIELDS = ['number', 'amountCents', 'vatBp', 'totalCents', 'iban', 'documentCreationDate', 'dueDate', 'paymentPeriodDays', 'servicePeriodFrom', 'servicePeriodTo', 'notes', 'lines'] as const

/** What a path of an invoice is called. */
export function useInvoiceLabels(): (path: string) => string {
  const { t } = useTranslation('invoice')
  return (path) => {
    const [top, index, field] = path.split('.')
    if (top === 'lines' && index !== undefined) {
      const name = LINE_FIELDS.find((one) => one === field)
      const line = t('line', { number: Number(index) + 1 })
      return name === undefined ? line : `${line}, ${t(`lineFields.${name}`)}`
    }
    const name = FIELDS.find((one) => one === top)
    return name === undefined ? t('title') : t(`fields.${name}`)
  }
}

/** A value of an invoice in words, for the differences between two people. */
export function useInvoiceWords(): (path: string, value: unknown) => string {
  const { t } = useTranslation('form')
  const format = useFormat()
  return (path, value) => {
    if (value === null || value === undefined || value === '') return t('nothing')
    if (typeof value !== 'number') return typeof value === 'string' ? value : ''
    if (path.endsWith('Cents')) return format.euro(value)
    return path.endsWith('Bp') ? format.percent(value) : format.number(value)
  }
}
