import { Button, Menu, Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { departmentApi } from '@waybill/contract/department'
import { EXPORT_FORMATS, type ExportFormat } from '@waybill/contract/kit/paging'
import { hasPermission } from '@waybill/contract/permissions'
import {
  exportMarginReport,
  getMarginReport,
  MOST_REPORT_MONTHS,
  REPORT_GROUPS,
  shiftMonth,
  type ReportGroup,
} from '@waybill/contract/report/report'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { saveFile } from '../../kit/api/files.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { useReferences } from '../../kit/list/reference/references.ts'
import { useSession } from '../../kit/session/session.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { MarginTable } from './margin-table.tsx'
import { MonthChart } from './month-chart.tsx'
import { backTo, listAddress, periodOf, queryOf, readReport, writeReport, type ReportView } from './report-address.ts'
import { ReportSides } from './report-sides.tsx'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

// Others save orders all the time; figures of a year need not follow each of them.
const REFRESH_MS = 60_000
/** Months that are offered, some of them ahead: something may be unloaded there already. */
const OFFERED = 48
const AHEAD = 3

const latest = (one: string, other: string): string => (one > other ? one : other)
const earliest = (one: string, other: string): string => (one < other ? one : other)

/** Revenue, cost and margin by what one likes to know, beside the year before. */
export function ReportPage() {
  const { t } = useTranslation('report')
  const { monthOf, spanOf, titleOf } = useReportWords()
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
  const departments = useReferences(departmentApi, '', true)
  const { data } = report

  // Each view is an address of its own, so that Back leads through them.
  const go = (change: Partial<ReportView>) =>
    void navigate({ to: '/reports' as string, search: writeReport({ ...view, ...change }) as never })
  const groupBy = (by: ReportGroup) => go({ by })
  const back = () => go(backTo(view, view.steps.length - 1))
  useShortcut({ key: 'Backspace', label: t('oneBack'), run: back }, view.steps.length > 0)

  const months = useMemo(
    () => Array.from({ length: OFFERED }, (_, index) => shiftMonth(thisMonth, AHEAD - index)),
    [thisMonth],
  )
  const options = [...new Set([...months, view.from, view.to])]
    .sort((one, other) => other.localeCompare(one))
    .map((month) => ({ value: month, label: monthOf(month) }))
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
            <ExportButton query={query} />
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
        <div className={classes.month}>
          <Select
            size="xs"
            aria-label={t('from')}
            data={options}
            value={view.from}
            allowDeselect={false}
            onChange={(from) =>
              from !== null &&
              go({ from, to: earliest(latest(view.to, from), shiftMonth(from, MOST_REPORT_MONTHS - 1)) })
            }
          />
        </div>
        <span aria-hidden="true">–</span>
        <div className={classes.month}>
          <Select
            size="xs"
            aria-label={t('to')}
            data={options}
            value={view.to}
            allowDeselect={false}
            onChange={(to) =>
              to !== null && go({ to, from: latest(earliest(view.from, to), shiftMonth(to, 1 - MOST_REPORT_MONTHS)) })
            }
          />
        </div>
        <div className={classes.department}>
          <Select
            size="xs"
            aria-label={t('group.department')}
            placeholder={t('allDepartments')}
            clearable
            data={departments.items.map(({ id, title }) => ({ value: String(id), label: title }))}
            value={view.departmentId === null ? null : String(view.departmentId)}
            onChange={(id) => go({ departmentId: id === null ? null : Number(id) })}
          />
        </div>
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

function ExportButton({ query }: { query: ReturnType<typeof queryOf> }) {
  const { t } = useTranslation(['report', 'list-page', 'list'])
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const take = async (format: ExportFormat) => {
    setBusy(true)
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      const { blob, fileName } = await callFile(exportMarginReport, { query: { ...query, format, timeZone } })
      saveFile(blob, fileName)
      notify({ tone: 'ok', title: t('list-page:export.done', { fileName }), closeLabel: t('list:close') })
    } catch (error) {
      notify({
        tone: 'danger',
        title: t('list-page:export.failed'),
        detail: errorText(error),
        closeLabel: t('list:close'),
      })
    } finally {
      setBusy(false)
    }
  }
  useShortcut({ key: 'e', label: t('exportXlsx'), run: () => void take('xlsx') }, !isBusy)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="filled"
          size="compact-sm"
          disabled={isBusy}
          leftSection={<Icon name={isBusy ? 'spinner' : 'download'} size={13} />}
          rightSection={<KeyHint>E</KeyHint>}
        >
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {EXPORT_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void take(format)}>
            {t(`list-page:export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
