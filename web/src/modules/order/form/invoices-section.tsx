import { invoiceApi, type InvoiceRow, type InvoiceWrite } from '@waybill/contract/invoice/invoice'
import { isCanceledInvoice, isHeldInvoice, isReceivedInvoice } from '@waybill/contract/invoice/status'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Order } from '@waybill/contract/order/order'
import { isCanceled } from '@waybill/contract/order/status'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { notify } from '../../../ui/notices/notify.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { StatusBadge } from '../../../ui/marks/status-badge.tsx'
import type { OrderForm } from '../values/order-form.ts'
import classes from '../grid/section.module.css'
import { useOrderInvoices } from './invoices.ts'

/** What the customer was charged for this order, and the way to charge it. */
export function CustomerInvoicesSection({ form, order }: { form: OrderForm; order: Order }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const navigate = useNavigate()
  const errorText = useErrorText()
  const { data, error, refetch } = useOrderInvoices(order.id, true)
  const [isBusy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    try {
      // An invoice is made of what is saved.
      const saved = form.changes().length > 0 ? await form.save(true) : order
      if (saved === null) return
      const draft = (lines: InvoiceWrite['lines']) =>
        callApi(invoiceApi.create, {
          body: { entityType: 'customer', orderIds: [saved.id], lines },
          idempotencyKey: newIdempotencyKey(),
        })
      const invoice = await draft(null).catch(async (failure: unknown) => {
        // The freight is invoiced once only: what comes on top, as waiting time, stands on an invoice of its own.
        if (!hasCode(failure, 'already_invoiced')) throw failure
        return draft([await extraLine(saved.id)])
      })
      await navigate({ to: '/invoices/$id/edit', params: { id: String(invoice.id) } })
    } catch (failure) {
      notify({ tone: 'danger', title: t('invoices.notCreated'), detail: errorText(failure), closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }
  // With the VAT of the freight: as a rule it is the same service to the same customer.
  const extraLine = async (orderId: number): Promise<NonNullable<InvoiceWrite['lines']>[number]> => {
    const freight = data!.items.find(
      ({ entityType, status }) => entityType === 'customer' && !isCanceledInvoice(status),
    )
    const line =
      freight &&
      (await callApi(invoiceApi.get, { params: { id: freight.id } })).lines.find((one) => one.orderId === orderId)
    return {
      kind: 'extra',
      text: t('invoices.extra'),
      quantity: 1,
      unitPriceCents: 0,
      vatBp: line?.vatBp ?? order.customerVatBp ?? 0,
      vatCategory: line?.vatCategory ?? 'S',
      orderId,
      routeId: null,
      extraId: null,
    }
  }
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={1} label={t('loading')} />
  const invoices = data.items.filter(({ entityType }) => entityType === 'customer')
  const hasExtras = order.approvedExtras.some(({ priceCents }) => priceCents !== 0)
  const why =
    isCanceled(order.status) && hasExtras
      ? null
      : order.customerPriceCents === null
        ? t('invoices.needsPrice')
        : isCanceled(order.status)
          ? t('invoices.canceled')
          : null
  return (
    <>
      {invoices.length > 0 ? <InvoiceTable invoices={invoices} /> : null}
      <div className={`${classes.miniEmpty} ${classes.padded}`}>
        <span>
          {why ??
            (invoices.length > 0
              ? ''
              : t('invoices.proposal', {
                  price: format.euro(order.customerPriceCents ?? 0),
                  vat: order.customerVatBp === null ? '–' : format.percent(order.customerVatBp),
                }))}
        </span>
        <Button size="compact-sm" disabled={why !== null} loading={isBusy} onClick={() => void create()}>
          {t('invoices.create')}
        </Button>
      </div>
    </>
  )
}

/** What carriers charged for this order. */
export function CarrierInvoicesSection({ order }: { order: Order }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const navigate = useNavigate()
  const { data, error, refetch } = useOrderInvoices(order.id, true)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={1} label={t('loading')} />
  const invoices = data.items.filter(({ entityType }) => entityType === 'carrier')
  const carriers = carriersOf(order)
  const open = (search: object) =>
    void navigate({ to: '/invoices/create', search: { side: 'carrier', ...search } as never })
  return (
    <>
      {invoices.length > 0 ? <InvoiceTable invoices={invoices} shareOf={order.id} withCheck /> : null}
      <div className={`${classes.miniEmpty} ${classes.padded}`}>
        <span>
          {invoices.length > 0
            ? ''
            : order.carrierCostCents === null
              ? t('invoices.noneFromCarriers')
              : t('invoices.expected', { cost: format.euro(order.carrierCostCents) })}
        </span>
        {carriers.length === 0 ? (
          <Button size="compact-sm" onClick={() => open({})}>
            {t('invoices.enter')}
          </Button>
        ) : (
          carriers.map(({ id, title, routes }) => (
            <Button key={id} size="compact-sm" onClick={() => open({ carrier: id, routes })}>
              {carriers.length === 1 ? t('invoices.enter') : t('invoices.newFor', { carrier: title })}
            </Button>
          ))
        )}
      </div>
    </>
  )
}

/** The carriers of an order, each with its routes. */
function carriersOf(order: Order): (Reference & { routes: number[] })[] {
  const given = order.routes.flatMap(({ id, assignment }) =>
    assignment?.carrierCompany ? [{ id, carrier: assignment.carrierCompany }] : [],
  )
  return [...Map.groupBy(given, ({ carrier }) => carrier.id).values()].map((routes) => ({
    ...routes[0]!.carrier,
    routes: routes.map(({ id }) => id),
  }))
}

/** `shareOf` is the order whose share of each invoice is shown. */
function InvoiceTable({
  invoices,
  shareOf,
  withCheck = false,
}: {
  invoices: readonly InvoiceRow[]
  shareOf?: number | undefined
  withCheck?: boolean
}) {
  const { t } = useTranslation(['order', 'invoice-list'])
  const format = useFormat()
  const shareText = ({ shares }: InvoiceRow, orderId: number) => {
    const share = shares.find((one) => one.orderId === orderId)
    return share === undefined ? '–' : format.money(share.netCents)
  }
  return (
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('invoice-list:title')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('invoice-list:column.number')}</th>
            <th scope="col">{t('invoice-list:column.party')}</th>
            <th scope="col">{t('invoice-list:column.status')}</th>
            {shareOf === undefined ? null : (
              <th scope="col" data-end>
                {t('invoices.share')}
              </th>
            )}
            <th scope="col" data-end>
              {t('invoice-list:column.total')}
            </th>
            <th scope="col">{t('invoice-list:column.dueDate')}</th>
            {withCheck ? (
              <th scope="col">
                <span className={classes.hidden}>{t('invoices.openCheck')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {invoices.map((invoice) => (
            <tr key={invoice.id}>
              <td>
                <Link to="/invoices/$id/edit" params={{ id: String(invoice.id) }}>
                  {invoice.number ?? invoice.innerNumber}
                </Link>
              </td>
              <td>{(invoice.billingCustomer ?? invoice.carrierCompany)?.title}</td>
              <td>
                <StatusBadge status={invoice.status}>{t(`invoice-list:status.${invoice.status}`)}</StatusBadge>
              </td>
              {shareOf === undefined ? null : <td data-end>{shareText(invoice, shareOf)}</td>}
              <td data-end>{format.money(invoice.totalCents)}</td>
              <td className={invoice.isOverdue ? undefined : classes.dim}>
                {invoice.dueDate === null ? '–' : format.date(invoice.dueDate)}
              </td>
              {withCheck ? (
                <td>
                  {isReceivedInvoice(invoice.status) || isHeldInvoice(invoice.status) ? (
                    <Link to={'/invoices/check' as string} search={{ invoice: String(invoice.id) } as never}>
                      {t('invoices.openCheck')}
                    </Link>
                  ) : null}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
