import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Batch, BatchRow, listBatches as listEndpoint } from '@waybill/contract/bookkeeping/bookkeeping'
import type { BookkeepingSettings } from '@waybill/contract/bookkeeping/settings'
import type { Language } from '@waybill/contract/errors'
import type { Page } from '@waybill/contract/kit/paging'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { conditionsOf, type Filters } from '../../kit/records/filters.ts'
import { listPage, type AnyQuery, type ListQuery } from '../../kit/records/paging.ts'
import type { BookedRow } from './booked-rows.rules.ts'
import { isOfFilter, visibleBatches } from './bookkeeping.policy.ts'
import './bookkeeping.table.ts'

const numberOf = (table: string): RawBuilder<string> =>
  sql<string>`to_char(${sql.ref(`${table}.month`)}, 'YYYY-MM') || '/' || ${sql.ref(`${table}.counter`)}`

const person = (column: string, name: string) =>
  sql`(select json_build_object('id', who.id, 'title', who."fullName") from "user" who
    where who.id = bookkeeping_batch.${sql.ref(column)})`.as(name)

const row = (rows: AnyQuery): AnyQuery =>
  rows
    .select(
      [
        'id',
        'version',
        'fiscalYear',
        'rowCount',
        'debitCents',
        'creditCents',
        'fileName',
        'createdAt',
        'voidedAt',
        'voidReason',
        'deletedAt',
      ].map((name) => `bookkeeping_batch.${name}`),
    )
    .select([
      numberOf('bookkeeping_batch').as('number'),
      sql`to_char(bookkeeping_batch.month, 'YYYY-MM')`.as('month'),
      sql`(select json_build_object('id', c.id, 'title', c.title) from company c
        where c.id = bookkeeping_batch."companyId")`.as('company'),
      person('createdById', 'createdBy'),
      person('voidedById', 'voidedBy'),
      sql`(select coalesce(json_agg(json_build_object('id', e.id, 'title', ${numberOf('e')}) order by e.counter), '[]')
        from bookkeeping_batch e where e."companyId" = bookkeeping_batch."companyId"
          and e.month = bookkeeping_batch.month and e.counter < bookkeeping_batch.counter and e."voidedAt" is null)`.as(
        'earlier',
      ),
    ])

type BatchQuery = z.output<typeof listEndpoint.query>

const FILTERS: Filters<BatchQuery> = {
  q: (_ctx, q) => sql<boolean>`to_char(bookkeeping_batch.month, 'YYYY-MM') like ${`%${q.replaceAll(/[%_\\]/g, '')}%`}`,
  companyId: (_ctx, ids) => sql<boolean>`bookkeeping_batch."companyId" = any(${ids}::bigint[])`,
}

/** One page of the batches, the newest first. */
export const listBatches = (ctx: Ctx, query: BatchQuery): Promise<Page<BatchRow>> =>
  listPage<BatchRow>({
    db: ctx.db,
    table: 'bookkeeping_batch',
    filtered: [visibleBatches(ctx), ...conditionsOf(FILTERS, ctx, query)].reduce(
      (rows, condition) => rows.where(condition),
      ctx.db.selectFrom('bookkeeping_batch') as unknown as AnyQuery,
    ),
    sorts: { createdAt: { column: 'bookkeeping_batch.createdAt', type: 'timestamptz' } },
    query: { ...(query as unknown as ListQuery), sort: '-createdAt' },
    rows: row,
  })

/** One batch with the sums of its kinds. Errors: `not_found`. */
export async function batchView(ctx: Ctx, id: number): Promise<Batch> {
  const found = await row(ctx.db.selectFrom('bookkeeping_batch') as unknown as AnyQuery)
    .select(['bookkeeping_batch.sums', 'bookkeeping_batch.sha256'])
    .where(visibleBatches(ctx))
    .where('bookkeeping_batch.id', '=', id)
    .executeTakeFirst()
  if (!found) throw new AppError('not_found')
  return found as unknown as Batch
}

/** The valid batches of a month, the first first. */
export async function batchesOfMonth(ctx: Ctx, companyId: number, from: string): Promise<BatchRow[]> {
  const found = await row(ctx.db.selectFrom('bookkeeping_batch') as unknown as AnyQuery)
    .where(visibleBatches(ctx))
    .where('bookkeeping_batch.companyId', '=', companyId)
    .where('bookkeeping_batch.month', '=', from)
    .where('bookkeeping_batch.voidedAt', 'is', null)
    .orderBy('bookkeeping_batch.counter')
    .execute()
  return found as unknown as BatchRow[]
}

/** The valid batch that an invoice is in, where the caller may know of it. */
export async function batchOfInvoice(ctx: Ctx, invoiceId: number) {
  const { rows } = await sql<{ id: number; title: string; companyId: number; month: string }>`
    select bookkeeping_batch.id, ${numberOf('bookkeeping_batch')} as title, bookkeeping_batch."companyId",
        to_char(bookkeeping_batch.month, 'YYYY-MM') as month
      from bookkeeping_item item join bookkeeping_batch on bookkeeping_batch.id = item."batchId"
      where item."invoiceId" = ${invoiceId} and item."isValid" and ${visibleBatches(ctx)}
  `.execute(ctx.db)
  return { batch: rows[0] ?? null }
}

/** The bookings of a batch, in their order. */
export async function rowsOf(ctx: Ctx, batchId: number): Promise<BookedRow[]> {
  return ctx.db
    .selectFrom('bookkeeping_row')
    .select(['kind', 'date', 'amountCents', 'isDebit', 'account', 'contraAccount', 'taxKey', 'documentNumber'])
    .select(['dueDate', 'partner', 'text', 'vatNumber', 'netCents', 'vatCents', 'vatBp', 'vatCategory'])
    .where('batchId', '=', batchId)
    .orderBy('position')
    .execute()
}

export interface BookkeepingCompany {
  id: number
  code: string
  countryCode: string
  language: Language
  bookkeeping: BookkeepingSettings | null
}

/** A company of ours whose bookings the caller may export. Errors: `unknown_reference` at `companyId`. */
export async function bookkeepingCompany(ctx: Ctx, companyId: number): Promise<BookkeepingCompany> {
  const { rows } = await sql<BookkeepingCompany>`
    select c.id, c.code, k.code as "countryCode", c.language, c.bookkeeping
      from company c join country k on k.id = c."countryId" where c.id = ${companyId}
  `.execute(ctx.db)
  if (!rows[0] || !isOfFilter(ctx, companyId)) throw fieldError('companyId', 'unknown_reference')
  return rows[0]
}

/** Our companies, and whether their accounts are known. */
export async function bookkeepingCompanies(ctx: Ctx) {
  const { rows } = await sql<{ id: number; title: string; isSetUp: boolean; hasDatev: boolean }>`
    select id, title, bookkeeping is not null as "isSetUp",
        coalesce(bookkeeping ->> 'consultantNumber', '') <> '' as "hasDatev"
      from company where state = 'active' and (${ctx.companyFilter}::bigint is null or id = ${ctx.companyFilter})
      order by bookkeeping is null, id limit 200
  `.execute(ctx.db)
  return rows
}

/** Digits of the accounts of the first company whose accounts are known; null where there is none. */
export async function firstAccountLength(ctx: Ctx): Promise<number | null> {
  const { rows } = await sql<{ length: number }>`
    select (bookkeeping ->> 'accountLength')::int as length from company
      where bookkeeping is not null order by state <> 'active', id limit 1
  `.execute(ctx.db)
  return rows[0]?.length ?? null
}
