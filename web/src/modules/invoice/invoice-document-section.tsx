import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getInvoiceDocument, type Invoice } from '@waybill/contract/invoice/invoice'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callFile } from '../../kit/api/call-api.ts'
import { openFile, saveFile } from '../../kit/api/files.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import classes from './invoice-form.module.css'

/** The PDF as the customer gets it: frozen once sent, a draft before. */
export function InvoiceDocument({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoice')
  const errorText = useErrorText()
  const { data, error } = useQuery({
    // The draft follows what was saved: another version, another page.
    queryKey: ['invoices', invoice.id, 'document', invoice.version],
    queryFn: ({ signal }) => callFile(getInvoiceDocument, { params: { id: invoice.id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { showsRefusals: true },
  })
  const address = useAddress(data?.blob)
  return (
    <aside className={classes.document}>
      <Section
        title={t('sections.document')}
        summary={invoice.number === null ? t('draftNote') : undefined}
        isFlush
        actions={
          <>
            <Button size="compact-sm" disabled={data === undefined} leftSection={<Icon name="eye" />} onClick={() => data && openFile(data.blob, data.fileName)}>
              {t('openPdf')}
            </Button>
            <Button size="compact-sm" disabled={data === undefined} leftSection={<Icon name="download" />} onClick={() => data && saveFile(data.blob, data.fileName)}>
              {t('savePdf')}
            </Button>
          </>
        }
      >
        {error ? <p className={classes.documentError}>{errorText(error)}</p> : address === null ? <SkeletonLines lines={10} label={t('sections.document')} /> : <iframe className={classes.frame} src={`${address}#toolbar=0&navpanes=0`} title={t('sections.document')} />}
      </Section>
    </aside>
  )
}

/** A blob's address while it is shown. */
function useAddress(blob: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (blob === undefined) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}
