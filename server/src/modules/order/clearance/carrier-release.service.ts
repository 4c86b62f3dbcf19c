import { sql } from 'kysely'
import type { z } from 'zod'
import {
  clearanceOf,
  isCleared,
  RELEASABLE_REASONS,
  transportOf,
  type CarrierRelease,
} from '@waybill/contract/order/clearance/clearance'
import {
  MOST_RELEASE_REQUESTS,
  type askRelease as askEndpoint,
  type decideRelease as decideEndpoint,
  type ReleaseRequest,
} from '@waybill/contract/order/clearance/release'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { ofCompany } from '../order.policy.ts'
import { loadOrderOfRoute } from '../order-view.query.ts'
import { carrierPapers, demandedCents, RELEASE_JSON, todayOf, withInstants } from './clearance.query.ts'
import './carrier-release.table.ts'

async function releaseWithId(ctx: Ctx, id: number): Promise<CarrierRelease> {
  const { rows } = await sql<{
    release: CarrierRelease
  }>`select ${RELEASE_JSON} as release from carrier_release release where release.id = ${id}`.execute(ctx.db)
  return withInstants(rows[0]!.release)
}

/** Asks for a release. Errors: the contract’s, and `unknown_reference` for the carrier. */
export async function askRelease(
  ctx: Ctx,
  routeId: number,
  { carrierCompanyId, reason }: z.output<typeof askEndpoint.body>,
): Promise<CarrierRelease> {
  const order = await loadOrderOfRoute(ctx, routeId)
  const route = order.routes.find(({ id }) => id === routeId)!
  const carrier = await ctx.db
    .selectFrom('carrier_company')
    .select(['id', 'title'])
    .where('id', '=', carrierCompanyId)
    .executeTakeFirst()
  if (!carrier) throw fieldError('carrierCompanyId', 'unknown_reference')
  const papers = await carrierPapers(ctx, carrierCompanyId, order.id)
  const stops = order.locations.filter(({ id }) => route.locationIds.includes(id))
  const transport = transportOf(stops, order.cargo, {
    today: todayOf(ctx),
    demandedCents: await demandedCents(ctx, order.departmentId),
  })
  const reasons = clearanceOf(papers, transport)
  const last = await ctx.db
    .selectFrom('carrier_release')
    .select(['decision', 'reasons', 'lastDay', 'neededCents'])
    .where('routeId', '=', routeId)
    .where('carrierCompanyId', '=', carrierCompanyId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isBlocked = reasons.some(({ code }) => !RELEASABLE_REASONS.includes(code))
  if (isBlocked || isCleared(reasons, transport, last ?? null)) throw new AppError('conflict')
  const codes = reasons.map(({ code }) => code)
  const { id } = await ctx.db
    .insertInto('carrier_release')
    .values({
      routeId,
      carrierCompanyId,
      reasons: codes,
      ...transport,
      reason,
      askedById: actorOf(ctx).userId,
      askedAt: nowOf(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: order.id,
    action: 'releaseAsked',
    after: { route: route.number, carrierCompany: carrier.title },
    reason,
  })
  return releaseWithId(ctx, id)
}

/** Requests that nobody has decided, under the company filter. */
export async function releaseRequests(ctx: Ctx): Promise<ReleaseRequest[]> {
  const { rows } = await sql<
    Pick<ReleaseRequest, 'order' | 'routeNumber' | 'carrierCompany'> & {
      release: CarrierRelease
    }
  >`
    select ${RELEASE_JSON} as release, json_build_object('id', "order".id, 'title', "order".number) as "order",
        concat("order".number, '/', route.n) as "routeNumber",
        json_build_object('id', k.id, 'title', k.title) as "carrierCompany"
      from carrier_release release join route on route.id = release."routeId"
        join "order" on "order".id = route."orderId" join carrier_company k on k.id = release."carrierCompanyId"
      where release.decision is null and ${ofCompany(ctx)}
      order by release.id limit ${sql.lit(MOST_RELEASE_REQUESTS)}
  `.execute(ctx.db)
  return rows.map(({ release, ...rest }) => ({ ...withInstants(release), ...rest }))
}

/** Grants or refuses what another person has asked for. Errors: the contract’s. */
export async function decideRelease(
  ctx: Ctx,
  id: number,
  { decision, reason }: z.output<typeof decideEndpoint.body>,
): Promise<CarrierRelease> {
  const { rows } = await sql<{
    orderId: number
    askedById: number
    decision: CarrierRelease['decision']
    routeNumber: string
    carrier: string
  }>`
    select "order".id as "orderId", release."askedById", release.decision, k.title as carrier,
        concat("order".number, '/', route.n) as "routeNumber"
      from carrier_release release join route on route.id = release."routeId"
        join "order" on "order".id = route."orderId" join carrier_company k on k.id = release."carrierCompanyId"
      where release.id = ${id} and ${ofCompany(ctx)} for no key update of release
  `.execute(ctx.db)
  const [found] = rows
  if (!found) throw new AppError('not_found')
  const { userId } = actorOf(ctx)
  if (found.askedById === userId) throw new AppError('second_person_needed')
  if (found.decision !== null) throw new AppError('conflict')
  await ctx.db
    .updateTable('carrier_release')
    .set({ decision, decisionReason: reason, decidedById: userId, decidedAt: nowOf(ctx) })
    .where('id', '=', id)
    .execute()
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: found.orderId,
    action: decision === 'granted' ? 'releaseGranted' : 'releaseRefused',
    after: { route: found.routeNumber, carrierCompany: found.carrier },
    reason,
  })
  return releaseWithId(ctx, id)
}
