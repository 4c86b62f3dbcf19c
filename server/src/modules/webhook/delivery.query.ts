import { sql } from 'kysely'
import type { z } from 'zod'
import {
  DELIVERIES_AT_A_TIME,
  type listWebhookDeliveries as endpoint,
  type WebhookDelivery,
} from '@waybill/contract/webhook/delivery'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Ctx } from '../../kit/context/context.ts'
import { noFilterLeft } from '../../kit/records/filters.ts'
import { AppError } from '../../kit/context/errors.ts'
import './webhook.table.ts'

interface Row extends Omit<WebhookDelivery, 'webhook' | 'record'> {
  webhook: Reference
  recordKind: WebhookDelivery['record']['kind']
  recordId: number
  title: string | null
}

/** True while an earlier message about the same record waits, of the row that is called `page`. */
const isBehind = sql<boolean>`(page.state = 'waiting' and exists (select 1 from webhook_delivery earlier
  where earlier."webhookId" = page."webhookId" and earlier."recordKind" = page."recordKind"
    and earlier."recordId" = page."recordId" and earlier.state = 'waiting' and earlier.id < page.id))`

async function deliveries(
  ctx: Ctx,
  { id, webhookId, state, after, ...left }: z.output<(typeof endpoint)['query']> & { id?: number },
): Promise<WebhookDelivery[]> {
  noFilterLeft(left)
  const conditions = [
    ...(id === undefined ? [] : [sql`d.id = ${id}`]),
    ...(webhookId === undefined ? [] : [sql`d."webhookId" = ${webhookId}`]),
    ...(state === undefined ? [] : [sql`d.state = ${state}`]),
    ...(after === undefined ? [] : [sql`d.id < ${after}`]),
  ]
  const titles = Object.entries(ctx.owners).map(
    ([owner, { title }]) => sql`when ${sql.lit(owner)} then ${title(sql`page."recordId"`)}`,
  )
  const { rows } = await sql<Row>`
    select page.id, page.version, 'evt_' || page."eventId" as "eventId", page.type, page."occurredAt", page.state,
        page.tries, page."lastTryAt", page.status, page.fault, page."durationMs", page."nextTryAt",
        page."recordKind", page."recordId", ${isBehind} as "isBehind",
        json_build_object('id', w.id, 'title', w.title) as webhook,
        case page."recordKind" ${sql.join(titles, sql` `)} end as title
      from (select * from webhook_delivery d where ${sql.join([sql`true`, ...conditions], sql` and `)}
        order by d.id desc limit ${sql.lit(DELIVERIES_AT_A_TIME + 1)}) page
        join webhook w on w.id = page."webhookId"
      order by page.id desc
  `.execute(ctx.db)
  return rows.map(({ recordKind: kind, recordId, title, ...delivery }) => ({
    ...delivery,
    record: { kind, id: recordId, title },
  }))
}

/** What was sent and what waits, the newest first. */
export async function listDeliveries(
  ctx: Ctx,
  query: z.output<(typeof endpoint)['query']>,
): Promise<z.input<(typeof endpoint)['reply']>> {
  const found = await deliveries(ctx, query)
  const items = found.slice(0, DELIVERIES_AT_A_TIME)
  return { items, next: found.length > DELIVERIES_AT_A_TIME ? items.at(-1)!.id : null }
}

/** Errors: `not_found`. */
export async function readDelivery(ctx: Ctx, id: number): Promise<WebhookDelivery> {
  const [delivery] = await deliveries(ctx, { id })
  if (!delivery) throw new AppError('not_found')
  return delivery
}
