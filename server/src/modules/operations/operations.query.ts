import { sql, type Kysely } from 'kysely'
import { MOST_FAILED_JOBS, type Held, type HeldNumber, type Operations } from '@waybill/contract/operations/overview'
import type { Ctx } from '../../kit/context/context.ts'
import { WAYBILL_VERSION } from '../../kit/context/version.ts'
import { bounded } from '../../kit/database/bounded.ts'
import type { Db, Tables } from '../../kit/database/db.ts'
import { nodesBeside } from './node.repository.ts'
import { tableFigures } from './table-figures.query.ts'

declare module '../../kit/context/context.ts' {
  interface Ports {
    /** what is known and done beside the modules (`server/src/backup`) */
    upkeep: {
      /**
       * When the last good backup was begun, and what was wrong with it; when the last one failed, if it did.
       * `isScheduled`: of those that the server makes by itself.
       */
      backups(
        db: Db,
        options: { isScheduled: boolean; now: Date },
      ): Promise<{ lastAt: Date | null; failedAt: Date | null; faultyFiles: number; areOldOnesLeft: boolean }>
      /** how many of each kind wait for a word since a restore; kinds of which none waits are left out */
      held(db: Db): Promise<Partial<Record<Held['kinds'][number]['kind'], number>>>
      /** gives the word, in the transaction that is given */
      release(db: Db, options: { isDropped: boolean }): Promise<void>
      /** the companies that send no invoice since a restore */
      numbers(db: Db, now: Date): Promise<HeldNumber[]>
      /** notes the last number that one has really used, and lets it send again; `last` is not below the known one */
      noteNumber(db: Db, word: { companyId: number; last: number }, now: Date): Promise<void>
    }
  }
}

async function heldSinceRestore(ctx: Ctx): Promise<Held | null> {
  const restored = await ctx.db.selectFrom('restore_hold').select(['backupAt', 'restoredAt']).executeTakeFirst()
  if (restored === undefined) return null
  const held = Object.entries(await ctx.ports.upkeep.held(ctx.db))
  if (held.length === 0) return null
  return { ...restored, kinds: held.map(([kind, count]) => ({ kind, count })) as Held['kinds'] }
}

export async function operations(ctx: Ctx): Promise<Operations> {
  const db = ctx.db as Kysely<Tables>
  const { jobs, node, upkeep } = ctx.ports
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  const { mails, sessions, files, databaseBytes, audit } = await tableFigures(db)
  const queue = await bounded(db, async (trx) => ({
    counts: await jobs.counts({ db: trx }),
    failed: await jobs.failed({ db: trx }, MOST_FAILED_JOBS),
  })).catch(() => null)
  const isScheduled = ctx.ports.backups !== null
  const { lastAt, failedAt, ...backup } = await upkeep.backups(db, { isScheduled, now: ctx.clock.now() })
  return {
    version: WAYBILL_VERSION,
    node: node.host,
    startedAt: new Date(ctx.clock.now().getTime() - process.uptime() * 1000).toISOString(),
    nodes: await nodesBeside(db, node),
    database: { version: rows[0]!.version, bytes: databaseBytes },
    jobs: queue?.counts?.map(({ queue: name, ...counts }) => ({ name, ...counts })) ?? null,
    failedJobs: queue?.failed ?? null,
    mails,
    sessions,
    files,
    backups: {
      isScheduled,
      lastAt: lastAt?.toISOString() ?? null,
      failedAt: failedAt?.toISOString() ?? null,
      ...backup,
    },
    audit,
    held: await heldSinceRestore(ctx),
    numbers: await upkeep.numbers(db, ctx.clock.now()),
  }
}
