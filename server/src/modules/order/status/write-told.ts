import type { Order } from '@waybill/contract/order/order'
import { stopTimeFaults, type StopTime } from '@waybill/contract/order/stop-times'
import { nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { orderWithId } from '../order.policy.ts'
import { orderAsItIs } from '../order-view.query.ts'
import { lockOrders, saveProgress, updateOrder } from '../order.repository.ts'
import { derivedColumns } from '../order.rules.ts'
import { moveDriven } from './move-order.ts'

/** A time of a stop that the driver of its route has told. */
interface Told {
  routeId: number
  locationId: number
  field: StopTime
  at: string
}

/** The order, held until the transaction ends; undefined where it is gone. */
export async function holdOrder(ctx: Ctx, id: number): Promise<Order | undefined> {
  const [held] = await lockOrders(ctx, orderWithId(id))
  return held === undefined ? undefined : orderAsItIs(ctx, id)
}

/**
 * Writes a told time where none stands, and moves the route on. A time of staff stays; one that contradicts the others
 * of the order is written nowhere. Answers the order as it is then, and whether the time became that of the stop. The
 * order must be held. Must run inside a transaction.
 */
export async function writeTold(ctx: Ctx, before: Order, told: Told): Promise<{ order: Order; isWritten: boolean }> {
  const written = await writeTime(ctx, before, told)
  const order = await moveDriven(ctx, written ?? before, told.routeId, told.at)
  return { order, isWritten: written !== null }
}

async function writeTime(ctx: Ctx, before: Order, { locationId, field, at }: Told): Promise<Order | null> {
  const locations = before.locations.map((stop) =>
    stop.id === locationId && stop[field] === null ? { ...stop, [field]: at } : stop,
  )
  const stop = locations.find((one, place) => one !== before.locations[place])
  const written = { now: nowOf(ctx), createdAt: before.createdAt }
  const faults = stopTimeFaults(locations, written).length - stopTimeFaults(before.locations, written).length
  if (stop === undefined || faults > 0) return null
  const { id, arrivedAt, loadedAt, unloadedAt } = stop
  const isSaved = await updateOrder(ctx, before, derivedColumns({ ...before, locations }))
  if (!isSaved) throw new AppError('conflict')
  await saveProgress(ctx, [], [{ id, arrivedAt, loadedAt, unloadedAt }])
  const after = (await orderAsItIs(ctx, before.id))!
  await tell(ctx, { type: 'order.changed', orderId: before.id })
  await tell(ctx, { type: 'order.written', orderId: before.id, before, after })
  return after
}
