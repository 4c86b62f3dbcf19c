import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { customerApi } from '@waybill/contract/customer'
import {
  listRecurringOrders,
  RECURRING_A_PAGE,
  RECURRING_SHOWN,
  type RecurringRow,
  type RecurringShown,
} from '@waybill/contract/order/recurring/recurring-order'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SearchField } from '../../kit/list/filter/search-field.tsx'
import { useRowInHand } from '../../kit/list/page/row-in-hand.ts'
import { ReferenceSelect } from '../../kit/list/reference/reference-select.tsx'
import { Avatar, CountryCode } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { StatusBadge } from '../../ui/marks/status-badge.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { TabBar } from '../../ui/page/tab-bar.tsx'
import { RECURRING_LOOKS, useWeekdays } from './recurring-words.ts'
import { useRowInView } from '../../ui/page/row-in-view.ts'
import classes from './recurring.module.css'

const addressOf = (show: RecurringShown): string =>
  show === 'active' ? '/recurring-orders' : `/recurring-orders?show=${show}`

/** Recurring orders by the day of their next order. */
export function RecurringListPage() {
  const { t } = useTranslation('recurring-order')
  const navigate = useNavigate()
  const address = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const show = RECURRING_SHOWN.find((one) => one === address.show) ?? 'active'
  const q = typeof address.q === 'string' ? address.q.slice(0, 100) : ''
  const customerId = Number(address.customerId) || null
  const page = Math.max(1, Number(address.page) || 1)
  const go = (change: { show?: RecurringShown; q?: string; customerId?: number | null; page?: number }) => {
    const next = { show, q, customerId, page: 1, ...change }
    const search = {
      ...(next.show !== 'active' && { show: next.show }),
      ...(next.q !== '' && { q: next.q }),
      ...(next.customerId !== null && { customerId: next.customerId }),
      ...(next.page > 1 && { page: next.page }),
    }
    void navigate({ to: '/recurring-orders', search: search as never, replace: true, resetScroll: false })
  }
  const query = { show, ...(q !== '' && { q }), ...(customerId !== null && { customerId }) }
  const { data, error, refetch } = useQuery({
    queryKey: ['recurring-orders', 'list', { ...query, page }],
    queryFn: ({ signal }) => callApi(listRecurringOrders, { query: { ...query, page }, signal }),
    placeholderData: (before) => before,
  })
  const isFiltered = q !== '' || customerId !== null || show !== 'active'
  const pageCount = Math.max(1, Math.ceil((data?.total ?? 0) / RECURRING_A_PAGE))
  return (
    <div className={classes.page}>
      <PageHead title={t('title')} note={t('howMade')} />
      <TabBar
        label={t('title')}
        current={show}
        tabs={RECURRING_SHOWN.map((key) => ({
          key,
          label: t(`shown.${key}`),
          href: addressOf(key),
          ...(data !== undefined && key !== 'all' && { count: data.counts[key] }),
          ...(key === 'followUp' && (data?.counts.followUp ?? 0) > 0 && { countTone: 'warn' as const }),
        }))}
        onSelect={(key) => go({ show: key })}
      />
      <div className={classes.filter}>
        <SearchField label={t('find')} q={q} onFind={(text) => go({ q: text })} />
        <ReferenceSelect
          api={customerApi}
          label={<span className={classes.hidden}>{t('columns.customer')}</span>}
          placeholder={t('allCustomers')}
          value={customerId}
          onChange={(id) => go({ customerId: id })}
        />
      </div>
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? (
        error ? null : (
          <SkeletonLines lines={12} label={t('title')} />
        )
      ) : data.items.length === 0 ? (
        <EmptyState icon="refresh" title={t(isFiltered ? 'nothingFound' : 'empty')}>
          {t(isFiltered ? 'nothingFoundText' : 'emptyText')}
        </EmptyState>
      ) : (
        <RecurringTable rows={data.items} />
      )}
      {pageCount > 1 ? (
        <div className={classes.pages}>
          <Button size="compact-sm" disabled={page === 1} onClick={() => go({ page: page - 1 })}>
            {t('previous')}
          </Button>
          <span>{t('pageOf', { page, count: pageCount })}</span>
          <Button size="compact-sm" disabled={page >= pageCount} onClick={() => go({ page: page + 1 })}>
            {t('next')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function RecurringTable({ rows }: { rows: readonly RecurringRow[] }) {
  const { t } = useTranslation('recurring-order')
  const format = useFormat()
  const weekdays = useWeekdays()
  const hand = useRowInHand(rows, false)
  const body = useRef<HTMLTableSectionElement>(null)
  useRowInView(body, hand.id)
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('title')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" data-wide>
              {t('columns.title')}
            </th>
            <th scope="col">{t('columns.state')}</th>
            <th scope="col" data-wide data-desk>
              {t('columns.customer')}
            </th>
            <th scope="col" data-wide data-desk>
              {t('columns.lane')}
            </th>
            <th scope="col" data-desk>
              {t('columns.days')}
            </th>
            <th scope="col">{t('columns.next')}</th>
            <th scope="col" data-number data-desk>
              {t('columns.made')}
            </th>
            <th scope="col" data-desk>
              {t('columns.keeper')}
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr key={row.id} data-current={hand.id === row.id || undefined}>
              <td data-wide title={row.title}>
                <Link to="/recurring-orders/edit/$id" params={{ id: String(row.id) }}>
                  {row.title}
                </Link>
              </td>
              <td>
                <StatusBadge status={RECURRING_LOOKS[row.state]}>{t(`states.${row.state}`)}</StatusBadge>
              </td>
              <td data-wide data-desk title={row.customer.title}>
                {row.customer.title}
              </td>
              <td data-wide data-desk>
                <CountryCode code={row.from.countryCode} /> {row.from.city ?? row.from.postal}{' '}
                <span className={classes.dim}>→</span> <CountryCode code={row.to.countryCode} />{' '}
                {row.to.city ?? row.to.postal}
              </td>
              <td data-desk>
                {weekdays.several(row.weekdays)}
                {row.everyWeeks === 1 ? null : (
                  <span className={classes.dim}> · {t('everyWeeks', { count: row.everyWeeks })}</span>
                )}
              </td>
              <td data-late={row.faultReason !== null || undefined}>
                {row.faultReason === null
                  ? row.nextDay === null
                    ? '–'
                    : format.shortWeekdayDate(row.nextDay)
                  : t(`faults.short.${row.faultReason}`)}
              </td>
              <td data-number data-desk>
                {format.number(row.madeCount)}
              </td>
              <td data-desk>
                <Avatar name={row.keeper.title} size={20} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
