import { Link } from '@tanstack/react-router'
import { POD_AGES, type PodAge } from '@waybill/contract/order/papers/pod'
import {
  exportOpenPodReport,
  getOpenPodReport,
  OPEN_POD_GROUPS,
  openPodsOf,
  type OpenPodReport,
  type OpenPodsByAge,
} from '@waybill/contract/report/open-pods'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { openPodAddress, type ReportView } from './report-address.ts'
import { ReportFrame, useReport, useReportView } from './report-frame.tsx'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

/** Routes that are unloaded and have no accepted proof of delivery, by how long they wait for it. */
export function OpenPodsPage() {
  const { t } = useTranslation(['report-times', 'report'])
  const view = useReportView(OPEN_POD_GROUPS)
  const query = { by: view.by, ...(view.departmentId !== null && { departmentId: [view.departmentId] }) }
  const report = useReport(['open-pods', query], (signal) => callApi(getOpenPodReport, { query, signal }))
  return (
    <ReportFrame
      current="pods"
      title={t('pods.title')}
      note={t('pods.note')}
      loading={t('loading')}
      view={{ ...view, steps: [] }}
      groups={OPEN_POD_GROUPS.map((value) => ({ value, label: t(`report:group.${value}`) }))}
      hasPeriod={false}
      report={report}
      load={(format, timeZone) => callFile(exportOpenPodReport, { query: { ...query, format, timeZone } })}
    >
      {(data) => (
        <section className={classes.card} aria-label={t('pods.title')}>
          {data.rows.length === 0 ? (
            <p className={classes.empty}>{t('pods.none')}</p>
          ) : (
            <OpenPodTable report={data} view={view} />
          )}
        </section>
      )}
    </ReportFrame>
  )
}

const ALL: readonly PodAge[] = POD_AGES

function OpenPodTable({ report, view }: { report: OpenPodReport; view: ReportView }) {
  const { t } = useTranslation(['report-times', 'report'])
  const { titleOf } = useReportWords()
  const format = useFormat()
  const { rows, others, sum } = report

  const linked = (key: string | null, ages: readonly PodAge[], count: number) => {
    const address = openPodAddress(view, key, ages)
    return address === null || count === 0 ? (
      format.number(count)
    ) : (
      <Link to="/orders" search={address as never} aria-label={t('pods.show', { count })} className={classes.count}>
        {format.number(count)}
      </Link>
    )
  }
  const cells = (key: string | null, routes: OpenPodsByAge, isLinked = true) => {
    const cell = (ages: readonly PodAge[], count: number) =>
      isLinked ? linked(key, ages, count) : format.number(count)
    return (
      <>
        <td className={classes.number} data-strong>
          {cell(ALL, openPodsOf(routes))}
        </td>
        {POD_AGES.map((age) => (
          <td
            key={age}
            className={classes.number}
            data-tone={age === 'over14' && routes[age] > 0 ? 'low' : undefined}
            data-wide={age === 'over14' ? undefined : true}
          >
            {cell([age], routes[age])}
          </td>
        ))}
      </>
    )
  }
  return (
    <table className={classes.table}>
      <colgroup>
        <col />
        <col className={classes.money} />
        {POD_AGES.map((age) => (
          <col key={age} className={classes.wide} data-wide={age === 'over14' ? undefined : true} />
        ))}
        <col className={classes.wide} data-wide />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{t(`report:group.${view.by}`)}</th>
          <th scope="col" className={classes.number}>
            {t('pods.routes')}
          </th>
          {POD_AGES.map((age) => (
            <th
              key={age}
              scope="col"
              className={classes.number}
              data-wide={age === 'over14' ? undefined : true}
              aria-sort={age === 'over14' ? 'descending' : undefined}
            >
              {t(`pods.age.${age}`)}
            </th>
          ))}
          <th scope="col" className={classes.number} data-wide>
            {t('pods.oldest')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, title, routes, oldestAt }) => (
          <tr key={key}>
            <th scope="row">
              <span className={classes.name} title={titleOf(view.by, key, title)}>
                {titleOf(view.by, key, title)}
              </span>
            </th>
            {cells(key, routes)}
            <td className={classes.number} data-quiet data-wide>
              {format.date(oldestAt.slice(0, 10))}
            </td>
          </tr>
        ))}
        {others === null ? null : (
          <tr>
            <th scope="row">{t('report:others', { count: others.count })}</th>
            {cells(null, others.routes, false)}
            <td data-wide />
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('pods.all')}</th>
          {cells(null, sum)}
          <td data-wide />
        </tr>
      </tfoot>
    </table>
  )
}
