import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { findPayables, freeItems, payerOf, writeRun } from '../../../src/modules/payment-file/index.ts'
import { targetDayFrom } from '@waybill/contract/payment-file/sepa'
import { DAY, iso } from '../calendar.ts'
import type { World } from '../world.ts'

interface PaymentDay {
  day: string
  companyId: number
  debtorBankId: number
  ids: number[]
}

const MOST_IN_RUN = 15
const WEEK = 7 * DAY

/** Invoices of a status by company and day, the latest day first. */
async function daysOf({ db }: Ctx, status: 'paid' | 'approved'): Promise<PaymentDay[]> {
  const { rows } = await sql<PaymentDay>`
    select (i."statusDate" at time zone 'UTC')::date::text as day, i."companyId", min(b.id) as "debtorBankId",
        (array_agg(distinct i.id))[1:${sql.lit(MOST_IN_RUN)}] as ids
      from invoice i join company_bank_account b on b."companyId" = i."companyId"
      where i."entityType" = 'carrier' and i.status = ${status} and exists (
        select 1 from carrier_bank_account a where a."carrierCompanyId" = i."carrierCompanyId" and a.iban = i.iban
          and a."confirmedById" is not null)
      group by 1, 2 having count(distinct i.id) > 2 order by 1 desc, 2
  `.execute(db)
  return rows
}

/**
 * Three runs of the weeks before: one that the bank has paid, one of which a payment came back, one that was given up.
 * They hold invoices that the year has paid on that day, or approved.
 */
export async function seedPaymentRuns(ctx: Ctx, world: World): Promise<void> {
  const accountant = world.users.find((user) => user.job === 'accountant')!
  const manager = world.users.find((user) => user.job === 'manager')!
  const { db } = ctx
  // Without a confirmed account of ours nothing is paid.
  const enteredAt = iso(world.now - 50 * WEEK)
  await db
    .updateTable('company_bank_account')
    .set({ enteredById: accountant.id, enteredAt, confirmedById: manager.id, confirmedAt: enteredAt })
    .where('confirmedById', 'is', null)
    .execute()
  const write = async ({ day, debtorBankId, ids }: PaymentDay) => {
    const paidAt = Date.parse(`${day}T12:00:00Z`)
    const invoices = await findPayables(ctx, sql`i.id = any(${ids}::bigint[])`, ids.length)
    const { id } = await writeRun(ctx, {
      payer: await payerOf(ctx, debtorBankId),
      invoices,
      debtorBankId,
      executionDate: day,
      combine: true,
      createdAt: iso(Math.min(paidAt - 2 * DAY, world.now)),
      createdById: accountant.id,
    })
    return { id: id!, paidAt }
  }
  const confirm = (id: number, at: number) =>
    db
      .updateTable('payment_file')
      .set({ status: 'confirmed', confirmedAt: iso(at), confirmedById: manager.id, version: 2 })
      .where('id', '=', id)
      .execute()

  const [later, earlier] = (await daysOf(ctx, 'paid')).filter(
    ({ day }) => Date.parse(day) < world.now - WEEK && Date.parse(day) > world.now - 30 * WEEK,
  )
  if (earlier) {
    const { id, paidAt } = await write(earlier)
    await confirm(id, paidAt)
  }
  if (later) {
    const { id, paidAt } = await write(later)
    await confirm(id, paidAt)
    const payment = await db
      .selectFrom('payment_file_payment')
      .selectAll()
      .where('paymentFileId', '=', id)
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const returnedAt = iso(paidAt + 2 * DAY)
    await db
      .updateTable('payment_file_payment')
      .set({ returnedAt, returnedById: accountant.id, returnReason: 'AC04, Konto aufgelöst' })
      .where('id', '=', payment.id)
      .execute()
    const freed = await freeItems(ctx, { paymentId: payment.id })
    await db
      .updateTable('payment_file')
      .set({ returnedCount: 1, returnedCents: payment.amountCents, version: 3 })
      .where('id', '=', id)
      .execute()
    await db
      .updateTable('invoice')
      .set((eb) => ({ status: 'approved', statusDate: returnedAt, paidAt: null, version: eb('version', '+', 1) }))
      .where(sql<boolean>`id = any(${freed}::bigint[])`)
      .execute()
    for (const invoiceId of freed)
      world.journal.push({
        at: returnedAt,
        actorId: accountant.id,
        ownerKind: 'invoice',
        ownerId: invoiceId,
        action: 'moved',
        changes: [{ path: 'status', from: 'paid', to: 'approved' }],
        reason: 'AC04, Konto aufgelöst',
      })
    await db
      .updateTable('carrier_bank_account')
      .set({ confirmedById: null, confirmedAt: null })
      .where('carrierCompanyId', '=', payment.carrierCompanyId)
      .where('iban', '=', payment.iban)
      .execute()
  }
  const [open] = await daysOf(ctx, 'approved')
  if (open) {
    const { id } = await write({ ...open, day: targetDayFrom(iso(world.now - 3 * DAY).slice(0, 10)) })
    await db
      .updateTable('payment_file')
      .set({
        status: 'voided',
        voidedAt: iso(world.now - 2 * DAY),
        voidedById: accountant.id,
        voidReason: 'Falsches Konto ausgewählt',
        version: 2,
      })
      .where('id', '=', id)
      .execute()
    await freeItems(ctx, { paymentFileId: id })
  }
}
