import { sql } from 'kysely'
import {
  AGES,
  LAST_DAY_OF_AGE,
  MOST_OPEN_PARTNERS,
  type Age,
  type Receivable,
  type Receivables,
} from '@waybill/contract/payment/open-items'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { searchIn } from '../../../kit/records/paging.ts'

type Sums = Record<Age, number> & Omit<Receivable, 'ages' | 'customer'> & { customerId: number; customerTitle: string }

const ageOf = (daysLate: ReturnType<typeof sql>) => sql`case
  when ${daysLate} is null or ${daysLate} <= ${sql.lit(LAST_DAY_OF_AGE.notDue)} then 'notDue'
  when ${daysLate} <= ${sql.lit(LAST_DAY_OF_AGE.to30)} then 'to30'
  when ${daysLate} <= ${sql.lit(LAST_DAY_OF_AGE.to60)} then 'to60'
  when ${daysLate} <= ${sql.lit(LAST_DAY_OF_AGE.to90)} then 'to90'
  else 'over90' end`

/** Open receivables `r` with their customer `k` and the days since they were due, by their company's clock. */
const openReceivables = (ctx: Ctx, q: string | undefined) => sql`
  from receivable r join customer k on k.id = r."customerId" join company c on c.id = r."companyId"
    cross join lateral (select (${nowOf(ctx)}::timestamptz at time zone c."timeZone")::date - r."dueDate" as days) late
  where r."openCents" <> 0 and (${ctx.companyFilter}::bigint is null or r."companyId" = ${ctx.companyFilter}::bigint)
    and ${q === undefined ? sql<boolean>`true` : searchIn(q, 'k.searchKey', ['k.titleKey'])}`

const agesOf = (row: Record<Age, number>): Record<Age, number> =>
  Object.fromEntries(AGES.map((age) => [age, row[age]])) as Record<Age, number>

/** What customers owe, the largest first, with the sums of all of them. */
export async function receivables(ctx: Ctx, { q }: { q?: string | undefined }): Promise<Receivables> {
  const { rows } = await sql<Sums>`
    with owed as (
      select r."customerId", r."companyId", k.title, r."openCents", r."disputedAt", late.days,
        ${ageOf(sql`late.days`)} as age
      ${openReceivables(ctx, q)}
    )
    select owed."customerId", owed.title as "customerTitle",
        ${sql.join(
          AGES.map(
            (age) => sql`coalesce(sum("openCents") filter (where age = ${sql.lit(age)}), 0)::bigint as ${sql.ref(age)}`,
          ),
        )},
        sum("openCents")::bigint as "openCents", count(*)::int as "invoiceCount",
        coalesce(sum("openCents") filter (where "disputedAt" is not null), 0)::bigint as "disputedCents",
        max(days) filter (where days > 0) as "daysLate",
        (select json_agg(json_build_object('id', one.id, 'title', one.title) order by one.id) from company one
          where one.id = any(array_agg(owed."companyId"))) as companies,
        coalesce((select sum(a."balanceCents") from customer_account a where a."customerId" = owed."customerId"
          and (${ctx.companyFilter}::bigint is null or a."companyId" = ${ctx.companyFilter}::bigint)), 0)::bigint
          as "creditCents"
      from owed group by owed."customerId", owed.title order by "openCents" desc, owed."customerId"
  `.execute(ctx.db)
  const sum = (of: (row: Sums) => number): number => rows.reduce((cents, row) => cents + of(row), 0)
  return {
    asOf: nowOf(ctx),
    total: {
      ages: Object.fromEntries(AGES.map((age) => [age, sum((row) => row[age])])) as Record<Age, number>,
      openCents: sum((row) => row.openCents),
      invoiceCount: sum((row) => row.invoiceCount),
      disputedCents: sum((row) => row.disputedCents),
      creditCents: sum((row) => row.creditCents),
      customerCount: rows.length,
    },
    items: rows.slice(0, MOST_OPEN_PARTNERS).map(({ customerId, customerTitle, ...row }) => ({
      customer: { id: customerId, title: customerTitle },
      ages: agesOf(row),
      openCents: row.openCents,
      invoiceCount: row.invoiceCount,
      disputedCents: row.disputedCents,
      creditCents: row.creditCents,
      daysLate: row.daysLate,
      companies: row.companies,
    })),
  }
}

export interface OpenItem {
  customer: string
  company: string
  number: string
  invoiceDate: string
  dueDate: string | null
  daysLate: number | null
  totalCents: number
  openCents: number
  disputeReason: string | null
}

// A table is written as it is read, a page after the other.
const ROWS_AT_A_TIME = 2000

/** Every open invoice, by customer and due date. */
export async function* openItems(ctx: Ctx, { q }: { q?: string | undefined }): AsyncGenerator<OpenItem> {
  let after = { title: '', id: 0 }
  for (;;) {
    const { rows } = await sql<OpenItem & { id: number; titleKey: string }>`
      select r."invoiceId" as id, k."titleKey", k.title as customer, c.title as company, i.number, r."invoiceDate",
          r."dueDate", case when late.days > 0 then late.days end as "daysLate", r."totalCents", r."openCents",
          r."disputeReason"
        from (select r.*, k."titleKey" ${openReceivables(ctx, q)}
            and (k."titleKey", r."invoiceId") > (${after.title}, ${after.id}::bigint)
            order by k."titleKey", r."invoiceId" limit ${sql.lit(ROWS_AT_A_TIME)}) r
          join customer k on k.id = r."customerId" join company c on c.id = r."companyId"
          join invoice i on i.id = r."invoiceId"
          cross join lateral (
            select (${nowOf(ctx)}::timestamptz at time zone c."timeZone")::date - r."dueDate" as days) late
        order by k."titleKey", r."invoiceId"
    `.execute(ctx.db)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_A_TIME) return
    after = { title: last.titleKey, id: last.id }
  }
}
