import { sql } from 'kysely'
import type { CorrectionLooks } from '@waybill/contract/invoice/correction'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import type { Ctx } from '../../../kit/context/context.ts'
import { correctionLooks, partiesNow } from '../../invoice/index.ts'
import type { Firm } from '../order-paper.query.ts'
import type { Contact, MailFacts } from './mail-facts.query.ts'

/** What the mail of an invoice needs beside the invoice itself. */
export interface InvoiceFacts extends Pick<MailFacts, 'department' | 'caseWorker'> {
  us: Omit<MailFacts['us'], 'timeZone'>
  logo: Buffer | null
  /** whose texts are taken: of its first order; null without one */
  departmentId: number | null
  buyer: Firm
  /** the customer's address for invoices */
  invoiceEmail: string | null
  /** the customer's switch for mails with invoices */
  wantsMail: boolean
  /** the customer's people with an address */
  contacts: (Contact & { email: string })[]
  /** the customer's own numbers of the orders */
  customerOrderNumbers: string[]
  original: { number: string; invoiceDate: string | null } | null
  /** what a correction is called */
  correction: CorrectionLooks | null
}

type Row = Omit<InvoiceFacts, 'us' | 'buyer' | 'department' | 'correction'> & {
  department: InvoiceFacts['department'] | null
}

/**
 * The case worker is that of its orders where they have the same one: the mail of a combined invoice
 * is signed by the department.
 */
export async function invoiceFactsOf(ctx: Ctx, invoice: Invoice): Promise<InvoiceFacts> {
  const { id, billingCustomerId, companyId, correctionOfId } = invoice
  const { seller, buyer } = await partiesNow(ctx, invoice)
  const { rows } = await sql<Row>`
    with billed as (
      select o.id, o."departmentId", o."caseWorkerId", o."customerOrderNumber"
        from invoice_order link join "order" o on o.id = link."orderId" where link."invoiceId" = ${id}
    ), ours as (
      select (select "departmentId" from billed order by id limit 1) as "departmentId",
        (select min("caseWorkerId") from billed
          having count(distinct coalesce("caseWorkerId", 0)) = 1) as "caseWorkerId"
    )
    select ours."departmentId",
      (select json_build_object('title', d.abbreviation, 'phone', d.phone, 'email', d.email)
        from department d where d.id = ours."departmentId") as department,
      (select json_build_object('name', u."fullName", 'email', u.email, 'phone', u.phone)
        from "user" u where u.id = ours."caseWorkerId") as "caseWorker",
      (select logo.png from company_logo logo where logo."companyId" = ${companyId}::bigint) as logo,
      (select c."invoiceEmail" from customer c where c.id = ${billingCustomerId}::bigint) as "invoiceEmail",
      coalesce((select (c."emailPreferences"->>'invoice')::boolean from customer c
        where c.id = ${billingCustomerId}::bigint), true) as "wantsMail",
      coalesce((select json_agg(json_build_object(
            'fullName', p."fullName", 'lastName', p."lastName", 'academicTitle', p."academicTitle",
            'gender', salutation.gender, 'phone', coalesce(p.phone, p.mobile), 'email', p.email
          ) order by p.position)
        from contact_person p left join salutation on salutation.id = p."salutationId"
        where p."customerId" = ${billingCustomerId}::bigint and p.email is not null), '[]') as contacts,
      array(select "customerOrderNumber" from billed where "customerOrderNumber" is not null
        group by "customerOrderNumber" order by min(id)) as "customerOrderNumbers",
      (select json_build_object('number', original.number, 'invoiceDate', original."invoiceDate")
        from invoice original where original.id = ${correctionOfId}::bigint) as original
    from ours
  `.execute(ctx.db)
  const { department, ...found } = rows[0]!
  return {
    ...found,
    department: department ?? { title: '', phone: null, email: null },
    us: seller,
    buyer,
    correction: await correctionLooks(ctx, invoice),
  }
}
