import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { EmailRow } from '@waybill/contract/email'
import type { WaitingKind, WaitingOrder } from '@waybill/contract/order/day'
import type { Mention } from '@waybill/contract/order/note'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon, type IconName } from '../../../ui/marks/icon.tsx'
import { Count } from '../../../ui/marks/marks.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import classes from './dashboard.module.css'
import { dashboardPath } from '../values/paths.ts'

const ICONS: Readonly<Record<WaitingKind, IconName>> = {
  carrier_missing: 'truck',
  plate_missing: 'truck',
  pod_to_check: 'file',
  pod_accepted: 'check',
  pod_missing: 'file',
  price_missing: 'euro',
  cost_missing: 'euro',
  billed_differs: 'euro',
  billed_load_differs: 'euro',
}

/** What this one person can finish, the most urgent first; nothing of what others do. */
export function DashboardWaiting({
  answer,
  mentions,
  held,
}: {
  answer: UseQueryResult<{ items: WaitingOrder[]; total: number }>
  /** Notes that name the person, until they were seen */
  mentions: readonly Mention[]
  /** Mails of the person's orders that wait for somebody, the newest first */
  held: { items: readonly EmailRow[]; total: number } | undefined
}) {
  const { t } = useTranslation('dashboard')
  const { t: words } = useTranslation('email')
  const format = useFormat()
  const { data } = answer
  const besides = mentions.length + (held?.total ?? 0)
  return (
    <Section
      title={
        <span className={classes.titled}>
          {t('waiting')}
          {data === undefined ? null : (
            <Count tone={data.total + besides > 0 ? 'warn' : 'plain'}>{format.number(data.total + besides)}</Count>
          )}
        </span>
      }
      isFlush
    >
      {data === undefined ? (
        answer.error === null ? (
          <SkeletonLines lines={6} label={t('loadingRows')} />
        ) : (
          <LoadError error={answer.error} onRetry={() => void answer.refetch()} />
        )
      ) : data.items.length === 0 && besides === 0 ? (
        <p className={classes.nothing}>{t('nothingWaits')}</p>
      ) : (
        <ul className={classes.waits}>
          {mentions.map(({ noteId, order, author, text, createdAt }) => (
            <li key={`note ${noteId}`}>
              <span className={classes.sign} data-kind="named" aria-hidden>
                <Icon name="chat" />
              </span>
              <div>
                <span className={classes.what}>{t('named', { name: author.title })}</span>
                <span className={classes.which} title={text}>
                  <Link to={dashboardPath(order.id) as string} search={{ rail: 'notes' } as never}>
                    {order.title}
                  </Link>{' '}
                  {text}
                </span>
              </div>
              <time dateTime={createdAt} title={format.dateTime(createdAt)}>
                {format.ago(createdAt)}
              </time>
            </li>
          ))}
          {held?.items.map(({ id, owner, type, createdAt }) => (
            <li key={`mail ${id}`}>
              <span className={classes.sign} data-kind="mail_held" aria-hidden>
                <Icon name="mail" />
              </span>
              <div>
                <span className={classes.what}>{t('waits.mail_held')}</span>
                <span className={classes.which} title={words(`types.${type}`)}>
                  <Link to={'/mails' as string} search={{ status: ['held'], orderIds: [String(owner.id)] } as never}>
                    {owner.title}
                  </Link>{' '}
                  {words(`types.${type}`)}
                </span>
              </div>
              <time dateTime={createdAt} title={format.dateTime(createdAt)}>
                {format.ago(createdAt)}
              </time>
            </li>
          ))}
          {data.items.map(({ kind, order, customer, at, timeZone }) => (
            <li key={`${kind} ${order.id}`}>
              <span className={classes.sign} data-kind={kind} aria-hidden>
                <Icon name={ICONS[kind]} />
              </span>
              <div>
                <span className={classes.what}>{t(`waits.${kind}`)}</span>
                <span className={classes.which} title={customer.title}>
                  <Link to={dashboardPath(order.id) as string}>{order.title}</Link> {customer.title}
                </span>
              </div>
              <time dateTime={at} title={format.dateTime(at, timeZone)}>
                {format.ago(at)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
