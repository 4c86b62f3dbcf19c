import { epochOf } from '@waybill/contract/kit/local-time'
import type { BoardBar, WaitingCard } from '@waybill/contract/order/planning/board'
import { planRoute, unplanRoute } from '@waybill/contract/order/planning/plan-route'
import { loadWarnings, type BarWarning } from '@waybill/contract/order/planning/warnings'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BoardRow } from './board-rows.ts'
import { rowName } from './board-grid.tsx'
import type { Hand } from './hand.ts'
import { KEY_STEP } from './time-scale.ts'
import type { InHand, useBoard } from './use-board.ts'

/** Near enough to the beginning of the termin, the pointer means it. */
const MAGNET_MS = 2 * 3_600_000

const inHandOf = (one: BoardBar | WaitingCard): InHand => ({
  orderId: one.orderId,
  routeId: 'routeId' in one ? one.routeId : null,
  number: one.number,
  version: one.version,
  stops: one.stops,
})

/** When the first stop that is still to come is planned, or due; null where none is, or nothing is known. */
function baseOf({ stops }: InHand): number | null {
  const first = stops.find(({ arrivedAt, doneAt }) => arrivedAt === null && doneAt === null)
  const at = first?.plannedAt ?? first?.startAt ?? null
  return at === null ? null : epochOf(at)
}

/** A plan that waits for somebody to say that it is meant although it does not fit. */
export interface Unfit {
  hand: Hand
  row: BoardRow
  warnings: readonly BarWarning[]
}

/**
 * What is being planned: taken in hand from the list or from a row, moved over the board by pointer or by keys, and put
 * down. What a put-down means is decided here alone, whichever way it came.
 */
export function useHand(
  rows: readonly BoardRow[],
  board: Pick<ReturnType<typeof useBoard>, 'save' | 'showAtOnce'>,
  onPlanned: (number: string) => void,
) {
  const { t } = useTranslation('planning')
  const [hand, setHand] = useState<Hand | null>(null)
  const [unfit, setUnfit] = useState<Unfit | null>(null)
  const [merging, setMerging] = useState<readonly number[] | null>(null)
  const rowOf = (key: string | null) => rows.find((row) => row.key === key)
  const rowWith = (routeId: number | null) =>
    routeId === null ? undefined : rows.find(({ bars }) => bars.some(({ bar }) => bar.routeId === routeId))

  const take = (one: BoardBar | WaitingCard, isCarried: boolean, now: number) => {
    const inHand = inHandOf(one)
    const from = rowWith(inHand.routeId)
    const firstOfOurs = rows.find(({ group }) => group === 'own') ?? rows[0]
    const hour = Math.ceil(now / KEY_STEP) * KEY_STEP
    setHand({
      inHand,
      fromRow: from?.key ?? null,
      rowKey: isCarried ? null : ((from ?? firstOfOurs)?.key ?? null),
      overList: false,
      overOrderId: null,
      startAt: from === undefined ? (baseOf(inHand) ?? hour) : null,
      isCarried,
    })
  }

  /** One row up or down, or so many hours on: by keys. */
  const moveBy = (step: { rows?: number; ms?: number }) =>
    setHand((current) => {
      if (current === null) return null
      const at = rows.findIndex(({ key }) => key === current.rowKey)
      const next = rows[Math.min(rows.length - 1, Math.max(0, at + (step.rows ?? 0)))]
      const base = current.startAt ?? baseOf(current.inHand)
      return {
        ...current,
        rowKey: next?.key ?? current.rowKey,
        startAt: step.ms === undefined || base === null ? current.startAt : base + step.ms,
      }
    })

  /** Where the pointer is; `at` is the moment under the bar's beginning, null beside the board. */
  const carryTo = (to: Pick<Hand, 'rowKey' | 'overList' | 'overOrderId'> & { at: number | null }) =>
    setHand((current) => {
      if (current === null) return null
      const { at, ...place } = to
      const base = baseOf(current.inHand)
      const startAt =
        at === null
          ? current.startAt
          : current.fromRow === null && base !== null && Math.abs(at - base) <= MAGNET_MS
            ? base
            : at
      const isThere =
        current.rowKey === place.rowKey &&
        current.overList === place.overList &&
        current.overOrderId === place.overOrderId &&
        current.startAt === startAt
      // Nothing is drawn anew for every point that the pointer crosses.
      return isThere ? current : { ...current, ...place, startAt }
    })

  const plan = (current: Hand, row: BoardRow) => {
    const isElsewhere = row.key !== current.fromRow
    if (!isElsewhere && current.startAt === null) return
    const startAt = current.startAt === null ? null : new Date(current.startAt).toISOString()
    board.showAtOnce(current.inHand, row, startAt)
    onPlanned(current.inHand.routeId === null ? `${current.inHand.number}/1` : current.inHand.number)
    void board.save({
      inHand: current.inHand,
      patchOf: (order) =>
        planRoute(order, {
          routeId: current.inHand.routeId,
          ...(isElsewhere && { target: row.target }),
          ...(startAt !== null && { startAt }),
        }),
      said: isElsewhere
        ? t('planned', { number: current.inHand.number, row: rowName(row, t) })
        : t('moved', { number: current.inHand.number }),
    })
  }

  const unplan = (bar: BoardBar) => {
    const isAssigned = bar.ownFleet || bar.carrierCompany !== null
    void board.save({
      inHand: inHandOf(bar),
      patchOf: (order) =>
        isAssigned
          ? planRoute(order, { routeId: bar.routeId, target: { kind: 'nobody' } })
          : unplanRoute(order, bar.routeId),
      said: t(isAssigned ? 'unplanned' : 'routeRemoved', { number: bar.number }),
    })
  }

  /** Puts down what is in hand, where it is. */
  const putDown = () => {
    if (hand === null) return
    setHand(null)
    const { inHand, overOrderId } = hand
    if (overOrderId !== null && inHand.routeId === null) {
      setMerging([overOrderId, inHand.orderId])
      return
    }
    const row = rowOf(hand.rowKey)
    if (hand.overList && inHand.routeId !== null) {
      void board.save({
        inHand,
        patchOf: (order) => unplanRoute(order, inHand.routeId!),
        said: t('routeRemoved', { number: inHand.number }),
      })
      return
    }
    if (row === undefined) return
    const warnings =
      row.lane === null && row.key !== hand.fromRow
        ? loadWarnings(inHand.stops, row.capacity ?? { ldm: null, payloadKg: null })
        : []
    if (warnings.length > 0) setUnfit({ hand, row, warnings })
    else plan(hand, row)
  }

  return {
    hand,
    row: hand === null ? undefined : rowOf(hand.rowKey),
    take,
    moveBy,
    carryTo,
    putDown,
    unplan,
    drop: () => setHand(null),
    merge: (orderIds: readonly number[] | null) => setMerging(orderIds),
    merging,
    unfit,
    answerUnfit: (isMeant: boolean) => {
      if (isMeant && unfit !== null) plan(unfit.hand, unfit.row)
      setUnfit(null)
    },
  }
}
