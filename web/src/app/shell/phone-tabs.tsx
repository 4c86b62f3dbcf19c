import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/marks/icon.tsx'
import { MenuAnchor } from './menu-anchor.tsx'
import classes from './phone-tabs.module.css'
import { useMenu } from './use-menu.ts'

const PhoneDrawer = lazy(() => import('./phone-drawer.tsx').then((module) => ({ default: module.PhoneDrawer })))

/** The navigation of a phone: three screens and the drawer with all of them, within the thumb's reach. */
export function PhoneTabs() {
  const { t } = useTranslation('shell')
  const { links, current } = useMenu()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const tabs = links.filter((link) => link.isTab).slice(0, 3)
  const open = () => {
    setWasOpened(true)
    setOpen(true)
  }
  if (links.length === 0) return null
  return (
    <nav className={classes.tabs} aria-label={t('nav.phoneLabel')}>
      {tabs.map((link) => (
        <MenuAnchor key={link.labelKey} link={link} isCurrent={link === current} className={classes.tab}>
          <Icon name={link.icon} size={20} />
          {t(link.labelKey)}
        </MenuAnchor>
      ))}
      {links.length === tabs.length ? null : (
        <button
          type="button"
          className={classes.tab}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          data-current={(current !== null && !tabs.includes(current)) || undefined}
          onClick={open}
        >
          <Icon name="menu" size={20} />
          {t('nav.more')}
        </button>
      )}
      {wasOpened ? (
        <Suspense>
          <PhoneDrawer isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </nav>
  )
}
