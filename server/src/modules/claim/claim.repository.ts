import { sql, type Insertable } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import { isOfFilter, lockOwed, type Owed } from '../payment/index.ts'
import './claim.table.ts'

export interface LockedClaim {
  owed: Owed
  openFeeCents: number
  openInterestCents: number
}

/**
 * What is open of an invoice's claims, locked until the transaction ends: the invoice first, as payments have it, then
 * what is owed of it, as reminders have it. Null where nothing was claimed, and of another company than is looked at.
 */
export async function lockClaim(ctx: Ctx, invoiceId: number): Promise<LockedClaim | null> {
  const [owed] = await lockOwed(ctx, [invoiceId])
  if (owed === undefined || !isOfFilter(ctx, owed.companyId)) return null
  await sql`select 1 from receivable where "invoiceId" = ${invoiceId} for update`.execute(ctx.db)
  const open = await ctx.db
    .selectFrom('invoice_claim')
    .select(['openFeeCents', 'openInterestCents'])
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst()
  return open === undefined ? null : { owed, ...open }
}

type Booking = Omit<Insertable<Tables['claim_booking']>, 'createdAt' | 'createdById'>

/** Writes what came of a claim. */
export async function insertClaimBooking(ctx: Ctx, booking: Booking): Promise<void> {
  await ctx.db
    .insertInto('claim_booking')
    .values({ ...booking, createdAt: nowOf(ctx), createdById: ctx.actor?.userId ?? null })
    .execute()
}

/** One booking; null where there is none. */
export async function readClaimBooking(ctx: Ctx, id: number) {
  const found = await ctx.db.selectFrom('claim_booking').selectAll().where('id', '=', id).executeTakeFirst()
  return found ?? null
}

/** True where a booking was taken back. */
export async function isClaimReversed(ctx: Ctx, id: number): Promise<boolean> {
  const back = await ctx.db.selectFrom('claim_booking').select('id').where('reversesId', '=', id).executeTakeFirst()
  return back !== undefined
}
