import { sql, type RawBuilder } from 'kysely'
import { NOTE_CHANGE_HOURS, type Mention, type Note } from '@waybill/contract/order/note'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Page } from '@waybill/contract/kit/paging'
import { actorOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { escapeLike, listPage, type AnyQuery, type ListQuery } from '../../../kit/records/paging.ts'
import { visibleOrders } from '../order.policy.ts'
import './order-note.table.ts'

const MOST_READERS = 20
const MOST_MENTIONS_SHOWN = 50

/** Before this a note can no longer be changed. */
const changeableSince = (ctx: Ctx): string =>
  new Date(ctx.clock.now().getTime() - NOTE_CHANGE_HOURS * 3_600_000).toISOString()

const columns =
  (ctx: Ctx) =>
  (rows: AnyQuery): AnyQuery =>
    rows.innerJoin('user as author', 'author.id', 'order_note.authorId').select([
      'order_note.id',
      'order_note.version',
      'order_note.text',
      'order_note.createdAt',
      'order_note.changedAt',
      sql<Reference>`jsonb_build_object('id', author.id, 'title', author."fullName")`.as('author'),
      sql<Reference[]>`coalesce((
          select json_agg(json_build_object('id', u.id, 'title', u."fullName") order by u."fullName", u.id)
            from order_note_mention m join "user" u on u.id = m."userId" where m."noteId" = order_note.id
        ), '[]')`.as('mentions'),
      sql<boolean>`order_note."authorId" = ${actorOf(ctx).userId}
          and order_note."createdAt" > ${changeableSince(ctx)}`.as('mayChange'),
    ])

/** The notes on one order, which the caller may see, the newest first. */
export function listNotes(
  ctx: Ctx,
  orderId: number,
  paging: Pick<ListQuery, 'page' | 'cursor' | 'perPage'>,
): Promise<Page<Note>> {
  return listPage<Note>({
    db: ctx.db,
    table: 'order_note',
    filtered: ctx.db.selectFrom('order_note').where('orderId', '=', orderId) as unknown as AnyQuery,
    sorts: { id: { column: 'order_note.id', type: 'bigint' } },
    query: { ...paging, sort: '-id', orderId },
    rows: columns(ctx),
  })
}

/** One note of one order. Error: `not_found`. */
export async function noteView(ctx: Ctx, orderId: number, noteId: number): Promise<Note> {
  const found = await columns(ctx)(ctx.db.selectFrom('order_note') as unknown as AnyQuery)
    .where('order_note.id', '=', noteId)
    .where('order_note.orderId', '=', orderId)
    .executeTakeFirst()
  if (!found) throw new AppError('not_found')
  return found as Note
}

/**
 * Who may see an order, as the policy of orders says of the caller: with ORDERS_MANAGEMENT all, with ASSIGNED_ORDERS
 * its managers, administrators always (domain, People and rights).
 */
const readsOrder = (orderId: number): RawBuilder<boolean> => sql<boolean>`
  u.state = 'active' and (u."isAdmin" or exists (
    select 1 from user_role r where r.id = u."roleId" and r."isEnabled" and r.state = 'active'
      and u."positionTitle" is not null and ('ORDERS_MANAGEMENT' = any(r.permissions)
        or ('ASSIGNED_ORDERS' = any(r.permissions) and exists (
          select 1 from "order" o where o.id = ${orderId} and u.id = any(o."managerIds"))))
  ))`

/** People to name in the notes of an order: those of whose name a word begins like `q`. */
export async function listReaders(ctx: Ctx, orderId: number, q = ''): Promise<{ items: Reference[] }> {
  const { rows } = await sql<Reference>`
    select u.id, u."fullName" as title from "user" u
      where ${readsOrder(orderId)} and u.id <> ${actorOf(ctx).userId}
        and ' ' || search_key(u."fullName") like '% ' || search_key(${escapeLike(q)}) || '%'
      order by u."fullName", u.id limit ${sql.lit(MOST_READERS)}
  `.execute(ctx.db)
  return { items: rows }
}

/** Of these people those who may see the order. */
export async function readersAmong(
  ctx: Ctx,
  orderId: number,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select u.id from "user" u where u.id = any(${userIds}::bigint[]) and ${readsOrder(orderId)}
  `.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}

/** What names the caller and was not seen yet, in orders that the caller may still see. */
export async function listMentions(ctx: Ctx): Promise<{ items: Mention[] }> {
  const { rows } = await sql<Mention>`
    select n.id as "noteId", n.text, n."createdAt",
      jsonb_build_object('id', "order".id, 'title', "order".number) as "order",
      jsonb_build_object('id', "order"."customerId", 'title', "order"."customerTitle") as customer,
      jsonb_build_object('id', author.id, 'title', author."fullName") as author
    from order_note_mention m
      join order_note n on n.id = m."noteId"
      join "order" on "order".id = n."orderId"
      join "user" author on author.id = n."authorId"
    where m."userId" = ${actorOf(ctx).userId} and m."seenAt" is null and ${visibleOrders(ctx)}
    order by n.id desc limit ${sql.lit(MOST_MENTIONS_SHOWN)}
  `.execute(ctx.db)
  return { items: rows }
}
