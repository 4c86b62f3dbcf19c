import { Button } from '@mantine/core'
import { MOST_MAIL_SIGNS } from '@waybill/contract/intake/limits'
import { useTranslation } from 'react-i18next'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import classes from './intake.module.css'
import { useBringIn } from './use-bring-in.ts'

/** A mail from the clipboard. */
export function PasteWindow({ onDone, onClose }: { onDone: (id: number) => void; onClose: () => void }) {
  const { t } = useTranslation(['intake', 'common'])
  const refusalWords = useRefusalWords()
  const { paste } = useBringIn()
  const typed = useKept('intake/pasted', 'new', '')
  const text = typed.values
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  const send = () => {
    if (text.trim() === '' || paste.isPending) return
    paste.mutate(text, {
      onSuccess: ({ id }) => {
        giveUp()
        if (id !== null) onDone(id)
      },
    })
  }
  return (
    <ModalFrame
      isOpen
      title={t('intake:paste.title')}
      closeLabel={t('common:close')}
      onClose={giveUp}
      onSubmit={send}
      footer={
        <Button type="submit" variant="filled" loading={paste.isPending} disabled={text.trim() === ''}>
          {t('intake:paste.read')}
        </Button>
      }
    >
      {paste.error === null ? null : <Notice tone="danger">{refusalWords(paste.error).join('. ')}</Notice>}
      <textarea
        className={classes.pasted}
        aria-label={t('intake:paste.title')}
        placeholder={t('intake:paste.means')}
        maxLength={MOST_MAIL_SIGNS}
        spellCheck={false}
        data-autofocus
        value={text}
        onChange={(event) => typed.set(event.currentTarget.value)}
      />
    </ModalFrame>
  )
}
