import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { MenuAnchor } from './menu-anchor.tsx'
import classes from './phone-tabs.module.css'
import { useMenu } from './use-menu.ts'

/** The navigation of a phone: three screens and the rest, within the thumb's reach. */
export function PhoneTabs() {
  const { t } = useTranslation('shell')
  const { links, current } = useMenu()
  const tabs = links.filter((link) => link.isTab).slice(0, 3)
  const others = links.filter((link) => !tabs.includes(link))
  if (links.length === 0) return null
  return (
    <nav className={classes.tabs} aria-label={t('nav.phoneLabel')}>
      {tabs.map((link) => (
        <MenuAnchor key={link.labelKey} link={link} isCurrent={link === current} className={classes.tab}>
          <Icon name={link.icon} size={20} />
          {t(link.labelKey)}
        </MenuAnchor>
      ))}
      {others.length === 0 ? null : (
        <Menu position="top-end" width={240}>
          <Menu.Target>
            <button type="button" className={classes.tab} data-current={(current !== null && others.includes(current)) || undefined}>
              <Icon name="menu" size={20} />
              {t('nav.more')}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((link) => (
              <Menu.Item key={link.labelKey} leftSection={<Icon name={link.icon} />} renderRoot={(props) => <MenuAnchor link={link} isCurrent={link === current} {...props} />}>
                {t(link.labelKey)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  )
}
