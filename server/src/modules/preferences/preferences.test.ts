import { describe, expect, it } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'

const test = useTestApp()

const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

const NOTHING_ELSE = { pinned: {}, widths: {}, defaultViews: {} }

describe('preferences', () => {
  it('refuse what is no theme, no density, no column and no list', async () => {
    const { caller } = await test.userWith()
    const change = async (patch: object) => faults(await caller.patch('profile/preferences', patch))
    expect(await change({ theme: 'pink' })).toEqual([422, 'theme invalid_value'])
    expect(await change({ density: 'tiny' })).toEqual([422, 'density invalid_value'])
    expect(await change({ font: 'Comic Sans' })).toEqual([422, 'font unknown_field'])
    expect(await change({ columns: { orders: ['number', '<b>'] } })).toEqual([422, 'columns.orders.1 invalid_value'])
    expect(await change({ columns: { 'Not a list': [] } })).toEqual([422, 'columns.Not a list invalid_value'])
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, n) => [`list-${'abcdefghij'[n % 10]}${'abcdefghij'[Math.floor(n / 10)]}`, []]),
    )
    expect(await change({ columns: many })).toEqual([422, 'columns too_many'])
    expect(await change({ pinned: many })).toEqual([422, 'pinned too_many'])
    expect(await change({ pinned: { orders: 'customer' } })).toEqual([422, 'pinned.orders invalid_type'])
  })

  it('are the standard ones until somebody chooses, each for themselves', async () => {
    const { caller } = await test.userWith()
    const other = await test.userWith()
    expect((await caller.get('profile/preferences')).body).toEqual({
      theme: 'system',
      density: 'compact',
      columns: {},
      pinned: {},
      widths: {},
      defaultViews: {},
    })
    expect(
      (await caller.patch('profile/preferences', { theme: 'dark', columns: { orders: ['number', 'status'] } })).body,
    ).toEqual({ theme: 'dark', density: 'compact', columns: { orders: ['number', 'status'] }, ...NOTHING_ELSE })
    await caller.patch('profile/preferences', { density: 'normal', columns: { invoices: ['number'] } })
    expect((await caller.get('profile/preferences')).body).toEqual({
      theme: 'dark',
      density: 'normal',
      columns: { orders: ['number', 'status'], invoices: ['number'] },
      ...NOTHING_ELSE,
    })
    expect((await caller.patch('profile/preferences', { columns: { orders: null } })).body.columns).toEqual({
      invoices: ['number'],
    })
    expect((await other.caller.get('profile/preferences')).body.theme).toBe('system')
  })

  it('remember the version whose news somebody has looked at', async () => {
    const { caller } = await test.userWith()
    expect(faults(await caller.patch('profile/preferences', { seenVersion: 'x'.repeat(21) }))).toEqual([
      422,
      'seenVersion too_long',
    ])
    // Half a character, which PostgreSQL does not keep.
    expect(faults(await caller.patch('profile/preferences', { seenVersion: '0.2\ud83d' }))).toEqual([
      422,
      'seenVersion invalid_text',
    ])
    await caller.patch('profile/preferences', { seenVersion: '0.2.0' })
    await caller.patch('profile/preferences', { theme: 'dark' })
    expect((await caller.get('profile/preferences')).body).toMatchObject({ seenVersion: '0.2.0', theme: 'dark' })
  })

  it('keep the columns that stay at the left beside those that are shown', async () => {
    const { caller } = await test.userWith()
    await caller.patch('profile/preferences', {
      columns: { orders: ['customer', 'status'] },
      pinned: { orders: ['customer'], invoices: ['status'] },
    })
    expect(
      (await caller.patch('profile/preferences', { columns: { orders: null }, pinned: { orders: null } })).body,
    ).toMatchObject({ columns: {}, pinned: { invoices: ['status'] } })
  })

  it('keep the widths of columns and the view with which a list begins', async () => {
    const { caller } = await test.userWith()
    const change = (patch: object) => caller.patch('profile/preferences', patch)
    expect(faults(await change({ widths: { orders: { customer: 20 } } }))).toEqual([
      422,
      'widths.orders.customer too_small',
    ])
    expect(faults(await change({ widths: { orders: { customer: 601 } } }))).toEqual([
      422,
      'widths.orders.customer too_big',
    ])
    expect(faults(await change({ defaultViews: { orders: 'mine' } }))).toEqual([
      422,
      'defaultViews.orders invalid_type',
    ])
    await change({ widths: { orders: { customer: 240, number: 90 }, invoices: { party: 300 } } })
    // Given anew they are given whole.
    expect((await change({ widths: { orders: { customer: 200 } }, defaultViews: { orders: 7 } })).body).toMatchObject({
      widths: { orders: { customer: 200 }, invoices: { party: 300 } },
      defaultViews: { orders: 7 },
    })
    const { body } = await change({ widths: { orders: null }, defaultViews: { orders: null } })
    expect([body.widths, body.defaultViews]).toEqual([{ invoices: { party: 300 } }, {}])
  })

  it('lose nothing when ten tabs change different lists at once', async () => {
    const { caller } = await test.userWith()
    const lists = [...'abcdefghij'].map((letter) => `list-${letter}`)
    await Promise.all(lists.map((list) => caller.patch('profile/preferences', { columns: { [list]: ['number'] } })))
    expect(Object.keys((await caller.get('profile/preferences')).body.columns).toSorted()).toEqual(lists)
  })
})

describe('saved views', () => {
  const view = (more: object = {}) => ({
    list: 'orders',
    name: 'Late ones',
    query: 'delayed=1&sort=-createdAt',
    ...more,
  })
  const names = async (caller: Caller, query = '') =>
    (await caller.get(`profile/views${query}`)).body.items.map(({ name }: { name: string }) => name)

  it('refuse a list that does not exist or may not be opened, a name that is missing or taken', async () => {
    const { caller } = await test.userWith('ORDERS_MANAGEMENT', 'CUSTOMER_MANAGEMENT')
    const make = async (more: object) => faults(await caller.post('profile/views', view(more)))
    expect(await make({ list: 'nowhere' })).toEqual([422, 'list invalid_value'])
    expect(await make({ list: 'invoices' })).toEqual([422, 'list invalid_value'])
    expect(await make({ name: ' ' })).toEqual([422, 'name required'])
    expect(await make({ sharedWith: 'world' })).toEqual([422, 'sharedWith invalid_value'])
    expect(await make({ columns: ['status'] })).toEqual([422, 'columns invalid_type'])
    expect(await make({ columns: { shown: ['<b>'], pinned: [] } })).toEqual([422, 'columns.shown.0 invalid_value'])
    expect(await make({})).toEqual([201])
    expect(await make({ name: 'late ONES' })).toEqual([422, 'name taken'])
    expect(await make({ list: 'customers', name: 'Late ones' })).toEqual([201])
  })

  it('are saved, renamed and deleted by their owner alone', async () => {
    const { caller } = await test.userWith('ORDERS_MANAGEMENT')
    const stranger = (await test.userWith('ORDERS_MANAGEMENT')).caller
    const { status, body } = await caller.post('profile/views', view({ sharedWith: 'all' }))
    expect(status).toBe(201)
    expect(body).toMatchObject({
      version: 1,
      list: 'orders',
      name: 'Late ones',
      query: 'delayed=1&sort=-createdAt',
      sharedWith: 'all',
      isOwn: true,
      owner: { title: expect.stringMatching(/^Person/) },
    })
    expect((await stranger.patch(`profile/views/${body.id}`, { name: 'Mine' }, { version: 1 })).status).toBe(404)
    expect((await stranger.delete(`profile/views/${body.id}`)).status).toBe(404)
    expect((await caller.patch(`profile/views/${body.id}`, { name: 'Renamed' })).status).toBe(428)
    const renamed = await caller.patch(`profile/views/${body.id}`, { name: 'Renamed' }, { version: 1 })
    expect(renamed.body).toMatchObject({
      version: 2,
      name: 'Renamed',
      sharedWith: 'all',
      query: 'delayed=1&sort=-createdAt',
    })
    expect((await caller.patch(`profile/views/${body.id}`, { name: 'Again' }, { version: 1 })).body).toMatchObject({
      code: 'stale_version',
      current: { version: 2 },
    })
    expect((await caller.delete(`profile/views/${body.id}`, { version: 1 })).body.code).toBe('stale_version')
    expect((await caller.delete(`profile/views/${body.id}`, { version: 2 })).status).toBe(204)
    expect((await caller.delete(`profile/views/${body.id}`)).status).toBe(404)
    const { rows } = await test.database.pool.query(
      `select action from audit_entry where "ownerKind" = 'savedView' and "ownerId" = $1 order by id`,
      [body.id],
    )
    expect(rows).toEqual([{ action: 'created' }, { action: 'updated' }, { action: 'deleted' }])
  })

  it('hold the columns that they show, where they say so', async () => {
    const { caller } = await test.userWith('ORDERS_MANAGEMENT')
    const columns = { shown: ['customer', 'status'], pinned: ['customer'] }
    const { body } = await caller.post('profile/views', view({ columns }))
    expect(body.columns).toEqual(columns)
    expect((await caller.patch(`profile/views/${body.id}`, { name: 'Renamed' }, { version: 1 })).body.columns).toEqual(
      columns,
    )
    expect((await caller.patch(`profile/views/${body.id}`, { columns: null }, { version: 2 })).body.columns).toBeNull()
    expect((await caller.post('profile/views', view())).body.columns).toBeNull()
  })

  it('are shown to their owner, the department or all, and only with the right to their list', async () => {
    const owner = await test.userWith('INVOICES_PROCESSING', 'ORDERS_MANAGEMENT')
    const colleague = (await test.userWith('INVOICES_PROCESSING')).caller
    const elsewhere = await test.userWith('INVOICES_PROCESSING')
    const dispatcher = (await test.userWith('CUSTOMER_MANAGEMENT')).caller
    await test.database.pool.query('update "user" set "departmentId" = null where id = $1', [elsewhere.id])
    for (const sharedWith of ['nobody', 'department', 'all'])
      expect(
        (await owner.caller.post('profile/views', view({ list: 'invoices', name: `For ${sharedWith}`, sharedWith })))
          .status,
      ).toBe(201)
    expect(await names(owner.caller, '?list=invoices')).toEqual(['For all', 'For department', 'For nobody'])
    expect(await names(colleague)).toEqual(['For all', 'For department'])
    expect((await colleague.get('profile/views')).body.items[0]).toMatchObject({
      isOwn: false,
      owner: { id: owner.id },
    })
    expect(await names(elsewhere.caller)).toEqual(['For all'])
    expect(await names(dispatcher)).not.toContain('For all')
    expect(await names(owner.caller, '?list=orders')).not.toContain('For all')
    expect((await owner.caller.get('profile/views?list=Not%20one')).status).toBe(422)
    // Nor those of somebody who has left.
    await test.database.pool.query(`update "user" set state = 'inactive' where id = $1`, [owner.id])
    expect(await names(colleague)).toEqual([])
  })

  it('are at most two hundred a person', async () => {
    const { caller, id } = await test.userWith('ORDERS_MANAGEMENT')
    await test.database.pool.query(
      `insert into saved_view ("userId", list, name, query, "sharedWith", "createdAt")
        select $1, 'orders', 'View ' || n, '', 'nobody', now() from generate_series(1, 200) n`,
      [id],
    )
    expect(faults(await caller.post('profile/views', view()))).toEqual([422, 'name too_many'])
  })
})
