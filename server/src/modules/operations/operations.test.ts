import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../../test/app.ts'
import { orderWorld, plainOrder, shipment } from '../../../test/order-examples.ts'

const test = useTestApp()
const NOBODY = '00000000-0000-4000-8000-000000000000'
let adminId: number

beforeAll(async () => {
  adminId = await test.idOf('user', 'email', ADMIN.email)
})

const state = async () => (await test.admin.get('operations')).body
const newest = async () => (await test.admin.get('audit')).body.items[0]

/** A job that is tried no more, as the queue leaves it. */
async function failedJob(): Promise<string> {
  await test.ports.jobs.enqueue({ db: test.database.db }, 'sweep_changes', {})
  const { rows } = await test.database.pool.query<{ id: string }>(
    `update job.job set state = 'failed', completed_on = now(), retry_count = 8
      where name = 'sweep_changes' and state = 'created' returning id`,
  )
  return rows[0]!.id
}
const stateOf = async (id: string) =>
  (await test.database.pool.query('select state from job.job where id = $1', [id])).rows[0]?.state

describe('who looks after Waybill', () => {
  it('is an administrator in person: neither staff, nor who has every right, nor a key', async () => {
    const id = await failedJob()
    const { caller: staff } = await test.userWith('ORDERS_MANAGEMENT')
    const { caller: holder } = await test.userWith('FULL_ACCESS')
    const { body: key } = await test.admin.post('api-keys', {
      title: 'Warehouse',
      ownerId: adminId,
      permissions: ['ORDERS_MANAGEMENT'],
      days: 30,
    })
    for (const caller of [staff, holder, test.withToken(key.token)]) {
      const answers = await Promise.all([
        caller.get('operations'),
        caller.get('operations/licences'),
        caller.post(`operations/jobs/sweep_changes/${id}/retry`),
        caller.delete(`operations/jobs/sweep_changes/${id}`),
        caller.post('operations/held', { word: 'drop', restoredAt: '2026-11-25T10:00:00.000Z' }),
        caller.post('operations/numbers', { companyId: 1, last: 9, restoredAt: '2026-11-25T10:00:00.000Z' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    }
    expect((await test.anonymous.get('operations')).status).toBe(401)
    expect(await stateOf(id)).toBe('failed')
    await test.admin.delete(`operations/jobs/sweep_changes/${id}`)
  })

  it('acts on nothing that is not there: other jobs, other names, other words', async () => {
    const id = await failedJob()
    const statuses = await Promise.all([
      test.admin.post(`operations/jobs/sweep_changes/${NOBODY}/retry`),
      test.admin.post(`operations/jobs/deliver_email/${id}/retry`),
      test.admin.post(`operations/jobs/no_such_job/${id}/retry`),
      test.admin.delete(`operations/jobs/deliver_email/${id}`),
      test.admin.post('operations/jobs/sweep_changes/7/retry'),
      test.admin.post('operations/held', { word: 'release', restoredAt: '2026-11-25T10:00:00.000Z' }),
      test.admin.post('operations/held', { word: 'burn', restoredAt: '2026-11-25T10:00:00.000Z' }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 422])
    expect(await stateOf(id)).toBe('failed')
    await test.admin.delete(`operations/jobs/sweep_changes/${id}`)
  })
})

describe('how Waybill stands', () => {
  it('is told with version, machine, database, jobs, mails, files and backups', async () => {
    expect(await state()).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node: expect.any(String),
      startedAt: expect.any(String),
      database: { version: expect.stringMatching(/^\d+/), bytes: expect.any(Number) },
      jobs: expect.arrayContaining([expect.objectContaining({ name: 'deliver_email', waiting: 0, failed: 0 })]),
      failedJobs: [],
      mails: { planned: 0, failed: 0 },
      sessions: expect.any(Number),
      files: { count: 0, bytes: 0, isExact: true },
      backups: { isScheduled: false, lastAt: null, failedAt: null, faultyFiles: 0, areOldOnesLeft: false },
      held: null,
    })
  })

  it('tells when the last good backup was begun, and that a later one failed, without its words', async () => {
    await test.database.pool.query(`insert into backup_run ("isScheduled", place, "beganAt", "endedAt", manifest, error)
      values (true, '/backups', '2026-11-24T02:30:00Z', '2026-11-24T02:31:00Z', 'one', null),
        (true, '/backups', '2026-11-25T02:30:00Z', '2026-11-25T02:31:00Z', null, 'EACCES /backups')`)
    const { backups } = await state()
    expect(backups).toEqual({
      isScheduled: false,
      lastAt: '2026-11-24T02:30:00.000Z',
      failedAt: '2026-11-25T02:30:00.000Z',
      faultyFiles: 0,
      areOldOnesLeft: false,
    })
    expect(JSON.stringify(await state())).not.toContain('EACCES')
  })

  it('lists what of others is in it, with licences, and nothing that only tests it', async () => {
    const { items } = (await test.admin.get('operations/licences')).body
    expect(items).toContainEqual({ name: 'fastify', version: expect.any(String), licence: 'MIT' })
    expect(items).toContainEqual({ name: 'react', version: expect.any(String), licence: 'MIT' })
    const names = items.map(({ name }: { name: string }) => name)
    expect(names).not.toContain('vitest')
    expect(names).not.toContain('@waybill/contract')
    expect(items.filter(({ licence }: { licence: string }) => licence === '')).toEqual([])
  })
})

describe('a job that failed', () => {
  it('is tried once more, and twice at once only once', async () => {
    const id = await failedJob()
    const [failed] = (await state()).failedJobs
    expect(failed).toEqual({ id, name: 'sweep_changes', failedAt: expect.any(String), tries: 9 })
    const path = `operations/jobs/sweep_changes/${id}/retry`
    const answers = await Promise.all([test.admin.post(path), test.admin.post(path)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    expect(await stateOf(id)).toBe('retry')
    expect((await state()).failedJobs).toEqual([])
    expect(await newest()).toMatchObject({ action: 'jobRetried', actor: { id: adminId } })
    const told = (await test.admin.get('audit')).body.items.filter(
      ({ action }: { action: string }) => action === 'jobRetried',
    )
    expect(told).toHaveLength(1)
  })

  it('is answered once to a repeat with the same key', async () => {
    const id = await failedJob()
    const again = () =>
      test.admin.post(
        `operations/jobs/sweep_changes/${id}/retry`,
        {},
        { headers: { 'idempotency-key': 'the same click' } },
      )
    expect([(await again()).status, (await again()).status]).toEqual([204, 204])
    await test.database.pool.query(`delete from job.job where id = $1`, [id])
  })

  it('is forgotten, and only while it is one that failed', async () => {
    const id = await failedJob()
    await test.admin.post(`operations/jobs/sweep_changes/${id}/retry`)
    expect((await test.admin.delete(`operations/jobs/sweep_changes/${id}`)).status).toBe(404)
    expect(await stateOf(id)).toBe('retry')
    await test.database.pool.query(`update job.job set state = 'failed' where id = $1`, [id])
    expect((await test.admin.delete(`operations/jobs/sweep_changes/${id}`)).status).toBe(204)
    expect(await stateOf(id)).toBeUndefined()
    expect(await newest()).toMatchObject({ action: 'jobRemoved' })
  })
})

describe('what waits since a restore', () => {
  async function restored(): Promise<string> {
    const world = await orderWorld(test)
    const customerId = await world.customer(`Hansa Bau ${crypto.randomUUID().slice(0, 8)}`, 'DE')
    const { body: order } = await test.admin.post('orders', plainOrder(world, customerId))
    await test.asOwner(`insert into email ("ownerKind", "ownerId", type, status, "to", cc, subject, html, frame,
        "messageId", "createdAt", "notBefore")
      values ('order', ${order.id}, 'other_emails', 'queued', '{a@b.example}', '{}', 'Text', '<p>Text</p>', '{}',
        '${crypto.randomUUID()}', now(), now())`)
    await test.asOwner(`insert into restore_hold (kind, "lastId", "backupAt", "restoredAt")
      select 'email', max(id), '2026-11-24T02:30:00Z', '2026-11-25T10:00:00Z' from email`)
    return (await state()).held.restoredAt
  }
  const statuses = async () =>
    (await test.database.pool.query('select status, reason from email order by id desc limit 1')).rows[0]

  it('takes no word about another restore than the one that was seen', async () => {
    await restored()
    const { status } = await test.admin.post('operations/held', {
      word: 'drop',
      restoredAt: '2026-11-25T09:00:00.000Z',
    })
    expect(status).toBe(404)
    expect((await state()).held.kinds).toEqual([{ kind: 'email', count: expect.any(Number) }])
    await test.asOwner('delete from restore_hold')
  })

  it('leaves with one word, that is given once', async () => {
    const restoredAt = await restored()
    const words = [1, 2].map(() => test.admin.post('operations/held', { word: 'release', restoredAt }))
    expect((await Promise.all(words)).map(({ status }) => status).sort()).toEqual([204, 404])
    expect((await state()).held).toBeNull()
    expect(await statuses()).toMatchObject({ status: 'queued' })
    expect(await newest()).toMatchObject({ action: 'heldReleased' })
  })

  it('is dropped with the other: the mails are taken back', async () => {
    const restoredAt = await restored()
    expect((await test.admin.post('operations/held', { word: 'drop', restoredAt })).status).toBe(204)
    expect(await statuses()).toEqual({ status: 'suppressed', reason: 'canceled' })
    expect((await state()).held).toBeNull()
    expect(await newest()).toMatchObject({ action: 'heldDropped' })
  })
})

describe('invoice numbers since a restore', () => {
  const restoredAt = '2026-11-25T10:00:00.000Z'
  let companyId: number
  let invoice: { id: number; version: number }
  const send = () =>
    test.admin.post(`invoices/${invoice.id}/send`, { to: ['billing@hansa.example'] }, { version: invoice.version })
  const say = (last: number, at = restoredAt) =>
    test.admin.post('operations/numbers', { companyId, last, restoredAt: at })

  beforeAll(async () => {
    const world = await orderWorld(test)
    const customerId = await world.customer('Hansa Holz GmbH', 'DE')
    const { body: order } = await test.admin.post('orders', {
      ...plainOrder(world, customerId),
      ...shipment(world),
      customerPriceCents: 50_000,
    })
    const made = await test.admin.post('invoices', { entityType: 'customer', orderIds: [order.id] })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    invoice = made.body
    companyId = await test.idOf('company', 'code', 'WB')
    await test.asOwner(`insert into number_hold select id, '2026-11-24T02:30:00Z', '${restoredAt}' from company`)
  })

  it('are given to nobody until an administrator has said which one was used last', async () => {
    expect((await send()).body.code).toBe('numbers_held')
    const { numbers } = await state()
    expect(numbers).toEqual([
      expect.objectContaining({ companyId, last: 0, restoredAt, backupAt: '2026-11-24T02:30:00.000Z' }),
    ])
    expect((await test.admin.get(`invoices/${invoice.id}`)).body).toMatchObject({ number: null, status: 'created' })
  })

  it('go on behind the last one that was used, by one word about the restore that was seen', async () => {
    expect((await say(39, '2026-11-25T09:00:00.000Z')).status).toBe(404)
    expect((await say(-1)).status).toBe(422)
    const words = await Promise.all([say(39), say(39)])
    expect(words.map(({ status }) => status).sort()).toEqual([204, 404])
    expect((await state()).numbers).toEqual([])
    expect(await newest()).toMatchObject({ action: 'numberNoted' })
    const { status, body } = await send()
    expect([status, body.number]).toEqual([200, expect.stringMatching(/0*40$/)])
  })

  it('never go back: what is numbered here stays', async () => {
    await test.asOwner(`insert into number_hold select id, '2026-11-24T02:30:00Z', '${restoredAt}' from company`)
    const { status, body } = await say(39)
    expect([status, body.errors?.[0]?.path]).toEqual([422, 'last'])
    expect((await state()).numbers).toHaveLength(1)
    expect((await say(40)).status).toBe(204)
  })
})
