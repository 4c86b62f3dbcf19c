import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { invoiceApi, sendInvoice, type Invoice } from '@waybill/contract/invoice/invoice'
import { isSendable, isUndecidedInvoice } from '@waybill/contract/invoice/status'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { MailWriter, type Deliver } from '../mail-template/write/mail-writer-section.tsx'
import classes from './invoice-form.module.css'
import { breaksRules, OutgoingFindings } from './outgoing-e-invoice.tsx'
import { lacksVatNumber, VatNumberMissing } from './vat-number-missing.tsx'

/** The page of an invoice's mail, for who may see orders as well (spec §2). */
export function InvoiceEmailPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  return <InvoiceMail id={Number(id)} />
}

/** The mail with which an invoice is sent, or a further one of an invoice that was. */
export function InvoiceMail({ id }: { id: number }) {
  const { t } = useTranslation('invoice')
  const { data, error, refetch } = useQuery({
    queryKey: ['invoices', id, 'mail'],
    queryFn: ({ signal }) => callApi(invoiceApi.get, { params: { id }, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={14} label={t('mail.title')} />
  if (data.entityType === 'carrier') return <NoMail invoice={data} words={t('mail.fromCarrier')} />
  if (data.number === null)
    return isSendable(data.entityType, data.status) ? (
      <Sending invoice={data} />
    ) : (
      <NoMail invoice={data} words={t('mail.neverSent')} />
    )
  return <MailWriter wish={wishOf(data)} />
}

const wishOf = ({ id, correctionOfId }: Invoice) =>
  ({
    invoiceId: id,
    type: correctionOfId === null ? 'invoice' : 'invoice_correction',
    routeId: null,
    variant: null,
    name: null,
    customerId: null,
  }) as const

function NoMail({ invoice, words }: { invoice: Invoice; words: string }) {
  const { t } = useTranslation('invoice')
  return (
    <>
      <header className={classes.head}>
        <BackLink to={`/invoices/${invoice.id}/edit`} label={t('mail.back')} />
        <div className={classes.name}>
          <h1>{t('mail.title')}</h1>
          <span className={classes.party}>
            {invoice.number ?? invoice.innerNumber} · {(invoice.billingCustomer ?? invoice.carrierCompany)?.title}
          </span>
        </div>
      </header>
      <div className={classes.mail}>
        <Notice>{words}</Notice>
      </div>
    </>
  )
}

/** What stands here is sent, and the invoice gets its number with it. */
function Sending({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation(['invoice', 'ksef'])
  const queries = useQueryClient()
  const [needsVatNumber, setNeedsVatNumber] = useState(false)
  const [isHindered, setHindered] = useState(false)
  const deliver: Deliver = async ({ version, ...body }, idempotencyKey) => {
    try {
      const sent = await callApi(sendInvoice, { params: { id: invoice.id }, body, version, idempotencyKey })
      queries.removeQueries({ queryKey: ['invoices', invoice.id, 'form'] })
      await queries.invalidateQueries({ queryKey: ['invoices'], refetchType: 'none' })
      return sent.paper === 'made'
        ? {
            tone: 'ok',
            title: t('mail.emailSent'),
            detail: t('mail.sent', { number: sent.number }),
            closeLabel: t('close'),
          }
        : sent.paper === 'awaits_ksef' || isUndecidedInvoice(sent)
          ? {
              tone: 'ok',
              title: t(isUndecidedInvoice(sent) ? 'ksef:queuedTitle' : 'ksef:sentTitle', { number: sent.number }),
              detail: t(isUndecidedInvoice(sent) ? 'ksef:queuedDetail' : 'ksef:sentDetail'),
              closeLabel: t('close'),
            }
          : {
              tone: 'warn',
              title: t('paper.sentWithout', { number: sent.number }),
              detail: t('paper.sentWithoutDetail'),
              closeLabel: t('close'),
            }
    } catch (error) {
      setNeedsVatNumber(lacksVatNumber(error))
      setHindered(breaksRules(error))
      throw error
    }
  }
  return (
    <MailWriter
      wish={wishOf(invoice)}
      deliver={deliver}
      sendLabel={t('mail.send')}
      notice={
        needsVatNumber ? (
          <VatNumberMissing invoice={invoice} />
        ) : isHindered ? (
          <OutgoingFindings invoice={invoice} />
        ) : null
      }
    />
  )
}
