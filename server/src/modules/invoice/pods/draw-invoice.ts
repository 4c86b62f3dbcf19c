import { createHash } from 'node:crypto'
import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../../kit/context/context.ts'
import type { PdfError } from '../../../kit/pdf/pdf.ts'
import type { PdfData } from '../invoice-pdf.builder.ts'

interface How {
  createdAt?: Date
  facturX?: Uint8Array | undefined
}

/** A proof's picture, as it was when the paper was fixed. Errors: those of the store, and where it is another one. */
async function picture(ctx: Ctx, { fileKey, sha256 }: NonNullable<PdfData['pods']>[number]): Promise<Buffer> {
  const bytes = await ctx.ports.files.read(fileKey)
  // Papers of before decision 096 name no hash.
  if (sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Error('the picture of a proof of delivery is not the one that was kept')
  return bytes
}

/** Draws an invoice with the proofs of delivery behind its pages. Errors: those of the renderer and of the store. */
export async function drawInvoice(
  ctx: Ctx,
  data: PdfData,
  language: Language,
  { createdAt, facturX }: How = {},
): Promise<Buffer> {
  const pictures: Buffer[] = []
  for (const pod of data.pods ?? []) pictures.push(await picture(ctx, pod))
  return ctx.ports.invoicePdf(data, language, createdAt, facturX, pictures)
}

/**
 * The same before a number is given. A proof that cannot be read, or be set as a picture, must stop no bill: then it is
 * drawn without them, which `hasPods` says.
 */
export async function tryInvoice(
  ctx: Ctx,
  data: PdfData,
  language: Language,
  how: How = {},
): Promise<{ bytes: Buffer; hasPods: boolean }> {
  const { pods = [], ...plain } = data
  if (pods.length > 0) {
    try {
      return { bytes: await drawInvoice(ctx, data, language, how), hasPods: true }
    } catch (error) {
      if ((error as PdfError).kind === 'closed') throw error
      ctx.log.warn({ err: error }, 'an invoice is drawn without its proofs of delivery')
    }
  }
  return { bytes: await drawInvoice(ctx, plain, language, how), hasPods: false }
}
