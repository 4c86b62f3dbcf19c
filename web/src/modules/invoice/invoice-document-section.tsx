import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getInvoiceDocument,
  makeInvoiceDocument,
  type Invoice,
  type invoiceApi,
} from '@waybill/contract/invoice/invoice'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { openFile, saveFile } from '../../kit/api/files.ts'
import { useChanges } from '../../kit/form/state/change-store.ts'
import type { EntityForm } from '../../kit/form/state/entity-form.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import classes from './invoice-form.module.css'
import { OutgoingEInvoice } from './outgoing-e-invoice.tsx'
import type { InvoiceValues } from './invoice-values.ts'

/** The PDF as the customer gets it: frozen once sent, a draft before. */
export function InvoiceDocument({
  invoice,
  form,
}: {
  invoice: Invoice
  form: EntityForm<typeof invoiceApi, InvoiceValues>
}) {
  const { t } = useTranslation(['invoice', 'ksef'])
  const errorText = useErrorText()
  const isUnsaved = useChanges(form).length > 0
  const isMissing = invoice.paper === 'making' || invoice.paper === 'missing'
  const awaitsKsef = invoice.paper === 'awaits_ksef'
  const { data, error } = useQuery({
    // The draft follows what was saved: another version, another page.
    queryKey: ['invoices', invoice.id, 'document', invoice.version, invoice.documentId],
    queryFn: ({ signal }) => callFile(getInvoiceDocument, { params: { id: invoice.id }, signal }),
    enabled: !isMissing && !awaitsKsef,
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
      <OutgoingEInvoice invoice={invoice} form={form} />
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
        {awaitsKsef ? (
          <div className={classes.paperMissing}>
            <Notice tone="info">{t('ksef:paper')}</Notice>
          </div>
        ) : isMissing ? (
          <MissingPaper invoice={invoice} form={form} />
        ) : error ? (
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

/** The number is given and its PDF is not there: said so, with the way to make it now. */
function MissingPaper({ invoice, form }: { invoice: Invoice; form: EntityForm<typeof invoiceApi, InvoiceValues> }) {
  const { t } = useTranslation('invoice')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      form.accept(
        await callApi(makeInvoiceDocument, { params: { id: invoice.id }, idempotencyKey: newIdempotencyKey() }),
      )
      // The mail that waited for it is on its way.
      await queries.invalidateQueries({ queryKey: ['emails'] })
      notify({ tone: 'ok', title: t('paper.made'), closeLabel: t('close') })
    } catch (error) {
      notify({ tone: 'danger', title: t('notDone'), detail: errorText(error), closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes.paperMissing}>
      <Notice tone={invoice.paper === 'missing' ? 'danger' : 'info'}>
        {t(invoice.paper === 'missing' ? 'paper.missing' : 'paper.making')}
      </Notice>
      <Button leftSection={<Icon name="file" />} loading={isBusy} onClick={() => void make()}>
        {t('paper.make')}
      </Button>
    </div>
  )
}
