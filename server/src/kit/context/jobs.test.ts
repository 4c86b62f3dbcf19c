import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type FreshDatabase } from '../../../test/database/postgres.ts'
import { openDatabase, type Database, type Db } from '../database/db.ts'
import { createJobs, type JobContext, type JobDefinitions, type Jobs } from './jobs.ts'

// Jobs of this test alone: declared in the types they would be asked of the application.
const enqueue = (jobs: Jobs, db: Db, name: string, text: string, options?: { startAt?: string; key?: string }) =>
  jobs.enqueue({ db }, name as never, { text } as never, options)

let fresh: FreshDatabase
let database: Database
const running: Jobs[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url)
})

afterAll(async () => {
  for (const jobs of running) await jobs.stop({ graceMs: 1000 })
  await database.close()
  await fresh.drop()
})

const silent = { error: () => undefined, info: () => undefined, child: () => silent } as unknown as JobContext['log']
const base = () => ({ db: database.db, log: silent }) as unknown as JobContext

function node(
  handlers: Record<'note' | 'slow' | 'shaky', (text: string) => Promise<void>>,
  options: { lookEverySeconds?: number } = {},
): Jobs {
  const definitions = Object.fromEntries(
    Object.entries(handlers).map(([name, run]) => [
      name,
      { handle: (_ctx: unknown, data: { text: string }) => run(data.text) },
    ]),
  ) as unknown as JobDefinitions
  const jobs = createJobs({ url: fresh.url, definitions, onError: () => undefined, ...options })
  running.push(jobs)
  return jobs
}

const idle = async () => undefined
const seen: string[] = []
const waiters: { text: string; resolve(): void }[] = []
const note = async (text: string) => {
  seen.push(text)
  for (const waiter of waiters.filter((one) => one.text === text)) waiter.resolve()
}
const untilNoted = (text: string) =>
  seen.includes(text) ? Promise.resolve() : new Promise<void>((resolve) => waiters.push({ text, resolve }))

test('a job exists only if the transaction that wrote it commits', async () => {
  const jobs = node({ note, slow: idle, shaky: idle })
  await jobs.work(base())
  await expect(
    database.db.transaction().execute(async (db) => {
      await enqueue(jobs, db, 'note', 'rolled back')
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await database.db.transaction().execute((db) => enqueue(jobs, db, 'note', 'committed'))
  await untilNoted('committed')
  expect(seen).toEqual(['committed'])
  await jobs.stop({ graceMs: 1000 })
})

test('of jobs with one key only one waits, and it is held back until its time', { tags: 'long' }, async () => {
  const jobs = node({ note, slow: idle, shaky: idle })
  await jobs.work(base())
  const startAt = new Date(Date.now() + 1500)
  await enqueue(jobs, database.db, 'note', 'first', { key: 'same', startAt: startAt.toISOString() })
  await enqueue(jobs, database.db, 'note', 'second', { key: 'same', startAt: startAt.toISOString() })
  await untilNoted('first')
  expect(Date.now()).toBeGreaterThanOrEqual(startAt.getTime())
  await enqueue(jobs, database.db, 'note', 'third', { key: 'same' })
  await untilNoted('third')
  expect(seen).toEqual(['committed', 'first', 'third'])
  await jobs.stop({ graceMs: 1000 })
})

test('a job that fails is tried again', async () => {
  let tries = 0
  const jobs = node({
    note,
    slow: idle,
    shaky: async (text) => {
      tries += 1
      if (tries === 1) throw new Error('not yet')
      await note(text)
    },
  })
  await jobs.start()
  await enqueue(jobs, database.db, 'shaky', 'at last')
  // Its pause is not what is tested here.
  await jobs.work(base())
  await expect.poll(() => tries).toBe(1)
  await expect
    .poll(
      async () => {
        const { rows } = await database.pool
          .query(`update job.job set start_after = now() where state = 'retry'`)
          .then(() => database.pool.query(`select state from job.job where name = 'shaky'`))
        return rows[0]?.state
      },
      { timeout: 20_000 },
    )
    .toBe('completed')
  expect(seen).toContain('at last')
  await jobs.stop({ graceMs: 1000 })
})

test('a job in hand when the server stops is handed back, and another server runs it', { tags: 'long' }, async () => {
  let isReached = false
  const stopping = node({
    note,
    slow: () => {
      isReached = true
      return new Promise(() => undefined)
    },
    shaky: idle,
  })
  await stopping.work(base())
  await enqueue(stopping, database.db, 'slow', 'handed back')
  await expect.poll(() => isReached).toBe(true)
  await stopping.stop({ graceMs: 1000 })
  const { rows } = await database.pool.query(
    `update job.job set start_after = now() where name = 'slow' returning state`,
  )
  expect(rows).toEqual([{ state: 'retry' }])
  const next = node({ note, slow: note, shaky: idle })
  await next.work(base())
  await untilNoted('handed back')
  expect(seen).toContain('handed back')
  await next.stop({ graceMs: 1000 })
})

test('a job whose worker gives no sign of life is begun again, long before its time is over', {
  tags: 'long',
}, async () => {
  let isReached = false
  // The queues as an earlier version had made them.
  await database.pool.query(`update job.queue set heartbeat_seconds = null`)
  const dying = node({
    note,
    slow: () => {
      isReached = true
      return new Promise(() => undefined)
    },
    shaky: idle,
  })
  await dying.work(base())
  await enqueue(dying, database.db, 'slow', 'begun again')
  await expect.poll(() => isReached).toBe(true)
  const next = node({ note, slow: note, shaky: idle }, { lookEverySeconds: 1 })
  await next.work(base())
  expect(seen).not.toContain('begun again')
  // What a minute without a sign is.
  await database.pool.query(`update job.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
  await expect
    .poll(
      async () => {
        await database.pool.query(`update job.job set start_after = now() where state = 'retry'`)
        return seen.includes('begun again')
      },
      { timeout: 20_000 },
    )
    .toBe(true)
  await next.stop({ graceMs: 1000 })
})

test('two servers that start at once on an empty database both come up', { tags: 'long' }, async () => {
  const other = await freshDatabase()
  const make = () =>
    createJobs({
      url: other.url,
      definitions: { note: { handle: idle } } as unknown as JobDefinitions,
      onError: () => undefined,
    })
  const [one, two] = [make(), make()]
  await Promise.all([one.start(), two.start()])
  expect(await one.answers()).toBe(true)
  await Promise.all([one.stop({ graceMs: 1000 }), two.stop({ graceMs: 1000 })])
  await other.drop()
})

test('what a later version plans otherwise, or no more, is planned so from its start on', async () => {
  const planned = async () =>
    (
      await database.pool.query(
        `select name, cron, data from job.schedule where name in ('daily', 'gone') order by name`,
      )
    ).rows
  const started = async (definitions: object) => {
    const jobs = createJobs({
      url: fresh.url,
      definitions: definitions as JobDefinitions,
      onError: () => undefined,
    })
    await jobs.start()
    await jobs.stop({ graceMs: 1000 })
  }
  const job = (cron: string, data: object) => ({ handle: idle, timetable: { cron, data } })
  await started({ daily: job('0 3 * * *', { days: 1 }), gone: job('0 4 * * *', {}) })
  expect(await planned()).toEqual([
    { name: 'daily', cron: '0 3 * * *', data: { days: 1 } },
    { name: 'gone', cron: '0 4 * * *', data: {} },
  ])
  await started({ daily: job('0 3 * * *', { days: 2 }), gone: { handle: idle } })
  expect(await planned()).toEqual([{ name: 'daily', cron: '0 3 * * *', data: { days: 2 } }])
  await started({ daily: job('0 5 * * *', { days: 2 }), gone: { handle: idle } })
  expect(await planned()).toEqual([{ name: 'daily', cron: '0 5 * * *', data: { days: 2 } }])
})
