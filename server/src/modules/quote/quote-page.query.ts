import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import { localOf } from '@waybill/contract/kit/local-time'
import type { QuotePage } from '@waybill/contract/public/quote-page'
import { QUOTE_LINK_DAYS_AFTER } from '@waybill/contract/quote/quote'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { contactOf } from '../../kit/records/contact.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import './quote.table.ts'

/** A quote as its customer may know it, with everybody's names around it. */
export interface OpenedQuote {
  id: number
  state: 'sent' | 'accepted' | 'refused'
  number: string
  customer: string
  language: Language
  title: string
  phone: string | null
  email: string | null
  timeZone: string
  logo: Buffer | null
  contactName: string | null
  contactPhone: string | null
  fromCountryCode: string
  fromPostal: string | null
  fromCity: string | null
  fromDate: string | null
  toCountryCode: string
  toPostal: string | null
  toCity: string | null
  toDate: string | null
  goods: string | null
  quantity: number | null
  unit: string | null
  weightKg: number | null
  ldm: number | null
  priceCents: number
  validUntil: string
  remark: string | null
  answeredAt: string | null
  answeredBy: 'link' | 'hand' | null
  answerRemark: string | null
}

/** The quote that a token opens; undefined where it opens none, or none any more. */
export async function quoteWith(ctx: Ctx, tokenHash: Buffer): Promise<OpenedQuote | undefined> {
  const { rows } = await sql<OpenedQuote>`
    select quote.id, quote.state, quote.number, quote."fromPostal", quote."fromCity", quote."fromDate",
        quote."toPostal", quote."toCity", quote."toDate", quote.goods, quote.quantity, quote."weightKg", quote.ldm,
        quote."priceCents", quote."validUntil", quote.remark, quote."answeredAt", quote."answeredBy",
        quote."answerRemark", here.code as "fromCountryCode", there.code as "toCountryCode", k.title as customer,
        coalesce(k.language, ck.language, 'en') as language,
        (select ${shownTitle(ctx.language, 't')} from unit_type t where t.id = quote."unitTypeId") as unit,
        co.title, co.phone, co.email, co."timeZone", logo.png as logo, contact.name as "contactName",
        contact.phone as "contactPhone"
      from quote join customer k on k.id = quote."customerId" join country ck on ck.id = k."countryId"
        join country here on here.id = quote."fromCountryId" join country there on there.id = quote."toCountryId"
        join department d on d.id = quote."departmentId" join company co on co.id = d."companyId"
        left join company_logo logo on logo."companyId" = co.id
        ${contactOf('quote')}
      where quote."tokenHash" = ${tokenHash} and quote.state <> 'draft'
        and quote."validUntil" + ${sql.lit(QUOTE_LINK_DAYS_AFTER)} >= ${nowOf(ctx)}::timestamptz::date
  `.execute(ctx.db)
  return rows[0]
}

/** How it stands for the customer. */
export function pageStateOf(ctx: Ctx, { state, validUntil, timeZone }: OpenedQuote): QuotePage['state'] {
  if (state !== 'sent') return state
  return validUntil < localOf(nowOf(ctx), timeZone).date ? 'over' : 'open'
}

/** What the page of a quote shows: what the customer may know, and no more. */
export const quotePage = (ctx: Ctx, quote: OpenedQuote): QuotePage => ({
  state: pageStateOf(ctx, quote),
  language: quote.language,
  customer: quote.customer,
  number: quote.number,
  company: {
    title: quote.title,
    phone: quote.phone,
    email: quote.email,
    logo: quote.logo?.toString('base64') ?? null,
  },
  contact: { name: quote.contactName, phone: quote.contactPhone },
  from: { countryCode: quote.fromCountryCode, postal: quote.fromPostal, city: quote.fromCity, date: quote.fromDate },
  to: { countryCode: quote.toCountryCode, postal: quote.toPostal, city: quote.toCity, date: quote.toDate },
  goods: quote.goods,
  quantity: quote.quantity,
  unit: quote.unit,
  weightKg: quote.weightKg,
  ldm: quote.ldm,
  priceCents: quote.priceCents,
  validUntil: quote.validUntil,
  remark: quote.remark,
  // What we noted of a call is ours: a customer reads back what it wrote itself.
  answer:
    quote.answeredAt === null
      ? null
      : { at: quote.answeredAt, remark: quote.answeredBy === 'link' ? quote.answerRemark : null },
})
