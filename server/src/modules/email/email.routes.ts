import {
  cancelEmail as cancel,
  listEmailRefusals as refusals,
  listEmails as list,
  resendEmail as resend,
  resendEmails as resendSeveral,
} from '@waybill/contract/email'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { cancelEmail } from './cancel-email.ts'
import { listEmails } from './email.query.ts'
import { listRefusals } from './refused-addresses.ts'
import { resendEmail, resendEmails } from './resend-email.ts'

export function bindEmailRoutes(host: Host): void {
  bindEndpoint(host, list, (ctx, { query }) => listEmails(ctx, query))
  bindEndpoint(host, resendSeveral, (ctx, { body }) => resendEmails(ctx, body.ids))
  bindEndpoint(host, refusals, (ctx, { query }) => listRefusals(ctx, query.address))
  bindEndpoint(host, cancel, (ctx, { params }) => cancelEmail(ctx, params.id))
  bindEndpoint(host, resend, (ctx, { params, body }) => resendEmail(ctx, params.id, body.to))
}
