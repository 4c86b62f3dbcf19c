import { sql, type Insertable } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import type { Skonto } from '@waybill/contract/skonto/skonto'
import './payment.table.ts'

export interface Share {
  /** null: the customer's account */
  invoiceId: number | null
  amountCents: number
  skontoCents: number
}

type Booking = Omit<Insertable<Tables['payment']>, 'createdAt' | 'createdById'>

/** Writes a booking with its shares; those of nothing are left out. The database moves what is open by them. */
export async function insertBooking(ctx: Ctx, booking: Booking, shares: readonly Share[]): Promise<number> {
  const { id } = await ctx.db
    .insertInto('payment')
    .values({ ...booking, createdAt: nowOf(ctx), createdById: ctx.actor?.userId ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = shares
    .filter(({ amountCents, skontoCents }) => amountCents !== 0 || skontoCents !== 0)
    .map((share) => ({ ...share, paymentId: id }))
  if (rows.length > 0) await ctx.db.insertInto('payment_share').values(rows).execute()
  return id
}

export interface Owed {
  id: number
  number: string
  companyId: number
  customerId: number
  invoiceDate: string
  totalCents: number
  paidCents: number
  skontoCents: number
  correctedCents: number
  openCents: number
  skonto: Skonto
  status: string
  timeZone: string
}

/** Customers' sent invoices among these, each locked until the transaction ends, in the order of their ids. */
export async function lockOwed(ctx: Ctx, ids: readonly number[]): Promise<Owed[]> {
  await sql`select id from invoice where id = any(${ids}::bigint[]) order by id for update`.execute(ctx.db)
  const { rows } = await sql<Owed>`
    select r."invoiceId" as id, coalesce(i.number, i."innerNumber") as number, r."companyId", r."customerId",
        r."invoiceDate", r."totalCents", r."paidCents", r."skontoCents", r."correctedCents", r."openCents", r.skonto,
        i.status, c."timeZone"
      from receivable r join invoice i on i.id = r."invoiceId" join company c on c.id = r."companyId"
      where r."invoiceId" = any(${ids}::bigint[]) order by r."invoiceId"
  `.execute(ctx.db)
  return rows
}

/** What is on a customer's account, locked where there is one. */
export async function lockAccount(
  ctx: Ctx,
  { companyId, customerId }: { companyId: number; customerId: number },
): Promise<number> {
  const found = await ctx.db
    .selectFrom('customer_account')
    .select('balanceCents')
    .where('companyId', '=', companyId)
    .where('customerId', '=', customerId)
    .forUpdate()
    .executeTakeFirst()
  return found?.balanceCents ?? 0
}

/** The newest booking that pays this invoice and was not reversed, but for corrections; a write-off comes last. */
export async function newestOf(ctx: Ctx, invoiceId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select p.id from payment_share s join payment p on p.id = s."paymentId"
      where s."invoiceId" = ${invoiceId} and p."reversesId" is null and p.kind <> 'correction'
        and not exists (select 1 from payment back where back."reversesId" = p.id)
      order by p.kind = 'write_off', p.id desc limit 1
  `.execute(ctx.db)
  return rows[0]?.id ?? null
}

/** The other corrections of an invoice that have billed more, which is not paid yet; the oldest first. */
export async function openCorrectionsOf(
  ctx: Ctx,
  { originalId, exceptId }: { originalId: number; exceptId: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.id from invoice i join receivable r on r."invoiceId" = i.id
      where i."correctionOfId" = ${originalId} and i.id <> ${exceptId} and r."openCents" > 0 order by i.id
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** What the other corrections of an invoice have taken back, wherever it was set off. */
export async function takenBackOf(
  ctx: Ctx,
  { originalId, exceptId }: { originalId: number; exceptId: number },
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(-sum(i."totalCents"), 0)::bigint as cents from invoice i join payment p on p."correctionId" = i.id
      where i."correctionOfId" = ${originalId} and i.id <> ${exceptId}
  `.execute(ctx.db)
  return rows[0]!.cents
}

/** A booking and its shares. */
export async function readBooking(ctx: Ctx, id: number) {
  const payment = await ctx.db.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirst()
  const shares = await ctx.db
    .selectFrom('payment_share')
    .select(['invoiceId', 'amountCents', 'skontoCents'])
    .where('paymentId', '=', id)
    .orderBy('id')
    .execute()
  return payment && { ...payment, shares }
}
