import { listAuditEntries, type AuditEntry } from '@waybill/contract/audit-entry'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Avatar } from '../../ui/marks.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { historyLines } from './history-lines.ts'
import classes from './history-section.module.css'

const PER_PAGE = 25
const MOST_LINES = 6

interface HistoryProps {
  /** `orderId` and the like */
  owner: Readonly<Record<string, number>>
  labelOf: (path: string) => string
  wordsOf: (path: string, value: unknown) => string
  /** Fields that nobody writes */
  isDerived: (path: string) => boolean
  /** A child's place in the record as it is */
  placeOf: (list: string, id: number) => number | null
}

/** Who saved a record last; for messages about conflicts. */
export function useHistory(owner: Readonly<Record<string, number>>) {
  return useInfiniteQuery({
    queryKey: ['audit-entries', owner],
    queryFn: ({ pageParam, signal }) => callApi(listAuditEntries, { query: { ...owner, perPage: PER_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    meta: { showsRefusals: true },
  })
}

/** A record's history as one stream, the newest first, in words. */
export function HistorySection({ owner, ...words }: HistoryProps) {
  const { t } = useTranslation('history')
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useHistory(owner)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={6} label={t('loading')} />
  const entries = data.pages.flatMap(({ items }) => items)
  return (
    <>
      <ol className={classes.entries} aria-label={t('title')}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} {...words} />
        ))}
      </ol>
      {hasNextPage ? (
        <Button size="compact-sm" variant="subtle" className={classes.more} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('older')}
        </Button>
      ) : (
        <p className={classes.end}>{t('entire')}</p>
      )}
    </>
  )
}

function Entry({ entry, labelOf, wordsOf, isDerived, placeOf }: { entry: AuditEntry } & Omit<HistoryProps, 'owner'>) {
  const { t } = useTranslation('history')
  const format = useFormat()
  const name = entry.actor?.title ?? t('system')
  const thing = thingIn(entry)
  const lines = thing !== null ? [] : historyLines(entry.changes, { isDerived, placeOf })
  return (
    <li className={classes.entry}>
      {entry.actor === null ? (
        <span className={classes.icon}>
          <Icon name="gear" size={13} />
        </span>
      ) : (
        <Avatar name={name} size={20} isDecoration />
      )}
      <div className={classes.body}>
        <div className={classes.head}>
          <b>{name}</b>
          <time dateTime={entry.at} title={format.dateTime(entry.at)}>
            {format.ago(entry.at)}
          </time>
        </div>
        <div className={classes.words}>
          {entry.action === 'updated' || entry.action === 'moved' ? null : (
            <p>
              {t(`actions.${entry.action}`, { defaultValue: entry.action })}
              {thing === null ? '' : `: ${thing}`}
            </p>
          )}
          {lines.slice(0, MOST_LINES).map(({ path, from, to }) => (
            <p key={path}>
              {labelOf(path)} {from === null || from === '' ? null : <s>{wordsOf(path, from)}</s>} {to === null || to === '' ? <span>{from === null ? '' : `→ ${t('removed')}`}</span> : <>→ <b>{wordsOf(path, to)}</b></>}
            </p>
          ))}
          {lines.length > MOST_LINES ? <p>{t('moreChanges', { count: lines.length - MOST_LINES })}</p> : null}
          {entry.reason === null ? null : <p className={classes.reason}>“{entry.reason}”</p>}
        </div>
      </div>
    </li>
  )
}

/** What came or went with an entry that is no change of the record itself: a file, or a mail and its recipients. */
function thingIn({ action, changes }: AuditEntry): string | null {
  const at = (path: string): unknown => {
    const change = changes.find((one) => one.path === path)
    return change?.to ?? change?.from
  }
  if (/file(Added|Removed)$/i.test(action)) return String(at('title') ?? '')
  if (action !== 'mailQueued') return null
  const to = at('to')
  return [at('subject'), Array.isArray(to) ? to.join(', ') : null].filter(Boolean).join(', ')
}
