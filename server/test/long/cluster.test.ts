// Two Waybills and three databases on machines of their own: whatever of it dies or is cut off, what was acknowledged
// is there once, and people go on (`npm run test:cluster`).
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailServer, type MailServer } from '../mail-server.ts'
import { expectAllAsTold, expectToWork, rowsOf } from './as-told.ts'
import { startDatabaseCluster, type DatabaseCluster } from './cluster/database-cluster.ts'
import { openNetwork, type Network } from './cluster/network.ts'
import { callerOf, healthAt, newInstallation, type Installation } from './installation.ts'
import { openScene, writeThrough, type Scene as SceneAt, type Site } from './scene.ts'
import { randomFrom, type Random } from './writers.ts'

const READS_WITHIN_MS = 5_000
const WRITES_WITHIN_MS = 30_000
const BACK_WITHIN_MS = 90_000
const START_WITHIN_MS = 120_000
const ROUND_WITHIN_MS = 600_000
/** Two nodes have two mails in hand each when something dies. */
const MAILS_IN_HAND = 4
/** One answer in time says little; so many in a row say that it works. */
const IN_A_ROW = 5
/** So long something may take to be felt: who asks a machine that is cut off hears nothing for a while. */
const FELT_WITHIN_MS = 15_000

const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
const rounds = Number(process.env.WAYBILL_ROUNDS ?? 2)

/** The Waybills behind the door, and what stands behind them. */
interface Place extends Site {
  network: Network
  cluster: DatabaseCluster
  nodes: readonly [Installation, Installation]
}
type Scene = SceneAt<Place>

/** Does harm; answers how to put it right. */
type Harm = (place: Place, random: Random) => Promise<() => Promise<void>>

const HARMS: Record<string, Harm> = {
  'the primary is killed': async ({ cluster }) => {
    cluster.killPostgres(await cluster.primary())
    // Patroni brings it back as a standby.
    return async () => undefined
  },
  'a Waybill is killed': async ({ nodes }, random) => {
    const node = nodes[random(2)]!
    await node.killServer()
    return async () => {
      node.start()
      await node.untilReady(START_WITHIN_MS)
    }
  },
  'the leader of etcd is killed': async ({ cluster }) => {
    const machine = await cluster.etcdLeader()
    await cluster.killEtcd(machine)
    return async () => cluster.startEtcd(machine)
  },
  'the machine of the primary is cut off': async ({ cluster, network }) => {
    const machine = await cluster.primary()
    network.cut(machine, 'front')
    network.cut(machine, 'back')
    return async () => {
      network.mend(machine, 'front')
      network.mend(machine, 'back')
    }
  },
  'the primary is cut off from the other databases alone': async ({ cluster, network }) => {
    const machine = await cluster.primary()
    network.cut(machine, 'back')
    return async () => network.mend(machine, 'back')
  },
}

/** Asks again and again until it works for good; answers for how many ms at a stretch it did not, at most. */
async function longestOutage(ask: () => Promise<boolean>): Promise<number> {
  const begun = performance.now()
  let inARow = 0
  let failsSince: number | null = null
  let longest = 0
  for (;;) {
    const at = performance.now() - begun
    if (at > BACK_WITHIN_MS) return Number.POSITIVE_INFINITY
    if (await ask()) {
      if (failsSince !== null) longest = Math.max(longest, at - failsSince)
      failsSince = null
      inARow += 1
    } else {
      failsSince ??= at
      inARow = 0
    }
    if (inARow >= IN_A_ROW && at > FELT_WITHIN_MS) return Math.round(longest)
    await wait(200)
  }
}

describe('a cluster of two Waybills and three databases', () => {
  let mails: MailServer
  let network: Network | undefined
  let cluster: DatabaseCluster | undefined
  let folder: string
  let scene: Scene
  const nodes: Installation[] = []
  const told: string[] = []

  beforeAll(async () => {
    console.log(`cluster: WAYBILL_SEED=${seed}`)
    mails = await startMailServer()
    folder = await mkdtemp(join(tmpdir(), 'waybill-cluster-'))
    await chmod(folder, 0o755)
    network = openNetwork(3)
    const ofAll: Record<string, string> = {
      HOST: network.here,
      PUBLIC_URL: `http://${network.door}:8080`,
      TRUST_PROXY: network.door,
      STORAGE_URL: `file:${join(folder, 'files')}`,
      SECRET_KEY: randomBytes(32).toString('hex'),
    }
    const settings: Record<string, string>[] = [{ ...ofAll }, { ...ofAll }]
    for (const one of settings) nodes.push(await newInstallation({ smtpUrl: mails.smtpUrl, settings: one }))
    const [first, second] = nodes as [Installation, Installation]
    cluster = await startDatabaseCluster({
      network,
      folder,
      waybills: [new URL(first.url).host, new URL(second.url).host],
    })
    // One goes through the pooler, the other past it.
    Object.assign(settings[0]!, {
      DATABASE_URL: cluster.pooledUrl,
      DATABASE_DIRECT_URL: cluster.url,
      DATABASE_OWNER_URL: cluster.ownerUrl,
      DATABASE_PREPARED: 'off',
      DATABASE_READ_URL: cluster.readUrl,
    })
    Object.assign(settings[1]!, {
      DATABASE_URL: cluster.url,
      DATABASE_OWNER_URL: cluster.ownerUrl,
      DATABASE_READ_URL: cluster.readUrl,
    })
    // Both at once, on a database that is empty: one of them makes its shape.
    for (const node of nodes) node.start()
    for (const node of nodes)
      await node.untilReady(START_WITHIN_MS).catch((error: Error) => {
        throw new Error(`${error.message}\n${cluster!.said()}`)
      })
    const url = `${cluster.peopleUrl}/api`
    const place: Place = {
      network,
      cluster,
      nodes: [first, second],
      filesFolder: join(folder, 'files'),
      call: callerOf(url),
      async untilReady(limitMs) {
        const deadline = Date.now() + limitMs
        while ((await healthAt(url)).status !== 200) {
          if (Date.now() > deadline) throw new Error(`not ready after ${limitMs} ms`)
          await wait(50)
        }
      },
    }
    await place.untilReady(START_WITHIN_MS)
    scene = await openScene(place, { databaseUrl: cluster.url, random: randomFrom(seed) })
  }, 600_000)

  afterAll(async () => {
    for (const line of told) console.log(line)
    await scene?.database.close()
    for (const node of nodes) await node.remove()
    await cluster?.close()
    network?.close()
    await mails?.close()
    await rm(folder, { recursive: true, force: true })
  }, 120_000)

  /** Reads and writes as two people do who have nothing to do with the writers. */
  async function harmed(harm: Harm, what: string): Promise<void> {
    const { installation, token, random } = scene
    const call = (method: string, path: string, body?: object) =>
      installation.call(method, path, { token, timeoutMs: 2000, ...(body && { body }) })
    const putRight = await harm(installation, random)
    const [reads, writes] = await Promise.all([
      longestOutage(async () => (await call('GET', 'orders?perPage=10'))?.status === 200),
      longestOutage(
        async () => (await call('POST', 'vehicle-types', { title: `Type ${random(2 ** 30)}` }))?.status === 201,
      ),
    ])
    told.push(`${what}: no reads for ${reads} ms, no writes for ${writes} ms`)
    await putRight()
    await installation.cluster.untilWhole()
    for (const node of nodes) await node.untilReady(START_WITHIN_MS)
    expect(writes, installation.cluster.said()).toBeLessThan(WRITES_WITHIN_MS)
    expect(reads, installation.cluster.said()).toBeLessThan(READS_WITHIN_MS)
    scene.readyAfterMs.push(writes)
  }

  let round = 0
  for (const [what, harm] of Object.entries(HARMS))
    it.each(Array.from({ length: rounds }, (_, turn) => turn + 1))(
      `loses nothing and doubles nothing while ${what}, round %i`,
      { timeout: ROUND_WITHIN_MS },
      async () => {
        round += 1
        await writeThrough(() => harmed(harm, what), scene, { round, backWithinMs: BACK_WITHIN_MS })
        await expectToWork(scene)
        await expectAllAsTold(scene)
      },
    )

  it('hit people at work', () => {
    const { ledger } = scene
    const acknowledged = ledger.orders.filter((order) => order.acknowledged).length
    const sent = ledger.invoices.filter((invoice) => invoice.sending?.acknowledged).length
    const merged = ledger.merges.filter((merge) => merge.acknowledged).length
    told.push(
      `${acknowledged} orders, ${sent} sent invoices and ${merged} merges acknowledged, ` +
        `${ledger.unanswered} of ${ledger.begun} requests without an answer`,
    )
    expect(ledger.unanswered).toBeGreaterThan(round)
    expect(acknowledged).toBeGreaterThan(5 * round)
    expect(sent).toBeGreaterThan(round)
    expect(merged).toBeGreaterThan(round)
  })

  it('lost no mail; only those in hand when something died came again, by their old names', {
    timeout: 600_000,
  }, async () => {
    const inHand = `select count(*)::int as mails from email where status in ('planned', 'queued', 'waiting')`
    await expect.poll(() => rowsOf(scene, inHand), { timeout: 500_000, interval: 500 }).toEqual([{ mails: 0 }])
    const sent = await rowsOf<{ messageId: string }>(scene, `select "messageId" from email where status = 'sent'`)
    const arrived = mails.inbox.map(({ mail }) => mail.messageId!)
    expect([...new Set(arrived)].toSorted()).toEqual(sent.map(({ messageId }) => messageId).toSorted())
    told.push(`${sent.length} mails, ${arrived.length - sent.length} of them twice`)
    expect(arrived.length - sent.length).toBeLessThanOrEqual(MAILS_IN_HAND * round)
  })
})
