import { sql } from 'kysely'
import { DELIVERY_DAYS } from '@waybill/contract/webhook/delivery'
import { nowOf } from '../../kit/context/context.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { notHeld } from '../../kit/database/restore-hold.ts'
import { beginDelivery } from './deliver-webhooks.ts'
import './webhook.table.ts'

const DAY_MS = 86_400_000

/** Begins to send; the rows hold what is left, so that nothing is lost where this process ends meanwhile. */
export const deliverWebhooks: JobDefinition<'deliver_webhooks'> = {
  async handle(ctx, { webhookIds }) {
    for (const webhookId of webhookIds) beginDelivery(ctx, webhookId)
  },
}

/** Begins anew where messages are due and nobody sends them: their process ended, or their job was lost. */
export const wakeWebhooks: JobDefinition<'wake_webhooks'> = {
  async handle(ctx) {
    const now = nowOf(ctx)
    const { rows } = await sql<{ id: number }>`
      select w.id from webhook w where w.state = 'active' and exists (select 1 from webhook_delivery d
        where d."webhookId" = w.id and d.state = 'waiting' and d."nextTryAt" <= ${now}
          and (d."takenUntil" is null or d."takenUntil" <= ${now}) and ${notHeld('webhook_delivery', sql`d.id`)})
    `.execute(ctx.db)
    for (const { id } of rows) beginDelivery(ctx, id)
  },
  timetable: { cron: '* * * * *', data: {}, atStart: { isStart: true } },
}

/** Forgets what is older than the log goes back, and what a webhook that was paused for so long has not sent. */
export const sweepWebhooks: JobDefinition<'sweep_webhooks'> = {
  async handle(ctx) {
    const before = new Date(ctx.clock.now().getTime() - DELIVERY_DAYS * DAY_MS).toISOString()
    await ctx.db.deleteFrom('webhook_delivery').where('occurredAt', '<', before).execute()
  },
  timetable: { cron: '23 2 * * *', data: {} },
}
