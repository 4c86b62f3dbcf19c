import { useSearch } from '@tanstack/react-router'
import { invoiceApi, type InvoiceRow } from '@waybill/contract/invoice/invoice'
import { INVOICE_STATUSES, type InvoiceSide } from '@waybill/contract/invoice/status'
import { useTranslation } from 'react-i18next'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import { TabBar } from '../../ui/page/tab-bar.tsx'
import { INVOICE_PHONE_GRID, invoicePath, useInvoiceColumns } from './invoice-columns.tsx'
import { useInvoiceFilters } from './invoice-list-filters.ts'

const TABS = ['all', 'customer', 'carrier'] as const

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
        <TabBar
          label={t('sides')}
          tabs={TABS.map((key) => ({ key, label: t(`tab.${key}`) }))}
          current={side ?? 'all'}
          // The filters of one side mean nothing on the other.
          onSelect={(tab) =>
            list.change({
              filters: {
                entityType: tab === 'all' ? undefined : tab,
                status: undefined,
                ...NO_STATUS_DATES,
                billingCustomerId: undefined,
                carrierCompanyId: undefined,
              },
            })
          }
        />
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
