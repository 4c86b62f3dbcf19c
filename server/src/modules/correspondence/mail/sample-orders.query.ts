import { sql } from 'kysely'
import type { EmailType } from '@waybill/contract/email'
import { EMAIL_RULES, scopesOf, type MailMoment } from '@waybill/contract/email/email-rules'
import type { Reference } from '@waybill/contract/kit/fields'
import { ORDER_STATUSES, PLANNED_STATUSES, type OrderStatus } from '@waybill/contract/order/status'
import { mayAccess, ORDER_ACCESS } from '@waybill/contract/permissions'
import type { Ctx } from '../../../kit/context/context.ts'
import { escapeLike } from '../../../kit/records/paging.ts'
import { visibleOrders } from '../../order/index.ts'

/** What an order must have come to before it is a likely example of a mail. */
const STATUSES: Partial<Record<MailMoment, readonly OrderStatus[]>> = {
  assignmentConfirmed: PLANNED_STATUSES,
  driverKnown: PLANNED_STATUSES,
  beforeArrival: PLANNED_STATUSES,
  loaded: PLANNED_STATUSES.slice(1),
  unloaded: PLANNED_STATUSES.slice(3),
  podAccepted: PLANNED_STATUSES.slice(3),
  invoiceSent: PLANNED_STATUSES.slice(3),
}

const SHOWN = 5

interface MailKind {
  type: EmailType
  variant: string | null
}

const HAS_CARRIER = sql<boolean>`exists (
  select 1 from route join assignment on assignment."routeId" = route.id
    where route."orderId" = "order".id and assignment."carrierCompanyId" is not null)`
const HAS_ARRIVAL = sql<boolean>`exists (
  select 1 from location stop
    where stop."orderId" = "order".id and stop.kind = 'unloading' and stop."canceledAt" is null
      and (stop."plannedAt" is not null or (stop."terminKind" <> 'before' and stop."timeFrom" is not null)))`

/** The order has what the mail speaks of: its moment has come, and there is a carrier or an arrival to name. */
function fitting({ type, variant }: MailKind) {
  const { moment } = EMAIL_RULES[type]
  return sql.join(
    [
      sql<boolean>`"order".status = any(${STATUSES[moment] ?? ORDER_STATUSES}::text[])`,
      ...(scopesOf(type, variant).includes('carrier') ? [HAS_CARRIER] : []),
      ...(moment === 'beforeArrival' ? [HAS_ARRIVAL] : []),
    ],
    sql` and `,
  )
}

/** Orders of a department that fit such a mail, the newest first; by a beginning of their number any of it. */
export async function sampleOrders(
  ctx: Ctx,
  departmentId: number,
  kind: MailKind,
  q: string | undefined,
  limit = SHOWN,
): Promise<Reference[]> {
  if (!mayAccess(ORDER_ACCESS, ctx.actor)) return []
  const fits =
    q === undefined || q.trim() === '' ? fitting(kind) : sql<boolean>`"order".number like ${`${escapeLike(q.trim())}%`}`
  const { rows } = await sql<Reference>`
    select "order".id, "order".number as title from "order"
      where "order"."departmentId" = ${departmentId} and ${fits} and ${visibleOrders(ctx)}
      order by "order"."createdAt" desc, "order".id desc limit ${sql.lit(limit)}
  `.execute(ctx.db)
  return rows
}
