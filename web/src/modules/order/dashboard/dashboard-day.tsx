import { Link } from '@tanstack/react-router'
import { isLoaded, isUnloaded } from '@waybill/contract/order/status'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CountryCode, Count } from '../../../ui/marks/marks.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import classes from './dashboard.module.css'
import { isWholeDay } from '../list/columns.tsx'
import { dashboardPath } from '../values/paths.ts'
import type { DashboardOrder, DashboardRows } from './use-dashboard.ts'

const DELAY_OF = { loading: 'sending', unloading: 'delivery' } as const

interface DayProps {
  kind: 'loading' | 'unloading'
  rows: DashboardRows
  now: Date
  /** The address of the same rows as a list */
  search: Record<string, unknown>
}

/** Today's loadings or unloadings by the clock, with a line for now. */
export function DashboardDay({ kind, rows, now, search }: DayProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const placeOf = (row: DashboardOrder) => (kind === 'loading' ? row.from : row.to)
  const isDone = (row: DashboardOrder) => (kind === 'loading' ? isLoaded(row.status) : isUnloaded(row.status))
  const items = rows.data?.rows ?? []
  const passed = items.filter((row) => Date.parse(placeOf(row)?.at ?? '') <= now.getTime()).length
  const line = (
    <li key="now" className={classes.now} aria-label={t('now', { time: format.time(now.toISOString()) })}>
      {format.time(now.toISOString())}
    </li>
  )
  const lines = items.map((row) => (
    <Stop
      key={row.id}
      row={row}
      place={placeOf(row)}
      isDone={isDone(row)}
      isLate={row.delay?.kind === DELAY_OF[kind]}
    />
  ))
  return (
    <Section
      title={
        <span className={classes.titled}>
          {t(kind)}
          {rows.data === undefined ? null : <Count>{format.number(rows.data.total)}</Count>}
        </span>
      }
      summary={items.length === 0 ? null : t('done', { number: format.number(items.filter(isDone).length) })}
      actions={
        <Link to="/orders" search={search as never} className={classes.openList}>
          {t('openAsList')}
        </Link>
      }
      isFlush
    >
      {rows.data !== undefined ? (
        items.length === 0 ? (
          <p className={classes.nothing}>{t(`nothing.${kind}`)}</p>
        ) : (
          <ol className={classes.times}>{lines.toSpliced(passed, 0, line)}</ol>
        )
      ) : rows.error === null ? (
        <SkeletonLines lines={5} label={t('loadingRows')} />
      ) : (
        <LoadError error={rows.error} onRetry={() => void rows.refetch()} />
      )}
    </Section>
  )
}

function Stop({
  row,
  place,
  isDone,
  isLate,
}: {
  row: DashboardOrder
  place: DashboardOrder['from']
  isDone: boolean
  isLate: boolean
}) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const at = place?.at ?? null
  const state = isDone ? 'done' : isLate ? 'late' : 'open'
  return (
    <li data-state={state}>
      <span className={classes.time}>
        {at === null || isWholeDay(at, place!.timeZone, format) ? '–' : format.time(at, place!.timeZone)}
      </span>
      <span className={classes.dot} aria-hidden />
      <Link to={dashboardPath(row.id) as string}>{row.number}</Link>
      <span className={classes.where} title={row.customer?.title}>
        {place === null ? null : <CountryCode code={place.countryCode} />} {place?.city}{' '}
        <span>{`· ${row.customer?.title ?? ''}`}</span>
      </span>
      {state === 'open' ? null : <span className={classes.state}>{t(`state.${state}`)}</span>}
    </li>
  )
}
