import * as api from '@waybill/contract/operations/overview'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { decideHeld, noteNumber, removeJob, retryJob } from './act-on-operations.ts'
import { getChanges } from '@waybill/contract/operations/changes'
import { changes } from './changes.ts'
import { licences } from './licences.ts'
import { operations } from './operations.query.ts'

export function bindOperationsRoutes(host: Host): void {
  bindEndpoint(host, api.getOperations, (ctx) => operations(ctx))
  bindEndpoint(host, api.retryJob, async (ctx, { params }) => {
    await retryJob(ctx, params)
    return {}
  })
  bindEndpoint(host, api.removeJob, async (ctx, { params }) => {
    await removeJob(ctx, params)
    return {}
  })
  bindEndpoint(host, api.decideHeld, async (ctx, { body }) => {
    await decideHeld(ctx, body)
    return {}
  })
  bindEndpoint(host, api.noteNumber, async (ctx, { body }) => {
    await noteNumber(ctx, body)
    return {}
  })
  bindEndpoint(host, getChanges, () => changes())
  bindEndpoint(host, api.listLicences, async () => ({ items: await licences() }))
}
