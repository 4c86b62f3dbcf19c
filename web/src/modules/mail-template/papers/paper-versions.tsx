import { listPaperVersions, type PaperWrite } from '@waybill/contract/email/paper-template'
import { callApi } from '../../../kit/api/call-api.ts'
import { useChanges } from '../../../kit/form/state/change-store.ts'
import { VersionList, type KeptText } from '../preview/version-list.tsx'
import type { PaperForm, PaperView } from './use-paper-form.ts'

interface PaperVersionsProps {
  form: PaperForm
  template: PaperView
  /** A text in plain lines */
  linesOf: (text: PaperWrite) => string[]
  onRestore: (text: PaperWrite) => void
  onClose: () => void
}

/** What the text of a document said before. */
export function PaperVersions({ form, template, linesOf, onRestore, onClose }: PaperVersionsProps) {
  const { id, key, version, language } = template
  const { length: changed } = useChanges(form)
  return (
    <VersionList<KeptText & PaperWrite>
      current={version}
      language={language}
      queryKey={['paper-versions', id, key, version]}
      load={(signal) => callApi(listPaperVersions, { params: { id, key }, signal })}
      changed={changed}
      linesOf={(kept) => linesOf(kept ?? form.values())}
      onRestore={onRestore}
      onClose={onClose}
    />
  )
}
