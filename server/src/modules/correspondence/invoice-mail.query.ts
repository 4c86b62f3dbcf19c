import { sql } from 'kysely'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import type { Ctx } from '../../kit/context/context.ts'

export interface MailSource {
  /** the customer's own numbers of the orders */
  customerOrderNumbers: string[]
  correctionOf: { number: string; invoiceDate: string | null } | null
  /** the customer's address for invoices, else the first contact person with one */
  recipient: string | null
  senderLines: string[]
}

/** What the mail of an invoice needs beside the invoice itself. */
export async function mailSourceOf(ctx: Ctx, { id, billingCustomerId, correctionOfId }: Invoice): Promise<MailSource> {
  const { rows } = await sql<MailSource & { senderVatNumber: string | null }>`
    select
      coalesce(
        (select c."invoiceEmail" from customer c where c.id = ${billingCustomerId}),
        (select p.email from contact_person p where p."customerId" = ${billingCustomerId}
          and p.email is not null order by p.position limit 1)
      ) as recipient,
      array(select o."customerOrderNumber" from invoice_order link join "order" o on o.id = link."orderId"
        where link."invoiceId" = ${id} and o."customerOrderNumber" is not null group by o."customerOrderNumber"
          order by min(o.id)) as "customerOrderNumbers",
      (select json_build_object('number', original.number, 'invoiceDate', original."invoiceDate")
        from invoice original where original.id = ${correctionOfId}) as "correctionOf",
      (select array_remove(array[i.seller ->> 'title', i.seller ->> 'address',
        nullif(concat_ws(' ', i.seller ->> 'postal', i.seller ->> 'city'), ''),
        i.seller ->> 'phone', i.seller ->> 'email'], null) from invoice i where i.id = ${id}) as "senderLines",
      (select i.seller ->> 'vatNumber' from invoice i where i.id = ${id}) as "senderVatNumber"
  `.execute(ctx.db)
  const { senderVatNumber, ...source } = rows[0]!
  return senderVatNumber === null
    ? source
    : { ...source, senderLines: [...source.senderLines, formatVatNumber(senderVatNumber)] }
}
