import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getInvoiceDocument, type Invoice, type invoiceApi } from '@waybill/contract/invoice/invoice'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callFile } from '../../kit/api/call-api.ts'
import { openFile, saveFile } from '../../kit/api/files.ts'
import { useChanges } from '../../kit/form/state/change-store.ts'
import type { EntityForm } from '../../kit/form/state/entity-form.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import classes from './invoice-form.module.css'
import type { InvoiceValues } from './invoice-values.ts'

/** The PDF as the customer gets it: frozen once sent, a draft before. */
export function InvoiceDocument({
  invoice,
  form,
}: {
  invoice: Invoice
  form: EntityForm<typeof invoiceApi, InvoiceValues>
}) {
  const { t } = useTranslation('invoice')
  const errorText = useErrorText()
  const isUnsaved = useChanges(form).length > 0
  const { data, error } = useQuery({
    // The draft follows what was saved: another version, another page.
    queryKey: ['invoices', invoice.id, 'document', invoice.version],
    queryFn: ({ signal }) => callFile(getInvoiceDocument, { params: { id: invoice.id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { showsRefusals: true },
  })
  const frame = useRef<HTMLObjectElement>(null)
  // The blob has an address while it is shown.
  useEffect(() => {
    if (data === undefined || frame.current === null) return
    const address = URL.createObjectURL(data.blob)
    frame.current.data = `${address}#toolbar=0&navpanes=0`
    return () => URL.revokeObjectURL(address)
  }, [data])
  return (
    <aside className={classes.document}>
      <Section
        title={t('sections.document')}
        summary={invoice.number === null ? t('draftNote') : undefined}
        isFlush
        actions={
          <>
            <Button
              size="compact-sm"
              disabled={data === undefined || isUnsaved}
              leftSection={<Icon name="eye" />}
              onClick={() => data && openFile(data.blob, data.fileName)}
            >
              {t('openPdf')}
            </Button>
            <Button
              size="compact-sm"
              disabled={data === undefined || isUnsaved}
              leftSection={<Icon name="download" />}
              onClick={() => data && saveFile(data.blob, data.fileName)}
            >
              {t('savePdf')}
            </Button>
          </>
        }
      >
        {isUnsaved ? <Notice>{t('saveFirst')}</Notice> : null}
        {error ? (
          <p className={classes.documentError}>{errorText(error)}</p>
        ) : data === undefined ? (
          <SkeletonLines lines={10} label={t('sections.document')} />
        ) : (
          <object ref={frame} className={classes.frame} type="application/pdf" aria-label={t('sections.document')} />
        )}
      </Section>
    </aside>
  )
}
