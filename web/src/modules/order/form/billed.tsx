import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getBilled } from '@waybill/contract/order/day'
import type { Order } from '@waybill/contract/order/order'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import classes from '../grid/section.module.css'

/** What was billed of the price, and where the price is another one by now, the way to the correction. */
export function Billed({ order, priceCents }: { order: Order; priceCents: number | null }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const { data } = useQuery({
    queryKey: ['invoices', 'billed', order.id],
    queryFn: ({ signal }) => callApi(getBilled, { params: { id: order.id }, signal }),
    enabled: hasAccess(getBilled.access),
  })
  const billed = data?.billed ?? null
  if (billed === null) return null
  const { invoice, billedCents } = billed
  const to = `/invoices/${invoice.id}/edit` as string
  const number = <Link to={to}>{invoice.title}</Link>
  const amount = format.euro(billedCents)
  if (billedCents === priceCents)
    return (
      <p className={classes.billed}>
        {t('billed.same', { amount })} {number}
      </p>
    )
  const difference = (priceCents ?? 0) - billedCents
  return (
    <Notice tone="warn">
      <p>
        {t('billed.same', { amount })} {number}.{' '}
        {t(difference < 0 ? 'billed.lower' : 'billed.higher', { difference: format.euro(Math.abs(difference)) })}
      </p>
      {/* A correction is written of what is saved. */}
      {priceCents === order.customerPriceCents && priceCents !== null ? (
        <Link to={to} hash={`correction:${order.id}:${difference}`}>
          {t('billed.correct')}
        </Link>
      ) : null}
    </Notice>
  )
}
