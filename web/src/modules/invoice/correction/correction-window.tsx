import { Button } from '@mantine/core'
import type { Language } from '@waybill/contract/errors'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft, DraftKey } from '../../../kit/form/state/draft-store.ts'
import { draftKeyOf } from '../../../kit/form/state/use-form-record.ts'
import { useKeptTyping, useUnsaved } from '../../../kit/form/state/use-kept-typing.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { KindCards, type CorrectionKind } from './kind-cards.tsx'
import { ReasonFields } from './reason-fields.tsx'
import { useSale } from './use-sale.ts'

interface WindowProps {
  invoice: Invoice
  /** of one order's price, net; null: in full or in part is asked */
  differenceCents: number | null
  isBusy: boolean
  onCancel: () => void
  /** Answers whether the correction was written */
  onConfirm: (reason: string, kind: CorrectionKind) => Promise<boolean>
}

/** What is asked before a correction is written: in full or in part, and why. */
export function CorrectionWindow(props: WindowProps) {
  const draftKey = draftKeyOf({ path: `invoices/correction/${props.differenceCents ?? ''}` }, props.invoice.id)
  const unsaved = useUnsaved<TypedReason>(draftKey)
  return unsaved === undefined ? null : <Window {...props} draftKey={draftKey} unsaved={unsaved} />
}

interface TypedReason {
  kind: CorrectionKind
  reason: string
}

interface KeptWindowProps extends WindowProps {
  draftKey: DraftKey
  /** What was typed before on this device, and not confirmed */
  unsaved: Draft<TypedReason> | null
}

const NOTHING: TypedReason = { kind: 'full', reason: '' }

function Window(props: KeptWindowProps) {
  const { invoice, differenceCents, isBusy, draftKey, unsaved, onCancel, onConfirm } = props
  const { t } = useTranslation(['invoice', 'invoice-correction'])
  const format = useFormat()
  const [typed, setTyped] = useState(unsaved?.values ?? NOTHING)
  const { kind, reason } = typed
  const [isTried, setTried] = useState(false)
  const { data: sale } = useSale(invoice)
  const isMissing = reason.trim() === ''
  const kept = useKeptTyping(draftKey, { values: isSame(typed, NOTHING) ? null : typed, base: NOTHING, version: null })
  const cancel = () => {
    void kept.forget()
    onCancel()
  }
  const confirm = async () => {
    if (isMissing) setTried(true)
    else if (await onConfirm(reason.trim(), kind)) await kept.forget()
  }
  return (
    <ModalFrame
      isOpen
      onClose={cancel}
      title={t('invoice:correct')}
      closeLabel={t('invoice:close')}
      onSubmit={() => void confirm()}
      footer={
        <>
          <Button onClick={cancel}>{t('invoice:cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t('invoice:correct')}
          </Button>
        </>
      }
    >
      {differenceCents === null ? (
        <KindCards
          value={kind}
          onChange={(kind) => setTyped({ ...typed, kind })}
          takesBack={format.euro(-(sale?.billed.totalCents ?? invoice.totalCents))}
        />
      ) : (
        <p>{t('invoice:correctDifference', { amount: format.euro(differenceCents) })}</p>
      )}
      <ReasonFields
        name="reason"
        isFocused={differenceCents !== null}
        value={reason}
        onChange={(reason) => setTyped({ ...typed, reason })}
        language={invoice.language as Language}
        error={isTried && isMissing ? t('invoice:reasonMissing') : undefined}
      />
    </ModalFrame>
  )
}
