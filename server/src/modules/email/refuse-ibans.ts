import { ibansIn } from '@waybill/contract/kit/bank/bank'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'

/**
 * Refuses words of a mail that show an IBAN in full, unless it is one of ours: who reads a mail on its way, or in
 * the wrong box, must not learn where a carrier is paid. Error: `iban_in_mail` at each place.
 */
export async function refuseIbans(ctx: Ctx, said: readonly { path: string; text: string }[]): Promise<void> {
  const found = said.flatMap(({ path, text }) => ibansIn(text).map((iban) => ({ path, iban })))
  if (found.length === 0) return
  const rows = await ctx.db
    .selectFrom('company_bank_account')
    .select('iban')
    .where(
      'iban',
      'in',
      found.map(({ iban }) => iban),
    )
    .execute()
  const ours = new Set(rows.map(({ iban }) => iban))
  const paths = new Set(found.filter(({ iban }) => !ours.has(iban)).map(({ path }) => path))
  if (paths.size > 0)
    throw new AppError('validation', { fields: [...paths].map((path) => ({ path, code: 'iban_in_mail' })) })
}
