import { sql } from 'kysely'
import type { EInvoiceContent } from '@waybill/contract/invoice/e-invoice/content'
import { isXRechnung, type CustomerFormat } from '@waybill/contract/e-invoice/format'
import type { Ctx } from '../../../kit/context/context.ts'
import { ksefModeOf } from '../ksef/ksef-facts.query.ts'

type Reason = Pick<EInvoiceContent['vatGroups'][number], 'vatBp' | 'vatCategory' | 'reason'>

/** What an electronic invoice says beside what its PDF shows; fixed with the number, as the PDF's data are. */
export interface EInvoiceFacts {
  format: EInvoiceContent['format']
  buyerReference: string | null
  buyerAddress: EInvoiceContent['buyer']['electronic']
  buyerCountryCode: string
  sellerAddress: EInvoiceContent['seller']['electronic']
  sellerCountryCode: string
  taxNumber: string | null
  register: string | null
  contact: EInvoiceContent['seller']['contact']
  reasons: Reason[]
}

/** How a customer gets its invoices from one of our companies, as both say it now. */
export interface Routing
  extends Pick<
    EInvoiceFacts,
    'buyerReference' | 'buyerAddress' | 'sellerAddress' | 'taxNumber' | 'register' | 'contact'
  > {
  format: CustomerFormat
  /** bills go to another address than the main one */
  hasBillingAddress: boolean
}

interface Found extends Pick<Routing, 'format' | 'buyerReference' | 'taxNumber' | 'register' | 'hasBillingAddress'> {
  buyerScheme: string | null
  buyerValue: string | null
  sellerScheme: string | null
  sellerValue: string | null
  contact: { fullName: string | null; phone: string | null; email: string | null } | null
}

/** What customer and company say of electronic invoices now. */
export async function routingOf(
  ctx: Ctx,
  { companyId, billingCustomerId }: { companyId: number; billingCustomerId: number },
): Promise<Routing> {
  const { rows } = await sql<Found>`
    select c."eInvoiceFormat" as format, c."buyerReference", c."eInvoiceScheme" as "buyerScheme",
      c."eInvoiceAddress" as "buyerValue", jsonb_typeof(c."billingAddress") = 'object' as "hasBillingAddress",
      us."eInvoiceScheme" as "sellerScheme", us."eInvoiceAddress" as "sellerValue", us."taxNumber", us.register,
      us."eInvoiceContact" as contact
    from customer c, company us where c.id = ${billingCustomerId} and us.id = ${companyId}
  `.execute(ctx.db)
  const { buyerScheme, buyerValue, sellerScheme, sellerValue, contact, hasBillingAddress, ...found } = rows[0]!
  return {
    ...found,
    hasBillingAddress: hasBillingAddress === true,
    buyerAddress: { scheme: buyerScheme, value: buyerValue },
    sellerAddress: { scheme: sellerScheme, value: sellerValue },
    contact: { name: contact?.fullName ?? null, phone: contact?.phone ?? null, email: contact?.email ?? null },
  }
}

/** True of a draft whose customer gets an XML that its mail carries as a file of its own. */
export async function goesAsXml(
  ctx: Ctx,
  { companyId, billingCustomerId }: { companyId: number | null; billingCustomerId: number | null },
): Promise<boolean> {
  if (companyId === null || billingCustomerId === null) return false
  if ((await ksefModeOf(ctx, companyId)) !== 'off') return false
  return isXRechnung((await routingOf(ctx, { companyId, billingCustomerId })).format)
}
