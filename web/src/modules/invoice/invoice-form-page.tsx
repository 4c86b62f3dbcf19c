import { Button, Menu } from '@mantine/core'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { invoiceApi, type Invoice } from '@waybill/contract/invoice/invoice'
import {
  isCorrectable,
  isFrozenInvoice,
  isSentInvoice,
  isUndecidedInvoice,
  mayChangeInvoice,
} from '@waybill/contract/invoice/status'
import { ORDER_ACCESS } from '@waybill/contract/permissions'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { FormProvider, useFormValue } from '../../kit/form/state/form-context.ts'
import { FormMessages } from '../../kit/form/page/form-messages.tsx'
import { LeaveGuard } from '../../kit/form/page/leave-guard.tsx'
import { StoredRecord } from '../../kit/form/page/record-form.tsx'
import { useSavedNotice } from '../../kit/form/page/saved-notice.ts'
import { PhoneSaveBar, SaveButton, UnsavedMark } from '../../kit/form/page/save-bar.tsx'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import { useNamedField } from '../../kit/form/state/use-named-field.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { loadTexts, useFormat } from '../../kit/i18n/i18n.ts'
import { useScreenTitle } from '../../kit/record/screen-title.ts'
import { CopyButton } from '../../kit/session/copy-button.tsx'
import { hasAccess } from '../../kit/session/session.ts'
import { ReadOnlyField } from '../../ui/fields/field.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Section } from '../../ui/page/section.tsx'
import { placeAmong, useHistory, useHistoryRail } from '../audit-entry/history-list-section.ts'
import { HistoryRail } from '../audit-entry/history-section.tsx'
import { BookedLink } from '../bookkeeping/booked-link.tsx'
import { DocumentsSection } from '../document/document-section.tsx'
import { EmailsSection } from '../email/email-section.tsx'
import { sharesMissing } from './carrier/route-shares.ts'
import { RouteShares } from './carrier/route-shares-section.tsx'
import { CorrectionSections } from './correction/correction-sections.tsx'
import { SaleSection } from './correction/sale-section.tsx'
import { FormExtras } from './extras/form-extras.tsx'
import { useInvoiceActions, type Correcting } from './invoice-actions.tsx'
import { InvoiceDocument } from './invoice-document-section.tsx'
import { PaymentsSection } from '../payment/payments-section.tsx'
import { InvoiceReminders } from '../reminder/invoice-reminders-section.tsx'
import { CarrierInvoiceFields, InvoiceTerms } from './invoice-fields.tsx'
import classes from './invoice-form.module.css'
import { InvoiceLines } from './invoice-lines.tsx'
import { PartyLink } from './invoice-party-link.tsx'
import { InvoiceStatusBadge } from './invoice-status-badge.tsx'
import { isDerivedInvoiceField, useInvoiceLabels, useInvoiceWords } from './invoice-words.ts'
import { invoiceValuesOf, type InvoiceValues } from './invoice-values.ts'
import { VatNumberMissing } from './vat-number-missing.tsx'

// For who may not open the page of the mail.
const InvoiceMail = lazy(async () => {
  const [file] = await Promise.all([import('./invoice-email-page.tsx'), loadTexts('mail-template', 'email-write')])
  return { default: file.InvoiceMail }
})

/** One invoice: its lines and sums, its document, and what can be done with it. */
export function InvoiceFormPage() {
  const { t } = useTranslation('invoice')
  const { id } = useParams({ strict: false }) as { id: string }
  const { mail } = useSearch({ strict: false }) as { mail?: unknown }
  if (mail !== undefined)
    return (
      <Suspense>
        <InvoiceMail id={Number(id)} />
      </Suspense>
    )
  return <StoredRecord api={invoiceApi} label={t('title')} lines={12} form={InvoiceForm} />
}

// Orders and route follow from the shares (domain, Invoices).
const bodyOf = ({ orderIds, routeId, allocations, ...values }: InvoiceValues) =>
  values.entityType === 'carrier' ? { ...values, allocations } : { ...values, orderIds, routeId }

function InvoiceForm({ view, draft }: FormRecord<Invoice, InvoiceValues>) {
  const { t } = useTranslation('invoice')
  const labelOf = useInvoiceLabels()
  const wordsOf = useInvoiceWords(view)
  // The document takes the width: beside both there is room on wide screens alone.
  const rail = useHistoryRail(1500)
  const owner = { invoiceId: view.id }
  const [newest] = useHistory(owner).data?.pages[0]?.items ?? []
  const isReadOnly = !mayChangeInvoice(view.entityType, view.status) || isUndecidedInvoice(view)
  const sayThatSaved = useSavedNotice()
  const form = useEntityForm<typeof invoiceApi, InvoiceValues>({
    api: invoiceApi,
    view,
    draft,
    valuesOf: invoiceValuesOf,
    bodyOf,
    check: sharesMissing,
    atoms: ['allocations'],
    isReadOnly,
    onSaved: (view) => sayThatSaved('invoice', view.number ?? view.innerNumber),
  })
  const invoice = form.view!
  const isCustomerSide = invoice.entityType === 'customer'
  const name = invoice.number ?? invoice.innerNumber
  useScreenTitle(name)
  useNamedField()
  const [needsVatNumber, setNeedsVatNumber] = useState(false)
  const [isCorrecting, setCorrecting] = useState(false)
  return (
    <FormProvider value={form.context}>
      <InvoiceHead
        invoice={invoice}
        form={form}
        onHistory={rail.toggle}
        onVatNumberMissing={setNeedsVatNumber}
        correcting={[isCorrecting, setCorrecting]}
      />
      <div className={classes.page} data-history={rail.isOpen || undefined}>
        <div className={classes.columns}>
          <div className={classes.sections}>
            <FormMessages form={form} labelOf={labelOf} wordsOf={wordsOf} other={newest?.actor?.title ?? null} />
            {needsVatNumber ? <VatNumberMissing invoice={invoice} /> : null}
            {invoice.warnings.map((warning) => (
              <Notice key={warning} tone="warn">
                {t(`warnings.${warning}`)}
              </Notice>
            ))}
            {invoice.correctionOfId !== null ? (
              <CorrectionSections invoice={invoice} />
            ) : isCustomerSide ? (
              <Section title={t('sections.lines')} isFlush>
                <InvoiceLines invoice={invoice} />
              </Section>
            ) : (
              <>
                <RouteShares stored={invoice.invoicedRoutes} />
                <CarrierInvoiceFields invoice={invoice} beside={<CopyIban />} />
              </>
            )}
            {invoice.correctionOfId === null ? <FormExtras invoice={invoice} /> : null}
            {isCustomerSide && (invoice.number !== null || invoice.correctionOfId !== null) ? (
              <SaleSection invoice={invoice} onCorrect={isCorrectable(invoice) ? () => setCorrecting(true) : null} />
            ) : null}
            {isFrozenInvoice(invoice.entityType, invoice.status) && invoice.number !== null ? (
              <PaymentsSection
                invoice={invoice}
                isSent={isSentInvoice(invoice.status)}
                onBooked={() =>
                  void callApi(invoiceApi.get, { params: { id: invoice.id } as never }).then((now) => form.accept(now))
                }
              />
            ) : null}
            {isCustomerSide && invoice.number !== null ? <InvoiceReminders invoiceId={invoice.id} /> : null}
            <InvoiceTerms isCustomerSide={isCustomerSide} />
            <Parties invoice={invoice} />
            <Section title={t('sections.facts')}>
              <Facts invoice={invoice} />
              <BookedLink invoiceId={invoice.id} />
            </Section>
            <Section title={t('sections.files')} isFlush>
              <DocumentsSection
                ownerKind="invoice"
                owner={owner}
                usualType={isCustomerSide ? 'OTHER_DOCUMENTS' : 'CARRIER_INVOICE'}
              />
            </Section>
            {isFrozenInvoice(invoice.entityType, invoice.status) ? (
              <Section title={t('sections.emails')} isFlush>
                <EmailsSection key={invoice.version} owner={{ invoiceId: invoice.id }} />
              </Section>
            ) : null}
          </div>
          {isCustomerSide ? <InvoiceDocument invoice={invoice} form={form} /> : null}
        </div>
        {rail.isOpen ? (
          <HistoryRail
            owner={owner}
            onHide={rail.toggle}
            labelOf={labelOf}
            wordsOf={wordsOf}
            isDerived={isDerivedInvoiceField}
            placeOf={(list, id) => placeAmong(list === 'lines' ? invoice.lines : undefined, id)}
          />
        ) : null}
      </div>
      {isReadOnly ? null : <PhoneSaveBar form={form} />}
      <LeaveGuard form={form} name={name} labelOf={labelOf} />
    </FormProvider>
  )
}

function InvoiceHead({
  invoice,
  form,
  onHistory,
  onVatNumberMissing,
  correcting,
}: {
  invoice: Invoice
  form: ReturnType<typeof useEntityForm<typeof invoiceApi, InvoiceValues>>
  onHistory: () => void
  onVatNumberMissing: (isMissing: boolean) => void
  correcting: Correcting
}) {
  const { t } = useTranslation(['invoice', 'history', 'invoice-correction'])
  const format = useFormat()
  const { mark, main, others, dialogs } = useInvoiceActions(invoice, form, onVatNumberMissing, correcting)
  return (
    <header className={classes.head}>
      <BackLink to="/invoices" label={t('back')} />
      <div className={classes.name}>
        <h1>
          {invoice.number ??
            (invoice.correctionOf === null
              ? t('draft', { number: invoice.innerNumber })
              : t('invoice-correction:of', { number: invoice.correctionOf.title }))}
        </h1>
        <span className={classes.party}>
          <PartyLink invoice={invoice} />
        </span>
      </div>
      <InvoiceStatusBadge status={invoice.status} isBig />
      {mark}
      <dl className={classes.figures}>
        <div>
          <dt>{t('total')}</dt>
          <dd>{format.amount(invoice.totalCents, invoice.currency)}</dd>
        </div>
        {invoice.openCents === null || invoice.openCents === 0 || invoice.openCents === invoice.totalCents ? null : (
          <div>
            <dt>{t('open')}</dt>
            <dd>{format.amount(invoice.openCents, invoice.currency)}</dd>
          </div>
        )}
        {invoice.dueDate === null || invoice.correctionOfId !== null ? null : (
          <div data-overdue={invoice.isOverdue || undefined}>
            <dt>{t(invoice.isOverdue ? 'overdueSince' : 'due')}</dt>
            <dd>{format.date(invoice.dueDate)}</dd>
          </div>
        )}
      </dl>
      <div className={classes.actions}>
        {form.context.isReadOnly ? null : (
          <span className={classes.desk}>
            <UnsavedMark form={form} />
            <SaveButton form={form} isPrimary={main === null} />
          </span>
        )}
        {main}
        <Menu position="bottom-end">
          <Menu.Target>
            <Button aria-label={t('more')} className={classes.more}>
              <Icon name="more" />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ key, label, icon, run }) => (
              <Menu.Item key={key} leftSection={<Icon name={icon} />} onClick={run}>
                {label}
              </Menu.Item>
            ))}
            <Menu.Item leftSection={<Icon name="history" />} onClick={onHistory}>
              {t('history:title')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {dialogs}
    </header>
  )
}

function CopyIban() {
  const { t } = useTranslation('invoice')
  const iban = useFormValue<string | null>('iban')
  return iban === null ? null : <CopyButton isIcon text={iban.replace(/\s/g, '')} label={t('copyIban')} />
}

/** What happened when, and where the goods went. */
function Facts({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoice')
  const format = useFormat()
  const places = invoice.destinations.map(({ countryCode, city }) => [countryCode, city].filter(Boolean).join(' '))
  const facts = [
    ['createdAt', format.dateTime(invoice.createdAt)],
    ['statusDate', format.dateTime(invoice.statusDate)],
    ['paidAt', invoice.paidAt === null ? null : format.dateTime(invoice.paidAt)],
    ['destinations', places.join(', ') || null],
  ] as const
  return (
    <div className={classes.fields}>
      {facts.map(([name, words]) =>
        words === null ? null : (
          <ReadOnlyField key={name} label={t(`fields.${name}`)}>
            {words}
          </ReadOnlyField>
        ),
      )}
    </div>
  )
}

function Parties({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoice')
  const parties = [
    { title: t('seller'), party: invoice.seller },
    { title: t('buyer'), party: invoice.buyer },
  ]
  return (
    <Section title={t('sections.parties')}>
      <div className={classes.parties}>
        {parties.map(({ title, party }) =>
          party === null ? null : (
            <div key={title}>
              <h3>{title}</h3>
              <p>
                {[
                  party.title,
                  party.address,
                  [party.countryCode, party.postal, party.city].filter(Boolean).join(' '),
                  formatVatNumber(party.vatNumber),
                ]
                  .filter(Boolean)
                  .map((line) => (
                    <span key={line}>{line}</span>
                  ))}
              </p>
            </div>
          ),
        )}
        <div>
          <h3>{t('orders')}</h3>
          <p>
            {invoice.orders.map((order) =>
              hasAccess(ORDER_ACCESS) ? (
                <Link key={order.id} to={`/orders/${order.id}/edit` as string}>
                  {order.title}
                </Link>
              ) : (
                <span key={order.id}>{order.title}</span>
              ),
            )}
          </p>
        </div>
      </div>
    </Section>
  )
}
