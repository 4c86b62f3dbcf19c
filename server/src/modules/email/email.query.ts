import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'
import type { Email, listEmails as emails } from '@waybill/contract/email'
import type { Page } from '@waybill/contract/kit/paging'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { admitToOwner } from '../../kit/records/owners.ts'
import { listPage, type AnyQuery } from '../../kit/records/paging.ts'
import './email.table.ts'

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
      'email.to',
      'email.cc',
      'email.subject',
      'email.html',
      'email.tries',
      'email.lastError',
      'email.createdAt',
      'email.notBefore',
      'email.sentAt',
    ])
    .select((eb) => [
      sql`jsonb_build_object('kind', email."ownerKind", 'id', email."ownerId")`.as('owner'),
      jsonArrayFrom(
        eb
          .selectFrom('email_attachment as link')
          .innerJoin('document', 'document.id', 'link.documentId')
          .select(['document.id as documentId', 'document.title', 'document.sizeBytes'])
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
const OWNERS = { orderId: 'order', invoiceId: 'invoice', userId: 'user' } as const satisfies Record<
  Exclude<keyof EmailQuery, keyof Paging>,
  Email['owner']['kind']
>

/** The mails of one record that the caller may see, the newest first. */
export async function listEmails(ctx: Ctx, { page, cursor, perPage, ...given }: EmailQuery): Promise<Page<Email>> {
  const named = (Object.keys(OWNERS) as (keyof typeof OWNERS)[]).flatMap((name) => {
    const id = given[name]
    return id === undefined ? [] : [{ kind: OWNERS[name], id }]
  })
  const [owner, other] = named
  if (!owner) throw fieldError('orderId', 'required')
  if (other) throw fieldError(`${other.kind}Id`, 'invalid_value')
  await admitToOwner(ctx, owner.kind, owner.id, 'read')
  const filtered = ctx.db.selectFrom('email').where('ownerKind', '=', owner.kind).where('ownerId', '=', owner.id)
  return listPage<Email>({
    db: ctx.db,
    table: 'email',
    filtered: filtered as unknown as AnyQuery,
    sorts: { id: { column: 'email.id', type: 'bigint' } },
    query: { page, cursor, perPage, sort: '-id', owner },
    rows: columns,
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
  await admitToOwner(ctx, mail.ownerKind, mail.ownerId, purpose)
  return mail
}
