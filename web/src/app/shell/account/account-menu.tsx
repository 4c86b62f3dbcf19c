import { Popover } from '@mantine/core'
import type { Changes } from '@waybill/contract/operations/changes'
import type { Profile } from '@waybill/contract/session'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../../../ui/marks/marks.tsx'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { latePanel, lateWindow } from '../../../ui/windows/late-window.tsx'
import classes from './account-menu.module.css'

const AccountChoices = latePanel(() => import('./account-choices.tsx').then((module) => module.AccountChoices))
const WhatsNew = lateWindow(() => import('./whats-new.tsx').then((module) => module.WhatsNew))

/** One's own account: language, look, row height, what is new, signing out. */
export function AccountMenu({ person }: { person: Profile }) {
  const { t } = useTranslation('shell')
  const [isOpen, setOpen] = useState(false)
  // Once opened it stays, closed, so that the focus finds back.
  const [news, setNews] = useState<{ changes: Changes; isOpen: boolean } | null>(null)
  useFetchOnTouch(AccountChoices.fetch)

  return (
    <>
      <Popover position="bottom-end" width={292} opened={isOpen} onChange={setOpen} trapFocus returnFocus>
        <Popover.Target>
          <button
            type="button"
            className={classes.target}
            aria-label={t('account.label', { name: person.fullName })}
            onClick={() => setOpen(!isOpen)}
          >
            <Avatar name={person.fullName} isDecoration />
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('account.label', { name: person.fullName })}>
          <AccountChoices
            person={person}
            onNews={(changes) => setNews({ changes, isOpen: true })}
            onClose={() => setOpen(false)}
          />
        </Popover.Dropdown>
      </Popover>
      {news === null ? null : (
        <WhatsNew changes={news.changes} isOpen={news.isOpen} onClose={() => setNews({ ...news, isOpen: false })} />
      )}
    </>
  )
}
