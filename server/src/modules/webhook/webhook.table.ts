import type { Generated } from 'kysely'
import type { DeliveryFault, DeliveryState, WebhookDelivery } from '@waybill/contract/webhook/delivery'
import type { WebhookEvent, WebhookState } from '@waybill/contract/webhook/webhook'

declare module '../../kit/database/db.ts' {
  interface Tables {
    webhook: {
      id: Generated<number>
      version: Generated<number>
      title: string
      url: string
      events: WebhookEvent[]
      state: WebhookState | 'deleted'
      stateSince: string
      /** forgotten with the webhook */
      sealedSecret: Buffer | null
      hint: string
      /** the secret before the last change, as long as it counts */
      sealedFormer: Generated<Buffer | null>
      formerUntil: Generated<string | null>
      failingSince: Generated<string | null>
      /** messages that were given up since the last that arrived */
      givenUpInARow: Generated<number>
      createdAt: string
      createdById: number
    }
    webhook_delivery: {
      id: Generated<number>
      version: Generated<number>
      webhookId: number
      eventId: string
      type: WebhookDelivery['type']
      recordKind: WebhookDelivery['record']['kind']
      recordId: number
      occurredAt: string
      /** JSON, in the order in which it is sent */
      data: unknown
      state: DeliveryState
      tries: Generated<number>
      lastTryAt: Generated<string | null>
      status: Generated<number | null>
      fault: Generated<DeliveryFault | null>
      durationMs: Generated<number | null>
      nextTryAt: string | null
      /** who tries it has it until then */
      takenUntil: Generated<string | null>
    }
  }
}
