import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../test/app.ts'
import { jobContext } from '../../test/job-context.ts'
import { FILES, upload } from '../../test/upload.ts'
import { oneKey } from '../kit/context/vault.ts'
import { createMetrics } from '../app/metrics.ts'
import { openBackupPlace } from './backup-place.ts'
import { backupState } from './backup-runs.ts'
import { lastTurn, makeBackupJob } from './backup.job.ts'
import { backupsIn } from './manifest.ts'
import { keptBackups } from './thin-backups.ts'
import { verifyBackup } from './verify-backup.ts'

const KEYS = oneKey('a key of the tests that nobody else has')
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const app = useTestApp()
let folder: string

const place = () => openBackupPlace({ kind: 'folder', folder })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-schedule-'))
  app.ports.backups = {
    schedule: {
      place: { kind: 'folder', folder },
      at: { hour: 2, minute: 30 },
      keep: { daily: 2, weekly: 1, monthly: 1 },
    },
    source: { url: app.databaseUrl, keys: KEYS, version: '0.1.0' },
    pool: app.database.pool,
  }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const tick = () => makeBackupJob.handle(jobContext(app), {})
// A session does not live as long as these days.
const signedIn = async () => app.withToken((await app.signIn(ADMIN.email, ADMIN.password)).body.token)
const runs = async () =>
  (await app.database.pool.query<{ error: string | null }>('select error from backup_run order by id')).rows

describe('backups that the server makes by itself', () => {
  it('are of the last time that the clock said so', () => {
    const at = { hour: 2, minute: 30 }
    expect(lastTurn(new Date(2026, 10, 24, 2, 29), at)).toEqual(new Date(2026, 10, 23, 2, 30))
    expect(lastTurn(new Date(2026, 10, 24, 2, 30), at)).toEqual(new Date(2026, 10, 24, 2, 30))
    expect(lastTurn(new Date(2026, 10, 24, 23, 59), at)).toEqual(new Date(2026, 10, 24, 2, 30))
  })

  it('are made once, by however many nodes, and again the next day', async () => {
    await Promise.all([tick(), tick()])
    await tick()
    expect(await backupsIn(place())).toHaveLength(1)
    app.clock.advance(DAY_MS)
    await tick()
    await tick()
    const made = await backupsIn(place())
    expect(made).toHaveLength(2)
    await verifyBackup(place(), made[1]!, KEYS)
  })

  it('go when they are too many, with files that none of them names any more', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const countryId = await app.idOf('country', 'code', 'DE')
    const before = await signedIn()
    const { body: customer } = await before.post('customers', { title: 'Hansa Bau GmbH', countryId })
    const { status, body } = await upload(before, {
      fields: { documentType: 'CUSTOMER_DOCUMENTS', customerId: customer.id },
      file: { name: 'a.pdf', bytes: FILES.pdf() },
    })
    expect(status, JSON.stringify(body)).toBe(201)
    app.clock.advance(DAY_MS)
    await tick()
    expect((await place().list('files')).size).toBe(1)
    expect((await (await signedIn()).delete(`documents/${body.id}`)).status).toBe(204)
    for (let day = 0; day < 5; day += 1) {
      app.clock.advance(DAY_MS)
      await tick()
    }
    const left = await backupsIn(place())
    expect(left.length).toBeLessThanOrEqual(4)
    expect((await place().list('files')).size).toBe(0)
    expect(new Set([...(await place().list('data')).keys()].map((name) => name.split('/')[1]))).toEqual(new Set(left))
    for (const id of left) await verifyBackup(place(), id, KEYS)
  })

  it('stay, all of them, where one manifest cannot be believed', { tags: 'long' }, async () => {
    const before = await backupsIn(place())
    await writeFile(join(folder, 'manifests', '2020-01-01T000000Z-00000000.json'), '{}')
    for (let day = 0; day < 3; day += 1) {
      app.clock.advance(DAY_MS)
      await tick()
    }
    expect(await backupsIn(place())).toHaveLength(before.length + 4)
    await rm(join(folder, 'manifests', '2020-01-01T000000Z-00000000.json'))
  })

  it('are tried again half an hour after they failed, and who watches sees it', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const metrics = createMetrics({
      pools: {},
      figuresFrom: app.database,
      jobs: app.ports.jobs,
      backups: () => backupState(app.database.pool, { isScheduled: true, now: app.clock.now() }),
      pdf: app.ports.pdf,
      keptMs: 0,
    })
    const figure = async (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(await metrics.text())?.[1])
    const good = await figure('waybill_backup_last_success_timestamp_seconds')
    expect(good).toBeGreaterThan(0)
    expect(await figure('waybill_backup_last_failed')).toBe(0)
    const backups = app.ports.backups!
    const notAFolder = join(folder, 'a-file')
    await writeFile(notAFolder, '')
    app.ports.backups = { ...backups, schedule: { ...backups.schedule, place: { kind: 'folder', folder: notAFolder } } }
    app.clock.advance(DAY_MS)
    const before = (await runs()).length
    await tick()
    await tick()
    expect((await runs()).slice(before)).toEqual([{ error: expect.stringMatching(/ENOTDIR|EEXIST/) }])
    expect(await figure('waybill_backup_last_failed')).toBe(1)
    expect(await figure('waybill_backup_last_success_timestamp_seconds')).toBe(good)
    app.ports.backups = backups
    await tick()
    expect(await runs()).toHaveLength(before + 1)
    app.clock.advance(HOUR_MS)
    await tick()
    expect((await runs()).at(-1)).toEqual({ error: null })
    expect(await figure('waybill_backup_last_failed')).toBe(0)
  })

  it('tell who looks after Waybill which files the store has lost, and that none of the old ones went', {
    tags: 'long',
  }, async () => {
    const figures = async () => {
      const { lastAt: _, ...state } = (await (await signedIn()).get('operations')).body.backups
      return state
    }
    const good = { isScheduled: true, failedAt: null, faultyFiles: 0, areOldOnesLeft: false }
    expect(await figures()).toEqual(good)
    await app.asOwner(`insert into document ("ownerKind", "ownerId", "documentType", title, "contentType", "sizeBytes",
        sha256, "fileKey", "createdAt")
      values ('order', 1, 'other', 'lost.pdf', 'application/pdf', 1000, repeat('a', 64), repeat('b', 32), now())`)
    const wrong = join(folder, 'manifests', '2020-01-01T000000Z-00000000.json')
    await writeFile(wrong, '{}')
    app.clock.advance(DAY_MS)
    await tick()
    expect(await figures()).toEqual({ ...good, faultyFiles: 1, areOldOnesLeft: true })
    // What somebody backs up by hand elsewhere says nothing about those that the server makes.
    await app.database.pool.query(
      `insert into backup_run ("isScheduled", place, "beganAt", "endedAt", manifest, "faultyFiles")
        values (false, '/stick', $1, $1, 'one', 0)`,
      [new Date(app.clock.now().getTime() + 60_000).toISOString()],
    )
    expect(await figures()).toEqual({ ...good, faultyFiles: 1, areOldOnesLeft: true })
    await app.asOwner(`delete from document where title = 'lost.pdf'`)
    await rm(wrong)
  })

  it('are made although a clock that was a year ahead has noted one', { tags: 'long' }, async () => {
    const ahead = new Date(app.clock.now().getTime() + 365 * DAY_MS).toISOString()
    await app.database.pool.query(
      `insert into backup_run ("isScheduled", place, "beganAt", "endedAt", manifest)
        values (true, '/b', $1, $1, 'one')`,
      [ahead],
    )
    const before = await backupsIn(place())
    app.clock.advance(DAY_MS)
    await tick()
    expect(await backupsIn(place())).not.toEqual(before)
    const { lastAt } = await backupState(app.database.pool, { now: app.clock.now() })
    expect(lastAt!.getTime()).toBeLessThanOrEqual(app.clock.now().getTime())
  })

  it('are none where no place is set', async () => {
    app.ports.backups = null
    app.clock.advance(DAY_MS)
    const before = await runs()
    await tick()
    expect(await runs()).toEqual(before)
  })
})

describe('of the backups of a place', () => {
  const at = (day: string, hour = 12, missing = 0) => ({
    id: `${day} ${hour}`,
    at: new Date(`${day}T${hour}:00:00`),
    missing,
  })

  it('the last of each day, week and month stays, and the newest in any case', () => {
    const all = [
      at('2026-08-31'),
      at('2026-09-30'),
      at('2026-10-31'),
      at('2026-11-15'),
      at('2026-11-16'),
      at('2026-11-22'),
      at('2026-11-23'),
      at('2026-11-24', 10),
      at('2026-11-24', 12),
    ]
    expect([...keptBackups(all, { daily: 2, weekly: 3, monthly: 2 })].sort()).toEqual([
      '2026-10-31 12',
      '2026-11-15 12',
      '2026-11-22 12',
      '2026-11-23 12',
      '2026-11-24 12',
    ])
    expect([...keptBackups(all, { daily: 0, weekly: 0, monthly: 0 })]).toEqual(['2026-11-24 12'])
    expect(keptBackups([], { daily: 1, weekly: 1, monthly: 1 }).size).toBe(0)
  })

  it('the last before files went missing stays, however old, until they are back', () => {
    const none = { daily: 0, weekly: 0, monthly: 0 }
    const lost = [at('2025-01-01'), at('2025-01-02'), at('2025-06-01', 12, 3), at('2026-01-01', 12, 8)]
    expect([...keptBackups(lost, none)].sort()).toEqual(['2025-01-02 12', '2025-06-01 12', '2026-01-01 12'])
    expect([...keptBackups([...lost, at('2026-01-02')], none)]).toEqual(['2026-01-02 12'])
  })
})
