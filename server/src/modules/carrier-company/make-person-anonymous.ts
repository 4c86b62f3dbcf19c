import { sql } from 'kysely'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { audit } from '../../kit/records/audit.ts'
import './carrier-company.table.ts'

/** Takes from a driver or contact of a carrier what says who it is, in the caller's transaction. */
export async function makeCarrierPersonAnonymous(
  ctx: Ctx,
  table: 'driver' | 'carrier_contact',
  { id, carrierCompanyId, name }: { id: number; carrierCompanyId: number; name: string },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set "fullName" = ${name}, phone = null, email = null, "anonymousSince" = ${nowOf(ctx)}
      where id = ${id}
  `.execute(ctx.db)
  await ctx.db
    .updateTable('carrier_company')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', carrierCompanyId)
    .execute()
  await audit(ctx, {
    ownerKind: 'carrierCompany',
    ownerId: carrierCompanyId,
    action: 'madeAnonymous',
    after: { person: name },
  })
  await tell(ctx, { type: 'carrierCompany.changed', carrierCompanyId })
}
