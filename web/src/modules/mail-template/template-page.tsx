import { useParams } from '@tanstack/react-router'
import { readPaperKey } from '@waybill/contract/email/paper-key'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../kit/i18n/i18n.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'

const MailPage = lazy(() =>
  import('./editor/editor-page.tsx').then((file) => ({ default: file.MailTemplateEditorPage })),
)
const PaperPage = lazy(async () => {
  const [file] = await Promise.all([import('./papers/paper-page.tsx'), loadTexts('paper-template')])
  return { default: file.PaperPage }
})

/** One text of a department: of a mail, or of a document; the key in the address says which. */
export function TemplatePage() {
  const { t } = useTranslation('mail-template')
  const { emailId } = useParams({ strict: false }) as { emailId: string }
  return (
    <Suspense fallback={<SkeletonLines lines={14} label={t('title')} />}>
      {readPaperKey(emailId) === null ? <MailPage /> : <PaperPage />}
    </Suspense>
  )
}
