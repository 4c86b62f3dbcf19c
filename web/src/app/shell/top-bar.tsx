import type { Profile } from '@waybill/contract/session'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { keysOf } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { KeyHint, Logo } from '../../ui/marks/marks.tsx'
import { AccountMenu } from './account/account-menu.tsx'
import { CompanyFilter } from './company-filter.tsx'
import classes from './top-bar.module.css'

interface TopBarProps {
  person: Profile
  onPalette: () => void
  onHelp: () => void
}

/** The bar at the top: search, what everything is narrowed to, help, one's own account; nothing else. */
export function TopBar({ person, onPalette, onHelp }: TopBarProps) {
  const { t } = useTranslation('shell')
  return (
    <header className={classes.bar}>
      <Link to="/" className={classes.brand}>
        <Logo />
        Waybill
      </Link>
      <button type="button" className={classes.search} aria-haspopup="dialog" onClick={onPalette}>
        <Icon name="search" />
        <span className={classes.words}>{t('palette.button')}</span>
        <span className={classes.desk} aria-hidden>
          <KeyHint>{keysOf({ key: 'k', mod: true }).join(' ')}</KeyHint>
        </span>
      </button>
      <span className={classes.gap} />
      {person.position?.isAdmin ? <CompanyFilter /> : null}
      <span className={classes.desk}>
        <IconButton icon="help" label={t('shortcuts.title')} onClick={onHelp} />
      </span>
      <AccountMenu person={person} />
    </header>
  )
}
