import * as api from '@waybill/contract/credit/credit'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { creditOfDebtors, creditStanding, customerCredit } from './credit.query.ts'
import { endLift, liftLimit } from './lift-limit.ts'

export function bindCreditRoutes(host: Host): void {
  bindEndpoint(host, api.getCustomerCredit, (ctx, { params }) => customerCredit(ctx, params.id))
  bindEndpoint(host, api.listCreditOfDebtors, (ctx) => creditOfDebtors(ctx))
  bindEndpoint(host, api.getCreditStanding, (ctx, { params, query }) => creditStanding(ctx, params.id, query))
  bindEndpoint(host, api.liftCreditLimit, (ctx, { params, body }) => liftLimit(ctx, params.id, body))
  bindEndpoint(host, api.endCreditLift, (ctx, { params }) => endLift(ctx, params.id))
}
