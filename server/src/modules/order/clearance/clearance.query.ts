import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import {
  clearanceOf,
  isCleared,
  transportOf,
  type CarrierPapers,
  type CarrierRelease,
  type ClearedTransport,
  type RouteClearance,
} from '@waybill/contract/order/clearance/clearance'
import { MOST_ENDING_PAPERS, type EndingPaper, type getCarrierPapers } from '@waybill/contract/order/clearance/release'
import { lastWarnedDay } from '@waybill/contract/kit/expiry'
import type { Order, OrderWrite } from '@waybill/contract/order/order'
import { isClearanceShown, needsAssignment, PLANNED_STATUSES, UNDER_WAY_STATUSES } from '@waybill/contract/order/status'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, type FieldFault } from '../../../kit/context/errors.ts'
import { instantText } from '../../../kit/database/db.ts'
import { isCounted } from '../../../kit/records/counted-paper.ts'
import { visibleOrders } from '../order.policy.ts'
import { inOrder, stopsOf } from '../order.rules.ts'
import './carrier-release.table.ts'

/** The day by which papers are looked at: UTC's (decision 023). */
export const todayOf = (ctx: Ctx): string => nowOf(ctx).slice(0, 10)

/** What is on file of a carrier, as one JSON value; `orderId` is the order that it drives for, or would. */
export const papersOf = (carrierId: RawBuilder<unknown>, orderId: RawBuilder<unknown>): RawBuilder<CarrierPapers> =>
  sql<CarrierPapers>`(select json_build_object('blockedReason', k."blockedReason",
      'licenceNotNeededReason', k."licenceNotNeededReason",
      'isUsedUp', k."isOnceOnly" and exists (select 1 from assignment used
        join route driven on driven.id = used."routeId"
        where used."carrierCompanyId" = k.id and driven."orderId" is distinct from ${orderId}
          and driven.status = any(${[...PLANNED_STATUSES]}::text[])),
      'licences', coalesce((select json_agg(d."expiredAt") from document d where d."ownerKind" = 'carrierCompany'
        and d."ownerId" = k.id and d."documentType" = 'EU_LICENSE' and ${isCounted('d')}), '[]'),
      'insurances', coalesce((select json_agg(json_build_object('endsOn', d."expiredAt",
          'insuredCents', d."insuredCents")) from document d where d."ownerKind" = 'carrierCompany'
        and d."ownerId" = k.id and d."documentType" = 'INSURANCE_DOCUMENT' and ${isCounted('d')}), '[]'))
    from carrier_company k where k.id = ${carrierId})`

/** A release as the API shows it, of the row `release`. */
export const RELEASE_JSON = sql`json_build_object('id', release.id, 'routeId', release."routeId",
  'carrierCompanyId', release."carrierCompanyId", 'reasons', release.reasons, 'lastDay', release."lastDay",
  'neededCents', release."neededCents", 'reason', release.reason, 'askedAt', release."askedAt",
  'askedBy', (select json_build_object('id', u.id, 'title', u."fullName") from "user" u
    where u.id = release."askedById"),
  'decision', release.decision, 'decisionReason', release."decisionReason", 'decidedAt', release."decidedAt",
  'decidedBy', (select json_build_object('id', u.id, 'title', u."fullName") from "user" u
    where u.id = release."decidedById"))`

/** Instants inside JSON as they are everywhere else. */
export const withInstants = <Release extends CarrierRelease>(release: Release): Release => ({
  ...release,
  askedAt: instantText(release.askedAt),
  decidedAt: release.decidedAt === null ? null : instantText(release.decidedAt),
})

/** What the clearance of a route goes by, as its columns in a statement over `route` and `assignment`. */
export const CLEARANCE_COLUMNS = sql`
  ${papersOf(sql`assignment."carrierCompanyId"`, sql`route."orderId"`)} as papers,
  (select ${RELEASE_JSON} from carrier_release release where release."routeId" = route.id
    and release."carrierCompanyId" = assignment."carrierCompanyId" order by release.id desc limit 1) as release`

export interface FoundClearance {
  papers: CarrierPapers | null
  release: CarrierRelease | null
}

/** How the carrier of a route stands; null without one, and of what is unloaded. */
export function clearanceOfRoute(
  { papers, release: found }: FoundClearance,
  route: { id: number; status: Order['status']; carrierCompanyId: number | null },
  transport: ClearedTransport,
): RouteClearance | null {
  if (route.carrierCompanyId === null || papers === null || !isClearanceShown(route.status)) return null
  const release = found === null ? null : withInstants(found)
  const reasons = clearanceOf(papers, transport)
  return {
    routeId: route.id,
    carrierCompanyId: route.carrierCompanyId,
    isCleared: isCleared(reasons, transport, release),
    ...transport,
    reasons,
    release,
  }
}

/** What is on file of a carrier for an order, or for none yet. Error: `not_found`. */
export async function carrierPapers(ctx: Ctx, carrierId: number, orderId: number | null): Promise<CarrierPapers> {
  const { rows } = await sql<{
    papers: CarrierPapers | null
  }>`select ${papersOf(sql`${carrierId}`, sql`${orderId}::bigint`)} as papers`.execute(ctx.db)
  if (!rows[0]?.papers) throw new AppError('not_found')
  return rows[0].papers
}

/** What a carrier’s clearance for a route goes by. Errors: the contract’s. */
export async function clearanceFacts(
  ctx: Ctx,
  carrierId: number,
  routeId: number | null,
): Promise<z.output<typeof getCarrierPapers.reply>> {
  if (routeId === null) return { papers: await carrierPapers(ctx, carrierId, null), demandedCents: null, release: null }
  const { rows } = await sql<{ orderId: number; departmentId: number; release: CarrierRelease | null }>`
    select "order".id as "orderId", "order"."departmentId",
        (select ${RELEASE_JSON} from carrier_release release where release."routeId" = route.id
          and release."carrierCompanyId" = ${carrierId} order by release.id desc limit 1) as release
      from route join "order" on "order".id = route."orderId" where route.id = ${routeId} and ${visibleOrders(ctx)}
  `.execute(ctx.db)
  const [found] = rows
  if (!found) throw new AppError('not_found')
  return {
    papers: await carrierPapers(ctx, carrierId, found.orderId),
    demandedCents: await demandedCents(ctx, found.departmentId),
    release: found.release === null ? null : withInstants(found.release),
  }
}

/** What the company of ours that plans it demands to be insured. */
export async function demandedCents(ctx: Ctx, departmentId: number): Promise<number | null> {
  const found = await ctx.db
    .selectFrom('department')
    .select('demandedInsuranceCents')
    .where('id', '=', departmentId)
    .executeTakeFirst()
  return found?.demandedInsuranceCents ?? null
}

/**
 * Lets carriers that may drive once alone be planned one after the other; gives those among these. Whoever waited must
 * look again whether one is used by now.
 */
export async function lockOnceOnly(ctx: Ctx, carrierIds: readonly number[]): Promise<number[]> {
  if (carrierIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`select id from carrier_company where id = any(${[...carrierIds]}::bigint[])
    and "isOnceOnly" order by id for no key update`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/**
 * Refuses a save that puts a carrier which is not cleared on a route that is scheduled or further. `statuses` are those
 * of the body's routes.
 */
export async function refuseUnclearedSave(
  ctx: Ctx,
  body: OrderWrite,
  before: Order,
  statuses: readonly Order['status'][],
): Promise<void> {
  const put = body.routes.flatMap((route, index) => {
    const carrierId = route.assignment?.carrierCompanyId ?? null
    const was = before.routes.find(({ id }) => id === route.id)?.assignment?.carrierCompanyId ?? null
    return carrierId !== null && carrierId !== was && needsAssignment(statuses[index]!)
      ? [{ route, index, carrierId }]
      : []
  })
  if (put.length === 0) return
  await lockOnceOnly(
    ctx,
    put.map(({ carrierId }) => carrierId),
  )
  const placed = inOrder(body.locations, before)
  const demands = { today: todayOf(ctx), demandedCents: await demandedCents(ctx, body.departmentId) }
  const fields: FieldFault[] = []
  for (const { route, index, carrierId } of put) {
    const stops = stopsOf(route, body, before, placed).flatMap((stop) =>
      typeof stop === 'number' ? [body.locations[stop]!] : [],
    )
    const { rows } = await sql<FoundClearance>`
      select ${papersOf(sql`${carrierId}`, sql`${before.id}::bigint`)} as papers,
        (select ${RELEASE_JSON} from carrier_release release where release."routeId" = ${route.id ?? null}::bigint
          and release."carrierCompanyId" = ${carrierId} order by release.id desc limit 1) as release
    `.execute(ctx.db)
    const { papers, release } = rows[0]!
    const transport = transportOf(stops as Parameters<typeof transportOf>[0], body.cargo, demands)
    if (papers !== null && !isCleared(clearanceOf(papers, transport), transport, release))
      fields.push({ path: `routes.${index}.assignment.carrierCompanyId`, code: 'carrier_not_cleared' })
  }
  if (fields.length > 0) throw new AppError('validation', { fields })
}

/** Licences and insurances that asked for another one: of each type the one that is valid longest (decision 023). */
export async function endingPapers(ctx: Ctx): Promise<EndingPaper[]> {
  const { rows } = await sql<EndingPaper>`
    select json_build_object('id', k.id, 'title', k.title) as "carrierCompany", paper."documentType", paper."endsOn",
        (select count(*)::int from assignment a join route r on r.id = a."routeId"
          where a."carrierCompanyId" = k.id and r.status = any(${[...UNDER_WAY_STATUSES]}::text[])) as "plannedRoutes",
        coalesce((select c.email from carrier_contact c where c."carrierCompanyId" = k.id and c.email is not null
          order by c.position limit 1), k.representative ->> 'email') as "to",
        (select max(asked."askedAt") from paper_request asked where asked."carrierCompanyId" = k.id
          and asked."documentType" = paper."documentType" and asked."endsOn" = paper."endsOn") as "askedAt",
        exists (select 1 from document waiting where waiting."ownerKind" = 'carrierCompany'
          and waiting."ownerId" = k.id and waiting."documentType" = paper."documentType"
          and waiting.acceptance = 'toCheck') as "isWaiting"
      from (select d."ownerId", d."documentType", max(d."expiredAt") as "endsOn" from document d
          where d."ownerKind" = 'carrierCompany' and d."documentType" in ('EU_LICENSE', 'INSURANCE_DOCUMENT')
            and d."expiredAt" is not null and ${isCounted('d')} group by d."ownerId", d."documentType") paper
        join carrier_company k on k.id = paper."ownerId" and k.state = 'active'
      where paper."endsOn" <= ${lastWarnedDay(todayOf(ctx))}::date
        and not (paper."documentType" = 'EU_LICENSE' and k."licenceNotNeededReason" is not null)
      order by paper."endsOn", k.title, k.id limit ${sql.lit(MOST_ENDING_PAPERS)}
  `.execute(ctx.db)
  return rows
}
