import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listCollectiveDeliveries, type CollectiveDelivery } from '@waybill/contract/document'
import type { Order } from '@waybill/contract/order/order'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import classes from './papers.module.css'
import type { CertificateForm } from './use-certificate.ts'

const isSame = (one: Pick<CollectiveDelivery, 'orderId' | 'dropOffId'>, other: typeof one) =>
  one.orderId === other.orderId && one.dropOffId === other.dropOffId

interface CollectiveDeliveriesProps {
  order: Order
  form: CertificateForm
}

/** The other deliveries of the quarter to the same buyer, to be confirmed on the same sheet. */
export function CollectiveDeliveries({ order, form }: CollectiveDeliveriesProps) {
  const { t } = useTranslation('order-papers')
  const format = useFormat()
  const { meant, missing, typed, set } = form
  const dropOffId = meant?.dropOff.id
  const { data } = useQuery({
    queryKey: ['documents', { orderId: order.id }, 'collective', order.version, dropOffId, typed.month],
    queryFn: ({ signal }) =>
      callApi(listCollectiveDeliveries, {
        params: { id: order.id },
        query: { dropOffId, month: typed.month ?? undefined },
        signal,
      }),
    enabled: meant?.kind === 'arrival' && missing === null,
  })
  const items = data?.items ?? []
  if (items.length === 0) return null
  const chosen = typed.together
  const free = items.filter(({ hasCertificate }) => !hasCertificate)
  const offered = free.length > 0 ? free : items
  const hasAll = offered.every((one) => chosen.some((other) => isSame(one, other)))
  const keyed = ({ orderId, dropOffId: stop }: CollectiveDelivery) => ({ orderId, dropOffId: stop })
  return (
    <details className={classes.more} open={chosen.length > 0 || undefined}>
      <summary>{t('collective', { count: items.length })}</summary>
      <div className={classes.fields}>
        <p>{t('collectiveMeans')}</p>
        <Checkbox
          label={t('collectiveAll', { count: offered.length })}
          checked={hasAll}
          indeterminate={!hasAll && chosen.length > 0}
          onChange={() => set({ together: hasAll ? [] : offered.map(keyed) })}
        />
        <ul className={classes.deliveries} aria-label={t('collective', { count: items.length })}>
          {items.map((item) => (
            <li key={`${item.orderId} ${item.dropOffId}`}>
              <Checkbox
                label={[item.number, format.date(item.arrivedOn), item.place].filter(Boolean).join(' · ')}
                description={[
                  item.reference,
                  item.weightKg === null ? null : `${format.number(item.weightKg)} kg`,
                  item.hasCertificate ? t('certifiedAlready') : null,
                ]
                  .filter(Boolean)
                  .join(' · ')}
                checked={chosen.some((one) => isSame(one, item))}
                onChange={({ currentTarget: { checked } }) =>
                  set({ together: checked ? [...chosen, keyed(item)] : chosen.filter((one) => !isSame(one, item)) })
                }
              />
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}
