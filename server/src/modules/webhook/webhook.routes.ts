import * as log from '@waybill/contract/webhook/delivery'
import * as api from '@waybill/contract/webhook/webhook'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { listDeliveries } from './delivery.query.ts'
import {
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  replaceWebhook,
  resumeWebhook,
  rotateSecret,
} from './manage-webhooks.ts'
import { sendAgain, testWebhook } from './send-again.ts'
import { listWebhooks } from './webhook.query.ts'

export function bindWebhookRoutes(host: Host): void {
  bindEndpoint(host, api.listWebhooks, (ctx) => listWebhooks(ctx))
  // No answer with a secret is kept for a repeat. A second webhook of the same name is refused, and a second change of
  // the secret finds another version.
  bindEndpoint(host, api.createWebhook, (ctx, { body }) => createWebhook(ctx, body), { ownTransaction: true })
  bindEndpoint(host, api.rotateWebhookSecret, (ctx, { params, version }) => rotateSecret(ctx, params.id, version), {
    ownTransaction: true,
  })
  bindEndpoint(host, api.replaceWebhook, (ctx, { params, version, body }) =>
    replaceWebhook(ctx, params.id, version, body),
  )
  bindEndpoint(host, api.pauseWebhook, (ctx, { params, version }) => pauseWebhook(ctx, params.id, version))
  bindEndpoint(host, api.resumeWebhook, (ctx, { params, version }) => resumeWebhook(ctx, params.id, version))
  bindEndpoint(host, api.testWebhook, async (ctx, { params }) => {
    await testWebhook(ctx, params.id)
    return {}
  })
  bindEndpoint(host, api.deleteWebhook, async (ctx, { params, version }) => {
    await deleteWebhook(ctx, params.id, version)
    return {}
  })
  bindEndpoint(host, log.listWebhookDeliveries, (ctx, { query }) => listDeliveries(ctx, query))
  bindEndpoint(host, log.sendAgain, (ctx, { params, version }) => sendAgain(ctx, params.id, version))
}
