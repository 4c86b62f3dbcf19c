import { listTemplateVersions, type TemplateWrite } from '@waybill/contract/email/template'
import { callApi } from '../../../kit/api/call-api.ts'
import { useChanges } from '../../../kit/form/state/change-store.ts'
import type { TemplateForm, TemplateView } from '../editor/use-template-form.ts'
import { textOf } from '../new-text.ts'
import { VersionList } from './version-list.tsx'

interface VersionsColumnProps {
  form: TemplateForm
  template: TemplateView
  /** A text in plain lines */
  linesOf: (text: TemplateWrite) => string[]
  onRestore: (text: TemplateWrite) => void
  onClose: () => void
}

/** What the text of a mail said before. */
export function VersionsColumn({ form, template, linesOf, onRestore, onClose }: VersionsColumnProps) {
  const { id, key, version, language } = template
  const { length: changed } = useChanges(form)
  return (
    <VersionList
      current={version}
      language={language}
      queryKey={['mail-versions', id, key, version]}
      load={(signal) => callApi(listTemplateVersions, { params: { id, key }, signal })}
      changed={changed}
      linesOf={(kept) => linesOf(kept === null ? form.values() : textOf(kept))}
      onRestore={(kept) => onRestore(textOf(kept))}
      onClose={onClose}
    />
  )
}
