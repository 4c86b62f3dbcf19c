import { Link } from '@tanstack/react-router'
import type { MoneyFault } from '@waybill/contract/order/order'
import { shiftMonth } from '@waybill/contract/kit/months'
import { type MarginReport } from '@waybill/contract/report/report'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Section } from '../../ui/page/section.tsx'
import { listAddress, periodOf, type ReportView } from './report-address.ts'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

/** The sums of the period, and what of its orders somebody should look at. */
export function ReportSides({ report, view }: { report: MarginReport; view: ReportView }) {
  const { t } = useTranslation('report')
  const { euros, signed, spanOf } = useReportWords()
  const format = useFormat()
  const { now, before } = report.sum
  const period = periodOf(view)
  const difference = now.incomeCents - (before?.incomeCents ?? 0)
  return (
    <>
      <Section title={t('whole')}>
        <dl className={classes.sums}>
          <dt>{t('word.revenue')}</dt>
          <dd>{euros(now.revenueCents)} €</dd>
          <dt>{t('word.cost')}</dt>
          <dd>{euros(now.costCents)} €</dd>
          <dt>{t('word.margin')}</dt>
          <dd data-strong>
            {euros(now.incomeCents)} €{now.marginBp === null ? '' : ` · ${format.number(now.marginBp / 100, 1, 1)} %`}
          </dd>
          <dt>{spanOf(shiftMonth(period.from, -12), shiftMonth(period.to, -12))}</dt>
          <dd>{before === null ? '–' : `${euros(before.incomeCents)} €`}</dd>
          <dt>{t('word.difference')}</dt>
          <dd data-tone={before === null ? undefined : difference < 0 ? 'loss' : 'gain'}>
            {before === null ? '–' : `${signed(difference)} €`}
          </dd>
        </dl>
      </Section>
      <Worth report={report} view={view} />
    </>
  )
}

function Worth({ report, view }: { report: MarginReport; view: ReportView }) {
  const { t } = useTranslation('report')
  const { euros, titleOf } = useReportWords()
  const { losses, low, sum, rows } = report
  const { orders, unpriced, uncosted, invoiced } = sum.now
  const found: { fault: MoneyFault; count: number; words: string; more?: string }[] = [
    {
      fault: 'loss',
      count: losses.count,
      words: t('losses', { count: losses.count }),
      more: euros(losses.incomeCents),
    },
    { fault: 'low', count: low, words: t('low', { count: low }) },
    { fault: 'unpriced', count: unpriced, words: t('unpriced', { count: unpriced }) },
    { fault: 'uncosted', count: uncosted, words: t('uncosted', { count: uncosted }) },
  ]
  const shown = found.filter(({ count }) => count > 0)
  const worst = rows
    .filter(({ before }) => before !== null)
    .toSorted((one, other) => lostOf(other) - lostOf(one))
    .find((row) => lostOf(row) > 0)
  const open = view.basis === 'actual' && invoiced !== null ? orders - invoiced : 0
  const isNothing = shown.length === 0 && worst === undefined && open === 0
  return (
    <Section title={t('worth')}>
      <ul className={classes.worth}>
        {shown.map(({ fault, count, words, more }) => {
          const address = listAddress(view, fault)
          return (
            <li key={fault}>
              <Icon name={fault === 'uncosted' ? 'info' : 'alert'} size={14} />
              <span>
                {address === null ? (
                  words
                ) : (
                  <Link to="/orders" search={address as never} aria-label={t('showOrders', { count })}>
                    {words}
                  </Link>
                )}
                {more === undefined ? null : `, ${more} €`}
              </span>
            </li>
          )
        })}
        {worst === undefined ? null : (
          <li>
            <Icon name="alert" size={14} />
            <span>{t('lost', { title: titleOf(view.by, worst.key, worst.title), amount: euros(lostOf(worst)) })}</span>
          </li>
        )}
        {open === 0 ? null : (
          <li>
            <Icon name="info" size={14} />
            <span>{t('notInvoiced', { count: open })}</span>
          </li>
        )}
        {isNothing ? <li>{t('nothing')}</li> : null}
      </ul>
    </Section>
  )
}

const lostOf = ({ now, before }: MarginReport['rows'][number]): number => (before?.incomeCents ?? 0) - now.incomeCents
