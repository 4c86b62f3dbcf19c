import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_KINDS, type ChangedEvent, type EventKind } from '@waybill/contract/event'
import { mayAccess } from '@waybill/contract/permissions'
import { SESSIONS_ENDED, type Change, type Changes } from '../../kit/database/changes.ts'
import { actorOf, type Actor, type Ctx, type OwnerRule } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { Host } from '../../kit/http/routes.ts'
import { changesSince } from './told-changes.ts'

declare module '../../kit/context/context.ts' {
  interface Ports {
    changes: Changes
    /** how often a stream says that it lives and looks whether its session does, in milliseconds */
    eventBeatMs: number
  }
}

/** A browser opens one for all its tabs; more than these on one node are a mistake or an attack. */
export const MOST_STREAMS = 12
// Changes that come together leave together: one look at who may see them, one call of the list.
const GATHER_MS = 200
// Where more than so many listen, each gathers for longer, and for a time of its own: a node looks some 600 times a
// second who may see what, however many there are, and calls of people do not wait behind all the looks (decision 169).
const TOLD_AT_ONCE = 200
const MS_A_LISTENER = 2
// A reader so slow begins anew.
const MOST_UNREAD_BYTES = 64 * 1024

const MISSED = 'event: missed\ndata: {}\n\n'

const isKind = (kind: string): kind is EventKind => EVENT_KINDS.some((known) => known === kind)

async function visibleOf(ctx: Ctx, rule: OwnerRule, asked: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select asked.id from unnest(${asked}::bigint[]) as asked(id) where ${rule.visible(ctx, sql`asked.id`)}
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/**
 * Which of these changes the actor may hear of: what may be seen now by its owner's rule, and what could be seen
 * before.
 */
async function audible(ctx: Ctx, changes: readonly Change[]): Promise<ChangedEvent[]> {
  const actor = actorOf(ctx)
  const events: ChangedEvent[] = []
  for (const [kind, told] of Map.groupBy(changes, (change) => change.kind)) {
    const rule = ctx.owners[kind]
    if (!rule || !isKind(kind) || !mayAccess(rule.heardBy ?? rule.read, actor)) continue
    const here = new Set(told.flatMap(({ ids, isGone }) => (isGone ? [] : ids)))
    // For who sees all nothing need be looked up: most hear of most changes so.
    const isAll = ctx.companyFilter === null && rule.seesAll(ctx)
    const seen = isAll || here.size === 0 ? [...here] : await visibleOf(ctx, rule, [...here])
    const before = told
      .filter(({ isGone, lost }) => (isGone === true && rule.seesAll(ctx)) || lost?.includes(actor.userId))
      .flatMap(({ ids }) => ids)
    const ids = [...new Set([...seen, ...before])]
    if (ids.length > 0) events.push({ kind, ids })
  }
  return events
}

/**
 * The streams that are open on this node. Each looks the session up again before it says anything, so that nothing
 * reaches who has lost the right meanwhile.
 */
export function openStreams(host: Pick<Host, 'authenticate' | 'ports'>) {
  const open = new Map<() => void, number>()
  const gatherMs = () => GATHER_MS + 2 * Math.random() * MS_A_LISTENER * Math.max(0, open.size - TOLD_AT_ONCE)
  const countOf = (userId: number) => [...open.values()].filter((one) => one === userId).length

  return {
    /** `secondsAgo`: since when this page has heard nothing; null where that does not matter */
    async open(ctx: Ctx, secondsAgo: number | null, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { userId } = actorOf(ctx)
      // The binder has let nobody in without one.
      const token = request.headers.authorization!.slice('Bearer '.length)
      const out = new PassThrough()
      let pending: Change[] = []
      let gathering: NodeJS.Timeout | undefined
      let stop = () => undefined as void

      const end = () => {
        if (!open.delete(end)) return
        stop()
        clearInterval(beat)
        clearTimeout(gathering)
        out.end()
      }
      const write = (text: string) => {
        if (out.writableLength > MOST_UNREAD_BYTES) end()
        else if (!out.writableEnded) out.write(text)
      }
      const stillThere = async (): Promise<Actor | null> => {
        const caller = await host.authenticate(token, false)
        if (caller === null) end()
        return caller?.actor ?? null
      }
      const flush = async () => {
        gathering = undefined
        const told = pending
        pending = []
        await tell(told)
      }
      const tell = async (told: readonly Change[]) => {
        const actor = await stillThere()
        if (actor === null) return
        for (const event of await audible({ ...ctx, actor }, told))
          write(`event: changed\ndata: ${JSON.stringify(event)}\n\n`)
      }
      const tellAgain = async (seconds: number) => {
        const told = await changesSince(ctx, seconds)
        if (told === 'missed') write(MISSED)
        else if (told.length > 0) await tell(told)
      }
      // Without an answer from the database nobody knows what may be told: the browser comes back.
      const orEnd = (work: Promise<unknown>) =>
        void work.catch((error: unknown) => (ctx.log.warn({ err: error }, 'an event stream ends'), end()))
      const beat = setInterval(
        () => orEnd(stillThere().then((actor) => (actor === null ? undefined : write(': beat\n\n')))),
        host.ports.eventBeatMs,
      )

      if (countOf(userId) >= MOST_STREAMS) {
        clearInterval(beat)
        throw new AppError('rate_limited', { retryAfter: 60 })
      }
      open.set(end, userId)
      out.on('close', end)
      try {
        stop = await host.ports.changes.hear({
          changed(change) {
            if (change.kind === SESSIONS_ENDED) {
              if (change.ids.includes(userId)) orEnd(stillThere())
              return
            }
            pending.push(change)
            gathering ??= setTimeout(() => orEnd(flush()), gatherMs())
          },
          missed: () => write(MISSED),
        })
      } catch (error) {
        end()
        ctx.log.error({ err: error }, 'changes cannot be listened to')
        throw new AppError('unavailable')
      }
      // It may have been ended while it began.
      if (!open.has(end)) stop()
      out.write('event: ready\ndata: {}\n\n')
      // It hears what is new by now: nothing falls between.
      if (secondsAgo !== null) orEnd(tellAgain(secondsAgo))
      // Proxies are not to gather what is meant for now.
      void reply.header('X-Accel-Buffering', 'no').type('text/event-stream; charset=utf-8').send(out)
    },
    endAll(): void {
      for (const end of open.keys()) end()
    },
  }
}
