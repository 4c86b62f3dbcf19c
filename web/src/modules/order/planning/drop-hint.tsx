import { timeOfStop, type BarWarning } from '@waybill/contract/order/planning/warnings'
import { useLayoutEffect, useRef } from 'react'
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

const moveTo = (box: HTMLElement | null, left: number, top: number): void => {
  if (box !== null) box.style.transform = `translate(${left}px, ${top}px)`
}

/** Beside the pointer: what is carried, and what would come of putting it down here. */
export function DropHint({ hand, row, warnings, numberOf, from }: DropHintProps) {
  const { t } = useTranslation('planning')
  const format = useFormat()
  const warningWords = useWarningWords(numberOf)
  const { inHand, isCarried, startAt, overList, overOrderId } = hand
  const carried = useRef<HTMLDivElement>(null)
  const hint = useRef<HTMLDivElement>(null)
  const pointer = useRef(from)
  const place = () => {
    const { left, top } = pointer.current
    moveTo(carried.current, left + 10, top + 10)
    const isLeft = left > globalThis.innerWidth - 380
    const isLow = top > globalThis.innerHeight - 220
    moveTo(hint.current, left + (isLeft ? -350 : 14), top + (isLow ? -170 : 46))
  }
  // Not by a state: what is drawn anew for it would come a frame behind the pointer.
  useLayoutEffect(() => {
    const follow = (event: PointerEvent) => {
      pointer.current = { left: event.clientX, top: event.clientY }
      place()
    }
    document.addEventListener('pointermove', follow)
    return () => document.removeEventListener('pointermove', follow)
  }, [])
  useLayoutEffect(place)
  if (!isCarried) return null
  const stops = plannedStops(inHand.stops, startAt === null ? null : new Date(startAt).toISOString())
  return createPortal(
    <>
      <div ref={carried} className={classes.carried} data-in-hand>
        <b>{inHand.number}</b>
        {overOrderId !== null ? t('mergeHere') : overList ? t('unplanHere') : null}
      </div>
      {row === undefined ? null : (
        <div ref={hint} className={classes.hint}>
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
