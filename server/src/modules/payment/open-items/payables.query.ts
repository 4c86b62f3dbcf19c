import { sql } from 'kysely'
import { HELD_INVOICE, OPEN_INVOICE_STATUSES } from '@waybill/contract/invoice/status'
import {
  DUE_WEEKS,
  MOST_OPEN_PARTNERS,
  type DueWeek,
  type Payable,
  type Payables,
} from '@waybill/contract/payment/open-items'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { searchIn } from '../../../kit/records/paging.ts'

type Sums = Record<DueWeek, number> & Omit<Payable, 'weeks' | 'carrierCompany'> & { carrierId: number; title: string }

/** What we owe carriers, the largest first, with the sums of all of them. */
export async function payables(ctx: Ctx, { q }: { q?: string | undefined }): Promise<Payables> {
  const { rows } = await sql<Sums>`
    with owed as (
      select i."carrierCompanyId" as "carrierId", k.title, i."totalCents" as cents, i.status,
          now.today - i."dueDate" as days, case
            when i."dueDate" < now.today then 'late'
            when i."dueDate" < now.monday + 7 then 'thisWeek'
            when i."dueDate" < now.monday + 14 then 'nextWeek'
            when i."dueDate" < now.monday + 21 then 'weekAfter'
            else 'later' end as week
        from invoice i join carrier_company k on k.id = i."carrierCompanyId"
          left join company c on c.id = i."companyId"
          cross join lateral (select here.today, date_trunc('week', here.today)::date as monday from (
            select (${nowOf(ctx)}::timestamptz at time zone coalesce(c."timeZone", 'UTC'))::date as today) here) now
        where i."entityType" = 'carrier' and i.state = 'active' and i.currency = 'EUR'
          and i.status in (${sql.join(OPEN_INVOICE_STATUSES.carrier.map((status) => sql.lit(status)))})
          and (${ctx.companyFilter}::bigint is null or i."companyId" = ${ctx.companyFilter}::bigint)
          and ${q === undefined ? sql<boolean>`true` : searchIn(q, 'k.searchKey', ['k.titleKey'])}
    )
    select owed."carrierId", owed.title,
        ${sql.join(
          DUE_WEEKS.map(
            (week) => sql`coalesce(sum(cents) filter (where week = ${sql.lit(week)}), 0)::bigint as ${sql.ref(week)}`,
          ),
        )},
        sum(cents)::bigint as "openCents", count(*)::int as "invoiceCount",
        bool_or(status = ${sql.lit(HELD_INVOICE)}) as "hasProblem", max(days) filter (where days > 0) as "daysLate"
      from owed group by owed."carrierId", owed.title order by "openCents" desc, owed."carrierId"
  `.execute(ctx.db)
  const sum = (of: (row: Sums) => number): number => rows.reduce((cents, row) => cents + of(row), 0)
  return {
    asOf: nowOf(ctx),
    total: {
      weeks: Object.fromEntries(DUE_WEEKS.map((week) => [week, sum((row) => row[week])])) as Record<DueWeek, number>,
      openCents: sum((row) => row.openCents),
      invoiceCount: sum((row) => row.invoiceCount),
      carrierCount: rows.length,
    },
    items: rows.slice(0, MOST_OPEN_PARTNERS).map(({ carrierId, title, ...row }) => ({
      carrierCompany: { id: carrierId, title },
      weeks: Object.fromEntries(DUE_WEEKS.map((week) => [week, row[week]])) as Record<DueWeek, number>,
      openCents: row.openCents,
      invoiceCount: row.invoiceCount,
      hasProblem: row.hasProblem,
      daysLate: row.daysLate,
    })),
  }
}
