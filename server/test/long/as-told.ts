// What was acknowledged is there, what was not is there once or not at all: asked of the database, the files and the
// API, whatever was killed.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Ctx } from '../../src/kit/context/context.ts'
import { createLocalFileStore } from '../../src/kit/files/files.ts'
import { sweepFiles } from '../../src/modules/document/index.ts'
import { INVOICE_MAIL } from '../mail-server.ts'
import type { Scene } from './scene.ts'
import { COST_CENTS, MERGE_PRICE_CENTS, MERGE_TOKEN, priceOf } from './writers.ts'

const SAMPLE = 5
const HOUR_MS = 3_600_000

export const rowsOf = async <Row extends object>(scene: Scene, text: string, values: unknown[] = []): Promise<Row[]> =>
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
export async function expectToWork({ installation, world, token }: Scene): Promise<void> {
  const answer = await installation.call('POST', 'vehicle-types', { body: { title: `Type ${Date.now()}` }, token })
  expect(answer?.status, JSON.stringify(answer?.body)).toBe(201)
  expect((await installation.call('GET', `customers/${world.customerId}`, { token }))?.status).toBe(200)
}

/** All of it, and nobody saw a fault. */
export async function expectAllAsTold(scene: Scene): Promise<void> {
  await expectOrdersAsTold(scene)
  await expectMergesAsTold(scene)
  await expectInvoicesAsTold(scene)
  await expectFilesAsRows(scene)
  await expectRepeatsToHearTheSame(scene)
  expect(scene.ledger.faults).toEqual([])
}
