import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ClearanceReason } from '@waybill/contract/order/clearance/clearance'
import { askRelease } from '@waybill/contract/order/clearance/release'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { TextAreaField } from '../../../ui/fields/field.tsx'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import classes from './clearance-row.module.css'
import { useReasonWords } from '../values/reason-words.ts'

interface AskReleaseProps {
  routeId: number
  carrierId: number
  reasons: readonly ClearanceReason[]
  onClose: () => void
  onAsked: () => void
}

/** Asks a second person to let a carrier drive this one route. */
export function AskReleaseModal({ routeId, carrierId, reasons, onClose, onAsked }: AskReleaseProps) {
  const { t } = useTranslation('clearance')
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const words = useReasonWords()
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const ask = useMutation({
    mutationFn: () =>
      callApi(askRelease, {
        params: { id: routeId },
        body: { carrierCompanyId: carrierId, reason: reason.trim() },
        idempotencyKey: newIdempotencyKey(),
      }),
    onSuccess: onAsked,
  })
  const submit = () => {
    setTried(true)
    if (reason.trim() !== '' && !ask.isPending) ask.mutate()
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('askTitle')}
      closeLabel={t('form:close')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('form:cancel')}</Button>
          <Button type="submit" variant="filled" loading={ask.isPending}>
            {t('doAsk')}
          </Button>
        </>
      }
    >
      <RefusalsNotice refusals={ask.error === null ? [] : refusalWords(ask.error)} />
      <ul className={classes.listed}>
        {reasons.map((one) => (
          <li key={one.code}>{words(one)}</li>
        ))}
      </ul>
      <p className={classes.means}>{t('askMeans')}</p>
      <TextAreaField
        label={t('reason')}
        isRequired
        value={reason}
        error={isTried && reason.trim() === '' ? fieldErrorText('required') : undefined}
        maxLength={2000}
        minRows={2}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ModalFrame>
  )
}
