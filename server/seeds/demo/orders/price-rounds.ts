import { sql } from 'kysely'
import { roundHalfAwayFromZero } from '@waybill/contract/kit/money'
import { nowOf, type Ctx } from '../../../src/kit/context/context.ts'
import { hashSecret, newSecret } from '../../../src/kit/context/secrets.ts'

const ROUNDS = 2
const ASKED = 4
const HOUR_MS = 3_600_000

interface Free {
  orderId: number
  /** what the customer pays */
  priceCents: number
  askedById: number | null
  carriers: { id: number; email: string }[]
}

const REMARKS = ['Same truck as last time', 'Comes from Brescia, empty at noon', null] as const

/**
 * Price rounds of new orders, for which a route is planned: of four carriers, those first that know the lane, two have
 * answered with a price, one has declined, one is still out.
 */
export async function seedPriceRounds(ctx: Ctx): Promise<void> {
  const { rows } = await sql<Free>`
    select o.id as "orderId", o."customerPriceCents" as "priceCents", o."caseWorkerId" as "askedById",
        (select json_agg(k) from (
          select k.id, (select c.email from carrier_contact c where c."carrierCompanyId" = k.id
              and c.email is not null order by c.position limit 1) as email
            from carrier_company k
            where k.state = 'active' and k."blockedReason" is null and exists (select 1 from carrier_contact c
              where c."carrierCompanyId" = k.id and c.email is not null)
            order by (select count(*) from "order" other where other."laneKey" = o."laneKey"
              and k.id = any(other."carrierCompanyIds")) desc, k.id limit ${sql.lit(ASKED)}) k) as carriers
      from "order" o
      where o.status = 'new' and o."customerPriceCents" > 0 and o."laneKey" is not null
        and not exists (select 1 from route r where r."orderId" = o.id)
      order by o.disposition is distinct from 'FOR_SALE', (select count(*) from "order" other
        where other."laneKey" = o."laneKey") desc, o.id desc
      limit ${sql.lit(ROUNDS)}
  `.execute(ctx.db)
  const now = ctx.clock.now().getTime()
  for (const [index, { orderId, priceCents, askedById, carriers }] of rows.entries()) {
    const routeId = await planRoute(ctx, orderId)
    const { id: roundId } = await ctx.db
      .insertInto('price_round')
      .values({
        orderId,
        routeId,
        deadline: new Date(now + (20 + 8 * index) * HOUR_MS).toISOString(),
        limitCents: tens(priceCents, 88),
        remark: index === 0 ? 'Straps on board, loading at the side' : null,
        askedById,
        askedAt: nowOf(ctx),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [place, { id: carrierCompanyId, email }] of carriers.entries()) {
      const isOut = place === ASKED - 1 - index
      const isDeclined = place === 1 - index
      const isPriced = !isOut && !isDeclined
      await ctx.db
        .insertInto('price_answer')
        .values({
          roundId,
          carrierCompanyId,
          email,
          tokenHash: hashSecret(newSecret()),
          priceCents: isPriced ? tens(priceCents, 82 + 3 * place + index) : null,
          isDeclined,
          remark: isOut ? null : isDeclined ? 'No truck there this week' : (REMARKS[place % REMARKS.length] ?? null),
          answeredAt: isOut ? null : nowOf(ctx),
        })
        .execute()
    }
  }
}

/** A route over all stops of an order, without a carrier. */
async function planRoute(ctx: Ctx, orderId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into route ("orderId", n, status, "statusDates")
      select id, 1, 'new', jsonb_build_object('new', "newAt") from "order" where id = ${orderId} returning id
  `.execute(ctx.db)
  const { id } = rows[0]!
  await sql`update location set "routeId" = ${id}, "routePosition" = position where "orderId" = ${orderId}`.execute(
    ctx.db,
  )
  await sql`update "order" set "lastRouteN" = 1 where id = ${orderId}`.execute(ctx.db)
  return id
}

/** So many hundredths of a price, at full five euros. */
const tens = (priceCents: number, hundredths: number): number =>
  Math.max(1, roundHalfAwayFromZero(priceCents * hundredths, 50_000)) * 500
