import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getDocumentFile, type Document } from '@waybill/contract/document'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { callFile } from '../../kit/api/call-api.ts'
import { openFile, saveFile } from '../../kit/api/files.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { useFocusBack } from '../../ui/windows/focus-back.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import classes from './document-preview.module.css'

interface DocumentPreviewProps {
  document: Document
  isOpen: boolean
  onClose: () => void
}

/** A PDF or an image over the page that it belongs to. */
export function DocumentPreview({ document, isOpen, onClose }: DocumentPreviewProps) {
  const { t } = useTranslation('document')
  const giveFocusBack = useFocusBack(isOpen)
  const { data, error, refetch } = useQuery({
    queryKey: ['documents', document.id, 'file'],
    queryFn: ({ signal }) => callFile(getDocumentFile, { params: { id: document.id }, signal }),
    // The bytes of a file never change; held while it is looked at.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { showsRefusals: true },
  })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={giveFocusBack}
      returnFocus={false}
      size="min(1100px, 94vw)"
      classNames={{ content: classes.content!, body: classes.body! }}
      closeButtonProps={{ 'aria-label': t('close'), icon: <Icon name="close" /> }}
      title={document.title}
    >
      <div className={classes.actions}>
        <Button
          size="compact-sm"
          disabled={data === undefined}
          leftSection={<Icon name="eye" />}
          onClick={() => data && openFile(data.blob, data.fileName)}
        >
          {t('ownTab')}
        </Button>
        <Button
          size="compact-sm"
          disabled={data === undefined}
          leftSection={<Icon name="download" />}
          onClick={() => data && saveFile(data.blob, data.fileName)}
        >
          {t('download')}
        </Button>
      </div>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines lines={12} label={t('loading')} />
      ) : (
        <Content title={document.title} blob={data.blob} />
      )}
    </Modal>
  )
}

function Content({ title, blob }: { title: string; blob: Blob }) {
  const { t } = useTranslation('document')
  // The blob has an address while it is shown.
  const draw = useCallback(
    (element: HTMLImageElement | HTMLObjectElement | null) => {
      if (element === null) return undefined
      const address = URL.createObjectURL(blob)
      if (element instanceof HTMLImageElement) element.src = address
      else element.data = `${address}#navpanes=0`
      return () => URL.revokeObjectURL(address)
    },
    [blob],
  )
  if (blob.type.startsWith('image/')) {
    return (
      <div className={classes.picture}>
        <img ref={draw} alt={title} />
      </div>
    )
  }
  // Most phones show a PDF in a window of its own alone.
  if (!navigator.pdfViewerEnabled)
    return (
      <EmptyState icon="file" title={t('noViewer')}>
        {t('noViewerText')}
      </EmptyState>
    )
  return <object ref={draw} className={classes.frame} type="application/pdf" aria-label={title} />
}
