import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { MADE_TOLD, type RecurringOrder } from '@waybill/contract/order/recurring/recurring-order'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import classes from './recurring.module.css'

const FIRST_SHOWN = 8

interface MadeProps {
  one: RecurringOrder
  isReadOnly: boolean
  onTemplate: (orderId: number) => void
}

/** The orders that were made, the latest day first; one that somebody has bettered can be the template of the next. */
export function MadePart({ one: { made, madeCount }, isReadOnly, onTemplate }: MadeProps) {
  const { t } = useTranslation('recurring-order')
  const format = useFormat()
  const [isAll, setAll] = useState(false)
  return (
    <>
      <table className={classes.days}>
        <caption className={classes.hidden}>{t('sections.made')}</caption>
        <tbody>
          {made.slice(0, isAll ? MADE_TOLD : FIRST_SHOWN).map(({ day, order, isGone }) => (
            <tr key={day} data-left-out={isGone || undefined}>
              <th scope="row">{format.shortWeekdayDate(day)}</th>
              <td>
                {isGone ? (
                  <span className={classes.dim}>{t('preview.gone', { number: order.number })}</span>
                ) : order.id === null ? (
                  order.number
                ) : (
                  <Link to="/orders/$id/edit" params={{ id: String(order.id) }}>
                    {order.number}
                  </Link>
                )}
              </td>
              <td>
                {order.id === null || isReadOnly ? null : (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    title={t('template.takeMeans')}
                    aria-label={`${t('template.take')}, ${order.number}`}
                    onClick={() => onTemplate(order.id!)}
                  >
                    {t('template.take')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAll || made.length <= FIRST_SHOWN ? null : (
        <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
          {t('showAll', { count: Math.min(madeCount, made.length) })}
        </Button>
      )}
    </>
  )
}
