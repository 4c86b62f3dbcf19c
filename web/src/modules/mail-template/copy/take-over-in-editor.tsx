import { useTranslation } from 'react-i18next'
import { notify } from '../../../ui/notices/notify.tsx'
import type { TemplateForm, TemplateView } from '../editor/use-template-form.ts'
import { TakeOverWindow } from './take-over-window.tsx'

interface TakeOverInEditorProps {
  form: TemplateForm
  template: TemplateView
  /** No block is in hand any more */
  onTaken: () => void
  onClose: () => void
}

/** Puts the text of another department into the form: it is saved, or taken back, like anything that is typed. */
export function TakeOverInEditor({ form, template, onTaken, onClose }: TakeOverInEditorProps) {
  const { t } = useTranslation('mail-template')
  return (
    <TakeOverWindow
      departmentId={template.id}
      wanted={template}
      warning={t('takeOver.replacesTyped')}
      onClose={onClose}
      onTake={({ subject, blocks, department }) => {
        onTaken()
        form.set('subject', subject)
        form.set('blocks', blocks)
        notify({ tone: 'info', title: t('takeOver.taken', { department: department.title }), closeLabel: t('close') })
        onClose()
      }}
    />
  )
}
