import { useSearch } from '@tanstack/react-router'
import { ENTITY_TYPES, invoiceApi, type Invoice } from '@waybill/contract/invoice/invoice'
import type { InvoiceSide } from '@waybill/contract/invoice/status'
import type { FieldFault } from '@waybill/contract/kit/issues'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FormReference, FormReferences } from '../../kit/form/fields/reference-fields.tsx'
import { FormPage } from '../../kit/form/page/form-page.tsx'
import { NewRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useField } from '../../kit/form/state/form-context.ts'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Section } from '../../ui/page/section.tsx'
import { CarrierCompanySelect } from '../carrier-company/carrier-company-select.tsx'
import { EInvoiceDrop, useHeldFile, type HeldFile } from './e-invoice-drop.tsx'
import { invoicePath } from './invoice-columns.tsx'
import { CarrierInvoiceFields, InvoiceTerms } from './invoice-fields.tsx'
import classes from './invoice-form.module.css'
import { InvoiceOrderSelect } from './invoice-order-select.tsx'
import { invoiceValuesOf, type InvoiceValues } from './invoice-values.ts'
import { useInvoiceLabels, useInvoiceWords } from './invoice-words.ts'

const emptyOn = (entityType: InvoiceSide): InvoiceValues => ({
  entityType,
  orderIds: [],
  routeId: null,
  companyId: null,
  billingCustomerId: null,
  carrierCompanyId: null,
  lines: null,
  notes: null,
  paymentPeriodDays: null,
  servicePeriodFrom: null,
  servicePeriodTo: null,
  number: null,
  amountCents: null,
  vatBp: null,
  totalCents: null,
  iban: null,
  documentCreationDate: null,
  dueDate: null,
  state: 'active',
})

/** What was typed for the other side before one changed one's mind is not sent. */
const bodyOf = ({ entityType, ...typed }: InvoiceValues): InvoiceValues => {
  const { orderIds, notes, servicePeriodFrom, servicePeriodTo, paymentPeriodDays } = typed
  return entityType === 'customer'
    ? { ...emptyOn(entityType), orderIds, notes, servicePeriodFrom, servicePeriodTo, paymentPeriodDays }
    : { ...typed, entityType, paymentPeriodDays: null }
}

/** What the server asks for beside the shape: the orders of a customer’s invoice, the header of a carrier’s. */
function missingIn({ entityType, orderIds, carrierCompanyId, number, amountCents }: InvoiceValues): FieldFault[] {
  const missing: Record<InvoiceSide, Readonly<Record<string, boolean>>> = {
    customer: { orderIds: orderIds.length === 0 },
    carrier: {
      carrierCompanyId: carrierCompanyId === null,
      number: number === null,
      amountCents: amountCents === null,
    },
  }
  return Object.entries(missing[entityType]).flatMap(([path, isMissing]) =>
    isMissing ? [{ path, code: 'required' as const }] : [],
  )
}

/** An invoice that is still to be made: to a customer from its orders, or as a carrier sent it. */
export function InvoiceNewPage() {
  const { t } = useTranslation('invoice')
  return <NewRecord api={invoiceApi} label={t('newInvoice')} form={InvoiceNewForm} />
}

const NOTHING = { mark: null, button: null, dialog: null }

function InvoiceNewForm({ view, draft }: FormRecord<Invoice | null, InvoiceValues>) {
  const { t } = useTranslation('invoice')
  const { side, order } = useSearch({ strict: false }) as { side?: unknown; order?: unknown }
  const labelOf = useInvoiceLabels()
  const wordsOf = useInvoiceWords({ orders: [] })
  const held = useRef<HeldFile | null>(null)
  const keepFile = useHeldFile()
  const goOn = useAfterSave(view, {
    name: 'invoice',
    titleOf: ({ number, innerNumber }: Invoice) => number ?? innerNumber,
    pathOf: invoicePath,
  })
  const form = useEntityForm<typeof invoiceApi, InvoiceValues>({
    api: invoiceApi,
    view,
    draft,
    empty: {
      ...emptyOn(side === 'carrier' ? 'carrier' : 'customer'),
      orderIds: typeof order === 'number' && order > 0 ? [order] : [],
    },
    valuesOf: invoiceValuesOf,
    bodyOf,
    check: missingIn,
    onSaved: (saved: Invoice, isLeaving) => {
      goOn(saved, isLeaving)
      if (saved.entityType === 'carrier' && held.current !== null) void keepFile(held.current, saved.id)
    },
  })
  return (
    <FormPage
      form={form}
      name={t('newInvoice')}
      back={{ to: '/invoices', label: t('back') }}
      state={NOTHING}
      history={{ button: null, rail: null, newestBy: null }}
      labelOf={labelOf}
      wordsOf={wordsOf}
    >
      <Fields
        onHold={(next) => {
          held.current = next
        }}
      />
    </FormPage>
  )
}

function Fields({ onHold }: { onHold: (held: HeldFile | null) => void }) {
  const { t } = useTranslation('invoice')
  const side = useField<InvoiceSide>('entityType')
  const isCustomerSide = side.value === 'customer'
  return (
    <>
      <Section title={t('sections.whatFor')}>
        <div className={classes.fields}>
          <div className={classes.all}>
            <Segmented
              label={t('side')}
              value={side.value}
              onChange={side.set}
              options={ENTITY_TYPES.map((value) => ({ value, label: t(`sides.${value}`) }))}
            />
          </div>
          {isCustomerSide ? null : (
            <div className={classes.all}>
              <EInvoiceDrop onHold={onHold} />
            </div>
          )}
          {isCustomerSide ? null : (
            <div className={classes.wide}>
              <FormReference
                name="carrierCompanyId"
                label={t('fields.carrierCompanyId')}
                isRequired
                select={CarrierCompanySelect}
              />
            </div>
          )}
          <div className={isCustomerSide ? classes.all : classes.wide}>
            <FormReferences
              name="orderIds"
              label={t('orders')}
              isRequired={isCustomerSide}
              hint={t(isCustomerSide ? 'ordersHint' : 'carrierOrdersHint')}
              select={InvoiceOrderSelect}
            />
          </div>
        </div>
      </Section>
      {isCustomerSide ? null : <CarrierInvoiceFields />}
      <InvoiceTerms isCustomerSide={isCustomerSide} />
    </>
  )
}
