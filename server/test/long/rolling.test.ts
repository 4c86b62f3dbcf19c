// An upgrade, node by node: an earlier version goes on working on the database that this one has brought up to date,
// while people write through both.
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyDatabase } from '../database/postgres.ts'
import { startMailServer, type MailServer } from '../mail-server.ts'
import { expectAllAsTold, expectToWork } from './as-told.ts'
import { checkOut, git, isInHistory } from './earlier-version.ts'
import { newInstallation } from './installation.ts'
import { openScene, writeThrough, type Site } from './scene.ts'
import { randomFrom } from './writers.ts'

const EARLIER_VERSIONS = 3
const READY_WITHIN_MS = 120_000
/** So many requests are sent to either once both are there. */
const REQUESTS_TO_BOTH = 200

const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)

const migrationsAt = (commit: string): number =>
  git('ls-tree', '--name-only', commit, 'server/migrations/')
    .toString()
    .split('\n')
    .filter((path) => /\d{4}-[a-z0-9-]+\.ts$/.test(path)).length

/** The last ones whose database is not yet that of this version, the newest first. */
function earlierVersions(): string[] {
  const commits = readdirSync(join(import.meta.dirname, 'states'))
    .toSorted()
    .toReversed()
    .map((file) => /-([0-9a-f]+)\.sql\.gz$/.exec(file)![1]!)
  const ours = readdirSync(join(import.meta.dirname, '../../migrations')).filter((file) => /^\d{4}-.*\.ts$/.test(file))
  const known = commits.filter(isInHistory)
  return known.filter((commit) => migrationsAt(commit) < ours.length).slice(0, EARLIER_VERSIONS)
}

const versions = earlierVersions()
let mails: MailServer
beforeAll(async () => {
  console.log(`rolling: WAYBILL_SEED=${seed}`)
  mails = await startMailServer()
})
afterAll(() => mails.close())

it('there are earlier versions in the history of this clone', () => expect(versions).toHaveLength(EARLIER_VERSIONS))

it.each(versions)(
  '%s works on beside this version, and nothing that either acknowledged is lost',
  {
    timeout: 600_000,
  },
  async (commit) => {
    const tree = checkOut(commit)
    const folder = await mkdtemp(join(tmpdir(), 'waybill-rolling-'))
    const database = await emptyDatabase()
    const settings = {
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      STORAGE_URL: `file:${join(folder, 'files')}`,
      SECRET_KEY: randomBytes(32).toString('hex'),
    }
    const { smtpUrl } = mails
    const earlier = await newInstallation({ smtpUrl, settings, main: join(tree, 'server/src/main.ts') })
    const current = await newInstallation({ smtpUrl, settings })
    const random = randomFrom(seed)
    const asked = [earlier]
    const place: Site = {
      call: (...given) => asked[random(asked.length)]!.call(...given),
      untilReady: (limitMs) => earlier.untilReady(limitMs),
      filesFolder: join(folder, 'files'),
    }
    try {
      earlier.start()
      await earlier.untilReady(READY_WITHIN_MS)
      const scene = await openScene(place, { databaseUrl: database.url, random })
      try {
        const upgrade = async () => {
          current.start()
          await current.untilReady(READY_WITHIN_MS)
          asked.push(current)
          const until = scene.ledger.begun + REQUESTS_TO_BOTH
          while (scene.ledger.begun < until) await wait(5)
        }
        await writeThrough(upgrade, scene, { round: 1 })
        expect((await earlier.health()).status, earlier.said()).toBe(200)
        await expectAllAsTold(scene)
        earlier.signal('SIGTERM')
        expect(await earlier.untilEnded(), earlier.said()).toBe(0)
        asked.shift()
        await expectToWork(scene)
      } finally {
        await scene.database.close()
      }
    } finally {
      await earlier.remove()
      await current.remove()
      await database.drop()
      for (const path of [tree, folder]) await rm(path, { recursive: true, force: true })
    }
  },
)
