import { visibleInvoices } from '../invoice.policy.ts'
import { AppError } from '../../../kit/context/errors.ts'
import type { Ctx } from '../../../kit/context/context.ts'
import { readEInvoice } from '../../e-invoice/index.ts'

/** What is remembered of files that were read: their bytes never change. By the store that they lie in. */
const known = new WeakMap<Ctx['ports'], Map<string, string>>()
const MOST_KNOWN = 1000

/** The currency of an electronic invoice that was read already; `unread`: it is one, and was not; null: it is none. */
const knownCurrency = (ctx: Ctx, fileKey: string | null): string | null =>
  fileKey === null ? null : (known.get(ctx.ports)?.get(fileKey) ?? 'unread')

/** What an invoice of a carrier is in: its electronic invoice says it, where there is one, else its record. */
export function currencyOf(
  ctx: Ctx,
  { eInvoiceKey, currency }: { eInvoiceKey: string | null; currency: string },
): string {
  const read = knownCurrency(ctx, eInvoiceKey)
  return currency === 'EUR' ? (read ?? currency) : currency
}

/**
 * Reads the electronic invoice of a carrier's invoice, so that its currency is known; outside of any transaction, for
 * reading takes long (decision 072). One that cannot be read at the moment stays unread.
 */
export async function readCurrency(ctx: Ctx, invoiceId: number): Promise<void> {
  const file = await ctx.db
    .selectFrom('document')
    .innerJoin('invoice', 'invoice.id', 'document.ownerId')
    .select(['document.fileKey', 'document.eInvoice'])
    .where('document.ownerKind', '=', 'invoice')
    .where('document.ownerId', '=', invoiceId)
    .where('document.documentType', '=', 'CARRIER_INVOICE')
    .where(visibleInvoices(ctx))
    .orderBy('document.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  // A plain PDF that came after it takes its place.
  if (!file?.eInvoice || file.fileKey === null || knownCurrency(ctx, file.fileKey) !== 'unread') return
  const currencies = known.get(ctx.ports) ?? new Map<string, string>()
  known.set(ctx.ports, currencies)
  try {
    const { currency } = await readEInvoice(await ctx.ports.files.read(file.fileKey))
    if (currencies.size >= MOST_KNOWN) currencies.delete(currencies.keys().next().value!)
    currencies.set(file.fileKey, currency)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
