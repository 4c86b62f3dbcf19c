import { sql, type RawBuilder } from 'kysely'
import {
  MOVEMENTS_AT_A_TIME,
  type Holder,
  type HolderKind,
  type Movement,
  type Movements,
} from '@waybill/contract/load-carrier/account'
import { UNSENT_INVOICE } from '@waybill/contract/invoice/status'
import { mayAccess, ORDER_ACCESS } from '@waybill/contract/permissions'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { visibleOrders } from '../order/index.ts'
import { admittedHolder, HOLDER_COLUMNS } from './holder.policy.ts'
import { limitsOf } from './limit.query.ts'
import './load-carrier.table.ts'
import { agreedUntil, enteredAt, lastStated } from './stated.query.ts'

interface Which {
  holder: HolderKind
  holderId: number
  typeId?: number | undefined
}

/** The order of the stop `l`, for who may see it. */
export const orderFor = (ctx: Ctx): RawBuilder<unknown> =>
  mayAccess(ORDER_ACCESS, ctx.actor)
    ? sql`(select json_build_object('id', "order".id, 'title', "order".number) from "order"
        where "order".id = l."orderId" and ${visibleOrders(ctx)})`
    : sql`null`

/** The entries of an account with the balance after each, the newest first. */
const entriesOf = (ctx: Ctx, { holder, holderId, typeId }: Which, more: RawBuilder<unknown>) => sql<Movement>`
  select e.id, coalesce(m.version, 0) as version, e."movedOn",
      json_build_object('id', t.id, 'title', ${shownTitle(ctx.language, 't')}) as type,
      e.given, e.received, e.damaged, e.balance::int as balance, m."noteNumber", m.note,
      case when l.id is not null then json_build_object('title', concat_ws(', ', l."companyTitle", l.city),
        'orderNumber', (select o.number from "order" o where o.id = l."orderId")) end as stop,
      ${orderFor(ctx)} as "order",
      (select json_build_object('id', i.id, 'title', coalesce(i.number, i."innerNumber"))
        from invoice_line line join invoice i on i.id = line."invoiceId" where line.id = e."invoiceLineId") as invoice,
      (select json_build_object('id', u.id, 'title', u."fullName") from "user" u where u.id = m."createdById")
        as "createdBy",
      coalesce(${agreedUntil({ kind: holder, id: holderId })} >= ${enteredAt}, false) as "isAgreed"
    from (
      select e.*, sum(e.net) over (partition by e."typeId" order by e."movedOn", e.id) as balance
        from load_carrier_entry e where ${sql.ref(`e.${HOLDER_COLUMNS[holder]}`)} = ${holderId}
          and (${typeId ?? null}::bigint is null or e."typeId" = ${typeId ?? null}::bigint)
    ) e join load_carrier_type t on t.id = e."typeId" left join load_carrier_movement m on m.id = e.id
      left join location l on l.id = e."locationId"
    ${more}`

/** The newest movements of an account. Errors: `forbidden`, `not_found`. */
export async function movements(ctx: Ctx, which: Which): Promise<Movements> {
  const { kind, id, title, detail } = await admittedHolder(ctx, { kind: which.holder, id: which.holderId })
  const newest = sql`order by e."movedOn" desc, e.id desc limit ${sql.lit(MOVEMENTS_AT_A_TIME)}`
  const { rows: items } = await entriesOf(ctx, which, newest).execute(ctx.db)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from load_carrier_entry e
      where ${sql.ref(`e.${HOLDER_COLUMNS[which.holder]}`)} = ${which.holderId}
        and (${which.typeId ?? null}::bigint is null or e."typeId" = ${which.typeId ?? null}::bigint)
  `.execute(ctx.db)
  return {
    holder: { kind, id, title, detail },
    items,
    olderCount: rows[0]!.count - items.length,
    stated: await lastStated(ctx, { kind, id }),
    limits: await limitsOf(ctx, { kind, id }),
    drafts: await draftsOf(ctx, which),
  }
}

/**
 * What of an account is on drafts of invoices, those put aside too: they can be taken up again. It moves the account
 * once these are sent.
 */
export async function draftsOf(ctx: Ctx, { holder, holderId, typeId }: Which): Promise<Movements['drafts']> {
  const { rows } = await sql<Movements['drafts'][number]>`
    select json_build_object('id', i.id, 'title', coalesce(i.number, i."innerNumber")) as invoice, b."typeId",
        trunc(line.quantity)::int as pieces
      from load_carrier_bill_line b join invoice_line line on line.id = b."invoiceLineId"
        join invoice i on i.id = line."invoiceId"
      where ${sql.ref(`b.${HOLDER_COLUMNS[holder]}`)} = ${holderId} and i.status = ${UNSENT_INVOICE}
        and (${typeId ?? null}::bigint is null or b."typeId" = ${typeId ?? null}::bigint)
      order by i.id, line.position
  `.execute(ctx.db)
  return rows
}

/** All movements of an account, the oldest first. Errors: `forbidden`, `not_found`. */
export async function* allMovements(ctx: Ctx, which: Which): AsyncGenerator<Movement> {
  await admittedHolder(ctx, { kind: which.holder, id: which.holderId })
  const { rows } = await entriesOf(ctx, which, sql`order by e."movedOn", e.id`).execute(ctx.db)
  yield* rows
}

/** One movement as its own account shows it. Error: `not_found`. */
export async function movementView(ctx: Ctx, holder: Holder, id: number): Promise<Movement> {
  const { rows } = await entriesOf(ctx, { holder: holder.kind, holderId: holder.id }, sql`where e.id = ${id}`).execute(
    ctx.db,
  )
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}
