import type { FastifyRequest } from 'fastify'
import type { DocumentType } from '@waybill/contract/document'
import type { OrderLocation } from '@waybill/contract/order/order'
import { isDropOff } from '@waybill/contract/order/schedule'
import { tellPicture as endpoint, type DriverPage, type PictureTold } from '@waybill/contract/public/driver-link'
import type { Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { parseInput } from '../../kit/http/validation.ts'
import { insertDocument, readForm, removeStray } from '../document/index.ts'
import { keepPicture } from '../upload-link/index.ts'
import { pageOf, type AnyLink } from './link-page.ts'
import { auditTold, isKnown, keepReport, taking } from './take-report.ts'

/** What a picture becomes: papers and a signature of a drop-off prove it, to be checked by a person (decision 066). */
function typeOf(kind: PictureTold, stop: OrderLocation): DocumentType {
  if (kind === 'pallets') return 'PALLET_CERTIFICATE'
  if (kind === 'damagePicture') return 'OTHER_DOCUMENTS'
  if (isDropOff(stop)) return 'PROOF_OF_DELIVERY'
  return kind === 'cmr' ? 'CMR_NOTE' : 'OTHER_DOCUMENTS'
}

/** Takes a picture of a stop as a file of the order. What is refused leaves nothing. Errors: as `tellPicture`. */
export async function takePicture(ctx: Ctx, link: AnyLink, request: FastifyRequest): Promise<DriverPage> {
  const { fields, file } = await readForm(ctx, request)
  let fileKey: string | null = null
  let isUsed = false
  let isCommitting = false
  try {
    if (!file) throw fieldError('file', 'required')
    const picture = parseInput(endpoint.body, fields)
    // The answer to the first one was lost on its way: nothing is looked through again.
    if (await isKnown(ctx, link, picture)) return await pageOf(ctx, link)
    const kept = await keepPicture(ctx, file)
    fileKey = kept.fileKey
    const page = await taking(ctx, link, picture, async (inner, taken) => {
      const { stop, transport } = taken
      const { key, kind, signedBy = null } = picture
      const documentType = typeOf(kind, stop)
      const documentId = await insertDocument(inner, {
        ...kept,
        owner: { kind: 'order', id: transport.order.id },
        documentType,
        orderCarrier: transport.route.assignment?.id ?? null,
        locationIds: documentType === 'PROOF_OF_DELIVERY' ? [stop.id] : null,
      })
      isUsed = true
      await auditTold(inner, taken, picture, signedBy)
      const at = new Date(picture.at).toISOString()
      await keepReport(inner, taken, { key, kind, at, signedBy, documentId })
      isCommitting = true
    })
    if (!isUsed) await removeStray(ctx, kept.fileKey)
    return page
  } catch (error) {
    // A commit that got no answer may have been made: then only the sweep can tell whether the file has a row.
    if (fileKey && !isCommitting) await removeStray(ctx, fileKey)
    throw error
  } finally {
    if (file) await ctx.ports.files.discard(file)
  }
}
