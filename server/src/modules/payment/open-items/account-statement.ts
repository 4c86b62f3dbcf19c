import { sql } from 'kysely'
import type { FastifyReply } from 'fastify'
import type { Language } from '@waybill/contract/errors'
import { localOf } from '@waybill/contract/kit/local-time'
import { countryName } from '@waybill/contract/kit/intl'
import { nowOf, type Ctx, type Ports } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { pdfName } from '../../../kit/pdf/pdf-name.ts'
import { textsOf } from '../../../kit/texts/texts.ts'
import { answerWithFile } from '../../document/index.ts'
import { billingCustomer, sellingCompany } from '../../invoice/index.ts'
import { isOfFilter } from '../payment.policy.ts'
import '../payment.table.ts'

type Statement = Parameters<Ports['accountStatementPdf']>[0]

/** What a statement of one customer with one of our companies shows, and where it goes. */
export interface AccountStatement {
  language: Language
  data: Statement
  to: string | null
  /** the invoice that its mail belongs to: the oldest open one, else the last */
  invoiceId: number | null
}

const TEXTS = textsOf('account-statement')

interface Whose {
  customerId: number
  companyId: number
}

/** The statement of a customer with one of our companies as it stands now. Errors: `not_found`. */
export async function accountStatement(ctx: Ctx, { customerId, companyId }: Whose): Promise<AccountStatement> {
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
  const { rows: whereto } = await sql<Pick<AccountStatement, 'to' | 'invoiceId'>>`
    select coalesce(k."invoiceEmail", (select p.email from contact_person p
          where p."customerId" = k.id and p.email is not null order by p.position limit 1)) as "to",
        (select r."invoiceId" from receivable r where r."customerId" = k.id and r."companyId" = ${companyId}
          order by r."openCents" = 0, r."dueDate" nulls last, r."invoiceId" limit 1) as "invoiceId"
      from customer k where k.id = ${customerId}
  `.execute(ctx.db)
  const { seller } = company
  return {
    language,
    ...whereto[0]!,
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

/** A statement as a PDF in the customer's language, with the name of its file. */
export async function statementPdf(
  ctx: Ctx,
  { data, language }: AccountStatement,
): Promise<{ title: string; bytes: Buffer }> {
  const bytes = await ctx.ports.accountStatementPdf(data, language)
  return { title: pdfName(TEXTS[language].title, data.asOf, data.buyer.title), bytes }
}

/** Answers with the statement of a customer's account as PDF. Errors: `not_found`. */
export async function answerWithStatement(ctx: Ctx, whose: Whose, reply: FastifyReply): Promise<void> {
  const { title, bytes } = await statementPdf(ctx, await accountStatement(ctx, whose))
  answerWithFile(reply, { title, contentType: 'application/pdf', sizeBytes: bytes.length }, bytes)
}
