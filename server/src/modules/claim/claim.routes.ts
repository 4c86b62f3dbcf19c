import * as api from '@waybill/contract/claim/claim'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { payClaim, waiveClaim } from './book-claim.ts'
import { claims } from './claim.query.ts'
import { reverseClaim } from './reverse-claim.ts'

export function bindClaimRoutes(host: Host): void {
  bindEndpoint(host, api.listClaims, (ctx, { query }) => claims(ctx, query))
  bindEndpoint(host, api.payClaim, (ctx, { body }) => payClaim(ctx, body))
  bindEndpoint(host, api.waiveClaim, (ctx, { body }) => waiveClaim(ctx, body))
  bindEndpoint(host, api.reverseClaim, (ctx, { params, body }) => reverseClaim(ctx, params.id, body.reason))
}
