import { sql } from 'kysely'
import type { z } from 'zod'
import { sumCents } from '@waybill/contract/kit/money'
import { mergeObstacles, stopsByDate } from '@waybill/contract/order/merge'
import type { mergeOrders as endpoint } from '@waybill/contract/order/merge-actions'
import { MERGE_STEP } from '@waybill/contract/order/status'
import { OrderWrite, type Order, type OrderInput } from '@waybill/contract/order/order'
import { terminRange } from '@waybill/contract/order/termin/termin'
import { audit } from '../../../kit/records/audit.ts'
import { actorOf, nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import { AppError, type FieldFault } from '../../../kit/context/errors.ts'
import { checkReferences } from '../../../kit/records/references.ts'
import { parseInput } from '../../../kit/http/validation.ts'
import { creditOfOrders } from '../../credit/index.ts'
import { giveExtras } from '../extras/extra-sums.ts'
import { visibleOrders, type OrderCondition } from '../order.policy.ts'
import { loadOrder, viewOrders } from '../order-view.query.ts'
import { lockOrders, recordSteps, storeMerge } from '../order.repository.ts'
import { historyOf } from '../order.rules.ts'
import { storeNewOrder } from '../order.service.ts'

declare module '../../../kit/context/events.ts' {
  interface Events {
    /** The result is told of by this alone, not as created: nobody ordered it, so no customer is written to. */
    'order.merged': { orderId: number; sourceIds: number[] }
  }
}

type Line = NonNullable<OrderInput['cargo']>[number]
type Stop = NonNullable<OrderInput['locations']>[number]

/** What all orders have alike, else null. */
function common<Field extends keyof Order>(sources: readonly Order[], field: Field): Order[Field] | null {
  const [first, ...others] = sources
  return others.every((source) => source[field] === first![field]) ? first![field] : null
}

/**
 * The texts of the sources one below the other, each after its order's number;
 * those that do not fit stay with their orders.
 */
function united(sources: readonly Order[], field: 'description' | 'internalComments', max: number): string | null {
  const lines = sources.flatMap((source) => (source[field] === null ? [] : [`${source.number}: ${source[field]}`]))
  let text = ''
  for (const line of lines) if (text.length + line.length < max) text += `${text === '' ? '' : '\n'}${line}`
  return text === '' ? null : text
}

const keyOf = (child: { id: number }): string => `${child.id}`

function lineOf(
  source: Order,
  { id, customer: _customer, unitType: _unit, cargoType: _type, sourceOrder: _source, ...line }: Order['cargo'][number],
): Line {
  return { ...line, key: keyOf({ id }), customerId: line.customerId ?? source.customerIds[0]! }
}

function stopOf({
  id,
  position: _position,
  routeId: _route,
  country: _country,
  countryCode: _code,
  cargoActions,
  ...stop
}: Order['locations'][number]): Stop {
  return {
    ...stop,
    key: keyOf({ id }),
    cargoActions: cargoActions.map(({ cargoId, action }) => ({ cargoKey: keyOf({ id: cargoId }), action })),
  }
}

function datedStop({ termin, timeZone }: Order['locations'][number]) {
  const { startAt, endAt } = termin === null ? { startAt: null, endAt: null } : terminRange(termin, timeZone)
  return { startAt, endAt, isBefore: termin?.kind === 'before' }
}

/**
 * The order that carries them all: customers, cargo, stops by date and managers united, one route on the carrier,
 * the sum of the prices (domain, Merge).
 */
function resultOf(ctx: Ctx, sources: readonly Order[], carrierCompanyId: number): OrderWrite {
  const prices = sources.flatMap((source) => source.customerPriceCents ?? [])
  const body: OrderInput = {
    customerIds: [...new Set(sources.flatMap((source) => source.customerIds))],
    departmentId: sources[0]!.departmentId,
    contactPersonId: common(sources, 'contactPersonId'),
    billingCustomerId: common(sources, 'billingCustomerId'),
    customerOrderNumber: common(sources, 'customerOrderNumber'),
    caseWorkerId: actorOf(ctx).userId,
    managerIds: [...new Set(sources.flatMap((source) => source.managerIds))],
    description: united(sources, 'description', 4000),
    internalComments: united(sources, 'internalComments', 10_000),
    deviations: [...new Set(sources.flatMap((source) => source.deviations))],
    customerPriceCents: prices.length === 0 ? null : sumCents(prices),
    customerVatBp: common(sources, 'customerVatBp'),
    vehicleTypeId: common(sources, 'vehicleTypeId'),
    isLiftRequired: sources.some((source) => source.isLiftRequired),
    isTransshipmentForbidden: sources.some((source) => source.isTransshipmentForbidden),
    cargo: sources.flatMap((source) => source.cargo.map((line) => lineOf(source, line))),
    locations: stopsByDate(sources.map((source) => source.locations.map(datedStop))).map(([order, stop]) =>
      stopOf(sources[order]!.locations[stop]!),
    ),
    routes: [{ assignment: { carrierCompanyId } }],
  }
  // More than one order can hold is refused as in any order.
  return parseInput(OrderWrite, body)
}

function refuseObstacles(sources: readonly Order[], orderIds: readonly number[]): void {
  const obstacles = mergeObstacles(sources.map((source) => ({ ...source, hasRoute: source.routes.length > 0 })))
  const fields = sources.flatMap(({ id, number }): FieldFault[] =>
    (obstacles.get(id) ?? []).map((code) => ({ path: `orderIds.${orderIds.indexOf(id)}`, code, params: { number } })),
  )
  if (fields.length > 0) throw new AppError('validation', { fields })
}

/**
 * Merges new orders of one department into one on one carrier;
 * all or nothing, also when two people merge at once (domain, Merge).
 * Errors: `not_found` where the caller may not know of one of them; `validation` with each order's obstacles.
 */
export async function mergeOrders(
  ctx: Ctx,
  { orderIds, carrierCompanyId }: z.output<(typeof endpoint)['body']>,
): Promise<Order> {
  const twice = orderIds.flatMap((id, index): FieldFault[] =>
    orderIds.indexOf(id) < index ? [{ path: `orderIds.${index}`, code: 'duplicate_key' }] : [],
  )
  if (twice.length > 0) throw new AppError('validation', { fields: twice })
  const wanted: OrderCondition = sql<boolean>`"order".id = any(${orderIds}::bigint[]) and ${visibleOrders(ctx)}`
  if ((await lockOrders(ctx, wanted)).length < orderIds.length) throw new AppError('not_found')
  const found = await viewOrders(ctx, wanted)
  const sources = orderIds.flatMap((id) => found.find((order) => order.id === id) ?? [])
  if (sources.length < orderIds.length) throw new AppError('not_found')
  refuseObstacles(sources, orderIds)
  const over = await creditOfOrders(ctx, orderIds)
  const beyond = sources.flatMap(({ billingCustomerId, number }, index): FieldFault[] =>
    billingCustomerId !== null && over.has(billingCustomerId)
      ? [{ path: `orderIds.${index}`, code: 'credit_limit', params: { number } }]
      : [],
  )
  if (beyond.length > 0) throw new AppError('validation', { fields: beyond })
  await checkReferences(ctx, [{ path: 'carrierCompanyId', table: 'carrier_company', id: carrierCompanyId }])

  const at = nowOf(ctx)
  const actorId = actorOf(ctx).userId
  const resultId = await storeNewOrder(ctx, resultOf(ctx, sources, carrierCompanyId), { isMergeResult: true })
  await giveExtras(ctx, orderIds, resultId)
  await storeMerge(ctx, {
    resultId,
    sourceIds: orderIds,
    cargoSources: sources.flatMap((source) => source.cargo.map(() => source.id)),
    at,
  })
  await recordSteps(ctx, orderIds, { ...MERGE_STEP, at, actorId, reason: null })

  const [after, result] = [
    await viewOrders(ctx, sql<boolean>`"order".id = any(${orderIds}::bigint[])`),
    await loadOrder(ctx, resultId),
  ]
  for (const source of sources) {
    const now = after.find((order) => order.id === source.id)!
    await audit(ctx, {
      ownerKind: 'order',
      ownerId: source.id,
      action: 'merged',
      before: historyOf(source),
      after: historyOf(now),
    })
  }
  await audit(ctx, { ownerKind: 'order', ownerId: resultId, action: 'mergedFrom', after: { sourceIds: [...orderIds] } })
  await tell(ctx, { type: 'order.merged', orderId: resultId, sourceIds: [...orderIds] })
  await tell(ctx, { type: 'order.written', orderId: resultId, before: null, after: result })
  for (const before of sources)
    await tell(ctx, {
      type: 'order.written',
      orderId: before.id,
      before,
      after: after.find(({ id }) => id === before.id)!,
    })
  return result
}
