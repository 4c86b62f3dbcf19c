import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import {
  exportLossReport,
  getLossReport,
  LOSS_SCOPES,
  type LossReason,
  type LossReport,
  type LossRow,
  type LossScope,
} from '@waybill/contract/order/report/losses'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import type { AddressSearch } from '../../kit/list/page/list-address.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Avatar, CountryCode } from '../../ui/marks/marks.tsx'
import { listAddress, periodOf, writeReport, type ReportView } from './report-address.ts'
import { ReportFrame, useReport, useReportView } from './report-frame.tsx'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

const scopeIn = (value: unknown): LossScope => LOSS_SCOPES.find((one) => one === value) ?? 'all'

/** Orders that cost more than they bring: why, and what of it can still be charged. */
export function LossesPage() {
  const { t } = useTranslation(['report-times', 'report'])
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const { departmentId, from, to, basis } = useReportView(['customer'])
  const view: ReportView = { by: 'customer', departmentId, from, to, basis, steps: [] }
  const show = scopeIn(search.show)
  const query = { from, to, show, ...(departmentId !== null && { departmentId: [departmentId] }) }
  const report = useReport(['losses', query], (signal) => callApi(getLossReport, { query, signal }))
  const counts = report.data?.counts
  const showAs = (scope: LossScope): AddressSearch => (scope === 'all' ? {} : { show: scope })
  return (
    <ReportFrame
      current="losses"
      title={t('losses.title')}
      note={t('losses.note')}
      loading={t('loading')}
      view={view}
      groups={[]}
      choice={{
        search: showAs(show),
        field: (
          <Segmented
            label={t('losses.scope')}
            isSmall
            value={show}
            onChange={(scope) =>
              void navigate({ to: '/reports/losses', search: { ...writeReport(view), ...showAs(scope) } as never })
            }
            options={LOSS_SCOPES.map((value) => ({
              value,
              label: t(`losses.${value}`, { count: counts?.[value], defaultValue: '' }),
            }))}
          />
        ),
      }}
      report={report}
      load={(format, timeZone) => callFile(exportLossReport, { query: { ...query, format, timeZone } })}
    >
      {(data) => (
        <section className={classes.card} aria-label={t('losses.title')}>
          {data.rows.length === 0 ? (
            <NoLoss view={view} show={show} />
          ) : (
            <Losses report={data} view={view} show={show} />
          )}
        </section>
      )}
    </ReportFrame>
  )
}

function NoLoss({ view, show }: { view: ReportView; show: LossScope }) {
  const { t } = useTranslation('report-times')
  const { spanOf } = useReportWords()
  const { from, to } = periodOf(view)
  const key = ({ all: 'none', billable: 'noneBillable', mine: 'noneMine' } as const)[show]
  return <p className={classes.empty}>{t(`losses.${key}`, { span: spanOf(from, to) })}</p>
}

function Losses({ report, view, show }: { report: LossReport; view: ReportView; show: LossScope }) {
  const { t } = useTranslation('report-times')
  const format = useFormat()
  const { rows, others, sum, counts } = report
  const address = listAddress(view, 'loss')
  return (
    <>
      <p className={classes.said}>
        <b>{t('losses.head', { count: sum.count })}</b>
        <span>
          {t('losses.together', { amount: format.money(sum.incomeCents) })}
          {show === 'all' && counts.billable > 0 ? `; ${t('losses.open', { count: counts.billable })}` : ''}
        </span>
        {show !== 'all' || address === null ? null : (
          <Link to="/orders" search={address as never}>
            {t('losses.asList')}
          </Link>
        )}
      </p>
      <table className={classes.table}>
        <colgroup>
          <col className={classes.column} />
          <col className={classes.column} data-wide />
          <col />
          <col className={classes.lane} data-wide />
          <col className={classes.column} data-wide />
          <col className={classes.column} data-wide />
          <col className={classes.share} />
          <col data-wide />
          <col className={classes.column} />
          <col className={classes.narrow} data-wide />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{t('losses.column.number')}</th>
            <th scope="col" data-wide>
              {t('losses.column.unloaded')}
            </th>
            <th scope="col">{t('losses.column.customer')}</th>
            <th scope="col" data-wide>
              {t('losses.column.lane')}
            </th>
            <th scope="col" className={classes.number} data-wide>
              {t('losses.column.price')}
            </th>
            <th scope="col" className={classes.number} data-wide>
              {t('losses.column.cost')}
            </th>
            <th scope="col" className={classes.number} aria-sort="descending">
              {t('losses.column.loss')}
            </th>
            <th scope="col" data-wide>
              {t('losses.column.why')}
            </th>
            <th scope="col">{t('losses.column.extra')}</th>
            <th scope="col" data-wide>
              {t('losses.column.caseWorker')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Loss key={row.id} row={row} />
          ))}
          {others === null ? null : (
            <Sum words={t('losses.more', { count: others.count })} cents={others.incomeCents} />
          )}
        </tbody>
        <tfoot>
          <Sum words={t('report:sum')} cents={sum.incomeCents} />
        </tfoot>
      </table>
    </>
  )
}

function Sum({ words, cents }: { words: string; cents: number }) {
  const format = useFormat()
  return (
    <tr>
      <th scope="row" colSpan={2}>
        {words}
      </th>
      <td data-wide />
      <td data-wide />
      <td data-wide />
      <td data-wide />
      <td className={classes.number} data-tone="loss" data-strong>
        {format.money(cents)}
      </td>
      <td data-wide />
      <td />
      <td data-wide />
    </tr>
  )
}

function Loss({ row }: { row: LossRow }) {
  const { t } = useTranslation('report-times')
  const format = useFormat()
  const why = useReasons(row.reasons)
  const to = `/orders/${row.id}/edit` as string
  const customer =
    row.customers > 1
      ? t('losses.several', { customer: row.customer.title, count: row.customers - 1 })
      : row.customer.title
  return (
    <tr>
      <th scope="row">
        <Link to={to}>{row.number}</Link>
      </th>
      <td data-wide>{format.dayShort(`${row.unloadedOn}T12:00:00Z`, 'UTC')}</td>
      <td>
        <span className={classes.name} title={customer}>
          {customer}
        </span>
        {why[0] === undefined ? null : <span className={classes.why}>{why[0]}</span>}
      </td>
      <td data-wide>
        <span className={classes.name}>
          <Place place={row.from} /> → <Place place={row.to} />
        </span>
      </td>
      <td className={classes.number} data-wide>
        {format.money(row.priceCents)}
      </td>
      <td className={classes.number} data-wide>
        {format.money(row.costCents)}
      </td>
      <td className={classes.number} data-tone="loss" data-strong>
        {format.money(row.incomeCents)}
      </td>
      <td data-wide>
        <span className={classes.name} title={why.join('; ')}>
          {why[0] ?? '–'}
        </span>
      </td>
      <td>
        {row.extras === 'open' ? (
          <Link
            to={to}
            hash="extras"
            aria-label={t('losses.billOf', { amount: format.euro(row.openCents), number: row.number })}
          >
            {t('losses.bill')}
          </Link>
        ) : row.extras === 'charged' ? (
          <span className={classes.dim}>{t('losses.charged')}</span>
        ) : null}
      </td>
      <td data-wide>{row.caseWorker === null ? null : <Avatar name={row.caseWorker.title} size={20} />}</td>
    </tr>
  )
}

function Place({ place }: { place: LossRow['from'] }) {
  if (place === null) return <>–</>
  return (
    <>
      <CountryCode code={place.countryCode} /> {place.city}
    </>
  )
}

/** The reasons in words, the dearest first; what somebody noted of an extra stands before its kind. */
function useReasons(reasons: readonly LossReason[]): string[] {
  const { t } = useTranslation(['report-times', 'history'])
  const format = useFormat()
  return reasons.map((reason) => {
    if (reason.kind === 'trucks') return t('losses.why.trucks', { count: reason.trucks })
    if (reason.kind === 'freight') return t('losses.why.freight')
    const words = t('losses.why.extra', {
      extra: t(`history:extra.kind.${reason.extra}`),
      amount: format.euro(reason.lossCents),
    })
    return reason.note === null ? words : `${words}: ${reason.note}`
  })
}
