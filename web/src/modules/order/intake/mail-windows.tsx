import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { assignIntakeMail, closeIntakeMail, type IntakeMail, type IntakeRow } from '@waybill/contract/intake/intake'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { ReasonWindow } from '../../../kit/form/page/reason-window.tsx'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { UserSelect } from '../../user/user-select.tsx'

interface MailWindowProps {
  mail: Pick<IntakeRow, 'id' | 'version'>
  onDone: (changed: IntakeMail) => void
  onClose: () => void
}

/** Keeps what the server says of a mail now, and lets the lists ask anew. */
function useKeepChanged() {
  const client = useQueryClient()
  return (changed: IntakeMail) => {
    client.setQueryData(['intake-mails', changed.id], changed)
    void client.invalidateQueries({
      queryKey: ['intake-mails'],
      predicate: ({ queryKey }) => queryKey[1] !== changed.id,
    })
  }
}

/** Puts a mail aside that is no order; why is said where it helps, and stands in the list. */
export function NotOrderWindow({ mail: { id, version }, onDone, onClose }: MailWindowProps) {
  const { t } = useTranslation('intake')
  const keep = useKeepChanged()
  return (
    <ReasonWindow
      of={{ path: 'intake-mails/close', id }}
      title={t('notOrder')}
      label={t('close.why')}
      placeholder={t('close.example')}
      doLabel={t('close.do')}
      isOptional
      tone="primary"
      onGive={async (reason) => {
        const body = { reason: reason === '' ? null : reason }
        const changed = await callApi(closeIntakeMail, { params: { id }, version, body })
        keep(changed)
        onDone(changed)
      }}
      onClose={onClose}
    />
  )
}

/** Gives a mail to a colleague, for whom it waits then. */
export function AssignWindow({ mail: { id, version }, onDone, onClose }: MailWindowProps) {
  const { t } = useTranslation(['intake', 'common'])
  const keep = useKeepChanged()
  const refusalWords = useRefusalWords()
  const [userId, setUserId] = useState<number | null>(null)
  const assign = useMutation({
    mutationFn: () => callApi(assignIntakeMail, { params: { id }, version, body: { userId } }),
    onSuccess: (changed) => {
      keep(changed)
      onDone(changed)
    },
  })
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('intake:assign.title')}
      closeLabel={t('common:close')}
      onSubmit={() => {
        if (userId !== null) assign.mutate()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" variant="filled" disabled={userId === null} loading={assign.isPending}>
            {t('intake:assign.do')}
          </Button>
        </>
      }
    >
      <RefusalsNotice refusals={assign.error === null ? [] : refusalWords(assign.error)} />
      <UserSelect label={t('intake:person')} value={userId} onChange={(chosen) => setUserId(chosen)} />
    </ModalFrame>
  )
}
