import { acceptDocument, refuseDocument, undoDocumentCheck, type Document } from '@waybill/contract/document'
import { UNDO_SECONDS } from '@waybill/contract/order/status'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { useErrorText, useRefusalWords } from '../../kit/i18n/error-text.ts'
import { notify } from '../../ui/notices/notify.tsx'

type Checked = Pick<Document, 'id' | 'version'>

/**
 * Accepts and refuses proofs of delivery, each to be taken back for eight seconds. `accept` and `refuse` answer why
 * the server did not take it, sentence by sentence.
 */
export function usePodChecks(onChange: () => void) {
  const { t } = useTranslation('document')
  const errorText = useErrorText()
  const refusalWords = useRefusalWords()

  const undo = async ({ id, version, title }: Document) => {
    try {
      await callApi(undoDocumentCheck, { params: { id }, version })
      notify({ tone: 'ok', title: t('pod.undone', { title }), closeLabel: t('close') })
    } catch (error) {
      notify({ tone: 'danger', title: t('pod.notUndone'), detail: errorText(error), closeLabel: t('close') })
    }
    onChange()
  }
  const run = async (call: () => Promise<Document>, done: 'pod.acceptedNow' | 'pod.refusedNow') => {
    try {
      const checked = await call()
      notify({
        tone: 'ok',
        icon: 'undo',
        title: t(done, { title: checked.title }),
        detail: t('pod.undoHint', { count: UNDO_SECONDS }),
        action: { label: t('pod.undo'), onClick: () => void undo(checked) },
        closeLabel: t('close'),
        closesAfter: UNDO_SECONDS * 1000,
        id: `pod-${checked.id}`,
      })
      onChange()
      return []
    } catch (error) {
      // The list behind shows what another person made of it.
      if (hasCode(error, 'stale_version', 'not_found', 'illegal_transition')) onChange()
      return refusalWords(error)
    }
  }
  return {
    accept: ({ id, version }: Checked, locationIds?: number[]) =>
      run(() => callApi(acceptDocument, { params: { id }, version, body: { locationIds } }), 'pod.acceptedNow'),
    refuse: ({ id, version }: Checked, reason: string) =>
      run(() => callApi(refuseDocument, { params: { id }, version, body: { reason } }), 'pod.refusedNow'),
  }
}
