import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFocusBack } from '../../ui/windows/focus-back.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Logo } from '../../ui/marks/marks.tsx'
import { MenuAnchor } from './menu-anchor.tsx'
import classes from './phone-drawer.module.css'
import { useMenuGroups } from './use-menu.ts'

/** All screens of a phone, in their groups. */
export function PhoneDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  const { t: tCommon } = useTranslation()
  const { groups, current } = useMenuGroups()
  const giveFocusBack = useFocusBack(isOpen)
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={giveFocusBack}
      returnFocus={false}
      position="right"
      size={288}
      closeButtonProps={{ 'aria-label': tCommon('close'), icon: <Icon name="close" /> }}
      classNames={{ title: classes.title, header: classes.header, body: classes.body, content: classes.content }}
      title={
        <>
          <Logo />
          Waybill
        </>
      }
    >
      {groups.map((group) => (
        <section key={group.name}>
          {group.name === 'work' ? null : (
            <h2>
              <button type="button" className={classes.heading} aria-expanded={!group.isFolded} onClick={group.toggle}>
                {t(`nav.${group.name}`)}
                <Icon name={group.isFolded ? 'chevronRight' : 'chevronDown'} />
              </button>
            </h2>
          )}
          <ul>
            {(group.isFolded ? group.links.filter((link) => link === current) : group.links).map((link) => (
              <li key={link.labelKey}>
                <MenuAnchor link={link} isCurrent={link === current} className={classes.item} onClick={onClose}>
                  <Icon name={link.icon} size={20} />
                  {t(link.labelKey)}
                </MenuAnchor>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Drawer>
  )
}
