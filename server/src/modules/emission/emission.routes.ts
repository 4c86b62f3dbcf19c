import * as api from '@waybill/contract/emission/emission-report'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { emissionReport } from './emission-report.query.ts'
import { sendEmissionReport } from './export-emission.ts'
import { orderEmission } from './order-emission.query.ts'

export function bindEmissionRoutes(host: Host): void {
  bindEndpoint(host, api.getOrderEmission, (ctx, { params }) => orderEmission(ctx, params.id))
  bindEndpoint(host, api.getEmissionReport, (ctx, { query }) => emissionReport(ctx, query))
  bindEndpoint(host, api.exportEmissionReport, async (ctx, { query, reply }) => {
    await sendEmissionReport(ctx, query, reply)
    return {}
  })
}
