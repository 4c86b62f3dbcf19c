import { getRetention, previewRetention, setRetention as setEndpoint } from '@waybill/contract/operations/retention'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { previewPersons } from './persons.query.ts'
import { readRetention } from './retention.query.ts'
import { setRetention } from './set-retention.ts'

export function bindRetentionRoutes(host: Host): void {
  bindEndpoint(host, getRetention, (ctx) => readRetention(ctx))
  bindEndpoint(host, setEndpoint, (ctx, { version, body }) => setRetention(ctx, version, body.periods))
  bindEndpoint(host, previewRetention, (ctx, { query }) => previewPersons(ctx, query))
}
