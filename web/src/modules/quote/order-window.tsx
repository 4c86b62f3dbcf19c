import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { FigureField } from './figure-field.tsx'

interface OrderWindowProps {
  number: string
  onOrder: (quantity: number) => void
  onClose: () => void
}

/** Asks how many units there are before the order is made: the quote does not say it, and papers print it. */
export function OrderWindow({ number, onOrder, onClose }: OrderWindowProps) {
  const { t } = useTranslation('quote')
  const [quantity, setQuantity] = useState<number | null>(null)
  const isCounted = quantity !== null && quantity > 0
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('order.title', { number })}
      closeLabel={t('close')}
      onSubmit={() => {
        if (isCounted) onOrder(quantity)
      }}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant="filled" disabled={!isCounted} title={isCounted ? undefined : t('order.need')}>
            {t('makeOrder')}
          </Button>
        </>
      }
    >
      <p>{t('order.why')}</p>
      <FigureField label={t('fields.quantity')} data-autofocus value={quantity} onChange={setQuantity} />
    </ModalFrame>
  )
}
