import { useMantineColorScheme } from '@mantine/core'
import { LANGUAGES } from '@waybill/contract/errors'
import type { Profile } from '@waybill/contract/session'
import { getChanges, type Changes } from '@waybill/contract/operations/changes'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useChangePreferences, usePreferences } from '../../../kit/list/columns/preferences.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { currentLanguage } from '../../../kit/i18n/i18n.ts'
import { useDensity } from '../../../ui/page/density.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { Count } from '../../../ui/marks/marks.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import classes from './account-menu.module.css'
import { useSignOut } from '../use-sign-out.ts'
import { useSpeak } from '../use-speak.ts'

/** What is new, once somebody looks; `isUnseen` until they have, of this version. */
function useNews() {
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  const { data } = useQuery({
    queryKey: [getChanges.path],
    queryFn: ({ signal }) => callApi(getChanges, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return {
    changes: data,
    isUnseen: data !== undefined && preferences !== undefined && preferences.seenVersion !== data.version,
    markSeen: () => data && change({ seenVersion: data.version }),
  }
}

interface AccountChoicesProps {
  person: Profile
  onNews: (changes: Changes) => void
  onClose: () => void
}

/** What the menu of one's own account holds; fetched with the first touch of the page. */
export function AccountChoices({ person, onNews, onClose }: AccountChoicesProps) {
  const { t } = useTranslation('shell')
  const signOut = useSignOut()
  const speak = useSpeak()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  const news = useNews()
  return (
    <>
      <div className={classes.person}>
        <b>{person.fullName}</b>
        <span>{person.email}</span>
        {person.position === null ? null : <span>{person.position.title}</span>}
      </div>
      <div className={classes.choice}>
        <span>{t('account.language')}</span>
        <Segmented
          isSmall
          label={t('account.language')}
          value={currentLanguage()}
          onChange={speak}
          options={LANGUAGES.map((language) => ({
            value: language,
            label: language.toUpperCase(),
            title: LANGUAGE_NAMES[language],
          }))}
        />
      </div>
      <div className={classes.choice}>
        <span>{t('account.look')}</span>
        <Segmented
          isSmall
          label={t('account.look')}
          value={colorScheme}
          onChange={setColorScheme}
          options={[
            { value: 'auto', label: t('account.auto') },
            { value: 'light', label: t('account.light') },
            { value: 'dark', label: t('account.dark') },
          ]}
        />
      </div>
      <div className={classes.choice}>
        <span>{t('account.rows')}</span>
        <Segmented
          isSmall
          label={t('account.rows')}
          value={density}
          onChange={setDensity}
          options={[
            { value: 'compact', label: <Icon name="rows" />, title: t('account.compact') },
            { value: 'normal', label: <Icon name="menu" />, title: t('account.normal') },
          ]}
        />
      </div>
      <Link
        to="/profile/$id/edit"
        params={{ id: String(person.id) }}
        className={classes.entry}
        onClick={() => onClose()}
      >
        {t('palette.profile')}
      </Link>
      <button
        type="button"
        className={classes.entry}
        disabled={news.changes === undefined}
        onClick={() => {
          onClose()
          if (news.changes !== undefined) onNews(news.changes)
          if (news.isUnseen) news.markSeen()
        }}
      >
        {t('news.title')}
        {news.isUnseen ? (
          <span className={classes.unseen}>
            <Count>{t('news.unseen')}</Count>
          </span>
        ) : null}
      </button>
      <button
        type="button"
        className={classes.entry}
        onClick={() => {
          onClose()
          void signOut()
        }}
      >
        {t('account.signOut')}
      </button>
    </>
  )
}
