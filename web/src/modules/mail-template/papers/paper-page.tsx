import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { PaperEditor } from './paper-editor.tsx'
import { usePaper } from './use-paper-form.ts'

/** What a department says on one document, with the PDF that it makes beside it. */
export function PaperPage() {
  const { t } = useTranslation('paper-template')
  const { id, emailId } = useParams({ strict: false }) as { id: string; emailId: string }
  // A text that is the standard again begins anew.
  const [round, setRound] = useState(0)
  const { data, error, refetch } = usePaper(Number(id), emailId)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={14} label={t('title')} />
  return (
    <PaperEditor
      key={`${id} ${emailId} ${round}`}
      view={data.view}
      draft={data.draft}
      onReload={() => void refetch().then(() => setRound((before) => before + 1))}
    />
  )
}
