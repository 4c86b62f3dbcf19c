import * as api from '@waybill/contract/report/report'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { sendMarginReport } from './export-margin.ts'
import { marginReport } from './margin-report.query.ts'

export function bindReportRoutes(host: Host): void {
  bindEndpoint(host, api.getMarginReport, (ctx, { query }) => marginReport(ctx, query))
  bindEndpoint(host, api.exportMarginReport, async (ctx, { query, reply }) => {
    await sendMarginReport(ctx, query, reply)
    return {}
  })
}
