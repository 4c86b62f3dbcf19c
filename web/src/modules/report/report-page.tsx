import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { hasPermission } from '@waybill/contract/permissions'
import { shiftMonth } from '@waybill/contract/kit/months'
import { exportMarginReport, getMarginReport, REPORT_GROUPS, type ReportGroup } from '@waybill/contract/report/report'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { localToday } from '../../kit/list/filter/filters.ts'
import { useSession } from '../../kit/session/session.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ExportButton } from './export-button.tsx'
import { MarginTable } from './margin-table.tsx'
import { MonthChart } from './month-chart.tsx'
import { PeriodFields, ReportSwitch } from './period-fields.tsx'
import { backTo, listAddress, periodOf, queryOf, readReport, writeReport, type ReportView } from './report-address.ts'
import { ReportSides } from './report-sides.tsx'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

// Others save orders all the time; figures of a year need not follow each of them.
const REFRESH_MS = 60_000

/** Revenue, cost and margin by what one likes to know, beside the year before. */
export function ReportPage() {
  const { t } = useTranslation('report')
  const { spanOf, titleOf } = useReportWords()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const rights = useSession()?.rights
  const seesInvoices = rights !== undefined && hasPermission(rights, 'INVOICES_PROCESSING')
  const thisMonth = localToday().slice(0, 7)
  const asked = useMemo(() => readReport(search, thisMonth), [search, thisMonth])
  const view: ReportView = seesInvoices ? asked : { ...asked, basis: 'agreed' }
  const query = queryOf(view)
  const report = useQuery({
    queryKey: ['reports', 'margin', query],
    queryFn: ({ signal }) => callApi(getMarginReport, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  const { data } = report

  // Each view is an address of its own, so that Back leads through them.
  const go = (change: Partial<ReportView>) =>
    void navigate({ to: '/reports' as string, search: writeReport({ ...view, ...change }) as never })
  const groupBy = (by: ReportGroup) => go({ by })
  const back = () => go(backTo(view, view.steps.length - 1))
  useShortcut({ key: 'Backspace', label: t('oneBack'), run: back }, view.steps.length > 0)

  const period = periodOf(view)
  const list = listAddress(view)
  const nameOf = ({ by, key }: ReportView['steps'][number]) =>
    titleOf(by, key, data?.named.find((one) => one.by === by && one.key === key)?.title ?? null)

  return (
    <div className={classes.page}>
      <PageHead
        title={t('title')}
        note={t(view.basis === 'actual' ? 'noteActual' : 'noteAgreed')}
        actions={
          <>
            <ReportSwitch current="margin" view={view} />
            {seesInvoices ? (
              <Segmented
                label={t('basis.label')}
                isSmall
                value={view.basis}
                onChange={(basis) => go({ basis })}
                options={[
                  { value: 'agreed', label: t('basis.agreed') },
                  { value: 'actual', label: t('basis.actual') },
                ]}
              />
            ) : null}
            <ExportButton
              load={(format, timeZone) => callFile(exportMarginReport, { query: { ...query, format, timeZone } })}
            />
          </>
        }
      />
      <div className={classes.filters}>
        <div className={classes.groups}>
          <Segmented
            label={t('groupBy')}
            isSmall
            value={view.by}
            onChange={groupBy}
            options={REPORT_GROUPS.map((by, place) => ({
              value: by,
              label: (
                <>
                  {t(`group.${by}`)} <kbd className={classes.key}>{place + 1}</kbd>
                </>
              ),
            }))}
          />
        </div>
        {REPORT_GROUPS.map((by, place) => (
          <GroupKey
            key={by}
            digit={String(place + 1)}
            label={t('byGroup', { group: t(`group.${by}`) })}
            run={() => groupBy(by)}
          />
        ))}
        <span className={classes.grow} />
        <PeriodFields view={view} go={go} />
      </div>
      {view.steps.length === 0 ? null : (
        <nav className={classes.trail} aria-label={t('trail')}>
          <Link to={'/reports' as string} search={writeReport(backTo(view, 0)) as never}>
            {t(`all.${view.steps[0]!.by}`)}
          </Link>
          {view.steps.map((step, place) => (
            <span key={step.by} className={classes.step}>
              <Icon name="chevronRight" size={12} />
              {place === view.steps.length - 1 ? (
                <b aria-current="page">{nameOf(step)}</b>
              ) : (
                <Link to={'/reports' as string} search={writeReport(backTo(view, place + 1)) as never}>
                  {nameOf(step)}
                </Link>
              )}
            </span>
          ))}
          <span className={classes.back}>
            <KeyHint>{t('backKey')}</KeyHint> {t('oneBack')}
          </span>
          <span className={classes.grow} />
          {list === null ? null : (
            <Link to="/orders" search={list as never}>
              {t('asList')}
            </Link>
          )}
        </nav>
      )}
      {report.error !== null && data === undefined ? (
        <LoadError error={report.error} onRetry={() => void report.refetch()} />
      ) : null}
      {data === undefined ? (
        report.error === null ? (
          <div className={classes.loading}>
            <SkeletonLines lines={12} label={t('loading')} />
          </div>
        ) : null
      ) : (
        <div className={classes.work} data-busy={report.isPlaceholderData || undefined}>
          <section className={classes.card} aria-label={t('title')}>
            {data.rows.length === 0 ? (
              <p className={classes.empty}>{t('empty', { span: spanOf(period.from, period.to) })}</p>
            ) : (
              <MarginTable report={data} view={view} />
            )}
          </section>
          <aside className={classes.sides}>
            <MonthChart
              months={data.months}
              years={{
                now: spanYears(period.from, period.to),
                before: spanYears(shiftMonth(period.from, -12), shiftMonth(period.to, -12)),
              }}
            />
            <ReportSides report={data} view={view} />
          </aside>
        </div>
      )}
    </div>
  )
}

const spanYears = (from: string, to: string): string =>
  from.slice(0, 4) === to.slice(0, 4) ? from.slice(0, 4) : `${from.slice(0, 4)}/${to.slice(2, 4)}`

function GroupKey({ digit, label, run }: { digit: string; label: string; run: () => void }) {
  useShortcut({ key: digit, label, run })
  return null
}
