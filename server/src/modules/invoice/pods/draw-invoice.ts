import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../../kit/context/context.ts'
import type { PdfError } from '../../../kit/pdf/pdf.ts'
import type { PdfData } from '../invoice-pdf.builder.ts'

/**
 * Draws an invoice with the proofs of delivery behind its pages. One that cannot be read, or be set as a picture, must
 * stop no bill: then it is drawn without them, which `hasPods` says.
 */
export async function drawInvoice(
  ctx: Ctx,
  data: PdfData,
  language: Language,
  { createdAt, facturX }: { createdAt?: Date; facturX?: Uint8Array | undefined } = {},
): Promise<{ bytes: Buffer; hasPods: boolean }> {
  const { pods = [], ...plain } = data
  const draw = (shown: PdfData, pictures: readonly Uint8Array[]) =>
    ctx.ports.invoicePdf(shown, language, createdAt, facturX, pictures)
  if (pods.length > 0) {
    try {
      const pictures = await Promise.all(pods.map(({ fileKey }) => ctx.ports.files.read(fileKey)))
      return { bytes: await draw(data, pictures), hasPods: true }
    } catch (error) {
      if ((error as PdfError).kind === 'closed') throw error
      ctx.log.warn({ err: error }, 'an invoice is drawn without its proofs of delivery')
    }
  }
  return { bytes: await draw(plain, []), hasPods: false }
}
