import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'
import type { Page } from '@waybill/contract/kit/paging'
import type { listPaymentFiles, PaymentFile, PaymentFileRow } from '@waybill/contract/payment-file/payment-file'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { withinDays } from '../../kit/records/day-range.ts'
import { conditionsOf, type Filters } from '../../kit/records/filters.ts'
import { listPage, searchIn, type AnyQuery, type ListQuery } from '../../kit/records/paging.ts'
import { visibleRuns } from './payment-file.policy.ts'
import './payment-file.table.ts'

const person = (column: string, name: string) =>
  sql`(select json_build_object('id', who.id, 'title', who."fullName") from "user" who
    where who.id = payment_file.${sql.ref(column)})`.as(name)

const row = (rows: AnyQuery): AnyQuery =>
  rows
    .select(
      [
        'id',
        'version',
        'number',
        'messageId',
        'status',
        'executionDate',
        'invoiceCount',
        'paymentCount',
        'totalCents',
        'returnedCount',
        'returnedCents',
        'createdAt',
      ].map((name) => `payment_file.${name}`),
    )
    .select((eb) => [
      jsonObjectFrom(
        eb
          .selectFrom('company')
          .select(['company.id', 'company.title'])
          .whereRef('company.id', '=', 'payment_file.companyId'),
      ).as('company'),
      person('createdById', 'createdBy'),
    ])

export type RunQuery = z.output<typeof listPaymentFiles.query>

const COMPANY_ZONE = sql`coalesce((select c."timeZone" from company c where c.id = payment_file."companyId"), 'UTC')`

const FILTERS: Filters<RunQuery> = {
  q: (_ctx, q) =>
    // The id of one payment, as bank statements name it, is not among the words of the run.
    sql<boolean>`(${searchIn(q, 'payment_file.searchKey', ['payment_file.searchKey'])} or payment_file.id in (
      select p."paymentFileId" from payment_file_payment p where p."endToEndId" = upper(${q.trim()})))`,
  status: (_ctx, statuses) => sql<boolean>`payment_file.status = any(${statuses}::text[])`,
  companyId: (_ctx, ids) => sql<boolean>`payment_file."companyId" = any(${ids}::bigint[])`,
  carrierCompanyId: (_ctx, ids) =>
    sql<boolean>`exists (select 1 from payment_file_payment p where p."paymentFileId" = payment_file.id
      and p."carrierCompanyId" = any(${ids}::bigint[]))`,
  returned: (_ctx, wanted) => sql<boolean>`(payment_file."returnedCount" > 0) = ${wanted}`,
  createdById: (_ctx, ids) => sql<boolean>`payment_file."createdById" = any(${ids}::bigint[])`,
  executionDate: (_ctx, { from, to }) =>
    sql<boolean>`payment_file."executionDate" between ${from ?? '-infinity'}::date and ${to ?? 'infinity'}::date`,
  createdAt: (_ctx, range) => withinDays('payment_file.createdAt', COMPANY_ZONE, range),
}

/** One page of the runs, the newest first. */
export const listRuns = (ctx: Ctx, query: RunQuery): Promise<Page<PaymentFileRow>> =>
  listPage<PaymentFileRow>({
    db: ctx.db,
    table: 'payment_file',
    filtered: [visibleRuns(ctx), ...conditionsOf(FILTERS, ctx, query)].reduce(
      (rows, condition) => rows.where(condition),
      ctx.db.selectFrom('payment_file') as unknown as AnyQuery,
    ),
    sorts: { createdAt: { column: 'payment_file.createdAt', type: 'timestamptz' } },
    query: { ...(query as unknown as ListQuery), sort: '-createdAt' },
    rows: row,
  })

/** One run with its payments, in one statement. Errors: `not_found`. */
export async function runView(ctx: Ctx, id: number): Promise<PaymentFile> {
  const found = await row(ctx.db.selectFrom('payment_file') as unknown as AnyQuery)
    .select(
      ['fileName', 'sizeBytes', 'sha256', 'confirmedAt', 'voidedAt', 'voidReason', 'deletedAt'].map(
        (name) => `payment_file.${name}`,
      ),
    )
    .select((eb) => [
      person('confirmedById', 'confirmedBy'),
      person('voidedById', 'voidedBy'),
      sql`json_build_object('title', payment_file.debtor ->> 'title',
        'countryCode', left(payment_file.debtor ->> 'iban', 2),
        'ibanTail', right(payment_file.debtor ->> 'iban', 4))`.as('debtor'),
      sql<boolean>`coalesce((select c."fourEyesRuns" from company c where c.id = payment_file."companyId"), false)
        and payment_file."createdById" is not distinct from ${ctx.actor?.userId ?? null}::bigint`.as(
        'needsSecondPerson',
      ),
      jsonArrayFrom(
        eb
          .selectFrom('payment_file_payment as payment')
          .innerJoin('carrier_company as carrier', 'carrier.id', 'payment.carrierCompanyId')
          .select([
            'payment.id',
            'payment.creditorName',
            'payment.amountCents',
            'payment.remittance',
            'payment.returnedAt',
            'payment.returnReason',
            sql`json_build_object('id', carrier.id, 'title', carrier.title)`.as('carrierCompany'),
            sql`left(payment.iban, 2)`.as('ibanCountryCode'),
            sql`right(payment.iban, 4)`.as('ibanTail'),
            sql`(select json_build_object('id', who.id, 'title', who."fullName") from "user" who
              where who.id = payment."returnedById")`.as('returnedBy'),
            sql`(select coalesce(json_agg(json_build_object('id', i.id,
                'title', coalesce(i.number, i."innerNumber"), 'amountCents', item."amountCents")
                order by item.id), '[]')
              from payment_file_item item join invoice i on i.id = item."invoiceId"
              where item."paymentId" = payment.id)`.as('invoices'),
          ])
          .whereRef('payment.paymentFileId', '=', 'payment_file.id')
          .orderBy('payment.position'),
      ).as('payments'),
    ])
    .where(visibleRuns(ctx))
    .where('payment_file.id', '=', id)
    .executeTakeFirst()
  if (!found) throw new AppError('not_found')
  return found as unknown as PaymentFile
}
