import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { createKey } from '../../../src/modules/api-key/index.ts'
import { createWebhook, pauseWebhook } from '../../../src/modules/webhook/index.ts'
import { DAY } from '../calendar.ts'

const TOLD = 30
/** Happened after the webhook was paused. */
const WAITING = 3
const MINUTE = 60_000
/** How long the receiver took, one after the other. */
const MILLISECONDS = [84, 131, 77, 212, 96, 158, 104]

interface Happened {
  orderId: number
  number: string
  version: number
  at: string
  from: string | null
  to: string
}

/**
 * A warehouse that is told of orders: a webhook with a log, and the key with which it reads them. It is paused, and its
 * host is one that nobody can have (RFC 2606), so that the demo calls nobody.
 */
export async function seedWebhook(given: Ctx, now: number): Promise<void> {
  const { rows: people } = await sql<{ id: number; fullName: string }>`
    select id, "fullName" from "user" where "isAdmin" order by id limit 1`.execute(given.db)
  const { id: userId, fullName } = people[0]!
  const { rows: happened } = await sql<Happened>`
    select * from (select o.id as "orderId", o.number, o.version, e.at,
        change ->> 'from' as "from", coalesce(change ->> 'to', 'new') as "to"
      from audit_entry e join "order" o on o.id = e."ownerId"
        left join lateral (select one as change from jsonb_array_elements(e.changes::jsonb) one
          where one ->> 'path' = 'status' limit 1) moved on true
      where e."ownerKind" = 'order' and (e.action = 'created' or (e.action = 'moved' and change is not null))
        and e.at > ${new Date(now - 25 * DAY).toISOString()} and e.at <= ${new Date(now).toISOString()}
      order by e.at desc, e.id desc limit ${sql.lit(TOLD)}) newest order by at
  `.execute(given.db)
  const pausedAt = Date.parse(happened.at(-WAITING)?.at ?? given.clock.now().toISOString()) - MINUTE
  const at = (time: number): Ctx => ({
    ...given,
    clock: { now: () => new Date(time) },
    actor: { userId, sessionId: 0, fullName, isAdmin: true, permissions: [] },
  })
  const title = 'Lager Bremen'
  const days = 365
  await createKey(at(now - 40 * DAY), { title, ownerId: userId, permissions: ['ORDERS_MANAGEMENT'], days })
  const made = await createWebhook(at(now - 40 * DAY), {
    title,
    url: 'https://wms.lagerhaus-bremen.example/waybill',
    events: ['order.created', 'order.statusChanged'],
  })
  await pauseWebhook(at(pausedAt), made.id, made.version)
  for (const [index, event] of happened.entries()) {
    const { orderId, number, version, from, to } = event
    const occurred = Date.parse(event.at)
    const isWaiting = occurred > pausedAt
    // The first went to a machine that was away for a day; one of the others arrived at the third try.
    const isGivenUp = index === 0 && occurred < pausedAt - DAY
    const tries = isGivenUp ? 17 : isWaiting ? 0 : index === 9 ? 3 : 1
    const pause = isGivenUp ? DAY : tries === 3 ? 70_000 : 0
    await given.db
      .insertInto('webhook_delivery')
      .values({
        webhookId: made.id,
        eventId: randomUUID(),
        type: from === null ? 'order.created' : 'order.statusChanged',
        recordKind: 'order',
        recordId: orderId,
        occurredAt: event.at,
        data: JSON.stringify({
          id: orderId,
          number,
          version,
          status: to,
          ...(from !== null && { from }),
          url: `${given.ports.publicUrl}/api/orders/${orderId}`,
        }),
        ...(isWaiting
          ? { state: 'waiting', nextTryAt: event.at }
          : {
              state: isGivenUp ? 'givenUp' : 'delivered',
              tries,
              nextTryAt: null,
              lastTryAt: new Date(occurred + pause + 900).toISOString(),
              status: isGivenUp ? null : 204,
              fault: isGivenUp ? 'timeout' : null,
              durationMs: isGivenUp ? 5001 : MILLISECONDS[index % MILLISECONDS.length]!,
            }),
      })
      .execute()
  }
}
