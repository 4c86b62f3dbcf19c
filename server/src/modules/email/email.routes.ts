import { cancelEmail as cancel, listEmails as list, resendEmail as resend } from '@waybill/contract/email'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { cancelEmail } from './cancel-email.ts'
import { listEmails } from './email.query.ts'
import { resendEmail } from './resend-email.ts'

export function bindEmailRoutes(host: Host): void {
  bindEndpoint(host, list, (ctx, { query }) => listEmails(ctx, query))
  bindEndpoint(host, cancel, (ctx, { params }) => cancelEmail(ctx, params.id))
  bindEndpoint(host, resend, (ctx, { params, body }) => resendEmail(ctx, params.id, body.to))
}
