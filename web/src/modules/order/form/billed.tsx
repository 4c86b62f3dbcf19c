import { Link } from '@tanstack/react-router'
import type { Order } from '@waybill/contract/order/order'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import classes from '../grid/section.module.css'
import { useBilledFreight } from './invoices.ts'

/** What was billed of the price, and where the price is another one by now, the way to the correction. */
export function Billed({ order, priceCents }: { order: Order; priceCents: number | null }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const billed = useBilledFreight(order)
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
