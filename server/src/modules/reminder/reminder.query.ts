import { sql } from 'kysely'
import type { InvoiceReminders, SentReminder } from '@waybill/contract/reminder/reminder'
import { termsFor, type LatePayment, type ReminderLevels } from '@waybill/contract/reminder/terms'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { searchIn } from '../../kit/records/paging.ts'
import { heldReminders } from '../email/index.ts'
import './reminder.table.ts'

/** A late invoice with all that a reminder of it rests on. */
export interface LateInvoice {
  invoiceId: number
  number: string
  companyId: number
  companyTitle: string
  companyCountryCode: string
  customerId: number
  customerTitle: string
  language: string
  /** by the company's clock */
  asOf: string
  invoiceDate: string
  dueDate: string
  daysLate: number
  totalCents: number
  openCents: number
  /** on the customer's account with the company, used for nothing yet */
  creditCents: number
  isDisputed: boolean
  disputeReason: string | null
  remindersOff: boolean
  isConsumer: boolean
  wantsMail: boolean
  to: string | null
  /** the mail by which it is reminded of once there is an address */
  heldMailId: number | null
  /** its PDF */
  documentId: number | null
  documentTitle: string | null
  documentBytes: number | null
  levels: ReminderLevels
  terms: LatePayment
  /** 0: never reminded */
  lastLevel: number
  lastPayUntil: string | null
  /** the flat sum that was claimed already */
  claimedFeeCents: number
  /** of the claims, paid or waived */
  bookedFeeCents: number
  bookedInterestCents: number
}

interface Which {
  q?: string | undefined
  of?: { companyId: number; customerId: number } | undefined
  /** locks what is owed, in the order of the invoices, until the transaction ends */
  isLocking?: boolean
}

/** Sent invoices past their due date with something open, of companies that the caller may act for; oldest first. */
export async function lateInvoices(ctx: Ctx, { q, of, isLocking = false }: Which): Promise<LateInvoice[]> {
  if (isLocking)
    await sql`select 1 from receivable where "openCents" > 0 and "customerId" = ${of!.customerId}
      and "companyId" = ${of!.companyId} order by "invoiceId" for update`.execute(ctx.db)
  const held = await heldReminders(ctx, of)
  const heldBy = new Map(held.flatMap(({ emailId, invoiceIds }) => invoiceIds.map((id) => [id, emailId] as const)))
  const { rows } = await sql<Omit<LateInvoice, 'heldMailId'>>`
    select r."invoiceId", i.number, r."companyId", c.title as "companyTitle",
        land.code as "companyCountryCode", r."customerId",
        k.title as "customerTitle", coalesce(k.language, home.language, 'en') as language,
        today.day as "asOf", r."invoiceDate", r."dueDate", today.day - r."dueDate" as "daysLate", r."totalCents",
        r."openCents", coalesce(credit."balanceCents", 0) as "creditCents",
        r."disputedAt" is not null as "isDisputed", r."disputeReason", k."remindersOff", k."isConsumer",
        coalesce((k."emailPreferences"->>'paymentReminder')::boolean, true) as "wantsMail",
        coalesce(k."invoiceEmail", (select p.email from contact_person p
          where p."customerId" = k.id and p.email is not null order by p.position limit 1)) as "to",
        pdf.id as "documentId", pdf.title as "documentTitle", pdf."sizeBytes" as "documentBytes",
        c."reminderLevels" as levels, land."latePayment" as terms,
        coalesce(last.level, 0) as "lastLevel", last."payUntil" as "lastPayUntil",
        coalesce(claim."feeCents", 0) as "claimedFeeCents",
        coalesce(claim."paidFeeCents" + claim."waivedFeeCents", 0) as "bookedFeeCents",
        coalesce(claim."paidInterestCents" + claim."waivedInterestCents", 0) as "bookedInterestCents"
      from receivable r join invoice i on i.id = r."invoiceId"
        join company c on c.id = r."companyId" join country land on land.id = c."countryId"
        join customer k on k.id = r."customerId" join country home on home.id = k."countryId"
        left join invoice_paper paper on paper."invoiceId" = r."invoiceId"
        left join document pdf on pdf.id = coalesce(paper."documentId", i."documentId")
        cross join lateral (select (${nowOf(ctx)}::timestamptz at time zone c."timeZone")::date as day) today
        left join lateral (select item.level, one."payUntil" from reminder_item item
            join reminder one on one.id = item."reminderId"
          where item."invoiceId" = r."invoiceId" order by item.level desc limit 1) last on true
        left join invoice_claim claim on claim."invoiceId" = r."invoiceId"
        left join customer_account credit on credit."customerId" = r."customerId"
          and credit."companyId" = r."companyId"
      where r."openCents" > 0 and r."dueDate" < today.day
        and (${ctx.companyFilter}::bigint is null or r."companyId" = ${ctx.companyFilter}::bigint)
        and (${of?.customerId ?? null}::bigint is null or (r."customerId" = ${of?.customerId ?? null}::bigint
          and r."companyId" = ${of?.companyId ?? null}::bigint))
        and ${q === undefined ? sql<boolean>`true` : searchIn(q, 'k.searchKey', ['k.titleKey'])}
      order by r."dueDate", r."invoiceId"
  `.execute(ctx.db)
  return rows.map((row) => ({
    ...row,
    terms: termsFor(row.terms, row),
    heldMailId: heldBy.get(row.invoiceId) ?? null,
  }))
}

/** What a sent reminder says. */
export async function reminderView(ctx: Ctx, id: number): Promise<SentReminder> {
  const { rows } = await sql<SentReminder>`
    select m.id, null as "heldMailId", json_build_object('id', c.id, 'title', c.title) as company,
        json_build_object('id', k.id, 'title', k.title) as customer, m.level, m."payUntil", m."openCents",
        m."feeCents", m."interestCents", m."openCents" + m."feeCents" + m."interestCents" as "totalCents",
        (select json_agg(json_build_object('invoice', json_build_object('id', i.id, 'title', i.number),
            'level', item.level, 'invoiceDate', r."invoiceDate", 'dueDate', r."dueDate",
            'daysLate', item."daysLate", 'openCents', item."openCents", 'feeCents', item."feeCents",
            'interestCents', item."interestCents", 'rateBp', null) order by item.level desc, r."dueDate", i.id)
          from reminder_item item join receivable r on r."invoiceId" = item."invoiceId"
            join invoice i on i.id = item."invoiceId" where item."reminderId" = m.id) as items
      from reminder m join company c on c.id = m."companyId" join customer k on k.id = m."customerId"
      where m.id = ${id}
  `.execute(ctx.db)
  return rows[0]!
}

/** The reminders of one invoice, the oldest first. Error: `not_found`. */
export async function invoiceReminders(ctx: Ctx, invoiceId: number): Promise<InvoiceReminders> {
  const own = await sql`select 1 from invoice where id = ${invoiceId} and "entityType" = 'customer'
    and (${ctx.companyFilter}::bigint is null or "companyId" = ${ctx.companyFilter}::bigint)`.execute(ctx.db)
  if (own.rows.length === 0) throw new AppError('not_found')
  const { rows: items } = await sql<InvoiceReminders['items'][number]>`
    select m.id, item.level, m."createdAt" as at, m."payUntil", item."daysLate", item."openCents", item."feeCents",
        item."interestCents", json_build_object('id', mailed.id, 'title', mailed.number) as mailed,
        (select json_build_object('id', u.id, 'title', u."fullName") from "user" u where u.id = m."createdById") as by
      from reminder_item item join reminder m on m.id = item."reminderId"
        join invoice mailed on mailed.id = m."mailInvoiceId"
      where item."invoiceId" = ${invoiceId} order by item.id
  `.execute(ctx.db)
  return { items }
}
