import { useTranslation } from 'react-i18next'
import { ReasonWindow } from '../../kit/form/page/reason-window.tsx'

interface RefusePodModalProps {
  document: { id: number; title: string }
  /** A proof of delivery; else a paper that a carrier has sent of itself */
  isProof?: boolean
  onClose: () => void
  /** Answers why the server did not take it; an empty list closes the window */
  onRefuse: (reason: string) => Promise<readonly string[]>
}

/** Asks why a proof of delivery, or a paper that a carrier has sent, does not count. */
export function RefusePodModal({ document: { id, title }, isProof = true, onClose, onRefuse }: RefusePodModalProps) {
  const { t } = useTranslation('document')
  return (
    <ReasonWindow
      of={{ path: 'documents/refuse', id }}
      title={t(isProof ? 'pod.refuseTitle' : 'pod.refusePaperTitle')}
      label={t('pod.reason')}
      placeholder={t(isProof ? 'pod.reasonExample' : 'pod.paperReasonExample')}
      doLabel={t('pod.refuse')}
      isLong
      maxLength={2000}
      onGive={onRefuse}
      onClose={onClose}
    >
      <p>{t(isProof ? 'pod.refuseText' : 'pod.refusePaperText', { title })}</p>
    </ReasonWindow>
  )
}
