import type { Kysely } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Language } from '@waybill/contract/errors'
import type { Rights } from '@waybill/contract/permissions'
import type { Db, Tables } from '../database/db.ts'
import type { AppEvent, Subscriptions } from './events.ts'
import type { Owners } from '../records/owners.ts'

/** A signed-in person, looked up anew at every request. */
export interface Actor extends Rights {
  readonly userId: number
  readonly sessionId: number
  readonly fullName: string
}

/** What leaves the process is a port; each kit or module adds its own by declaration merging. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- empty until a module declares its own
export interface Ports {}

export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** The first argument of everything that works for somebody. `actor` is null for jobs and public calls. */
export interface Ctx {
  readonly db: Db
  readonly actor: Actor | null
  readonly clock: Clock
  readonly language: Language
  readonly requestId: string
  /** the global admin filter (domain, People and rights): a company's id, administrators only */
  readonly companyFilter: number | null
  readonly ports: Ports
  readonly subscriptions: Subscriptions
  readonly owners: Owners
  readonly log: FastifyBaseLogger
}

/** The actor of a call whose access rule has made sure that there is one. */
export function actorOf(ctx: Ctx): Actor {
  if (!ctx.actor) throw new Error('this needs a signed-in person')
  return ctx.actor
}

/** The moment of this call as an instant text. */
export const nowOf = (ctx: Ctx): string => ctx.clock.now().toISOString()

/** Runs `work` in a transaction; inside one already, in that one. One business action is one transaction (design §9, rule 3). */
export async function inTransaction<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return (ctx.db as Kysely<Tables>).transaction().execute((db) => work({ ...ctx, db }))
}

/** Tells the subscribers, inside the causing transaction: they only write rows (design §2). */
export async function tell(ctx: Ctx, event: AppEvent): Promise<void> {
  const reactions =
    (ctx.subscriptions as Record<string, ((ctx: Ctx, event: AppEvent) => Promise<void>)[] | undefined>)[
      (event as { type: string }).type
    ] ?? []
  for (const react of reactions) await react(ctx, event)
}
