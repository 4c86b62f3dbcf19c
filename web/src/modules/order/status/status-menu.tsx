import {
  moveOrder,
  moveRoute,
  undoOrderMove,
  type Order,
  type OrderRoute,
  type StatusMove,
} from '@waybill/contract/order/order'
import { UNDO_SECONDS } from '@waybill/contract/order/status'
import { Menu } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { Suspense, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useChanges } from '../../../kit/form/state/change-store.ts'
import { useErrorText, useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useSession } from '../../../kit/session/session.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import type { OrderForm } from '../values/order-form.ts'
import { OrderStatusBadge } from './status-badge.tsx'
import classes from './status-menu.module.css'
import { statusMenu, type PossibleMove } from './status-moves.ts'

const StatusMoveModal = lateWindow(() => import('./status-move-modal.tsx').then((file) => file.StatusMoveModal))

interface StatusMenuProps {
  form: OrderForm
  order: Order
  onMoved: () => void
  /** One of several routes, which moves by itself; else the order moves with all its routes */
  route?: OrderRoute
}

/** The order's status, and where it may go from here; what is not possible yet says why. */
export function StatusMenu({ form, order: whole, onMoved, route }: StatusMenuProps) {
  const order =
    route === undefined
      ? whole
      : {
          ...whole,
          status: route.status,
          routes: [route],
          pods: whole.pods.filter(({ routeId }) => routeId === route.id),
          locations: whole.locations.filter(({ routeId }) => routeId === route.id),
        }
  const { t } = useTranslation(['order', 'order-list'])
  useFetchOnTouch(StatusMoveModal.fetch)
  const session = useSession()
  const changes = useChanges(form)
  const errorText = useErrorText()
  const refusalWords = useRefusalWords()
  const fieldErrorText = useFieldErrorText()
  const { next, back, notYet } = statusMenu(order, { isAdmin: session?.rights.isAdmin ?? false })
  const { move: wanted } = useSearch({ strict: false }) as { move?: unknown }
  // Who comes to cancel finds the window that asks for the reason; nothing is moved by an address.
  const [asked, setAsked] = useState<PossibleMove | null>(
    () => (route === undefined && back.find(({ move }) => move.to === wanted && move.needsReason)) || null,
  )
  // While it is asked, the order may hear of what is asked for: of a POD that was on its way.
  const askedNow = asked && ([...next, ...back].find(({ move }) => move.to === asked.move.to) ?? asked)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])

  const undo = async (moved: Order) => {
    try {
      form.accept(await callApi(undoOrderMove, { params: { id: moved.id }, version: moved.version }))
      onMoved()
      notify({ tone: 'ok', title: t('move.undone', { number: moved.number }), closeLabel: t('close') })
    } catch (error) {
      if (!form.takeRefusal(error))
        notify({ tone: 'danger', title: t('move.notUndone'), detail: errorText(error), closeLabel: t('close') })
    }
  }
  const run = async (body: Pick<StatusMove, 'to'> & Partial<StatusMove>): Promise<boolean> => {
    setBusy(true)
    setRefusals([])
    try {
      // The move is made on what is seen: what is typed is saved before.
      const saved = form.changes().length > 0 ? await form.save(true) : whole
      if (saved === null) {
        setAsked(null)
        return false
      }
      const call = { body, version: saved.version, idempotencyKey: newIdempotencyKey() }
      const moved = await (route === undefined
        ? callApi(moveOrder, { params: { id: saved.id }, ...call })
        : callApi(moveRoute, { params: { id: route.id }, ...call }))
      form.accept(moved)
      setAsked(null)
      onMoved()
      notify({
        tone: 'ok',
        icon: 'undo',
        title: t('move.done', { number: route?.number ?? moved.number, status: t(`order-list:status.${body.to}`) }),
        detail: t('move.undoHint', { count: UNDO_SECONDS }),
        action: { label: t('move.undo'), onClick: () => void undo(moved) },
        closeLabel: t('close'),
        closesAfter: UNDO_SECONDS * 1000,
        // The last move alone can be taken back.
        id: 'order-moved',
      })
      return true
    } catch (error) {
      if (hasCode(error, 'stale_version')) {
        setAsked(null)
        form.takeRefusal(error)
      } else {
        const words = refusalWords(error)
        if (asked === null)
          notify({ tone: 'danger', title: t('move.notMoved'), detail: words.join(' '), closeLabel: t('close') })
        setRefusals(words)
      }
      return false
    } finally {
      setBusy(false)
    }
  }
  const choose = (possible: PossibleMove) => {
    setRefusals([])
    if (possible.asks !== null || possible.move.needsReason) setAsked(possible)
    else void run({ to: possible.move.to })
  }
  const isEmpty = next.length + back.length + notYet.length === 0
  const button = useRef<HTMLButtonElement>(null)
  const open = () => {
    button.current?.focus()
    button.current?.click()
  }
  useShortcut({ key: 's', alt: true, label: t('keys.status'), run: open }, route === undefined && !isEmpty)
  const entry = (possible: PossibleMove) => (
    <Menu.Item
      key={possible.move.to}
      onClick={() => choose(possible)}
      rightSection={<span className={classes.note}>{noteOf(possible)}</span>}
    >
      <OrderStatusBadge status={possible.move.to} />
    </Menu.Item>
  )
  const noteOf = ({ move, asks }: PossibleMove): string => {
    if (asks !== null) return t(`move.asks.${asks}`)
    if (move.kind === 'back') return t('move.asks.back')
    if (move.needsReason) return t('move.asks.reason')
    return ''
  }
  const label = t('move.label', { status: t(`order-list:status.${order.status}`) })
  return (
    <>
      <Menu position="bottom-start" width={340} disabled={isEmpty}>
        <Menu.Target>
          <button
            ref={button}
            type="button"
            className={classes.button}
            disabled={isEmpty}
            aria-label={route === undefined ? label : `${route.number}, ${label}`}
          >
            <OrderStatusBadge status={order.status} isBig={route === undefined} />
            {isEmpty ? null : <Icon name="chevronDown" size={13} className={classes.chevron} />}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Group label={t('move.next')}>{next.map(entry)}</Group>
          <Group label={t('move.backAndOut')}>{back.map(entry)}</Group>
          <Group label={t('move.notYet')}>
            {notYet.map(({ to, why }) => (
              <Menu.Item
                key={to}
                component="div"
                disabled
                className={classes.notYet}
                rightSection={
                  <span className={classes.note}>
                    {'need' in why
                      ? fieldErrorText(why.need)
                      : 'backTo' in why
                        ? t('move.firstBack', { status: t(`order-list:status.${why.backTo}`) })
                        : t('move.first', { status: t(`order-list:status.${why.first}`) })}
                  </span>
                }
              >
                <OrderStatusBadge status={to} />
              </Menu.Item>
            ))}
          </Group>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {askedNow === null ? null : (
          <StatusMoveModal
            order={order}
            possible={askedNow}
            routeId={route?.id}
            hasChanges={changes.length > 0}
            isBusy={isBusy}
            refusals={refusals}
            onClose={() => setAsked(null)}
            onMove={run}
          />
        )}
      </Suspense>
    </>
  )
}

/** A part of the menu with its name; nothing where it has no entries. */
function Group({ label, children }: { label: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <div role="group" aria-label={label}>
      <Menu.Label role="presentation">{label}</Menu.Label>
      {children}
    </div>
  )
}
