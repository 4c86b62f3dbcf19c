import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { proposeVat, type VatProposal } from '@waybill/contract/invoice/vat'
import { APPROVED_EXTRA, type Extra } from '@waybill/contract/order/extra'
import type { OrderStatus } from '@waybill/contract/order/status'
import type { Ctx } from '../../kit/context/context.ts'
import type { Buyer, Seller } from './invoice.table.ts'

/** What billing needs to know of an order. */
export interface BillableOrder {
  id: number
  number: string
  /** of the transport: a merged order's goods travel with its result, whose status counts (domain, Merge) */
  status: OrderStatus
  companyId: number
  billingCustomerId: number | null
  customerPriceCents: number | null
  customerVatBp: number | null
  paymentPeriodDays: number | null
  invoiceText: string | null
  customerOrderNumber: string | null
  fromCity: string | null
  fromCountryCode: string | null
  toCity: string | null
  toCountryCode: string | null
  /** local dates at the stops */
  loadingDate: string | null
  /** not before the loading: what was loaded late is still due to be unloaded on the day that was agreed */
  unloadingDate: string | null
  stopsOutsideEu: boolean
  /** the transport of merged orders: those are the billing units (domain, Merge) */
  isMergeResult: boolean
  /** on an invoice that is not canceled */
  isFreightBilled: boolean
}

/** The orders with these ids, in this order; what is not there is left out. */
export async function billableOrders(ctx: Ctx, ids: readonly number[]): Promise<BillableOrder[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BillableOrder>`
    select o.id, o.number, coalesce(result.status, o.status) as status, d."companyId", o."billingCustomerId",
      o."customerPriceCents", o."customerVatBp", o."paymentPeriodDays", o."invoiceText", o."customerOrderNumber",
      o."fromCity", o."fromCountryCode", o."toCity", o."toCountryCode",
      days."loadingDate",
      case when days."unloadingDate" is not null then greatest(days."unloadingDate", days."loadingDate") end
        as "unloadingDate",
      exists (select 1 from location l join country c on c.id = l."countryId" where l."orderId" = o.id
        and l."canceledAt" is null and not c."isEu") as "stopsOutsideEu",
      o."isMergeResult",
      exists (select 1 from invoice_line line where line."orderId" = o.id and line."billsFreight") as "isFreightBilled"
    from "order" o join department d on d.id = o."departmentId"
      left join "order" result on result.id = o."mergedIntoId",
      lateral (select (o."firstLoadingAt" at time zone coalesce(o."fromTimeZone", 'UTC'))::date as "loadingDate",
        (o."lastUnloadingAt" at time zone coalesce(o."toTimeZone", 'UTC'))::date as "unloadingDate") days
    where o.id = any(${ids}::bigint[]) order by array_position(${ids}::bigint[], o.id)
  `.execute(ctx.db)
  return rows
}

/** An extra that the customer of an order pays. */
interface BillableExtra extends Pick<Extra, 'id' | 'kind' | 'text' | 'quantity' | 'unit'> {
  /** that is billed: of a merge's result the source (domain, Merge) */
  orderId: number
  priceCents: number
}

/** The approved extras of these orders that no invoice bills yet, in the order in which they were entered. */
export async function unbilledExtras(ctx: Ctx, orderIds: readonly number[]): Promise<BillableExtra[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<BillableExtra>`
    select e.id, coalesce(e."sourceOrderId", e."orderId") as "orderId", e.kind, e.text,
      e.quantity::double precision as quantity, e.unit, e."priceCents"
    from order_extra e
    where (e."sourceOrderId" = any(${orderIds}::bigint[])
        or (e."sourceOrderId" is null and e."orderId" = any(${orderIds}::bigint[])))
      and e.state = ${APPROVED_EXTRA} and e."priceCents" is not null
      and not exists (select 1 from invoice_line line where line."extraId" = e.id and line."billsExtra")
    order by e.id
  `.execute(ctx.db)
  return rows
}

/** Of these extras those that a line may bill, each with the order that is billed. */
export async function billableExtras(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; orderId: number }>`
    select e.id, coalesce(e."sourceOrderId", e."orderId") as "orderId" from order_extra e
    where e.id = any(${ids}::bigint[]) and e.state = ${APPROVED_EXTRA} and e."priceCents" is not null
  `.execute(ctx.db)
  return new Map(rows.map(({ id, orderId }) => [id, orderId]))
}

export interface SellingCompany {
  id: number
  timeZone: string
  invoiceNumberPattern: string
  standardVatBp: number
  seller: Seller
}

/**
 * One of our companies with the bank account that invoices name: the first that was confirmed, and while none is, the
 * first.
 */
export async function sellingCompany(ctx: Ctx, id: number): Promise<SellingCompany | null> {
  const { rows } = await sql<Seller & Omit<SellingCompany, 'seller'>>`
    select c.id, c."timeZone", c."invoiceNumberPattern", k."standardVatBp", c.title, c.address, c.postal, c.city,
      k.code as "countryCode", c."vatNumber", c.email, c.phone, b.iban, b.bic, b."bankName"
    from company c join country k on k.id = c."countryId"
      left join lateral (select iban, bic, "bankName" from company_bank_account where "companyId" = c.id
        order by ("confirmedById" is null), position limit 1) b on true
    where c.id = ${id}
  `.execute(ctx.db)
  if (!rows[0]) return null
  const { id: companyId, timeZone, invoiceNumberPattern, standardVatBp, ...seller } = rows[0]
  return { id: companyId, timeZone, invoiceNumberPattern, standardVatBp, seller }
}

export interface BillingCustomer {
  id: number
  language: Language
  paymentPeriodDays: number
  isEu: boolean
  isForwarder: boolean
  buyer: Buyer
}

/** Who is billed, at the billing address where there is one (spec §3). */
export async function billingCustomer(ctx: Ctx, id: number): Promise<BillingCustomer | null> {
  const { rows } = await sql<Buyer & Omit<BillingCustomer, 'buyer'>>`
    select c.id, coalesce(c.language, home.language, 'en') as language, c."paymentPeriodDays", c."isForwarder",
      home."isEu", home.code as "vatCountryCode", c."vatNumber",
      coalesce(bill.title, c.title) as title,
      case when bill is null then c.address else bill.address end as address,
      case when bill is null then c.postal else bill.postal end as postal,
      case when bill is null then c.city else bill.city end as city,
      coalesce(there.code, home.code) as "countryCode"
    from customer c join country home on home.id = c."countryId"
      left join lateral (select * from jsonb_to_record(c."billingAddress") as b(title text, address text, postal text,
        city text, "countryId" bigint) where jsonb_typeof(c."billingAddress") = 'object') bill on true
      left join country there on there.id = bill."countryId"
    where c.id = ${id}
  `.execute(ctx.db)
  if (!rows[0]) return null
  const { id: customerId, language, paymentPeriodDays, isEu, isForwarder, ...buyer } = rows[0]
  return { id: customerId, language, paymentPeriodDays, isEu, isForwarder, buyer }
}

/** The VAT that the contract's rule proposes for what is sold to a customer; a carriage may leave the EU. */
export const proposalFor = (
  { seller, standardVatBp }: SellingCompany,
  { buyer, isEu, isForwarder }: BillingCustomer,
  stopsOutsideEu = false,
): VatProposal =>
  proposeVat({
    company: { countryCode: seller.countryCode, standardVatBp },
    buyer: { countryCode: buyer.vatCountryCode, isEu, hasVatNumber: buyer.vatNumber !== null, isForwarder },
    stopsOutsideEu,
  })

/**
 * True where the law of our company's country lets the end of an agreed period be the tax point of all that was carried
 * in it, and the customer is billed so: in Poland, of customers that pay at the end of a period (Art. 19a(3) ustawy o
 * VAT).
 */
export async function isBilledByPeriods(
  ctx: Ctx,
  { companyId, customerId }: { companyId: number; customerId: number | null },
): Promise<boolean> {
  const { rows } = await sql`
    select from company us, customer c
    where us.id = ${companyId} and us."ksefMode" <> 'off' and c.id = ${customerId}
      and c."paymentOption" = 'end_of_period'
  `.execute(ctx.db)
  return rows.length > 0
}

/**
 * Seller and buyer of a customer's invoice: as they were fixed, or, while it is a draft, as sending will fix them. A
 * correction keeps those of the original.
 */
export async function partiesNow(
  ctx: Ctx,
  { id, number, correctionOfId, companyId, billingCustomerId }: Invoice,
): Promise<{ seller: Seller; buyer: Buyer }> {
  const company = number === null && correctionOfId === null ? await sellingCompany(ctx, companyId!) : null
  const customer = company === null ? null : await billingCustomer(ctx, billingCustomerId!)
  if (company && customer) return { seller: company.seller, buyer: customer.buyer }
  const { seller, buyer } = await ctx.db
    .selectFrom('invoice')
    .select(['seller', 'buyer'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { seller: seller!, buyer: buyer! }
}
