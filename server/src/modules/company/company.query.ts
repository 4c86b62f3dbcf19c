import { sql } from 'kysely'
import { localOf } from '@waybill/contract/kit/local-time'
import type { OurOffice } from '@waybill/contract/public/our-office'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import './company.table.ts'

/**
 * Year and counter of the next invoice, were it sent now; the year is that of the company's time zone (domain,
 * Invoices).
 */
export async function invoiceCounter(ctx: Ctx, companyId: number): Promise<{ year: number; next: number }> {
  const company = await ctx.db.selectFrom('company').select('timeZone').where('id', '=', companyId).executeTakeFirst()
  if (!company) throw new AppError('not_found')
  const year = Number(localOf(nowOf(ctx), company.timeZone).date.slice(0, 4))
  const { rows } = await sql<{
    last: number
  }>`select last from invoice_counter where "companyId" = ${companyId} and year = ${year}`.execute(ctx.db)
  return { year, next: (rows[0]?.last ?? 0) + 1 }
}

/** Our main company: the oldest in use, or the oldest of all where none is. */
export async function ourOffice(ctx: Ctx): Promise<OurOffice> {
  const { rows } = await sql<OurOffice>`
    select co.title, co.address, co.postal, co.city, k.code as "countryCode", co.phone, co.email
    from company co join country k on k.id = co."countryId"
    order by co.state <> 'active', co.id limit 1
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}
