import { sql } from 'kysely'
import type { z } from 'zod'
import {
  FORMER_SECRET_HOURS,
  MOST_WEBHOOKS,
  type Webhook,
  type WebhookState,
  type WebhookWrite,
} from '@waybill/contract/webhook/webhook'
import { actorOf, inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { newWebhookSecret, sealContextOf } from './secret.rules.ts'
import { readWebhook } from './webhook.query.ts'

type Write = z.output<typeof WebhookWrite>
type WithSecret = Webhook & { secret: string }

function checkAddress(ctx: Ctx, { url }: Write): void {
  const fault = ctx.ports.webhooks.faultOf(url)
  if (fault !== null) throw fieldError('url', fault)
}

const columnsOf = ({ title, url, events }: Write) => ({ title, url: new URL(url).href, events: [...new Set(events)] })
const shown = ({ title, url, events }: Pick<Webhook, 'title' | 'url' | 'events'>) => ({ title, url, events })

const note = (ctx: Ctx, ownerId: number, action: string, before?: object, after?: object): Promise<void> =>
  audit(ctx, { ownerKind: 'webhook', ownerId, action, before, after })

/** Errors: fields `webhook_address`, `webhook_port`, `webhook_inside`, `taken`, `too_many`. */
export function createWebhook(ctx: Ctx, body: Write): Promise<WithSecret> {
  checkAddress(ctx, body)
  return inTransaction(ctx, async (inner) => {
    // Two at once are counted one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended('webhooks', 0))`.execute(inner.db)
    const { rows } = await sql<{ count: number; id: number }>`
      select count(*)::int as count, nextval(pg_get_serial_sequence('webhook', 'id')) as id from webhook
        where state <> 'deleted'`.execute(inner.db)
    const { count, id } = rows[0]!
    if (count >= MOST_WEBHOOKS) throw fieldError('title', 'too_many', { max: MOST_WEBHOOKS })
    const secret = newWebhookSecret()
    const now = nowOf(inner)
    const columns = columnsOf(body)
    await inner.db
      .insertInto('webhook')
      .values({
        id,
        ...columns,
        state: 'active',
        stateSince: now,
        sealedSecret: inner.ports.vault.seal(secret, sealContextOf(id)),
        hint: secret.slice(-4),
        createdAt: now,
        createdById: actorOf(inner).userId,
      })
      .execute()
    await note(inner, id, 'webhookMade', undefined, columns)
    return { ...(await readWebhook(inner, id)), secret }
  })
}

/** Writes upon the version that was read. Errors: `not_found`, `stale_version`. */
async function change(
  ctx: Ctx,
  before: Webhook,
  version: number,
  values: Record<string, unknown>,
  action: string,
  pictures: readonly [before?: object, after?: object] = [],
): Promise<void> {
  if (before.version !== version || !(await bumpVersion(ctx, 'webhook', before.id, version, values)))
    throw new AppError('stale_version', { current: await readWebhook(ctx, before.id) })
  await note(ctx, before.id, action, ...pictures)
}

/** Errors: those of a new one, `not_found`, `stale_version`. */
export async function replaceWebhook(ctx: Ctx, id: number, version: number, body: Write): Promise<Webhook> {
  const before = await readWebhook(ctx, id)
  checkAddress(ctx, body)
  const columns = columnsOf(body)
  await change(ctx, before, version, columns, 'updated', [shown(before), shown(columns)])
  return readWebhook(ctx, id)
}

/** The former secret goes on counting for a day beside the new one. Errors: `not_found`, `stale_version`. */
export function rotateSecret(ctx: Ctx, id: number, version: number): Promise<WithSecret> {
  return inTransaction(ctx, async (inner) => {
    const before = await readWebhook(inner, id)
    const secret = newWebhookSecret()
    const formerUntil = new Date(inner.clock.now().getTime() + FORMER_SECRET_HOURS * 3_600_000).toISOString()
    const values = {
      sealedSecret: inner.ports.vault.seal(secret, sealContextOf(id)),
      hint: secret.slice(-4),
      sealedFormer: sql`"sealedSecret"`,
      formerUntil,
    }
    await change(inner, before, version, values, 'webhookSecretChanged')
    return { ...(await readWebhook(inner, id)), secret }
  })
}

async function turn(ctx: Ctx, id: number, version: number, to: 'active' | 'paused'): Promise<Webhook> {
  const before = await readWebhook(ctx, id)
  const isPaused = (state: WebhookState) => state !== 'active'
  if (before.version === version && isPaused(before.state) === isPaused(to)) throw new AppError('conflict')
  const fresh = to === 'active' ? { failingSince: null, givenUpInARow: 0 } : {}
  const values = { state: to, stateSince: nowOf(ctx), ...fresh }
  await change(ctx, before, version, values, to === 'active' ? 'webhookResumed' : 'webhookPaused')
  if (to === 'active') await ctx.ports.jobs.enqueue(ctx, 'deliver_webhooks', { webhookIds: [id] })
  return readWebhook(ctx, id)
}

/** Errors: `not_found`, `stale_version`, `conflict`. */
export const pauseWebhook = (ctx: Ctx, id: number, version: number): Promise<Webhook> =>
  turn(ctx, id, version, 'paused')
export const resumeWebhook = (ctx: Ctx, id: number, version: number): Promise<Webhook> =>
  turn(ctx, id, version, 'active')

/**
 * Ends a webhook for good: its secrets are forgotten, and what waits is not sent. The row stays, for what was sent and
 * the history name it. Errors: `not_found`, `stale_version`.
 */
export async function deleteWebhook(ctx: Ctx, id: number, version: number): Promise<void> {
  const before = await readWebhook(ctx, id)
  const forgotten = { sealedSecret: null, sealedFormer: null, formerUntil: null }
  const values = { state: 'deleted', stateSince: nowOf(ctx), ...forgotten }
  await change(ctx, before, version, values, 'deleted', [shown(before), {}])
  await ctx.db
    .updateTable('webhook_delivery')
    .set((eb) => ({
      state: 'givenUp',
      fault: 'deleted',
      nextTryAt: null,
      takenUntil: null,
      version: eb('version', '+', 1),
    }))
    .where('webhookId', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}
