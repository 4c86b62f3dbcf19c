import { EMAIL_TYPES, type EmailType } from '@waybill/contract/email'
import { hindranceOf, needsRoute, routesForMail } from '@waybill/contract/order/papers/mails'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import type { OrderForm } from '../values/order-form.ts'
import classes from './new-mail.module.css'

interface NewMailWindowProps {
  form: OrderForm
  order: Order
  onClose: () => void
}

/** The keys of a list: up and down go through it, also past what cannot be. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const all = [...event.currentTarget.querySelectorAll('button')]
  const at = all.indexOf(document.activeElement as HTMLButtonElement)
  event.preventDefault()
  all[(at + step + all.length) % all.length]?.focus()
}

/** What was chosen is gone with its list: without this the keys would go nowhere. */
function takeFocusIn(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
}

/** Which mail it shall be and, where there are several, about which route; then its page. */
export function NewMailWindow({ form, order, onClose }: NewMailWindowProps) {
  const { t } = useTranslation('email-write')
  const navigate = useNavigate()
  const [type, setType] = useState<EmailType | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isUnsaved, setUnsaved] = useState(() => form.changes().length > 0)
  const write = (chosen: EmailType, route: number | null) => {
    onClose()
    void navigate({
      to: `/orders/${order.id}/edit/${chosen}` as string,
      search: (route === null ? {} : { route }) as never,
    })
  }
  const choose = (chosen: EmailType) => {
    const routes = routesForMail(chosen, order)
    if (needsRoute(chosen) && routes.length > 1) setType(chosen)
    else write(chosen, needsRoute(chosen) ? routes[0]!.id : null)
  }
  const saveFirst = async () => {
    setBusy(true)
    const saved = await form.save(true)
    setBusy(false)
    // What is wrong with it is told by the form.
    if (saved === null) onClose()
    else setUnsaved(false)
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      onSubmit={() => {
        if (isUnsaved) void saveFirst()
      }}
      title={type === null ? t('which') : t('whichRoute')}
      closeLabel={t('close')}
      footer={
        <>
          {type === null ? null : <Button onClick={() => setType(null)}>{t('back')}</Button>}
          <Button onClick={onClose}>{t('cancel')}</Button>
          {isUnsaved ? (
            <Button type="submit" variant="filled" loading={isBusy} data-autofocus>
              {t('saveFirst')}
            </Button>
          ) : null}
        </>
      }
    >
      {isUnsaved ? (
        <Notice tone="warn">{t('unsaved')}</Notice>
      ) : type === null ? (
        <Types order={order} onChoose={choose} />
      ) : (
        <Routes order={order} type={type} onChoose={(route) => write(type, route)} />
      )}
    </ModalFrame>
  )
}

function Types({ order, onChoose }: { order: Order; onChoose: (type: EmailType) => void }) {
  const { t } = useTranslation('email')
  const fieldErrorText = useFieldErrorText()
  const first = EMAIL_TYPES.find((type) => hindranceOf(type, order) === null)
  return (
    <div ref={takeFocusIn} className={classes.choices} role="group" onKeyDown={walk}>
      {EMAIL_TYPES.map((type) => {
        const hindrance = hindranceOf(type, order)
        return (
          <button
            key={type}
            type="button"
            className={classes.choice}
            // It stays in the way of the keys, so that its reason is read.
            aria-disabled={hindrance !== null}
            data-autofocus={type === first || undefined}
            onClick={() => {
              if (hindrance === null) onChoose(type)
            }}
          >
            {t(`types.${type}`)}
            {hindrance === null ? null : <small>{fieldErrorText(hindrance)}</small>}
          </button>
        )
      })}
    </div>
  )
}

interface RoutesProps {
  order: Order
  type: EmailType
  onChoose: (routeId: number) => void
}

function Routes({ order, type, onChoose }: RoutesProps) {
  const townOf = (id: number | undefined) => order.locations.find((stop) => stop.id === id)?.city
  const lane = ({ locationIds }: OrderRoute) =>
    [townOf(locationIds[0]), townOf(locationIds.at(-1))].filter(Boolean).join(' – ')
  return (
    <div ref={takeFocusIn} className={classes.choices} role="group" onKeyDown={walk}>
      {routesForMail(type, order).map((route, index) => (
        <button
          key={route.id}
          type="button"
          className={classes.choice}
          data-autofocus={index === 0 || undefined}
          onClick={() => onChoose(route.id)}
        >
          {[route.number, lane(route)].filter(Boolean).join(' · ')}
          <small>{route.assignment?.carrierCompany?.title ?? ''}</small>
        </button>
      ))}
    </div>
  )
}
