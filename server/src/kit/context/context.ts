import type { Kysely, RawBuilder } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Language } from '@waybill/contract/errors'
import type { Access, Rights } from '@waybill/contract/permissions'
import type { Db, Tables } from '../database/db.ts'
import type { AppEvent, Events } from './events.ts'

/** A signed-in person, or who a key acts for; looked up anew at every request. */
export interface Actor extends Rights {
  readonly userId: number
  /** 0 where a key or a job acts: no session of a person's */
  readonly sessionId: number
  /** the key that another system calls with; left out where it is the person */
  readonly keyId?: number
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

export type Reaction<Name extends keyof Events> = (ctx: Ctx, event: { type: Name } & Events[Name]) => Promise<void>

/** Wired in one place, `app/subscriptions.ts`. */
export type Subscriptions = { [Name in keyof Events]?: Reaction<Name>[] }

/**
 * Whose rule a file, a mail or a history entry obeys: that of the record it belongs to (domain, People and rights).
 * `app/` fills one registry, so that these modules import no entity.
 */
export interface OwnerRule {
  /** the right that opens the record for reading, and the one for changing it */
  read: Access
  write: Access
  /** rows of this kind that the caller may see: a condition over an expression that yields the owner's id */
  visible(ctx: Ctx, ownerId: RawBuilder<unknown>): RawBuilder<boolean>
  /** refuses a record that is seen, but to which nothing is added any more */
  refuseClosed?(ctx: Ctx, id: number): Promise<void>
  /** true where a part that a file may belong to, given by its id, is one of the record's */
  /** an electronic invoice was added to its files: what that is in is kept with the record */
  keepCurrency?(ctx: Ctx, id: number, currency: string): Promise<void>
  hasPart?(ctx: Ctx, id: number, partId: number): Promise<boolean>
  /** who may say whether a proof of delivery counts, where these are more than may change the record */
  check?: { access: Access; visible: OwnerRule['visible'] }
  /**
   * the drop-offs that a proof of delivery proves: those given, or the usual ones; null where there are none yet.
   * `partId` is the part that the file is about. Errors at `locationIds`
   */
  proven?(
    ctx: Ctx,
    id: number,
    asked: { locationIds: readonly number[] | undefined; partId: number | null },
  ): Promise<number[] | null>
  /** what a record is called: an expression over one that yields its id, null where it is gone */
  title(ownerId: RawBuilder<unknown>): RawBuilder<string | null>
  /** true where the caller sees every row of this kind: who may hear that one is gone */
  seesAll(ctx: Ctx): boolean
  /** who hears that one has changed, where that is more than may read it; else who may read it */
  heardBy?: Access
}

export type Owners = Readonly<Record<string, OwnerRule>>

/** The actor of a call whose access rule has made sure that there is one. */
export function actorOf(ctx: Ctx): Actor {
  if (!ctx.actor) throw new Error('this needs a signed-in person')
  return ctx.actor
}

/** The moment of this call as an instant text. */
export const nowOf = (ctx: Ctx): string => ctx.clock.now().toISOString()

/**
 * Runs `work` in a transaction; inside one already, in that one. One business action is one transaction (design §9,
 * rule 3).
 */
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
