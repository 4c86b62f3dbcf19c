import { isEmptied, type AuditEntry } from '@waybill/contract/audit/audit-entry'
import type { EmailType } from '@waybill/contract/email'
import { Button } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import type { RecordHistory } from '../../kit/form/page/form-page.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Avatar } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { useHistory, useHistoryRail, type HistoryOwner as Owner, type HistoryWords } from './history-list-section.ts'
import { historyLines } from './history-lines.ts'
import { RailFrame } from './rail-section.tsx'
import look from '../../ui/page/entries.module.css'
import classes from './history-section.module.css'

const MOST_LINES = 6

interface RailProps extends HistoryWords {
  owner: Owner
  onHide: () => void
  /** How far below the window's top it may begin: under the form's own header, px */
  top?: number
}

/** The history of a form's record, as the form's page shows it; its id is null for one that is still to be made. */
export function useRecordHistory(
  owner: Readonly<Record<string, number | null>>,
  words: HistoryWords,
  roomFrom?: number,
): RecordHistory {
  const { t } = useTranslation('history')
  const { isOpen, toggle } = useHistoryRail(roomFrom)
  const isStored = Object.values(owner).every((id) => id !== null)
  const [newest] = useHistory(owner as Owner, isStored).data?.pages[0]?.items ?? []
  return {
    button: isStored ? <IconButton icon="history" label={t('title')} aria-pressed={isOpen} onClick={toggle} /> : null,
    rail: isStored && isOpen ? <HistoryRail owner={owner as Owner} onHide={toggle} {...words} /> : null,
    newestBy: newest?.actor?.title ?? null,
  }
}

/** A record's history beside its form; below it where the window is narrow. */
export function HistoryRail({ owner, onHide, top, ...words }: RailProps) {
  const { t } = useTranslation('history')
  return (
    <RailFrame label={t('title')} top={top}>
      <div className={classes.railHead}>
        <h2>{t('title')}</h2>
        <IconButton icon="panelRight" isSmall label={t('hide')} onClick={onHide} />
      </div>
      <div className={classes.railBody} tabIndex={0} role="group" aria-label={t('title')}>
        <HistoryEntries owner={owner} {...words} />
      </div>
    </RailFrame>
  )
}

/** One stream, the newest first, in words; loaded on as one scrolls. */
export function HistoryEntries({ owner, ...words }: { owner: Owner } & HistoryWords) {
  const { t } = useTranslation('history')
  const errorText = useErrorText()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useHistory(owner)
  const { ref, entry } = useIntersection<HTMLButtonElement>()
  const isEndSeen = entry?.isIntersecting ?? false
  const loadOn = useEffectEvent(() => void fetchNextPage())
  const isDue = isEndSeen && hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isDue) loadOn()
  }, [isDue])
  if (error && data === undefined) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={6} label={t('loading')} />
  const entries = data.pages.flatMap(({ items }) => items)
  return (
    <>
      <ol className={look.entries} aria-label={t('title')}>
        {entries.map((one) => (
          <Entry key={one.id} entry={one} {...words} />
        ))}
      </ol>
      {isFetchNextPageError ? (
        <p className={`${look.end} ${classes.end}`} role="alert">
          {errorText(error)}
        </p>
      ) : null}
      {hasNextPage ? (
        <Button
          ref={ref}
          size="compact-sm"
          variant="subtle"
          className={look.more}
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('older')}
        </Button>
      ) : (
        <p className={`${look.end} ${classes.end}`}>{t(entries.length === 0 ? 'none' : 'entire')}</p>
      )}
    </>
  )
}

const nobodys = () => false
const placeless = () => null

function Entry({
  entry,
  labelOf,
  wordsOf,
  isDerived = nobodys,
  placeOf = placeless,
}: { entry: AuditEntry } & HistoryWords) {
  const { t } = useTranslation('history')
  const format = useFormat()
  const name = entry.actor?.title ?? t('system')
  const mailType = typeOfStopped(entry)
  const thing = mailType === null ? thingIn(entry) : <MailTypeName type={mailType} />
  const said = (path: string, value: unknown) => (isEmptied(value) ? t('emptied') : wordsOf(path, value))
  const isForgotten = entry.changes.some(({ from, to }) => isEmptied(from) || isEmptied(to))
  const lines = thing !== null ? [] : historyLines(entry.changes, { isDerived, placeOf })
  return (
    <li className={look.entry}>
      {entry.actor === null ? (
        <span className={classes.icon}>
          <Icon name="gear" size={13} />
        </span>
      ) : (
        <Avatar name={name} size={20} isDecoration />
      )}
      <div className={look.body}>
        <div className={look.head}>
          <b>{name}</b>
          <time dateTime={entry.at} title={format.dateTime(entry.at)}>
            {format.ago(entry.at)}
          </time>
        </div>
        <div className={classes.words}>
          {entry.apiKey === null ? null : <p>{t('byKey', { title: entry.apiKey.title })}</p>}
          {entry.action === 'updated' || entry.action === 'moved' ? null : (
            <p>
              {t(`actions.${entry.action}`, { defaultValue: entry.action })}
              {thing === null ? null : <>: {thing === '' && isForgotten ? t('emptied') : thing}</>}
            </p>
          )}
          {lines.slice(0, MOST_LINES).map(({ path, from, to }) => (
            <p key={path}>
              {labelOf(path)} {isNothing(from) ? null : <s>{said(path, from)}</s>}{' '}
              {isNothing(to) ? (
                <span>{isNothing(from) ? '' : `→ ${t('removed')}`}</span>
              ) : (
                <>
                  → <b>{said(path, to)}</b>
                </>
              )}
            </p>
          ))}
          {lines.length > MOST_LINES ? <p>{t('moreChanges', { count: lines.length - MOST_LINES })}</p> : null}
          {entry.reason === null ? null : <p className={classes.reason}>“{entry.reason}”</p>}
        </div>
      </div>
    </li>
  )
}

/** The type of a mail that was taken back before it left, or is to leave after all. */
function typeOfStopped({ action, changes }: AuditEntry): string | null {
  if (action !== 'mailCanceled' && action !== 'mailUncanceled') return null
  return String(changes.find(({ path }) => path === 'type')?.to ?? '')
}

/** Its words come with the first entry that needs them; nobody waits for the history because of them. */
function MailTypeName({ type }: { type: string }) {
  const { t, ready } = useTranslation('email', { useSuspense: false })
  return ready ? t(`types.${type as EmailType}`, { defaultValue: type }) : null
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''

// By the titles of their types.
const LOAD_CARRIERS = 'loadCarriers.'

/** What came or went with an entry that is no change of the record itself: a file, or a mail and its recipients. */
export function thingIn({ action, changes }: Pick<AuditEntry, 'action' | 'changes'>): string | null {
  const at = (path: string): unknown => {
    const change = changes.find((one) => one.path === path)
    const value = change?.to ?? change?.from
    return isEmptied(value) ? undefined : value
  }
  if (/file(Added|Removed|Accepted|Refused|CheckUndone)$/i.test(action)) return String(at('title') ?? '')
  if (action.startsWith('apiKey')) return String(at('apiKey') ?? '')
  if (action.startsWith('note')) return String(at('text') ?? '')
  // Of an order the changes say it: who was typed at which stop or route.
  if (action === 'papersDeleted' || action === 'mailsDeleted') return String(at('count') ?? '')
  if (action === 'madeAnonymous') return at('person') === undefined ? null : String(at('person'))
  if (action.startsWith('job')) return String(at('job') ?? '')
  if (action.startsWith('template')) return [at('template'), at('language')].filter(Boolean).join(', ')
  if (action.startsWith('driver')) {
    const pieces = changes
      .filter(({ path }) => path.startsWith(LOAD_CARRIERS))
      .map(({ path, to }) => `${path.slice(LOAD_CARRIERS.length)} ${String(to)}`)
    return [...['route', 'stop', 'time', 'said'].map(at).filter(Boolean), ...pieces].join(', ')
  }
  if (action.startsWith('upload') || action.startsWith('release'))
    return [at('carrierCompany'), at('route')].filter(Boolean).join(', ')
  if (/^mail(Filed|Unfiled)$/.test(action)) return ['subject', 'from'].map(at).filter(Boolean).join(', ')
  if (action !== 'mailQueued') return null
  const to = at('to')
  return [at('subject'), Array.isArray(to) ? to.join(', ') : null].filter(Boolean).join(', ')
}
