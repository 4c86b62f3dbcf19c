import { listAuditEntries as list } from '@waybill/contract/audit/audit-entry'
import { listLoggedEntries as log } from '@waybill/contract/audit/log'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { listAuditEntries } from './audit-entry.query.ts'
import { loggedEntries } from './logged-entries.query.ts'

export function bindAuditEntryRoutes(host: Host): void {
  bindEndpoint(host, list, (ctx, { query }) => listAuditEntries(ctx, query))
  bindEndpoint(host, log, (ctx, { query }) => loggedEntries(ctx, query))
}
