import { Button, Menu } from '@mantine/core'
import type { FormErrorCode } from '@waybill/contract/errors'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MOST_IDS } from '@waybill/contract/kit/paging'
import { listObstacles, moveOrder, orderApi, type Order } from '@waybill/contract/order/order'
import type { OrderMove, OrderStatus } from '@waybill/contract/order/status'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { ExportMenu } from '../../../kit/list/page/export-menu.tsx'
import type { RowSelection } from '../../../kit/list/page/row-selection.ts'
import type { List } from '../../../kit/list/page/use-list.ts'
import { useSession } from '../../../kit/session/session.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { MergeOrdersAction } from '../merge/merge-orders-action.tsx'
import classes from './bulk.module.css'
import type { BulkDeed, BulkGiven, Refused } from './bulk-modal.tsx'
import { movesOfRow, seenIn, showInLists, type ListedOrder } from './rows.ts'
import { OrderStatusBadge } from '../status/status-badge.tsx'

const OrderBulkModal = lateWindow(() => import('./bulk-modal.tsx').then((file) => file.OrderBulkModal))

const isSameWay = (one: OrderMove, other: OrderMove): boolean => one.to === other.to && one.kind === other.kind

/** In as many calls as the ids need. */
async function readObstacles(rows: readonly ListedOrder[], to: OrderStatus, signal: AbortSignal) {
  const found: { id: number; needs: string[] }[] = []
  for (let from = 0; from < rows.length; from += MOST_IDS) {
    const id = rows.slice(from, from + MOST_IDS).map((row) => row.id)
    found.push(...(await callApi(listObstacles, { query: { id, to }, signal })).items)
  }
  return found
}

/**
 * Merges, moves, hands over or takes out all orders that are chosen in the list; what could not be done is told order
 * by order, and stays chosen.
 */
export function OrderBulkActions({
  selection,
  list,
}: {
  selection: RowSelection<ListedOrder>
  list: List<ListedOrder>
}) {
  const { t } = useTranslation(['order-bulk', 'order-columns'])
  useFetchOnTouch(OrderBulkModal.fetch)
  const queries = useQueryClient()
  const isAdmin = useSession()?.rights.isAdmin ?? false
  const refusalWords = useRefusalWords()
  const fieldErrorText = useFieldErrorText()
  const [deed, setDeed] = useState<BulkDeed | null>(null)
  const [done, setDone] = useState<number | null>(null)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  // What a refusal said that an order has become; rows of other pages are not read again by themselves.
  const [told, setTold] = useState<ReadonlyMap<number, Order>>(new Map())

  const rows = selection.rows.map((row) => {
    const order = told.get(row.id)
    return order !== undefined && order.version > row.version ? { ...row, ...seenIn(order) } : row
  })
  const mayGo = (row: ListedOrder, move: OrderMove) => movesOfRow(row, isAdmin).some((one) => isSameWay(one, move))
  const moves = rows
    .flatMap((row) => movesOfRow(row, isAdmin))
    .filter((move, place, all) => all.findIndex((one) => isSameWay(one, move)) === place)
  const move = deed?.kind === 'move' ? deed.move : null
  const possible = move === null ? rows : rows.filter((row) => mayGo(row, move))
  // Asked when the dialog opens: what it promises is what can be done. While it runs, the answers come one by one.
  const obstacles = useQuery({
    queryKey: [orderApi.path, 'obstacles', move?.to, possible.map(({ id }) => id)],
    queryFn: ({ signal }) => readObstacles(possible, move!.to, signal),
    enabled: move !== null && possible.length > 0 && done === null,
    gcTime: 0,
    meta: { showsRefusals: true },
  })
  const isKnown = move === null || possible.length === 0 || obstacles.data !== undefined || obstacles.error !== null
  const blocked = (move === null ? [] : (obstacles.data ?? [])).flatMap(({ id, needs }): Refused[] => {
    const order = possible.find((row) => row.id === id)
    const why = needs.map((need) => fieldErrorText(need as FormErrorCode)).join(' ')
    return order === undefined ? [] : [{ order, why }]
  })
  const fits = possible.filter(({ id }) => !blocked.some(({ order }) => order.id === id))

  // One after the other: each is a save of its own with the version that was seen, so that nothing of another
  // person's is overwritten.
  const run = async (change: (row: ListedOrder) => Promise<Order>) => {
    const stayed: Refused[] = []
    const current = new Map(told)
    setRefused([])
    for (const [place, order] of fits.entries()) {
      setDone(place)
      try {
        showInLists(queries, await change(order))
      } catch (error) {
        if (hasCode(error, 'stale_version')) current.set(order.id, error.extra.current as Order)
        stayed.push({ order, why: refusalWords(error).join(' ') })
      }
    }
    const changed = fits.filter(({ id }) => !stayed.some(({ order }) => order.id === id))
    setDone(null)
    setTold(current)
    setRefused(stayed)
    selection.choose(new Set(rows.flatMap(({ id }) => (changed.some((row) => row.id === id) ? [] : [id]))))
    if (changed.length > 0) notify({ tone: 'ok', title: t('done', { count: changed.length }), closeLabel: t('close') })
    if (stayed.length === 0) setDeed(null)
  }
  const submit = ({ caseWorkerId, disposition, ...given }: BulkGiven) => {
    if (deed?.kind === 'disposition')
      void run(({ id, version }) =>
        callApi(orderApi.patch, { params: { id }, body: { disposition: disposition ?? null }, version }),
      )
    if (deed?.kind === 'caseWorker')
      void run(({ id, version }) =>
        callApi(orderApi.patch, { params: { id }, body: { caseWorkerId: caseWorkerId! }, version }),
      )
    if (deed?.kind === 'move')
      void run(({ id, version }) =>
        callApi(moveOrder, {
          params: { id },
          body: { to: deed.move.to, ...given },
          version,
          idempotencyKey: newIdempotencyKey(),
        }),
      )
  }
  const begin = (next: BulkDeed) => {
    setRefused([])
    setDeed(next)
  }
  const entries = (isNext: boolean) =>
    moves
      .filter(({ kind }) => (kind === 'next') === isNext)
      .map((move) => {
        const part = rows.filter((row) => mayGo(row, move)).length
        return (
          <Menu.Item
            key={`${move.kind} ${move.to}`}
            onClick={() => begin({ kind: 'move', move })}
            rightSection={
              part === rows.length ? null : (
                <span className={classes.some}>{t('some', { part, all: rows.length })}</span>
              )
            }
          >
            <OrderStatusBadge status={move.to} />
          </Menu.Item>
        )
      })
  const groups = [
    { label: t('next'), items: entries(true) },
    { label: t('backAndOut'), items: entries(false) },
  ].filter(({ items }) => items.length > 0)
  return (
    <>
      <MergeOrdersAction selection={selection} />
      <Menu position="top-start" width={250}>
        <Menu.Target>
          <Button
            size="compact-sm"
            rightSection={<Icon name="chevronDown" size={13} />}
            disabled={moves.length === 0}
            title={moves.length === 0 ? t('noMoves') : undefined}
          >
            {t('order-columns:column.status')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {groups.map(({ label, items }) => (
            <div key={label} role="group" aria-label={label}>
              <Menu.Label role="presentation">{label}</Menu.Label>
              {items}
            </div>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button size="compact-sm" leftSection={<Icon name="user" />} onClick={() => begin({ kind: 'caseWorker' })}>
        {t('order-columns:column.caseWorker')}
      </Button>
      <Button size="compact-sm" onClick={() => begin({ kind: 'disposition' })}>
        {t('disposition')}
      </Button>
      <ExportMenu
        exportAs={(format) =>
          list.exportAs(
            format,
            rows.map(({ id }) => id),
          )
        }
        part={{
          words: t('export'),
          whyNot: rows.length > MOST_IDS ? fieldErrorText('too_many', { max: MOST_IDS }) : undefined,
        }}
      />
      <Suspense>
        {deed === null ? null : (
          <OrderBulkModal
            deed={deed}
            count={fits.length}
            left={rows.filter((row) => !possible.includes(row))}
            blocked={isKnown ? blocked : null}
            done={done}
            refused={refused}
            onSubmit={submit}
            onClose={() => (done === null ? setDeed(null) : undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
