import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, line, reference } from '../kit/fields.ts'

/** What a webhook can be told, in the order in which a person chooses among it (api, Webhooks). */
export const WEBHOOK_EVENTS = [
  'order.created',
  'order.updated',
  'order.statusChanged',
  'order.merged',
  'order.unmerged',
  'order.deleted',
  'route.assigned',
  'route.changed',
  'invoice.sent',
  'invoice.corrected',
  'invoice.approved',
  'invoice.paid',
  'invoice.unpaid',
  'invoice.canceled',
  'document.added',
  'document.accepted',
  'document.refused',
  'document.reopened',
  'document.removed',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** What a person sends to try a webhook; nobody chooses it. */
export const TEST_EVENT = 'webhook.test'

/** How many webhooks there can be: each has places of its own in what leaves at once, and these must be bounded. */
export const MOST_WEBHOOKS = 20

/** For how long, after the secret was changed, messages are signed with the former one too. */
export const FORMER_SECRET_HOURS = 24

/** How a webhook stands; `failing`: Waybill has paused it, because nothing arrived any more. */
export const WEBHOOK_STATES = ['active', 'paused', 'failing'] as const
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/** An address of another system that is told what happens. `hint` is how its secret ends. */
export const Webhook = z.object({
  id,
  version: z.number().int(),
  title: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  state: z.enum(WEBHOOK_STATES),
  /** since when it stands so */
  stateSince: z.string(),
  hint: z.string(),
  /** until when messages are signed with the former secret too; null = they are not */
  formerUntil: z.string().nullable(),
  /** since when nothing has arrived; null = the last message did, or none was sent yet */
  failingSince: z.string().nullable(),
  /** messages that have not arrived yet */
  waiting: z.number().int(),
  lastDeliveredAt: z.string().nullable(),
  createdAt: z.string(),
  createdBy: reference,
})
export type Webhook = z.output<typeof Webhook>

const administrators = { access: 'administrator', inPerson: true } as const
const byId = z.strictObject({ id: idText })
const WithSecret = Webhook.extend({ secret: z.string() })

export const listWebhooks = endpoint({
  ...administrators,
  method: 'GET',
  path: '/webhooks',
  summary: 'The webhooks, by name',
  reply: z.object({ items: z.array(Webhook) }),
})

export const WebhookWrite = z.strictObject({
  title: line(100),
  /** `https:` alone, at port 443 or from 1024 on, without a name and password */
  url: line(500),
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(WEBHOOK_EVENTS.length),
})

/**
 * `secret` is told this once, and kept sealed. Errors: fields, among them `webhook_address`, `webhook_port` and
 * `webhook_inside` for `url`, `taken` for a name that another webhook has, `too_many` for one more than there can be.
 */
export const createWebhook = endpoint({
  ...administrators,
  method: 'POST',
  path: '/webhooks',
  summary: 'Add a webhook',
  body: WebhookWrite,
  reply: WithSecret,
  status: 201,
  location: null,
})

/** Errors: those of a new one, `stale_version`. */
export const replaceWebhook = endpoint({
  ...administrators,
  method: 'PUT',
  path: '/webhooks/:id',
  summary: 'Change name, address and events of a webhook',
  params: byId,
  body: WebhookWrite,
  reply: Webhook,
  needsVersion: true,
})

/** Messages carry both signatures for 24 hours. Error: `stale_version`. */
export const rotateWebhookSecret = endpoint({
  ...administrators,
  method: 'POST',
  path: '/webhooks/:id/rotate-secret',
  summary: 'Give a webhook a new secret',
  params: byId,
  reply: WithSecret,
  needsVersion: true,
})

/** What happens meanwhile waits, for 30 days. Errors: `stale_version`, `conflict` where it is paused already. */
export const pauseWebhook = endpoint({
  ...administrators,
  method: 'POST',
  path: '/webhooks/:id/pause',
  summary: 'Pause a webhook',
  params: byId,
  reply: Webhook,
  needsVersion: true,
})

/** What has waited leaves now. Errors: `stale_version`, `conflict` where it is not paused. */
export const resumeWebhook = endpoint({
  ...administrators,
  method: 'POST',
  path: '/webhooks/:id/resume',
  summary: 'Resume a webhook that was paused, by somebody or by Waybill',
  params: byId,
  reply: Webhook,
  needsVersion: true,
})

/** Sends a message of the type `webhook.test`. Error: `conflict` while it is paused. */
export const testWebhook = endpoint({
  ...administrators,
  method: 'POST',
  path: '/webhooks/:id/test',
  summary: 'Send a message that says nothing, to try the address',
  params: byId,
})

/** What waits is not sent any more. Error: `stale_version`. */
export const deleteWebhook = endpoint({
  ...administrators,
  method: 'DELETE',
  path: '/webhooks/:id',
  summary: 'Delete a webhook',
  params: byId,
  needsVersion: true,
})
