import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/marks/icon.tsx'
import { KeyHint, Logo } from '../../ui/marks/marks.tsx'
import type { MenuLink } from '../guards.ts'
import { MenuAnchor } from './menu-anchor.tsx'
import classes from './nav-bar.module.css'
import { useMenuGroups } from './use-menu.ts'

interface NavBarProps {
  isFolded: boolean
  onToggle: () => void
}

/** The navigation at the left: the screens that this person may open. */
export function NavBar({ isFolded, onToggle }: NavBarProps) {
  const { t } = useTranslation('shell')
  const { groups, current } = useMenuGroups()
  return (
    <nav className={classes.nav} aria-label={t('nav.label')} data-folded={isFolded || undefined}>
      <Link to="/" className={classes.brand} aria-label="Waybill">
        <Logo />
        <span className={classes.words}>Waybill</span>
      </Link>
      <div className={classes.groups}>
        {groups.map((group) => {
          const shown = group.isFolded && !isFolded ? group.links.filter((link) => link === current) : group.links
          return (
            <Fragment key={group.name}>
              {group.name === 'work' ? null : (
                <h2 className={classes.heading}>
                  <button type="button" className={classes.fold} aria-expanded={!group.isFolded} onClick={group.toggle}>
                    {t(`nav.${group.name}`)}
                    <Icon name={group.isFolded ? 'chevronRight' : 'chevronDown'} size={13} />
                  </button>
                </h2>
              )}
              <ul className={classes.list}>
                {shown.map((link) => (
                  <li key={link.labelKey}>
                    <NavLink link={link} isCurrent={link === current} isFolded={isFolded} />
                  </li>
                ))}
              </ul>
            </Fragment>
          )
        })}
      </div>
      <div className={classes.end}>
        <button
          type="button"
          className={classes.item}
          aria-expanded={!isFolded}
          aria-label={isFolded ? t('nav.expand') : t('nav.collapse')}
          title={isFolded ? t('nav.expand') : undefined}
          onClick={onToggle}
        >
          <Icon name="panel" />
          <span className={classes.words}>{t('nav.collapse')}</span>
          <span className={`${classes.words} ${classes.key}`}>
            <KeyHint>[</KeyHint>
          </span>
        </button>
      </div>
    </nav>
  )
}

function NavLink({ link, isCurrent, isFolded }: { link: MenuLink; isCurrent: boolean; isFolded: boolean }) {
  const { t } = useTranslation('shell')
  const label = t(link.labelKey)
  return (
    <MenuAnchor
      link={link}
      isCurrent={isCurrent}
      className={classes.item}
      aria-label={label}
      title={isFolded ? label : undefined}
    >
      <Icon name={link.icon} />
      <span className={classes.words}>{label}</span>
    </MenuAnchor>
  )
}
