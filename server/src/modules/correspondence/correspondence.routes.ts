import { generateOrderPaper } from '@waybill/contract/document'
import { previewEmail as preview } from '@waybill/contract/email'
import { bindEndpoint, bindPrepared, type Host } from '../../kit/http/routes.ts'
import { drawOrderPapers, keepOrderPapers } from './generate-order-paper.ts'
import { previewEmail } from './preview-email.ts'

export function bindCorrespondenceRoutes(host: Host): void {
  bindEndpoint(host, preview, (ctx, { body }) => previewEmail(ctx, body))
  bindPrepared(
    host,
    generateOrderPaper,
    (ctx, { params, version, body }) => drawOrderPapers(ctx, params.id, version!, body),
    (ctx, { params, version, body }, drawn) => keepOrderPapers(ctx, params.id, version!, body, drawn),
  )
}
