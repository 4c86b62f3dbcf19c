import { sql } from 'kysely'
import { CERTIFICATE_WARNING_DAYS } from '@waybill/contract/invoice/ksef/certificates'
import { MOST_OF_KSEF, type KsefStanding, type NotIssued } from '@waybill/contract/invoice/ksef/standing'
import { CANCELED_INVOICE } from '@waybill/contract/invoice/status'
import { localOf } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx } from '../../../../kit/context/context.ts'
import { visibleInvoices } from '../../invoice.policy.ts'

const INVOICE = sql`json_build_object('id', invoice.id, 'title', coalesce(invoice.number, invoice."innerNumber"))`
const CUSTOMER = sql`(select json_build_object('id', c.id, 'title', c.title) from customer c
  where c.id = invoice."billingCustomerId")`
const IS_NEWEST = sql`not exists (select 1 from ksef_submission later
  where later."invoiceId" = s."invoiceId" and later.id > s.id)`

/** Numbers that were kept for invoices which KSeF rejected and people canceled then, the newest first. */
export async function notIssued(ctx: Ctx, most: number | null): Promise<NotIssued[]> {
  const { rows } = await sql<NotIssued>`
    select r.number, json_build_object('id', us.id, 'title', us.title) as company, ${INVOICE} as invoice,
      ${CUSTOMER} as customer, s.reason, s."decidedAt" as "rejectedAt", invoice."canceledAt"
    from ksef_reserved_number r join invoice on invoice.id = r."invoiceId" join company us on us.id = r."companyId"
      join ksef_submission s on s."invoiceId" = invoice.id and ${IS_NEWEST}
    where invoice.status = ${CANCELED_INVOICE} and invoice.number is null and ${visibleInvoices(ctx)}
    order by invoice."canceledAt" desc, r.number limit ${most}
  `.execute(ctx.db)
  return rows
}

async function rejected(ctx: Ctx): Promise<KsefStanding['rejected']> {
  const { rows } = await sql<KsefStanding['rejected'][number]>`
    select ${INVOICE} as invoice, ${CUSTOMER} as customer, s.reason, s."decidedAt" as at,
      s."offlineAt" is not null as "isOut"
    from ksef_submission s join invoice on invoice.id = s."invoiceId"
    where s.state = 'rejected' and (invoice.status <> ${CANCELED_INVOICE} or s."offlineAt" is not null) and ${IS_NEWEST}
      and ${visibleInvoices(ctx)}
    order by s."decidedAt" desc, s.id desc limit ${MOST_OF_KSEF}
  `.execute(ctx.db)
  return rows
}

async function waiting(ctx: Ctx): Promise<KsefStanding['waiting']> {
  const today = localOf(nowOf(ctx), 'Europe/Warsaw').date
  const { rows } = await sql<KsefStanding['waiting'][number]>`
    select ${INVOICE} as invoice, ${CUSTOMER} as customer, s.state, s."createdAt" as since, s.trouble, s."submitBy",
      coalesce(s."submitBy" < ${today}::date, false) as "isLate"
    from ksef_submission s join invoice on invoice.id = s."invoiceId"
    where s.state in ('awaited', 'queued', 'submitted') and ${visibleInvoices(ctx)}
    order by "isLate" desc, s.id limit ${MOST_OF_KSEF}
  `.execute(ctx.db)
  return rows
}

async function certificates(ctx: Ctx): Promise<KsefStanding['certificates']> {
  const now = ctx.clock.now()
  const soon = new Date(now.getTime() + CERTIFICATE_WARNING_DAYS * 86_400_000).toISOString()
  const { rows } = await sql<KsefStanding['certificates'][number]>`
    select json_build_object('id', us.id, 'title', us.title) as company, k.kind, k."validTo",
      k."validTo" <= ${now.toISOString()}::timestamptz as "isOver"
    from ksef_certificate k join company us on us.id = k."companyId"
    where us."ksefMode" in ('test', 'production') and k."validTo" < ${soon}::timestamptz
      and (${ctx.companyFilter}::bigint is null or us.id = ${ctx.companyFilter})
    order by k."validTo", us.id, k.kind
  `.execute(ctx.db)
  return rows
}

/** What of our companies in Poland asks for somebody. */
export const ksefStanding = async (ctx: Ctx): Promise<KsefStanding> => ({
  rejected: await rejected(ctx),
  waiting: await waiting(ctx),
  notIssued: await notIssued(ctx, MOST_OF_KSEF),
  certificates: await certificates(ctx),
})
