import { randomUUID } from 'node:crypto'
import { TEST_EVENT } from '@waybill/contract/webhook/webhook'
import type { WebhookDelivery } from '@waybill/contract/webhook/delivery'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { readDelivery } from './delivery.query.ts'
import { readWebhook } from './webhook.query.ts'
import './tell-webhooks.ts'

async function refuseUnlessActive(ctx: Ctx, webhookId: number): Promise<void> {
  const webhook = await ctx.db
    .selectFrom('webhook')
    .select('state')
    .where('id', '=', webhookId)
    .forKeyShare()
    .executeTakeFirstOrThrow()
  if (webhook.state !== 'active') throw new AppError('conflict')
}

/**
 * The same message once more, under the same id. One that waits is tried at once; what stands before it still goes
 * first. Errors: `not_found`, `stale_version`, `conflict`.
 */
export async function sendAgain(ctx: Ctx, id: number, version: number): Promise<WebhookDelivery> {
  const delivery = await readDelivery(ctx, id)
  await refuseUnlessActive(ctx, delivery.webhook.id)
  const { numUpdatedRows } = await ctx.db
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', tries: 0, nextTryAt: nowOf(ctx), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('stale_version', { current: await readDelivery(ctx, id) })
  await ctx.ports.jobs.enqueue(ctx, 'deliver_webhooks', { webhookIds: [delivery.webhook.id] })
  return readDelivery(ctx, id)
}

/** Errors: `not_found`, `conflict`. */
export async function testWebhook(ctx: Ctx, id: number): Promise<void> {
  const { title } = await readWebhook(ctx, id)
  await refuseUnlessActive(ctx, id)
  const now = nowOf(ctx)
  await ctx.db
    .insertInto('webhook_delivery')
    .values({
      webhookId: id,
      eventId: randomUUID(),
      type: TEST_EVENT,
      recordKind: 'webhook',
      recordId: id,
      occurredAt: now,
      data: JSON.stringify({ id, title }),
      state: 'waiting',
      nextTryAt: now,
    })
    .execute()
  await ctx.ports.jobs.enqueue(ctx, 'deliver_webhooks', { webhookIds: [id] })
}
