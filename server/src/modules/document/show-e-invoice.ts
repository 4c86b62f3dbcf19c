import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { readEInvoice } from '../e-invoice/index.ts'
import { admittedDocument, keyOf } from './document.query.ts'

/**
 * What an electronic invoice among the files says, read anew from its bytes: nothing of it is kept beside them. Errors:
 * `not_found` where the file is none, those of rights, and of `readEInvoice`.
 */
export async function showEInvoice(ctx: Ctx, id: number): Promise<EInvoice> {
  const document = await admittedDocument(ctx, id, 'read')
  if (document.eInvoice === null) throw new AppError('not_found')
  return readEInvoice(await ctx.ports.files.read(keyOf(document)))
}
