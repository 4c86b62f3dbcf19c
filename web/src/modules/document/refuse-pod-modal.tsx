import { Button } from '@mantine/core'
import type { Document } from '@waybill/contract/document'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { TextAreaField } from '../../ui/fields/field.tsx'
import { RefusalsNotice } from '../../ui/notices/refusals-notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './document-edit.module.css'

interface RefusePodModalProps {
  document: Pick<Document, 'title'>
  /** A proof of delivery; else a paper that a carrier has sent of itself */
  isProof?: boolean
  onClose: () => void
  /** Answers why the server did not take it; an empty list closes the window */
  onRefuse: (reason: string) => Promise<readonly string[]>
}

/** Asks why a proof of delivery, or a paper that a carrier has sent, does not count. */
export function RefusePodModal({ document, isProof = true, onClose, onRefuse }: RefusePodModalProps) {
  const { t } = useTranslation('document')
  const fieldErrorText = useFieldErrorText()
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const isMissing = reason.trim() === ''
  const submit = async () => {
    setTried(true)
    if (isMissing) return
    setBusy(true)
    const refused = await onRefuse(reason.trim())
    setBusy(false)
    setRefusals(refused)
    if (refused.length === 0) onClose()
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t(isProof ? 'pod.refuseTitle' : 'pod.refusePaperTitle')}
      closeLabel={t('close')}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" color="red" loading={isBusy}>
            {t('pod.refuse')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <RefusalsNotice refusals={refusals} />
        <p>{t(isProof ? 'pod.refuseText' : 'pod.refusePaperText', { title: document.title })}</p>
        <TextAreaField
          label={t('pod.reason')}
          isRequired
          value={reason}
          error={isTried && isMissing ? fieldErrorText('required') : undefined}
          maxLength={2000}
          placeholder={t(isProof ? 'pod.reasonExample' : 'pod.paperReasonExample')}
          data-autofocus
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </div>
    </ModalFrame>
  )
}
