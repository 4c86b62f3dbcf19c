import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import {
  moveOrder,
  orderApi,
  undoOrderMove,
  type Order,
  type OrderRow,
  type StatusMove,
} from '@waybill/contract/order/order'
import { UNDO_SECONDS, type OrderMove } from '@waybill/contract/order/status'
import { Suspense, useLayoutEffect, useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useSession } from '../../../kit/session/session.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { notify } from '../../../ui/notices/notify.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { movesOfRow, showInLists } from './rows.ts'
import { OrderStatusBadge } from '../status/status-badge.tsx'
import classes from '../status/status-menu.module.css'
import { canceledLater, statusMenu, type PossibleMove } from '../status/status-moves.ts'

const StatusMoveModal = lateWindow(() => import('../status/status-move-modal.tsx').then((file) => file.StatusMoveModal))

/** The row whose status was touched, and the badge that was. */
export interface TouchedStatus {
  row: Pick<OrderRow, 'id' | 'number' | 'version' | 'state' | 'status'>
  badge: HTMLElement
}

type Asked = PossibleMove & Pick<Order, 'id' | 'version' | 'locations' | 'createdAt'> & Partial<Pick<Order, 'routes'>>

interface OrderRowStatusProps extends TouchedStatus {
  onClose: () => void
}

/**
 * Where an order may go, at its badge in the list: asks what the move needs, saves it over the version of the row,
 * and takes it back while its mails wait.
 */
export function OrderRowStatus({ row, badge, onClose }: OrderRowStatusProps) {
  const { t } = useTranslation(['order', 'order-list', 'order-bulk'])
  const queries = useQueryClient()
  const isAdmin = useSession()?.rights.isAdmin ?? false
  const errorText = useErrorText()
  const refusalWords = useRefusalWords()
  const [isOpen, setOpen] = useState(true)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const moves = movesOfRow(row, isAdmin)

  const close = () => {
    onClose()
    badge.focus({ preventScroll: true })
  }
  const sayFaster = () => {
    notify({
      tone: 'warn',
      title: t('order-bulk:faster', { number: row.number }),
      detail: t('order-bulk:fasterText'),
      closeLabel: t('close'),
    })
    void queries.invalidateQueries({ queryKey: [orderApi.path, 'list'] })
  }
  const undo = async (moved: Order) => {
    try {
      showInLists(queries, await callApi(undoOrderMove, { params: { id: moved.id }, version: moved.version }))
      notify({ tone: 'ok', title: t('move.undone', { number: moved.number }), closeLabel: t('close') })
    } catch (error) {
      if (hasCode(error, 'stale_version')) sayFaster()
      else notify({ tone: 'danger', title: t('move.notUndone'), detail: errorText(error), closeLabel: t('close') })
    }
  }
  const run = async (body: Pick<StatusMove, 'to'> & Partial<StatusMove>, isAsked: boolean): Promise<boolean> => {
    setBusy(true)
    setRefusals([])
    try {
      const moved = await callApi(moveOrder, {
        params: { id: row.id },
        body,
        version: row.version,
        idempotencyKey: newIdempotencyKey(),
      })
      showInLists(queries, moved)
      notify({
        tone: 'ok',
        icon: 'undo',
        title: t('move.done', { number: moved.number, status: t(`order-list:status.${body.to}`) }),
        detail: t('move.undoHint', { count: UNDO_SECONDS }),
        action: { label: t('move.undo'), onClick: () => void undo(moved) },
        closeLabel: t('close'),
        closesAfter: UNDO_SECONDS * 1000,
        // The last move alone can be taken back.
        id: 'order-moved',
      })
      close()
      return true
    } catch (error) {
      const words = refusalWords(error)
      setRefusals(words)
      setBusy(false)
      if (hasCode(error, 'stale_version')) sayFaster()
      else if (!isAsked)
        notify({ tone: 'danger', title: t('move.notMoved'), detail: words.join(' '), closeLabel: t('close') })
      if (!isAsked || hasCode(error, 'stale_version')) close()
      return false
    }
  }
  const choose = async (move: OrderMove) => {
    setOpen(false)
    const { id, version } = row
    if (move.kind === 'next' && move.asks === null) return run({ to: move.to }, false)
    try {
      // Its stops say which times are still to be told, and where those stand that a step back takes away; its routes,
      // whether there is a carrier to be told why.
      const order = await callApi(orderApi.get, { params: { id } })
      const { locations, routes, createdAt } = order
      if (move.kind !== 'next') return setAsked({ move, asks: null, id, version, locations, routes, createdAt })
      const possible = statusMenu(order, { isAdmin }).next.find((one) => one.move.to === move.to)
      if (possible === undefined || possible.asks === null) return run({ to: move.to }, false)
      return setAsked({ ...possible, id, version, locations, createdAt })
    } catch (error) {
      notify({ tone: 'danger', title: t('move.notMoved'), detail: errorText(error), closeLabel: t('close') })
      return close()
    }
  }
  const noteOf = ({ kind, asks, needsReason }: OrderMove) =>
    asks !== null
      ? t(`move.asks.${asks}`)
      : kind === 'back'
        ? t('move.asks.back')
        : needsReason
          ? t('move.asks.reason')
          : ''
  // What closes the menu does not close what lies below as well: the menu's own Escape comes too early for that.
  useShortcut({ key: 'Escape', label: t('close'), run: close }, isOpen)
  return (
    <>
      <Menu
        position="bottom-start"
        width={320}
        id={badge.id}
        returnFocus={false}
        closeOnEscape={false}
        opened={isOpen}
        onChange={(isStill) => (isStill ? undefined : setOpen(false))}
        onClose={close}
      >
        <Menu.Target>
          <AtBadge badge={badge} />
        </Menu.Target>
        <Menu.Dropdown>
          {moves.map((move) => (
            <Menu.Item
              key={move.to}
              closeMenuOnClick={false}
              onClick={() => void choose(move)}
              rightSection={<span className={classes.note}>{noteOf(move)}</span>}
            >
              <OrderStatusBadge status={move.to} />
            </Menu.Item>
          ))}
          {canceledLater(row.status, { isAdmin }).map(({ to, why }) => (
            <Menu.Item
              key={to}
              component="div"
              disabled
              className={classes.notYet}
              rightSection={
                <span className={classes.note}>
                  {'backTo' in why ? t('move.firstBack', { status: t(`order-list:status.${why.backTo}`) }) : ''}
                </span>
              }
            >
              <OrderStatusBadge status={to} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {asked === null ? null : (
          <StatusMoveModal
            order={asked}
            possible={asked}
            hasChanges={false}
            isBusy={isBusy}
            refusals={refusals}
            onClose={close}
            onMove={(body) => run(body, true)}
          />
        )}
      </Suspense>
    </>
  )
}

/**
 * Lends the menu a badge that stands elsewhere. Its id is that of the menu's target, by which Mantine names the menu.
 */
function AtBadge({ badge, ref }: { badge: HTMLElement; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref !== 'function') return undefined
    ref(badge)
    badge.setAttribute('aria-expanded', 'true')
    return () => {
      badge.setAttribute('aria-expanded', 'false')
      ref(null)
    }
  }, [badge, ref])
  return null
}
