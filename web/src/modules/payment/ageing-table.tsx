import { Link } from '@tanstack/react-router'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { useRowInView } from '../../ui/page/row-in-view.ts'
import classes from './open-items.module.css'

export interface Bucket {
  key: string
  label: string
  cents: number
  /** the colour of its part of the bar and of its figures */
  tone: 'calm' | 'soon' | 'look' | 'warn' | 'late' | 'far'
}

interface AgeingRow {
  id: number
  title: string
  /** where its invoices are listed */
  search: Record<string, unknown>
  cents: readonly number[]
  openCents: number
  note: string | null
  mark: string | null
  /** how it stands to a limit, where the table has a column for it */
  limit?: ReactNode
  /** what can be done with the partner */
  actions?: ReactNode
}

interface AgeingTableProps {
  label: string
  partner: string
  last: string
  buckets: readonly Bucket[]
  openCents: number
  /** null until they are here */
  rows: readonly AgeingRow[] | null
  empty: { title: string; text: string }
  /** the heading of the column of limits; none without it */
  limit?: string
  /** the row that the keyboard holds */
  currentId: number | null
}

const LATE_TONES: readonly Bucket['tone'][] = ['warn', 'late']

/** The ageing is the table's head: bar, buckets, sums and shares; below it the partners, the largest first. */
export function AgeingTable({
  label,
  partner,
  last,
  buckets,
  openCents,
  rows,
  empty,
  limit,
  currentId,
}: AgeingTableProps) {
  const { t } = useTranslation('open-items')
  const format = useFormat()
  const body = useRef<HTMLTableSectionElement>(null)
  useRowInView(body, currentId)
  const percent = (cents: number): string =>
    openCents <= 0 ? '' : format.percent(Math.round((cents / openCents) * 100) * 100)
  if (rows === null) return <SkeletonLines lines={12} label={label} />
  if (rows.length === 0)
    return (
      <EmptyState icon="inbox" title={empty.title}>
        {empty.text}
      </EmptyState>
    )
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <div className={classes.bar} role="img" aria-label={label}>
        {buckets.map(({ key, cents, tone }) => (
          <i key={key} data-tone={tone} style={{ flex: Math.max(0, cents) }} />
        ))}
      </div>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{partner}</th>
            {buckets.map(({ key, label: words, tone }) => (
              <th key={key} scope="col" data-money>
                <i className={classes.swatch} data-tone={tone} />
                {words}
              </th>
            ))}
            <th scope="col" data-money>
              {t('open')}
            </th>
            {limit === undefined ? null : <th scope="col">{limit}</th>}
            <th scope="col">{last}</th>
          </tr>
          <tr className={classes.sums}>
            <th scope="row">{t('total')}</th>
            {buckets.map(({ key, cents }) => (
              <td key={key} data-money>
                <b>{format.money(cents)}</b>
                <span>{percent(cents)}</span>
              </td>
            ))}
            <td data-money>
              <b>{format.money(openCents)}</b>
              <span>{percent(openCents)}</span>
            </td>
            {limit === undefined ? null : <td />}
            <td />
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr key={row.id} data-current={row.id === currentId || undefined}>
              <th scope="row">
                <span className={classes.name}>
                  <Link to={'/invoices' as string} search={row.search as never} title={row.title}>
                    {row.title}
                  </Link>
                  {row.mark === null ? null : <span className={classes.mark}>{row.mark}</span>}
                </span>
              </th>
              {row.cents.map((cents, index) => {
                const { key, tone } = buckets[index]!
                return (
                  <td key={key} data-money data-tone={LATE_TONES.includes(tone) ? tone : undefined}>
                    {cents === 0 ? <span className={classes.dim}>–</span> : format.money(cents)}
                  </td>
                )
              })}
              <td data-money className={classes.strong}>
                {format.money(row.openCents)}
              </td>
              {limit === undefined ? null : <td>{row.limit}</td>}
              <td className={classes.dim}>
                <span className={classes.last}>
                  <span>{row.note}</span>
                  {row.actions}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
