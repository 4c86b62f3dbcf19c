import { generateOrderPaper as generate } from '@waybill/contract/document'
import { previewEmail as preview } from '@waybill/contract/email'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { generateOrderPaper } from './generate-order-paper.ts'
import { previewEmail } from './preview-email.ts'

export function bindCorrespondenceRoutes(host: Host): void {
  bindEndpoint(host, preview, (ctx, { body }) => previewEmail(ctx, body))
  bindEndpoint(host, generate, (ctx, { params, version, body }) => generateOrderPaper(ctx, params.id, version!, body))
}
