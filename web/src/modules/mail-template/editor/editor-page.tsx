import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { EditorForm } from './editor-form.tsx'
import { useTemplate } from './use-template-form.ts'

/** One text of a department's mails, with the mail that it makes beside it. */
export function MailTemplateEditorPage() {
  const { t } = useTranslation('mail-template')
  const { id, emailId } = useParams({ strict: false }) as { id: string; emailId: string }
  // A text that is the standard again begins anew.
  const [round, setRound] = useState(0)
  const { data, error, refetch } = useTemplate(Number(id), emailId)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={14} label={t('title')} />
  return (
    <EditorForm
      key={`${id} ${emailId} ${round}`}
      view={data.view}
      draft={data.draft}
      onReload={() => void refetch().then(() => setRound((before) => before + 1))}
    />
  )
}
