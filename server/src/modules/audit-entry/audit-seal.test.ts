import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { checkAudit, sealAudit } from './index.ts'

const test = useTestApp()

const rowsOf = async (statement: string) => (await test.database.pool.query(statement)).rows
const seal = () => sealAudit.handle(jobContext(test), {})
const check = () => checkAudit.handle(jobContext(test), {})
const seals = () => rowsOf('select position, "afterId", "upTo", count from audit_seal order by position')
const faults = () => rowsOf('select position, "firstId", "lastId", fault from audit_seal_faults()')
const state = async () => (await test.admin.get('operations')).body.audit

const ENTRY = `insert into audit_entry (at, "ownerKind", "ownerId", action, changes)
  values (now(), 'customer', 1, 'updated', '[{"path": "title", "from": "A", "to": "B"}]') returning id`
const newEntry = async (): Promise<number> => (await rowsOf(ENTRY))[0].id
const newEntries = (count: number) =>
  test.database.pool.query(`insert into audit_entry (at, "ownerKind", "ownerId", action, changes)
    select now(), 'customer', 1, 'created', '[]' from generate_series(1, ${count})`)

/** Until a node that seals waits for what is not at its end. */
const isWaiting = async (): Promise<void> => {
  await expect
    .poll(() => rowsOf(`select 1 from pg_stat_activity where query like '%seal_audit%' and wait_event = 'PgSleep'`))
    .toHaveLength(1)
}

/** Somebody at the database as its owner, with the triggers off. */
async function tamper(table: string, statement: string): Promise<void> {
  await test.asOwner(`alter table ${table} disable trigger append_only; ${statement};
    alter table ${table} enable trigger append_only`)
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

describe('the role that serves', () => {
  it('can write, change and remove no seal, and change no entry', async () => {
    await newEntry()
    await seal()
    expect(await seals()).not.toHaveLength(0)
    for (const statement of [
      `insert into audit_seal values (99, 98, 99, 1, now(), 1, '', '')`,
      `update audit_seal set root = ''`,
      'delete from audit_seal',
      'truncate audit_seal',
      `update audit_entry set reason = 'no'`,
      'delete from audit_entry',
    ])
      await expect(rowsOf(statement), statement).rejects.toThrow(/permission denied/)
    // Nor the owner by mistake.
    await expect(test.asOwner('delete from audit_seal')).rejects.toThrow('append-only')
    await expect(test.asOwner('truncate audit_seal')).rejects.toThrow('append-only')
  })
})

describe('sealing', () => {
  it('takes every entry once, in batches that follow one another', async () => {
    await newEntries(2300)
    await seal()
    const made = await seals()
    expect(made.length).toBeGreaterThan(3)
    expect(made.map(({ position }) => position)).toEqual(made.map((_, index) => index + 1))
    expect(made.map(({ afterId }) => afterId)).toEqual([0, ...made.slice(0, -1).map(({ upTo }) => upTo)])
    const [{ count }] = await rowsOf('select count(*)::int as count from audit_entry')
    expect(made.reduce((sum, one) => sum + one.count, 0)).toBe(count)
    expect(await faults()).toEqual([])
    await seal()
    expect(await seals()).toHaveLength(made.length)
  })

  it('waits for entries with a lower number whose transactions are not at their end', async () => {
    await seal()
    const before = (await seals()).length
    const slow = await connected(test.databaseUrl)
    try {
      await slow.query('begin')
      const { rows } = await slow.query<{ id: string }>(ENTRY)
      const lower = Number(rows[0]!.id)
      const higher = await newEntry()
      expect(lower).toBeLessThan(higher)
      expect(await rowsOf('select * from seal_audit(100, 1000)')).toEqual([])
      // One that begins while it waits has a higher number, and is not waited for.
      const sealing = seal()
      await isWaiting()
      const late = await connected(test.databaseUrl)
      await late.query('begin')
      await slow.query('commit')
      await late.query(ENTRY)
      await sealing
      await late.query('rollback')
      await late.end()
      const made = (await seals()).slice(before)
      expect(made[0]).toMatchObject({ count: 2, upTo: higher })
      expect(await faults()).toEqual([])
    } finally {
      await slow.end()
    }
  })

  it('is one node’s work where several begin at once', async () => {
    await newEntries(3100)
    await Promise.all([seal(), seal(), seal(), seal()])
    await seal()
    expect(await faults()).toEqual([])
    expect((await state()).unsealed).toBe(0)
  })

  it('does not depend on how a connection shows times', async () => {
    const client = await connected(test.databaseUrl)
    await client.query(`set timezone = 'America/New_York'; set datestyle = 'German'`)
    expect((await client.query('select * from audit_seal_faults()')).rows).toEqual([])
    await client.end()
  })

  it('hinders nobody who saves meanwhile', async () => {
    const slow = await connected(test.databaseUrl)
    await slow.query('begin')
    await slow.query(ENTRY)
    await newEntry()
    const sealing = seal()
    await isWaiting()
    expect((await test.signIn(ADMIN.email, ADMIN.password)).status).toBe(200)
    await newEntry()
    await slow.query('commit')
    await slow.end()
    await sealing
    expect(await faults()).toEqual([])
  })
})

describe('who writes past Waybill', () => {
  beforeAll(async () => {
    const ownerId = await test.idOf('user', 'email', ADMIN.email)
    const asked = { title: 'Warehouse', ownerId, permissions: ['ORDERS_MANAGEMENT'], days: 30 }
    await test.admin.post('api-keys', asked)
  })

  /** A batch of its own, with nothing of before. */
  async function sealedBatch(): Promise<{ first: number; last: number }> {
    await seal()
    const ids = [await newEntry(), await newEntry(), await newEntry()]
    await seal()
    return { first: ids[0]!, last: ids[2]! }
  }
  const told = async () => {
    await check()
    const { faultCount, faults: named } = await state()
    return { faultCount, named: named.map(({ at: _at, ...one }: { at: string }) => one) }
  }

  it('is seen: an entry that was changed, with its batch, until it is as it was', async () => {
    const { first, last } = await sealedBatch()
    expect(await told()).toEqual({ faultCount: 0, named: [] })
    await tamper('audit_entry', `update audit_entry set changes = '[]' where id = ${first}`)
    expect(await told()).toEqual({ faultCount: 1, named: [{ firstId: first, lastId: last, fault: 'content' }] })
    await tamper(
      'audit_entry',
      `update audit_entry set changes = '[{"path": "title", "from": "A", "to": "B"}]' where id = ${first}`,
    )
    expect(await told()).toEqual({ faultCount: 0, named: [] })
  })

  it.each([
    ['another time', `at = at + interval '1 second'`],
    ['another person', '"actorId" = 4711'],
    ['another key', '"apiKeyId" = (select max(id) from api_key)'],
    ['another kind', `"ownerKind" = 'carrier'`],
    ['another record', '"ownerId" = 4711'],
    ['another action', `action = 'created'`],
    ['a reason', `reason = 'none'`],
    ['another request', `"requestId" = 'none'`],
  ])('is seen: %s', async (_what, change) => {
    const { first, last } = await sealedBatch()
    await test.asOwner(`alter table audit_entry disable trigger append_only;
      create table kept_entry as select * from audit_entry where id = ${last};
      update audit_entry set ${change} where id = ${last}`)
    expect(await faults()).toEqual([{ position: expect.any(Number), firstId: first, lastId: last, fault: 'content' }])
    await test.asOwner(`update audit_entry e set at = k.at, "actorId" = k."actorId", "apiKeyId" = k."apiKeyId",
        "ownerKind" = k."ownerKind", "ownerId" = k."ownerId", action = k.action, reason = k.reason,
        "requestId" = k."requestId" from kept_entry k where e.id = k.id;
      drop table kept_entry; alter table audit_entry enable trigger append_only`)
    expect(await faults()).toEqual([])
  })

  it('is seen: an entry taken away, and one slipped in', async () => {
    const { first, last } = await sealedBatch()
    await tamper('audit_entry', `delete from audit_entry where id = ${first + 1}`)
    expect(await told()).toEqual({ faultCount: 1, named: [{ firstId: first, lastId: last, fault: 'count' }] })
    await test.asOwner(`insert into audit_entry (id, at, "ownerKind", "ownerId", action, changes)
      overriding system value values (${first + 1}, now(), 'customer', 1, 'updated', '[]')`)
    expect((await told()).named).toEqual([{ firstId: first, lastId: last, fault: 'content' }])
  })

  it('is seen: a seal written anew for what was changed', async () => {
    const { first, last } = await sealedBatch()
    await newEntry()
    await seal()
    const before = await faults()
    await tamper('audit_entry', `update audit_entry set reason = 'mine' where id = ${first}`)
    await tamper(
      'audit_seal',
      `update audit_seal s set root = b.root from audit_batch(${first - 1}, ${last}) b where s."upTo" = ${last}`,
    )
    const added = (await faults()).filter((one) => !before.some((old) => old.position === one.position))
    expect(added).toEqual([expect.objectContaining({ firstId: first, lastId: last, fault: 'chain' })])
    // With a hash that fits as well, the next seal no longer follows.
    await tamper(
      'audit_seal',
      `update audit_seal s set hash = audit_seal_hash(
      (select hash from audit_seal where position = s.position - 1), s) where s."upTo" = ${last}`,
    )
    const then = (await faults()).filter((one) => !before.some((old) => old.position === one.position))
    expect(then).toEqual([expect.objectContaining({ firstId: last + 1, fault: 'chain' })])
  })

  it('is seen: a seal taken out of the middle; and pieces of the chain tell what the whole tells', async () => {
    await sealedBatch()
    await newEntry()
    await seal()
    const [{ position }] = await rowsOf('select max(position) - 1 as position from audit_seal')
    await tamper('audit_seal', `delete from audit_seal where position = ${position}`)
    const whole = await faults()
    expect(whole).toContainEqual(expect.objectContaining({ position: position + 1, fault: 'chain' }))
    const pieces = []
    for (let behind = 0; behind <= position + 1; behind += 2)
      pieces.push(...(await rowsOf(`select position, "firstId", "lastId", fault from audit_seal_faults(${behind}, 2)`)))
    expect(pieces).toEqual(whole)
  })
})
