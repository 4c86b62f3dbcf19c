import { Button, TagsInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { previewEmail, type EmailDraft } from '@waybill/contract/email'
import { invoiceApi, sendInvoice, type Invoice } from '@waybill/contract/invoice/invoice'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { fieldProps, TextField } from '../../ui/fields/field.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import classes from './invoice-form.module.css'
import { lacksVatNumber, VatNumberMissing } from './vat-number-missing.tsx'

const TYPES = ['invoice', 'invoice_correction'] as const

/** The mail as it will leave: what stands here is sent, nothing is added behind it (api, Resources). */
export function InvoiceEmailPage() {
  const { t } = useTranslation('invoice')
  const { id, type: typeText } = useParams({ strict: false }) as { id: string; type: string }
  const type = TYPES.find((one) => one === typeText) ?? 'invoice'
  const { data, error, refetch } = useQuery({
    queryKey: ['invoices', Number(id), 'mail', type],
    queryFn: async ({ signal }) => {
      const [invoice, draft] = await Promise.all([
        callApi(invoiceApi.get, { params: { id: Number(id) }, signal }),
        callApi(previewEmail, { body: { type, invoiceId: Number(id) }, signal }),
      ])
      return { invoice, draft }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('mail.title')} />
  return <MailForm invoice={data.invoice} draft={data.draft} />
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
  const back = `/invoices/${invoice.id}/edit`

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
      await navigate({ to: back as string, replace: true })
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
      <header className={classes.head}>
        <BackLink to={back} label={t('mail.back')} />
        <div className={classes.name}>
          <h1>{t('mail.title')}</h1>
          <span className={classes.party}>
            {invoice.number ?? invoice.innerNumber} · {invoice.billingCustomer?.title}
          </span>
        </div>
        <div className={classes.actions}>
          <Button variant="filled" loading={isBusy} leftSection={<Icon name="send" />} onClick={() => void send()}>
            {t('mail.send')}
          </Button>
        </div>
      </header>
      <div className={classes.mail}>
        {needsVatNumber ? <VatNumberMissing invoice={invoice} /> : null}
        <Section title={t('mail.message')}>
          <div className={classes.mailFields}>
            <Addresses name="to" label={t('mail.to')} isRequired value={to} error={errors.to} onChange={setTo} />
            <Addresses name="cc" label={t('mail.cc')} value={cc} error={errors.cc} onChange={setCc} />
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
