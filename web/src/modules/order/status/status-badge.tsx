import type { OrderStatus } from '@waybill/contract/order/status'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../ui/marks/status-badge.tsx'

/** An order's or a route's status in the person's words. */
export function OrderStatusBadge({ status, isBig = false }: { status: OrderStatus; isBig?: boolean }) {
  const { t } = useTranslation('order-list')
  return (
    <StatusBadge status={status} isBig={isBig}>
      {t(`status.${status}`)}
    </StatusBadge>
  )
}
