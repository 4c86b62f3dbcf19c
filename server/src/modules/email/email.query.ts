import { sql, type RawBuilder } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'
import {
  emailApi,
  type Email,
  type EmailOwner,
  type EmailRow,
  type listEmails as emails,
} from '@waybill/contract/email'
import { isNumberBeginning, type Page } from '@waybill/contract/kit/paging'
import { mayAccess } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { withinDays } from '../../kit/records/day-range.ts'
import { conditionsOf, type Filters } from '../../kit/records/filters.ts'
import { admitToOwner } from '../../kit/records/owners.ts'
import { listPage, searchIn, type AnyQuery } from '../../kit/records/paging.ts'
import './email.table.ts'

/** The record with its number or name, and whose it is: a customer or, of a carrier's invoice, nobody. */
const OWNER = sql`case email."ownerKind"
  when 'order' then (
    select jsonb_build_object('kind', 'order', 'id', o.id, 'title', o.number,
      'customer', jsonb_build_object('id', o."customerId", 'title', o."customerTitle"))
    from "order" o where o.id = email."ownerId")
  when 'invoice' then (
    select jsonb_build_object('kind', 'invoice', 'id', i.id, 'title', coalesce(i.number, i."innerNumber"),
      'customer', case when c.id is not null then jsonb_build_object('id', c.id, 'title', c.title) end)
    from invoice i left join customer c on c.id = i."billingCustomerId" where i.id = email."ownerId")
  when 'customer' then (
    select jsonb_build_object('kind', 'customer', 'id', c.id, 'title', c.title,
      'customer', jsonb_build_object('id', c.id, 'title', c.title)) from customer c where c.id = email."ownerId")
  when 'carrierCompany' then (
    select jsonb_build_object('kind', 'carrierCompany', 'id', k.id, 'title', k.title, 'customer', null)
    from carrier_company k where k.id = email."ownerId")
  when 'loadCarrierPlace' then (
    select jsonb_build_object('kind', 'loadCarrierPlace', 'id', p.id, 'title', p.title, 'customer', null)
    from load_carrier_place p where p.id = email."ownerId")
  when 'quote' then (
    select jsonb_build_object('kind', 'quote', 'id', q.id, 'title', q.number,
      'customer', jsonb_build_object('id', c.id, 'title', c.title))
    from quote q join customer c on c.id = q."customerId" where q.id = email."ownerId")
  else (
    select jsonb_build_object('kind', 'user', 'id', u.id, 'title', u."fullName", 'customer', null)
    from "user" u where u.id = email."ownerId")
  end`

const columns = (rows: AnyQuery): AnyQuery =>
  rows
    .select([
      'email.id',
      'email.type',
      'email.variant',
      'email.status',
      'email.waitsFor',
      'email.reason',
      'email.missing',
      'email.isAutomatic',
      // One whose time has not come has none yet.
      sql<boolean>`email.subject <> ''`.as('isWritten'),
      'email.to',
      'email.cc',
      'email.subject',
      'email.html',
      'email.tries',
      'email.lastError',
      'email.createdAt',
      'email.notBefore',
      'email.sentAt',
      'email.mimeSizeBytes',
    ])
    .select((eb) => [
      OWNER.as('owner'),
      jsonArrayFrom(
        eb
          .selectFrom('email_attachment as link')
          .innerJoin('document', 'document.id', 'link.documentId')
          .select(['document.id as documentId', 'document.title', 'document.sizeBytes', 'document.sha256'])
          .whereRef('link.emailId', '=', 'email.id')
          .orderBy('link.position'),
      ).as('attachments'),
      // As text in UTC: inside JSON, PostgreSQL writes instants its own way.
      jsonArrayFrom(
        eb
          .selectFrom('email_try as attempt')
          .select([
            sql`to_char(attempt.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as('at'),
            'attempt.isSent',
            'attempt.response',
          ])
          .whereRef('attempt.emailId', '=', 'email.id')
          .orderBy('attempt.id', 'desc'),
      ).as('attempts'),
      jsonObjectFrom(
        eb
          .selectFrom('route')
          .innerJoin('order', 'order.id', 'route.orderId')
          .select(['route.id', sql<string>`"order".number || '/' || route.n`.as('title')])
          .whereRef('route.id', '=', 'email.routeId'),
      ).as('route'),
      jsonObjectFrom(
        eb
          .selectFrom('customer')
          .select(['customer.id', 'customer.title'])
          .whereRef('customer.id', '=', 'email.customerId'),
      ).as('customer'),
      jsonObjectFrom(
        eb
          .selectFrom('user as author')
          .select(['author.id', 'author.fullName as title'])
          .whereRef('author.id', '=', 'email.createdById'),
      ).as('createdBy'),
    ])

type EmailQuery = z.output<typeof emails.query>
type Paging = Pick<EmailQuery, 'page' | 'cursor' | 'perPage'>

/** Whose mails each parameter asks for. */
const OWNERS = {
  orderId: 'order',
  invoiceId: 'invoice',
  userId: 'user',
  customerId: 'customer',
  carrierCompanyId: 'carrierCompany',
  loadCarrierPlaceId: 'loadCarrierPlace',
  quoteId: 'quote',
} as const
type OwnerName = keyof typeof OWNERS

type MailCondition = RawBuilder<boolean>

/** The zone of the company that a mail's order or invoice belongs to. */
const COMPANY_ZONE = sql`coalesce(
  (select company."timeZone" from "order" o join department on department.id = o."departmentId"
    join company on company.id = department."companyId" where email."ownerKind" = 'order' and o.id = email."ownerId"),
  (select company."timeZone" from invoice i join company on company.id = i."companyId"
    where email."ownerKind" = 'invoice' and i.id = email."ownerId"), 'UTC')`

/** One value as an equation: only then is an index on it walked in the order of the dates. */
const among = (column: 'status' | 'type', values: readonly string[]): MailCondition =>
  values.length === 1
    ? sql<boolean>`${sql.ref(`email.${column}`)} = ${values[0]}`
    : sql<boolean>`${sql.ref(`email.${column}`)} = any(${values}::text[])`

const ofMyOrders = (ctx: Ctx): MailCondition => sql<boolean>`(email."ownerKind" = 'order' and exists (
  select 1 from "order" mine where mine.id = email."ownerId"
    and mine."managerIds" && ${[actorOf(ctx).userId]}::bigint[]))`

/** The number of a mail's record, as its index has it. */
const NUMBER = sql`split_part(email."searchKey", ' ', 1) collate "C"`

/** `isForAnyWords`: see `searchIn`. */
const FILTERS: Filters<Omit<EmailQuery, OwnerName>, [isForAnyWords: boolean]> = {
  q: (_ctx, q, isForAnyWords) =>
    isNumberBeginning(q)
      ? sql<boolean>`${NUMBER} like ${`${q.trim()}%`}`
      : searchIn(q, 'email.searchKey', ['email.searchKey'], { isForAnyWords }),
  status: (_ctx, statuses) => among('status', statuses),
  type: (_ctx, types) => among('type', types),
  orderIds: (_ctx, ids) => sql<boolean>`email."ownerKind" = 'order' and email."ownerId" = any(${ids}::bigint[])`,
  origin: (_ctx, origins) =>
    origins.length !== 1
      ? sql<boolean>`true`
      : origins[0] === 'automatic'
        ? sql<boolean>`email."isAutomatic"`
        : sql<boolean>`not email."isAutomatic"`,
  mine: (ctx, wanted) => (wanted ? ofMyOrders(ctx) : sql<boolean>`not (${ofMyOrders(ctx)})`),
  createdAt: (_ctx, range) => withinDays('email.createdAt', COMPANY_ZONE, range),
}

/** The person's own, whatever their rights: mails about their access, whose link is not shown. */
const ownMails = (ctx: Ctx): MailCondition => sql<boolean>`email."ownerId" = ${actorOf(ctx).userId}`

interface Part {
  kind: EmailOwner['kind']
  /** null: every one of this kind */
  isVisible: MailCondition | null
}

/** The mails that the caller may see, by the kind of record they belong to: each by the rule of that record. */
function visibleParts(ctx: Ctx): Part[] {
  const ownerId = sql.ref('email.ownerId')
  return Object.values(OWNERS).flatMap((kind): Part[] => {
    const rule = ctx.owners[kind]!
    if (!mayAccess(rule.read, ctx.actor)) return kind === 'user' ? [{ kind, isVisible: ownMails(ctx) }] : []
    // Mails go with their order, and an invoice with mails stays; of a person who is gone they are left over.
    if (ctx.companyFilter === null && rule.seesAll(ctx)) return [{ kind, isVisible: null }]
    return [{ kind, isVisible: rule.visible(ctx, ownerId) }]
  })
}

const ofPart = ({ kind, isVisible }: Part): MailCondition =>
  isVisible === null
    ? sql<boolean>`email."ownerKind" = ${sql.lit(kind)}`
    : sql<boolean>`(email."ownerKind" = ${sql.lit(kind)} and ${isVisible})`

/** The caller sees every mail there is. */
const isAll = (parts: readonly Part[]): boolean =>
  parts.length === Object.keys(OWNERS).length && parts.every(({ isVisible }) => isVisible === null)

/** Every mail whose record is there. */
const everyMail = (ctx: Ctx): AnyQuery =>
  (ctx.db.selectFrom('email') as unknown as AnyQuery).where(
    sql<boolean>`(email."ownerKind" <> 'user' or ${ctx.owners.user!.visible(ctx, sql.ref('email.ownerId'))})`,
  )

/** Asked of one mail after the other: else all orders of a company would be read before the first mail. */
const oneByOne = ({ kind, isVisible }: Part): Part => ({
  kind,
  isVisible: isVisible === null ? null : sql<boolean>`(select ${isVisible})`,
})

/** The mails as they are walked, the newest first: for each it is asked whether the caller may see it. */
const walked = (ctx: Ctx, parts: readonly Part[]): AnyQuery => {
  const rows = ctx.db.selectFrom('email') as unknown as AnyQuery
  const each = parts.map((part) => ofPart(oneByOne(part)))
  return isAll(parts) ? everyMail(ctx) : rows.where(sql<boolean>`(${sql.join(each, sql` or `)})`)
}

/** The same, part by part, so that each is found from its records: an `or` would hide their indexes. */
const gatheredFrom = (ctx: Ctx, parts: readonly Part[]): AnyQuery => {
  if (isAll(parts)) return everyMail(ctx)
  const each = parts.map((part) => sql`select email.* from email where ${ofPart(part)}`)
  return ctx.db.selectFrom(sql`(${sql.join(each, sql` union all `)})`.as('email')) as unknown as AnyQuery
}

const narrowedBy = (rows: AnyQuery, conditions: readonly MailCondition[]): AnyQuery =>
  conditions.reduce((narrower, condition) => narrower.where(condition), rows)

/** Without the words, which nobody reads in a list of many records. */
const withoutWords = (row: Email): EmailRow => ({ ...row, html: null })

/** Mails that the caller may see, the newest first: all, or those of the one record that is named. */
export async function listEmails(ctx: Ctx, query: EmailQuery): Promise<Page<EmailRow>> {
  const { page, cursor, perPage, orderId, invoiceId, userId, customerId, carrierCompanyId, ...rest } = query
  const { loadCarrierPlaceId, quoteId, ...filters } = rest
  const paging: Paging = { page, cursor, perPage }
  const given = { orderId, invoiceId, userId, customerId, carrierCompanyId, loadCarrierPlaceId, quoteId }
  const named = (Object.keys(OWNERS) as OwnerName[]).flatMap((name) => {
    const id = given[name]
    return id === undefined ? [] : [{ name, kind: OWNERS[name], id }]
  })
  const [owner, other] = named
  if (other) throw fieldError(other.name, 'invalid_value')
  if (!owner) return listAll(ctx, paging, filters)
  if (owner.kind !== 'user' || owner.id !== actorOf(ctx).userId) await admitToOwner(ctx, owner.kind, owner.id, 'read')
  const filtered = ctx.db.selectFrom('email').where('ownerKind', '=', owner.kind).where('ownerId', '=', owner.id)
  return listPage<EmailRow>({
    db: ctx.db,
    table: 'email',
    filtered: narrowedBy(filtered as unknown as AnyQuery, conditionsOf(FILTERS, ctx, filters, false)),
    sorts: { id: { column: 'email.id', type: 'bigint' } },
    query: { ...paging, ...filters, sort: '-id', owner },
    rows: columns,
  })
}

/** Of these, the newest may lie anywhere: by their own index they are found, not along all mails. */
const SCATTERED = ['q', 'status', 'type', 'orderIds', 'origin', 'mine'] as const

function listAll(ctx: Ctx, paging: Paging, filters: Omit<EmailQuery, OwnerName | keyof Paging>) {
  const parts = visibleParts(ctx)
  // A company's orders are too many to begin with; an administrator's other filters lead to few mails by themselves.
  const isOfFew = !isAll(parts) && ctx.companyFilter === null
  const isScattered = isOfFew || SCATTERED.some((name) => filters[name] !== undefined)
  return listPage<EmailRow>({
    db: ctx.db,
    table: 'email',
    filtered: narrowedBy(walked(ctx, parts), conditionsOf(FILTERS, ctx, filters, false)),
    ...(isScattered && {
      gathered: narrowedBy((isOfFew ? gatheredFrom : walked)(ctx, parts), conditionsOf(FILTERS, ctx, filters, true)),
    }),
    sorts: {
      createdAt: { column: 'email.createdAt', type: 'timestamptz' },
      number: { column: NUMBER, type: 'text' },
    },
    query: { ...paging, ...filters, sort: emailApi.sortOf(filters) },
    rows: columns,
    toRow: (row: never) => withoutWords(row),
  })
}

/** One mail as lists show it; the caller has made sure of the right. */
export async function emailView(ctx: Ctx, id: number): Promise<Email> {
  return (await columns(ctx.db.selectFrom('email') as unknown as AnyQuery)
    .where('email.id', '=', id)
    .executeTakeFirstOrThrow()) as Email
}

/** A mail with whose rule it obeys. Errors: `not_found`, `forbidden`. */
export async function admittedEmail(ctx: Ctx, id: number, purpose: 'read' | 'write') {
  const mail = await ctx.db.selectFrom('email').selectAll().where('id', '=', id).executeTakeFirst()
  if (!mail) throw new AppError('not_found')
  const isOwn = mail.ownerKind === 'user' && mail.ownerId === actorOf(ctx).userId
  if (purpose === 'write' || !isOwn) await admitToOwner(ctx, mail.ownerKind, mail.ownerId, purpose)
  return mail
}
