import { Button } from '@mantine/core'
import { endOtherSessions, endSession, listSessions, type OwnSession } from '@waybill/contract/session'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { signOut } from '../../kit/session/session.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { Mark } from '../../ui/marks/marks.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { deviceOf } from './device.ts'
import classes from './session-list.module.css'

const WORDS = {
  one: { title: 'sessions.endTitle', confirm: 'sessions.end', text: 'sessions.endText' },
  others: { title: 'sessions.endOthersTitle', confirm: 'sessions.endOthers', text: 'sessions.endText' },
  all: { title: 'sessions.everywhereTitle', confirm: 'sessions.everywhere', text: 'sessions.everywhereText' },
} as const

export const SESSIONS_KEY = ['profile', 'sessions']

/** Where one is signed in; each of the others can be ended. */
export function SessionList() {
  const { t } = useTranslation('profile')
  const errorText = useErrorText()
  const queries = useQueryClient()
  const router = useRouter()
  const { data, error, refetch } = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => callApi(listSessions, { signal }),
    meta: { showsRefusals: true },
  })
  const [ending, setEnding] = useState<OwnSession | 'others' | 'all' | null>(null)
  const [isBusy, setBusy] = useState(false)

  const end = async () => {
    if (ending === null) return
    setBusy(true)
    try {
      if (ending === 'all') return await signOutEverywhere()
      if (ending === 'others') await callApi(endOtherSessions)
      else await callApi(endSession, { params: { id: ending.id } })
    } catch (refused) {
      notify({ tone: 'danger', title: t('sessions.notEnded'), detail: errorText(refused), closeLabel: t('close') })
    }
    setBusy(false)
    setEnding(null)
    await queries.invalidateQueries({ queryKey: SESSIONS_KEY })
  }

  const signOutEverywhere = async () => {
    await callApi(endOtherSessions)
    // First away from the screen, so that a form can still ask.
    await router.navigate({ to: '/auth/login' })
    if (router.state.location.pathname === '/auth/login') await signOut()
  }

  const others = data?.items.filter(({ isCurrent }) => !isCurrent) ?? []
  const words = WORDS[typeof ending === 'string' ? ending : 'one']
  return (
    <Section
      title={t('sections.sessions')}
      isFlush
      actions={
        <>
          {others.length > 1 ? (
            <Button size="compact-sm" onClick={() => setEnding('others')}>
              {t('sessions.endOthers')}
            </Button>
          ) : null}
          {others.length > 0 ? (
            <Button size="compact-sm" onClick={() => setEnding('all')}>
              {t('sessions.everywhere')}
            </Button>
          ) : null}
        </>
      }
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined && !error ? <SkeletonLines lines={3} label={t('sections.sessions')} /> : null}
      <ul className={classes.list}>
        {data?.items.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      <ConfirmModal
        isOpen={ending !== null}
        withInfoIcon
        title={t(words.title)}
        confirmLabel={t(words.confirm)}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={isBusy}
        onCancel={() => setEnding(null)}
        onConfirm={() => void end()}
      >
        {t(words.text)}
      </ConfirmModal>
    </Section>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { t } = useTranslation('profile')
  const format = useFormat()
  const { browser, system } = deviceOf(session.userAgent)
  const device =
    browser !== null && system !== null
      ? t('sessions.browserOn', { browser, system })
      : (browser ?? system ?? t('sessions.unknownDevice'))
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <b>
          {device} {session.isCurrent ? <Mark>{t('sessions.current')}</Mark> : null}
        </b>
        <span>
          {t('sessions.since', { time: format.dateTime(session.createdAt) })}
          {session.lastAddress === null ? null : ` · ${t('sessions.from', { address: session.lastAddress })}`}
          {session.isCurrent ? null : (
            <span title={format.dateTime(session.lastUsedAt)}>
              {' · '}
              {t('sessions.lastUsed', { time: format.ago(session.lastUsedAt) })}
            </span>
          )}
        </span>
      </div>
      {session.isCurrent ? null : (
        <Button size="compact-sm" aria-label={t('sessions.endOne', { device })} onClick={onEnd}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
