import { sql, type RawBuilder } from 'kysely'
import type { InvoiceSide, InvoiceStatus } from '@waybill/contract/invoice/status'
import { isApprovedInvoice } from '@waybill/contract/invoice/status'
import type { Reference, State } from '@waybill/contract/kit/fields'
import type { LeftOutReason } from '@waybill/contract/payment-file/payment-file'
import { isSepaCountry, needsBic } from '@waybill/contract/payment-file/sepa'
import type { Ctx } from '../../kit/context/context.ts'
import { countryOf, hasFullAddress } from './sepa-file.rules.ts'
import { MOST_CENTS } from './plan-payments.rules.ts'
import './payment-file.table.ts'

/** A carrier's invoice with all that decides whether it can be paid. */
export interface FoundPayable {
  id: number
  entityType: InvoiceSide
  status: InvoiceStatus
  companyId: number | null
  number: string
  iban: string | null
  totalCents: number
  currency: string
  dueDate: string | null
  carrierCompanyId: number
  title: string
  state: State
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
  /** of the account on the carrier's record */
  bic: string | null
  /** null: the record does not have this account */
  isConfirmed: boolean | null
  orders: Reference[]
  paymentFile: Reference | null
}

/** Invoices that a condition over `i` selects, the earliest due first. */
export async function findPayables(ctx: Ctx, condition: RawBuilder<unknown>, most: number): Promise<FoundPayable[]> {
  const { rows } = await sql<FoundPayable>`
    select i.id, i."entityType", i.status, i."companyId", coalesce(i.number, i."innerNumber") as number, i.iban,
        i."totalCents", i.currency, i."dueDate", i."carrierCompanyId", c.title, c.state, c.address, c.postal, c.city,
        k.code as "countryCode", account.bic, account."isConfirmed",
        coalesce((select json_agg(json_build_object('id', o.id, 'title', o.number) order by o.id)
          from invoice_order link join "order" o on o.id = link."orderId" where link."invoiceId" = i.id), '[]')
          as orders,
        (select json_build_object('id', f.id, 'title', f.number) from payment_file_item item
          join payment_file f on f.id = item."paymentFileId"
          where item."invoiceId" = i.id and item."isValid") as "paymentFile"
      from invoice i left join carrier_company c on c.id = i."carrierCompanyId"
      left join country k on k.id = c."countryId"
      left join lateral (
        select b.bic, b."confirmedById" is not null as "isConfirmed" from carrier_bank_account b
          where b."carrierCompanyId" = i."carrierCompanyId" and b.iban = i.iban
          order by b."confirmedById" is null, b.position limit 1
      ) account on true
      where ${condition}
      order by c."titleKey", i."dueDate" nulls first, i.id limit ${sql.lit(most)}
  `.execute(ctx.db)
  return rows
}

/** Why an invoice cannot be paid for a company on a day; null where it can, or is a credit note to set off. */
export function whyNot(found: FoundPayable, companyId: number, date: string): LeftOutReason | null {
  const { iban } = found
  if (found.companyId !== companyId) return 'pay_other_company'
  if (!isApprovedInvoice(found.status)) return 'pay_not_approved'
  if (found.paymentFile !== null) return 'in_payment_run'
  if (found.totalCents === 0) return 'pay_amount_zero'
  // A credit note in another currency is set off against nothing in euros either.
  if (found.currency !== 'EUR') return 'currency'
  if (found.state === 'inactive') return 'pay_carrier_inactive'
  if (found.totalCents < 0) return null
  if (found.totalCents > MOST_CENTS) return 'pay_amount_too_big'
  if (iban === null) return 'iban_missing'
  if (found.isConfirmed === null) return 'iban_unknown'
  if (!found.isConfirmed) return 'iban_unconfirmed'
  if (!isSepaCountry(countryOf(iban), date)) return 'outside_sepa'
  if (!needsBic(countryOf(iban))) return null
  if (found.bic === null) return 'bic_needed'
  return hasFullAddress(found) ? null : 'address_needed'
}
