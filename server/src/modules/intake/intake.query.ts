import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import {
  isOpenMail,
  type countIntakeMails,
  type IntakeMail,
  type IntakeRow,
  type listIntakeMails,
} from '@waybill/contract/intake/intake'
import type { Reading } from '@waybill/contract/intake/reading'
import { EXACT_TOTAL, type Page } from '@waybill/contract/kit/paging'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { conditionsOf, type Filters } from '../../kit/records/filters.ts'
import { listPage, searchIn, type AnyQuery, type ListQuery } from '../../kit/records/paging.ts'
import { visibleOrders } from '../order/index.ts'
import { visibleQuotes } from '../quote/index.ts'
import { isReopenable } from './draft/draft-order.rules.ts'
import { visibleMails } from './intake.policy.ts'
import { mailboxState } from './mailbox/mailbox-state.repository.ts'
import './intake.table.ts'

const COLUMNS = [
  'id',
  'version',
  'state',
  'source',
  'receivedAt',
  'fromName',
  'fromAddress',
  'subject',
  'kind',
  'summary',
  'fileName',
  'reason',
] as const

const personOf = (column: string) => sql`(select json_build_object('id', who.id, 'title', who."fullName")
  from "user" who where who.id = ${sql.ref(`intake_mail.${column}`)})`

/** The attachment that one order of a mail stands in; null of one that stands in the mail as a whole. */
const attachmentAt = (table: string, position: RawBuilder<unknown>) => sql`(
  select json_build_object('place', one_file.at - 1, 'name', one_file.file ->> 'name')
    from jsonb_array_elements(${sql.ref(`${table}.attachments`)}) with ordinality one_file(file, at)
    where (one_file.file ->> 'isRead')::boolean
      and jsonb_typeof(${sql.ref(`${table}.reading`)} -> 'ofParts' -> ${position}) = 'number'
    order by one_file.at
    offset coalesce((${sql.ref(`${table}.reading`)} -> 'ofParts' ->> ${position})::int, 0) limit 1)`

/** The orders of a mail that the caller may see, in the order in which they were saved or the mail was filed. */
const ordersOf = (ctx: Ctx, table: string) => sql`coalesce((
  select json_agg(json_build_object('id', "order".id, 'title', "order".number,
      'attachment', ${attachmentAt(table, sql`one.position`)}) order by one.first)
    from (select "orderId", min(id) as first, min(position) filter (where not "isFiled") as position
      from intake_order where "mailId" = ${sql.ref(`${table}.id`)} group by "orderId") one
    join "order" on "order".id = one."orderId" where ${visibleOrders(ctx)}), '[]')`

/** The quotes of a mail that the caller may see, in the order of its drafts. */
const quotesOf = (ctx: Ctx) => sql`coalesce((
  select json_agg(json_build_object('id', quote.id, 'title', quote.number) order by one.position)
    from intake_quote one join quote on quote.id = one."quoteId"
    where one."mailId" = intake_mail.id and ${visibleQuotes(ctx)}), '[]')`

/** The newest mail before it with the same words, as far as the caller may know of it. */
const sameText = (ctx: Ctx) => sql`(
  select json_build_object('id', other.id, 'receivedAt', other."receivedAt", 'orders', ${ordersOf(ctx, 'other')})
    from intake_mail other
    where other."textHash" = intake_mail."textHash" and other.id < intake_mail.id and intake_mail.text <> ''
      and ${visibleMails(ctx, 'other')}
    order by other.id desc limit 1)`

const row =
  (ctx: Ctx) =>
  (rows: AnyQuery): AnyQuery =>
    rows.select(COLUMNS.map((name) => `intake_mail.${name}`)).select([
      personOf('assignedToId').as('assignedTo'),
      personOf('broughtInById').as('broughtInBy'),
      sql`(select json_build_object('id', k.id, 'title', k.title) from customer k
          where k.id = intake_mail."customerId")`.as('customer'),
      ordersOf(ctx, 'intake_mail').as('orders'),
      quotesOf(ctx).as('quotes'),
    ])

type MailQuery = z.output<typeof listIntakeMails.query>

const FILTERS: Filters<MailQuery> = {
  q: (_ctx, q) => searchIn(q, 'intake_mail.searchKey', ['intake_mail.searchKey']),
  status: (_ctx, states) => sql<boolean>`intake_mail.state = any(${states}::text[])`,
  assignedToId: (_ctx, ids) => sql<boolean>`intake_mail."assignedToId" = any(${ids}::bigint[])`,
  mine: (ctx, isMine) =>
    isMine ? sql<boolean>`intake_mail."assignedToId" = ${actorOf(ctx).userId}` : sql<boolean>`true`,
  waitsForMe: (ctx, isWaiting) =>
    isWaiting
      ? sql<boolean>`(intake_mail.state = 'new' and (intake_mail."assignedToId" is null
          or intake_mail."assignedToId" = ${actorOf(ctx).userId})
        or intake_mail.state = 'drafted' and intake_mail."assignedToId" = ${actorOf(ctx).userId})`
      : sql<boolean>`true`,
  orderId: (_ctx, ids) => sql<boolean>`exists (select 1 from intake_order one
    where one."mailId" = intake_mail.id and one."orderId" = any(${ids}::bigint[]))`,
  quoteId: (_ctx, ids) => sql<boolean>`exists (select 1 from intake_quote one
    where one."mailId" = intake_mail.id and one."quoteId" = any(${ids}::bigint[]))`,
}

/** One page of the mails. */
export const listMails = (ctx: Ctx, query: MailQuery): Promise<Page<IntakeRow>> =>
  listPage<IntakeRow>({
    db: ctx.db,
    table: 'intake_mail',
    filtered: [visibleMails(ctx), ...conditionsOf(FILTERS, ctx, query)].reduce(
      (rows, condition) => rows.where(condition),
      ctx.db.selectFrom('intake_mail') as unknown as AnyQuery,
    ),
    sorts: { receivedAt: { column: 'intake_mail.receivedAt', type: 'timestamptz' } },
    query: query as unknown as ListQuery,
    rows: row(ctx),
  })

/** How many mails each state holds, and how the mailbox does. */
export async function countMails(ctx: Ctx): Promise<z.input<typeof countIntakeMails.reply>> {
  const countOf = (state: IntakeRow['state']) => sql<number>`(select count(*)::int from (select 1 from intake_mail
    where state = ${sql.lit(state)} and ${visibleMails(ctx)} limit ${sql.lit(EXACT_TOTAL)}) one)`
  const { rows } = await sql<{ byState: Record<IntakeRow['state'], number> }>`
    select json_build_object('new', ${countOf('new')}, 'drafted', ${countOf('drafted')}, 'saved', ${countOf('saved')},
      'not_order', ${countOf('not_order')}) as "byState"
  `.execute(ctx.db)
  return { ...rows[0]!, mailbox: await mailboxState(ctx) }
}

/** What a draft of a mail became: an order, also one that it was filed with, or a quote. */
interface Settled {
  /** null: the mail as a whole was filed */
  position: number | null
  /** null: it became a quote */
  orderId: number | null
  isFiled: boolean
}

/** What became of a mail by now. */
export async function settledOf(ctx: Ctx, mailId: number): Promise<Settled[]> {
  const { rows } = await sql<Settled>`
    select position, "orderId", "isFiled" from (
      select 1 as kind, id as place, position, "orderId", "isFiled" from intake_order where "mailId" = ${mailId}
      union all
      select 2, position, position, null, false from intake_quote where "mailId" = ${mailId}) one
      order by kind, place
  `.execute(ctx.db)
  return rows
}

/** A mail with its text. Errors: `not_found`. */
export const mailView = (ctx: Ctx, id: number): Promise<IntakeMail> => viewOf(ctx, id, visibleMails(ctx))

/** The same for who was just allowed to change it, and may have given it away by that. */
export const changedMail = (ctx: Ctx, id: number): Promise<IntakeMail> => viewOf(ctx, id, sql<boolean>`true`)

async function viewOf(ctx: Ctx, id: number, which: RawBuilder<boolean>): Promise<IntakeMail> {
  const found = await row(ctx)(ctx.db.selectFrom('intake_mail') as unknown as AnyQuery)
    .select('intake_mail.reading')
    .select([
      'intake_mail.text',
      'intake_mail.isCut',
      'intake_mail.parts',
      'intake_mail.unread',
      'intake_mail.attachments',
      sameText(ctx).as('sameText'),
    ])
    .where(which)
    .where('intake_mail.id', '=', id)
    .executeTakeFirst()
  if (!found) throw new AppError('not_found')
  const { reading, ...mail } = found as unknown as Omit<IntakeMail, 'mayReopen'> & { reading: Reading }
  return { ...mail, mayReopen: !isOpenMail(mail.state) && isReopenable(reading, await settledOf(ctx, id)) }
}

/** The file that a mail came as. Errors: `not_found`, also of a text that was pasted. */
export async function fileOfMail(ctx: Ctx, id: number) {
  const found = await ctx.db
    .selectFrom('intake_mail')
    .select(['fileName', 'fileKey', 'contentType'])
    .where('id', '=', id)
    .where(visibleMails(ctx))
    .executeTakeFirst()
  if (!found?.fileKey) throw new AppError('not_found')
  return { title: found.fileName!, fileKey: found.fileKey, contentType: found.contentType! }
}

/** The time zone that the caller works in: of the company of the department, else of any. */
export async function zoneOfCaller(ctx: Ctx): Promise<string> {
  const { rows } = await sql<{ timeZone: string }>`
    select c."timeZone" from company c
      left join department d on d."companyId" = c.id
      left join "user" u on u."departmentId" = d.id and u.id = ${ctx.actor?.userId ?? null}::bigint
      order by (u.id is null), c.id limit 1
  `.execute(ctx.db)
  return rows[0]?.timeZone ?? 'UTC'
}

/** A mail as it is read. Errors: `not_found`. */
export async function mailToRead(ctx: Ctx, id: number) {
  const mail = await ctx.db
    .selectFrom('intake_mail')
    .select(['text', 'parts', 'subject', 'fromName', 'fromAddress', 'sentAt'])
    .where('id', '=', id)
    .where(visibleMails(ctx))
    .executeTakeFirst()
  if (!mail) throw new AppError('not_found')
  return { ...mail, parts: mail.parts as IntakeMail['parts'] }
}
