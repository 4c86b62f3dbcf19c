import * as losses from '@waybill/contract/order/report/losses'
import * as openPods from '@waybill/contract/report/open-pods'
import * as punctuality from '@waybill/contract/report/punctuality'
import * as api from '@waybill/contract/report/report'
import * as spans from '@waybill/contract/report/spans'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { sendMarginReport } from './export-margin.ts'
import { sendOpenPodReport, sendPunctualityReport, sendSpanReport } from './export-times.ts'
import { lossReport, sendLossReport } from './losses.ts'
import { marginReport } from './margin-report.query.ts'
import { openPodReport } from './open-pods.query.ts'
import { punctualityReport } from './punctuality.query.ts'
import { spanReport } from './span-report.query.ts'

export function bindReportRoutes(host: Host): void {
  bindEndpoint(host, api.getMarginReport, (ctx, { query }) => marginReport(ctx, query))
  bindEndpoint(host, api.exportMarginReport, async (ctx, { query, reply }) => {
    await sendMarginReport(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, punctuality.getPunctualityReport, (ctx, { query }) => punctualityReport(ctx, query))
  bindEndpoint(host, punctuality.exportPunctualityReport, async (ctx, { query, reply }) => {
    await sendPunctualityReport(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, spans.getSpanReport, (ctx, { query }) => spanReport(ctx, query))
  bindEndpoint(host, spans.exportSpanReport, async (ctx, { query, reply }) => {
    await sendSpanReport(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, openPods.getOpenPodReport, (ctx, { query }) => openPodReport(ctx, query))
  bindEndpoint(host, openPods.exportOpenPodReport, async (ctx, { query, reply }) => {
    await sendOpenPodReport(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, losses.getLossReport, (ctx, { query }) => lossReport(ctx, query))
  bindEndpoint(host, losses.exportLossReport, async (ctx, { query, reply }) => {
    await sendLossReport(ctx, query, reply)
    return {}
  })
}
