import { listAuditEntries as list } from '@waybill/contract/audit-entry'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { listAuditEntries } from './audit-entry.query.ts'

export const bindAuditEntryRoutes = (host: Host): void =>
  bindEndpoint(host, list, (ctx, { query }) => listAuditEntries(ctx, query))
