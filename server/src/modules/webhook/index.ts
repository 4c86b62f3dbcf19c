export { createWebhook, pauseWebhook } from './manage-webhooks.ts'
export { sealContextOf } from './secret.rules.ts'
export { createWebhookLine } from './outside/webhook-line.ts'
export { tellDocument } from './told/tell-documents.ts'
export { tellInvoiceCorrected, tellInvoiceMoved, tellInvoiceSent } from './told/tell-invoices.ts'
export {
  tellOrderCreated,
  tellOrderDeleted,
  tellOrderMerged,
  tellOrderUnmerged,
  tellOrderUpdated,
  tellOrderWritten,
} from './told/tell-orders.ts'
export { deliverWebhooks, sweepWebhooks, wakeWebhooks } from './webhook.job.ts'
export { webhookOwner } from './webhook.policy.ts'
