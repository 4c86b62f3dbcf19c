import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Document } from '@waybill/contract/document'
import { getEInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { useFocusBack } from '../../ui/windows/focus-back.ts'
import { EInvoiceSheet } from './e-invoice-sheet.tsx'
import classes from './e-invoice.module.css'

interface EInvoiceWindowProps {
  document: Document
  isOpen: boolean
  onClose: () => void
}

/** An electronic invoice in words and figures, over the page that its file belongs to. It prints as it stands there. */
export function EInvoiceWindow({ document, isOpen, onClose }: EInvoiceWindowProps) {
  const { t } = useTranslation('e-invoice')
  const giveFocusBack = useFocusBack(isOpen)
  const { data, error, refetch } = useQuery({
    queryKey: ['documents', document.id, 'e-invoice'],
    queryFn: ({ signal }) => callApi(getEInvoice, { params: { id: document.id }, signal }),
    // The bytes of a file never change.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { showsRefusals: true },
  })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={giveFocusBack}
      returnFocus={false}
      size="min(900px, 96vw)"
      classNames={{
        root: classes.window!,
        inner: classes.inner!,
        content: classes.content!,
        header: classes.header!,
        overlay: classes.overlay!,
      }}
      closeButtonProps={{ 'aria-label': t('close'), icon: <Icon name="close" /> }}
      title={document.title}
    >
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines lines={12} label={t('loading')} />
      ) : (
        <>
          <EInvoiceSheet invoice={data} />
          <footer className={classes.footer}>
            <Button onClick={() => window.print()}>{t('print')}</Button>
          </footer>
        </>
      )}
    </Modal>
  )
}
