import { sql } from 'kysely'
import { isPaidInvoice } from '@waybill/contract/invoice/status'
import type { SetOff } from '@waybill/contract/payment-file/payment-file'
import { nowOf, type Ctx, type Reaction } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { moveInvoicesTogether } from '../invoice/index.ts'
import { findPayables, type FoundPayable } from './payable.query.ts'
import { isOfFilter } from './payment-file.policy.ts'
import { lockInvoices } from './payment-file.repository.ts'
import { shownSetOff, whyNoSetOff } from './set-off.rules.ts'

/** The invoices of a set-off, in the order in which they were named. Errors: the contract's. */
async function invoicesOf(ctx: Ctx, ids: readonly number[]): Promise<FoundPayable[]> {
  const found = new Map(
    (await findPayables(ctx, sql`i.id = any(${[...ids]}::bigint[]) and i.state = 'active'`, ids.length)).map((one) => [
      one.id,
      one,
    ]),
  )
  const first = found.get(ids[0]!)
  const fields = ids.flatMap((id, index): FieldFault[] => {
    const at = (code: FieldFault['code']): FieldFault[] => [{ path: `invoiceIds.${index}`, code }]
    const one = found.get(id)
    if (!one || !isOfFilter(ctx, one.companyId)) return at('unknown_reference')
    if (ids.indexOf(id) < index) return at('duplicate_key')
    if (one.entityType !== 'carrier') return at('invalid_value')
    const reason = whyNoSetOff(one)
    if (reason !== null) return at(reason)
    const isOfFirst = one.carrierCompanyId === first?.carrierCompanyId && one.companyId === first.companyId
    return isOfFirst ? [] : at('set_off_mixed')
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  return ids.map((id) => found.get(id)!)
}

/**
 * Sets invoices and credit notes of a carrier off against each other: all of them are paid, and no money flows. They
 * are locked first, as a run locks them, so that of two who want the same one the second gets a refusal. Errors: the
 * contract's.
 */
export async function setOffInvoices(ctx: Ctx, ids: readonly number[]): Promise<SetOff> {
  await lockInvoices(ctx, [...ids])
  const invoices = await invoicesOf(ctx, ids)
  if (invoices.reduce((sum, { totalCents }) => sum + totalCents, 0) !== 0)
    throw fieldError('invoiceIds', 'set_off_uneven')
  const { carrierCompanyId, companyId } = invoices[0]!
  const shown = shownSetOff(invoices)
  const { id: setOffId } = await ctx.db
    .insertInto('set_off')
    .values({
      companyId: companyId!,
      carrierCompanyId,
      totalCents: shown.totalCents,
      createdAt: nowOf(ctx),
      createdById: ctx.actor?.userId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('set_off_item')
    .values(invoices.map(({ id: invoiceId, totalCents: amountCents }) => ({ setOffId, invoiceId, amountCents })))
    .execute()
  await moveInvoicesTogether(ctx, [...ids], { to: 'paid', reason: null })
  for (const { id } of invoices) {
    const others = invoices.filter((one) => one.id !== id).map(({ number }) => number)
    await audit(ctx, { ownerKind: 'invoice', ownerId: id, action: 'setOff', after: {}, reason: others.join(', ') })
  }
  return shown
}

/**
 * Reaction to `invoice.moved`: an invoice that was set off and is paid no more takes the others back with it, so that
 * none of them counts against nothing.
 */
export const takeSetOffBack: Reaction<'invoice.moved'> = async (ctx, { invoiceId, from, to, reason }) => {
  if (!isPaidInvoice(from)) return
  const found = await ctx.db
    .selectFrom('set_off_item')
    .select('setOffId')
    .where('invoiceId', '=', invoiceId)
    .where('isValid', '=', true)
    .executeTakeFirst()
  if (!found) return
  await ctx.db
    .updateTable('set_off')
    .set({ takenBackAt: nowOf(ctx), takenBackById: ctx.actor?.userId ?? null })
    .where('id', '=', found.setOffId)
    .execute()
  const items = await ctx.db
    .updateTable('set_off_item')
    .set({ isValid: false })
    .where('setOffId', '=', found.setOffId)
    .returning('invoiceId')
    .execute()
  const others = items.flatMap((item) => (item.invoiceId === invoiceId ? [] : [item.invoiceId]))
  await moveInvoicesTogether(ctx, others, { to, reason })
}
