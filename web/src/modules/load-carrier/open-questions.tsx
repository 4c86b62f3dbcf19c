import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { HolderKind } from '@waybill/contract/load-carrier/account'
import {
  listNotAgreed,
  listWithoutNote,
  type NotAgreed,
  type WithoutNote,
} from '@waybill/contract/load-carrier/statement'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import classes from './load-carrier.module.css'
import { Pieces } from './pieces.tsx'

interface Named {
  kind: HolderKind
  id: number
  title: string
  detail: string | null
}

/** A holder, with the way to its account. */
function HolderLink({ holder: { kind, id, title, detail } }: { holder: Named }) {
  return (
    <Link to={`/load-carriers?holder=${kind}&account=${id}` as string} title={title}>
      {title} <span className={classes.dim}>{detail}</span>
    </Link>
  )
}

interface Query<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

/** A list of what is to be asked about: failing, loading, empty, or its rows. */
function Questions<Item>({
  query: { data, error, refetch },
  label,
  none,
  head,
  renderRow,
}: {
  query: Query<{ items: readonly Item[]; total: number }>
  label: string
  none: { title: string; text: string }
  head: ReactNode
  renderRow: (item: Item) => ReactNode
}) {
  const { t } = useTranslation('load-carrier')
  if (error && data === undefined) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={label} />
  if (data.items.length === 0)
    return (
      <EmptyState icon="check" title={none.title}>
        {none.text}
      </EmptyState>
    )
  const left = data.total - data.items.length
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table}>
        <thead>{head}</thead>
        <tbody>{data.items.map(renderRow)}</tbody>
      </table>
      {left === 0 ? null : <p className={classes.legend}>{t('notListed', { count: left })}</p>}
    </div>
  )
}

/** Movements that can be disputed, because no pallet note proves them. */
export function WithoutNoteList() {
  const { t } = useTranslation('load-carrier')
  const query = useQuery({
    queryKey: ['load-carriers', 'without-note'],
    queryFn: ({ signal }) => callApi(listWithoutNote, { signal }),
  })
  return (
    <Questions
      query={query}
      label={t('tabs.withoutNote')}
      none={{ title: t('empty.withoutNote'), text: t('empty.withoutNoteText') }}
      head={
        <tr>
          <th scope="col">{t('columns.date')}</th>
          <th scope="col">{t('account')}</th>
          <th scope="col" data-desk>
            {t('columns.where')}
          </th>
          <th scope="col" data-desk>
            {t('columns.type')}
          </th>
          <th scope="col" data-number>
            {t('columns.given')}
          </th>
          <th scope="col" data-number>
            {t('columns.received')}
          </th>
        </tr>
      }
      renderRow={(one) => <WithoutNoteRow key={one.id} movement={one} />}
    />
  )
}

function WithoutNoteRow({ movement }: { movement: WithoutNote['items'][number] }) {
  const format = useFormat()
  const { movedOn, holders, stop, order, note, type, given, received } = movement
  return (
    <tr>
      <td>{format.date(movedOn)}</td>
      <th scope="row">
        {holders.map((holder, index) => (
          <span key={`${holder.kind} ${holder.id}`}>
            {index === 0 ? null : ' · '}
            <HolderLink holder={holder} />
          </span>
        ))}
      </th>
      <td data-desk data-cut title={[stop?.title, note].filter(Boolean).join(' · ')}>
        {stop === null ? null : order === null ? (
          stop.orderNumber
        ) : (
          <Link to="/orders/$id/edit" params={{ id: String(order.id) }}>
            {order.title}
          </Link>
        )}{' '}
        {[stop?.title, note].filter(Boolean).join(' · ')}
      </td>
      <td data-desk>{type.title}</td>
      <td data-number>{given === 0 ? '' : format.number(given)}</td>
      <td data-number>{received === 0 ? '' : format.number(received)}</td>
    </tr>
  )
}

/** Statements that their holders object to, or did not answer in time. */
export function NotAgreedList() {
  const { t } = useTranslation('load-carrier')
  const query = useQuery({
    queryKey: ['load-carriers', 'not-agreed'],
    queryFn: ({ signal }) => callApi(listNotAgreed, { signal }),
  })
  return (
    <Questions
      query={query}
      label={t('tabs.notAgreed')}
      none={{ title: t('empty.notAgreed'), text: t('empty.notAgreedText') }}
      head={
        <tr>
          <th scope="col">{t('account')}</th>
          <th scope="col" data-desk>
            {t('columns.sent')}
          </th>
          <th scope="col" data-desk>
            {t('columns.stated')}
          </th>
          <th scope="col">{t('columns.answer')}</th>
        </tr>
      }
      renderRow={(one) => <NotAgreedRow key={one.id} statement={one} />}
    />
  )
}

function NotAgreedRow({ statement }: { statement: NotAgreed['items'][number] }) {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  const { holder, sentAt, sentBy, balances, hasMoved, answer } = statement
  return (
    <tr data-tall>
      <th scope="row">
        <HolderLink holder={holder} />
      </th>
      <td data-desk>
        {format.day(sentAt)} <span className={classes.dim}>{sentBy?.title}</span>
      </td>
      <td data-desk>
        {balances.map(({ type, pieces }, index) => (
          <span key={type.id}>
            {index === 0 ? null : ' · '}
            {type.title} <Pieces value={pieces} />
          </span>
        ))}
        {hasMoved ? <span className={classes.dim}> {t('movedSince')}</span> : null}
      </td>
      <td data-wide>
        {answer === null ? (
          <span className={classes.warn}>{t('stated.overdue')}</span>
        ) : (
          <>
            <span className={classes.warn}>{t('stated.objected')}</span>{' '}
            <span className={classes.dim}>
              {format.day(answer.at)}, {answer.name}
            </span>
            <span className={classes.remark}>{answer.remark}</span>
          </>
        )}
      </td>
    </tr>
  )
}
