import type { DocumentType } from '@waybill/contract/document'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import type { JobDefinition } from '../../../kit/context/jobs.ts'
import { drawDocument } from '../../document/index.ts'
import { MOST_BYTES, MOST_PAGES, ordersBilledFor, podsToDraw } from './pods.query.ts'

declare module '../../../kit/context/jobs.ts' {
  interface JobData {
    draw_pods: { orderId: number }
  }
}

/**
 * Draws the pages of those proofs of delivery of these orders that are PDFs, come with invoices and were not drawn yet;
 * once, whatever comes of it. Nothing that goes wrong here stops a bill: what is not drawn goes as a file. Call it
 * outside of any transaction.
 */
export async function drawPods(ctx: Ctx, orderIds: readonly number[]): Promise<void> {
  for (const pod of await podsToDraw(ctx, orderIds))
    try {
      await drawDocument(ctx, pod, { mostPages: MOST_PAGES, mostBytes: MOST_BYTES })
    } catch (error) {
      // Too many are drawn at once: nobody waits for that, and the next invoice may show it.
      const isBusy = error instanceof AppError && error.code === 'unavailable'
      if (!isBusy) ctx.log.warn({ err: error, documentId: pod.documentId }, 'a proof of delivery could not be drawn')
    }
}

export const drawPodsJob: JobDefinition<'draw_pods'> = {
  handle: async (ctx, { orderId }) => drawPods(ctx, await ordersBilledFor(ctx, orderId)),
}

/** Reaction to `document.written`: what an invoice will show is drawn before somebody waits for it. */
export async function scheduleDrawing(
  ctx: Ctx,
  { owner, documentTypes }: { owner: { kind: string; id: number }; documentTypes: DocumentType[] },
): Promise<void> {
  if (owner.kind !== 'order' || !documentTypes.includes('PROOF_OF_DELIVERY')) return
  if ((await podsToDraw(ctx, await ordersBilledFor(ctx, owner.id))).length > 0)
    await ctx.ports.jobs.enqueue(ctx, 'draw_pods', { orderId: owner.id }, { key: `pods-${owner.id}` })
}
