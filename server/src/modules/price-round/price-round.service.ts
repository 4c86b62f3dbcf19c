import { sql } from 'kysely'
import type { z } from 'zod'
import {
  MOST_DEADLINE_DAYS,
  stillHolds,
  type askPrices as askEndpoint,
  type CLOSE_REASONS,
  type PriceRound,
  type takePrice as takeEndpoint,
} from '@waybill/contract/order/choice/price-round'
import type { Order } from '@waybill/contract/order/order'
import { hasEnded, isCanceled } from '@waybill/contract/order/status'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { hashSecret, newSecret } from '../../kit/context/secrets.ts'
import { audit } from '../../kit/records/audit.ts'
import { admitToOwner } from '../../kit/records/owners.ts'
import { assignCarrier, loadOrderOfRoute } from '../order/index.ts'
import { carriersToAsk, firstContact, newestRound, roundOfRoute } from './price-round.query.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** a carrier is asked for its price; `token` opens its page, and is kept nowhere but sealed in the mail */
    'priceRound.asked': {
      orderId: number
      routeId: number
      carrierCompanyId: number
      email: string
      token: string
      deadline: string
      remark: string | null
    }
    /** a carrier that was asked is told that the transport is given away */
    'priceRound.given': { orderId: number; routeId: number; carrierCompanyId: number; email: string }
  }
}

const DAY_MS = 86_400_000

interface Asked {
  order: Order
  routeNumber: string
}

/** The route of an order that the caller may change. Errors: `not_found`, `conflict` for an order that has ended. */
async function routeToChange(ctx: Ctx, routeId: number): Promise<Asked> {
  const order = await loadOrderOfRoute(ctx, routeId)
  await admitToOwner(ctx, 'order', order.id, 'write')
  const route = order.routes.find(({ id }) => id === routeId)!
  return { order, routeNumber: route.number }
}

export async function showRound(ctx: Ctx, routeId: number): Promise<{ round: PriceRound | null }> {
  await loadOrderOfRoute(ctx, routeId)
  return { round: await newestRound(ctx, routeId) }
}

/** Asks carriers for their price. Errors: the contract's. */
export async function askPrices(
  ctx: Ctx,
  routeId: number,
  { carrierCompanyIds, deadline, limitCents, remark }: z.output<typeof askEndpoint.body>,
): Promise<PriceRound> {
  const { order, routeNumber } = await routeToChange(ctx, routeId)
  if (hasEnded(order.routes.find(({ id }) => id === routeId)!.status)) throw new AppError('conflict')
  const now = ctx.clock.now().getTime()
  const until = Date.parse(deadline)
  if (until <= now || until > now + MOST_DEADLINE_DAYS * DAY_MS) throw fieldError('deadline', 'invalid_value')
  const carriers = await carriersToAsk(ctx, carrierCompanyIds)
  const fields = carrierCompanyIds.flatMap((id, index): FieldFault[] => {
    const carrier = carriers.find((one) => one.id === id)
    if (carrier?.email) return []
    return [{ path: `carrierCompanyIds.${index}`, code: carrier ? 'recipient_missing' : 'unknown_reference' }]
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  const { id: roundId } = await ctx.db
    .insertInto('price_round')
    .values({
      routeId,
      orderId: order.id,
      deadline: new Date(until).toISOString(),
      limitCents,
      remark,
      askedById: ctx.actor?.userId ?? null,
      askedAt: nowOf(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const carrierCompanyId of carrierCompanyIds) {
    const email = carriers.find((one) => one.id === carrierCompanyId)!.email!
    const token = newSecret()
    await ctx.db
      .insertInto('price_answer')
      .values({ roundId, carrierCompanyId, email, tokenHash: hashSecret(token) })
      .execute()
    await tell(ctx, {
      type: 'priceRound.asked',
      orderId: order.id,
      routeId,
      carrierCompanyId,
      email,
      token,
      deadline: new Date(until).toISOString(),
      remark,
    })
  }
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: order.id,
    action: 'pricesAsked',
    after: { route: routeNumber, carrierCompany: carriers.map(({ title }) => title).join(', ') },
  })
  return roundOfRoute(ctx, routeId, roundId)
}

/** Locks a round of a route that is open. Errors: `not_found`, `conflict` where it is closed. */
async function lockOpen(ctx: Ctx, routeId: number, roundId: number): Promise<PriceRound> {
  await sql`select id from price_round where id = ${roundId} for no key update`.execute(ctx.db)
  const round = await roundOfRoute(ctx, routeId, roundId)
  if (round.closedAt !== null) throw new AppError('conflict')
  return round
}

const close = (
  ctx: Ctx,
  id: number,
  closeReason: (typeof CLOSE_REASONS)[number],
  takenAnswerId: number | null = null,
) =>
  ctx.db
    .updateTable('price_round')
    .set({ closedAt: nowOf(ctx), closeReason, takenAnswerId })
    .where('id', '=', id)
    .execute()

/** Takes no more prices. Errors: the contract's. */
export async function closeRound(ctx: Ctx, routeId: number, roundId: number): Promise<PriceRound> {
  const { order, routeNumber } = await routeToChange(ctx, routeId)
  await lockOpen(ctx, routeId, roundId)
  await close(ctx, roundId, 'closed')
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: order.id,
    action: 'pricesClosed',
    after: { route: routeNumber },
  })
  return roundOfRoute(ctx, routeId, roundId)
}

/** Gives the route to who answered, at that price. Errors: the contract's. */
export async function takePrice(
  ctx: Ctx,
  routeId: number,
  roundId: number,
  version: number,
  { answerId, tellOthers }: z.output<typeof takeEndpoint.body>,
): Promise<PriceRound> {
  const { order, routeNumber } = await routeToChange(ctx, routeId)
  if (order.version !== version) throw new AppError('stale_version', { current: order })
  const round = await lockOpen(ctx, routeId, roundId)
  const answer = round.answers.find(({ id }) => id === answerId)
  if (!answer) throw fieldError('answerId', 'unknown_reference')
  if (answer.priceCents === null) throw fieldError('answerId', 'invalid_value')
  // By the day of UTC, as papers are (decision 023).
  if (!stillHolds(answer, nowOf(ctx).slice(0, 10))) throw fieldError('answerId', 'price_over')
  // Before the order is written: what is heard of that closes rounds which others overtook.
  await close(ctx, roundId, 'taken', answerId)
  const carrierCompanyId = answer.carrierCompany.id
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: order.id,
    action: 'priceTaken',
    after: { route: routeNumber, carrierCompany: answer.carrierCompany.title, netCostCents: answer.priceCents },
  })
  await assignCarrier(ctx, order, routeId, {
    carrierCompanyId,
    costCents: answer.priceCents,
    contact: await firstContact(ctx, carrierCompanyId),
  })
  if (tellOthers)
    for (const other of round.answers)
      if (other.id !== answerId && other.state !== 'declined')
        await tell(ctx, {
          type: 'priceRound.given',
          orderId: order.id,
          routeId,
          carrierCompanyId: other.carrierCompany.id,
          email: other.email,
        })
  return roundOfRoute(ctx, routeId, roundId)
}

const driverOf = ({ assignment }: Order['routes'][number]): string =>
  assignment === null ? '' : `${assignment.carrierCompanyId ?? ''} ${assignment.ownFleet}`

/** Reaction to `order.written`: who is asked learns at once that the transport is given away, or is no more. */
export async function closeOvertaken(
  ctx: Ctx,
  { before, after }: { before: Order | null; after: Order },
): Promise<void> {
  if (before === null) return
  const overtaken = new Map(
    before.routes.flatMap((was) => {
      const why = overtakenBy(was, after)
      return why === null ? [] : [[was.id, why] as const]
    }),
  )
  // Of nearly all saves nothing comes for a round: nobody is asked then.
  if (overtaken.size === 0) return
  const open = await ctx.db
    .selectFrom('price_round')
    .select(['id', 'routeId'])
    .where('routeId', 'in', [...overtaken.keys()])
    .where('closedAt', 'is', null)
    .execute()
  for (const { id, routeId } of open) await close(ctx, id, overtaken.get(routeId)!)
}

/** What ends a round of a route: it is gone, or somebody else drives it now; null where nothing does. */
function overtakenBy(was: Order['routes'][number], after: Order): 'gone' | 'assigned' | null {
  const route = after.routes.find(({ id }) => id === was.id)
  if (!route || isCanceled(route.status) || hasEnded(after.status)) return 'gone'
  return isGiven(route) && driverOf(was) !== driverOf(route) ? 'assigned' : null
}

const isGiven = ({ assignment }: Order['routes'][number]): boolean =>
  assignment !== null && (assignment.carrierCompanyId !== null || assignment.ownFleet)
