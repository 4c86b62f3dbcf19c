import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { decideRelease, type ReleaseRequest } from '@waybill/contract/order/clearance/release'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText, useRefusalWords } from '../../kit/i18n/error-text.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { TextAreaField } from '../../ui/fields/field.tsx'
import { RefusalsNotice } from '../../ui/notices/refusals-notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './clearance.module.css'

interface Decision {
  decision: 'granted' | 'refused'
  reason: string
}

const NOTHING: Decision = { decision: 'granted', reason: '' }

interface DecideReleaseProps {
  request: ReleaseRequest
  onClose: () => void
  onDecided: () => void
}

/** The second person grants or refuses a release, with a reason. */
export function DecideReleaseModal({ request, onClose, onDecided }: DecideReleaseProps) {
  const { t } = useTranslation('clearance')
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const keyOf = useIntention()
  const typed = useKept('releases', request.id, NOTHING)
  const { decision, reason } = typed.values
  const [isTried, setTried] = useState(false)
  const decide = useMutation({
    mutationFn: () => {
      const body = { decision, reason: reason.trim() }
      return callApi(decideRelease, { params: { id: request.id }, body, idempotencyKey: keyOf(body) })
    },
    onSuccess: () => {
      void typed.forget()
      onDecided()
    },
  })
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  const submit = () => {
    setTried(true)
    if (reason.trim() !== '' && !decide.isPending) decide.mutate()
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={t('decideTitle', { carrier: request.carrierCompany.title, route: request.routeNumber })}
      closeLabel={t('form:close')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={giveUp}>{t('form:cancel')}</Button>
          <Button type="submit" variant="filled" loading={decide.isPending}>
            {t(decision === 'granted' ? 'doGrant' : 'doRefuse')}
          </Button>
        </>
      }
    >
      <RefusalsNotice refusals={decide.error === null ? [] : refusalWords(decide.error)} />
      <p className={classes.means}>{t('decideMeans')}</p>
      <div className={classes.fields}>
        <Segmented
          label={t('decision')}
          value={decision}
          options={[
            { value: 'granted', label: t('grant') },
            { value: 'refused', label: t('refuse') },
          ]}
          onChange={(next) => typed.change({ decision: next })}
        />
        <TextAreaField
          label={t('reason')}
          isRequired
          value={reason}
          error={isTried && reason.trim() === '' ? fieldErrorText('required') : undefined}
          maxLength={2000}
          minRows={2}
          onChange={(event) => typed.change({ reason: event.currentTarget.value })}
        />
      </div>
    </ModalFrame>
  )
}
