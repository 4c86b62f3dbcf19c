import { Link } from '@tanstack/react-router'
import {
  EMISSION_GROUPS,
  exportEmissionReport,
  getEmissionReport,
  type EmissionReport,
} from '@waybill/contract/emission/emission-report'
import { mayAccess } from '@waybill/contract/permissions'
import { emissionFactorApi } from '@waybill/contract/emission/factor'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useSession } from '../../kit/session/session.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { listAddress, periodOf, queryOf, writeReport, type ReportView } from './report-address.ts'
import { ReportFrame, useReport, useReportView } from './report-frame.tsx'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

/** CO₂e by customer or month. */
export function EmissionPage() {
  const { t } = useTranslation(['emission', 'report'])
  const { spanOf } = useReportWords()
  const rights = useSession()?.rights
  const view = useReportView(EMISSION_GROUPS)
  const { basis: _basis, ...narrowing } = queryOf(view)
  const query = { ...narrowing, by: view.by }
  const report = useReport(['emission', query], (signal) => callApi(getEmissionReport, { query, signal }))
  const period = periodOf(view)
  return (
    <ReportFrame
      current="emission"
      title={t('title')}
      note={t('note')}
      loading={t('loading')}
      view={view}
      groups={EMISSION_GROUPS.map((value) => ({ value, label: t(`group.${value}`) }))}
      report={report}
      named={({ customer }) => customer?.title ?? ''}
      load={(format, timeZone) => callFile(exportEmissionReport, { query: { ...query, format, timeZone } })}
    >
      {(data) => {
        const incomplete = data.sum.orders - data.sum.complete
        return (
          <>
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
          </>
        )
      }}
    </ReportFrame>
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
