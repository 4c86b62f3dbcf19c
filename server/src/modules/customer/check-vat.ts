import type { Customer } from '@waybill/contract/customer'
import { audit } from '../../kit/records/audit.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { countryCodeOf, viesNumber } from '../partner/index.ts'
import { customerService } from './customer.service.ts'

/** Asks the EU's register for a customer's number and keeps the answer with its date (api, Resources). */
export async function checkVat(ctx: Ctx, id: number, version: number): Promise<Customer> {
  const before = await customerService.get(ctx, id)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  const number =
    before.vatNumber === null ? null : viesNumber(before.vatNumber, await countryCodeOf(ctx, before.countryId))
  if (ctx.ports.vies === null || number === null) throw new AppError('conflict')
  const answer = await ctx.ports.vies.ask(number)
  if (answer === null) throw new AppError('vat_register_silent')
  const vatCheck = { ...answer, checkedAt: nowOf(ctx) }
  if (!(await bumpVersion(ctx, 'customer', id, version, { vatCheck: JSON.stringify(vatCheck) })))
    throw new AppError('stale_version', { current: await customerService.get(ctx, id) })
  const after = await customerService.get(ctx, id)
  await audit(ctx, { ownerKind: 'customer', ownerId: id, action: 'updated', before, after })
  return after
}
