import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getOrderOrigin } from '@waybill/contract/order/recurring/order-origin'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import classes from './recurring-link.module.css'

/** Where an order comes from that a recurring order made; nothing where it does not. */
export function RecurringOrderLink({ orderId }: { orderId: number }) {
  const { t } = useTranslation('order')
  const { data } = useQuery({
    queryKey: ['recurring-orders', 'of-order', orderId],
    queryFn: ({ signal }) => callApi(getOrderOrigin, { params: { id: orderId }, signal }),
  })
  const origin = data?.recurringOrder
  if (!origin) return null
  return (
    <Link
      to={`/recurring-orders/edit/${origin.id}` as string}
      className={classes.link}
      title={t('madeByRecurring', { title: origin.title })}
    >
      <Icon name="refresh" size={13} />
      <span>{origin.title}</span>
    </Link>
  )
}
