import { sql } from 'kysely'
import type { Ctx } from '../../kit/context/context.ts'
import './email.table.ts'

/** The logo of the company that a mail names, else of its invoice or of its order's department; null: there is none. */
export async function logoOfEmail(ctx: Ctx, id: number): Promise<Buffer | null> {
  const { rows } = await sql<{ png: Buffer }>`
    select logo.png from email
      left join "order" o on email."ownerKind" = 'order' and o.id = email."ownerId"
      left join department d on d.id = o."departmentId"
      left join invoice i on email."ownerKind" = 'invoice' and i.id = email."ownerId"
      join company_logo logo on logo."companyId" = coalesce(email."companyId", i."companyId", d."companyId")
    where email.id = ${id}
  `.execute(ctx.db)
  return rows[0]?.png ?? null
}
