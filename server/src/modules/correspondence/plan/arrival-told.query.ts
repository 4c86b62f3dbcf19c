import { sql } from 'kysely'
import type { OpenedEmail } from '@waybill/contract/email'
import type { Order } from '@waybill/contract/order/order'
import type { Ctx } from '../../../kit/context/context.ts'
import type { DueEmail } from '../../email/index.ts'
import { arrivalOf } from './mail-plan.rules.ts'

type Arrival = NonNullable<OpenedEmail['arrival']>

/** A plan that is dragged to and fro leaves many; the last of them say where it stands. */
const MOST_MOVES = 10

/** The history keeps values as the record has them: instants with the database's own zone are made one form. */
const instant = (value: string | null): string | null => (value === null ? null : new Date(value).toISOString())

async function movesOf(ctx: Ctx, orderId: number, stopId: number): Promise<Arrival['moves']> {
  const { rows } = await sql<Arrival['moves'][number]>`
    select entry.at, change ->> 'from' as "from", change ->> 'to' as "to",
      case when person.id is not null
        then json_build_object('id', person.id, 'title', person."fullName") end as actor
    from audit_entry entry
      cross join lateral jsonb_array_elements(entry.changes) change
      left join "user" person on person.id = entry."actorId"
    where entry."ownerKind" = 'order' and entry."ownerId" = ${orderId}
      and change ->> 'path' = ${`locations.${stopId}.plannedAt`}
    order by entry.id desc limit ${MOST_MOVES}
  `.execute(ctx.db)
  return rows
    .map(({ at, actor, from, to }) => ({ at: new Date(at).toISOString(), actor, from: instant(from), to: instant(to) }))
    .toReversed()
}

/** The arrival that a mail waits for, and how the plan has moved it; null where it waits for none. */
export async function arrivalTold(ctx: Ctx, order: Order, { type, routeId, locationId }: DueEmail) {
  if (type !== 'before_arriving') return null
  const stop = order.locations.find(({ id }) => id === locationId)
  const at = stop ? arrivalOf(stop) : null
  if (!stop || at === null) return null
  const onRoute = order.routes.find(({ id }) => id === routeId)?.locationIds ?? []
  const there = onRoute.filter((id) => order.locations.some((one) => one.id === id && one.canceledAt === null))
  const { city, timeZone } = stop
  return {
    place: Math.max(1, there.indexOf(stop.id) + 1),
    city,
    timeZone,
    at: new Date(at).toISOString(),
    moves: await movesOf(ctx, order.id, stop.id),
  } satisfies Arrival
}
