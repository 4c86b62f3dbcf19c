import * as api from '@waybill/contract/public/paper-page'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { askForPaper } from './ask-for-paper.ts'
import { openPaperLink } from './open-paper-link.ts'
import { paperPage } from './paper-page.query.ts'
import { receivePaper } from './receive-paper.ts'

export function bindPaperLinkRoutes(host: Host): void {
  bindEndpoint(host, api.getPaperPage, async (ctx, { params, request }) =>
    paperPage(ctx, await openPaperLink(ctx, params.token, request.ip)),
  )
  bindEndpoint(host, api.sendPaper, async (ctx, { params, request }) =>
    receivePaper(ctx, await openPaperLink(ctx, params.token, request.ip), request),
  )
  bindEndpoint(host, api.askForPaper, (ctx, { params, body }) => askForPaper(ctx, params.id, body.documentType))
}
