import { sql } from 'kysely'
import { UNSENT_INVOICE } from '@waybill/contract/invoice/status'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Ctx } from '../../../kit/context/context.ts'

/** An invoice as far as it decides what it waits for. */
export interface Correction {
  id: number
  correctionOfId: number | null
}

/**
 * What KSeF has to decide before a correction can be sent: its original, which has no number there yet, else another
 * correction of it that is on its way. Null where nothing hinders it.
 */
export async function waitsFor(ctx: Ctx, { id, correctionOfId }: Correction): Promise<Reference | null> {
  if (correctionOfId === null) return null
  const { rows } = await sql<Reference>`
    select i.id, coalesce(i.number, i."innerNumber") as title from invoice i
    where (i.id = ${correctionOfId} and (
        select s.state in ('awaited', 'queued', 'submitted') or (s.state = 'rejected' and s."offlineAt" is not null)
        from ksef_submission s where s."invoiceId" = i.id order by s.id desc limit 1))
      or (i."correctionOfId" = ${correctionOfId} and i.id <> ${id} and i.status = ${UNSENT_INVOICE}
        and i."frozenAt" is not null)
    order by i.id = ${correctionOfId} desc, i.id limit 1
  `.execute(ctx.db)
  return rows[0] ?? null
}
