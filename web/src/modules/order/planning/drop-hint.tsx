import { timeOfStop, type BarWarning } from '@waybill/contract/order/planning/warnings'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import type { BoardRow } from './board-rows.ts'
import { isConflict, placeName, useWarningWords } from './board-words.ts'
import type { Hand } from './hand.ts'
import { rowName } from './board-grid.tsx'
import classes from './planning.module.css'
import { plannedStops } from './use-board.ts'

interface DropHintProps {
  hand: Hand
  row: BoardRow | undefined
  /** what would be doubtful there */
  warnings: readonly BarWarning[]
  numberOf: (routeId: number) => string
  /** where the pointer is to begin with */
  from: { left: number; top: number }
}

/** Beside the pointer: what is carried, and what would come of putting it down here. */
export function DropHint({ hand, row, warnings, numberOf, from }: DropHintProps) {
  const { t } = useTranslation('planning')
  const format = useFormat()
  const warningWords = useWarningWords(numberOf)
  const { inHand, isCarried, startAt, overList, overOrderId } = hand
  const [pointer, setPointer] = useState(from)
  useEffect(() => {
    const follow = (event: PointerEvent) => setPointer({ left: event.clientX, top: event.clientY })
    document.addEventListener('pointermove', follow)
    return () => document.removeEventListener('pointermove', follow)
  }, [])
  if (!isCarried) return null
  const stops = plannedStops(inHand.stops, startAt === null ? null : new Date(startAt).toISOString())
  const isLeft = pointer.left > globalThis.innerWidth - 380
  const isLow = pointer.top > globalThis.innerHeight - 220
  return createPortal(
    <>
      <div className={classes.carried} style={{ left: pointer.left + 10, top: pointer.top + 10 }}>
        <b>{inHand.number}</b>
        {overOrderId !== null ? t('mergeHere') : overList ? t('unplanHere') : null}
      </div>
      {row === undefined ? null : (
        <div
          className={classes.hint}
          style={{ left: pointer.left + (isLeft ? -350 : 14), top: pointer.top + (isLow ? -170 : 46) }}
        >
          <h2>{t('onRow', { number: inHand.number, row: rowName(row, t) })}</h2>
          {stops.map((stop) => {
            const at = timeOfStop(stop)
            return at === null ? null : (
              <p key={stop.id}>
                {placeName(stop)} {format.dayTime(new Date(at).toISOString(), stop.timeZone)}
              </p>
            )
          })}
          {warnings.length === 0 ? (
            <p className={classes.green}>{t('fits')}</p>
          ) : (
            <ul>
              {warnings.map((warning) => (
                <li key={JSON.stringify(warning)} className={isConflict(warning) ? classes.red : classes.amber}>
                  {warningWords(warning, stops)}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </>,
    document.body,
  )
}
