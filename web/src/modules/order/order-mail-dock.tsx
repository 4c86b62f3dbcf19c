import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import classes from './order-mail-dock.module.css'

const OrderMailPanel = lazy(() => import('./order-mail-panel.tsx').then((file) => ({ default: file.OrderMailPanel })))

/** The customer's mail beside the form, to type from; folded away at the edge of the screen. */
export function OrderMailDock() {
  const { t } = useTranslation('order')
  const [isOpen, setOpen] = useState(false)
  useShortcut({ key: 'm', alt: true, label: t('fields.originalMessage'), run: () => setOpen(!isOpen), isEverywhere: true })
  if (!isOpen)
    return (
      <button type="button" className={classes.tab} aria-expanded={false} onClick={() => setOpen(true)}>
        <Icon name="mail" size={13} /> {t('fields.originalMessage')}
      </button>
    )
  return (
    <Suspense>
      <OrderMailPanel onClose={() => setOpen(false)} />
    </Suspense>
  )
}
