import { sql } from 'kysely'
import { emissionElements, emissionSum } from '@waybill/contract/emission/emission'
import type { OrderEmission } from '@waybill/contract/emission/emission-report'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { visibleOrders } from '../order/index.ts'
import { countingFactors, orderPictures } from './order-picture.query.ts'

type Factor = NonNullable<OrderEmission['elements'][number]['factor']>

/** CO₂e of one order as it is now; of one that was merged its own goods on the routes of the result. */
export async function orderEmission(ctx: Ctx, id: number): Promise<OrderEmission> {
  const { rows: seen } = await sql<{ mergedIntoId: number | null }>`
    select "order"."mergedIntoId" from "order" where "order".id = ${id} and ${visibleOrders(ctx)}
  `.execute(ctx.db)
  const [found] = seen
  if (found === undefined) throw new AppError('not_found')
  const isMerged = found.mergedIntoId !== null
  const [picture] = await orderPictures(ctx, [found.mergedIntoId ?? id])
  if (picture === undefined) throw new AppError('not_found')
  const elements = emissionElements(picture, await countingFactors(ctx)).filter(
    ({ sourceOrderId }) => !isMerged || sourceOrderId === id,
  )
  const factors = await namedFactors(
    ctx,
    elements.flatMap(({ factorId }) => factorId ?? []),
  )
  const customers = await titlesOfCustomers(
    ctx,
    elements.map(({ customerId }) => customerId),
  )
  const { factorIds: _ids, ...sum } = emissionSum(elements)
  const stop = (stopId: number | null) => picture.stops.find((one) => one.id === stopId)?.title ?? null
  return {
    isCounted: picture.isCounted,
    isMerged,
    day: picture.day,
    ...sum,
    elements: elements.map((element) => ({
      customer: { id: element.customerId, title: customers.get(element.customerId) ?? '' },
      routeNumber: picture.routes.find((route) => route.id === element.routeId)?.number ?? null,
      from: stop(element.fromStopId),
      to: stop(element.toStopId),
      weightKg: element.weightKg,
      distanceKm: element.distanceKm,
      distanceBasis: element.distanceBasis,
      isDistanceEstimated: element.isDistanceEstimated,
      isVehicleAssumed: element.isVehicleAssumed,
      factor: element.factorId === null ? null : (factors.get(element.factorId) ?? null),
      figures: element.figures,
      gaps: element.gaps,
    })),
  }
}

/**
 * Grams of CO₂e of those of these orders of which all is known that it takes, and how many they are; what was merged
 * counts with its own goods. The caller may know of them.
 */
export async function emissionOfOrders(
  ctx: Ctx,
  ids: readonly number[],
): Promise<{ grams: number; transports: number; complete: number }> {
  const { rows } = await sql<{ id: number; mergedIntoId: number | null }>`
    select id, "mergedIntoId" from "order" where id = any(${ids}::bigint[])
  `.execute(ctx.db)
  const pictures = await orderPictures(ctx, [...new Set(rows.map(({ id, mergedIntoId }) => mergedIntoId ?? id))])
  const factors = await countingFactors(ctx)
  const known = rows.flatMap(({ id, mergedIntoId }) => {
    const picture = pictures.find((one) => one.id === (mergedIntoId ?? id))
    const elements = picture === undefined ? [] : emissionElements(picture, factors)
    const sum = emissionSum(
      mergedIntoId === null ? elements : elements.filter(({ sourceOrderId }) => sourceOrderId === id),
    )
    return sum.isComplete ? [sum.wttGrams + sum.ttwGrams] : []
  })
  return { grams: known.reduce((sum, grams) => sum + grams, 0), transports: rows.length, complete: known.length }
}

async function namedFactors(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Factor>> {
  const { rows } = await sql<Factor>`
    select id, title, to_char("validFrom", 'YYYY-MM-DD') as "validFrom", "vehicleClass", fuel, "wellToTank",
      "tankToWheel", "emptyBp", source from emission_factor where id = any(${ids}::bigint[])
  `.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function titlesOfCustomers(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; title: string }>`
    select id, title from customer where id = any(${ids}::bigint[])
  `.execute(ctx.db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}
