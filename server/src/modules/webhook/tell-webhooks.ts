import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { WebhookEvent } from '@waybill/contract/webhook/webhook'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import './webhook.table.ts'

export interface Told {
  type: WebhookEvent
  /** messages about one record arrive in the order in which they were told */
  record: { kind: Tables['webhook_delivery']['recordKind']; id: number }
  data: Readonly<Record<string, unknown>>
}

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    deliver_webhooks: { webhookIds: number[] }
    wake_webhooks: { isStart?: boolean }
    sweep_webhooks: Record<string, never>
  }
}

/** Where a record is read with a key. */
export const addressOf = (ctx: Ctx, path: string): string => `${ctx.ports.publicUrl}/api/${path}`

/**
 * Writes a message for each webhook that wants to know of these events, in the caller's transaction. `facts` looks up
 * what is said of them, and is asked only where somebody listens.
 */
export async function tellWebhooks(
  ctx: Ctx,
  types: readonly WebhookEvent[],
  facts: () => Promise<readonly Told[]> | readonly Told[],
): Promise<void> {
  const listening = await ctx.db
    .selectFrom('webhook')
    .select(['id', 'events', 'state'])
    .where('state', '<>', 'deleted')
    .where(sql<boolean>`events && ${types}::text[]`)
    .orderBy('id')
    .execute()
  if (listening.length === 0) return
  const told = (await facts()).map((one) => ({ ...one, eventId: randomUUID() }))
  const now = nowOf(ctx)
  const rows = listening.flatMap(({ id, events }) =>
    told
      .filter(({ type }) => events.includes(type))
      .map(({ type, record, data, eventId }) => ({
        webhookId: id,
        eventId,
        type,
        recordKind: record.kind,
        recordId: record.id,
        occurredAt: now,
        data: JSON.stringify(data),
        state: 'waiting' as const,
        nextTryAt: now,
      })),
  )
  if (rows.length === 0) return
  await ctx.db.insertInto('webhook_delivery').values(rows).execute()
  const awake = listening.filter(({ id, state }) => state === 'active' && rows.some((row) => row.webhookId === id))
  // A key of its own for each: with one in common, who saves would wait for who saves elsewhere.
  if (awake.length > 0) await ctx.ports.jobs.enqueue(ctx, 'deliver_webhooks', { webhookIds: awake.map(({ id }) => id) })
}
