import type { OrderRow } from '@waybill/contract/order/order'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../../ui/marks/marks.tsx'
import classes from './marks.module.css'

type Marked = Partial<Pick<OrderRow, 'deviations' | 'disposition'>>

/** Deviations, the gravest first, then the disposition. */
function useMarks({ deviations = [], disposition = null }: Marked) {
  const { t } = useTranslation('order-list')
  const level = (name: string) => Number(name.at(-1)) as 1 | 2 | 3
  return [
    ...deviations
      .toSorted((a, b) => level(b) - level(a))
      .map((name) => ({
        key: name,
        words: t(`deviation.${name}`),
        short: t(`deviationShort.${name}`),
        level: level(name),
      })),
    ...(disposition === null
      ? []
      : [
          {
            key: disposition,
            words: t(`disposition.${disposition}`),
            short: t(`dispositionShort.${disposition}`),
            level: 1 as const,
          },
        ]),
  ]
}

/** What is out of the ordinary with an order, in short; what does not fit is counted. */
export function OrderMarks({ of }: { of: Marked }) {
  const [first, ...others] = useMarks(of)
  if (first === undefined) return null
  return (
    <span className={classes.marks}>
      <Mark level={first.level} title={first.words}>
        {first.short}
      </Mark>
      {others.length === 0 ? null : (
        <span className={classes.more} title={others.map((mark) => mark.words).join(', ')}>
          {`+${others.length}`}
        </span>
      )}
    </span>
  )
}

/** The same, all of it, in words. */
export function OrderMarksInWords({ of }: { of: Marked }) {
  const marks = useMarks(of)
  if (marks.length === 0) return null
  return (
    <ul className={classes.words}>
      {marks.map(({ key, words, level }) => (
        <li key={key}>
          <Mark level={level}>{words}</Mark>
        </li>
      ))}
    </ul>
  )
}
