import type { CarrierCompany } from '@waybill/contract/carrier-company'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { carrierCompanyService } from './carrier-company.service.ts'

/**
 * A second person vouches for a carrier's bank account, so that it may enter payment files (domain, Invoices);
 * confirming what is confirmed changes nothing. Errors: `not_found`, `stale_version`, `second_person_needed` for who
 * entered it.
 */
export async function confirmBankAccount(
  ctx: Ctx,
  carrierCompanyId: number,
  id: number,
  version: number,
): Promise<CarrierCompany> {
  const account = await ctx.db
    .selectFrom('carrier_bank_account')
    .select(['enteredById', 'confirmedById'])
    .where('id', '=', id)
    .where('carrierCompanyId', '=', carrierCompanyId)
    .executeTakeFirst()
  if (!account) throw new AppError('not_found')
  const before = await carrierCompanyService.get(ctx, carrierCompanyId)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  if (account.confirmedById !== null) return before
  const { userId } = actorOf(ctx)
  if (account.enteredById === userId) throw new AppError('second_person_needed')
  // The version guards what was looked at: an IBAN that changes meanwhile is not the one that was confirmed.
  if (!(await bumpVersion(ctx, 'carrier_company', carrierCompanyId, version, {})))
    throw new AppError('stale_version', { current: await carrierCompanyService.get(ctx, carrierCompanyId) })
  await ctx.db.updateTable('carrier_bank_account').set({ confirmedById: userId }).where('id', '=', id).execute()
  const after = await carrierCompanyService.get(ctx, carrierCompanyId)
  await audit(ctx, { ownerKind: 'carrierCompany', ownerId: carrierCompanyId, action: 'updated', before, after })
  return after
}
