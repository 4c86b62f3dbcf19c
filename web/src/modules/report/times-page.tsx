import { Link } from '@tanstack/react-router'
import {
  exportSpanReport,
  getSpanReport,
  SPAN_GROUPS,
  type Span,
  type SpanReport,
} from '@waybill/contract/report/spans'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { REPORTS } from './period-fields.tsx'
import { listAddress, periodOf, queryOf, writeReport, type ReportView } from './report-address.ts'
import { ReportFrame, useReport, useReportView } from './report-frame.tsx'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

/** Hours up to here, days from here on. */
const MOST_HOURS = 72

/** How long orders waited for their plan, and for their invoice once nothing was missing. */
export function TimesPage() {
  const { t } = useTranslation(['report-times', 'report'])
  const { spanOf } = useReportWords()
  const view = useReportView(SPAN_GROUPS)
  const {
    basis: _basis,
    carrier: _carrier,
    lane: _lane,
    caseWorker: _caseWorker,
    vehicle: _vehicle,
    ...narrowing
  } = queryOf(view)
  const query = { ...narrowing, by: view.by }
  const report = useReport(['times', query], (signal) => callApi(getSpanReport, { query, signal }))
  const period = periodOf(view)
  return (
    <ReportFrame
      current="times"
      title={t('times.title')}
      note={t('times.note')}
      loading={t('loading')}
      view={view}
      groups={SPAN_GROUPS.map((value) => ({ value, label: t(`report:group.${value}`) }))}
      report={report}
      named={({ named }, { by, key }) => named.find((one) => one.by === by && one.key === key)?.title ?? null}
      load={(format, timeZone) => callFile(exportSpanReport, { query: { ...query, format, timeZone } })}
    >
      {(data) => (
        <>
          <section className={classes.card} aria-label={t('times.title')}>
            {data.rows.length === 0 ? (
              <p className={classes.empty}>{t('report:empty', { span: spanOf(period.from, period.to) })}</p>
            ) : (
              <TimesTable report={data} view={view} />
            )}
          </section>
          {data.others === 0 ? null : <p className={classes.below}>{t('times.others', { count: data.others })}</p>}
          <p className={classes.below}>{t('times.rule')}</p>
        </>
      )}
    </ReportFrame>
  )
}

function TimesTable({ report, view }: { report: SpanReport; view: ReportView }) {
  const { t } = useTranslation(['report-times', 'report'])
  const { titleOf, yearBefore } = useReportWords()
  const format = useFormat()
  const { rows, sum } = report
  const seesInvoices = sum.now.bill !== null

  const told = (hours: number | null | undefined) =>
    hours === null || hours === undefined
      ? '–'
      : hours < MOST_HOURS
        ? t('hours', { hours: format.number(hours, 0, 1) })
        : t('days', { days: format.number(hours / 24, 1, 1) })
  const cells = (now: Span, before: Span | null) => (
    <>
      <td className={classes.number} data-strong>
        {told(now.medianHours)}
      </td>
      <td className={classes.number} data-wide>
        {told(now.meanHours)}
      </td>
      <td className={classes.number} data-quiet data-wide>
        {told(before?.medianHours)}
      </td>
    </>
  )
  const orders = (key: string, count: number) => {
    const steps = [...view.steps.filter(({ by }) => by !== view.by), { by: view.by, key }]
    const address = listAddress({ ...view, steps })
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
  const head = (of: 'plan' | 'bill') => (
    <>
      <th scope="col" className={classes.number} title={t(`times.means.${of}`)}>
        {t(`times.median.${of}`)}
      </th>
      <th scope="col" className={classes.number} title={t(`times.means.${of}`)} data-wide>
        {t('times.mean')}
      </th>
      <th scope="col" className={classes.number} title={t('times.before')} data-wide>
        {yearBefore(view)}
      </th>
    </>
  )
  return (
    <table className={classes.table}>
      <colgroup>
        <col />
        <col className={classes.share} />
        <col className={classes.span} />
        <col className={classes.share} data-wide />
        <col className={classes.share} data-wide />
        {seesInvoices ? (
          <>
            <col className={classes.share} data-wide />
            <col className={classes.span} />
            <col className={classes.share} data-wide />
            <col className={classes.share} data-wide />
          </>
        ) : null}
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{t(`report:group.${view.by}`)}</th>
          <th scope="col" className={classes.number}>
            {t('times.planned')}
          </th>
          {head('plan')}
          {seesInvoices ? (
            <>
              <th scope="col" className={classes.number} data-wide>
                {t('times.invoiced')}
              </th>
              {head('bill')}
            </>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, title, now, before }) => (
          <tr key={key}>
            <th scope="row">
              {view.by === 'month' ? (
                titleOf(view.by, key, title)
              ) : (
                <Link
                  className={classes.name}
                  to={REPORTS.times as string}
                  search={writeReport({ ...view, by: 'month', steps: [...view.steps, { by: view.by, key }] }) as never}
                  title={titleOf(view.by, key, title)}
                >
                  {titleOf(view.by, key, title)}
                </Link>
              )}
            </th>
            <td className={classes.number}>{orders(key, now.plan.orders)}</td>
            {cells(now.plan, before?.plan ?? null)}
            {now.bill === null ? null : (
              <>
                <td className={classes.number} data-wide>
                  {format.number(now.bill.orders)}
                </td>
                {cells(now.bill, before?.bill ?? null)}
              </>
            )}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('times.all')}</th>
          <td className={classes.number}>{format.number(sum.now.plan.orders)}</td>
          {cells(sum.now.plan, sum.before?.plan ?? null)}
          {sum.now.bill === null ? null : (
            <>
              <td className={classes.number} data-wide>
                {format.number(sum.now.bill.orders)}
              </td>
              {cells(sum.now.bill, sum.before?.bill ?? null)}
            </>
          )}
        </tr>
      </tfoot>
    </table>
  )
}
