import { useSearch } from '@tanstack/react-router'
import { ENTITY_TYPES, invoiceApi, type Invoice } from '@waybill/contract/invoice/invoice'
import type { InvoiceSide } from '@waybill/contract/invoice/status'
import type { FieldFault } from '@waybill/contract/kit/issues'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FormReference, FormReferences } from '../../kit/form/fields/reference-fields.tsx'
import { FormPage } from '../../kit/form/page/form-page.tsx'
import { NewRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useField, useFormContext } from '../../kit/form/state/form-context.ts'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Section } from '../../ui/page/section.tsx'
import { CarrierCompanySelect } from '../carrier-company/carrier-company-select.tsx'
import { routesWithIds } from './carrier/carrier-routes.ts'
import { putRoutes, sharedIn } from './carrier/put-shares.ts'
import { sharesMissing } from './carrier/route-shares.ts'
import { RouteShares } from './carrier/route-shares-section.tsx'
import { EInvoiceDrop, useHeldFile, type HeldFile } from './carrier/e-invoice-drop.tsx'
import { invoicePath } from './invoice-columns.tsx'
import { CarrierInvoiceFields, InvoiceTerms } from './invoice-fields.tsx'
import classes from './invoice-form.module.css'
import { InvoiceOrderSelect } from './invoice-order-select.tsx'
import { invoiceValuesOf, type InvoiceValues } from './invoice-values.ts'
import { useInvoiceLabels, useInvoiceWords } from './invoice-words.ts'

const emptyOn = (entityType: InvoiceSide): InvoiceValues => ({
  entityType,
  currency: 'EUR',
  orderIds: [],
  routeId: null,
  allocations: [],
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
    : { ...typed, entityType, orderIds: [], paymentPeriodDays: null }
}

/** What the server asks for beside the shape: the orders of a customer’s invoice, the header of a carrier’s. */
function missingIn(values: InvoiceValues): FieldFault[] {
  const { entityType, orderIds, carrierCompanyId, number, amountCents } = values
  const missing: Record<InvoiceSide, Readonly<Record<string, boolean>>> = {
    customer: { orderIds: orderIds.length === 0 },
    carrier: {
      carrierCompanyId: carrierCompanyId === null,
      number: number === null,
      amountCents: amountCents === null,
    },
  }
  return [
    ...Object.entries(missing[entityType]).flatMap(([path, isMissing]) =>
      isMissing ? [{ path, code: 'required' as const }] : [],
    ),
    ...sharesMissing(values),
  ]
}

/** An invoice that is still to be made: to a customer from its orders, or as a carrier sent it. */
export function InvoiceNewPage() {
  const { t } = useTranslation('invoice')
  return <NewRecord api={invoiceApi} label={t('newInvoice')} form={InvoiceNewForm} />
}

/** An id as an address holds it. */
const idsIn = (value: unknown): number[] =>
  [value].flat().flatMap((one) => (/^[1-9]\d{0,14}$/.test(String(one)) ? [Number(one)] : []))

const NO_ROUTES = new Map<number, never>()
const NOTHING = { mark: null, button: null, dialog: null }

function InvoiceNewForm({ view, draft }: FormRecord<Invoice | null, InvoiceValues>) {
  const { t } = useTranslation('invoice')
  const { side, order, carrier, routes } = useSearch({ strict: false }) as Record<string, unknown>
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
      orderIds: idsIn(order),
      carrierCompanyId: side === 'carrier' ? (idsIn(carrier)[0] ?? null) : null,
    },
    valuesOf: invoiceValuesOf,
    bodyOf,
    check: missingIn,
    atoms: ['allocations'],
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
        routeIds={draft === null ? idsIn(routes) : []}
        onHold={(next) => {
          held.current = next
        }}
      />
    </FormPage>
  )
}

function Fields({
  routeIds,
  onHold,
}: {
  /** of the address: taken at once */
  routeIds: readonly number[]
  onHold: (held: HeldFile | null) => void
}) {
  const { t } = useTranslation('invoice')
  const side = useField<InvoiceSide>('entityType')
  const isCustomerSide = side.value === 'customer'
  const form = useFormContext()
  const takeFirst = useEffectEvent(async () => {
    const carrierCompanyId = form.get('carrierCompanyId') as number | null
    if (carrierCompanyId === null || routeIds.length === 0) return
    const routes = await routesWithIds(carrierCompanyId, routeIds)
    if (sharedIn(form).allocations.length > 0) return
    // What is invoiced already is taken where nothing else is left: for an extra.
    const open = routes.filter(({ invoicedCents }) => invoicedCents === 0)
    const taken = open.length > 0 ? open : routes
    putRoutes(
      form,
      routeIds.filter((id) => taken.some((route) => route.id === id)),
      new Map(routes.map((route) => [route.id, route])),
    )
  })
  useEffect(() => {
    // Without an answer they are picked by hand.
    takeFirst().catch(() => undefined)
  }, [])
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
          {isCustomerSide ? (
            <div className={classes.all}>
              <FormReferences
                name="orderIds"
                label={t('orders')}
                isRequired
                hint={t('ordersHint')}
                select={InvoiceOrderSelect}
              />
            </div>
          ) : (
            <div className={classes.wide}>
              <FormReference
                name="carrierCompanyId"
                label={t('fields.carrierCompanyId')}
                isRequired
                select={CarrierCompanySelect}
                // Its routes are of no other one.
                onPick={(chosen) => {
                  if (chosen?.id !== form.get('carrierCompanyId')) putRoutes(form, [], NO_ROUTES)
                }}
              />
            </div>
          )}
        </div>
      </Section>
      {isCustomerSide ? null : <RouteShares />}
      {isCustomerSide ? null : <CarrierInvoiceFields invoice={null} />}
      <InvoiceTerms isCustomerSide={isCustomerSide} />
    </>
  )
}
