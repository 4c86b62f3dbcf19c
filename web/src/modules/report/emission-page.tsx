import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import {
  EMISSION_GROUPS,
  exportEmissionReport,
  getEmissionReport,
  type EmissionReport,
} from '@waybill/contract/emission/emission-report'
import { mayAccess } from '@waybill/contract/permissions'
import { emissionFactorApi } from '@waybill/contract/emission/factor'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { useSession } from '../../kit/session/session.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ExportButton } from './export-button.tsx'
import { PeriodFields, ReportSwitch } from './period-fields.tsx'
import { listAddress, periodOf, queryOf, readReport, writeReport, type ReportView } from './report-address.ts'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

const REFRESH_MS = 60_000

/** The steps that this report knows; others belong to the margin. */
const ofEmission = (view: ReportView): ReportView => ({
  ...view,
  basis: 'agreed',
  by: view.by === 'month' ? 'month' : 'customer',
  steps: view.steps.filter(({ by }) => by === 'customer'),
})

/** CO₂e by customer or month. */
export function EmissionPage() {
  const { t } = useTranslation(['emission', 'report'])
  const { spanOf } = useReportWords()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const rights = useSession()?.rights
  const thisMonth = localToday().slice(0, 7)
  const view = useMemo(() => ofEmission(readReport(search, thisMonth)), [search, thisMonth])
  const { basis: _basis, by: _by, ...narrowing } = queryOf(view)
  const query = { ...narrowing, by: view.by === 'month' ? ('month' as const) : ('customer' as const) }
  const report = useQuery({
    queryKey: ['reports', 'emission', query],
    queryFn: ({ signal }) => callApi(getEmissionReport, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  const { data } = report
  const go = (change: Partial<ReportView>) =>
    void navigate({ to: '/reports/emission' as string, search: writeReport({ ...view, ...change }) as never })
  const period = periodOf(view)
  const incomplete = data === undefined ? 0 : data.sum.orders - data.sum.complete
  return (
    <div className={classes.page}>
      <PageHead
        title={t('title')}
        note={t('note')}
        actions={
          <>
            <ReportSwitch current="emission" view={view} />
            <ExportButton
              load={(format, timeZone) => callFile(exportEmissionReport, { query: { ...query, format, timeZone } })}
            />
          </>
        }
      />
      <div className={classes.filters}>
        <Segmented
          label={t('report:groupBy')}
          isSmall
          value={query.by}
          onChange={(by) => go({ by })}
          options={EMISSION_GROUPS.map((by) => ({ value: by, label: t(`group.${by}`) }))}
        />
        <span className={classes.grow} />
        <PeriodFields view={view} go={go} />
      </div>
      {view.steps.length === 0 ? null : (
        <nav className={classes.trail} aria-label={t('report:trail')}>
          <Link
            to={'/reports/emission' as string}
            search={writeReport({ ...view, by: 'customer', steps: [] }) as never}
          >
            {t('report:all.customer')}
          </Link>
          <span className={classes.step}>
            <Icon name="chevronRight" size={12} />
            <b aria-current="page">{data?.customer?.title ?? ''}</b>
          </span>
        </nav>
      )}
      {report.error !== null && data === undefined ? (
        <LoadError error={report.error} onRetry={() => void report.refetch()} />
      ) : data === undefined ? (
        <div className={classes.loading}>
          <SkeletonLines lines={12} label={t('loading')} />
        </div>
      ) : (
        <div className={classes.single} data-busy={report.isPlaceholderData || undefined}>
          {incomplete === 0 ? null : (
            <p className={classes.notice}>
              <Icon name="alert" size={14} />
              {t('incomplete', { count: incomplete })}
            </p>
          )}
          {data.waiting === 0 ? null : (
            <p className={classes.notice}>
              <Icon name="clock" size={14} />
              {t('waiting', { count: data.waiting })}
            </p>
          )}
          <section className={classes.card} aria-label={t('title')}>
            {data.rows.length === 0 ? (
              <p className={classes.empty}>{t('report:empty', { span: spanOf(period.from, period.to) })}</p>
            ) : (
              <EmissionTable report={data} view={view} />
            )}
          </section>
          {rights !== undefined && mayAccess(emissionFactorApi.list.access, rights) ? (
            <p className={classes.below}>
              <Link to={'/emission-factors' as string}>{t('factors')}</Link>
            </p>
          ) : null}
        </div>
      )}
    </div>
  )
}

function EmissionTable({ report, view }: { report: EmissionReport; view: ReportView }) {
  const { t } = useTranslation(['emission', 'report'])
  const { titleOf } = useReportWords()
  const format = useFormat()
  const by = view.by === 'month' ? 'month' : 'customer'
  const { rows, others, sum } = report
  const most = Math.max(1, ...rows.map(({ wttGrams, ttwGrams }) => wttGrams + ttwGrams))
  const kilograms = (grams: number) => format.number(grams / 1000, 0, 0)
  const cells = ({ orders, complete, kgKm, wttGrams, ttwGrams }: EmissionReport['sum'], hasBar: boolean) => (
    <>
      <td className={classes.number} data-tone={complete < orders ? 'low' : undefined}>
        {orders === 0 ? '–' : format.percent(Math.floor((complete * 10_000) / orders / 100) * 100)}
      </td>
      <td className={classes.number} data-wide>
        {format.number(kgKm / 1000, 0, 0)}
      </td>
      <td className={classes.number} data-strong>
        {kilograms(wttGrams + ttwGrams)}
      </td>
      <td className={classes.barCell} aria-hidden="true" data-wide>
        {hasBar ? <span className={classes.bar} style={{ width: `${((wttGrams + ttwGrams) * 100) / most}%` }} /> : null}
      </td>
      <td className={classes.number} data-wide data-quiet>
        {kilograms(wttGrams)}
      </td>
      <td className={classes.number} data-wide data-quiet>
        {kilograms(ttwGrams)}
      </td>
      <td className={classes.number} data-wide>
        {kgKm === 0 ? '–' : format.number(((wttGrams + ttwGrams) * 1000) / kgKm, 1, 1)}
      </td>
    </>
  )
  const orders = (key: string, count: number) => {
    const address = listAddress({ ...view, steps: [...view.steps.filter((step) => step.by !== by), { by, key }] })
    return address === null ? (
      format.number(count)
    ) : (
      <Link
        to="/orders"
        search={address as never}
        aria-label={t('report:showOrders', { count })}
        className={classes.count}
      >
        {format.number(count)}
      </Link>
    )
  }
  return (
    <table className={classes.table}>
      <colgroup>
        <col />
        <col className={classes.narrow} />
        <col className={classes.share} />
        <col className={classes.wide} data-wide />
        <col className={classes.wide} />
        <col className={classes.barColumn} data-wide />
        <col className={classes.wide} data-wide />
        <col className={classes.wide} data-wide />
        <col className={classes.percent} data-wide />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{t(`group.${by}`)}</th>
          <th scope="col" className={classes.number}>
            {t('report:column.orders')}
          </th>
          <th scope="col" className={classes.number} title={t('means.complete')}>
            {t('column.complete')}
          </th>
          <th scope="col" className={classes.number} title={t('means.tonneKm')} data-wide>
            {t('column.tonneKm')}
          </th>
          <th
            scope="col"
            className={classes.number}
            title={t('means.kg')}
            aria-sort={by === 'month' ? undefined : 'descending'}
          >
            {t('column.kg')}
            {by === 'month' ? null : <Icon name="chevronDown" size={12} />}
          </th>
          <th scope="col" className={classes.barCell} aria-hidden="true" data-wide />
          <th scope="col" className={classes.number} data-wide>
            {t('column.wtt')}
          </th>
          <th scope="col" className={classes.number} data-wide>
            {t('column.ttw')}
          </th>
          <th scope="col" className={classes.number} title={t('means.intensity')} data-wide>
            {t('column.intensity')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              {by === 'month' ? (
                titleOf(by, row.key, row.title)
              ) : (
                <Link
                  className={classes.name}
                  to={'/reports/emission' as string}
                  search={writeReport({ ...view, by: 'month', steps: [{ by: 'customer', key: row.key }] }) as never}
                  title={row.title ?? row.key}
                >
                  {row.title ?? row.key}
                </Link>
              )}
            </th>
            <td className={classes.number}>{orders(row.key, row.orders)}</td>
            {cells(row, true)}
          </tr>
        ))}
        {others === null ? null : (
          <tr>
            <th scope="row">{t('report:others', { count: others.count })}</th>
            <td className={classes.number}>{format.number(others.orders)}</td>
            {cells(others, false)}
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('report:sum')}</th>
          <td className={classes.number}>{format.number(sum.orders)}</td>
          {cells(sum, false)}
        </tr>
      </tfoot>
    </table>
  )
}
