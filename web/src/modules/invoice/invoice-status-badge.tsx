import type { InvoiceStatus } from '@waybill/contract/invoice/status'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../ui/marks/status-badge.tsx'

/** An invoice's status in the person's words. */
export function InvoiceStatusBadge({ status, isBig = false }: { status: InvoiceStatus; isBig?: boolean }) {
  const { t } = useTranslation('invoice-list')
  return (
    <StatusBadge status={status} isBig={isBig}>
      {t(`status.${status}`)}
    </StatusBadge>
  )
}
