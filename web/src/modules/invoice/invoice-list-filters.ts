import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { customerApi } from '@waybill/contract/customer'
import { INVOICE_MOVES, INVOICE_STATUSES, type InvoiceSide } from '@waybill/contract/invoice/status'
import { orderApi } from '@waybill/contract/order/order'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListFilter } from '../../kit/list/filter/filters.ts'

/** What the invoices list can be narrowed by; on one side only what that side has. */
export function useInvoiceFilters(side: InvoiceSide | null): readonly ListFilter[] {
  const { t } = useTranslation('invoice-list')
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
      { kind: 'records', name: 'orderId', label: t('filter.order'), api: orderApi },
      { kind: 'days', name: 'dueDate', label: t('filter.dueDate') },
      { kind: 'days', name: 'createdAt', label: t('filter.createdAt') },
    ]
    return filters.filter((filter) => side === null || filter.side === undefined || filter.side === side)
  }, [t, side])
}
