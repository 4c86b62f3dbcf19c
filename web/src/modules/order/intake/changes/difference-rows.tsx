import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../../ui/marks/icon.tsx'
import classes from '../intake.module.css'

/** A value of an order beside what a mail says. */
export interface DifferenceRow {
  id: string
  /** the order that it is about, where there may be several */
  order?: ReactNode
  label: string
  now: ReactNode
  after: ReactNode
  isSure: boolean
  /** null: it is made by hand */
  isTicked: boolean | null
}

/** *Now → after*, with a tick for each value that the order's form can take over. */
export function DifferenceRows({
  rows,
  onTick,
}: {
  rows: readonly DifferenceRow[]
  onTick: ((id: string, isTicked: boolean) => void) | null
}) {
  const { t } = useTranslation('intake')
  const hasOrders = rows.some(({ order }) => order !== undefined)
  return (
    <table className={classes.changes}>
      <thead>
        <tr>
          {onTick === null ? null : <th aria-label={t('change.take')} />}
          {hasOrders ? <th>{t('change.order')}</th> : null}
          <th>{t('change.field')}</th>
          <th>{t('change.now')}</th>
          <th>{t('change.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, order, label, now, after, isSure, isTicked }) => (
          <tr key={id} id={id} tabIndex={-1}>
            {onTick === null ? null : (
              <td>
                {isTicked === null ? null : (
                  <Checkbox
                    size="xs"
                    aria-label={t('change.takeField', { field: label })}
                    checked={isTicked}
                    onChange={({ currentTarget: { checked } }) => onTick(id, checked)}
                  />
                )}
              </td>
            )}
            {hasOrders ? <td>{order}</td> : null}
            <td>
              {label}
              {isTicked === null && onTick !== null ? <span className={classes.dim}> {t('change.byHand')}</span> : null}
            </td>
            <td className={classes.dim}>{now}</td>
            <td>
              <b>{after}</b> <Icon name={isSure ? 'check' : 'alert'} size={13} label={t(isSure ? 'sure' : 'toCheck')} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
