import { epochOf } from '@waybill/contract/kit/local-time'
import type { DispatchContact } from '@waybill/contract/order/choice/disponent'
import type { Order } from '@waybill/contract/order/order'
import {
  endedBy,
  type Attached,
  type BoardBar,
  type EndingAct,
  type WaitingCard,
} from '@waybill/contract/order/planning/board'
import { planRoute, unplanRoute, type PlanPatch } from '@waybill/contract/order/planning/plan-route'
import { loadWarnings, type BarWarning } from '@waybill/contract/order/planning/warnings'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BoardRow } from './board-rows.ts'
import { rowName } from './board-grid.tsx'
import type { Hand } from './hand.ts'
import { KEY_STEP } from './time-scale.ts'
import { routeIdIn, type InHand, type useBoard } from './use-board.ts'

/** Near enough to the beginning of the termin, the pointer means it. */
const MAGNET_MS = 2 * 3_600_000

const inHandOf = (one: BoardBar | WaitingCard): InHand => ({
  orderId: one.orderId,
  routeId: 'routeId' in one ? one.routeId : null,
  number: one.number,
  version: one.version,
  stops: one.stops,
  bar: 'routeId' in one ? one : null,
  asks: one.asks,
})

/** When the first stop that is still to come is planned, or due; null where none is, or nothing is known. */
function baseOf({ stops }: InHand): number | null {
  const first = stops.find(({ arrivedAt, doneAt }) => arrivedAt === null && doneAt === null)
  const at = first?.plannedAt ?? first?.startAt ?? null
  return at === null ? null : epochOf(at)
}

/** What is done to an order, or to a route of one. */
interface Act {
  inHand: InHand
  /** the row that it goes to; null: the route leaves its row, or goes to none that is in view */
  row: BoardRow | null
  warnings: readonly BarWarning[]
  /** what it may end for good; null: nothing */
  ends: EndingAct | null
  patchOf: (order: Order) => PlanPatch | null
  said: string
  /** shows it at once, before the server has answered */
  show?: () => void
  /** once the board has read it */
  done?: () => void
}

/** An act that waits for somebody to say that it is meant, with what it ends for good. */
interface Doubt extends Act {
  ended: readonly Attached[]
}

/** True where a row is another truck of who has the route already. */
const drivesAlready = ({ ownFleet, carrierCompany }: BoardBar, { target }: BoardRow): boolean =>
  target.kind === 'own'
    ? ownFleet
    : target.kind === 'carrier' && !ownFleet && carrierCompany?.id === target.carrierCompanyId

const endedOf = ({ ends }: Act, attached: readonly Attached[]): Attached[] =>
  ends === null ? [] : endedBy(ends, attached)

const isAssigned = (bar: BoardBar): boolean => bar.ownFleet || bar.carrierCompany !== null

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
  const [doubt, setDoubt] = useState<Doubt | null>(null)
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

  const run = async (act: Act, ended: readonly Attached[]) => {
    act.show?.()
    await board.save({
      ...act,
      ended,
      onMore: (attached) => setDoubt({ ...act, warnings: [], ended: endedOf(act, attached) }),
    })
    act.done?.()
  }

  /** Does what nobody doubts at once; asks before the rest. */
  const doOrAsk = (act: Act) => {
    const ended = endedOf(act, act.inHand.bar?.attached ?? [])
    if (act.warnings.length + ended.length > 0) setDoubt({ ...act, ended })
    else void run(act, ended)
  }

  const plan = (current: Hand, row: BoardRow) => {
    const { inHand, fromRow } = current
    const isElsewhere = row.key !== fromRow
    if (!isElsewhere && current.startAt === null) return
    const startAt = current.startAt === null ? null : new Date(current.startAt).toISOString()
    const { bar } = inHand
    doOrAsk({
      inHand,
      row,
      warnings:
        row.lane === null && isElsewhere
          ? loadWarnings(inHand.stops, row.capacity ?? { ldm: null, payloadKg: null })
          : [],
      ends: !isElsewhere || bar === null || drivesAlready(bar, row) ? null : row.lane === null ? 'give' : 'release',
      patchOf: (order) =>
        planRoute(order, {
          routeId: routeIdIn(order, inHand),
          ...(isElsewhere && { target: row.target }),
          ...(startAt !== null && { startAt }),
        }),
      said: isElsewhere
        ? t('planned', { number: inHand.number, row: rowName(row, t) })
        : t('moved', { number: inHand.number }),
      show: () => {
        board.showAtOnce(inHand, row, startAt)
        onPlanned(inHand.routeId === null ? `${inHand.number}/1` : inHand.number)
      },
    })
  }

  /** Takes the route away: its order waits again. */
  const remove = (bar: BoardBar) =>
    doOrAsk({
      inHand: inHandOf(bar),
      row: null,
      warnings: [],
      ends: 'remove',
      patchOf: (order) => unplanRoute(order, routeIdIn(order, inHandOf(bar)) ?? bar.routeId),
      said: t('routeRemoved', { number: bar.number }),
    })

  const unplan = (bar: BoardBar) => {
    if (!isAssigned(bar)) {
      remove(bar)
      return
    }
    doOrAsk({
      inHand: inHandOf(bar),
      row: null,
      warnings: [],
      ends: 'release',
      patchOf: (order) => planRoute(order, { routeId: routeIdIn(order, inHandOf(bar)), target: { kind: 'nobody' } }),
      said: t('unplanned', { number: bar.number }),
    })
  }

  /** Gives a route to a carrier that was chosen for it, as the form does; its truck is named later. */
  const give = (
    bar: BoardBar,
    carrier: { id: number; title: string; costCents: number | null },
    contact: DispatchContact | null,
  ) => {
    const isSame = !bar.ownFleet && bar.carrierCompany?.id === carrier.id
    doOrAsk({
      inHand: inHandOf(bar),
      row: null,
      warnings: [],
      ends: isSame ? null : 'give',
      patchOf: (order) =>
        planRoute(order, {
          routeId: routeIdIn(order, inHandOf(bar)),
          target: {
            kind: 'carrier',
            carrierCompanyId: carrier.id,
            plate: isSame ? bar.plateNumber : null,
            contact,
            costCents: carrier.costCents,
          },
        }),
      said: t('planned', { number: bar.number, row: carrier.title }),
      done: () => onPlanned(bar.number),
    })
  }

  /** Puts down what is in hand, where it is. */
  const putDown = () => {
    if (hand === null) return
    setHand(null)
    const { inHand, overOrderId, overList } = hand
    if (overOrderId !== null && inHand.bar === null) {
      setMerging([overOrderId, inHand.orderId])
      return
    }
    if (overList && inHand.bar !== null) {
      remove(inHand.bar)
      return
    }
    const row = rowOf(hand.rowKey)
    if (row !== undefined) plan(hand, row)
  }

  return {
    hand,
    row: hand === null ? undefined : rowOf(hand.rowKey),
    take,
    moveBy,
    carryTo,
    putDown,
    unplan,
    give,
    drop: () => setHand(null),
    merge: (orderIds: readonly number[] | null) => setMerging(orderIds),
    merging,
    doubt,
    answerDoubt: (isMeant: boolean) => {
      setDoubt(null)
      if (isMeant && doubt !== null) void run(doubt, doubt.ended)
    },
  }
}
