import type { Customer } from '@waybill/contract/customer'
import { audit } from '../../kit/records/audit.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { countryCodeOf, viesNumber } from '../partner/index.ts'
import { customerService } from './customer.service.ts'

type VatAnswer = Omit<NonNullable<Customer['vatCheck']>, 'checkedAt'>

async function customerOf(ctx: Ctx, id: number, version: number): Promise<Customer> {
  const customer = await customerService.get(ctx, id)
  if (customer.version !== version) throw new AppError('stale_version', { current: customer })
  return customer
}

/** What the EU's register says of a customer's number; it may take seconds. Error: `vat_register_silent`. */
export async function askVatRegister(ctx: Ctx, id: number, version: number): Promise<VatAnswer> {
  const { vatNumber, countryId } = await customerOf(ctx, id, version)
  const number = vatNumber === null ? null : viesNumber(vatNumber, await countryCodeOf(ctx, countryId))
  if (ctx.ports.vies === null || number === null) throw new AppError('conflict')
  const answer = await ctx.ports.vies.ask(number)
  if (answer === null) throw new AppError('vat_register_silent')
  return answer
}

/** Keeps what the register said with its date (api, Resources), if the customer is still as it was asked about. */
export async function keepVatAnswer(ctx: Ctx, id: number, version: number, answer: VatAnswer): Promise<Customer> {
  const before = await customerOf(ctx, id, version)
  const vatCheck = { ...answer, checkedAt: nowOf(ctx) }
  if (!(await bumpVersion(ctx, 'customer', id, version, { vatCheck: JSON.stringify(vatCheck) })))
    throw new AppError('stale_version', { current: await customerService.get(ctx, id) })
  const after = await customerService.get(ctx, id)
  await audit(ctx, { ownerKind: 'customer', ownerId: id, action: 'updated', before, after })
  return after
}
