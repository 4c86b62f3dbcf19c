import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  lacksReceiver,
  type MonthEndCustomer,
  type MonthEndOrder,
  type MonthEndProposal,
} from '@waybill/contract/invoice/month-end/month-end'
import { ORDER_ACCESS } from '@waybill/contract/permissions'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Light } from '../../../ui/marks/light.tsx'
import { CountryCode, Mark } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { CustomerLink } from '../../customer/customer-link.tsx'
import { DraftPaper } from './draft-paper.tsx'
import { MissingRate } from '../ksef/missing-rate.tsx'
import { MendLink } from './mend-link.tsx'
import classes from './month-end.module.css'
import type { Choice } from './use-choice.ts'
import { customerQuery, type Asked } from './use-month-end.ts'

interface CustomerOrdersProps {
  asked: Asked
  customer: MonthEndCustomer
  choice: Choice
  isPaper: boolean
  onPaper: (isPaper: boolean) => void
  onCompany: (id: number) => void
  /** on a phone this lies over the list */
  onClose: () => void
}

/** What one customer is billed: order by order, or as the paper that it would get. */
export function CustomerOrders({
  asked,
  customer: { customer },
  choice,
  isPaper,
  onPaper,
  onCompany,
  onClose,
}: CustomerOrdersProps) {
  const { t } = useTranslation('month-end')
  const without = choice.without(customer.id)
  const { data, error, refetch } = useQuery(customerQuery(asked, customer.id, without))
  const ready = data?.orders.filter(({ reason }) => reason === null) ?? []
  return (
    <section className={classes.detail} aria-label={customer.title}>
      <header className={classes.detailHead}>
        <span className={classes.onPhone}>
          <IconButton icon="chevronLeft" label={t('back')} onClick={onClose} />
        </span>
        <h2>
          <CustomerLink of={customer} />
        </h2>
        {data === undefined ? null : (
          <span className={classes.marks}>
            <Mark>{t(`format.${data.format}`)}</Mark>
            <Mark>{t(`language.${data.language as 'en' | 'de' | 'pl'}`)}</Mark>
            <Mark>{t('days', { count: data.paymentPeriodDays })}</Mark>
          </span>
        )}
        <span className={classes.grow} />
        <Segmented
          isSmall
          label={customer.title}
          value={isPaper ? 'paper' : 'orders'}
          onChange={(view) => onPaper(view === 'paper')}
          options={[
            { value: 'orders', label: t('view.orders', { count: data?.orders.length ?? 0 }) },
            { value: 'paper', label: t('view.paper') },
          ]}
        />
      </header>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines lines={8} label={t('loading')} />
      ) : isPaper ? (
        <DraftPaper asked={asked} customerId={customer.id} without={without} count={data.invoices.length} />
      ) : (
        <div className={classes.orders}>
          <OrderTable orders={ready} without={without} onToggle={(order) => choice.toggleOrder(customer.id, order)} />
          <Blocked orders={data.orders.filter(({ reason }) => reason !== null)} onCompany={onCompany} />
        </div>
      )}
      {data === undefined || isPaper ? null : <Sums proposal={data} companyId={asked.companyId} />}
    </section>
  )
}

function Place({ place: { countryCode, city } }: { place: MonthEndOrder['from'] }) {
  return (
    <>
      {countryCode === null ? null : <CountryCode code={countryCode} />} {city}
    </>
  )
}

function Way({ order: { from, to } }: { order: MonthEndOrder }) {
  return (
    <>
      <Place place={from} /> <span className={classes.dim}>→</span> <Place place={to} />
    </>
  )
}

function OrderNumber({ order: { order } }: { order: MonthEndOrder }) {
  if (!hasAccess(ORDER_ACCESS)) return order.title
  return (
    <Link to="/orders/$id/edit" params={{ id: String(order.id) }}>
      {order.title}
    </Link>
  )
}

interface OrderTableProps {
  orders: readonly MonthEndOrder[]
  without: readonly number[]
  onToggle: (order: MonthEndOrder) => void
}

function OrderTable({ orders, without, onToggle }: OrderTableProps) {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  if (orders.length === 0) return <p className={classes.none}>{t('noneReady')}</p>
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th>
            <span className={classes.hidden}>{t('column.billed')}</span>
          </th>
          <th>{t('column.order')}</th>
          <th data-wide>{t('column.theirs')}</th>
          <th data-wide>{t('column.unloaded')}</th>
          <th>{t('column.way')}</th>
          <th data-end>{t('column.net')}</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((one) => (
          <tr key={one.order.id}>
            <td>
              <input
                type="checkbox"
                aria-label={t('tick', { name: one.order.title })}
                checked={!without.includes(one.order.id)}
                onChange={() => onToggle(one)}
              />
            </td>
            <td>
              <OrderNumber order={one} />
            </td>
            <td data-wide className={classes.dim}>
              {one.customerOrderNumber}
            </td>
            <td data-wide>{one.day === null ? '–' : format.dayShort(`${one.day}T12:00:00Z`)}</td>
            <td>
              <Way order={one} />
              {one.extraCount === 0 ? null : (
                <span className={classes.extras}>
                  {t(one.isExtrasOnly ? 'extrasOnly' : 'extras', { count: one.extraCount })}
                </span>
              )}
            </td>
            <td data-end>{format.money(one.netCents ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What is not billed stays in sight, with the one thing that helps. */
function Blocked({ orders, onCompany }: { orders: readonly MonthEndOrder[]; onCompany: (id: number) => void }) {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  if (orders.length === 0) return null
  return (
    <>
      <h3 className={classes.group}>{t('blocked', { count: orders.length })}</h3>
      <ul className={classes.blocked}>
        {orders.map((one) => (
          <li key={one.order.id}>
            <Light level={one.reason === 'no_price' ? 'stop' : 'look'} label={t(`reason.${one.reason!}`)} />
            <span className={classes.number}>
              <OrderNumber order={one} />
            </span>
            <b>{t(`reason.${one.reason!}`)}</b>
            <span className={classes.way}>
              <Way order={one} />
            </span>
            <span className={classes.amount}>{one.netCents === null ? '–' : format.money(one.netCents)}</span>
            <span className={classes.help}>
              <Help order={one} onCompany={onCompany} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Help({
  order: { order, reason, draft, company },
  onCompany,
}: {
  order: MonthEndOrder
  onCompany: (id: number) => void
}) {
  const { t } = useTranslation('month-end')
  if (reason === 'other_company' && company !== null)
    return (
      <button type="button" className={classes.link} onClick={() => onCompany(company.id)}>
        {t('help.company', { name: company.title })}
      </button>
    )
  if (draft !== null)
    return (
      <Link to="/invoices/$id/edit" params={{ id: String(draft.id) }}>
        {t('help.draft', { number: draft.title })}
      </Link>
    )
  if (!hasAccess(ORDER_ACCESS)) return null
  return (
    <Link to="/orders/$id/edit" params={{ id: String(order.id) }}>
      {t('help.order')}
    </Link>
  )
}

function Pods({ invoices }: Pick<MonthEndProposal, 'invoices'>) {
  const { t } = useTranslation('month-end')
  const pages = invoices.reduce((sum, { podPages }) => sum + podPages, 0)
  const files = invoices.reduce((sum, { podFiles }) => sum + podFiles, 0)
  if (pages + files === 0) return null
  return (
    <p className={classes.dim}>
      {[pages > 0 && t('pods.pages', { count: pages }), files > 0 && t('pods.files', { count: files })]
        .filter(Boolean)
        .join(', ')}
    </p>
  )
}

/** Who gets it, what hinders it, and what it comes to: of each of its invoices. */
function Sums({ proposal, companyId }: { proposal: MonthEndProposal; companyId: number }) {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  const { invoices, receiver, customer } = proposal
  const isLost = lacksReceiver(proposal)
  const findings = invoices.flatMap((one) => one.findings)
  const rateMissing = invoices.flatMap((one) => one.rateMissing ?? [])[0]
  const shown = findings.filter(
    ({ message }, index) => findings.findIndex((other) => other.message === message) === index,
  )
  if (invoices.length === 0) return null
  return (
    <footer className={classes.sums} data-stopped={shown.length > 0 || isLost || undefined}>
      <div className={classes.grow}>
        {isLost ? (
          <p className={classes.fault}>
            <Light level="stop" label={t('noReceiver')} /> {t('noReceiver')}{' '}
            <MendLink path="customer.invoiceEmail" customerId={customer.id} companyId={companyId} />
          </p>
        ) : !proposal.isMailWanted ? (
          <p>{t('noMailWanted')}</p>
        ) : (
          <p>
            {t('to')} <b>{receiver}</b>
          </p>
        )}
        {shown.length === 0 ? (
          <p className={classes.dim}>
            {t('due', { date: format.date(invoices[0]!.dueDate) })}
            {proposal.format === 'pdf' ? null : `, ${t('noFindings')}`}
          </p>
        ) : (
          shown.map(({ message, record, path }) => (
            <p key={message} className={classes.fault}>
              <Light level="stop" label={t('hinders')} /> {message}{' '}
              <MendLink path={`${record}.${path}`} customerId={customer.id} companyId={companyId} />
            </p>
          ))
        )}
        {rateMissing === undefined ? null : (
          <MissingRate key={rateMissing} day={rateMissing} queryKey={['month-end', 'customer']} isSaid />
        )}
        <Pods invoices={invoices} />
        {invoices.length > 1 ? <p className={classes.dim}>{t('split', { count: invoices.length })}</p> : null}
      </div>
      {invoices.map((one) => (
        <dl key={one.orderIds.join(' ')} className={classes.total}>
          <div>
            <dt>{t('sum.net', { count: one.orderIds.length })}</dt>
            <dd>{format.money(one.amountCents)}</dd>
          </div>
          {one.vatGroups.map((group) => (
            <div key={`${group.vatBp} ${group.vatCategory}`}>
              <dt>{t('sum.vat', { rate: format.percent(group.vatBp) })}</dt>
              <dd>{format.money(group.vatCents)}</dd>
            </div>
          ))}
          <div>
            <dt>{t('sum.total')}</dt>
            <dd>
              <b>{format.euro(one.totalCents)}</b>
            </dd>
          </div>
        </dl>
      ))}
    </footer>
  )
}
