import { isDeepStrictEqual } from 'node:util'
import { CompiledQuery } from 'kysely'
import { PgBoss, type Db as BossDb, type JobResult } from 'pg-boss'
import type { Ctx } from './context.ts'
import type { Db } from '../database/db.ts'

/**
 * What a job is told, by the job's name; each module adds its own by declaration merging. Payloads are ids: handlers
 * look up the rest.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- empty until a module declares its own
export interface JobData {}

export type JobName = keyof JobData & string

export interface JobDefinition<Name extends JobName> {
  /**
   * May run twice for one job, and after the state has moved on: it looks at the state again. What it throws is tried
   * again, with growing pauses.
   */
  handle(ctx: Ctx, data: JobData[Name]): Promise<void>
  /**
   * runs by itself at these times (five fields, UTC) with the payload `data`, and, where there is `atStart`, with that
   * payload once when the server starts
   */
  timetable?: { cron: string; data: JobData[Name]; atStart?: JobData[Name] }
  /** how many of these may run at once in this process */
  concurrency?: number
  /** what is not done by then is taken for lost and begun again; left out, five minutes */
  longestSeconds?: number
}

/** Every job of the application, by name; put together in `app/jobs.ts`. */
export type JobDefinitions = { readonly [Name in JobName]: JobDefinition<Name> }

export interface JobQueue {
  /**
   * Writes a job in the transaction of `ctx`: it exists if that commits. `startAt` holds it back; of jobs with the
   * same `key` only one waits.
   */
  enqueue<Name extends JobName>(
    ctx: Pick<Ctx, 'db'>,
    name: Name,
    data: JobData[Name],
    options?: { startAt?: string; key?: string },
  ): Promise<void>
  /** How many jobs there are of each name, of all nodes; null where they are too many to be counted. */
  counts(ctx: Pick<Ctx, 'db'>): Promise<JobCount[] | null>
  /** Those that are tried no more, the newest first. */
  failed(ctx: Pick<Ctx, 'db'>, most: number): Promise<FailedJob[]>
  /** Lets a failed job be tried once more, now; false where it is none any more. */
  retry(ctx: Pick<Ctx, 'db'>, name: string, id: string): Promise<boolean>
  /** Forgets a failed job; false where it is none any more. */
  remove(ctx: Pick<Ctx, 'db'>, name: string, id: string): Promise<boolean>
}

declare module './context.ts' {
  interface Ports {
    jobs: JobQueue
  }
}

export interface Jobs extends JobQueue {
  /** Makes the tables and queues ready; `enqueue` waits for it. Several nodes may start at once. */
  start(): Promise<void>
  /** Begins to work; every handler gets a context of its own without an actor. */
  work(base: JobContext): Promise<void>
  /** Stops taking jobs, waits for those in hand up to `graceMs`, hands the rest back to be run again. */
  stop(options?: { graceMs?: number }): Promise<void>
  /** True where the queue can be read. */
  answers(): Promise<boolean>
}

export interface JobCount {
  queue: string
  /** could be done now */
  waiting: number
  active: number
  /** for good, as long as they are kept: a day */
  failed: number
  /** how long the oldest of those that wait could have been done, in seconds; 0 where none waits */
  oldestSeconds: number
}

export interface FailedJob {
  id: string
  name: string
  failedAt: string
  tries: number
}

export type JobContext = Omit<Ctx, 'actor' | 'language' | 'requestId' | 'companyFilter'>

// A job whose server or database died stays in hand in the table: without a sign of life it is begun again within a
// minute and a half, not after its whole time. Each server gives the sign twice as often.
const SILENT_SECONDS = 30
const RETRY = {
  retryLimit: 8,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 900,
  expireInSeconds: 300,
  heartbeatSeconds: SILENT_SECONDS,
}
const LOOK_EVERY_SECONDS = 60
const KEEP_DONE_SECONDS = 86_400
// Those that are done stay for a day; a table of more rows than these is not read through only to count.
const MOST_COUNTED = 1_000_000
// Few enough that a batch ends well before its jobs expire.
const BATCH = 5

const over = (db: Db): BossDb => ({
  async executeSql(text, values = []) {
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
    return { rows }
  },
})

/**
 * The job queue in the same database, in a schema of its own (design §5). `lookEverySeconds`: how often those are
 * looked for whose worker fell silent.
 */
export function createJobs({
  url,
  definitions,
  onError,
  lookEverySeconds = LOOK_EVERY_SECONDS,
}: {
  url: string
  definitions: JobDefinitions
  onError(error: unknown): void
  lookEverySeconds?: number
}): Jobs {
  const boss = new PgBoss({
    connectionString: url,
    // Made when the database is prepared, because the role that serves may make none.
    schema: 'job',
    createSchema: false,
    application_name: 'waybill jobs',
    max: 3,
    useListenNotify: true,
    clockMonitorIntervalSeconds: 600,
    superviseIntervalSeconds: lookEverySeconds,
    monitorIntervalSeconds: lookEverySeconds,
  })
  // Without a listener an error of the connection would end the process.
  boss.on('error', onError)
  const entries = Object.entries(definitions) as [JobName, JobDefinition<JobName>][]
  let starting: Promise<void> | undefined

  async function install(): Promise<void> {
    await boss.start()
    // What there is already is read at once: a start asks twice, not three times for each queue.
    const queues = new Map((await boss.getQueues(entries.map(([name]) => name))).map((one) => [one.name, one]))
    const plans = new Map((await boss.getSchedules()).map((one) => [one.name, one]))
    for (const [name, { timetable, longestSeconds }] of entries) {
      const options = {
        ...RETRY,
        ...(longestSeconds && { expireInSeconds: longestSeconds }),
        notify: true,
        deleteAfterSeconds: KEEP_DONE_SECONDS,
      }
      const known = queues.get(name)
      // `short`: of jobs with one key only one waits, while another may be running.
      if (!known) await boss.createQueue(name, { ...options, policy: 'short' })
      // Made by an earlier version.
      else if (Object.entries(options).some(([key, value]) => known[key as keyof typeof options] !== value))
        await boss.updateQueue(name, options)
      const planned = plans.get(name)
      if (!timetable) {
        if (planned) await boss.unschedule(name)
      } else if (planned?.cron !== timetable.cron || !isDeepStrictEqual(planned.data, timetable.data))
        await boss.schedule(name, timetable.cron, timetable.data as object, { tz: 'UTC' })
    }
  }
  const start = () => (starting ??= install())

  return {
    start,
    async enqueue(ctx, name, data, { startAt, key } = {}) {
      await start()
      await boss.send(name, data as object, {
        db: over(ctx.db),
        ...(startAt && { startAfter: new Date(startAt) }),
        singletonKey: key ?? crypto.randomUUID(),
      })
    },
    async work(base) {
      await start()
      for (const [name, { handle, timetable, concurrency = 1 }] of entries) {
        if (timetable?.atStart) await boss.send(name, timetable.atStart as object, { singletonKey: 'start' })
        const run = async (job: { id: string; data: object }): Promise<JobResult> => {
          const ctx: Ctx = {
            ...base,
            actor: null,
            language: 'en',
            requestId: `job-${job.id}`,
            companyFilter: null,
            log: base.log.child({ job: name, jobId: job.id }),
          }
          try {
            await handle(ctx, job.data as never)
            return { id: job.id, status: 'completed' }
          } catch (error) {
            ctx.log.error({ err: error }, 'job failed')
            return { id: job.id, status: 'failed' }
          }
        }
        // A new job wakes its worker at once, and full hands are followed by the next without a pause; the poll is
        // for those that were held back.
        const pace = {
          pollingIntervalSeconds: 2,
          notifyPollingIntervalSeconds: 2,
          batchSize: BATCH,
          burstWhenBatchFull: true,
          localConcurrency: concurrency,
        }
        await boss.work(name, { ...pace, perJobResults: true }, async (batch: { id: string; data: object }[]) => {
          const results: JobResult[] = []
          for (const job of batch) results.push(await run(job))
          return results
        })
      }
    },
    async stop({ graceMs = 10_000 } = {}) {
      if (!starting) return
      await starting.catch(() => undefined)
      await boss.stop({ graceful: true, timeout: graceMs })
    },
    async answers() {
      await start()
      return boss.isInstalled()
    },
    async counts({ db }) {
      await start()
      const { executeSql } = over(db)
      const { rows: known } = await executeSql(
        `select coalesce(sum(reltuples), 0)::float8 as rows from pg_class
          where relnamespace = 'job'::regnamespace and relkind = 'r' and relname like 'job%'`,
      )
      if ((known[0] as { rows: number }).rows > MOST_COUNTED) return null
      const { rows } = await executeSql(
        `select queue.name as queue,
          count(*) filter (where isWaiting)::int as waiting,
          count(*) filter (where state = 'active')::int as active,
          count(*) filter (where state = 'failed')::int as failed,
          coalesce(extract(epoch from now() - min(start_after) filter (where isWaiting)), 0)::float8 as "oldestSeconds"
        from job.queue left join (
          select name, state, start_after, state in ('created', 'retry') and start_after <= now() as isWaiting
          from job.job) job on job.name = queue.name
        where queue.name = any($1)
        group by queue.name order by queue.name`,
        [Object.keys(definitions)],
      )
      return rows as JobCount[]
    },
    async failed({ db }, most) {
      await start()
      const { rows } = await over(db).executeSql(
        `select id, name, completed_on as "failedAt", retry_count + 1 as tries from job.job
          where state = 'failed' and name = any($1) order by completed_on desc, id limit $2`,
        [Object.keys(definitions), most],
      )
      return rows as FailedJob[]
    },
    async retry({ db }, name, id) {
      await start()
      if (!(name in definitions)) return false
      // Its type says nothing of what it answers.
      const { affected } = (await boss.retry(name, id, { db: over(db) })) as { affected: number }
      return affected === 1
    },
    async remove({ db }, name, id) {
      await start()
      const { rows } = await over(db).executeSql(
        `delete from job.job where name = $1 and id = $2 and state = 'failed' returning id`,
        [name, id],
      )
      return rows.length === 1
    },
  }
}
