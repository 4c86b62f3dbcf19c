import * as api from '@waybill/contract/api-key/api-key'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { listKeys } from './api-key.query.ts'
import { createKey, keyRightsOf, revokeKey } from './manage-keys.ts'

export function bindApiKeyRoutes(host: Host): void {
  bindEndpoint(host, api.listApiKeys, (ctx) => listKeys(ctx))
  bindEndpoint(host, api.getKeyRights, (ctx, { params }) => keyRightsOf(ctx, params.userId))
  // No answer is kept for a repeat: it would keep the key. A second one of the same name is refused instead.
  bindEndpoint(host, api.createApiKey, (ctx, { body }) => createKey(ctx, body), { ownTransaction: true })
  bindEndpoint(host, api.revokeApiKey, (ctx, { params }) => revokeKey(ctx, params.id))
}
