import { sql } from 'kysely'
import type { PriceRound } from '@waybill/contract/order/choice/price-round'
import type { DispatchContact } from '@waybill/contract/order/choice/disponent'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { instantText } from '../../kit/database/db.ts'
import './price-round.table.ts'

type Found = Omit<PriceRound, 'answers'> & { answers: PriceRound['answers'] }

/** Rounds as staff see them, the newest first; `condition` is over the row `round`. */
async function rounds(ctx: Ctx, condition: ReturnType<typeof sql<boolean>>): Promise<PriceRound[]> {
  const { rows } = await sql<Found>`
    select round.id, round."routeId", round.deadline, round."limitCents", round.remark, round."askedAt",
        round."closedAt", round."closeReason", round."takenAnswerId",
        (select json_build_object('id', u.id, 'title', u."fullName") from "user" u where u.id = round."askedById")
          as "askedBy",
        (select json_agg(json_build_object('id', a.id, 'carrierCompany',
            json_build_object('id', k.id, 'title', k.title),
            'email', a.email, 'priceCents', a."priceCents", 'remark', a.remark, 'holdsUntil', a."holdsUntil",
            'answeredAt', a."answeredAt",
            'state', case when a."isDeclined" then 'declined' when a."priceCents" is null then 'asked'
              else 'priced' end)
            order by a.id)
          from price_answer a join carrier_company k on k.id = a."carrierCompanyId" where a."roundId" = round.id)
          as answers
      from price_round round where ${condition} order by round.id desc limit 1
  `.execute(ctx.db)
  return rows.map((round) => ({
    ...round,
    answers: round.answers.map((one) => ({
      ...one,
      answeredAt: one.answeredAt === null ? null : instantText(one.answeredAt),
    })),
  }))
}

/** The newest round of a route; null where nobody was asked. */
export const newestRound = async (ctx: Ctx, routeId: number): Promise<PriceRound | null> =>
  (await rounds(ctx, sql<boolean>`round."routeId" = ${routeId}`))[0] ?? null

/** A round of a route. Error: `not_found`. */
export async function roundOfRoute(ctx: Ctx, routeId: number, id: number): Promise<PriceRound> {
  const [round] = await rounds(ctx, sql<boolean>`round.id = ${id} and round."routeId" = ${routeId}`)
  if (!round) throw new AppError('not_found')
  return round
}

export interface AskedCarrier {
  id: number
  title: string
  email: string | null
}

/** Carriers in use with the address of the first of theirs who has one. */
export async function carriersToAsk(ctx: Ctx, ids: readonly number[]): Promise<AskedCarrier[]> {
  const { rows } = await sql<AskedCarrier>`
    select k.id, k.title, (select contact.email from carrier_contact contact where contact."carrierCompanyId" = k.id
        and contact.email is not null order by contact.position limit 1) as email
      from carrier_company k where k.id = any(${[...ids]}::bigint[]) and k.state = 'active'
  `.execute(ctx.db)
  return rows
}

/** Whom the form names as the carrier's disponent: the first. */
export async function firstContact(ctx: Ctx, carrierCompanyId: number): Promise<DispatchContact | null> {
  const { rows } = await sql<DispatchContact>`select "fullName", phone, email from carrier_contact
    where "carrierCompanyId" = ${carrierCompanyId} order by position limit 1`.execute(ctx.db)
  return rows[0] ?? null
}
