import { sql } from 'kysely'
import type { z } from 'zod'
import type { getVatProposal } from '@waybill/contract/invoice/invoice'
import { VAT_NOTES } from '@waybill/contract/invoice/vat'
import type { Ctx } from '../../kit/context/context.ts'
import { checkReferences } from '../../kit/records/references.ts'
import { billingCustomer, proposalFor, sellingCompany } from './billing.query.ts'

/**
 * Which VAT an order of this department would carry for this billing customer, with stops in these countries; the
 * note in the caller's language.
 */
export async function proposeVat(
  ctx: Ctx,
  { billingCustomerId, departmentId, stopCountryId = [] }: z.output<typeof getVatProposal.query>,
): Promise<z.input<typeof getVatProposal.reply>> {
  await checkReferences(ctx, [
    { path: 'billingCustomerId', table: 'customer', id: billingCustomerId },
    { path: 'departmentId', table: 'department', id: departmentId },
    ...stopCountryId.map((id, index) => ({ path: `stopCountryId.${index}`, table: 'country' as const, id })),
  ])
  const { companyId } = await ctx.db
    .selectFrom('department')
    .select('companyId')
    .where('id', '=', departmentId)
    .executeTakeFirstOrThrow()
  const company = (await sellingCompany(ctx, companyId))!
  const customer = (await billingCustomer(ctx, billingCustomerId))!
  const { rows } =
    await sql`select 1 from country where id = any(${stopCountryId}::bigint[]) and not "isEu" limit 1`.execute(ctx.db)
  const { vatBp, category, noteKey, warning } = proposalFor(company, customer, rows.length > 0)
  return { vatBp, vatCategory: category, note: noteKey === null ? null : VAT_NOTES[noteKey][ctx.language], warning }
}
