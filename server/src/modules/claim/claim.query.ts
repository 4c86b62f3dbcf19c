import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { MOST_CLAIMS, type Claim, type ClaimBooking, type Claims, type listClaims } from '@waybill/contract/claim/claim'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { noFilterLeft } from '../../kit/records/filters.ts'
import { searchIn } from '../../kit/records/paging.ts'
import './claim.table.ts'

const sums = (name: 'Fee' | 'Interest') => {
  const claimed = `claim.${name === 'Fee' ? 'fee' : 'interest'}Cents`
  const [paid, waived, open] = ['paid', 'waived', 'open'].map((part) => `claim.${part}${name}Cents`)
  return sql`json_build_object('claimedCents', ${sql.ref(claimed)}, 'paidCents', ${sql.ref(paid!)},
    'waivedCents', ${sql.ref(waived!)}, 'openCents', ${sql.ref(open!)})`
}

const BOOKINGS = sql<ClaimBooking[]>`coalesce((select json_agg(json_build_object('id', one.id, 'kind', one.kind,
    'feeCents', one."feeCents", 'interestCents', one."interestCents", 'reason', one.reason,
    'reversesId', one."reversesId",
    'isReversed', exists (select 1 from claim_booking back where back."reversesId" = one.id),
    'createdAt', one."createdAt",
    'createdBy', (select json_build_object('id', u.id, 'title', u."fullName") from "user" u
      where u.id = one."createdById")) order by one.id)
  from claim_booking one where one."invoiceId" = r."invoiceId"), '[]')`

/** Claims `claim` with what is owed `r` and the customer `k`, of companies that the caller may act for. */
const claimsOf = (ctx: Ctx, which: RawBuilder<boolean>) => sql`
  from invoice_claim claim join receivable r on r."invoiceId" = claim."invoiceId"
    join customer k on k.id = r."customerId"
  where claim."feeCents" + claim."interestCents" > 0
    and (${ctx.companyFilter}::bigint is null or r."companyId" = ${ctx.companyFilter}::bigint) and ${which}`

async function readClaims(ctx: Ctx, which: RawBuilder<boolean>): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    select (select json_build_object('id', i.id, 'title', i.number) from invoice i where i.id = r."invoiceId")
          as invoice,
        (select json_build_object('id', c.id, 'title', c.title) from company c where c.id = r."companyId") as company,
        json_build_object('id', k.id, 'title', k.title) as customer, ${sums('Fee')} as fee,
        ${sums('Interest')} as interest, claim."openFeeCents" + claim."openInterestCents" as "openCents",
        coalesce((select a."balanceCents" from customer_account a
          where a."companyId" = r."companyId" and a."customerId" = r."customerId"), 0) as "creditCents",
        ${BOOKINGS} as bookings
      ${claimsOf(ctx, which)}
      order by k."titleKey", k.id, r."companyId", r."invoiceId" limit ${sql.lit(MOST_CLAIMS)}
  `.execute(ctx.db)
  return rows
}

type Which = z.output<typeof listClaims.query>

/** Claims beside invoices, by customer. */
export async function claims(ctx: Ctx, { customerId, companyId, q, show, ...left }: Which): Promise<Claims> {
  noFilterLeft(left)
  const which = sql<boolean>`(${customerId ?? null}::bigint is null or r."customerId" = ${customerId ?? null}::bigint)
    and (${companyId ?? null}::bigint is null or r."companyId" = ${companyId ?? null}::bigint)
    and ${q === undefined ? sql<boolean>`true` : searchIn(q, 'k.searchKey', ['k.titleKey'])}
    and ${show === 'all' ? sql<boolean>`true` : sql<boolean>`claim."openFeeCents" + claim."openInterestCents" > 0`}`
  const { rows } = await sql<{ claimCount: number; openCents: number }>`
    select count(*)::int as "claimCount",
        coalesce(sum(claim."openFeeCents" + claim."openInterestCents"), 0)::bigint as "openCents"
      ${claimsOf(ctx, which)}
  `.execute(ctx.db)
  return { items: await readClaims(ctx, which), ...rows[0]! }
}

/** The claims beside one invoice. Errors: `not_found`. */
export async function claimView(ctx: Ctx, invoiceId: number): Promise<Claim> {
  const [claim] = await readClaims(ctx, sql<boolean>`r."invoiceId" = ${invoiceId}`)
  if (!claim) throw new AppError('not_found')
  return claim
}
