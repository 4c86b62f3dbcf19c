import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'

interface ReasonModalProps {
  isOpen: boolean
  title: string
  text: string
  doLabel: string
  isBusy: boolean
  onGive: (reason: string) => void
  onCancel: () => void
}

/** Asks for the reason of a step back. */
export function ReasonModal({ isOpen, title, text, doLabel, isBusy, onGive, onCancel }: ReasonModalProps) {
  const { t } = useTranslation(['payment-file', 'common'])
  const fieldErrorText = useFieldErrorText()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const give = () => {
    setMissing(reason.trim() === '')
    if (reason.trim() !== '') onGive(reason.trim())
  }
  return (
    <ModalFrame
      isOpen={isOpen}
      onClose={onCancel}
      title={title}
      closeLabel={t('common:close')}
      onSubmit={give}
      footer={
        <>
          <Button variant="default" onClick={onCancel}>
            {t('payment-file:cancel')}
          </Button>
          <Button type="submit" variant="filled" color="red" loading={isBusy}>
            {doLabel}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <TextField
        data-autofocus
        label={t('payment-file:reason')}
        isRequired
        maxLength={500}
        autoComplete="off"
        value={reason}
        error={isMissing ? fieldErrorText('reason_missing') : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ModalFrame>
  )
}
