import { Button, TagsInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { previewEmail, type EmailDraft } from '@waybill/contract/email/by-hand'
import { invoiceApi, sendInvoice, type Invoice } from '@waybill/contract/invoice/invoice'
import { isSendable } from '@waybill/contract/invoice/status'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { fieldProps, TextField } from '../../ui/fields/field.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { RefusedAddresses } from '../email/refused-address-section.tsx'
import classes from './invoice-form.module.css'
import { lacksVatNumber, VatNumberMissing } from './vat-number-missing.tsx'

/** The page of an invoice's mail, for who may see orders as well (spec §2). */
export function InvoiceEmailPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  return <InvoiceMail id={Number(id)} />
}

/** The mail as it will leave: what stands here is sent, nothing is added behind it (api, Resources). */
export function InvoiceMail({ id }: { id: number }) {
  const { t } = useTranslation('invoice')
  const { data, error, refetch } = useQuery({
    queryKey: ['invoices', id, 'mail'],
    queryFn: async ({ signal }) => {
      const invoice = await callApi(invoiceApi.get, { params: { id }, signal })
      // What is not sent has no draft: the page says why.
      if (!isSendable(invoice.entityType, invoice.status)) return { invoice, draft: null }
      const type = invoice.correctionOfId === null ? 'invoice' : 'invoice_correction'
      return { invoice, draft: await callApi(previewEmail, { body: { type, invoiceId: id }, signal }) }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('mail.title')} />
  if (data.draft === null) return <NothingToSend invoice={data.invoice} />
  return <MailForm invoice={data.invoice} draft={data.draft} />
}

function NothingToSend({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoice')
  return (
    <>
      <MailHead invoice={invoice} />
      <div className={classes.mail}>
        <Notice>{t(invoice.entityType === 'carrier' ? 'mail.fromCarrier' : 'mail.isSent')}</Notice>
      </div>
    </>
  )
}

function MailHead({ invoice, children }: { invoice: Invoice; children?: ReactNode }) {
  const { t } = useTranslation('invoice')
  return (
    <header className={classes.head}>
      <BackLink to={`/invoices/${invoice.id}/edit`} label={t('mail.back')} />
      <div className={classes.name}>
        <h1>{t('mail.title')}</h1>
        <span className={classes.party}>
          {invoice.number ?? invoice.innerNumber} · {(invoice.billingCustomer ?? invoice.carrierCompany)?.title}
        </span>
      </div>
      <div className={classes.actions}>{children}</div>
    </header>
  )
}

function MailForm({ invoice, draft }: { invoice: Invoice; draft: EmailDraft }) {
  const { t } = useTranslation('invoice')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [to, setTo] = useState(draft.to)
  const [cc, setCc] = useState(draft.cc)
  const [subject, setSubject] = useState(draft.subject)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [needsVatNumber, setNeedsVatNumber] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  // One intention, one key: a second click after a lost answer sends nothing twice.
  const [key] = useState(newIdempotencyKey)

  const send = async () => {
    if (to.length === 0) {
      setErrors({ to: t('mail.recipientMissing') })
      document.querySelector<HTMLInputElement>('input[name="to"]')?.focus()
      return
    }
    setBusy(true)
    try {
      const sent = await callApi(sendInvoice, {
        params: { id: invoice.id },
        body: { to, cc, subject, html: body.current!.innerHTML },
        version: invoice.version,
        idempotencyKey: key,
      })
      queries.removeQueries({ queryKey: ['invoices', invoice.id] })
      await queries.invalidateQueries({ queryKey: ['invoices'] })
      notify(
        sent.paper === 'made'
          ? {
              tone: 'ok',
              title: t('mail.emailSent'),
              detail: t('mail.sent', { number: sent.number }),
              closeLabel: t('close'),
            }
          : {
              tone: 'warn',
              title: t('paper.sentWithout', { number: sent.number }),
              detail: t('paper.sentWithoutDetail'),
              closeLabel: t('close'),
            },
      )
      await navigate({ to: `/invoices/${invoice.id}/edit` as string, search: {} as never, replace: true })
    } catch (error) {
      setNeedsVatNumber(lacksVatNumber(error))
      if (error instanceof ApiError && error.errors.length > 0)
        setErrors(Object.fromEntries(error.errors.map(({ path, message }) => [path.split('.')[0]!, message])))
      notify({ tone: 'danger', title: t('mail.notSent'), detail: errorText(error), closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <MailHead invoice={invoice}>
        <Button variant="filled" loading={isBusy} leftSection={<Icon name="send" />} onClick={() => void send()}>
          {t('mail.send')}
        </Button>
      </MailHead>
      <div className={classes.mail}>
        {needsVatNumber ? <VatNumberMissing invoice={invoice} /> : null}
        <Section title={t('mail.message')}>
          <div className={classes.mailFields}>
            <Addresses name="to" label={t('mail.to')} isRequired value={to} error={errors.to} onChange={setTo} />
            <Addresses name="cc" label={t('mail.cc')} value={cc} error={errors.cc} onChange={setCc} />
            <RefusedAddresses addresses={[...to, ...cc]} />
            <TextField
              name="subject"
              label={t('mail.subject')}
              isRequired
              value={subject}
              error={errors.subject}
              maxLength={250}
              onChange={(event) => setSubject(event.currentTarget.value)}
            />
            <div>
              <span className={classes.bodyLabel} id="mail-body-label">
                {t('mail.body')}
              </span>
              <div
                ref={body}
                className={classes.body}
                role="textbox"
                tabIndex={0}
                aria-multiline="true"
                aria-labelledby="mail-body-label"
                contentEditable
                suppressContentEditableWarning
                lang={invoice.language}
                // The server made this html from a template of ours with escaped values, and sanitises what comes back.
                dangerouslySetInnerHTML={{ __html: draft.html }}
              />
            </div>
            <p className={classes.attachments}>
              <Icon name="file" />{' '}
              {draft.attachments.length === 0
                ? t('mail.attachedAtSending')
                : draft.attachments.map(({ title }) => title).join(', ')}
            </p>
          </div>
        </Section>
      </div>
    </>
  )
}

interface AddressesProps {
  name: string
  label: string
  isRequired?: boolean
  value: string[]
  error: string | undefined
  onChange: (addresses: string[]) => void
}

function Addresses({ name, label, isRequired = false, value, error, onChange }: AddressesProps) {
  const { t } = useTranslation('invoice')
  return (
    <TagsInput
      name={name}
      {...fieldProps({ label, error, isRequired })}
      value={value}
      maxTags={20}
      splitChars={[',', ';', ' ']}
      acceptValueOnBlur
      placeholder={value.length === 0 ? t('mail.addressHint') : undefined}
      onChange={onChange}
    />
  )
}
