import type { z } from 'zod'
import type { CarrierCompany, enterCarrierBankAccount } from '@waybill/contract/carrier-company'
import type { AccountSource } from '@waybill/contract/kit/bank/bank'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { carrierCompanyService } from './carrier-company.service.ts'
import { noteEntered, wasTyped } from './iban-authors.ts'

type Body = z.output<typeof enterCarrierBankAccount.body>

const MOST_ACCOUNTS = 20

/** How the IBAN of an invoice came. Errors at `invoiceId`: `unknown_reference`, `iban_of_invoice`. */
async function sourceOf(ctx: Ctx, carrierCompanyId: number, { iban, invoiceId }: Body): Promise<AccountSource> {
  if (invoiceId === null) return 'hand'
  const invoice = await ctx.db
    .selectFrom('invoice')
    .select(['iban', 'companyId'])
    .where('id', '=', invoiceId)
    .where('entityType', '=', 'carrier')
    .where('carrierCompanyId', '=', carrierCompanyId)
    .executeTakeFirst()
  const isSeen = invoice && (ctx.companyFilter === null || invoice.companyId === ctx.companyFilter)
  if (!isSeen) throw fieldError('invoiceId', 'unknown_reference')
  if (invoice.iban !== iban) throw fieldError('invoiceId', 'iban_of_invoice')
  // One of us may have typed over what the carrier sent, and a carrier may correct what one of us entered.
  return (await wasTyped(ctx, carrierCompanyId, iban, invoiceId)) ? 'hand' : 'upload'
}

/**
 * Takes an account onto a carrier's record, as entered by the caller and confirmed by nobody. Errors: `not_found`,
 * `stale_version`, `taken` for an IBAN that is there already, `too_many`, and those of `sourceOf`.
 */
export async function enterBankAccount(
  ctx: Ctx,
  carrierCompanyId: number,
  version: number,
  body: Body,
): Promise<CarrierCompany> {
  const before = await carrierCompanyService.get(ctx, carrierCompanyId)
  const source = await sourceOf(ctx, carrierCompanyId, body)
  if (!(await bumpVersion(ctx, 'carrier_company', carrierCompanyId, version, {})))
    throw new AppError('stale_version', { current: await carrierCompanyService.get(ctx, carrierCompanyId) })
  if (before.bankAccounts.some(({ iban }) => iban === body.iban)) throw fieldError('iban', 'taken')
  if (before.bankAccounts.length >= MOST_ACCOUNTS) throw fieldError('iban', 'too_many', { max: MOST_ACCOUNTS })
  const { invoiceId, ...account } = body
  await ctx.db
    .insertInto('carrier_bank_account')
    .values({
      ...account,
      carrierCompanyId,
      position: before.bankAccounts.length,
      enteredById: actorOf(ctx).userId,
      enteredAt: nowOf(ctx),
      confirmedById: null,
      confirmedAt: null,
      source,
      sourceInvoiceId: invoiceId,
    })
    .execute()
  await noteEntered(ctx, carrierCompanyId, [body.iban])
  const after = await carrierCompanyService.get(ctx, carrierCompanyId)
  await audit(ctx, { ownerKind: 'carrierCompany', ownerId: carrierCompanyId, action: 'updated', before, after })
  return after
}
