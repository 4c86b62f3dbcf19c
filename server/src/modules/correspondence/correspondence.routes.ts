import { previewEmail as preview } from '@waybill/contract/email'
import { bindEndpoint, type Host } from '../../kit/routes.ts'
import { previewEmail } from './preview-email.ts'

export const bindCorrespondenceRoutes = (host: Host): void => bindEndpoint(host, preview, (ctx, { body }) => previewEmail(ctx, body))
