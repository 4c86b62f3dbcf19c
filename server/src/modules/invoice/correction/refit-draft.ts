import { isDeepStrictEqual } from 'node:util'
import { isBilled, isSendable } from '@waybill/contract/invoice/status'
import { inTransaction, type Ctx } from '../../../kit/context/context.ts'
import { bumpVersion } from '../../../kit/records/table-service.ts'
import { correctionDraft } from '../correct-invoice.ts'
import type { Draft } from '../invoice.builder.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { invoiceView } from '../invoice.query.ts'
import { lockInvoice, readInvoice, saveParts } from '../invoice.repository.ts'

type Row = NonNullable<Awaited<ReturnType<typeof readInvoice>>>

const PRICED = ['quantity', 'unitPriceCents', 'netCents', 'correctsLineId'] as const

/**
 * The draft of a correction as it would be saved now, where that is not what it says: another correction of its
 * original was sent since. Null where it still fits. Errors: those of `correctionDraft`.
 */
export async function refitted(ctx: Ctx, invoice: Row): Promise<Draft | null> {
  const view = await invoiceView(ctx, visibleInvoices(ctx), invoice.id)
  const { correctionOfId, lines: stored, notes, paymentPeriodDays, state } = view
  const { servicePeriodFrom, servicePeriodTo } = view
  const written = stored.map(({ netCents: _net, ...line }) => line)
  const body = { lines: written, notes, paymentPeriodDays, state, servicePeriodFrom, servicePeriodTo }
  const draft = await correctionDraft(ctx, { id: invoice.id, correctionOfId }, body)
  const priced = (lines: readonly object[]) =>
    lines.map((line) => PRICED.map((name) => (line as Record<string, unknown>)[name] ?? null))
  const fits =
    isDeepStrictEqual(priced(draft.lines), priced(stored)) &&
    isDeepStrictEqual(JSON.parse(draft.columns.vatGroups as string), view.vatGroups)
  return fits ? null : draft
}

/**
 * Before a correction is proved: makes its draft fit what is billed by now, in a transaction of its own. Its version
 * moves with it, so that who sends it looks again. Leaves alone what cannot be sent anyway.
 */
export async function refitDraft(ctx: Ctx, id: number, version: number): Promise<void> {
  const found = await readInvoice(ctx, id)
  if (!found || found.correctionOfId === null || !isSendable(found.entityType, found.status)) return
  if (found.version !== version) return
  const original = await readInvoice(ctx, found.correctionOfId)
  if (!original || !isBilled(original.status) || (await refitted(ctx, found)) === null) return
  await inTransaction(ctx, async (inner) => {
    const row = await lockInvoice(inner, id)
    if (row?.version !== version) return
    const draft = await refitted(inner, row)
    if (draft === null) return
    await bumpVersion(inner, 'invoice', id, version, draft.columns)
    await saveParts(inner, id, draft.lines, draft.orderIds)
  })
}
