// What was acknowledged is there, what was not is there once or not at all: whatever is killed, whenever.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ctx } from '../../src/kit/context/context.ts'
import { openDatabase, type Database } from '../../src/kit/database/db.ts'
import { createLocalFileStore } from '../../src/kit/files/files.ts'
import { sweepFiles } from '../../src/modules/document/index.ts'
import { ADMIN } from '../app.ts'
import { startMailServer, type MailServer } from '../mail-server.ts'
import { newInstallation, type Health, type Installation } from './installation.ts'
import {
  COST_CENTS,
  createWriter,
  emptyLedger,
  MERGE_PRICE_CENTS,
  MERGE_TOKEN,
  priceOf,
  randomFrom,
  type Ledger,
  type Random,
  type World,
} from './writers.ts'
import { INVOICE_MAIL } from '../mail-server.ts'

const ROUNDS = 20
const WRITERS = 6
// On a machine that has other work, too; how long it took is printed.
const READY_WITHIN_MS = 30_000
const SAMPLE = 5
const HOUR_MS = 3_600_000

const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
const rounds = Array.from({ length: ROUNDS }, (_, index) => index + 1)

let mails: MailServer

beforeAll(async () => {
  console.log(`crash tests: WAYBILL_SEED=${seed}`)
  mails = await startMailServer()
})

afterAll(() => mails.close())

interface Scene {
  installation: Installation
  database: Database
  ledger: Ledger
  world: World
  token: string
  random: Random
  /** how long each recovery took */
  readyAfterMs: number[]
}

async function openScene(which: number): Promise<Scene> {
  const installation = await newInstallation({ smtpUrl: mails.smtpUrl })
  installation.start()
  await installation.untilReady(60_000)
  const { body } = (await installation.call('POST', 'token', { body: ADMIN }))!
  const token = body.token as string
  const database = openDatabase(installation.databaseUrl(), { max: 3 })
  const idOf = async (table: string, column: string, value: string) =>
    (await database.pool.query<{ id: number }>(`select id from ${table} where ${column} = $1`, [value])).rows[0]!.id
  const countries = { DE: await idOf('country', 'code', 'DE'), PL: await idOf('country', 'code', 'PL') }
  const create = async (path: string, record: object) => {
    const answer = await installation.call('POST', path, { body: record, token })
    expect(answer?.status, JSON.stringify(answer?.body)).toBe(201)
    return answer!.body
  }
  const customer = await create('customers', {
    title: 'Hansa Bau GmbH',
    countryId: countries.DE,
    address: 'Kai 1',
    postal: '20457',
    city: 'Hamburg',
  })
  const carrier = await create('carrier-companies', {
    title: 'Trans-Wielkopolska Sp. j.',
    countryId: countries.PL,
    city: 'Poznań',
    drivers: [{ fullName: 'Łukasz Żak', plateNumber: 'PO 4T112' }],
  })
  const departmentId = await idOf('department', 'abbreviation', 'FTL West')
  const world: World = {
    customerId: customer.id,
    departmentId,
    carrierCompanyId: carrier.id,
    driverId: carrier.drivers[0].id,
    countries,
  }
  return {
    installation,
    database,
    ledger: emptyLedger(),
    world,
    token,
    random: randomFrom(seed * 10 + which),
    readyAfterMs: [],
  }
}

async function closeScene(scene: Scene | undefined): Promise<void> {
  await scene?.database.close()
  await scene?.installation.remove()
}

/**
 * Lets six people write, kills after so many of their requests, and lets them go on until each has an answer or has
 * given up. `kill` resolves when the product is back.
 */
async function writeThroughA(kill: (scene: Scene) => Promise<void>, scene: Scene, round: number): Promise<void> {
  const { installation, ledger, world, token, random } = scene
  let isOver = false
  let ready: Promise<void> | null = null
  const untilReady = () => (ready ??= installation.untilReady(30_000).finally(() => (ready = null)))
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    createWriter({ installation, ledger, world, token, untilReady }, `r${round}w${index}`, randomFrom(random(2 ** 30))),
  )
  const killAfter = ledger.begun + 15 + random(40)
  const pauseMs = random(30)
  const work = writers.map(async (writer) => {
    while (!isOver) await writer.step()
  })
  // A writer that found a fault ends the round at once.
  const broken = Promise.all(work).then(() => undefined)
  const killed = (async () => {
    while (ledger.begun < killAfter) await wait(1)
    await wait(pauseMs)
    await kill(scene)
    // They work on for a moment, on what has just come back.
    const goOnUntil = ledger.begun + 2 * WRITERS
    while (ledger.begun < goOnUntil) await wait(1)
  })()
  try {
    await Promise.race([killed, broken])
    await killed
  } finally {
    isOver = true
    await Promise.allSettled(work)
  }
  await broken
}

const rowsOf = async <Row extends object>(scene: Scene, text: string, values: unknown[] = []): Promise<Row[]> =>
  (await scene.database.pool.query<Row>(text, values)).rows

interface StoredOrder {
  token: string
  id: number
  number: string
  version: number
  figure: number
  price: number
  income: number
  foundBy: string
  customers: number
  managers: number
  lines: number
  linesOfFigure: number
  stops: number
  actions: number
  routes: number
  assignments: number
  drivers: number
  created: number
  updated: number
  keys: number
}

/** Every order is whole, is what its writer was told, and is there once. */
async function expectOrdersAsTold(scene: Scene): Promise<void> {
  const count = (from: string) => `(select count(*)::int from ${from})`
  const stored = await rowsOf<StoredOrder>(
    scene,
    `select o."customerOrderNumber" as token, o.id, o.number, o.version, o.description::int as figure,
      o."customerPriceCents" as price, o."incomeCents" as income, o."searchKey" as "foundBy",
      ${count('order_customer c where c."orderId" = o.id')} as customers,
      ${count('order_manager m where m."orderId" = o.id')} as managers,
      ${count('cargo c where c."orderId" = o.id')} as lines,
      ${count('cargo c where c."orderId" = o.id and c.quantity = o.description::int')} as "linesOfFigure",
      ${count('location l where l."orderId" = o.id')} as stops,
      ${count('cargo_action a join cargo c on c.id = a."cargoId" where c."orderId" = o.id')} as actions,
      ${count('route r where r."orderId" = o.id')} as routes,
      ${count('assignment a join route r on r.id = a."routeId" where r."orderId" = o.id')} as assignments,
      ${count(`assignment_driver d join assignment a on a.id = d."assignmentId" join route r on r.id = a."routeId"
        where r."orderId" = o.id`)} as drivers,
      ${count(`audit_entry e where e."ownerKind" = 'order' and e."ownerId" = o.id and e.action = 'created'`)}
        as created,
      ${count(`audit_entry e where e."ownerKind" = 'order' and e."ownerId" = o.id and e.action = 'updated'`)}
        as updated,
      ${count(`idempotency_key k where k.scope like '% POST /api/orders ' || o."customerOrderNumber"`)} as keys
    from "order" o where not o."isMergeResult" and o."customerOrderNumber" not like '${MERGE_TOKEN}-%' order by o.id`,
  )
  const whole = {
    customers: 1,
    managers: 1,
    lines: 3,
    linesOfFigure: 3,
    stops: 2,
    actions: 6,
    routes: 1,
    assignments: 1,
    drivers: 1,
    created: 1,
    keys: 1,
  }
  for (const order of stored) {
    expect(order, `order ${order.token}`).toMatchObject({
      ...whole,
      updated: order.version - 1,
      price: priceOf(order.figure),
      income: priceOf(order.figure) - COST_CENTS,
    })
    expect(order.foundBy).toContain(order.token)
  }
  expect(new Set(stored.map((order) => order.number)).size).toBe(stored.length)

  const byToken = Map.groupBy(stored, (order) => order.token)
  for (const { token, acknowledged, unanswered } of scene.ledger.orders) {
    const found = byToken.get(token) ?? []
    byToken.delete(token)
    expect(found.length, `order ${token}`).toBeLessThanOrEqual(1)
    if (!acknowledged) continue
    const { id, number } = acknowledged
    const states = [acknowledged, ...(unanswered ? [unanswered] : [])].map(({ version, figure }) => ({
      id,
      number,
      version,
      figure,
    }))
    expect(states, `order ${token}`).toContainEqual(
      found[0] && { id: found[0].id, number: found[0].number, version: found[0].version, figure: found[0].figure },
    )
  }
  expect([...byToken.keys()], 'orders that nobody asked for').toEqual([])
  // No part without its whole, no key without its record.
  const [strays] = await rowsOf<Record<string, number>>(
    scene,
    `select ${count(`audit_entry e where e."ownerKind" = 'order' and not exists (select 1 from "order" o
      where o.id = e."ownerId")`)} as entries,
      ${count(`idempotency_key k where k.scope like '% POST /api/orders %'
        and k.scope not like '% ${MERGE_TOKEN}-%'`)} as keys`,
  )
  expect(strays).toEqual({ entries: 0, keys: stored.length })
}

interface StoredSource {
  token: string
  id: number
  status: string
  version: number
  mergedIntoId: number | null
  merged: number
}

/** Of every merge both orders are in one whole result, or both are free and there is none. */
async function expectMergesAsTold(scene: Scene): Promise<void> {
  const count = (from: string) => `(select count(*)::int from ${from})`
  const sources = await rowsOf<StoredSource>(
    scene,
    `select o."customerOrderNumber" as token, o.id, o.status, o.version, o."mergedIntoId",
      ${count(`audit_entry e where e."ownerKind" = 'order' and e."ownerId" = o.id and e.action = 'merged'`)} as merged
     from "order" o where o."customerOrderNumber" like '${MERGE_TOKEN}-%' order by o.id`,
  )
  const byToken = Map.groupBy(sources, (source) => source.token)
  const results = new Map<number, string>()
  for (const { key, tokens, acknowledged } of scene.ledger.merges) {
    const pair = tokens.flatMap((token) => byToken.get(token) ?? [])
    const resultId = pair[0]?.mergedIntoId ?? null
    expect(pair.length, `merge ${key}`).toBeLessThanOrEqual(2)
    for (const source of pair) {
      const isMerged = resultId !== null
      expect(source, `merge ${key}`).toMatchObject({
        mergedIntoId: resultId,
        status: isMerged ? 'merged' : 'new',
        version: isMerged ? 2 : 1,
        merged: isMerged ? 1 : 0,
      })
    }
    if (acknowledged) expect([pair.length, resultId], `merge ${key}`).toEqual([2, acknowledged.id])
    if (resultId !== null) results.set(resultId, key)
  }
  const stored = await rowsOf<{ id: number; keys: number }>(
    scene,
    `select o.id, o.status, o.version, o."customerPriceCents" as price,
      ${count(`cargo c where c."orderId" = o.id and c."sourceOrderId" in (select s.id from "order" s
        where s."mergedIntoId" = o.id)`)} as lines,
      ${count('location l where l."orderId" = o.id')} as stops,
      ${count('cargo_action a join cargo c on c.id = a."cargoId" where c."orderId" = o.id')} as actions,
      ${count('assignment a join route r on r.id = a."routeId" where r."orderId" = o.id')} as assignments,
      ${count('"order" s where s."mergedIntoId" = o.id')} as sources,
      ${count(`audit_entry e where e."ownerKind" = 'order' and e."ownerId" = o.id and e.action = 'mergedFrom'`)}
      as told,
      ${count(`idempotency_key k where k.scope like '% POST /api/orders/merge %'
        and k.reply::jsonb ->> 'id' = o.id::text`)} as keys
     from "order" o where o."isMergeResult" order by o.id`,
  )
  for (const result of stored) {
    expect(result, `result ${result.id}`).toEqual({
      id: result.id,
      status: 'new',
      version: 1,
      price: 2 * MERGE_PRICE_CENTS,
      lines: 6,
      stops: 4,
      actions: 12,
      assignments: 1,
      sources: 2,
      told: 1,
      keys: 1,
    })
  }
  expect(stored.map((result) => result.id)).toEqual([...results.keys()].toSorted((a, b) => a - b))
}

interface StoredInvoice {
  id: number
  version: number
  number: string | null
  status: string
  token: string
  lines: number
  papers: number
  documents: number
  mails: number
  attachments: number
  sent: number
  keys: number
  createKeys: number
}

/**
 * Every invoice is whole and there once; numbers run from 1 without a gap or a double, however often it broke between
 * them.
 */
async function expectInvoicesAsTold(scene: Scene): Promise<void> {
  // A paper whose maker was killed is made by the job that the start writes.
  await expect
    .poll(() => rowsOf(scene, 'select "invoiceId" from invoice_paper where "documentId" is null'), { timeout: 60_000 })
    .toEqual([])
  const count = (from: string) => `(select count(*)::int from ${from})`
  const stored = await rowsOf<StoredInvoice>(
    scene,
    `select i.id, i.version, i.number, i.status, o."customerOrderNumber" as token,
      ${count('invoice_line l where l."invoiceId" = i.id')} as lines,
      ${count(`document d where d."ownerKind" = 'invoice' and d."ownerId" = i.id`)} as documents,
      ${count(`invoice_paper p where p."invoiceId" = i.id`)} as papers,
      ${count(`email e where e."ownerKind" = 'invoice' and e."ownerId" = i.id`)} as mails,
      ${count(`email_attachment a join email e on e.id = a."emailId" where e."ownerKind" = 'invoice'
        and e."ownerId" = i.id and a."documentId" = (select p."documentId" from invoice_paper p
          where p."invoiceId" = i.id)`)} as attachments,
      ${count(`audit_entry e where e."ownerKind" = 'invoice' and e."ownerId" = i.id and e.action = 'sent'`)} as sent,
      ${count(`idempotency_key k where k.scope like '% POST /api/invoices/' || i.id || '/send %'`)} as keys,
      ${count(`idempotency_key k where k.scope like '% POST /api/invoices %'
        and k.reply::jsonb ->> 'id' = i.id::text`)} as "createKeys"
    from invoice i join invoice_order link on link."invoiceId" = i.id join "order" o on o.id = link."orderId"
      order by i.id`,
  )
  for (const invoice of stored) {
    const once = invoice.status === 'sent' ? 1 : 0
    expect(invoice, `invoice ${invoice.id}`).toMatchObject({
      status: once ? 'sent' : 'created',
      version: 1 + once,
      lines: 1,
      papers: once,
      documents: once,
      mails: once,
      attachments: once,
      sent: once,
      keys: once,
      createKeys: 1,
    })
  }
  const numbers = stored
    .flatMap((invoice) => (invoice.number === null ? [] : [Number(/(\d{5})$/.exec(invoice.number)![1])]))
    .toSorted((a, b) => a - b)
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1))
  const [counter] = await rowsOf<{ last: number }>(
    scene,
    'select coalesce(sum(last), 0)::int as last from invoice_counter',
  )
  expect(counter!.last).toBe(numbers.length)

  const byToken = Map.groupBy(stored, (invoice) => invoice.token)
  for (const { orderToken, acknowledged, sending } of scene.ledger.invoices) {
    const found = byToken.get(orderToken) ?? []
    byToken.delete(orderToken)
    expect(found.length, `invoice of ${orderToken}`).toBeLessThanOrEqual(1)
    if (acknowledged)
      expect(found[0], `invoice of ${orderToken}`).toMatchObject({
        id: acknowledged.id,
        ...(sending?.acknowledged && { number: sending.acknowledged.number, status: 'sent' }),
      })
  }
  expect([...byToken.keys()], 'invoices that nobody asked for').toEqual([])

  // A mail that has not gone yet has a job that will send it: its own once it was tried, any one before.
  const [{ queued, jobs }] = (await rowsOf<{ queued: number; jobs: number }>(
    scene,
    `select ${count(`email e where e.status = 'queued'`)} as queued,
      ${count(`job.job j where j.name = 'deliver_email' and j.state in ('created', 'retry', 'active')`)} as jobs`,
  )) as [{ queued: number; jobs: number }]
  expect(jobs).toBeGreaterThanOrEqual(queued)
  const lost = await rowsOf(
    scene,
    `select id from email where status = 'queued' and tries > 0 and not exists (select 1 from job.job
      where name = 'deliver_email' and data ->> 'emailId' = email.id::text
        and state in ('created', 'retry', 'active'))`,
  )
  expect(lost).toEqual([])
}

async function filesIn(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name !== 'installation' && !entry.parentPath.endsWith('quarantine'))
      found.set(
        entry.name,
        createHash('sha256')
          .update(await readFile(join(entry.parentPath, entry.name)))
          .digest('hex'),
      )
  }
  return found
}

/** No row without its file at any time; after the sweep, an hour on, no file without its row. */
async function expectFilesAsRows(scene: Scene): Promise<void> {
  const { filesFolder } = scene.installation
  const rows = new Map(
    (await rowsOf<{ fileKey: string; sha256: string }>(scene, 'select "fileKey", sha256 from document')).map(
      ({ fileKey, sha256 }) => [fileKey, sha256],
    ),
  )
  const before = await filesIn(filesFolder)
  for (const [key, sha256] of rows) expect(before.get(key), `file ${key}`).toBe(sha256)
  const files = createLocalFileStore({ folder: filesFolder })
  const ctx = {
    db: scene.database.db,
    clock: { now: () => new Date(Date.now() + 2 * HOUR_MS) },
    ports: { files },
    log: { info: () => undefined, error: () => undefined },
  } as unknown as Ctx
  // A job of the living server may have a transaction open for a moment; then the sweep spares what is younger.
  do await sweepFiles.handle(ctx, {})
  while ((await filesIn(filesFolder)).size > rows.size)
  expect(await filesIn(filesFolder)).toEqual(rows)
}

/** Who asks again with the key of something that was acknowledged hears the same, and nothing is made twice. */
async function expectRepeatsToHearTheSame(scene: Scene): Promise<void> {
  const { installation, ledger, token, random } = scene
  const sample = <Item>(items: Item[]) =>
    Array.from({ length: Math.min(SAMPLE, items.length) }, () => items[random(items.length)]!)
  const counts = () =>
    rowsOf(
      scene,
      `select (select count(*) from "order") as orders, (select count(*) from invoice) as invoices,
        (select count(*) from email) as mails, (select sum(last) from invoice_counter) as last`,
    )
  const before = await counts()
  for (const { key, body, acknowledged } of sample(ledger.orders.filter((order) => order.acknowledged))) {
    const again = await installation.call('POST', 'orders', { body, headers: { 'idempotency-key': key }, token })
    expect(again).toMatchObject({ status: 201, body: { id: acknowledged!.id, number: acknowledged!.number } })
  }
  for (const { key, body, acknowledged } of sample(ledger.merges.filter((merge) => merge.acknowledged))) {
    const again = await installation.call('POST', 'orders/merge', { body, headers: { 'idempotency-key': key }, token })
    expect(again).toMatchObject({ status: 201, body: { id: acknowledged!.id } })
  }
  for (const { acknowledged, sending } of sample(ledger.invoices.filter((invoice) => invoice.sending?.acknowledged))) {
    const again = await installation.call('POST', `invoices/${acknowledged!.id}/send`, {
      body: INVOICE_MAIL,
      headers: { 'idempotency-key': sending!.key, 'if-match': `"${acknowledged!.version}"` },
      token,
    })
    expect(again).toMatchObject({ status: 200, body: { number: sending!.acknowledged!.number, status: 'sent' } })
  }
  expect(await counts()).toEqual(before)
}

/** The very next save works: who says ready must be. */
async function expectToWork({ installation, world, token }: Scene): Promise<void> {
  const answer = await installation.call('POST', 'vehicle-types', { body: { title: `Type ${Date.now()}` }, token })
  expect(answer?.status, JSON.stringify(answer?.body)).toBe(201)
  expect((await installation.call('GET', `customers/${world.customerId}`, { token }))?.status).toBe(200)
}

async function expectAllAsTold(scene: Scene): Promise<void> {
  await expectOrdersAsTold(scene)
  await expectMergesAsTold(scene)
  await expectInvoicesAsTold(scene)
  await expectFilesAsRows(scene)
  await expectRepeatsToHearTheSame(scene)
  expect(scene.ledger.faults).toEqual([])
}

/** The rounds prove something only if they hit people at work, and if they did work. */
function expectTheRoundsToBite({ ledger, readyAfterMs }: Scene, what: string): void {
  const acknowledged = ledger.orders.filter((order) => order.acknowledged).length
  const sent = ledger.invoices.filter((invoice) => invoice.sending?.acknowledged).length
  const merged = ledger.merges.filter((merge) => merge.acknowledged).length
  const slowest = Math.max(...readyAfterMs)
  console.log(
    `${what}: ${acknowledged} orders and ${sent} sent invoices and ${merged} merges acknowledged, ` +
      `${ledger.unanswered} requests without an answer, ready again after ` +
      `${Math.round(Math.min(...readyAfterMs))} to ${Math.round(slowest)} ms`,
  )
  expect(readyAfterMs).toHaveLength(ROUNDS)
  expect(slowest).toBeLessThan(READY_WITHIN_MS)
  expect(ledger.unanswered).toBeGreaterThan(ROUNDS)
  expect(acknowledged).toBeGreaterThan(5 * ROUNDS)
  expect(sent).toBeGreaterThan(ROUNDS)
  expect(merged).toBeGreaterThan(ROUNDS)
}

describe('kill -9 of the server', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene(1)
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

  it.each(rounds)('loses nothing and doubles nothing, round %i', async (round) => {
    await writeThroughA(killServer, scene, round)
    await expectAllAsTold(scene)
  })

  it('hit people at work, and was over within seconds each time', () => expectTheRoundsToBite(scene, 'server killed'))
})

describe('kill -9 of the embedded database', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene(2)
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

  it.each(rounds)('loses nothing and doubles nothing, round %i', async (round) => {
    await writeThroughA(killDatabase, scene, round)
    await expectAllAsTold(scene)
  })

  it('hit people at work, and was over within seconds each time', () => expectTheRoundsToBite(scene, 'database killed'))

  it('held no mail up for longer than minutes', { timeout: 200_000 }, async () => {
    const left = `select count(*)::int as mails from email where status = 'queued'`
    await expect.poll(() => rowsOf(scene, left), { timeout: 150_000, interval: 500 }).toEqual([{ mails: 0 }])
  })
})
