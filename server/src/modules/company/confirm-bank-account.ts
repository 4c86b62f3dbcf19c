import type { Company } from '@waybill/contract/company'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { companyService } from './company.service.ts'

/**
 * A second person vouches for a bank account of ours; confirming what is confirmed changes nothing.
 * Errors: `not_found`, `stale_version`, `second_person_needed` for who entered it.
 */
export async function confirmBankAccount(ctx: Ctx, id: number, version: number): Promise<Company> {
  const account = await ctx.db
    .selectFrom('company_bank_account')
    .select(['companyId', 'enteredById', 'confirmedById'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) throw new AppError('not_found')
  const before = await companyService.get(ctx, account.companyId)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  if (account.confirmedById !== null) return before
  const { userId } = actorOf(ctx)
  if (account.enteredById === userId) throw new AppError('second_person_needed')
  // The version guards what was looked at: an IBAN that changes meanwhile is not the one that was confirmed.
  if (!(await bumpVersion(ctx, 'company', account.companyId, version, {})))
    throw new AppError('stale_version', { current: await companyService.get(ctx, account.companyId) })
  await ctx.db
    .updateTable('company_bank_account')
    .set({ confirmedById: userId, confirmedAt: nowOf(ctx) })
    .where('id', '=', id)
    .execute()
  const after = await companyService.get(ctx, account.companyId)
  await audit(ctx, { ownerKind: 'company', ownerId: account.companyId, action: 'updated', before, after })
  return after
}
