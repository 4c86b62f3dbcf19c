import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'
import type { BankEntry, BankStatementRow, listBankStatements } from '@waybill/contract/bank-statement/bank-statement'
import type { Page } from '@waybill/contract/kit/paging'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { conditionsOf, type Filters } from '../../kit/records/filters.ts'
import { listPage, type AnyQuery, type ListQuery } from '../../kit/records/paging.ts'
import { visibleStatements } from './bank-statement.policy.ts'
import './bank-statement.table.ts'

const row = (rows: AnyQuery): AnyQuery =>
  rows
    .select(
      [
        'id',
        'number',
        'fromDate',
        'toDate',
        'fileName',
        'openingCents',
        'closingCents',
        'entryCount',
        'knownCount',
        'pendingCount',
        'createdAt',
        'deletedAt',
      ].map((name) => `bank_statement.${name}`),
    )
    .select((eb) => [
      sql<string>`left(bank_statement.iban, 2)`.as('countryCode'),
      sql<string>`right(bank_statement.iban, 4)`.as('ibanTail'),
      sql<number>`(select count(*)::int from bank_entry e
        where e."statementId" = bank_statement.id and e.status = 'open')`.as('openCount'),
      jsonObjectFrom(
        eb
          .selectFrom('company')
          .select(['company.id', 'company.title'])
          .whereRef('company.id', '=', 'bank_statement.companyId'),
      ).as('company'),
      sql`(select json_build_object('id', who.id, 'title', who."fullName") from "user" who
        where who.id = bank_statement."createdById")`.as('createdBy'),
    ])

type StatementQuery = z.output<typeof listBankStatements.query>

const FILTERS: Filters<StatementQuery> = {
  companyId: (_ctx, ids) => sql<boolean>`bank_statement."companyId" = any(${ids}::bigint[])`,
}

/** One page of the statements, the newest first. */
export const listStatements = (ctx: Ctx, query: StatementQuery): Promise<Page<BankStatementRow>> =>
  listPage<BankStatementRow>({
    db: ctx.db,
    table: 'bank_statement',
    filtered: [visibleStatements(ctx), ...conditionsOf(FILTERS, ctx, query)].reduce(
      (rows, condition) => rows.where(condition),
      ctx.db.selectFrom('bank_statement') as unknown as AnyQuery,
    ),
    sorts: { createdAt: { column: 'bank_statement.createdAt', type: 'timestamptz' } },
    query: { ...(query as unknown as ListQuery), sort: '-createdAt' },
    rows: row,
  })

/** The head of a statement. Errors: `not_found`. */
export async function statementRow(ctx: Ctx, id: number): Promise<BankStatementRow> {
  const found = await row(ctx.db.selectFrom('bank_statement') as unknown as AnyQuery)
    .where(visibleStatements(ctx))
    .where('bank_statement.id', '=', id)
    .executeTakeFirst()
  if (!found) throw new AppError('not_found')
  return found as unknown as BankStatementRow
}

/** An entry as it is stored, with what is read of it for proposals. */
export interface StoredEntry extends Omit<BankEntry, 'proposal'> {
  partnerIban: string | null
  endToEndId: string | null
  messageId: string | null
  returnReason: string | null
  /** the statement with an entry that says the same, where nothing tells whether both are one */
  resembles: string | null
}

/** The entries of a statement, in the order of the bank. */
export async function entriesOf(ctx: Ctx, statementId: number): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select e.id, e.version, e."bookingDate", e."valueDate", e."amountCents", e."partnerName", e."partnerIban",
        left(e."partnerIban", 2) as "partnerCountryCode", right(e."partnerIban", 4) as "partnerIbanTail",
        e.remittance, e."endToEndId", e."messageId", e."returnReason", e.status, e.reason, e."settledAt",
        (select coalesce(s.number, s."fileName") from bank_entry one join bank_statement s on s.id = one."statementId"
          where one.id = e."resemblesId") as resembles,
        (select json_build_object('id', u.id, 'title', u."fullName") from "user" u where u.id = e."settledById")
          as "settledBy",
        (select json_build_object('id', f.id, 'title', f.number) from payment_file f where f.id = e."paymentFileId")
          as "paymentFile",
        (select json_build_object('id', k.id, 'title', k.title) from payment p join customer k on k.id = p."customerId"
          where p.id = e."paymentId") as customer,
        case when e."paymentId" is null then '[]' else coalesce((
          select json_agg(json_build_object('id', i.id, 'title', i.number) order by s.id)
            from payment_share s join invoice i on i.id = s."invoiceId" where s."paymentId" = e."paymentId"), '[]') end
          as invoices,
        e."paymentId" is not null
          and exists (select 1 from payment back where back."reversesId" = e."paymentId") as "isReversed"
      from bank_entry e where e."statementId" = ${statementId} order by e.position
  `.execute(ctx.db)
  return rows
}
