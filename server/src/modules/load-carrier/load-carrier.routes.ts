import * as api from '@waybill/contract/load-carrier/account'
import * as stop from '@waybill/contract/load-carrier/stop'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { accounts } from './account.query.ts'
import { billLoadCarriers } from './bill.ts'
import { exportAccountsAs, exportMovementsAs } from './export-accounts.ts'
import { movements } from './movement.query.ts'
import { changeMovement, createMovement, removeMovement } from './movement.service.ts'
import { saveStopLoadCarriers, stopLoadCarriers } from './stop.service.ts'

/** The statement is bound by who words mails. */
export function bindLoadCarrierRoutes(host: Host): void {
  bindEndpoint(host, api.listAccounts, (ctx, { query }) => accounts(ctx, query))
  bindEndpoint(host, api.exportAccounts, async (ctx, { query, reply }) => {
    await exportAccountsAs(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, api.listMovements, (ctx, { query }) => movements(ctx, query))
  bindEndpoint(host, api.exportMovements, async (ctx, { query, reply }) => {
    await exportMovementsAs(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, api.createMovement, (ctx, { body }) => createMovement(ctx, body))
  bindEndpoint(host, api.changeMovement, (ctx, { params, version, body }) =>
    changeMovement(ctx, params.id, version, body),
  )
  bindEndpoint(host, api.removeMovement, async (ctx, { params, version }) => {
    await removeMovement(ctx, params.id, version)
    return {}
  })
  bindEndpoint(host, api.billLoadCarriers, (ctx, { body }) => billLoadCarriers(ctx, body))
  bindEndpoint(host, stop.getStopLoadCarriers, (ctx, { params }) => stopLoadCarriers(ctx, params.id, params.stopId))
  bindEndpoint(host, stop.saveStopLoadCarriers, (ctx, { params, version, body }) =>
    saveStopLoadCarriers(ctx, { orderId: params.id, stopId: params.stopId, version }, body),
  )
}
