import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import {
  decideExtra,
  isApprovedExtra,
  isOpenExtra,
  removeExtra,
  type Extra,
  type ExtraState,
} from '@waybill/contract/order/extra'
import { extrasOf } from '@waybill/contract/order/money'
import type { Order } from '@waybill/contract/order/order'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormContext } from '../../../kit/form/state/form-context.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Light, type LightLevel } from '../../../ui/marks/light.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import sections from '../grid/section.module.css'
import { ExtraEditor } from './extra-editor.tsx'
import classes from './extras.module.css'
import type { AskedExtra } from './asked-extra.ts'
import { useExtras, useRefreshExtras } from './use-extras.ts'

const LIGHTS: Readonly<Record<ExtraState, LightLevel>> = { open: 'open', approved: 'ok', refused: 'stop' }

const sumsOf = (extras: readonly Extra[]) =>
  extrasOf(extras.map(({ netPriceCents, netCostCents }) => ({ priceCents: netPriceCents, costCents: netCostCents })))

interface ExtrasProps {
  order: Order
  /** What is approved comes to something else now */
  onSums: () => void
  /** asked for by a mail, filled in and not saved */
  asked?: AskedExtra | null
  onAsked?: (isSaved: boolean) => void
}

/** What the order brings and costs beside its freight; here it is approved. */
export function OrderExtrasSection({ order, onSums, asked = null, onAsked }: ExtrasProps) {
  const { t } = useTranslation(['order-extras', 'history'])
  const { data, error, refetch } = useExtras(order.id)
  // Null: nothing is written; `new`: one that is not there yet
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  const { isReadOnly } = useFormContext()
  const extras = data?.items
  const approved = sumsOf((extras ?? []).filter(({ state }) => isApprovedExtra(state)))
  const shown = extrasOf(order.approvedExtras)
  // Those of a merged order are counted where they were taken.
  const differs =
    extras !== undefined &&
    !isReadOnly &&
    (approved.priceCents !== shown.priceCents || approved.costCents !== shown.costCents)
  const tellSums = useEffectEvent(onSums)
  useEffect(() => {
    if (differs) tellSums()
  }, [differs, approved.priceCents, approved.costCents])
  if (error && extras === undefined) return <LoadError error={error} onRetry={() => void refetch()} />
  if (extras === undefined) return <SkeletonLines lines={2} label={t('loading')} />
  const change = extras.find(({ id }) => id === edited) ?? null
  return (
    <>
      {extras.length === 0 ? null : (
        <ExtraTable order={order} extras={extras} isReadOnly={isReadOnly} onEdit={setEdited} />
      )}
      {!isReadOnly && asked !== null ? (
        <ExtraEditor
          key={asked.key}
          order={order}
          extra={null}
          asked={asked}
          onClose={(isSaved) => onAsked?.(isSaved)}
        />
      ) : !isReadOnly && (edited === 'new' || change !== null) ? (
        <ExtraEditor key={edited} order={order} extra={change} onClose={() => setEdited(null)} />
      ) : isReadOnly && extras.length > 0 ? null : (
        <div className={classes.more}>
          {extras.length > 0 ? null : <span>{t('none')}</span>}
          {isReadOnly ? null : (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<Icon name="plus" />}
              onClick={() => setEdited('new')}
            >
              {t('add')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

interface TableProps {
  order: Order
  extras: readonly Extra[]
  isReadOnly: boolean
  onEdit: (id: number) => void
}

function ExtraTable({ order, extras, isReadOnly, onEdit }: TableProps) {
  const { t } = useTranslation(['order-extras', 'history'])
  const format = useFormat()
  const money = (cents: number | null) => (cents === null ? '–' : format.money(cents))
  const sums = (['approved', 'open'] as const).flatMap((state) => {
    const own = extras.filter((extra) => extra.state === state)
    return own.length === 0 ? [] : [{ state, ...sumsOf(own) }]
  })
  return (
    <div className={sections.scroll} tabIndex={0} role="group" aria-label={t('title')}>
      <table className={`${sections.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('columns.what')}</th>
            <th scope="col" data-end>
              {t('columns.quantity')}
            </th>
            <th scope="col" data-end>
              {t('columns.price')}
            </th>
            <th scope="col" data-end>
              {t('columns.cost')}
            </th>
            <th scope="col">{t('columns.state')}</th>
            <th scope="col">
              <span className={sections.hidden}>{t('columns.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {extras.map((extra) => (
            <tr key={extra.id} data-state={extra.state}>
              <td>
                {extra.text ?? t(`history:extra.kind.${extra.kind}`)}
                <Details extra={extra} order={order} />
              </td>
              <td data-end>
                {format.number(extra.quantity, 0, 3)} {extra.unit === 'flat' ? '×' : t(`short.${extra.unit}`)}
              </td>
              <td data-end>{money(extra.netPriceCents)}</td>
              <td data-end>{money(extra.netCostCents)}</td>
              <td>
                <span className={classes.state}>
                  <Light level={LIGHTS[extra.state]} label={t(`history:extra.state.${extra.state}`)} />
                  <span aria-hidden>{t(`history:extra.state.${extra.state}`)}</span>
                  <Billed extra={extra} />
                </span>
              </td>
              <td className={classes.actions}>
                {isReadOnly || extra.isBilled ? null : <Actions orderId={order.id} extra={extra} onEdit={onEdit} />}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map(({ state, priceCents, costCents }) => (
            <tr key={state} data-state={state}>
              <th scope="row" colSpan={2}>
                {t(state === 'open' ? 'sumOpen' : 'sumApproved')}
              </th>
              <td data-end>{format.money(priceCents)}</td>
              <td data-end>{format.money(costCents)}</td>
              <td colSpan={2} />
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  )
}

function Details({ extra, order }: { extra: Extra; order: Order }) {
  const { t } = useTranslation(['order-extras', 'history'])
  const { kind, text, route, sourceOrder, note } = extra
  const words = [
    text === null ? null : t(`history:extra.kind.${kind}`),
    order.routes.length > 1 ? route?.title : null,
    sourceOrder === null || sourceOrder.id === order.id ? null : t('billedTo', { number: sourceOrder.title }),
    note,
  ].filter(Boolean)
  return words.length === 0 ? null : <small className={classes.details}>{words.join(' · ')}</small>
}

function Billed({ extra: { isBilled, invoice } }: { extra: Extra }) {
  const { t } = useTranslation(['order-extras', 'history'])
  if (invoice !== null)
    return (
      <Link to="/invoices/$id/edit" params={{ id: String(invoice.id) }}>
        {invoice.title}
      </Link>
    )
  return isBilled ? <span className={sections.dim}>{t('billed')}</span> : null
}

function Actions({ orderId, extra, onEdit }: { orderId: number; extra: Extra; onEdit: (id: number) => void }) {
  const { t } = useTranslation(['order-extras', 'history'])
  const refusalWords = useRefusalWords()
  const refresh = useRefreshExtras(orderId)
  const [isBusy, setBusy] = useState(false)
  const params = { id: orderId, extraId: extra.id }
  const { version } = extra
  const run = async (act: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await act()
    } catch (error) {
      notify({
        tone: 'danger',
        title: t('notDone'),
        detail: refusalWords(error).join(' '),
        closeLabel: t('close'),
      })
    } finally {
      await refresh()
      setBusy(false)
    }
  }
  const decide = (to: ExtraState) =>
    run(() => callApi(decideExtra, { params, body: { to }, version, idempotencyKey: newIdempotencyKey() }))
  const name = extra.text ?? t(`history:extra.kind.${extra.kind}`)
  return (
    <>
      {isOpenExtra(extra.state) ? (
        <>
          <IconButton
            icon="check"
            isSmall
            disabled={isBusy}
            label={t('approve', { name })}
            onClick={() => void decide('approved')}
          />
          <IconButton
            icon="close"
            isSmall
            disabled={isBusy}
            label={t('refuse', { name })}
            onClick={() => void decide('refused')}
          />
          <IconButton
            icon="edit"
            isSmall
            disabled={isBusy}
            label={t('edit', { name })}
            onClick={() => onEdit(extra.id)}
          />
        </>
      ) : (
        <IconButton
          icon="undo"
          isSmall
          disabled={isBusy}
          label={t('reopen', { name })}
          onClick={() => void decide('open')}
        />
      )}
      {isApprovedExtra(extra.state) ? null : (
        <IconButton
          icon="trash"
          isSmall
          disabled={isBusy}
          label={t('remove', { name })}
          onClick={() => void run(() => callApi(removeExtra, { params, version }))}
        />
      )}
    </>
  )
}
