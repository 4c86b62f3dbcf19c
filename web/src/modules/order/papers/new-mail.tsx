import type { Order } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import type { OrderForm } from '../values/order-form.ts'

const NewMailWindow = lateWindow(() => import('./new-mail-window.tsx').then((file) => file.NewMailWindow))

/** Begins a mail about the order, from anywhere on its form. */
export function NewMail({ form, order }: { form: OrderForm; order: Order }) {
  const { t } = useTranslation('order')
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useShortcut({ key: 'e', alt: true, label: t('newMail'), run: open }, !isOpen)
  return (
    <>
      <Button size="compact-sm" aria-keyshortcuts="Alt+E" onClick={open}>
        {t('newMail')}
      </Button>
      {isOpen ? <NewMailWindow form={form} order={order} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
