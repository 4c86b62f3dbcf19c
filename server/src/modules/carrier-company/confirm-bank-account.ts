import type { CarrierCompany } from '@waybill/contract/carrier-company'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { carrierCompanyService } from './carrier-company.service.ts'
import { hadAHand } from './iban-authors.ts'

/**
 * A second person vouches for a carrier's bank account, so that it may enter payment files (domain, Invoices);
 * confirming what is confirmed changes nothing. Errors: `not_found`, `stale_version`, `second_person_needed` for
 * everybody who had a hand in it (decision 076).
 */
export async function confirmBankAccount(
  ctx: Ctx,
  carrierCompanyId: number,
  id: number,
  version: number,
): Promise<CarrierCompany> {
  const read = () =>
    ctx.db
      .selectFrom('carrier_bank_account')
      .select(['carrierCompanyId', 'iban', 'enteredById', 'enteredAt', 'confirmedById'])
      .where('id', '=', id)
      .where('carrierCompanyId', '=', carrierCompanyId)
      .executeTakeFirst()
  if (!(await read())) throw new AppError('not_found')
  const before = await carrierCompanyService.get(ctx, carrierCompanyId)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  const { userId } = actorOf(ctx)
  // The version guards what was looked at: an IBAN that changes meanwhile is not the one that was confirmed.
  const account = (await read())!
  if (account.confirmedById !== null) return before
  if (await hadAHand(ctx, account, userId)) throw new AppError('second_person_needed')
  if (!(await bumpVersion(ctx, 'carrier_company', carrierCompanyId, version, {})))
    throw new AppError('stale_version', { current: await carrierCompanyService.get(ctx, carrierCompanyId) })
  await ctx.db
    .updateTable('carrier_bank_account')
    .set({ confirmedById: userId, confirmedAt: nowOf(ctx) })
    .where('id', '=', id)
    .execute()
  const after = await carrierCompanyService.get(ctx, carrierCompanyId)
  await audit(ctx, { ownerKind: 'carrierCompany', ownerId: carrierCompanyId, action: 'updated', before, after })
  return after
}

/**
 * Takes the confirmation of a carrier's account back, from whatever record it is on: a payment to it came back. It can
 * be confirmed anew. Nothing happens where there is none.
 */
export async function withdrawConfirmation(ctx: Ctx, carrierCompanyId: number, iban: string): Promise<void> {
  const before = await carrierCompanyService.get(ctx, carrierCompanyId)
  if (!before.bankAccounts.some((account) => account.iban === iban && account.confirmedById !== null)) return
  await bumpVersion(ctx, 'carrier_company', carrierCompanyId, before.version, {})
  await ctx.db
    .updateTable('carrier_bank_account')
    .set({ confirmedById: null, confirmedAt: null })
    .where('carrierCompanyId', '=', carrierCompanyId)
    .where('iban', '=', iban)
    .execute()
  const after = await carrierCompanyService.get(ctx, carrierCompanyId)
  await audit(ctx, { ownerKind: 'carrierCompany', ownerId: carrierCompanyId, action: 'updated', before, after })
}
