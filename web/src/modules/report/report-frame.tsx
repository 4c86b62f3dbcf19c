import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ExportFormat } from '@waybill/contract/kit/paging'
import type { ReportGroup } from '@waybill/contract/report/report'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import { localToday } from '../../kit/list/filter/filters.ts'
import type { AddressSearch } from '../../kit/list/page/list-address.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ExportButton } from './export-button.tsx'
import { DepartmentField, PeriodFields, ReportSwitch, REPORTS, type ReportName } from './period-fields.tsx'
import { backTo, readReport, writeReport, type ReportView } from './report-address.ts'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

const REFRESH_MS = 60_000

/** What the address of a report says, as far as the report knows it; what others know is passed over. */
export function useReportView<Group extends ReportGroup>(groups: readonly Group[]) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const thisMonth = localToday().slice(0, 7)
  return useMemo(() => {
    const asked = readReport(search, thisMonth)
    const isOurs = (by: ReportGroup): by is Group => groups.some((group) => group === by)
    const first = groups[0]!
    const by = search.by === undefined || !isOurs(asked.by) ? first : asked.by
    return { ...asked, by, basis: 'agreed' as const, steps: asked.steps.filter((step) => isOurs(step.by)) }
  }, [search, thisMonth, groups])
}

/** Asks for a report, and again each minute: others save all the time. */
export const useReport = <Data,>(key: readonly unknown[], load: (signal: AbortSignal) => Promise<Data>) =>
  useQuery({
    queryKey: ['reports', ...key],
    queryFn: ({ signal }) => load(signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

interface FrameProps<Data> {
  current: ReportName
  title: string
  note: string
  loading: string
  view: ReportView
  groups: readonly { value: ReportGroup; label: string }[]
  /** stands in place of the groups: what else is chosen between, and what the address says of it */
  choice?: { field: ReactNode; search: AddressSearch }
  /** false: it is about now */
  hasPeriod?: boolean
  report: UseQueryResult<Data>
  /** what an opened row is called */
  named?: (data: Data, step: ReportView['steps'][number]) => string | null
  load: (format: ExportFormat, timeZone: string) => Promise<{ blob: Blob; fileName: string }>
  children: (data: Data) => ReactNode
}

/** A report of rows alone: what it is about, how it is grouped, for which time, and what was opened. */
export function ReportFrame<Data>({
  current,
  title,
  note,
  loading,
  view,
  groups,
  choice,
  hasPeriod = true,
  report,
  named,
  load,
  children,
}: FrameProps<Data>) {
  const { t } = useTranslation('report')
  const { titleOf } = useReportWords()
  const navigate = useNavigate()
  const { data } = report
  const to = REPORTS[current] as string
  const go = (change: Partial<ReportView>) =>
    void navigate({ to, search: { ...writeReport({ ...view, ...change }), ...choice?.search } as never })
  return (
    <div className={classes.page}>
      <PageHead
        title={title}
        note={note}
        actions={
          <>
            <ReportSwitch current={current} view={view} />
            <ExportButton load={load} />
          </>
        }
      />
      <div className={classes.filters}>
        <div className={classes.groups}>
          {choice?.field ?? (
            <Segmented
              label={t('groupBy')}
              isSmall
              value={view.by}
              onChange={(by) => go({ by })}
              options={groups.map(({ value, label }) => ({ value, label }))}
            />
          )}
        </div>
        <span className={classes.grow} />
        {hasPeriod ? <PeriodFields view={view} go={go} /> : <DepartmentField view={view} go={go} />}
      </div>
      {view.steps.length === 0 ? null : (
        <nav className={classes.trail} aria-label={t('trail')}>
          <Link to={to} search={writeReport(backTo(view, 0)) as never}>
            {t(`all.${view.steps[0]!.by}`)}
          </Link>
          {view.steps.map((step, place) => {
            const name = titleOf(step.by, step.key, data === undefined ? null : (named?.(data, step) ?? null))
            return (
              <span key={step.by} className={classes.step}>
                <Icon name="chevronRight" size={12} />
                {place === view.steps.length - 1 ? (
                  <b aria-current="page">{name}</b>
                ) : (
                  <Link to={to} search={writeReport(backTo(view, place + 1)) as never}>
                    {name}
                  </Link>
                )}
              </span>
            )
          })}
        </nav>
      )}
      {report.error !== null && data === undefined ? (
        <LoadError error={report.error} onRetry={() => void report.refetch()} />
      ) : data === undefined ? (
        <div className={classes.loading}>
          <SkeletonLines lines={12} label={loading} />
        </div>
      ) : (
        <div className={classes.single} data-busy={report.isPlaceholderData || undefined}>
          {children(data)}
        </div>
      )}
    </div>
  )
}
