import { Link } from '@tanstack/react-router'
import { PUNCTUAL_BP } from '@waybill/contract/order/choice/ranking'
import {
  exportPunctualityReport,
  getPunctualityReport,
  inTimeBpOf,
  meanDelayOf,
  PUNCTUALITY_GROUPS,
  type Punctuality,
  type PunctualityReport,
} from '@waybill/contract/report/punctuality'
import { NO_KEY, OWN_FLEET_KEY } from '@waybill/contract/report/report'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { closer, listAddress, periodOf, queryOf, writeReport, type ReportView } from './report-address.ts'
import { REPORTS } from './period-fields.tsx'
import { ReportFrame, useReport, useReportView } from './report-frame.tsx'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

/** Stops reached in time: of carriers, of our own fleet, and of all, which is how customers see us. */
export function PunctualityPage() {
  const { t } = useTranslation(['report-times', 'report'])
  const { spanOf } = useReportWords()
  const view = useReportView(PUNCTUALITY_GROUPS)
  const { basis: _basis, caseWorker: _caseWorker, vehicle: _vehicle, ...narrowing } = queryOf(view)
  const query = { ...narrowing, by: view.by }
  const report = useReport(['punctuality', query], (signal) => callApi(getPunctualityReport, { query, signal }))
  const period = periodOf(view)
  return (
    <ReportFrame
      current="punctuality"
      title={t('punctuality.title')}
      note={t('punctuality.note')}
      loading={t('loading')}
      view={view}
      groups={PUNCTUALITY_GROUPS.map((value) => ({ value, label: t(`report:group.${value}`) }))}
      report={report}
      named={({ named }, { by, key }) => named.find((one) => one.by === by && one.key === key)?.title ?? null}
      load={(format, timeZone) => callFile(exportPunctualityReport, { query: { ...query, format, timeZone } })}
    >
      {(data) => (
        <>
          <section className={classes.card} aria-label={t('punctuality.title')}>
            {data.rows.length === 0 ? (
              <p className={classes.empty}>{t('report:empty', { span: spanOf(period.from, period.to) })}</p>
            ) : (
              <PunctualityTable report={data} view={view} />
            )}
          </section>
          <p className={classes.below}>{t('punctuality.rule')}</p>
        </>
      )}
    </ReportFrame>
  )
}

function PunctualityTable({ report, view }: { report: PunctualityReport; view: ReportView }) {
  const { t } = useTranslation(['report-times', 'report'])
  const { titleOf, yearBefore } = useReportWords()
  const format = useFormat()
  const { rows, others, sum } = report

  // Rounded down to whole percents: 99.9 % is not all.
  const share = (inTime: number, measured: number) => {
    const bp = inTimeBpOf(inTime, measured)
    return bp === null ? '–' : format.percent(Math.floor(bp / 100) * 100)
  }
  const tone = (inTime: number, measured: number) =>
    (inTimeBpOf(inTime, measured) ?? PUNCTUAL_BP) < PUNCTUAL_BP ? 'low' : undefined
  const cells = (now: Punctuality, before: Punctuality | null, hasBar: boolean) => {
    const { loadings, loadingsInTime, unloadings, unloadingsInTime } = now
    const delay = meanDelayOf(now)
    return (
      <>
        <td className={classes.number} data-tone={tone(loadingsInTime, loadings)} data-wide>
          {share(loadingsInTime, loadings)} <span className={classes.dim}>{format.number(loadings)}</span>
        </td>
        <td className={classes.number} data-strong data-tone={tone(unloadingsInTime, unloadings)}>
          {share(unloadingsInTime, unloadings)} <span className={classes.dim}>{format.number(unloadings)}</span>
        </td>
        <td className={classes.barCell} aria-hidden="true" data-wide>
          {hasBar && unloadings > 0 ? (
            <span
              className={classes.bar}
              data-tone={tone(unloadingsInTime, unloadings)}
              style={{ width: `${(unloadingsInTime * 100) / unloadings}%` }}
            />
          ) : null}
        </td>
        <td className={classes.number} data-wide>
          {delay === null ? '–' : t('hours', { hours: format.number(delay / 60, 1, 1) })}
        </td>
        <td className={classes.number} data-quiet data-wide>
          {format.number(now.excused)}
        </td>
        <td className={classes.number} data-quiet data-wide>
          {format.number(now.unmeasured)}
        </td>
        <td className={classes.number} data-quiet>
          {before === null ? '–' : share(before.unloadingsInTime, before.unloadings)}
        </td>
      </>
    )
  }
  const trips = (key: string, count: number) => {
    const steps = [...view.steps.filter(({ by }) => by !== view.by), { by: view.by, key }]
    const address = listAddress({ ...view, steps })
    return address === null ? (
      format.number(count)
    ) : (
      <Link
        to="/orders"
        search={address as never}
        aria-label={t('punctuality.showOrders', { count })}
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
        <col className={classes.money} />
        <col className={classes.long} data-wide />
        <col className={classes.long} />
        <col className={classes.barColumn} data-wide />
        <col className={classes.share} data-wide />
        <col className={classes.money} data-wide />
        <col className={classes.share} data-wide />
        <col className={classes.percent} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{t(`report:group.${view.by}`)}</th>
          <th scope="col" className={classes.number} title={t('punctuality.means.trips')}>
            {t('punctuality.column.trips')}
          </th>
          <th scope="col" className={classes.number} title={t('punctuality.means.loadings')} data-wide>
            {t('punctuality.column.loadings')}
          </th>
          <th scope="col" className={classes.number} title={t('punctuality.means.unloadings')}>
            {t('punctuality.column.unloadings')}
          </th>
          <th scope="col" className={classes.barCell} aria-hidden="true" data-wide />
          <th scope="col" className={classes.number} title={t('punctuality.means.delay')} data-wide>
            {t('punctuality.column.delay')}
          </th>
          <th scope="col" className={classes.number} title={t('punctuality.means.excused')} data-wide>
            {t('punctuality.column.excused')}
          </th>
          <th scope="col" className={classes.number} title={t('punctuality.means.unmeasured')} data-wide>
            {t('punctuality.column.unmeasured')}
          </th>
          <th scope="col" className={classes.number} title={t('punctuality.means.before')}>
            {yearBefore(view)}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, title, now, before }) => (
          <tr key={key}>
            <th scope="row">
              <Link
                className={classes.name}
                to={REPORTS.punctuality as string}
                search={writeReport(closer(view, key)) as never}
                title={titleOf(view.by, key, title)}
                data-nobody={key === NO_KEY || key === OWN_FLEET_KEY || undefined}
              >
                {titleOf(view.by, key, title)}
              </Link>
            </th>
            <td className={classes.number}>{trips(key, now.trips)}</td>
            {cells(now, before, true)}
          </tr>
        ))}
        {others === null ? null : (
          <tr>
            <th scope="row">{t('report:others', { count: others.count })}</th>
            <td className={classes.number}>{format.number(others.now.trips)}</td>
            {cells(others.now, others.before, false)}
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('punctuality.all')}</th>
          <td className={classes.number}>{format.number(sum.now.trips)}</td>
          {cells(sum.now, sum.before, false)}
        </tr>
      </tfoot>
    </table>
  )
}
