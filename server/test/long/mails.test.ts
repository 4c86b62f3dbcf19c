// Many mails at once, mail servers that are slow or say nothing, and servers that are killed in the middle.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../src/kit/database/db.ts'
import { ADMIN } from '../app.ts'
import { startMailServer } from '../mail-server.ts'
import { newInstallation, type Installation } from './installation.ts'
import { randomFrom } from './writers.ts'

const READY_WITHIN_MS = 120_000
const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
const random = randomFrom(seed)

/** A product that sends through a mail server of its own, and a customer who hears of each order. */
async function openScene() {
  const mails = await startMailServer()
  const installation = await newInstallation({ smtpUrl: mails.smtpUrl })
  installation.start()
  await installation.untilReady(READY_WITHIN_MS)
  const database = openDatabase(installation.databaseUrl(), { max: 2 })
  const token: string = (await installation.call('POST', 'token', { body: ADMIN }))!.body.token
  const idOf = async (table: string) =>
    (await database.pool.query<{ id: number }>(`select min(id) as id from ${table}`)).rows[0]!.id
  const customer = await installation.call('POST', 'customers', {
    token,
    body: {
      title: 'Hansa Bau GmbH',
      language: 'de',
      countryId: await idOf('country'),
      contactPersons: [{ fullName: 'Jan Petersen', email: 'j.petersen@hansa.example' }],
    },
  })
  expect(customer?.status, JSON.stringify(customer?.body)).toBe(201)
  const order = { customerIds: [customer!.body.id], departmentId: await idOf('department') }
  return { mails, installation, database, token, order }
}
type Scene = Awaited<ReturnType<typeof openScene>>

async function closeScene(scene: Scene | undefined): Promise<void> {
  await scene?.database.close()
  await scene?.installation.remove()
  await scene?.mails.close()
}

const rowsOf = async <Row extends object>(database: Database, text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(text, values)).rows

const inHand = async (database: Database): Promise<number> =>
  (
    await rowsOf<{ count: number }>(
      database,
      `select count(*)::int as count from email where status in ('planned', 'queued', 'waiting')`,
    )
  )[0]!.count

async function untilAllLeft(database: Database, timeout: number): Promise<void> {
  await expect.poll(() => inHand(database), { timeout, interval: 200 }).toBe(0)
}

/** Queues so many mails while the server is down, due in the hour before, in no order of their ids. */
async function queueWhileDown({ installation, database }: Scene, count: number, label: string): Promise<void> {
  await installation.killServer()
  await rowsOf(
    database,
    `insert into email overriding system value
     select mail.* from generate_series(1, $1::int) turn, email as first,
       jsonb_populate_record(first, jsonb_build_object(
         'id', nextval(pg_get_serial_sequence('email', 'id')),
         'messageId', format('<%s-%s@waybill.mail>', $2::text, turn),
         'causeKey', null, 'status', 'queued', 'reason', null, 'tries', 0, 'sentAt', null, 'waitsFor', null,
         'subject', format('%s %s', $2::text, turn * 7919 % $1), 'html', repeat('<p>Your truck is on the way.</p>', 50),
         'to', jsonb_build_array(format('reader%s@hansa.example', turn)),
         'notBefore', now() - interval '1 hour' + turn * 7919 % $1 * interval '0.1 s')) as mail
     where first.id = (select min(id) from email)`,
    [count, label],
  )
  installation.start()
  await installation.untilReady(READY_WITHIN_MS)
}

describe('ten thousand mails that are due at once', () => {
  let scene: Scene
  beforeAll(async () => void (scene = await openScene()), READY_WITHIN_MS)
  afterAll(() => closeScene(scene))

  it('leave in the order of their time, each once, and the server holds no more memory than for 2,000', {
    timeout: 1_800_000,
  }, async () => {
    const { mails, installation, database, token, order } = scene
    await installation.call('POST', 'orders', { token, body: order })
    await untilAllLeft(database, 60_000)
    // In its first two minutes at work the heap of any server grows to what it keeps, with 500 mails as with 10,000.
    await queueWhileDown(scene, 2_000, 'few')
    await untilAllLeft(database, 600_000)
    const few = installation.peakMemoryMb()
    mails.inbox.length = 0
    await queueWhileDown(scene, 10_000, 'many')
    await untilAllLeft(database, 1_500_000)
    const many = installation.peakMemoryMb()
    console.log(`peak memory: ${few} MB for 2,000 mails, ${many} MB for 10,000 (${(many / few).toFixed(2)} times)`)
    const turns = mails.inbox.map(({ mail }) => Number(mail.subject!.split(' ')[1]))
    expect(turns).toHaveLength(10_000)
    expect(new Set(turns).size).toBe(10_000)
    // Two are in hand at once, and one may be held up on its way while the other takes some turns: on a machine that
    // does other work, too, for seconds now and then. Out of order they would be thousands apart.
    const apart = turns.map((turn, index) => Math.abs(turn - index))
    expect(apart.filter((turns) => turns >= 25).length).toBeLessThan(100)
    expect(Math.max(...apart)).toBeLessThan(500)
    expect(many).toBeLessThan(few + 50)
  })
})

describe('a mail server that does not answer', () => {
  let scene: Scene
  beforeAll(async () => void (scene = await openScene()), READY_WITHIN_MS)
  afterAll(() => closeScene(scene))

  it('delays no request, and is given up after its time: the mail goes later', { timeout: 300_000 }, async () => {
    const { mails, installation, database, token, order } = scene
    await installation.call('POST', 'orders', { token, body: order })
    await untilAllLeft(database, 60_000)
    const answer = Promise.withResolvers<void>()
    mails.holdUp = answer.promise
    await queueWhileDown(scene, 20, 'held')
    await expect.poll(() => mails.held(), { timeout: 60_000 }).toBe(2)
    for (let turn = 0; turn < 40; turn += 1) {
      const created = await installation.call('POST', 'orders', { token, body: order })
      const list = await installation.call('GET', 'orders?perPage=25', { token })
      expect([created?.status, list?.status]).toEqual([201, 200])
    }
    expect(mails.held()).toBeGreaterThanOrEqual(2)
    const givenUp = () =>
      rowsOf<{ tries: number; status: string }>(
        database,
        `select tries, status from email where tries > 0 and status = 'queued' and "lastError" is not null limit 1`,
      )
    await expect.poll(givenUp, { timeout: 120_000, interval: 500 }).toEqual([{ tries: 1, status: 'queued' }])
    answer.resolve()
    mails.holdUp = null
    const left = (await rowsOf<{ subject: string }>(database, `select subject from email where status = 'sent'`)).length
    await expect
      .poll(async () => (await rowsOf(database, `select id from email where status = 'sent' and tries = 1`)).length, {
        timeout: 60_000,
      })
      .toBeGreaterThan(left)
  })
})

describe('servers that are killed while mails are written and sent', () => {
  const ROUNDS = 20
  let scene: Scene
  let second: Installation | undefined
  beforeAll(async () => {
    console.log(`mails: WAYBILL_SEED=${seed}`)
    scene = await openScene()
    second = await newInstallation({
      smtpUrl: scene.mails.smtpUrl,
      settings: {
        DATABASE_URL: scene.installation.databaseUrl(),
        SECRET_KEY: readFileSync(join(scene.installation.dataDir, 'secret.key'), 'utf8').trim(),
      },
    })
    second.start()
    await second.untilReady(READY_WITHIN_MS)
  }, 2 * READY_WITHIN_MS)
  afterAll(async () => {
    await second?.remove()
    await closeScene(scene)
  })

  it('lose no mail and write none twice; only the one in hand at a kill may come again, by its old name', {
    timeout: 1_800_000,
  }, async () => {
    const { mails, installation, database, token, order } = scene
    const nodes = [installation, second!]
    const acknowledged: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [writing, killed] = [nodes[random(2)]!, nodes[random(2)]!]
      for (let turn = 0; turn < 4; turn += 1) {
        const answer = await writing.call('POST', 'orders', { token, body: order })
        expect(answer?.status, `round ${round}`).toBe(201)
        acknowledged.push(answer!.body.id)
      }
      // Their 8 seconds are over for some of them, so that a kill meets mails at every stage.
      await rowsOf(
        database,
        `update email set "notBefore" = now() where status = 'planned' and id % 3 <> 0 and "notBefore" > now()`,
      )
      const until = mails.inbox.length + random(4)
      const deadline = Date.now() + random(3000)
      await expect
        .poll(() => mails.inbox.length >= until || Date.now() > deadline, { timeout: 10_000, interval: 5 })
        .toBe(true)
      await killed.killServer()
      killed.start()
      await Promise.all(nodes.map((node) => node.untilReady(READY_WITHIN_MS)))
    }
    await untilAllLeft(database, 300_000)
    const rows = await rowsOf<{ ownerId: number; status: string; messageId: string }>(
      database,
      `select "ownerId", status, "messageId" from email where type = 'order_created' order by "ownerId"`,
    )
    expect(rows.map(({ ownerId }) => ownerId)).toEqual(acknowledged.toSorted((a, b) => a - b))
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent']))
    const arrived = mails.inbox.map(({ mail }) => mail.messageId)
    expect([...new Set(arrived)].toSorted()).toEqual(rows.map(({ messageId }) => messageId).toSorted())
    console.log(`${rows.length} mails, ${arrived.length - rows.length} of them twice after ${ROUNDS} kills`)
    expect(arrived.length - rows.length).toBeLessThanOrEqual(2 * ROUNDS)
  })
})
