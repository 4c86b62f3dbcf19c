import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orderApi, type Order } from '@waybill/contract/order/order'
import {
  endedBy,
  getAttached,
  getBoard,
  type Attached,
  type Board,
  type BoardBar,
  type BoardSpan,
  type EndingAct,
} from '@waybill/contract/order/planning/board'
import { restoredPlan, timesFrom, type PlanPatch } from '@waybill/contract/order/planning/plan-route'
import { UNDO_SECONDS } from '@waybill/contract/order/status'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../kit/api/api-error.ts'
import { callApi } from '../../../kit/api/call-api.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { notify, takeBack } from '../../../ui/notices/notify.tsx'
import type { BoardRow } from './board-rows.ts'
import { inTurn, noteAct, noteFinal, noteUndone, ownActsOf, seenVersion } from './own-acts.ts'

const BOARD = 'planning'
/** What stands on it: orders, vehicles, and carriers with their papers. */
const HEARD = ['order', 'vehicle', 'carrierCompany'] as const
// Another board sees an act within a second, the server's gathering and the reading included.
const PAUSE_MS = 500
// Trucks get late without anybody saving.
const REFRESH_MS = 60_000

/** An order, or a route of one, that is being planned. */
export interface InHand {
  orderId: number
  /** null: the order has no route yet */
  routeId: number | null
  number: string
  version: number
  stops: BoardBar['stops']
  /** null: the order has no route yet */
  bar: BoardBar | null
  asks: BoardBar['asks']
}

/** Of the order as it is now, the route in hand: one that was just made has its id from the server's answer. */
export const routeIdIn = (order: Order, { routeId }: Pick<InHand, 'routeId'>): number | null =>
  routeId !== null && routeId < 0 ? (order.routes[0]?.id ?? null) : routeId

/** What is saved of an order, and what is said of it. */
interface Deed {
  inHand: InHand
  /** null: the order is no longer as the board has it */
  patchOf: (order: Order) => PlanPatch | null
  said: string
  /** what it may end for good; null: nothing */
  ends: EndingAct | null
  /** what it ends of that, as far as the person knows */
  ended: readonly Attached[]
  /** it would end more by now than the person knows: nothing is saved */
  onMore: (attached: readonly Attached[]) => void
}

/** The board of some days, and the acts on it. */
export function useBoard(query: { from: string; days: BoardSpan; departmentId: number | null }) {
  const { t } = useTranslation('planning')
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const own = ownActsOf(queries)
  const queryKey = [BOARD, query.from, query.days, query.departmentId]
  const board = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      callApi(getBoard, {
        query: {
          from: query.from,
          days: query.days,
          ...(query.departmentId !== null && { departmentId: [query.departmentId] }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  const readAnew = () => queries.invalidateQueries({ queryKey: [BOARD] })
  // What is on its way is shown already: the board before it would take it back for a moment.
  const readAtRest = async () => {
    if (own.running === 0) await readAnew()
  }
  useLiveChanges(HEARD, () => void readAtRest(), PAUSE_MS)

  const sayFaster = (number: string) =>
    notify({ tone: 'warn', title: t('faster', { number }), detail: t('fasterText'), closeLabel: t('close') })

  const sayRefused = (error: unknown, number: string, title: string) => {
    if (hasCode(error, 'stale_version')) sayFaster(number)
    else notify({ tone: 'danger', title, detail: refusalWords(error).join(' '), closeLabel: t('close') })
  }

  const save = async ({ inHand, patchOf, said, ends, ended, onMore }: Deed) => {
    const { orderId, number } = inHand
    const isFinal = ended.length > 0
    await inTurn(own, orderId, async () => {
      const version = seenVersion(own, inHand)
      try {
        const before = await callApi(orderApi.get, { params: { id: orderId } })
        const patch = before.version === version ? patchOf(before) : null
        if (patch === null) {
          sayFaster(number)
          return
        }
        const attached = ends === null ? [] : await attachedTo(routeIdIn(before, inHand))
        // A request for prices or a link makes no new version of the order: the board may not know of it yet.
        if (ends !== null && endedBy(ends, attached).some((one) => !ended.includes(one))) {
          onMore(attached)
          return
        }
        const saved = await callApi(orderApi.patch, { params: { id: orderId }, version, body: patch })
        own.planned.add(orderId)
        const notice = `planned ${orderId} ${saved.version}`
        const act = { before, notice }
        if (isFinal) noteFinal(own, saved).forEach(takeBack)
        else noteAct(own, act, saved)
        notify({
          tone: 'ok',
          title: said,
          ...(!isFinal && {
            icon: 'undo',
            action: { label: t('undo'), onClick: () => void undo(number, act) },
          }),
          closeLabel: t('close'),
          closesAfter: UNDO_SECONDS * 1000,
          id: notice,
        })
      } catch (error) {
        sayRefused(error, number, t('refused', { number }))
      }
    })
    // What was refused goes back to where it stood.
    await readAtRest()
  }

  /** Takes an act back, and with it what was done to its order since. */
  const undo = async (number: string, act: { before: Order; notice: string }) => {
    const { id } = act.before
    await inTurn(own, id, async () => {
      const now = own.latest.get(id)!
      try {
        const undone = await callApi(orderApi.patch, {
          params: { id },
          version: now.version,
          body: restoredPlan(act.before, now),
        })
        noteUndone(own, act, undone).forEach(takeBack)
        notify({ tone: 'ok', title: t('undone', { number }), closeLabel: t('close') })
      } catch (error) {
        sayRefused(error, number, t('notUndone', { number }))
      }
    })
    await readAtRest()
  }

  /** Shows an act at once; what the server makes of it comes when it has answered. */
  const showAtOnce = (inHand: InHand, row: BoardRow, startAt: string | null) =>
    queries.setQueryData<Board>(queryKey, (shown) => shown && moved(shown, inHand, row, startAt))

  return {
    ...board,
    readAnew,
    save,
    showAtOnce,
    isOwn: ({ orderId }: BoardBar) => own.planned.has(orderId),
    sayRefused,
    /** An order as it is once what was done to it here is saved; null: it cannot be read, which is said. */
    orderOf: async ({ orderId, number }: Pick<BoardBar, 'orderId' | 'number'>): Promise<Order | null> => {
      await own.turns.get(orderId)
      try {
        return await callApi(orderApi.get, { params: { id: orderId } })
      } catch (error) {
        sayRefused(error, number, t('notRead', { number }))
        return null
      }
    },
    versionOf: (bar: BoardBar) => seenVersion(own, bar),
    /** An order that was moved on: what was planned before cannot be undone any more. */
    noteMoved: (after: Order) => noteFinal(own, after).forEach(takeBack),
  }
}

const attachedTo = async (routeId: number | null): Promise<readonly Attached[]> =>
  routeId === null ? [] : (await callApi(getAttached, { params: { id: routeId } })).attached

/** The board with a route on another row, at another time. */
function moved(board: Board, inHand: InHand, row: BoardRow, startAt: string | null): Board {
  const stops = plannedStops(inHand.stops, startAt)
  const driver =
    row.target.kind === 'own' && row.target.driverId !== null
      ? { driverIds: [row.target.driverId], driverNames: row.driver }
      : { driverIds: [], driverNames: null }
  const place = {
    ownFleet: row.target.kind === 'own',
    carrierCompany: row.carrier,
    plateNumber: row.plate === '' ? null : row.plate,
    ...driver,
    stops,
    // The server says it once it has answered.
    clearance: null,
  }
  const disposition = (before: BoardBar['disposition']): BoardBar['disposition'] =>
    row.lane === 'sale' ? 'FOR_SALE' : row.lane === 'nobody' && before === 'FOR_SALE' ? null : before
  if (inHand.routeId !== null)
    return {
      ...board,
      bars: board.bars.map((bar) =>
        bar.routeId === inHand.routeId ? { ...bar, ...place, disposition: disposition(bar.disposition) } : bar,
      ),
    }
  const card = board.waiting.find(({ orderId }) => orderId === inHand.orderId)
  if (card === undefined) return board
  const { firstLoadingAt: _at, vehicleType: _type, ...order } = card
  return {
    ...board,
    waiting: board.waiting.filter((one) => one !== card),
    bars: [
      ...board.bars,
      {
        ...order,
        ...place,
        // Below every id: the server's comes with its answer.
        routeId: -card.orderId,
        number: `${card.number}/1`,
        isOnly: true,
        prices: null,
        attached: [],
        status: 'new',
        delay: null,
        marginBp: null,
        incomeCents: null,
        distanceKm: null,
        vehicleTypeId: null,
        disposition: disposition(card.disposition),
      },
    ],
  }
}

/** Stops with the times that an act would give them. */
export function plannedStops(stops: BoardBar['stops'], startAt: string | null): BoardBar['stops'] {
  if (startAt === null) return stops
  const toCome = stops.filter(({ arrivedAt, doneAt }) => arrivedAt === null && doneAt === null)
  const times = timesFrom(toCome, startAt)
  return stops.map((stop) => ({ ...stop, plannedAt: times.get(stop.id) ?? stop.plannedAt }))
}
