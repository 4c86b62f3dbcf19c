import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { OLD_DAYS } from '@waybill/contract/invoice/check'
import { TO_CHECK_VIEWS, type InvoiceToCheck, type ToCheckView } from '@waybill/contract/invoice/checking'
import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { Light } from '../../../ui/marks/light.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import classes from './check.module.css'
import { queueQuery } from './use-check.ts'

/** Carriers' invoices that wait, the oldest first. */
export function CheckQueue({
  view,
  onView,
  current,
}: {
  view: ToCheckView
  onView: (view: ToCheckView) => void
  current: number | null
}) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(queueQuery(view))
  const first = data?.pages[0]
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <aside className={classes.queue} aria-label={t('queue')}>
      <div className={classes.queueHead}>
        <Segmented
          isSmall
          label={t('queue')}
          value={view}
          onChange={onView}
          options={TO_CHECK_VIEWS.map((one) => ({
            value: one,
            label: (
              <>
                {t(`view.${one}`)} {first === undefined ? '' : format.number(first.counts[one])}
              </>
            ),
          }))}
        />
      </div>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : first === undefined ? (
        <div className={classes.waiting}>
          <SkeletonLines lines={10} label={t('loading')} />
        </div>
      ) : (
        <>
          <ul className={classes.rows}>
            {items.map((item) => (
              <QueueRow key={item.id} item={item} view={view} isCurrent={item.id === current} />
            ))}
            {hasNextPage ? (
              <li className={classes.more}>
                <Button size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  {t('more')}
                </Button>
              </li>
            ) : null}
          </ul>
          <div className={classes.queueFoot}>
            <span>{t(`waiting.${view}`, { count: first.counts[view] })}</span>
            <b>{format.euro(first.totalCents)}</b>
          </div>
        </>
      )}
      <div className={classes.queueKeys}>
        <span>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {t('keys.nextPrevious')}
        </span>
        <span>
          <KeyHint>?</KeyHint> {t('keys.all')}
        </span>
      </div>
    </aside>
  )
}

interface QueueRowProps {
  item: InvoiceToCheck
  view: ToCheckView
  isCurrent: boolean
}

/** Drawn again only where it says something else: each key goes on by one, and there are fifty rows and more. */
const QueueRow = memo(function QueueRow({ item, view, isCurrent }: QueueRowProps) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  const { verdict, carrier, ageDays, totalCents, currency, problemKind } = item
  const navigate = useNavigate()
  const row = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const isHeld = view === 'in_progress'
  const open = (event: React.MouseEvent) => {
    // In a tab of its own, where that is wanted, as any link.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate({
      to: '/invoices/check' as string,
      search: { invoice: String(item.id), ...(isHeld && { view }) } as never,
    })
  }
  const number = item.number ?? item.innerNumber
  return (
    <li>
      {/* Not the router's link: each of those listens to every step, and all rows would be drawn at each key. */}
      <a
        ref={row}
        href={`/invoices/check?invoice=${item.id}${isHeld ? `&view=${view}` : ''}`}
        onClick={open}
        aria-current={isCurrent || undefined}
        className={classes.row}
      >
        <Light level={verdict.level} label={t(`level.${verdict.level}`)} />
        <span className={classes.rowName} title={`${carrier}, ${number}`}>
          {carrier}
          {problemKind === null ? null : <small>{t(`problem.kind.${problemKind}`)}</small>}
        </span>
        <span className={classes.rowNumber}>{number}</span>
        <span className={classes.rowAge} data-old={ageDays >= OLD_DAYS || undefined}>
          {ageDays === 0 ? t('today') : t('days', { count: ageDays })}
        </span>
        <b>{format.money(totalCents, currency)}</b>
      </a>
    </li>
  )
})
