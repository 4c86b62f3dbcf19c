import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { LOST_REASONS, loseQuote, type LostReason, type Quote } from '@waybill/contract/quote/quote'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { FigureField } from './figure-field.tsx'

const NOTHING = { reason: 'price' as LostReason, remark: '' }

interface LoseWindowProps {
  quote: Quote
  onLost: (quote: Quote) => void
  onClose: () => void
}

/** Says that a quote is lost, and why: the next one for this lane shows it. */
export function LoseWindow({ quote, onLost, onClose }: LoseWindowProps) {
  const { t } = useTranslation('quote')
  const refusalWords = useRefusalWords()
  const typed = useKept('quotes/lose', quote.id, NOTHING)
  const { reason, remark } = typed.values
  const lose = useMutation({
    mutationFn: () =>
      callApi(loseQuote, {
        params: { id: quote.id },
        version: quote.version,
        body: { reason, remark: remark.trim() || null },
      }),
    onSuccess: (lost) => {
      void typed.forget()
      onLost(lost)
    },
  })
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={t('lose.title', { number: quote.number })}
      closeLabel={t('close')}
      onSubmit={() => {
        if (!lose.isPending) lose.mutate()
      }}
      footer={
        <>
          <Button variant="default" onClick={giveUp}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant="filled" color="red" loading={lose.isPending}>
            {t('lose.lose')}
          </Button>
        </>
      }
    >
      {lose.error === null ? null : (
        <Notice tone="danger" isUrgent>
          {[...new Set(refusalWords(lose.error))].join('. ')}
        </Notice>
      )}
      <SelectField
        label={t('lose.reason')}
        allowDeselect={false}
        data={LOST_REASONS.map((value) => ({ value, label: t(`reasons.${value}`) }))}
        value={reason}
        onChange={(value) => typed.change({ reason: value as LostReason })}
      />
      <TextField
        label={t('lose.remark')}
        hint={t('lose.means')}
        maxLength={500}
        autoComplete="off"
        value={remark}
        onChange={(event) => typed.change({ remark: event.currentTarget.value })}
      />
    </ModalFrame>
  )
}

interface OrderWindowProps {
  quote: Pick<Quote, 'id' | 'number'>
  onOrder: (quantity: number) => void
  onClose: () => void
}

/** Asks how many units there are before the order is made: the quote does not say it, and papers print it. */
export function OrderWindow({ quote: { id, number }, onOrder, onClose }: OrderWindowProps) {
  const { t } = useTranslation('quote')
  const typed = useKept<number | null>('quotes/quantity', id, null)
  const quantity = typed.values
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  const isCounted = quantity !== null && quantity > 0
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={t('order.title', { number })}
      closeLabel={t('close')}
      onSubmit={() => {
        if (!isCounted) return
        void typed.forget()
        onOrder(quantity)
      }}
      footer={
        <>
          <Button variant="default" onClick={giveUp}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant="filled" disabled={!isCounted} title={isCounted ? undefined : t('order.need')}>
            {t('makeOrder')}
          </Button>
        </>
      }
    >
      <p>{t('order.why')}</p>
      <FigureField label={t('fields.quantity')} data-autofocus value={quantity} onChange={typed.set} />
    </ModalFrame>
  )
}
