import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { keepBilled, LOAD_PARTS, type BilledFreight, type FreightLoad } from '@waybill/contract/order/day'
import type { Order } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { sumsOf } from '../cargo/cargo-figures.ts'
import classes from '../grid/section.module.css'
import type { CargoValues } from '../values/draft.ts'

/**
 * What of cargo and way is not as it was billed, and what can be done: another price, the invoice taken back, or the
 * invoice left as it stands. Nothing where all is as it was.
 */
export function BilledLoad({ order, billed }: { order: Order; billed: BilledFreight }) {
  const { t } = useTranslation(['order', 'order-parts'])
  const format = useFormat()
  const form = useFormContext()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const cargo = useFormValue<CargoValues[]>('cargo')
  const keep = useMutation({
    mutationFn: () => callApi(keepBilled, { params: { id: order.id }, version: order.version }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invoices', 'billed', order.id] }),
    onError: (error) =>
      notify({
        tone: 'danger',
        title: t('order-parts:billedLoad.notKept'),
        detail: errorText(error),
        closeLabel: t('close'),
      }),
  })
  const { quantity, weightKg, volumeM3, ldm } = sumsOf(cargo)
  const now: FreightLoad = { ...billed.loadNow, quantity, weightKg, volumeM3, ldm }
  const different = LOAD_PARTS.filter((part) => billed.load[part] !== now[part])
  if (different.length === 0) return null
  const isSaved = isSame(cargo, (form.base as { cargo: CargoValues[] } | null)?.cargo)
  const value = (load: FreightLoad, part: (typeof LOAD_PARTS)[number]) => {
    const figure = load[part]
    return typeof figure === 'number' ? format.number(figure, 0, 3) : figure || t('order-parts:billedLoad.nowhere')
  }
  const to = `/invoices/${billed.invoice.id}/edit` as string
  return (
    <div className={classes.billedLoad}>
      <Notice tone="warn">
        <p>
          {t('order-parts:billedLoad.differs')} <Link to={to}>{billed.invoice.title}</Link>
        </p>
        <ul className={classes.billedParts}>
          {different.map((part) => (
            <li key={part}>
              {t('order-parts:billedLoad.part', {
                part: t(`order-parts:billedLoad.parts.${part}`),
                billed: value(billed.load, part),
                now: value(now, part),
              })}
            </li>
          ))}
        </ul>
        <p>{t('order-parts:billedLoad.price')}</p>
        {isSaved ? (
          <p className={classes.billedWays}>
            <Link to={to} hash="correction">
              {t('order-parts:billedLoad.takeBack')}
            </Link>
            <Button size="compact-sm" loading={keep.isPending} onClick={() => keep.mutate()}>
              {t('order-parts:billedLoad.keep')}
            </Button>
          </p>
        ) : null}
      </Notice>
    </div>
  )
}
