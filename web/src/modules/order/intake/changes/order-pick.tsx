import { Button } from '@mantine/core'
import type { Reference } from '@waybill/contract/kit/fields'
import { orderApi } from '@waybill/contract/order/order'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReferenceSelect } from '../../../../kit/list/reference/reference-select.tsx'
import classes from '../intake.module.css'

interface OrderPickProps {
  isBusy: boolean
  /** `onFiled` is called once the mail is with the order */
  onFile: (orderId: number, onFiled: () => void) => void
}

/** With which order a mail is filed that names none of ours: a person knows it, or finds it by number or customer. */
export function OrderPick({ isBusy, onFile }: OrderPickProps) {
  const { t } = useTranslation('intake')
  const [order, setOrder] = useState<Reference | null>(null)
  return (
    <form
      className={classes.pick}
      onSubmit={(event) => {
        event.preventDefault()
        if (order !== null) onFile(order.id, () => setOrder(null))
      }}
    >
      <ReferenceSelect
        api={orderApi}
        label={t('pick.order')}
        placeholder={t('pick.find')}
        value={order?.id ?? null}
        current={order}
        onChange={(_id, reference) => setOrder(reference)}
      />
      <Button type="submit" disabled={order === null} loading={isBusy}>
        {order === null ? t('pick.file') : t('fileWith', { order: order.title })}
      </Button>
    </form>
  )
}
