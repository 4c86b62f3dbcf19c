// What was acknowledged is there, what was not is there once or not at all: whatever is killed, whenever.
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailServer, type MailServer } from '../mail-server.ts'
import { expectAllAsTold, expectToWork, rowsOf } from './as-told.ts'
import { newInstallation, type Health, type Installation } from './installation.ts'
import { openScene, writeThrough, type Scene as SceneAt } from './scene.ts'
import { randomFrom } from './writers.ts'

/** Of the server and of the database; `npm run bench -- kill` asks for more, and for a line about each in a file. */
const [SERVER_KILLS = 20, DATABASE_KILLS = 20] = (process.env.WAYBILL_KILLS ?? '20,20').split(',').map(Number)
// On a machine that has other work, too; how long it took is printed.
const READY_WITHIN_MS = 30_000

const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
const roundsOf = (kills: number) => Array.from({ length: kills }, (_, index) => index + 1)

type Scene = SceneAt<Installation>

let mails: MailServer

beforeAll(async () => {
  console.log(`crash tests: WAYBILL_SEED=${seed}`)
  mails = await startMailServer()
})

afterAll(() => mails.close())

async function startScene(which: number): Promise<Scene> {
  const installation = await newInstallation({ smtpUrl: mails.smtpUrl })
  installation.start()
  await installation.untilReady(60_000)
  return openScene(installation, {
    databaseUrl: installation.databaseUrl(),
    random: randomFrom(seed * 10 + which),
  })
}

async function closeScene(scene: Scene | undefined): Promise<void> {
  await scene?.database.close()
  await scene?.installation.remove()
}

/** The rounds prove something only if they hit people at work, and if they did work. */
function expectTheRoundsToBite({ ledger, readyAfterMs }: Scene, what: string, kills: number): void {
  const orders = ledger.orders.filter((order) => order.acknowledged).length
  const sent = ledger.invoices.filter((invoice) => invoice.sending?.acknowledged).length
  const merged = ledger.merges.filter((merge) => merge.acknowledged).length
  const { unanswered } = ledger
  const slowest = Math.max(...readyAfterMs)
  console.log(
    `${what} killed: ${orders} orders and ${sent} sent invoices and ${merged} merges acknowledged, ` +
      `${unanswered} requests without an answer, ready again after ` +
      `${Math.round(Math.min(...readyAfterMs))} to ${Math.round(slowest)} ms`,
  )
  const report = process.env.WAYBILL_KILLS_REPORT
  if (report !== undefined)
    appendFileSync(report, `${JSON.stringify({ what, orders, sent, merged, unanswered, readyAfterMs })}\n`)
  expect(readyAfterMs).toHaveLength(kills)
  expect(slowest).toBeLessThan(READY_WITHIN_MS)
  expect(unanswered).toBeGreaterThan(kills)
  expect(orders).toBeGreaterThan(5 * kills)
  expect(sent).toBeGreaterThan(kills)
  expect(merged).toBeGreaterThan(kills)
}

if (SERVER_KILLS > 0)
  describe('kill -9 of the server', () => {
    let scene: Scene
    beforeAll(async () => {
      scene = await startScene(1)
    })
    afterAll(() => closeScene(scene))

    async function killServer({ installation, readyAfterMs }: Scene): Promise<void> {
      await installation.killServer()
      expect((await installation.health()).status).toBeNull()
      const startedAt = performance.now()
      installation.start()
      await installation.untilReady(READY_WITHIN_MS)
      readyAfterMs.push(performance.now() - startedAt)
      await expectToWork(scene)
    }

    it.each(roundsOf(SERVER_KILLS))('loses nothing and doubles nothing, round %i', async (round) => {
      await writeThrough(killServer, scene, { round })
      await expectAllAsTold(scene)
    })

    it('hit people at work, and was over within seconds each time', () =>
      expectTheRoundsToBite(scene, 'server', SERVER_KILLS))
  })

if (DATABASE_KILLS > 0)
  describe('kill -9 of the embedded database', () => {
    let scene: Scene
    beforeAll(async () => {
      scene = await startScene(2)
    })
    afterAll(() => closeScene(scene))

    /** The server is not touched: it must find its way back alone, and say meanwhile that it cannot work. */
    async function killDatabase({ installation, readyAfterMs }: Scene): Promise<void> {
      // Asked without waiting for the answer before: what was asked while it was down is answered late.
      const asked: { at: number; health: Promise<Health>; answer: Health | null }[] = []
      const look = async () => {
        const one = { at: performance.now(), health: installation.health(), answer: null as Health | null }
        asked.push(one)
        one.answer = await one.health
      }
      // Down once, and since the last answer that said so five in a row that it works.
      const isBack = () => {
        const open = asked.findIndex(({ answer }) => answer === null)
        const answered = open === -1 ? asked : asked.slice(0, open)
        return (
          answered.some(({ answer }) => answer!.status !== 200) &&
          answered.slice(-5).every(({ answer }) => answer!.status === 200)
        )
      }
      installation.killDatabase()
      const killedAt = performance.now()
      while (!isBack()) {
        void look()
        await wait(25)
        expect(
          performance.now() - killedAt,
          `never down, or not back: ${asked.map(({ answer }) => answer && answer.status).join(' ')}\n` +
            `${installation.said()}`,
        ).toBeLessThan(READY_WITHIN_MS)
      }
      const answers = await Promise.all(asked.map(({ health }) => health))
      const down = answers.filter(({ status }) => status !== 200)
      // The queue may hear a little later than the others that the database is back.
      for (const { status, parts } of down)
        expect([status, parts.storage, parts.database && parts.queue]).toEqual([503, true, false])
      expect(await installation.isAlive()).toBe(true)
      const lastDown = answers.findLastIndex(({ status }) => status !== 200)
      readyAfterMs.push(asked[lastDown + 1]!.at - killedAt)
      await expectToWork(scene)
    }

    it.each(roundsOf(DATABASE_KILLS))('loses nothing and doubles nothing, round %i', async (round) => {
      await writeThrough(killDatabase, scene, { round })
      await expectAllAsTold(scene)
    })

    it('hit people at work, and was over within seconds each time', () =>
      expectTheRoundsToBite(scene, 'database', DATABASE_KILLS))

    it('held no mail up for longer than minutes', { timeout: 200_000 }, async () => {
      const left = `select count(*)::int as mails from email where status = 'queued'`
      await expect.poll(() => rowsOf(scene, left), { timeout: 150_000, interval: 500 }).toEqual([{ mails: 0 }])
    })
  })
