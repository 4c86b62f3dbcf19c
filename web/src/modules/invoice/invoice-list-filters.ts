import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { customerApi } from '@waybill/contract/customer'
import { invoiceOrders, REMINDED } from '@waybill/contract/invoice/invoice'
import { INVOICE_MOVES, INVOICE_STATUSES, type InvoiceSide } from '@waybill/contract/invoice/status'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { countryChoices } from '../../kit/i18n/country-choices.ts'
import type { ListFilter } from '../../kit/list/filter/filters.ts'

/** What the invoices list can be narrowed by; on one side only what that side has. */
export function useInvoiceFilters(side: InvoiceSide | null): readonly ListFilter[] {
  const { t, i18n } = useTranslation('invoice-list')
  return useMemo(() => {
    const statuses = INVOICE_STATUSES.filter(
      (status) =>
        side === null ||
        INVOICE_MOVES.some((move) => move.side === side && (move.from === status || move.to === status)),
    )
    const filters: (ListFilter & { side?: InvoiceSide })[] = [
      {
        kind: 'choices',
        name: 'status',
        label: t('filter.status'),
        choices: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      { kind: 'flag', name: 'overdue', label: t('filter.overdue') },
      { kind: 'flag', name: 'open', label: t('filter.open') },
      { kind: 'flag', name: 'disputed', label: t('filter.disputed'), side: 'customer' },
      {
        kind: 'choices',
        name: 'reminded',
        label: t('filter.reminded'),
        choices: REMINDED.map((value) => ({ value, label: t(`remindedFilter.${value}`) })),
        side: 'customer',
      },
      {
        kind: 'records',
        name: 'billingCustomerId',
        label: t('filter.billingCustomer'),
        api: customerApi,
        side: 'customer',
      },
      {
        kind: 'records',
        name: 'carrierCompanyId',
        label: t('filter.carrier'),
        api: carrierCompanyApi,
        side: 'carrier',
      },
      { kind: 'records', name: 'orderId', label: t('filter.order'), api: invoiceOrders },
      {
        kind: 'choices',
        name: 'toCountry',
        label: t('filter.toCountry'),
        choices: countryChoices(i18n.language),
      },
      { kind: 'text', name: 'toTown', label: t('filter.toTown') },
      { kind: 'days', name: 'dueDate', label: t('filter.dueDate') },
      { kind: 'days', name: 'createdAt', label: t('filter.createdAt') },
      ...statuses.map(
        (status): ListFilter => ({
          kind: 'days',
          name: `statusDate.${status}`,
          label: t('filter.statusDate', { status: t(`status.${status}`) }),
        }),
      ),
    ]
    return filters.filter((filter) => side === null || filter.side === undefined || filter.side === side)
  }, [t, i18n.language, side])
}
