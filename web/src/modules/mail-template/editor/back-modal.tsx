import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { notify } from '../../../ui/notices/notify.tsx'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import { backToStandard } from '../new-text.ts'
import { templateListLink, templatesKey } from '../template-names.ts'
import type { TemplateForm, TemplateView } from './use-template-form.ts'

interface BackModalProps {
  form: TemplateForm
  template: TemplateView
  title: string
  /** Reads the text anew: it is the standard again */
  onReload: () => void
  onDone: () => void
}

/** Takes a text back to the standard, or deletes it where there is none, once that is confirmed; with a way back. */
export function BackModal({ form, template, title, onReload, onDone }: BackModalProps) {
  const { t } = useTranslation('mail-template')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const isOfOurs = template.name === null
  const readAnew = () => {
    void queries.invalidateQueries({ queryKey: templatesKey(template.id) })
    if (isOfOurs) onReload()
  }
  const refused = (error: unknown) =>
    notify({ tone: 'danger', title: t('notChanged'), detail: errorText(error), closeLabel: t('close') })
  const goBack = async () => {
    setBusy(true)
    try {
      const undo = await backToStandard(template)
      await form.abandon()
      readAnew()
      if (!isOfOurs) await navigate({ ...templateListLink(template.id), ignoreBlocker: true })
      notify({
        tone: 'ok',
        title: t(isOfOurs ? 'back.done' : 'back.deleted'),
        closeLabel: t('close'),
        action: { label: t('undo'), onClick: () => void undo().then(readAnew, refused) },
      })
    } catch (error) {
      if (!form.takeRefusal(error)) refused(error)
    } finally {
      onDone()
    }
  }
  return (
    <ConfirmModal
      isOpen
      withInfoIcon
      title={t(isOfOurs ? 'back.title' : 'back.deleteTitle')}
      confirmLabel={t(isOfOurs ? 'back.confirm' : 'back.delete')}
      cancelLabel={t('cancel')}
      closeLabel={t('close')}
      isBusy={isBusy}
      onCancel={onDone}
      onConfirm={() => void goBack()}
    >
      {t(isOfOurs ? 'back.text' : 'back.deleteText', { title, language: LANGUAGE_NAMES[template.language] })}
    </ConfirmModal>
  )
}
