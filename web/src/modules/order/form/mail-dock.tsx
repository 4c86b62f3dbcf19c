import { lazy, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import classes from './mail-dock.module.css'

const OrderMailPanel = lazy(() => import('./mail-panel.tsx').then((file) => ({ default: file.OrderMailPanel })))

/** Whether the mail is open, for a page that opens it from elsewhere as well. */
export type MailControl = readonly [boolean, (isOpen: boolean) => void]

/** The customer's mail beside the form, to type from; folded away at the edge of the screen. */
export function OrderMailDock({ control, hasTab = true }: { control?: MailControl; hasTab?: boolean }) {
  const { t } = useTranslation('order')
  const own = useState(false)
  const [isOpen, setOpen] = control ?? own
  const tab = useRef<HTMLButtonElement>(null)
  const [cameFrom, setCameFrom] = useState<HTMLElement | null>(null)
  const open = () => setOpen(true)
  const close = () => {
    flushSync(() => setOpen(false))
    // The hand goes back to where it was, unless it is in the form already.
    if (document.activeElement === document.body)
      (cameFrom?.isConnected ? cameFrom : tab.current)?.focus({ preventScroll: true })
    setCameFrom(null)
  }
  useShortcut({ key: 'm', alt: true, label: t('fields.originalMessage'), run: open, isEverywhere: true }, !isOpen)
  if (!isOpen)
    return hasTab ? (
      <button ref={tab} type="button" className={classes.tab} aria-expanded={false} onClick={open}>
        <Icon name="mail" size={13} /> <span>{t('fields.originalMessage')}</span>
      </button>
    ) : null
  return (
    <Suspense>
      <OrderMailPanel onEnter={setCameFrom} onClose={close} />
    </Suspense>
  )
}
