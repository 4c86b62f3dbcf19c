import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { departmentApi } from '@waybill/contract/department'
import { orderApi } from '@waybill/contract/order/order'
import { isLoaded, OPEN_STATUSES } from '@waybill/contract/order/status'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { localToday } from '../../../kit/list/filter/filters.ts'
import { useTitles } from '../../../kit/list/reference/references.ts'
import { currentSession, hasAccess } from '../../../kit/session/session.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { Avatar, Count, KeyHint, MoneyText } from '../../../ui/marks/marks.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { TabBar } from '../../../ui/page/tab-bar.tsx'
import classes from './dashboard.module.css'
import { DashboardDay } from './dashboard-day.tsx'
import { DashboardWaiting } from './dashboard-waiting.tsx'
import { Appointment, Lane, OrderDelay } from '../list/columns.tsx'
import { OrderMarks } from '../status/marks.tsx'
import { marginTone, STANDARD_MARGIN_WARNING_BP } from '../values/money.ts'
import { dashboardPath } from '../values/paths.ts'
import { OrderStatusBadge } from '../status/status-badge.tsx'
import {
  listAddresses,
  useDashboard,
  useDashboardScope,
  type DashboardOrder,
  type DashboardRows,
} from './use-dashboard.ts'

const NEW_ORDER = '/dashboard/create' as string

/**
 * What today asks for: delays first, what is loaded and unloaded, what waits for the person,
 * and what is new and under way (spec §2, Dashboard).
 */
export function DashboardPage() {
  const { t } = useTranslation('dashboard')
  const { t: words } = useTranslation('order-list')
  const navigate = useNavigate()
  const format = useFormat()
  const now = useMinute()
  const today = localToday(now)
  const { scope, narrowing, address, choose } = useDashboardScope()
  const dashboard = useDashboard(narrowing, today)
  const lists = listAddresses(address, today)
  const [tab, setTab] = useState<'new' | 'ongoing'>('new')
  const profile = currentSession()?.profile
  const departmentId = narrowing.departmentId?.[0] ?? profile?.departmentId ?? null
  const department = useTitles(departmentApi, departmentId === null ? [] : [departmentId]).get(departmentId ?? 0)
  const departmentName = department ?? t('department')
  const mayCreate = hasAccess(orderApi.create.access)
  useShortcut({ key: 'n', label: words('newOrder'), run: () => void navigate({ to: NEW_ORDER }) }, mayCreate)
  const counts = dashboard.counts.data
  // The parts come together the first time, so that none pushes another away; later each waits for itself alone.
  const isHere = useOnce(dashboard.isAnswered && (departmentId === null || department !== undefined))
  const open = { new: dashboard.new, ongoing: dashboard.ongoing }[tab]
  return (
    <div className={classes.page}>
      <PageHead
        title={t(`greeting.${partOfDay(now)}`, { name: profile?.fullName.split(' ')[0] ?? '' })}
        note={t('today', {
          date: now.toLocaleDateString(format.locale, {
            weekday: 'long',
            day: 'numeric',
            month: 'long',
            year: 'numeric',
          }),
          week: isoWeek(today),
        })}
        actions={
          <>
            <div className={classes.scope}>
              <Segmented
                isSmall
                label={t('whose')}
                value={scope}
                onChange={choose}
                options={[
                  { value: 'mine', label: t('mine') },
                  ...(departmentId === null
                    ? []
                    : [{ value: 'department' as const, label: departmentName, title: departmentName, mayBeCut: true }]),
                  { value: 'all', label: t('all') },
                ]}
              />
            </div>
            {mayCreate ? (
              <Button
                size="compact-sm"
                variant="filled"
                leftSection={<Icon name="plus" />}
                renderRoot={(props) => <Link to={NEW_ORDER} {...props} />}
              >
                {words('newOrder')}
                <span className={classes.key} aria-hidden>
                  <KeyHint>N</KeyHint>
                </span>
              </Button>
            ) : null}
          </>
        }
      />
      <nav className={classes.flow} aria-label={t('byStatus')}>
        {OPEN_STATUSES.map((status) => (
          <Link key={status} to="/orders" search={lists.ofStatus(status) as never}>
            <OrderStatusBadge status={status} />
            <b>{counts === undefined ? '–' : format.number(counts.byStatus[status])}</b>
          </Link>
        ))}
        <span className={classes.gap} />
        {isHere ? (
          <>
            <Mails status="held" total={dashboard.heldMails.data?.total} />
            <Mails status="failed" total={dashboard.failedMails.data?.total} />
            <Ksef total={dashboard.ksef.data} />
            <Week week={dashboard.week.data} />
          </>
        ) : null}
      </nav>
      {isHere ? null : (
        <div className={classes.coming}>
          <SkeletonLines lines={12} label={t('loadingRows')} />
        </div>
      )}
      <div className={classes.parts} hidden={!isHere}>
        <div className={classes.delays}>
          <Section
            title={
              <Titled count={dashboard.delays.data?.total} tone="danger">
                {t('delays')}
              </Titled>
            }
            summary={t('worstFirst')}
            actions={<OpenList search={lists.delays} />}
            isFlush
          >
            <Rows
              rows={dashboard.delays}
              label={t('delays')}
              empty={t('noDelays')}
              at={(row) => (row.delay?.kind === 'sending' ? row.from : row.to)}
              note={(row) => (row.delay === null ? '' : t(`expected.${row.delay.kind}`))}
              isLate
            />
          </Section>
        </div>
        <div className={classes.loading}>
          <DashboardDay kind="loading" rows={dashboard.loading} now={now} search={lists.loading} />
        </div>
        <div className={classes.unloading}>
          <DashboardDay kind="unloading" rows={dashboard.unloading} now={now} search={lists.unloading} />
        </div>
        <div className={classes.fresh}>
          <Section
            title={
              <TabBar
                label={t('newAndOngoing')}
                current={tab}
                onSelect={setTab}
                tabs={[
                  {
                    key: 'new',
                    label: t('new'),
                    ...(counts === undefined ? {} : { count: format.number(counts.byStatus.new) }),
                  },
                  {
                    key: 'ongoing',
                    label: t('ongoing'),
                    ...(counts === undefined
                      ? {}
                      : {
                          count: format.number(
                            counts.byStatus.scheduled + counts.byStatus.in_transit + counts.byStatus.arrived,
                          ),
                        }),
                  },
                ]}
              />
            }
            summary={t(tab === 'new' ? 'nextLoadingFirst' : 'nextDueFirst')}
            actions={<OpenList search={lists[tab]} />}
            isFlush
          >
            <Rows
              rows={open}
              label={t(tab)}
              empty={t('nothingHere')}
              at={(row) => (isLoaded(row.status) ? row.to : row.from)}
              note={(row) => (tab === 'new' ? '' : words(`status.${row.status}`))}
            />
          </Section>
        </div>
        <div className={classes.waiting}>
          <DashboardWaiting
            answer={dashboard.waiting}
            mentions={dashboard.mentions.data?.items ?? []}
            held={dashboard.myHeldMails.data}
          />
        </div>
      </div>
    </div>
  )
}

/** True from the first time that something was. */
function useOnce(isNow: boolean): boolean {
  const [was, setWas] = useState(isNow)
  if (isNow && !was) setWas(true)
  return isNow || was
}

// So that the line for now goes on, and midnight brings the next day.
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

const NOON = 12
const EVENING = 18

function partOfDay(now: Date): 'morning' | 'afternoon' | 'evening' {
  const hour = now.getHours()
  return hour < NOON ? 'morning' : hour < EVENING ? 'afternoon' : 'evening'
}

const DAY_MS = 86_400_000

/** The week of ISO 8601: it belongs to the year in which its Thursday lies. */
function isoWeek(today: string): number {
  const day = Date.parse(`${today}T00:00:00Z`)
  const thursday = day + (3 - ((new Date(day).getUTCDay() + 6) % 7)) * DAY_MS
  const yearBegins = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1)
  return 1 + Math.floor((thursday - yearBegins) / (7 * DAY_MS))
}

/** A section's name with how many there are. */
function Titled({
  children,
  count,
  tone = 'plain',
}: {
  children: ReactNode
  count: number | undefined
  tone?: 'plain' | 'danger'
}) {
  const { number } = useFormat()
  return (
    <span className={classes.titled}>
      {children}
      {count === undefined ? null : <Count tone={count > 0 ? tone : 'plain'}>{number(count)}</Count>}
    </span>
  )
}

function OpenList({ search }: { search: Record<string, unknown> }) {
  const { t } = useTranslation('dashboard')
  return (
    <Link to="/orders" search={search as never} className={classes.openList}>
      {t('openAsList')}
    </Link>
  )
}

interface RowsProps {
  rows: DashboardRows
  label: string
  empty: string
  /** The appointment that matters here */
  at: (row: DashboardOrder) => DashboardOrder['from']
  note: (row: DashboardOrder) => string
  isLate?: boolean
}

/** Some orders in a line each, with what a glance asks of them. */
function Rows({ rows, label, empty, at, note, isLate = false }: RowsProps) {
  const { t } = useTranslation('order-list')
  const { t: day } = useTranslation('dashboard')
  const format = useFormat()
  if (rows.data === undefined)
    return rows.error === null ? (
      <SkeletonLines lines={4} label={day('loadingRows')} />
    ) : (
      <LoadError error={rows.error} onRetry={() => void rows.refetch()} />
    )
  if (rows.data.rows.length === 0) return <p className={classes.nothing}>{empty}</p>
  return (
    <table className={classes.rows} aria-label={label}>
      <tbody>
        {rows.data.rows.map((row) => (
          <tr key={row.id}>
            <td className={classes.number}>
              <Link to={dashboardPath(row.id) as string}>{row.number}</Link>
            </td>
            <td className={classes.customer} title={row.customer?.title}>
              {row.customer?.title}
            </td>
            <td className={classes.lane}>
              <Lane row={row} t={t} />
            </td>
            <td className={classes.when}>
              <Appointment place={at(row)} format={format} /> <span>{note(row)}</span>
            </td>
            <td className={classes.mark}>
              {isLate ? <OrderDelay row={row} format={format} t={t} withoutDay /> : <OrderMarks of={row} />}
            </td>
            <td className={classes.end}>
              {isLate ? (
                row.caseWorker === null ? null : (
                  <Avatar name={row.caseWorker.title} size={20} />
                )
              ) : (
                <MoneyText>{row.customerPriceCents === null ? '–' : format.money(row.customerPriceCents)}</MoneyText>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Mails that did not leave, where there are some: they lead to their list. */
function Mails({ status, total = 0 }: { status: 'held' | 'failed'; total: number | undefined }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  if (total === 0) return null
  return (
    <Link to={'/mails' as string} search={{ status: [status] } as never} data-trouble>
      <Icon name="mail" size={14} /> {t(`mails.${status}`)} <b>{format.number(total)}</b>
    </Link>
  )
}

/** Invoices that KSeF rejected or should have by now, and certificates that end, where there are some. */
function Ksef({ total = 0 }: { total: number | undefined }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  if (total === 0) return null
  return (
    <Link to={'/invoices/ksef' as string} data-trouble>
      <Icon name="alert" size={14} /> {t('ksef')} <b>{format.number(total)}</b>
    </Link>
  )
}

function Week({ week }: { week: ReturnType<typeof useDashboard>['week']['data'] }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  if (week === undefined) return null
  const euros = format.number(Math.round(week.customerPriceCents / 100))
  const number = `${format.number(week.count)}${week.isExact ? '' : '+'}`
  return (
    <span className={classes.week}>
      {t('thisWeek')} <b>{t('orders', { count: week.count, number })}</b> · <b>{`${euros}\u00A0€`}</b>
      {week.marginBp === null ? null : (
        <>
          {' · '}
          {t('margin')}{' '}
          <MoneyText isStrong tone={marginTone(week.incomeCents, week.marginBp, STANDARD_MARGIN_WARNING_BP)}>
            {format.percent(Math.round(week.marginBp / 10) * 10)}
          </MoneyText>
        </>
      )}
    </span>
  )
}
