import { Button } from '@mantine/core'
import type { ProofStop } from '@waybill/contract/order/papers/proof-stops'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RefusalsNotice } from '../../ui/notices/refusals-notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './document-edit.module.css'
import { ProofStops } from './proof-stops.tsx'

interface ProofStopsModalProps {
  /** The names of the files */
  files: readonly string[]
  stops: readonly ProofStop[]
  submitLabel: string
  onClose: () => void
  /** Answers why it was refused; an empty list closes the window */
  onSubmit: (locationIds: number[]) => Promise<readonly string[]>
}

/** Asks which drop-offs a proof of delivery proves, where the order has several customers or trucks. */
export function ProofStopsModal({ files, stops, submitLabel, onClose, onSubmit }: ProofStopsModalProps) {
  const { t } = useTranslation('document')
  const [chosen, setChosen] = useState<number[]>([])
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const submit = async () => {
    setTried(true)
    if (chosen.length === 0) return
    setBusy(true)
    const refused = await onSubmit(chosen)
    setBusy(false)
    setRefusals(refused)
    if (refused.length === 0) onClose()
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('pod.provesTitle')}
      closeLabel={t('close')}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <RefusalsNotice refusals={refusals} />
        <p>{t('pod.provesText', { titles: files.join(', ') })}</p>
        <ProofStops stops={stops} value={chosen} isMissing={isTried && chosen.length === 0} onChange={setChosen} />
      </div>
    </ModalFrame>
  )
}
