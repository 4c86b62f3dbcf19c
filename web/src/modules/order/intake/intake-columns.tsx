import { Link } from '@tanstack/react-router'
import type { IntakeRow, IntakeState, IntakeSummary } from '@waybill/contract/intake/intake'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { Avatar, CountryCode, Mark } from '../../../ui/marks/marks.tsx'
import { StatusBadge, type StatusLook } from '../../../ui/marks/status-badge.tsx'
import type { Column } from '../../../ui/page/data-table.tsx'
import { orderPath } from '../values/paths.ts'
import classes from './intake.module.css'
import { mailPath, senderOf } from './mail-words.ts'

const LOOKS: Readonly<Record<IntakeState, StatusLook>> = {
  new: 'new',
  drafted: 'scheduled',
  saved: 'completed',
  not_order: 'canceled',
}

function Place({ place }: { place: IntakeSummary['from'] }) {
  if (place === null) return <span className={classes.dim}>?</span>
  return (
    <>
      {place.countryCode === null ? null : <CountryCode code={place.countryCode} />} {place.city}
    </>
  )
}

/** What the list shows of each mail. */
export function useIntakeColumns(): readonly Column<IntakeRow>[] {
  const { t } = useTranslation('intake')
  const format = useFormat()
  return useMemo((): readonly Column<IntakeRow>[] => {
    const read = ({ kind, summary, reason, state }: IntakeRow) => {
      if (state === 'not_order') return <span className={classes.dim}>{reason}</span>
      if (kind === 'change' || kind === 'cancel')
        return <Mark level={2}>{t(`read.${kind}`, { orders: summary.references.join(', ') || '?' })}</Mark>
      if (summary.from === null && summary.to === null) return null
      return (
        <>
          <Place place={summary.from} /> <span className={classes.dim}>→</span> <Place place={summary.to} />
          {summary.moreCount > 0 ? ` +${summary.moreCount}` : null}
        </>
      )
    }
    return [
      {
        key: 'state',
        head: t('column.state'),
        width: 122,
        cell: ({ state }) => <StatusBadge status={LOOKS[state]}>{t(`state.${state}`)}</StatusBadge>,
      },
      {
        key: 'received',
        head: t('column.received'),
        width: 112,
        cell: ({ receivedAt }) => (
          <time dateTime={receivedAt} title={format.dateTime(receivedAt)}>
            {format.dayTime(receivedAt)}
          </time>
        ),
      },
      {
        key: 'from',
        head: t('column.from'),
        width: 190,
        cell: (row) =>
          row.customer === null ? (
            <span className={classes.warn}>{senderOf(row) ?? t('unknownSender')}</span>
          ) : (
            row.customer.title
          ),
      },
      {
        key: 'subject',
        head: t('column.subject'),
        cell: ({ id, subject, fileName }) => (
          <Link to={mailPath(id) as string}>{subject ?? fileName ?? t('noSubject')}</Link>
        ),
      },
      { key: 'read', head: t('column.read'), width: 220, cell: read },
      {
        key: 'loading',
        head: t('column.loading'),
        width: 112,
        cell: ({ summary: { loadingDate, loadingTime } }) =>
          loadingDate === null ? null : `${format.shortWeekdayDate(loadingDate)} ${loadingTime ?? ''}`,
      },
      {
        key: 'values',
        head: t('column.values'),
        width: 112,
        cell: ({ summary, orders, quotes, state }) =>
          state === 'saved' || orders.length + quotes.length > 0 ? (
            <>
              {orders.map(({ id, title }) => (
                <Link key={id} to={orderPath(id) as string} className={classes.order}>
                  {title}
                </Link>
              ))}
              {quotes.map(({ id, title }) => (
                <Link key={`quote ${id}`} to="/quotes/edit/$id" params={{ id: String(id) }} className={classes.order}>
                  {title}
                </Link>
              ))}
            </>
          ) : state === 'not_order' ? null : (
            <span className={classes.values}>
              {summary.sureCount}
              {summary.checkCount === 0 ? null : (
                <span className={classes.warn}>
                  <Icon name="alert" size={13} label={t('toCheck')} />
                  {summary.checkCount}
                </span>
              )}
              {summary.missingCount === 0 ? null : (
                <span className={classes.dim} title={t('notFound')}>
                  ○ {summary.missingCount}
                </span>
              )}
            </span>
          ),
      },
      {
        key: 'who',
        head: t('column.who'),
        width: 44,
        isHiddenOnPhone: true,
        cell: ({ assignedTo }) => (assignedTo === null ? null : <Avatar name={assignedTo.title} size={20} />),
      },
    ]
  }, [t, format])
}
