import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { addDays } from '@waybill/contract/kit/local-time'
import {
  exportQuotes,
  FOLLOW_UP_DAYS,
  listQuotes,
  QUOTES_A_PAGE,
  QUOTES_SHOWN,
  type QuoteRow,
  type QuotesShown,
} from '@waybill/contract/quote/quote'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { SearchField } from '../../kit/list/filter/search-field.tsx'
import { ExportMenu } from '../../kit/list/page/export-menu.tsx'
import { useRowInHand } from '../../kit/list/page/row-in-hand.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Avatar, CountryCode, KeyHint, MoneyText } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { StatusBadge } from '../../ui/marks/status-badge.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { useRowInView } from '../../ui/page/row-in-view.ts'
import { QuoteTabs } from './quote-tabs.tsx'
import { QUOTE_LOOKS } from './quote-words.ts'
import classes from './quote.module.css'

// What runs out does so without anybody changing it.
const REFRESH_MS = 60_000

/** Quotes by how they stand, the newest first. */
export function QuoteListPage() {
  const { t } = useTranslation('quote')
  const format = useFormat()
  const navigate = useNavigate()
  const address = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const show = QUOTES_SHOWN.find((one) => one === address.show) ?? 'all'
  const q = typeof address.q === 'string' ? address.q.slice(0, 100) : ''
  const page = Math.max(1, Number(address.page) || 1)
  const go = (change: { show?: QuotesShown; q?: string; page?: number }) => {
    const next = { show, q, page: 1, ...change }
    const search = {
      ...(next.show !== 'all' && { show: next.show }),
      ...(next.q !== '' && { q: next.q }),
      ...(next.page > 1 && { page: next.page }),
    }
    void navigate({ to: '/quotes', search: search as never, replace: true, resetScroll: false })
  }
  const query = { show, page: String(page), ...(q !== '' && { q }) }
  const { data, error, refetch } = useQuery({
    queryKey: ['quotes', 'list', query],
    queryFn: ({ signal }) => callApi(listQuotes, { query: { ...query, page }, signal }),
    placeholderData: (before) => before,
    refetchInterval: REFRESH_MS,
  })
  // Customers answer by their links meanwhile, and colleagues write.
  useLiveChanges('quote', () => void refetch())
  useShortcut({ key: 'n', label: t('new'), run: () => void navigate({ to: '/quotes/create' }) })
  const isFiltered = q !== '' || show !== 'all'
  const lately = data?.lately
  const pageCount = Math.max(1, Math.ceil((data?.total ?? 0) / QUOTES_A_PAGE))
  return (
    <div className={classes.page}>
      <PageHead
        title={t('title')}
        note={data === undefined ? '' : t('openOnes', { count: data.counts.open, sum: format.euro(data.openCents) })}
        actions={
          <>
            <ExportMenu
              exportAs={(format) => {
                const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
                return callFile(exportQuotes, { query: { show, ...(q !== '' && { q }), format, timeZone } })
              }}
            />
            <Button
              variant="filled"
              leftSection={<Icon name="plus" />}
              rightSection={<KeyHint>N</KeyHint>}
              onClick={() => void navigate({ to: '/quotes/create' })}
            >
              {t('new')}
            </Button>
          </>
        }
      />
      <QuoteTabs current={show} counts={data?.counts}>
        {lately === undefined || lately.answeredCount === 0 ? null : (
          <span className={classes.lately}>
            {t('lately', { accepted: lately.acceptedCount, count: lately.answeredCount })}
            {lately.marginBp === null ? null : (
              <>
                {' · '}
                {t('margin')}{' '}
                <MoneyText tone={lately.marginBp < 0 ? 'negative' : 'positive'} isStrong>
                  {format.percent(lately.marginBp)}
                </MoneyText>
              </>
            )}
          </span>
        )}
      </QuoteTabs>
      <div className={classes.filter}>
        <SearchField label={t('find')} q={q} onFind={(text) => go({ q: text })} />
      </div>
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? (
        error ? null : (
          <SkeletonLines lines={12} label={t('title')} />
        )
      ) : data.items.length === 0 ? (
        <EmptyState icon="tag" title={t(isFiltered ? 'nothingFound' : 'empty')}>
          {t(isFiltered ? 'nothingFoundText' : 'emptyText')}
        </EmptyState>
      ) : (
        <QuoteTable rows={data.items} />
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

function QuoteTable({ rows }: { rows: readonly QuoteRow[] }) {
  const { t } = useTranslation('quote')
  const format = useFormat()
  const hand = useRowInHand(rows, false)
  const body = useRef<HTMLTableSectionElement>(null)
  useRowInView(body, hand.id)
  const soon = useMemo(() => addDays(localToday(), FOLLOW_UP_DAYS), [])
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('title')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('columns.number')}</th>
            <th scope="col">{t('columns.state')}</th>
            <th scope="col" data-wide>
              {t('columns.customer')}
            </th>
            <th scope="col" data-wide data-desk>
              {t('columns.lane')}
            </th>
            <th scope="col" data-number>
              {t('columns.price')}
            </th>
            <th scope="col" data-number data-desk>
              {t('columns.margin')}
            </th>
            <th scope="col" data-desk>
              {t('columns.validUntil')}
            </th>
            <th scope="col" data-desk>
              {t('columns.last')}
            </th>
            <th scope="col" data-desk>
              {t('columns.caseWorker')}
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr key={row.id} data-current={hand.id === row.id || undefined}>
              <td>
                <Link to="/quotes/edit/$id" params={{ id: String(row.id) }}>
                  {row.number}
                </Link>
              </td>
              <td>
                <StatusBadge status={QUOTE_LOOKS[row.state]}>{t(`states.${row.state}`)}</StatusBadge>
              </td>
              <td data-wide title={row.customer.title}>
                {row.customer.title}
              </td>
              <td data-wide data-desk>
                <CountryCode code={row.from.countryCode} /> {row.from.city ?? row.from.postal}{' '}
                <span className={classes.dim}>→</span> <CountryCode code={row.to.countryCode} />{' '}
                {row.to.city ?? row.to.postal}
              </td>
              <td data-number>{row.priceCents === null ? '–' : format.money(row.priceCents)}</td>
              <td data-number data-desk>
                {row.marginBp === null ? (
                  ''
                ) : (
                  <MoneyText tone={row.marginBp < 0 ? 'negative' : 'positive'}>
                    {format.percent(row.marginBp)}
                  </MoneyText>
                )}
              </td>
              <td data-desk data-late={(row.state === 'sent' && row.validUntil <= soon) || undefined}>
                {format.date(row.validUntil)}
              </td>
              <td data-desk data-last>
                <LastWords row={row} />
              </td>
              <td data-desk>{row.caseWorker === null ? null : <Avatar name={row.caseWorker.title} size={20} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What came of it, or since when it waits. */
function LastWords({ row }: { row: QuoteRow }) {
  const { t } = useTranslation('quote')
  const format = useFormat()
  const { order, state, lostReason, answerRemark, sentAt, createdAt } = row
  if (order !== null)
    return order.id === null ? (
      order.number
    ) : (
      <Link to="/orders/$id/edit" params={{ id: String(order.id) }}>
        {order.number}
      </Link>
    )
  if (state === 'accepted') return <span className={classes.warn}>{t('noOrderYet')}</span>
  if (state === 'refused')
    return (
      <span className={classes.dim} title={answerRemark ?? undefined}>
        {[lostReason === null ? '' : t(`reasons.${lostReason}`), answerRemark ?? ''].filter(Boolean).join(': ') ||
          t('noReason')}
      </span>
    )
  return <span className={classes.dim}>{format.dayTime(sentAt ?? createdAt)}</span>
}
