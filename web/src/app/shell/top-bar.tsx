import type { Profile } from '@waybill/contract/session'
import { Link, useRouter } from '@tanstack/react-router'
import { useRef, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut, keysOf } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { KeyHint, Logo } from '../../ui/marks.tsx'
import { searchedScreen } from '../guards.ts'
import { AccountMenu } from './account-menu.tsx'
import classes from './top-bar.module.css'

/** The bar at the top: search, help, one's own account; nothing else. */
export function TopBar({ person, onHelp }: { person: Profile; onHelp: () => void }) {
  const { t } = useTranslation('shell')
  const router = useRouter()
  const searched = searchedScreen(router.routeTree)
  return (
    <header className={classes.bar}>
      <Link to="/" className={classes.brand}>
        <Logo />
        Waybill
      </Link>
      {searched === null ? null : <Search to={searched} />}
      <span className={classes.gap} />
      {searched === null ? null : (
        // A phone has no room for a second field: the list has its own.
        <Link to={searched} className={classes.phoneSearch} aria-label={t('search.label')}>
          <Icon name="search" />
        </Link>
      )}
      <span className={classes.desk}>
        <IconButton icon="help" label={t('shortcuts.title')} onClick={onHelp} />
      </span>
      <AccountMenu person={person} />
    </header>
  )
}

/** Asks the list of orders from every screen. */
function Search({ to }: { to: string }) {
  const { t } = useTranslation('shell')
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    void router.navigate({ to, search: { q: text.trim() } as never }).then(() => setText(''))
  }
  useShortcut({ key: 'k', mod: true, label: t('search.label'), run: () => input.current?.focus() })
  return (
    <form role="search" className={classes.search} onSubmit={find}>
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        enterKeyHint="search"
        aria-label={t('search.label')}
        placeholder={t('search.placeholder')}
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          setText('')
          event.currentTarget.blur()
        }}
      />
      <span className={classes.desk} aria-hidden>
        <KeyHint>{keysOf({ key: 'k', mod: true }).join(' ')}</KeyHint>
      </span>
    </form>
  )
}
