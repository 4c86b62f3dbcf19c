import { Link } from '@tanstack/react-router'
import { NO_KEY, OWN_FLEET_KEY, SEVERAL_KEY, type Figures, type MarginReport } from '@waybill/contract/report/report'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { closer, listAddress, writeReport, type ReportView } from './report-address.ts'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

const toneOf = ({ incomeCents, marginBp }: Figures, warningBp: number) =>
  incomeCents < 0 ? 'loss' : marginBp !== null && marginBp < warningBp ? 'low' : undefined

/** The report in rows, the highest margin first, with bars in the cells and the sum below. */
export function MarginTable({ report, view }: { report: MarginReport; view: ReportView }) {
  const { t } = useTranslation('report')
  const { euros, signed, titleOf, yearBefore } = useReportWords()
  const format = useFormat()
  const { rows, others, sum, marginWarningBp } = report
  const most = Math.max(1, ...rows.map(({ now }) => Math.abs(now.incomeCents)))

  const cells = (now: Figures, before: Figures | null, hasBar: boolean) => {
    const difference = now.incomeCents - (before?.incomeCents ?? 0)
    return (
      <>
        <td className={classes.number} title={format.euro(now.revenueCents)} data-wide>
          {euros(now.revenueCents)}
        </td>
        <td className={classes.number} title={format.euro(now.costCents)} data-wide data-quiet>
          {euros(now.costCents)}
        </td>
        <td
          className={classes.number}
          title={format.euro(now.incomeCents)}
          data-strong
          data-tone={now.incomeCents < 0 ? 'loss' : undefined}
        >
          {euros(now.incomeCents)}
        </td>
        <td className={classes.barCell} aria-hidden="true">
          {hasBar ? (
            <span
              className={classes.bar}
              data-tone={toneOf(now, marginWarningBp)}
              style={{ width: `${(Math.abs(now.incomeCents) * 100) / most}%` }}
            />
          ) : null}
        </td>
        <td className={classes.number} data-tone={toneOf(now, marginWarningBp)}>
          {now.marginBp === null ? '–' : `${format.number(now.marginBp / 100, 1, 1)}\u00A0%`}
        </td>
        <td className={classes.number} data-wide data-quiet>
          {before === null ? '–' : euros(before.incomeCents)}
        </td>
        <td className={classes.number} data-wide data-tone={before !== null && difference < 0 ? 'loss' : undefined}>
          {before === null ? <span className={classes.dim}>{t('new')}</span> : signed(difference)}
        </td>
      </>
    )
  }
  const orders = (key: string, count: number): ReactNode => {
    const address = listAddress({ ...view, steps: [...view.steps, { by: view.by, key }] })
    const number = format.number(count)
    return address === null || count === 0 ? (
      number
    ) : (
      <Link to="/orders" search={address as never} aria-label={t('showOrders', { count })} className={classes.count}>
        {number}
      </Link>
    )
  }
  return (
    <table className={classes.table}>
      <colgroup>
        <col />
        <col className={classes.narrow} />
        <col className={classes.money} data-wide />
        <col className={classes.money} data-wide />
        <col className={classes.money} />
        <col className={classes.barColumn} />
        <col className={classes.percent} />
        <col className={classes.money} data-wide />
        <col className={classes.money} data-wide />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{t(`group.${view.by}`)}</th>
          <th scope="col" className={classes.number}>
            {t('column.orders')}
          </th>
          <th scope="col" className={classes.number} data-wide>
            {t('column.revenue')}
          </th>
          <th scope="col" className={classes.number} data-wide>
            {t('column.cost')}
          </th>
          <th scope="col" className={classes.number} aria-sort={view.by === 'month' ? undefined : 'descending'}>
            {t('column.margin')}
            {view.by === 'month' ? null : <Icon name="chevronDown" size={12} />}
          </th>
          <th scope="col" className={classes.barCell} aria-hidden="true" />
          <th scope="col" className={classes.number}>
            %
          </th>
          <th scope="col" className={classes.number} data-wide>
            {yearBefore(view)} €
          </th>
          <th scope="col" className={classes.number} data-wide title={t('column.difference')}>
            ± €
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, title, now, before }) => {
          const isNobody = [NO_KEY, OWN_FLEET_KEY, SEVERAL_KEY].includes(key)
          return (
            <tr key={key}>
              <th scope="row">
                {/* An address of its own, so that Back leads here again. */}
                <Link
                  className={classes.name}
                  to={'/reports' as string}
                  search={writeReport(closer(view, key)) as never}
                  title={titleOf(view.by, key, title)}
                  data-nobody={isNobody || undefined}
                >
                  {titleOf(view.by, key, title)}
                </Link>
              </th>
              <td className={classes.number}>{orders(key, now.orders)}</td>
              {cells(now, before, true)}
            </tr>
          )
        })}
        {others === null ? null : (
          <tr>
            <th scope="row">{t('others', { count: others.count })}</th>
            <td className={classes.number}>{format.number(others.now.orders)}</td>
            {cells(others.now, others.before, false)}
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('sum')}</th>
          <td className={classes.number}>{format.number(sum.now.orders)}</td>
          {cells(sum.now, sum.before, false)}
        </tr>
      </tfoot>
    </table>
  )
}
