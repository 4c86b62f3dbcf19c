import { Button } from '@mantine/core'
import type { Language } from '@waybill/contract/errors'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { KindCards, type CorrectionKind } from './kind-cards.tsx'
import { ReasonFields } from './reason-fields.tsx'
import { useSale } from './use-sale.ts'

interface WindowProps {
  isOpen: boolean
  invoice: Invoice
  /** of one order's price, net; null: in full or in part is asked */
  differenceCents: number | null
  isBusy: boolean
  onCancel: () => void
  onConfirm: (reason: string, kind: CorrectionKind) => void
}

/** What is asked before a correction is written: in full or in part, and why. */
export function CorrectionWindow({ isOpen, invoice, differenceCents, isBusy, onCancel, onConfirm }: WindowProps) {
  const { t } = useTranslation(['invoice', 'invoice-correction'])
  const format = useFormat()
  const [kind, setKind] = useState<CorrectionKind>('full')
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const { data: sale } = useSale(invoice, isOpen)
  const isMissing = reason.trim() === ''
  return (
    <ModalFrame
      isOpen={isOpen}
      onClose={onCancel}
      title={t('invoice:correct')}
      closeLabel={t('invoice:close')}
      onSubmit={() => (isMissing ? setTried(true) : onConfirm(reason.trim(), kind))}
      footer={
        <>
          <Button onClick={onCancel}>{t('invoice:cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t('invoice:correct')}
          </Button>
        </>
      }
    >
      {differenceCents === null ? (
        <KindCards
          value={kind}
          onChange={setKind}
          takesBack={format.euro(-(sale?.billed.totalCents ?? invoice.totalCents))}
        />
      ) : (
        <p>{t('invoice:correctDifference', { amount: format.euro(differenceCents) })}</p>
      )}
      <ReasonFields
        name="reason"
        isFocused={differenceCents !== null}
        value={reason}
        onChange={setReason}
        language={invoice.language as Language}
        error={isTried && isMissing ? t('invoice:reasonMissing') : undefined}
      />
    </ModalFrame>
  )
}
