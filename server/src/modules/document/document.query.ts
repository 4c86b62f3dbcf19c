import { sql, type RawBuilder } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import {
  DOCUMENT_OWNERS,
  DOCUMENT_TYPE_ACCESS,
  DOCUMENT_TYPES,
  type Document,
  type DocumentOwner,
  type DocumentType,
} from '@waybill/contract/document'
import { lastWarnedDay, type ExpiryWarning } from '@waybill/contract/kit/expiry'
import type { Page } from '@waybill/contract/kit/paging'
import { mayAccess } from '@waybill/contract/permissions'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { isCounted } from '../../kit/records/counted-paper.ts'
import { admitToOwner } from '../../kit/records/owners.ts'
import { listPage, type AnyQuery, type ListQuery } from '../../kit/records/paging.ts'
import './document.table.ts'

export interface OwnerRef {
  kind: DocumentOwner
  id: number
}

/** Exactly one owner is named, by `orderId`, `customerId` …; none or two is a 422. */
export function ownerIn(given: Readonly<Partial<Record<`${DocumentOwner}Id`, number | undefined>>>): OwnerRef {
  const named = DOCUMENT_OWNERS.flatMap((kind) =>
    given[`${kind}Id`] === undefined ? [] : [{ kind, id: given[`${kind}Id`]! }],
  )
  if (named.length === 0) throw fieldError('orderId', 'required')
  if (named.length > 1) throw fieldError(`${named[1]!.kind}Id`, 'invalid_value')
  return named[0]!
}

const columns = (rows: AnyQuery): AnyQuery =>
  rows
    .select([
      'document.id',
      'document.version',
      'document.documentType',
      'document.title',
      'document.contentType',
      'document.sizeBytes',
      'document.expiredAt',
      'document.insuredCents',
      'document.orderCarrier',
      'document.scan',
      'document.acceptance',
      'document.refusalReason',
      'document.checkedAt',
      'document.locationIds',
      'document.eInvoice',
      'document.createdAt',
      'document.deletedAt',
    ])
    .select((eb) => [
      sql`jsonb_build_object('kind', document."ownerKind", 'id', document."ownerId")`.as('owner'),
      jsonObjectFrom(
        eb
          .selectFrom('user as uploader')
          .select(['uploader.id', 'uploader.fullName as title'])
          .whereRef('uploader.id', '=', 'document.userId'),
      ).as('user'),
      jsonObjectFrom(
        eb
          .selectFrom('user as checker')
          .select(['checker.id', 'checker.fullName as title'])
          .whereRef('checker.id', '=', 'document.checkedById'),
      ).as('checkedBy'),
    ])

/** The files of one record that the caller may see, the newest first. */
export async function listDocuments(
  ctx: Ctx,
  owner: OwnerRef,
  query: Pick<ListQuery, 'page' | 'cursor' | 'perPage'>,
): Promise<Page<Document>> {
  await admitToOwner(ctx, owner.kind, owner.id, 'read')
  const hidden = DOCUMENT_TYPES.filter((type) => !mayAccess(DOCUMENT_TYPE_ACCESS[type] ?? 'signedIn', ctx.actor))
  let filtered = ctx.db.selectFrom('document').where('ownerKind', '=', owner.kind).where('ownerId', '=', owner.id)
  if (hidden.length > 0) filtered = filtered.where('documentType', 'not in', hidden)
  return listPage<Document>({
    db: ctx.db,
    table: 'document',
    filtered: filtered as unknown as AnyQuery,
    sorts: { id: { column: 'document.id', type: 'bigint' } },
    query: { ...query, sort: '-id', owner },
    rows: columns,
  })
}

/** One file as lists show it; the caller has made sure of the right. */
export async function documentView(ctx: Ctx, id: number): Promise<Document> {
  return (await columns(ctx.db.selectFrom('document') as unknown as AnyQuery)
    .where('document.id', '=', id)
    .executeTakeFirstOrThrow()) as Document
}

/** The row behind a file, for anybody who asks. Error: `not_found`. */
export async function documentRow(ctx: Ctx, id: number) {
  const row = await ctx.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Where the bytes of a file lie. Error: `file_deleted` where they went at the end of their period. */
export function keyOf({ fileKey }: { fileKey: string | null }): string {
  if (fileKey === null) throw new AppError('file_deleted')
  return fileKey
}

/** What is read beside a carrier's invoice by who checks it, also where they may not see the rest of the order. */
const READ_WHERE_CHECKED: readonly DocumentType[] = ['PROOF_OF_DELIVERY', 'ORDER_RESOLVED_DOCUMENT']

/**
 * The row behind a file, where the caller may read or change it; else `not_found` or `forbidden`. Who may accept a
 * proof of delivery may look at it (decision 066).
 */
export async function admittedDocument(ctx: Ctx, id: number, purpose: 'read' | 'write') {
  const row = await documentRow(ctx, id)
  const isChecked = purpose === 'read' && READ_WHERE_CHECKED.includes(row.documentType)
  await admitToOwner(ctx, row.ownerKind, row.ownerId, isChecked ? 'readProof' : purpose)
  if (!mayAccess(DOCUMENT_TYPE_ACCESS[row.documentType] ?? 'signedIn', ctx.actor)) throw new AppError('forbidden')
  return row
}

/**
 * When the oldest transaction began that may still be writing a row for a file; null where nobody writes.
 * Only of this database, another's long backup keeps nothing here; and only of the role that serves, for nobody else
 * writes such rows.
 */
export async function oldestTransactionAt(ctx: Ctx): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`
    select min(xact_start) as at from pg_stat_activity where datname = current_database()
      and backend_type = 'client backend' and pid <> pg_backend_pid()
  `.execute(ctx.db)
  return rows[0]?.at ? new Date(rows[0].at) : null
}

/** What this installation is called where it keeps files. */
export async function installationId(ctx: Pick<Ctx, 'db'>): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from installation_id`.execute(ctx.db)
  return rows[0]!.id
}

/** Of these keys of the file store those in use here, be it by what a carrier has not sent yet, or by a mail. */
export async function keysInUse(ctx: Ctx, keys: string[]): Promise<string[]> {
  const { rows } = await sql<{
    fileKey: string
  }>`select "fileKey" from document where "fileKey" = any(${keys}::text[])
    union all select "fileKey" from upload_file where "fileKey" = any(${keys}::text[])
    union all select "fileKey" from drawn_document_page where "fileKey" = any(${keys}::text[])
    union all select "fileKey" from intake_mail where "fileKey" = any(${keys}::text[])`.execute(ctx.db)
  return rows.map((row) => row.fileKey)
}

/** The keys of the files that were added last, the newest first. */
export async function newestKeys({ db }: Pick<Ctx, 'db'>, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('document')
    .select('fileKey')
    .where('fileKey', 'is not', null)
    .orderBy('id', 'desc')
    .limit(most)
    .$narrowType<{ fileKey: string }>()
    .execute()
  return rows.map(({ fileKey }) => fileKey)
}

// A day too early or late near midnight hurts nobody: UTC's will do.
const warningOf = (ctx: Ctx, lastDay: RawBuilder<unknown>): RawBuilder<ExpiryWarning | null> => {
  const today = ctx.clock.now().toISOString().slice(0, 10)
  return sql<ExpiryWarning | null>`case when ${lastDay} < ${today}::date then 'expired'
    when ${lastDay} <= ${lastWarnedDay(today)}::date then 'expiring' end`
}

/**
 * What the papers of a record ask for; of each type the one that is valid longest counts. `ownerId` is an expression
 * that yields the record's id.
 */
export const documentWarning = (
  ctx: Ctx,
  kind: DocumentOwner,
  ownerId: RawBuilder<unknown>,
): RawBuilder<ExpiryWarning | null> => sql<ExpiryWarning | null>`(
  select ${warningOf(ctx, sql`min(paper."lastDay")`)}
  from (select max("expiredAt") as "lastDay" from document where "ownerKind" = ${kind} and "ownerId" = ${ownerId}
    and "expiredAt" is not null and ${isCounted('document')} group by "documentType") paper
)`

/** The ids of the records of a kind whose papers ask for one of these. */
export const ownersWarned = (
  ctx: Ctx,
  kind: DocumentOwner,
  warnings: readonly ExpiryWarning[],
): RawBuilder<unknown> => sql`(
  select paper."ownerId"
  from (select "ownerId", max("expiredAt") as "lastDay" from document where "ownerKind" = ${kind}
    and "expiredAt" is not null and ${isCounted('document')} group by "ownerId", "documentType") paper
  group by paper."ownerId"
  having ${warningOf(ctx, sql`min(paper."lastDay")`)} = any(${warnings}::text[])
)`
