import type { DifferenceKind } from '@waybill/contract/invoice/check'
import type { ProblemKind, WaitsForWhom } from '@waybill/contract/invoice/checking'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'

const LINE_FIELDS = [
  'kind',
  'text',
  'quantity',
  'unitPriceCents',
  'vatBp',
  'vatCategory',
  'orderId',
  'routeId',
  'correctsLineId',
  'correctedQuantity',
  'correctedUnitPriceCents',
] as const
const FIELDS = [
  'correctionReason',
  'number',
  'ksefNumber',
  'status',
  'state',
  'companyId',
  'billingCustomerId',
  'carrierCompanyId',
  'orderIds',
  'routeId',
  'allocations',
  'amountCents',
  'vatBp',
  'totalCents',
  'currency',
  'iban',
  'language',
  'invoiceDate',
  'documentCreationDate',
  'dueDate',
  'paymentPeriodDays',
  'servicePeriodFrom',
  'servicePeriodTo',
  'notes',
  'lines',
  'documentId',
  'problemKind',
  'waitsFor',
  'differenceKind',
  'reminderLevel',
  'feeCents',
  'interestCents',
  'skontoCents',
  'writtenOffCents',
] as const

const DERIVED =
  /^(statusDate|isDueAgreed|vatGroups|vatCents|seller|buyer|innerNumber|createdAt|paidAt)\b|^lines\.\d+\.netCents$/

/** Fields of an invoice that follow from others, or are told by them. */
export const isDerivedInvoiceField = (path: string): boolean => DERIVED.test(path)

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

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A value of an invoice in words, for the differences between two people and for the history. */
export function useInvoiceWords({ orders }: Pick<Invoice, 'orders'>): (path: string, value: unknown) => string {
  const { t } = useTranslation(['invoice', 'invoice-list', 'invoice-check', 'form'])
  const format = useFormat()
  return (path, value) => {
    const field = path.slice(path.lastIndexOf('.') + 1)
    if (value === null || value === undefined || value === '') return t('form:nothing')
    if (field === 'status') return t(`invoice-list:status.${value as Invoice['status']}`)
    if (field === 'problemKind') return t(`invoice-check:problem.kind.${value as ProblemKind}`)
    if (field === 'waitsFor') return t(`invoice-check:problem.whom.${value as WaitsForWhom}`)
    if (field === 'differenceKind') return t(`invoice-check:answer.${value as DifferenceKind}`)
    if (field === 'state') return t(`states.${value as Invoice['state']}`)
    if (field === 'kind') return t(`kinds.${value as 'freight' | 'extra'}`)
    if (field === 'vatCategory') return t(`category.${value as 'S'}`)
    if (typeof value === 'string') return DAY.test(value) ? format.date(value) : value
    if (typeof value === 'object') return 'text' in value && typeof value.text === 'string' ? value.text : ''
    if (typeof value !== 'number') return ''
    if (field === 'orderId') return orders.find(({ id }) => id === value)?.title ?? `#${value}`
    if (field.endsWith('Id')) return `#${value}`
    if (field.endsWith('Cents')) return format.euro(value)
    return field.endsWith('Bp') ? format.percent(value) : format.number(value)
  }
}
