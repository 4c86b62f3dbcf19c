import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference } from '../kit/fields.ts'
import { TEST_EVENT, WEBHOOK_EVENTS } from './webhook.ts'

/** How a message stands. `givenUp`: a day of tries has passed, or nobody wants it any more. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'givenUp'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/**
 * Why a message did not arrive. `status`: the receiver answered with another status than 2xx, `redirect`: with one that
 * leads elsewhere, `name`: nothing is known of the host, `inside`: it lies inside a network, `secret`: it cannot be
 * opened with this SECRET_KEY, `deleted`: the webhook was deleted, `dropped`: after a restore somebody said so.
 */
export const DELIVERY_FAULTS = [
  'status',
  'redirect',
  'timeout',
  'name',
  'inside',
  'certificate',
  'connection',
  'secret',
  'deleted',
  'dropped',
] as const
export type DeliveryFault = (typeof DELIVERY_FAULTS)[number]

/** One message to one webhook, with how the last try went. */
export const WebhookDelivery = z.object({
  id,
  version: z.number().int(),
  webhook: reference,
  /** as the message says it; the same where it is sent again */
  eventId: z.string(),
  type: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
  occurredAt: z.string(),
  /** what it is about; of a test the webhook itself */
  record: z.object({
    kind: z.enum(['order', 'invoice', 'customer', 'carrierCompany', 'webhook']),
    id,
    /** as it is called now; null where it is gone */
    title: z.string().nullable(),
  }),
  state: z.enum(DELIVERY_STATES),
  /** true while an earlier message about the same record has not arrived */
  isBehind: z.boolean(),
  tries: z.number().int(),
  lastTryAt: z.string().nullable(),
  /** what the receiver answered the last time; null = nothing */
  status: z.number().int().nullable(),
  /** why the last try failed; null = it did not */
  fault: z.enum(DELIVERY_FAULTS).nullable(),
  durationMs: z.number().int().nullable(),
  /** when it is tried next; null = never */
  nextTryAt: z.string().nullable(),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

/** How many entries of the log come at once, and for how many days they are kept. */
export const DELIVERIES_AT_A_TIME = 50
export const DELIVERY_DAYS = 30

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/webhook-deliveries',
  access: 'administrator',
  inPerson: true,
  summary: 'What was sent to webhooks in 30 days, and what waits; the newest first',
  query: z.strictObject({
    webhookId: idText.optional(),
    state: z.enum(DELIVERY_STATES).optional(),
    /** the last entry that is known: what is older follows */
    after: idText.optional(),
  }),
  reply: z.object({
    items: z.array(WebhookDelivery),
    /** `after` for what is older; null where that is all */
    next: z.number().int().nullable(),
  }),
})

/**
 * Sends one message again, or one that waits at once: the same words under the same id. Errors: `stale_version`,
 * `conflict` while the webhook is paused, or was deleted.
 */
export const sendAgain = endpoint({
  method: 'POST',
  path: '/webhook-deliveries/:id/send-again',
  access: 'administrator',
  inPerson: true,
  summary: 'Send one message again',
  params: z.strictObject({ id: idText }),
  reply: WebhookDelivery,
  needsVersion: true,
})
