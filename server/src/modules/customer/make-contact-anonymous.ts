import { sql } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { audit } from '../../kit/records/audit.ts'
import './customer.table.ts'

/** Takes from a contact person of a customer what says who it is, in the caller's transaction. */
export async function makeContactAnonymous(
  ctx: Ctx,
  { id, customerId, name }: { id: number; customerId: number; name: string },
): Promise<void> {
  await sql`
    update contact_person set "fullName" = ${name}, "lastName" = null, "academicTitle" = null, "salutationId" = null,
        phone = null, mobile = null, email = null, "anonymousSince" = ${nowOf(ctx)}
      where id = ${id}
  `.execute(ctx.db)
  await ctx.db
    .updateTable('customer')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', customerId)
    .execute()
  await audit(ctx, {
    ownerKind: 'customer',
    ownerId: customerId,
    action: 'madeAnonymous',
    after: { person: name },
  })
}
