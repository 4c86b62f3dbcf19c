import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  getOutgoingEInvoice,
  getOutgoingXml,
  type OutgoingEInvoice as Outgoing,
} from '@waybill/contract/invoice/e-invoice/sending'
import { isXRechnung } from '@waybill/contract/e-invoice/format'
import type { Invoice, invoiceApi } from '@waybill/contract/invoice/invoice'
import { can } from '@waybill/contract/permissions'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../kit/api/api-error.ts'
import { SectionError } from '../../kit/api/section-error.tsx'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { keptOf } from '../../kit/api/kept-data.ts'
import { saveFile } from '../../kit/api/files.ts'
import type { EntityForm } from '../../kit/form/state/entity-form.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Light } from '../../ui/marks/light.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { CustomerFieldLink } from '../customer/customer-field-link.tsx'
import { useSchemeName } from '../partner/electronic-address-section.tsx'
import type { InvoiceValues } from './invoice-values.ts'
import { KsefPart, useKsefFacts } from './ksef/ksef-part.tsx'
import { SaveUpo } from './ksef/save-upo.tsx'
import classes from './outgoing-e-invoice.module.css'

/** True where an invoice was not sent because a rule of its electronic format hinders it. */
export const breaksRules = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ code }) => code === 'e_invoice_rule')

const CUSTOMER_ACCESS = can('CUSTOMER_MANAGEMENT')
const COMPANY_ACCESS = can('SETTINGS_ACCESS')

/** How the customer gets this invoice: format and address, what hinders it, and what was made of it. */
export function OutgoingEInvoice({
  invoice,
  form,
}: {
  invoice: Invoice
  form: EntityForm<typeof invoiceApi, InvoiceValues>
}) {
  const { t } = useTranslation('e-invoice-out')
  const { data, error, refetch } = useOutgoing(invoice)
  const nameOf = useSchemeName()
  const format = useFormat()
  const ksefFacts = useKsefFacts(data?.ksef ?? null)
  if (data === undefined)
    return error === null ? null : <SectionError title={t('title')} error={error} onRetry={() => void refetch()} />
  const { address, buyerReference, xml, ksef } = data
  const isPlain = data.format === 'pdf'
  const facts = [
    ['format', t(`format.${data.format}`)],
    ['profile', isPlain || data.format === 'ksef' ? null : isXRechnung(data.format) ? 'XRechnung 3.0' : 'EN 16931'],
    [
      'address',
      isPlain || address.value === null
        ? null
        : [address.value, address.scheme && nameOf(address.scheme)].filter(Boolean).join(', '),
    ],
    ['buyerReference', isPlain ? null : buyerReference],
    ['madeAt', xml && format.dateTime(xml.madeAt)],
    ['hash', xml?.sha256 ?? null],
  ] as const
  return (
    <Section
      title={t('title')}
      summary={isPlain || invoice.number !== null ? undefined : t('madeWhenSent')}
      actions={
        xml === null ? undefined : (
          <>
            {ksef?.upo ? <SaveUpo upo={ksef.upo} /> : null}
            <SaveXml invoice={invoice} />
          </>
        )
      }
    >
      {isPlain || (ksef !== null && (ksef.state !== null || ksef.waitsFor !== null)) ? null : (
        <State outgoing={data} isSent={invoice.number !== null} />
      )}
      <Findings outgoing={data} invoice={invoice} />
      {ksef === null ? null : <KsefPart invoice={invoice} ksef={ksef} form={form} />}
      <dl className={classes.facts}>
        {facts.map(([name, words]) =>
          words === null ? null : (
            <div key={name}>
              <dt>{t(`fact.${name}`)}</dt>
              <dd data-hash={name === 'hash' || undefined}>{words}</dd>
            </div>
          ),
        )}
        {ksefFacts.map(([name, words]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

const useOutgoing = (invoice: Invoice) =>
  useQuery({
    queryKey: ['invoices', invoice.id, 'e-invoice', invoice.version, invoice.documentId],
    queryFn: ({ signal }) => callApi(getOutgoingEInvoice, { params: { id: invoice.id }, signal }),
    placeholderData: keptOf('invoices', invoice.id),
    // What hinders it is mended on other pages.
    staleTime: 0,
    meta: { showsRefusals: true },
  })

function State({ outgoing: { findings, xml }, isSent }: { outgoing: Outgoing; isSent: boolean }) {
  const { t } = useTranslation('e-invoice-out')
  const level = findings.length > 0 ? 'stop' : isSent && xml === null ? 'running' : 'ok'
  const words = isSent
    ? t(xml === null ? 'state.making' : 'state.made')
    : findings.length > 0
      ? t('state.hindered', { count: findings.length })
      : t('state.ready')
  return (
    <p className={classes.state}>
      <Light level={level} label={words} />
      <b>{words}</b>
    </p>
  )
}

/** What hinders sending, each with the way to the field that mends it, for who may open that record. */
function Findings({ outgoing, invoice }: { outgoing: Pick<Outgoing, 'findings'>; invoice: Invoice }) {
  const { t } = useTranslation('e-invoice-out')
  if (outgoing.findings.length === 0) return null
  return (
    <ul className={classes.findings}>
      {outgoing.findings.map((finding) => (
        <li key={`${finding.rule} ${finding.path}`}>
          <span>
            {finding.message} <span className={classes.rule}>{finding.rule}</span>
          </span>
          <FindingLink finding={finding} invoice={invoice} words={t(`mend.${finding.record}`)} />
        </li>
      ))}
    </ul>
  )
}

function FindingLink({
  finding: { record, recordId, path },
  invoice,
  words,
}: {
  finding: Outgoing['findings'][number]
  invoice: Invoice
  words: string
}) {
  if (record === 'customer')
    return recordId !== null && hasAccess(CUSTOMER_ACCESS) ? (
      <CustomerFieldLink id={recordId} path={path}>
        {words}
      </CustomerFieldLink>
    ) : null
  if (record === 'company')
    return recordId !== null && hasAccess(COMPANY_ACCESS) ? (
      <Link to={`/companies/${recordId}/edit` as string} hash={path}>
        {words}
      </Link>
    ) : null
  return (
    <Link to={`/invoices/${invoice.id}/edit` as string} hash={path}>
      {words}
    </Link>
  )
}

/** What hinders an invoice that was to be sent, where its mail is written. */
export function OutgoingFindings({ invoice }: { invoice: Invoice }) {
  const { data } = useOutgoing(invoice)
  return data === undefined || data.findings.length === 0 ? null : (
    <Notice tone="danger" isUrgent>
      <Findings outgoing={data} invoice={invoice} />
    </Notice>
  )
}

function SaveXml({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('e-invoice-out')
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { blob, fileName } = await callFile(getOutgoingXml, { params: { id: invoice.id } })
      saveFile(blob, fileName)
    } catch (error) {
      notify({ tone: 'danger', title: t('notSaved'), detail: errorText(error), closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="compact-sm" loading={isBusy} leftSection={<Icon name="download" />} onClick={() => void save()}>
      {t('saveXml')}
    </Button>
  )
}
