import { sql } from 'kysely'
import {
  MOST_SHARES,
  type InvoicePayments,
  type OpenInvoice,
  type Payment,
  type PaymentKind,
} from '@waybill/contract/payment/payment'
import { skontoOffers } from '@waybill/contract/skonto/offers'
import type { Skonto } from '@waybill/contract/skonto/skonto'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import './payment.table.ts'

const BOOKED = sql`p.id, p.kind, p.source, p."valueDate", p.payer, p.reference, p."reversesId", p.reason, p."createdAt",
  (select json_build_object('id', i.id, 'title', i.number) from invoice i where i.id = p."correctionId") as correction,
  (select json_build_object('id', u.id, 'title', u."fullName") from "user" u where u.id = p."createdById")
    as "createdBy",
  exists (select 1 from payment back where back."reversesId" = p.id) as "isReversed"`

const ofFilter = (ctx: Ctx, table: 'r' | 'p') =>
  sql`(${ctx.companyFilter}::bigint is null or ${sql.ref(`${table}.companyId`)} = ${ctx.companyFilter}::bigint)`

/** One booking as a whole. Errors: `not_found`. */
export async function paymentView(ctx: Ctx, id: number): Promise<Payment> {
  const { rows } = await sql<Payment>`
    select ${BOOKED}, p."amountCents",
        json_build_object('id', c.id, 'title', c.title) as company,
        json_build_object('id', k.id, 'title', k.title) as customer,
        coalesce((select json_agg(json_build_object('invoice', json_build_object('id', i.id, 'title', i.number),
            'amountCents', s."amountCents", 'skontoCents', s."skontoCents") order by s.id)
          from payment_share s join invoice i on i.id = s."invoiceId" where s."paymentId" = p.id), '[]') as shares,
        coalesce((select sum(s."amountCents")::bigint from payment_share s
          where s."paymentId" = p.id and s."invoiceId" is null), 0) as "accountCents"
      from payment p join company c on c.id = p."companyId" join customer k on k.id = p."customerId"
      where p.id = ${id} and ${ofFilter(ctx, 'p')}
  `.execute(ctx.db)
  const [payment] = rows
  if (!payment) throw new AppError('not_found')
  return payment
}

type Found = Omit<InvoicePayments, 'offers' | 'items' | 'creditsGivenUp'> & { invoiceDate: string; skonto: Skonto }

/** What was paid of a customer's sent invoice. Errors: `not_found`, for drafts and carriers' invoices too. */
export async function invoicePayments(ctx: Ctx, invoiceId: number): Promise<InvoicePayments> {
  const { rows } = await sql<Found>`
    select r."invoiceId", json_build_object('id', c.id, 'title', c.title) as company,
        json_build_object('id', k.id, 'title', k.title) as customer, r."totalCents", r."paidCents", r."skontoCents",
        r."correctedCents", r."openCents", r."invoiceDate", r.skonto,
        coalesce((select a."balanceCents" from customer_account a
          where a."companyId" = r."companyId" and a."customerId" = r."customerId"), 0) as "creditCents",
        case when r."disputedAt" is not null then json_build_object('reason', r."disputeReason", 'at', r."disputedAt",
          'by', (select json_build_object('id', u.id, 'title', u."fullName") from "user" u
            where u.id = r."disputedById")) end as dispute
      from receivable r join company c on c.id = r."companyId" join customer k on k.id = r."customerId"
      where r."invoiceId" = ${invoiceId} and ${ofFilter(ctx, 'r')}
  `.execute(ctx.db)
  const [found] = rows
  if (!found) throw new AppError('not_found')
  const { invoiceDate, skonto, ...receivable } = found
  const { rows: items } = await sql<InvoicePayments['items'][number] & { kind: PaymentKind }>`
    select ${BOOKED}, p."amountCents" as "wholeCents", s."amountCents", s."skontoCents"
      from (select "paymentId", sum("amountCents")::bigint as "amountCents", sum("skontoCents")::bigint as "skontoCents"
        from payment_share where "invoiceId" = ${invoiceId} group by 1) s
      join payment p on p.id = s."paymentId" order by p.id
  `.execute(ctx.db)
  return {
    ...receivable,
    offers: skontoOffers(skonto, invoiceDate, receivable.totalCents - receivable.correctedCents),
    items,
    creditsGivenUp: await creditsGivenUp(ctx, { companyId: found.company.id, customerId: found.customer.id }),
  }
}

const MOST_GIVEN_UP = 5

async function creditsGivenUp(
  ctx: Ctx,
  { companyId, customerId }: { companyId: number; customerId: number },
): Promise<InvoicePayments['creditsGivenUp']> {
  const { rows } = await sql<InvoicePayments['creditsGivenUp'][number]>`
    select p.id, p."valueDate", -p."amountCents" as "amountCents",
        (select json_build_object('id', u.id, 'title', u."fullName") from "user" u where u.id = p."createdById")
          as "createdBy"
      from payment p
      where p."customerId" = ${customerId} and p."companyId" = ${companyId} and p.kind = 'credit_write_off'
        and p."reversesId" is null and not exists (select 1 from payment back where back."reversesId" = p.id)
      order by p.id desc limit ${sql.lit(MOST_GIVEN_UP)}
  `.execute(ctx.db)
  return rows
}

/** What a payment of a customer can be shared out over, the oldest due first. */
export async function openInvoicesOf(
  ctx: Ctx,
  { companyId, customerId }: { companyId: number; customerId: number },
): Promise<{ items: OpenInvoice[]; creditCents: number }> {
  const { rows } = await sql<Omit<OpenInvoice, 'offers'> & { skonto: Skonto; correctedCents: number }>`
    select r."invoiceId" as id, i.number, r."invoiceDate", r."dueDate", r."totalCents", r."openCents", r.skonto,
        r."correctedCents", r."disputedAt" is not null as "isDisputed",
        coalesce(r."dueDate" < (${nowOf(ctx)}::timestamptz at time zone c."timeZone")::date, false) as "isOverdue"
      from receivable r join invoice i on i.id = r."invoiceId" join company c on c.id = r."companyId"
      where r."customerId" = ${customerId} and r."companyId" = ${companyId} and r."openCents" > 0
        and ${ofFilter(ctx, 'r')}
      order by r."dueDate" nulls last, r."invoiceId" limit ${sql.lit(MOST_SHARES)}
  `.execute(ctx.db)
  const { rows: accounts } = await sql<{ balanceCents: number }>`
    select r."balanceCents" from customer_account r
      where r."customerId" = ${customerId} and r."companyId" = ${companyId} and ${ofFilter(ctx, 'r')}
  `.execute(ctx.db)
  return {
    items: rows.map(({ skonto, correctedCents, ...row }) => ({
      ...row,
      offers: skontoOffers(skonto, row.invoiceDate, row.totalCents - correctedCents),
    })),
    creditCents: accounts[0]?.balanceCents ?? 0,
  }
}
