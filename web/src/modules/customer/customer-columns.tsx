import { Link } from '@tanstack/react-router'
import type { customerApi } from '@waybill/contract/customer'
import type { RowOf } from '@waybill/contract/kit/resource'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { StateButton } from '../../kit/list/page/state-columns.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'

export type CustomerRow = RowOf<typeof customerApi>

/** Where one is opened. */
export const customerPath = (id: number): string => `/customer/${id}/edit`

/** The card of a phone. */
export const CUSTOMER_PHONE_GRID = [
  '"title actions" 28px "city country" 20px "vatNumber payment" 20px "responsible responsible" 20px',
  '/ minmax(0, 1fr) auto',
].join(' ')

/** The columns of the list; `onState` asks before one is deactivated or activated. */
export function useCustomerColumns(onState: (customer: CustomerRow) => void): readonly ListColumn<CustomerRow>[] {
  const { t } = useTranslation(['customer', 'list'])
  const format = useFormat()
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('fields.title'),
        cell: (customer) => (
          <Link to={customerPath(customer.id)} title={customer.title}>
            {customer.title}
          </Link>
        ),
      },
      {
        id: 'alias',
        header: t('fields.alias'),
        isSortable: false,
        meta: { width: 108, isHiddenOnPhone: true },
        cell: (customer) => <span title={customer.alias ?? undefined}>{customer.alias}</span>,
      },
      {
        id: 'country',
        header: t('fields.countryId'),
        isSortable: false,
        meta: { width: 104 },
        cell: (customer) => <span title={customer.country.title}>{customer.country.title}</span>,
      },
      {
        id: 'city',
        header: t('fields.city'),
        meta: { width: 148 },
        cell: (customer) => (
          <span title={customer.city ?? undefined}>{[customer.postal, customer.city].filter(Boolean).join(' ')}</span>
        ),
      },
      {
        id: 'vatNumber',
        header: t('fields.vatNumber'),
        isSortable: false,
        meta: { width: 132 },
        cell: (customer) => (
          <span title={formatVatNumber(customer.vatNumber) ?? undefined}>{formatVatNumber(customer.vatNumber)}</span>
        ),
      },
      {
        id: 'responsible',
        header: t('fields.responsibleUserId'),
        isSortable: false,
        meta: { width: 132 },
        cell: (customer) => <span title={customer.responsibleUser?.title}>{customer.responsibleUser?.title}</span>,
      },
      {
        id: 'payment',
        header: t('payment'),
        isSortable: false,
        meta: { width: 116, align: 'end' },
        cell: (customer) => (
          <span title={t(`paymentOption.${customer.paymentOption}`)}>
            {t('days', { count: customer.paymentPeriodDays })}
            {customer.paymentOption === 'end_of_period' ? ` · ${t('endMark')}` : ''}
          </span>
        ),
      },
      {
        id: 'createdAt',
        header: t('fields.createdAt'),
        meta: { width: 106, isHiddenOnPhone: true },
        cell: (customer) => format.day(customer.createdAt),
      },
      {
        id: 'actions',
        header: '',
        isSortable: false,
        meta: { width: 44, align: 'end' },
        cell: (customer) => (
          <StateButton state={customer.state} name={customer.title} onClick={() => onState(customer)} />
        ),
      },
    ],
    [t, format, onState],
  )
}
