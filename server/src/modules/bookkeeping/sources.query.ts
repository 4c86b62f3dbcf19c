import { sql, type RawBuilder } from 'kysely'
import { PASSED_INVOICE_STATUSES, FIRST_INVOICE_STATUS } from '@waybill/contract/invoice/status'
import type { VatGroup } from '@waybill/contract/invoice/totals'
import type { PaymentKind } from '@waybill/contract/payment/payment'
import type { Ctx } from '../../kit/context/context.ts'
import './bookkeeping.table.ts'

interface Partner {
  partnerId: number
  partner: string
  /** null: none was given */
  account: number | null
}

export interface InvoiceSource extends Partner {
  id: number
  number: string
  date: string
  dueDate: string | null
  /** the last day of what is billed */
  serviceDate: string | null
  isCorrection: boolean
  vatGroups: VatGroup[]
  /** of the buyer */
  vatNumber: string | null
}

export interface CarrierInvoiceSource extends Partner {
  id: number
  number: string
  date: string
  dueDate: string | null
  amountCents: number
  vatBp: number | null
  vatCents: number
  totalCents: number
  vatNumber: string | null
  countryCode: string
  isEu: boolean
}

export interface PaymentSource extends Partner {
  id: number
  kind: PaymentKind
  date: string
  isReversal: boolean
  shares: {
    /** null: the customer's account */
    invoiceId: number | null
    number: string | null
    amountCents: number
    skontoCents: number
    /** of the invoice */
    vatGroups: VatGroup[]
  }[]
  /** of kind `claim`: what was paid beside which invoice; negative: taken back */
  claims: { invoiceId: number; number: string; feeCents: number; interestCents: number }[]
  /** of kind `credit_write_off`: the invoice that was paid too much for, whose VAT the credit shares */
  creditOf: { invoiceId: number | null; number: string | null; vatGroups: VatGroup[] } | null
}

export interface CarrierPaymentSource extends Partner {
  id: number
  invoiceId: number
  number: string
  date: string
  amountCents: number
  /** of an invoice the credit notes, of a credit note the invoices that it was set off against; null: money was paid */
  setOffAgainst: string[] | null
  /** a credit note */
  isCredit: boolean
}

export interface Sources {
  invoices: InvoiceSource[]
  carrierInvoices: CarrierInvoiceSource[]
  payments: PaymentSource[]
  carrierPayments: CarrierPaymentSource[]
}

export interface Month {
  companyId: number
  /** first and last day */
  from: string
  to: string
}

const isFree = (column: string, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`not exists (select 1 from bookkeeping_item item where item.${sql.ref(column)} = ${id}
    and item."isValid")`

/** Keeps carriers' invoices of a month from being given back or changed until the transaction ends. */
export async function lockCarrierInvoices(ctx: Ctx, { companyId, from, to }: Month): Promise<void> {
  await sql`
    select i.id from invoice i where i."entityType" = 'carrier' and i."companyId" = ${companyId}
        and i.status = any(${PASSED_INVOICE_STATUSES}::text[])
        and coalesce(i."documentCreationDate", i."createdAt"::date) between ${from}::date - 2 and ${to}::date + 2
      order by i.id for share
  `.execute(ctx.db)
}

/** What is to be booked of a month and is in no valid batch yet, by date and number. */
export async function sourcesOf(ctx: Ctx, month: Month): Promise<Sources> {
  return {
    invoices: await invoicesOf(ctx, month),
    carrierInvoices: await carrierInvoicesOf(ctx, month),
    payments: await paymentsOf(ctx, month),
    carrierPayments: await carrierPaymentsOf(ctx, month),
  }
}

async function invoicesOf(ctx: Ctx, { companyId, from, to }: Month): Promise<InvoiceSource[]> {
  const { rows } = await sql<InvoiceSource>`
    select i.id, i.number, i."invoiceDate" as date, i."dueDate", i."servicePeriodTo" as "serviceDate",
        i."correctionOfId" is not null as "isCorrection",
        i."vatGroups", i.buyer ->> 'vatNumber' as "vatNumber", k.id as "partnerId", k.title as partner,
        k."debtorNumber" as account
      from invoice i join customer k on k.id = i."billingCustomerId"
      where i."entityType" = 'customer' and i."companyId" = ${companyId} and i."frozenAt" is not null
        and i.status <> ${FIRST_INVOICE_STATUS.customer} and i."invoiceDate" between ${from} and ${to}
        and ${isFree('invoiceId', sql`i.id`)}
      order by i."invoiceDate", i.number, i.id
  `.execute(ctx.db)
  return rows
}

async function carrierInvoicesOf(ctx: Ctx, { companyId, from, to }: Month): Promise<CarrierInvoiceSource[]> {
  const { rows } = await sql<CarrierInvoiceSource>`
    select i.id, coalesce(i.number, i."innerNumber") as number, day.date, i."dueDate", i."amountCents", i."vatBp",
        i."vatCents", i."totalCents", c."vatNumber", k.code as "countryCode", k."isEu", c.id as "partnerId",
        c.title as partner, c."creditorNumber" as account
      from invoice i join carrier_company c on c.id = i."carrierCompanyId" join country k on k.id = c."countryId"
      join company o on o.id = i."companyId"
      cross join lateral (select coalesce(i."documentCreationDate", (i."createdAt" at time zone o."timeZone")::date)
        as date) day
      where i."entityType" = 'carrier' and i."companyId" = ${companyId} and i.currency = 'EUR'
        and i.status = any(${PASSED_INVOICE_STATUSES}::text[]) and day.date between ${from} and ${to}
        and ${isFree('invoiceId', sql`i.id`)}
      order by day.date, 2, i.id
  `.execute(ctx.db)
  return rows
}

/**
 * Which invoice a credit comes from: that of the newest booking that left something on the account, else the newest
 * that one was booked on, both before it was booked out, so that its reversal finds the same one. A credit of money
 * that came before any invoice is taken at the standard rate of our country.
 */
const creditOf = sql`
  case when p.kind = 'credit_write_off' then coalesce(
    (select json_build_object('invoiceId', i.id, 'number', i.number, 'vatGroups', i."vatGroups")
      from payment before join payment_share s on s."paymentId" = before.id join invoice i on i.id = s."invoiceId"
      where before."customerId" = p."customerId" and before."companyId" = p."companyId"
        and before.id < coalesce(p."reversesId", p.id) and before."reversesId" is null
        and i."correctionOfId" is null and i."totalCents" <> 0
      order by exists (select from payment_share rest where rest."paymentId" = before.id
          and rest."invoiceId" is null and rest."amountCents" > 0) desc, before.id desc, s.id desc limit 1),
    (select json_build_object('invoiceId', null, 'number', null, 'vatGroups', json_build_array(json_build_object(
        'vatCategory', 'S', 'vatBp', c."standardVatBp", 'netCents', 1, 'vatCents', 0)))
      from company us join country c on c.id = us."countryId" where us.id = p."companyId")
  ) end`

async function paymentsOf(ctx: Ctx, { companyId, from, to }: Month): Promise<PaymentSource[]> {
  const { rows } = await sql<PaymentSource>`
    select p.id, p.kind, p."valueDate" as date, p."reversesId" is not null as "isReversal", k.id as "partnerId",
        k.title as partner, k."debtorNumber" as account,
        (select json_agg(json_build_object('invoiceId', s."invoiceId", 'number', i.number,
              'amountCents', s."amountCents", 'skontoCents', s."skontoCents",
              'vatGroups', coalesce(i."vatGroups", '[]')) order by s.id)
          from payment_share s left join invoice i on i.id = s."invoiceId" where s."paymentId" = p.id) as shares,
        (select json_agg(json_build_object('invoiceId', i.id, 'number', i.number, 'feeCents', one."feeCents",
              'interestCents', one."interestCents") order by one.id)
          from claim_booking one join invoice i on i.id = one."invoiceId" where one."paymentId" = p.id) as claims,
        ${creditOf} as "creditOf"
      from payment p join customer k on k.id = p."customerId"
      where p."companyId" = ${companyId} and p."valueDate" between ${from} and ${to}
        and ${isFree('paymentId', sql`p.id`)}
      order by p."valueDate", p.id
  `.execute(ctx.db)
  return rows.map(({ shares, claims, ...payment }) => ({ ...payment, shares: shares ?? [], claims: claims ?? [] }))
}

async function carrierPaymentsOf(ctx: Ctx, { companyId, from, to }: Month): Promise<CarrierPaymentSource[]> {
  const { rows } = await sql<CarrierPaymentSource>`
    select p.id, i.id as "invoiceId", coalesce(i.number, i."innerNumber") as number, p."valueDate" as date,
        p."amountCents", i."totalCents" < 0 as "isCredit",
        case when p."setOffId" is not null then (
          select coalesce(json_agg(coalesce(other.number, other."innerNumber") order by other.number, other.id), '[]')
          from set_off_item item join invoice other on other.id = item."invoiceId"
          where item."setOffId" = p."setOffId" and (item."amountCents" < 0) <> (i."totalCents" < 0)
        ) end as "setOffAgainst", c.id as "partnerId", c.title as partner, c."creditorNumber" as account
      from payable_payment p join invoice i on i.id = p."invoiceId"
      join carrier_company c on c.id = i."carrierCompanyId"
      where i."companyId" = ${companyId} and i.currency = 'EUR' and p."valueDate" between ${from} and ${to}
        and ${isFree('payablePaymentId', sql`p.id`)}
      order by p."valueDate", p.id
  `.execute(ctx.db)
  return rows
}
