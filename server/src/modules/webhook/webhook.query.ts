import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Webhook, WebhookState } from '@waybill/contract/webhook/webhook'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import './webhook.table.ts'

async function webhooks(ctx: Ctx, id: number | null): Promise<Webhook[]> {
  const now = nowOf(ctx)
  const rows = await ctx.db
    .selectFrom('webhook')
    .select(['id', 'version', 'title', 'url', 'events', 'stateSince', 'hint', 'failingSince', 'createdAt'])
    .select((eb) => [
      eb.ref('webhook.state').$castTo<WebhookState>().as('state'),
      sql<string | null>`case when "formerUntil" > ${now} then "formerUntil" end`.as('formerUntil'),
      sql<number>`(select count(*) from webhook_delivery d
        where d."webhookId" = webhook.id and d.state = 'waiting')::int`.as('waiting'),
      sql<string | null>`(select max(d."lastTryAt") from webhook_delivery d
        where d."webhookId" = webhook.id and d.state = 'delivered')`.as('lastDeliveredAt'),
      jsonObjectFrom(
        eb
          .selectFrom('user as who')
          .select([sql.ref<number>('who.id').as('id'), 'who.fullName as title'])
          .whereRef('who.id', '=', 'webhook.createdById'),
      )
        .$notNull()
        .as('createdBy'),
    ])
    .where('state', '<>', 'deleted')
    .$if(id !== null, (query) => query.where('id', '=', id))
    .orderBy(sql`lower(title)`)
    .execute()
  return rows
}

export const listWebhooks = async (ctx: Ctx): Promise<{ items: Webhook[] }> => ({ items: await webhooks(ctx, null) })

/** Errors: `not_found`, also of one that was deleted. */
export async function readWebhook(ctx: Ctx, id: number): Promise<Webhook> {
  const [webhook] = await webhooks(ctx, id)
  if (!webhook) throw new AppError('not_found')
  return webhook
}
