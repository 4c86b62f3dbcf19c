import { sql } from 'kysely'
import { lineNetCents } from '@waybill/contract/invoice/totals'
import {
  APPROVED_EXTRA,
  isOpenExtra,
  type ExtraKind,
  type ExtraState,
  type ExtraUnit,
} from '@waybill/contract/order/extra'
import { refreshExtraSums } from '../../../src/modules/order/index.ts'
import type { Ctx } from '../../../src/kit/context/context.ts'
import type { Db } from '../../../src/kit/database/db.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { HOUR, iso } from '../calendar.ts'
import type { World } from '../world.ts'
import type { StoredOrder } from '../orders/write-orders.ts'

/** An extra as the year saw it. */
export interface DemoExtra {
  /** that is billed: where it was merged, its result carries the extra */
  orderId: number
  routeId?: number | null
  kind: ExtraKind
  text?: string | null
  quantity: number
  unit: ExtraUnit
  priceCents: number | null
  costCents: number | null
  state: ExtraState
  note?: string | null
  bookedByInvoiceId?: number | null
  createdAt: number
}

/** Stores extras with their history; gives their ids. */
export async function seedExtras(db: Db, world: World, extras: readonly DemoExtra[]): Promise<number[]> {
  const ids = await takeIds(db, 'order_extra', extras.length)
  const { rows: merged } = await sql<{ id: number; resultId: number }>`
    select id, "mergedIntoId" as "resultId" from "order" where "mergedIntoId" is not null
      and id = any(${extras.map(({ orderId }) => orderId)}::bigint[])`.execute(db)
  const resultOf = new Map(merged.map(({ id, resultId }) => [id, resultId]))
  const accountant = world.users.find((user) => user.job === 'accountant')!
  await insertRows(
    db,
    'order_extra',
    extras.map(({ orderId, createdAt, ...extra }, index) => ({
      routeId: null,
      text: null,
      note: null,
      bookedByInvoiceId: null,
      ...extra,
      id: ids[index],
      version: isOpenExtra(extra.state) ? 1 : 2,
      orderId: resultOf.get(orderId) ?? orderId,
      sourceOrderId: resultOf.has(orderId) ? orderId : null,
      decidedById: isOpenExtra(extra.state) ? null : accountant.id,
      decidedAt: isOpenExtra(extra.state) ? null : iso(createdAt + HOUR),
      createdById: accountant.id,
      createdAt: iso(createdAt),
    })),
  )
  for (const { orderId, kind, quantity, priceCents, costCents, state, bookedByInvoiceId, createdAt } of extras) {
    const net = (unitPriceCents: number | null) =>
      unitPriceCents === null ? null : lineNetCents({ quantity, unitPriceCents })
    const entry = (at: number, action: string, changes: { path: string; from: unknown; to: unknown }[]) =>
      world.journal.push({
        at: iso(at),
        actorId: accountant.id,
        ownerKind: 'order',
        ownerId: resultOf.get(orderId) ?? orderId,
        action,
        changes,
        reason: null,
      })
    const isBooked = bookedByInvoiceId != null
    entry(isBooked ? createdAt + HOUR : createdAt, isBooked ? 'extraBooked' : 'extraAdded', [
      { path: 'extra.kind', from: null, to: kind },
      { path: 'extra.quantity', from: null, to: quantity },
      ...(priceCents === null ? [] : [{ path: 'extra.netPriceCents', from: null, to: net(priceCents) }]),
      ...(costCents === null ? [] : [{ path: 'extra.netCostCents', from: null, to: net(costCents) }]),
    ])
    if (!isBooked && !isOpenExtra(state))
      entry(createdAt + HOUR, state === APPROVED_EXTRA ? 'extraApproved' : 'extraRefused', [
        { path: 'extra.state', from: 'open', to: state },
      ])
  }
  return ids
}

const DONE: readonly string[] = ['delivered', 'completed']
const NOTES = {
  de: 'Rampe erst ab 13 Uhr frei',
  pl: 'Rampa wolna dopiero od 13:00',
  en: 'Ramp free from 13:00 only',
} as const

/** Extras that nobody has billed yet: to be approved, refused, or approved and waiting for an invoice. */
export function planOpenExtras(world: World, stored: readonly StoredOrder[]): DemoExtra[] {
  return stored.flatMap((order, index): DemoExtra[] => {
    const { planned, life } = order
    if (planned.mergeOf || !DONE.includes(life.status)) return []
    const { movedAt } = life.moves.at(-1)!
    const at = Date.parse(movedAt) + HOUR
    if (at + HOUR > world.now) return []
    const common = { orderId: order.id, createdAt: at, note: NOTES[planned.department.language] }
    if (index % 31 === 0)
      return [
        {
          ...common,
          kind: 'waiting_time',
          quantity: 2 + (index % 3) / 2,
          unit: 'hour',
          priceCents: 4500,
          costCents: null,
          state: 'open',
        },
      ]
    if (index % 47 === 0)
      return [
        { ...common, kind: 'pallets', quantity: 4, unit: 'piece', priceCents: 1200, costCents: null, state: 'refused' },
      ]
    if (index % 59 === 0)
      return [
        { ...common, kind: 'tolls', quantity: 1, unit: 'flat', priceCents: 6400, costCents: null, state: 'approved' },
      ]
    return []
  })
}

/** The sums and margins of every order that has extras. */
export async function sumExtras(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ orderId: number }>`select distinct "orderId" from order_extra`.execute(ctx.db)
  await refreshExtraSums(
    ctx,
    rows.map(({ orderId }) => orderId),
  )
}
