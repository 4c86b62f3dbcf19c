import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { answerStatement } from '@waybill/contract/load-carrier/statement'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { TextArea } from '../../ui/fields/text-area.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './load-carrier.module.css'

interface AnswerWindowProps {
  statementId: number
  title: string
  onNoted: () => void
  onClose: () => void
}

/** Notes what a holder said of its statement by telephone, or by the letter that it sent back. */
export function AnswerWindow({ statementId, title, onNoted, onClose }: AnswerWindowProps) {
  const { t } = useTranslation('load-carrier')
  const refusalWords = useRefusalWords()
  const kept = useKept('load-carriers/answer', statementId, { isAgreed: true, name: '', remark: '' })
  const { isAgreed, name, remark } = kept.values
  const keyOf = useIntention()
  const note = useMutation({
    mutationFn: () => {
      const body = { isAgreed, name, remark: remark.trim() === '' ? null : remark }
      return callApi(answerStatement, { params: { id: statementId }, body, idempotencyKey: keyOf(body) })
    },
    onSuccess: async () => {
      await kept.forget()
      onNoted()
      onClose()
    },
  })
  const close = () => {
    void kept.forget()
    onClose()
  }
  const why =
    name.trim() === '' ? t('answer.needName') : !isAgreed && remark.trim() === '' ? t('answer.needRemark') : null
  return (
    <ModalFrame
      isOpen
      onClose={close}
      title={t('answer.title', { title })}
      closeLabel={t('close')}
      onSubmit={() => {
        if (why === null && !note.isPending) note.mutate()
      }}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            loading={note.isPending}
            disabled={why !== null}
            title={why ?? undefined}
          >
            {t('answer.note')}
          </Button>
        </>
      }
    >
      {note.error === null ? null : (
        <Notice tone="danger" isUrgent>
          {[...new Set(refusalWords(note.error))].join('. ')}
        </Notice>
      )}
      <div className={classes.stack}>
        <p className={classes.dim}>{t('answer.means')}</p>
        <Segmented
          label={t('answer.what')}
          value={isAgreed ? 'agreed' : 'objected'}
          onChange={(next) => kept.change({ isAgreed: next === 'agreed' })}
          options={[
            { value: 'agreed', label: t('answer.agrees') },
            { value: 'objected', label: t('answer.objects') },
          ]}
        />
        <TextField
          data-autofocus
          label={t('answer.name')}
          isRequired
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => kept.change({ name: event.currentTarget.value })}
        />
        <TextArea
          label={t('answer.remark')}
          required={!isAgreed}
          maxLength={1000}
          value={remark}
          onChange={(event) => kept.change({ remark: event.currentTarget.value })}
        />
      </div>
    </ModalFrame>
  )
}
