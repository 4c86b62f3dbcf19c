import { sql } from 'kysely'
import { inTransaction, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { WAYBILL_VERSION } from '../../kit/context/version.ts'
import { notHeld } from '../../kit/database/restore-hold.ts'
import { audit } from '../../kit/records/audit.ts'
import { isHopeless, nextTryAfter } from './delivery.rules.ts'
import type { Outcome } from './outside/post-outside.ts'
import { sealContextOf, signatureOf } from './secret.rules.ts'
import './tell-webhooks.ts'
import './webhook.table.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** it is paused, because nothing has arrived at `host` since then */
    'webhook.paused': { title: string; host: string; since: string }
  }
}

// Longer than a try can take; then somebody else may.
const TAKEN_MS = 30_000
// Of tries that are due within moments of each other one job does all.
const TOGETHER_MS = 5000

/** What the messages of every webhook say of their own form. */
const FORM = 1

interface Due {
  id: number
  webhookId: number
  eventId: string
  type: string
  occurredAt: string
  data: object
  tries: number
  url: string
  sealedSecret: Buffer
  sealedFormer: Buffer | null
}

const later = (ctx: Ctx, milliseconds: number): string =>
  new Date(ctx.clock.now().getTime() + milliseconds).toISOString()

/**
 * Takes the message whose turn it is: due, and the first about its record that has not arrived. Two nodes that look at
 * once take two, because who comes second finds it taken.
 */
async function take(ctx: Ctx, webhookId: number): Promise<Due | undefined> {
  const now = nowOf(ctx)
  const { rows } = await sql<Due>`
    update webhook_delivery d set "takenUntil" = ${later(ctx, TAKEN_MS)}
      from webhook w
      where w.id = d."webhookId" and w.state = 'active' and d.id = (
        select due.id from webhook_delivery due
          where due."webhookId" = ${webhookId} and due.state = 'waiting' and due."nextTryAt" <= ${now}
            and (due."takenUntil" is null or due."takenUntil" <= ${now})
            and ${notHeld('webhook_delivery', sql`due.id`)}
            and not exists (select 1 from webhook_delivery earlier
              where earlier."webhookId" = due."webhookId" and earlier."recordKind" = due."recordKind"
                and earlier."recordId" = due."recordId" and earlier.state = 'waiting' and earlier.id < due.id)
          order by due."nextTryAt", due.id limit 1 for update skip locked)
      returning d.id, d."webhookId", d."eventId", d.type, d."occurredAt", d.data, d.tries, w.url, w."sealedSecret",
        case when w."formerUntil" > ${now} then w."sealedFormer" end as "sealedFormer"
  `.execute(ctx.db)
  return rows[0]
}

async function post(ctx: Ctx, { webhookId, eventId, type, occurredAt, data, url, ...sealed }: Due): Promise<Outcome> {
  const secrets = [sealed.sealedSecret, sealed.sealedFormer]
    .filter((one) => one !== null)
    .map((one) => ctx.ports.vault.open(one, sealContextOf(webhookId)))
  const [current] = secrets
  if (current == null) return { status: null, fault: 'secret' }
  const body = JSON.stringify({ id: `evt_${eventId}`, type, occurredAt, version: FORM, data })
  const seconds = Math.floor(ctx.clock.now().getTime() / 1000)
  return ctx.ports.webhooks.post({
    url,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': `Waybill/${WAYBILL_VERSION}`,
      'Waybill-Signature': signatureOf(
        secrets.filter((one) => one !== null),
        seconds,
        body,
      ),
    },
    body,
  })
}

const noteArrived = (ctx: Ctx, webhookId: number): Promise<unknown> =>
  ctx.db
    .updateTable('webhook')
    .set({ failingSince: null, givenUpInARow: 0 })
    .where('id', '=', webhookId)
    .where('state', '<>', 'deleted')
    .where((eb) => eb.or([eb('failingSince', 'is not', null), eb('givenUpInARow', '>', 0)]))
    .execute()

/** Counts a try that failed, and pauses the webhook where nothing has arrived for too long. */
async function noteFailed(ctx: Ctx, webhookId: number, isGivenUp: boolean): Promise<void> {
  const now = nowOf(ctx)
  const webhook = await ctx.db
    .updateTable('webhook')
    .set((eb) => ({
      failingSince: eb.fn.coalesce('failingSince', sql<string>`${now}::timestamptz`),
      givenUpInARow: eb('givenUpInARow', '+', isGivenUp ? 1 : 0),
    }))
    .where('id', '=', webhookId)
    .where('state', '=', 'active')
    .returning(['title', 'url', 'version', 'failingSince', 'givenUpInARow'])
    .executeTakeFirst()
  if (!webhook) return
  const since = webhook.failingSince!
  if (!isHopeless({ ...webhook, failingSince: since }, ctx.clock.now())) return
  await ctx.db
    .updateTable('webhook')
    .set({ state: 'failing', stateSince: now, version: webhook.version + 1 })
    .where('id', '=', webhookId)
    .execute()
  await audit(ctx, { ownerKind: 'webhook', ownerId: webhookId, action: 'webhookFailing' })
  ctx.log.warn({ webhookId }, 'a webhook to which nothing arrives is paused')
  await tell(ctx, { type: 'webhook.paused', title: webhook.title, host: new URL(webhook.url).host, since })
}

/** Writes how a try went. What was sent again, or deleted meanwhile, is not its own any more and stays as it is. */
async function settle(ctx: Ctx, { id, webhookId, tries }: Due, { status, fault }: Outcome, durationMs: number) {
  const now = ctx.clock.now()
  const next = fault === null ? null : nextTryAfter(tries + 1, now)
  const state = fault === null ? 'delivered' : next === null ? 'givenUp' : 'waiting'
  const nextTryAt = next?.toISOString() ?? null
  const { numUpdatedRows } = await ctx.db
    .updateTable('webhook_delivery')
    .set((eb) => ({
      state,
      status,
      fault,
      durationMs,
      nextTryAt,
      tries: tries + 1,
      lastTryAt: nowOf(ctx),
      takenUntil: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  if (fault === null) await noteArrived(ctx, webhookId)
  else await noteFailed(ctx, webhookId, state === 'givenUp')
  if (next === null) return
  const startAt = new Date(Math.ceil(next.getTime() / TOGETHER_MS) * TOGETHER_MS).toISOString()
  await ctx.ports.jobs.enqueue(
    ctx,
    'deliver_webhooks',
    { webhookIds: [webhookId] },
    { startAt, key: `${webhookId} ${startAt}` },
  )
}

/** One message after the other until none is due; a connection is held for moments alone, not while one is sent. */
async function deliverDue(ctx: Ctx, webhookId: number, isOpen: () => boolean): Promise<void> {
  while (isOpen()) {
    const due = await take(ctx, webhookId)
    if (!due) return
    const began = performance.now()
    const outcome = await post(ctx, due)
    await inTransaction(ctx, (inner) => settle(inner, due, outcome, Math.round(performance.now() - began)))
  }
}

/** Sends what is due to a webhook, apart from the job that asks for it: no receiver holds up the queue. */
export function beginDelivery(ctx: Ctx, webhookId: number): void {
  ctx.ports.webhooks.begin(
    webhookId,
    (isOpen) => deliverDue(ctx, webhookId, isOpen),
    (error) => ctx.log.error({ err: error, webhookId }, 'webhook'),
  )
}
