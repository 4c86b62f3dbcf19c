import { useSearch } from '@tanstack/react-router'
import { invoiceApi, type InvoiceRow } from '@waybill/contract/invoice/invoice'
import { INVOICE_STATUSES, type InvoiceSide } from '@waybill/contract/invoice/status'
import { useTranslation } from 'react-i18next'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { InvoiceTabs } from './invoice-tabs-section.tsx'
import { INVOICE_PHONE_GRID, invoicePath, useInvoiceColumns } from './invoice-columns.tsx'
import { useInvoiceFilters } from './invoice-list-filters.ts'
import { KsefNotice } from './ksef/ksef-notice.tsx'

/** Invoices to customers and from carriers, together or each side by itself. */
export function InvoiceListPage() {
  const { t } = useTranslation('invoice-list')
  const side = sideOf((useSearch({ strict: false }) as { entityType?: unknown }).entityType)
  const list = useList(invoiceApi, { filters: useInvoiceFilters(side) })
  const columns = useInvoiceColumns(side)
  return (
    <ListPage
      list={list}
      title={t('title')}
      create={{ to: '/invoices/create', label: t('newInvoice') }}
      tabs={
        <>
          <InvoiceTabs
            current={side ?? 'all'}
            // The filters of one side mean nothing on the other.
            onView={(view) =>
              list.change({
                filters: {
                  entityType: view === 'all' ? undefined : view,
                  status: undefined,
                  ...NO_STATUS_DATES,
                  billingCustomerId: undefined,
                  carrierCompanyId: undefined,
                },
              })
            }
          />
          <KsefNotice />
        </>
      }
      columns={columns}
      rowName={(row: InvoiceRow) => row.number ?? row.innerNumber}
      pathOf={invoicePath}
      emptyText={t('empty')}
      phoneGrid={INVOICE_PHONE_GRID}
      minWidth={1060}
    />
  )
}

const NO_STATUS_DATES = Object.fromEntries(INVOICE_STATUSES.map((status) => [`statusDate.${status}`, undefined]))

const sideOf = (value: unknown): InvoiceSide | null => (value === 'customer' || value === 'carrier' ? value : null)
