import { sql } from 'kysely'
import type { FastifyReply } from 'fastify'
import type { Language } from '@waybill/contract/errors'
import { localOf } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx, type Ports } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { pdfName } from '../../../kit/pdf/pdf-name.ts'
import { textsOf } from '../../../kit/texts/texts.ts'
import { answerWithFile } from '../../document/index.ts'
import { billingCustomer, sellingCompany } from '../../invoice/index.ts'
import { isOfFilter } from '../payment.policy.ts'
import '../payment.table.ts'

type Statement = Parameters<Ports['accountStatementPdf']>[0]

const TEXTS = textsOf('account-statement')

const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code

/** What a statement of one customer with one of our companies shows. Errors: `not_found`. */
async function statementOf(
  ctx: Ctx,
  customerId: number,
  companyId: number,
): Promise<{ data: Statement; language: Language }> {
  const company = isOfFilter(ctx, companyId) ? await sellingCompany(ctx, companyId) : null
  const customer = await billingCustomer(ctx, customerId)
  if (company === null || customer === null) throw new AppError('not_found')
  const { language } = customer
  const asOf = localOf(nowOf(ctx), company.timeZone).date
  const { rows: items } = await sql<Statement['items'][number]>`
    select i.number, r."invoiceDate", r."dueDate", r."totalCents", r."openCents",
        case when r."dueDate" < ${asOf}::date then ${asOf}::date - r."dueDate" end as "daysLate"
      from receivable r join invoice i on i.id = r."invoiceId"
      where r."customerId" = ${customerId} and r."companyId" = ${companyId} and r."openCents" <> 0
      order by r."dueDate" nulls last, r."invoiceId"
  `.execute(ctx.db)
  const { rows: claims } = await sql<Statement['claims'][number]>`
    select i.number, claim."openFeeCents" as "feeCents", claim."openInterestCents" as "interestCents"
      from receivable r join invoice_claim claim on claim."invoiceId" = r."invoiceId"
        join invoice i on i.id = r."invoiceId"
      where r."customerId" = ${customerId} and r."companyId" = ${companyId}
        and claim."openFeeCents" + claim."openInterestCents" > 0
      order by r."dueDate" nulls last, r."invoiceId"
  `.execute(ctx.db)
  const account = await ctx.db
    .selectFrom('customer_account')
    .select('balanceCents')
    .where('customerId', '=', customerId)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  const { seller } = company
  return {
    language,
    data: {
      seller: { ...seller, country: countryName(seller.countryCode, language), logo: null },
      buyer: { ...customer.buyer, country: countryName(customer.buyer.countryCode, language) },
      asOf,
      items,
      creditCents: account?.balanceCents ?? 0,
      claims,
    },
  }
}

/** Answers with the statement of a customer's account as PDF, in the customer's language. Errors: `not_found`. */
export async function sendAccountStatement(
  ctx: Ctx,
  { customerId, companyId }: { customerId: number; companyId: number },
  reply: FastifyReply,
): Promise<void> {
  const { data, language } = await statementOf(ctx, customerId, companyId)
  const bytes = await ctx.ports.accountStatementPdf(data, language)
  const title = pdfName(TEXTS[language].title, data.asOf, data.buyer.title)
  answerWithFile(reply, { title, contentType: 'application/pdf', sizeBytes: bytes.length }, bytes)
}
