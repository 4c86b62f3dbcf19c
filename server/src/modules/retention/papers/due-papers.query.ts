import { sql, type RawBuilder } from 'kysely'
import { ENDED_EMAIL_STATUSES } from '@waybill/contract/email'
import { ENDED_INVOICE_STATUSES } from '@waybill/contract/invoice/status'
import type { PaperKind, PaperPreview, PaperStayReason } from '@waybill/contract/operations/paper-periods'
import { OPEN_STATUSES } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'

/** Where what is deleted lies. */
export type PaperSource = 'email' | 'intakeMail' | 'orderFile' | 'orderInvoice' | 'invoiceFile' | PaymentSource
/** What payments are told by; as the database's `forget_payments` names it. */
export type PaymentSource = 'bankStatement' | 'paymentRun' | 'bookingBatch' | 'payment'

export const SOURCES_OF: Readonly<Record<PaperKind, readonly PaperSource[]>> = {
  mail: ['email', 'intakeMail'],
  transportPaper: ['orderFile'],
  invoicePaper: ['orderInvoice', 'invoiceFile'],
  payment: ['bankStatement', 'paymentRun', 'bookingBatch', 'payment'],
}

const OPEN_ORDER = sql`o.status = any(${[...OPEN_STATUSES]}::text[])`
const OPEN_INVOICE = sql`i.status <> all(${[...ENDED_INVOICE_STATUSES]}::text[])`
// What belongs to no company of ours in particular counts as the first one's.
const COUNTRY = sql`coalesce(its."countryId", (select first."countryId" from company first order by first.id limit 1))`
const isCarried = sql`exists (select 1 from email_attachment a where a."documentId" = f.id)`

/** Files of orders; invoices among them are kept as long as other invoices. */
const ofOrders = (isInvoice: boolean): RawBuilder<unknown> => sql`
  select f.id, greatest(f."createdAt", o."lastUnloadingAt") as at, f."sizeBytes" as bytes,
      ${OPEN_ORDER} as "isOpen", ${isCarried} as "isCarried", ${COUNTRY} as "countryId"
    from document f join "order" o on o.id = f."ownerId"
      join department d on d.id = o."departmentId" join company its on its.id = d."companyId"
    where f."ownerKind" = 'order' and f."deletedAt" is null
      and (f."documentType" = 'CARRIER_INVOICE') = ${sql.lit(isInvoice)}`

/** All of a source: since when its period counts, how large it is, and whether it stays whatever its age. */
const SOURCES: Readonly<Record<PaperSource, RawBuilder<unknown>>> = {
  email: sql`
    select e.id, coalesce(e."sentAt", e."settledAt", e."createdAt") as at, coalesce(e."mimeSizeBytes", 0) as bytes,
        e.status <> all(${[...ENDED_EMAIL_STATUSES]}::text[]) or coalesce(${OPEN_ORDER}, false)
          or coalesce(${OPEN_INVOICE}, false) as "isOpen",
        false as "isCarried", ${COUNTRY} as "countryId"
      from email e
        left join "order" o on e."ownerKind" = 'order' and o.id = e."ownerId"
        left join department d on d.id = o."departmentId"
        left join invoice i on e."ownerKind" = 'invoice' and i.id = e."ownerId"
        left join company its on its.id = coalesce(d."companyId", i."companyId", e."companyId")`,
  intakeMail: sql`
    select m.id, m."receivedAt" as at, pg_column_size(m.text) as bytes,
        m.state in ('new', 'drafted') or coalesce(became."isOpen", false) as "isOpen",
        false as "isCarried", ${COUNTRY} as "countryId"
      from intake_mail m
        left join (
          select io."mailId", bool_or(${OPEN_ORDER}) as "isOpen", min(d."companyId") as "companyId"
            from intake_order io join "order" o on o.id = io."orderId" join department d on d.id = o."departmentId"
            group by io."mailId"
        ) became on became."mailId" = m.id
        left join company its on its.id = became."companyId"`,
  orderFile: ofOrders(false),
  orderInvoice: ofOrders(true),
  invoiceFile: sql`
    select f.id, greatest(f."createdAt", i."invoiceDate"::timestamptz) as at, f."sizeBytes" as bytes,
        ${OPEN_INVOICE} as "isOpen", ${isCarried} as "isCarried", ${COUNTRY} as "countryId"
      from document f join invoice i on i.id = f."ownerId" left join company its on its.id = i."companyId"
      where f."ownerKind" = 'invoice' and f."deletedAt" is null`,
  bankStatement: sql`
    select s.id, greatest(s."createdAt", s."toDate"::timestamptz) as at, 0 as bytes, exists (
        select 1 from bank_entry e left join payment_share p on p."paymentId" = e."paymentId"
            left join invoice i on i.id = p."invoiceId"
          where e."statementId" = s.id and (e.status = 'open' or (i.id is not null and ${OPEN_INVOICE}))) as "isOpen",
        false as "isCarried", ${COUNTRY} as "countryId"
      from bank_statement s join company its on its.id = s."companyId" where s."deletedAt" is null`,
  paymentRun: sql`
    select f.id, greatest(f."createdAt", f."confirmedAt", f."executionDate"::timestamptz) as at,
        f."sizeBytes" as bytes, f.status = 'made' or exists (
          select 1 from payment_file_item item join invoice i on i.id = item."invoiceId"
            where item."paymentFileId" = f.id and item."isValid" and ${OPEN_INVOICE}) as "isOpen",
        false as "isCarried", ${COUNTRY} as "countryId"
      from payment_file f join company its on its.id = f."companyId" where f."deletedAt" is null`,
  bookingBatch: sql`
    select b.id, b."createdAt" as at,
        coalesce((select octet_length(file.bytes) from bookkeeping_file file where file."batchId" = b.id), 0) as bytes,
        exists (select 1 from bookkeeping_item item join invoice i on i.id = item."invoiceId"
          where item."batchId" = b.id and item."isValid" and ${OPEN_INVOICE}) as "isOpen",
        false as "isCarried", ${COUNTRY} as "countryId"
      from bookkeeping_batch b join company its on its.id = b."companyId" where b."deletedAt" is null`,
  payment: sql`
    select p.id, greatest(p."createdAt", p."valueDate"::timestamptz) as at, 0 as bytes, exists (
        select 1 from payment_share share join invoice i on i.id = share."invoiceId"
          where share."paymentId" = p.id and ${OPEN_INVOICE}) as "isOpen",
        false as "isCarried", ${COUNTRY} as "countryId"
      from payment p join company its on its.id = p."companyId" where coalesce(p.payer, p.reference) is not null`,
}

const judged = (source: PaperSource, thisYear: number, years: number): RawBuilder<unknown> => sql`
  select id, bytes, year, "countryId", case when year + ${years} >= ${thisYear} then 'recent' when "isOpen" then 'open'
      when "isCarried" then 'carried' end as reason
    from (select *, extract(year from at at time zone 'UTC')::int as year from (${SOURCES[source]}) one) dated`

interface Asked {
  countryId: number
  /** calendar years after that in which it came */
  years: number
}

/** How much of a kind would go in a country, and what stays and why. */
export async function previewPapers(
  ctx: Ctx,
  kind: PaperKind,
  { countryId, years }: Asked,
): Promise<PaperPreview['kinds'][number]> {
  const thisYear = ctx.clock.now().getUTCFullYear()
  const all = sql.join(
    SOURCES_OF[kind].map((source) => judged(source, thisYear, years)),
    sql` union all `,
  )
  const { rows } = await sql<{
    reason: PaperStayReason | null
    count: number
    bytes: string
    firstYear: number
    lastYear: number
  }>`
    select reason, count(*)::int as count, sum(bytes) as bytes, min(year) as "firstYear", max(year) as "lastYear"
      from (${all}) paper where "countryId" = ${countryId} group by reason order by count(*) desc, reason
  `.execute(ctx.db)
  const due = rows.find(({ reason }) => reason === null)
  return {
    kind,
    dueCount: due?.count ?? 0,
    dueBytes: Number(due?.bytes ?? 0),
    firstYear: due?.firstYear ?? null,
    lastYear: due?.lastYear ?? null,
    stays: rows.flatMap(({ reason, count }) => (reason === null ? [] : { reason, count })),
  }
}

/** The next of a source whose period is over, at most so many. */
export async function duePapers(
  ctx: Ctx,
  source: PaperSource,
  { countryId, years, most }: Asked & { most: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (${judged(source, ctx.clock.now().getUTCFullYear(), years)}) due
      where reason is null and "countryId" = ${countryId} order by id limit ${most}
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}
