import { beforeAll, describe, expect, it } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { FILES, upload } from '../../../../test/upload.ts'

const test = useTestApp()
let world: OrderWorld
let kartonwerk: number
let polder: number
let carrierCompanyId: number

beforeAll(async () => {
  world = await orderWorld(test)
  kartonwerk = await world.customer('Kartonwerk Süd GmbH', 'DE')
  polder = await world.customer('Polder Fresh Logistics B.V.', 'NL')
  carrierCompanyId = world.carrier.id
})

async function create(
  more: Partial<OrderInput> = {},
  { customerId = kartonwerk, caller = test.admin } = {},
): Promise<Order> {
  const { status, body } = await caller.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 40_000, ...more }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const idsOf = (orders: readonly Order[]) => orders.map((order) => order.id)
const merge = (orders: readonly Order[], more: object = {}, caller = test.admin): Promise<Answer> =>
  caller.post('orders/merge', { orderIds: idsOf(orders), carrierCompanyId, ...more })
async function merged(orders: readonly Order[], caller = test.admin): Promise<Order> {
  const { status, body } = await merge(orders, {}, caller)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const unmerge = (order: Order, caller = test.admin): Promise<Answer> =>
  caller.post(`orders/${order.id}/unmerge`, { version: order.version })
const read = async (order: Order, caller = test.admin): Promise<Order> =>
  (await caller.get<Order>(`orders/${order.id}`)).body
const move = (order: Order, to: string, more: object = {}): Promise<Answer> =>
  test.admin.post(`orders/${order.id}/status`, { to, version: order.version, reason: 'because', ...more })
const faultsOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map((error: { path: string; code: string }) => `${error.path} ${error.code}`)
const count = async (from: string): Promise<number> =>
  (await test.database.pool.query<{ n: number }>(`select count(*)::int as n from ${from}`)).rows[0]!.n

/** A file in the order's folder, without the bytes. */
const addDocument = (order: Order, documentType = 'OTHER_DOCUMENTS') =>
  test.database.pool.query(
    `insert into document ("ownerKind", "ownerId", "documentType", title, "contentType", "sizeBytes", sha256,
      "fileKey", acceptance, "createdAt")
      values ('order', $1, $2, 'pod.pdf', 'application/pdf', 1, '', $3, $4, now())`,
    [order.id, documentType, `file-${order.id}`, documentType === 'PROOF_OF_DELIVERY' ? 'accepted' : null],
  )

const stop = (city: string, kind: 'loading' | 'unloading', dateFrom: string, more: object = {}) => ({
  kind,
  countryId: world.countries.DE,
  city,
  termin: { kind: 'fix' as const, dateFrom },
  cargoActions: [{ cargoKey: 'c', action: kind === 'loading' ? ('PICK_UP' as const) : ('DROP_OFF' as const) }],
  ...more,
})

describe('a merge is refused', () => {
  it('with fewer than two orders, with one named twice, and without a carrier that exists', async () => {
    const [one, other] = [await create(), await create()]
    expect(faultsOf(await merge([one]))).toEqual(['orderIds too_few'])
    expect(faultsOf(await merge([one, other, one]))).toEqual(['orderIds.2 duplicate_key'])
    expect(faultsOf(await merge([one, other], { carrierCompanyId: 999_999 }))).toEqual([
      'carrierCompanyId unknown_reference',
    ])
    expect(faultsOf(await merge([one, other], { carrierCompanyId: undefined }))).toEqual(['carrierCompanyId required'])
    expect(faultsOf(await merge([one, other], { versions: [1, 1] }))).toEqual(['versions unknown_field'])
    expect([await read(one), await read(other)]).toEqual([one, other])
  })

  it('naming each order and what stands in its way, in the person’s language, and changes none', async () => {
    const { body: department } = await test.admin.post('departments', {
      abbreviation: 'Andere',
      companyId: (await test.admin.get('departments')).body.items[0].companyId,
      countryId: world.countries.DE,
    })
    const good = await create()
    const planned = await create({ routes: [{}] })
    const foreign = await create({ departmentId: department.id })
    const canceled = (await move(await create(), 'canceled')).body as Order
    const { body: idle } = await test.admin.patch<Order>(
      `orders/${(await create()).id}`,
      { state: 'inactive' },
      { version: 1 },
    )
    const result = await merged([await create(), await create()])
    const orders = [good, planned, foreign, canceled, idle, result]
    const before = await count('"order"')
    const answer = await test.admin.post(
      'orders/merge',
      { orderIds: idsOf(orders), carrierCompanyId },
      { headers: { 'accept-language': 'de' } },
    )
    expect(answer.status).toBe(422)
    expect(faultsOf(answer)).toEqual([
      'orderIds.1 merge_has_route',
      'orderIds.2 merge_other_department',
      'orderIds.3 merge_not_new',
      'orderIds.4 merge_inactive',
      'orderIds.5 merge_of_merged',
    ])
    expect(answer.body.errors[0].message).toBe(`Auftrag ${planned.number} hat bereits eine Route`)
    expect(await Promise.all(orders.map((order) => read(order)))).toEqual(orders)
    expect(await count('"order"')).toBe(before)
  })

  it('where one of the orders is foreign or does not exist: there is no such page', async () => {
    const { caller, id } = await test.userWith('ASSIGNED_ORDERS')
    const [mine, mineToo] = [await create({ managerIds: [id] }), await create({}, { caller })]
    const foreign = await create()
    expect((await merge([mine, foreign], {}, caller)).body.code).toBe('not_found')
    expect((await merge([mine, { ...foreign, id: 999_999 }])).body.code).toBe('not_found')
    expect((await read(foreign)).status).toBe('new')
    expect((await merged([mine, mineToo], caller)).status).toBe('new')
  })

  it('where the orders together are more than one order can hold', async () => {
    const lines = Array.from({ length: 260 }, (_, index) => ({ title: `Kiste ${index}` }))
    const [one, other] = [await create({ cargo: lines, locations: [] }), await create({ cargo: lines, locations: [] })]
    expect(faultsOf(await merge([one, other]))).toEqual(['cargo too_many'])
    expect((await read(one)).status).toBe('new')
  })
})

describe('the result of a merge', () => {
  it('carries customers, cargo, stops by date and managers of all, on one route with the carrier', async () => {
    const { caller, id: merger } = await test.userWith('ORDERS_MANAGEMENT')
    const helper = await test.userWith('ASSIGNED_ORDERS')
    const cargo = (title: string) => [{ key: 'c', title, weightKg: 100 }]
    const late = await create({
      cargo: cargo('Gitterboxen'),
      locations: [
        stop('Gersthofen', 'loading', '2026-12-02'),
        stop('Milano', 'unloading', '2026-12-03', {
          termin: { kind: 'before', dateFrom: '2026-12-05', timeFrom: '12:00' },
        }),
      ],
    })
    const early = await create(
      {
        customerPriceCents: 52_000,
        isLiftRequired: true,
        description: 'Keile nötig',
        managerIds: [helper.id],
        cargo: cargo('Rollen'),
        locations: [stop('Augsburg', 'loading', '2026-12-01'), stop('Legnano', 'unloading', '2026-12-03')],
      },
      { customerId: polder },
    )
    const undated = await create({
      customerPriceCents: null,
      cargo: cargo('Palette'),
      locations: [stop('Ulm', 'loading', '2026-12-04'), stop('Como', 'unloading', '2026-12-04', { termin: null })],
    })
    const result = await merged([late, early, undated], caller)

    expect(result).toMatchObject({
      status: 'new',
      version: 1,
      departmentId: world.departmentId,
      isMergeResult: true,
      mergedIntoId: null,
      customerPriceCents: 92_000,
      isLiftRequired: true,
      description: `${early.number}: Keile nötig`,
    })
    expect(result.customerIds).toEqual([kartonwerk, polder])
    expect(result.caseWorkerId).toBe(merger)
    expect(result.managerIds.toSorted()).toEqual(
      [...new Set([...late.managerIds, ...early.managerIds, merger])].toSorted(),
    )
    expect(result.locations.map((one) => one.city)).toEqual([
      'Augsburg',
      'Gersthofen',
      'Legnano',
      'Ulm',
      'Como',
      'Milano',
    ])
    expect(result.routes).toMatchObject([
      {
        status: 'new',
        locationIds: idsOf(result.locations as never),
        assignment: { carrierCompanyId, costCents: null },
      },
    ])
    expect(result.cargo.map((line) => [line.title, line.customerId, line.sourceOrder])).toEqual([
      ['Gitterboxen', kartonwerk, { id: late.id, title: late.number }],
      ['Rollen', polder, { id: early.id, title: early.number }],
      ['Palette', kartonwerk, { id: undated.id, title: undated.number }],
    ])
    // Each line goes on and off where it did.
    const stops = (line: Order['cargo'][number]) =>
      result.locations
        .filter((one) => one.cargoActions.some(({ cargoId }) => cargoId === line.id))
        .map((one) => one.city)
    expect(result.cargo.map(stops)).toEqual([
      ['Gersthofen', 'Milano'],
      ['Augsburg', 'Legnano'],
      ['Ulm', 'Como'],
    ])
    expect(result.sources.map(({ id, title, customerPriceCents }) => [id, title, customerPriceCents])).toEqual([
      [late.id, late.number, 40_000],
      [early.id, early.number, 52_000],
      [undated.id, undated.number, null],
    ])
    expect(result.unmergeObstacles).toEqual([])
    expect((await read(result, helper.caller)).id).toBe(result.id)
  })

  it('shows its managers those sources alone that they may know of', async () => {
    const { caller, id } = await test.userWith('ASSIGNED_ORDERS')
    const [mine, foreign] = [await create({ managerIds: [id] }), await create()]
    const result = await read(await merged([mine, foreign]), caller)
    expect(result.sources.map((source) => source.id)).toEqual([mine.id])
    expect(result.cargo.map((line) => line.sourceOrder?.id ?? null)).toEqual([mine.id, null])
    expect(JSON.stringify(result)).not.toContain(foreign.number)
    expect(faultsOf(await unmerge(result, caller))).toEqual(['status unmerge_foreign'])
    await test.database.pool.query('delete from order_manager where "orderId" = $1 and "userId" = $2', [result.id, id])
    await test.database.pool.query('update "order" set "managerIds" = array_remove("managerIds", $2) where id = $1', [
      result.id,
      id,
    ])
    expect((await read(mine, caller)).mergedInto).toBeNull()
  })

  it('has the sum of the prices, which nobody changes there, and keeps each cargo’s source when saved', async () => {
    const sources = [await create(), await create()]
    const result = await merged(sources)
    const patch = (body: object) => test.admin.patch(`orders/${result.id}`, body, { version: result.version })
    expect(faultsOf(await patch({ customerPriceCents: 1 }))).toEqual(['customerPriceCents read_only'])
    const { body } = await patch({
      cargo: [...result.cargo.map((line) => ({ ...line, marks: 'KS' })), { title: 'one more' }],
      routes: [{ ...result.routes[0], assignment: { ...result.routes[0]!.assignment, costCents: 60_000 } }],
    })
    expect(body.cargo.map((line: { sourceOrder: { id: number } | null }) => line.sourceOrder?.id)).toEqual([
      ...idsOf(sources),
      undefined,
    ])
    expect(body).toMatchObject({ customerPriceCents: 80_000, carrierCostCents: 60_000, incomeCents: 20_000 })
  })

  it('cannot be deleted under its sources', async () => {
    const result = await merged([await create(), await create()])
    expect((await test.admin.delete(`orders/${result.id}`)).body.code).toBe('in_use')
  })

  it('is made once when the call is repeated with its key', async () => {
    const sources = [await create(), await create()]
    const call = () =>
      test.admin.post(
        'orders/merge',
        { orderIds: idsOf(sources), carrierCompanyId },
        { headers: { 'idempotency-key': 'merge-once' } },
      )
    const [first, second] = [await call(), await call()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(first.headers.location).toBe(`/api/orders/${first.body.id}`)
  })

  it('is in the history of all, with who and when', async () => {
    const sources = [await create(), await create()]
    const result = await merged(sources)
    const entry = async (order: Order) => (await test.admin.get(`audit-entries?orderId=${order.id}`)).body.items[0]
    expect(await entry(result)).toMatchObject({
      action: 'mergedFrom',
      changes: [{ path: 'sourceIds', from: null, to: idsOf(sources) }],
    })
    expect(await entry(sources[0]!)).toMatchObject({
      action: 'merged',
      changes: expect.arrayContaining([
        { path: 'status', from: 'new', to: 'merged' },
        { path: 'mergedIntoId', from: null, to: result.id },
      ]),
    })
  })
})

describe('a merged order', () => {
  const pair = async (): Promise<[Order, Order, Order]> => {
    const sources = [await create(), await create()]
    const result = await merged(sources)
    return [await read(sources[0]!), await read(sources[1]!), result]
  }

  it('points to its result and can neither be saved, moved, deleted, merged again nor undone', async () => {
    const [source, , result] = await pair()
    expect(source).toMatchObject({
      status: 'merged',
      mergedIntoId: result.id,
      mergedInto: { id: result.id, title: result.number },
      statusDates: { merged: expect.any(String) },
      version: 2,
    })
    const patch = await test.admin.patch(
      `orders/${source.id}`,
      { description: 'x' },
      { version: 2, headers: { 'accept-language': 'pl' } },
    )
    expect(patch.body).toMatchObject({
      status: 409,
      code: 'conflict',
      errors: [{ code: 'order_merged', message: 'To zlecenie zostało połączone z innymi i nie można go zmieniać' }],
    })
    expect(
      (await test.admin.patch(`orders/${source.id}`, { routes: [carried(world)] }, { version: 2 })).body.code,
    ).toBe('conflict')
    expect((await move(source, 'new')).body).toMatchObject({ code: 'illegal_transition', from: 'merged', allowed: [] })
    expect((await test.admin.post(`orders/${source.id}/status/undo`, { version: 2 })).body.code).toBe('conflict')
    expect((await test.admin.delete(`orders/${source.id}`)).body.code).toBe('in_use')
    expect(faultsOf(await merge([await create(), source]))).toEqual(['orderIds.1 merge_not_new'])
    const paper = await upload(test.admin, {
      fields: { orderId: source.id, documentType: 'OTHER_DOCUMENTS' },
      file: { name: 'a.pdf', bytes: FILES.pdf() },
    })
    expect([paper.status, ...faultsOf(paper)]).toEqual([409, 'status order_merged'])
    expect(faultsOf(await unmerge(source))).toEqual(['status unmerge_not_result'])
    expect(await read(source)).toEqual(source)
  })

  it('is guarded by the database itself, down to the last part of it', { tags: 'long' }, async () => {
    const [source, other, result] = await pair()
    const query = (text: string, ...values: unknown[]) => test.database.pool.query(text, values)
    const refused = (text: string, ...values: unknown[]) =>
      expect(query(text, ...values), text).rejects.toMatchObject({ constraint: expect.stringMatching(/^conflict/) })
    await refused('update "order" set "customerPriceCents" = 1 where id = $1', source.id)
    await refused(`update "order" set status = 'new', "mergedIntoId" = null where id = $1`, source.id)
    await refused('update "order" set "mergedIntoId" = $2 where id = $1', source.id, other.id)
    await refused('delete from "order" where id = $1', source.id)
    await refused('update cargo set "weightKg" = 1 where "orderId" = $1', source.id)
    await refused('delete from location where "orderId" = $1', source.id)
    await refused('insert into route ("orderId", n) values ($1, 1)', source.id)
    await refused('delete from order_manager where "orderId" = $1', source.id)
    await refused('delete from order_customer where "orderId" = $1', source.id)
    await refused('delete from cargo_action where "cargoId" = $1', source.cargo[0]!.id)
    // Nor does an order go into a merge that may not.
    const free = await create()
    const planned = await create({ routes: [{}] })
    await refused(`update "order" set status = 'merged' where id = $1`, free.id)
    await refused(`update "order" set status = 'merged', "mergedIntoId" = $2 where id = $1`, free.id, planned.id)
    await refused(`update "order" set status = 'merged', "mergedIntoId" = $2 where id = $1`, planned.id, result.id)
    await refused(`update "order" set status = 'merged', "mergedIntoId" = $2 where id = $1`, result.id, result.id)
    expect([await read(source), await read(free)]).toEqual([source, free])
  })

  it('follows the new title of its customer', async () => {
    const customerId = await world.customer('Alter Name KG', 'DE')
    const source = await create({}, { customerId })
    await merged([source, await create()])
    await test.admin.patch(`customers/${customerId}`, { title: 'Neuer Name KG' }, { version: 1 })
    expect((await test.admin.get('orders?q=neuer name&status[]=merged')).body.items).toMatchObject([
      { id: source.id, customer: { title: 'Neuer Name KG' }, isMergeResult: false, hasRoute: false },
    ])
  })

  it('stays the billing unit: it is invoiced, its result is not; its freight falls with the transport', async () => {
    const [source, other, result] = await pair()
    expect(faultsOf(await test.admin.post('invoices', { entityType: 'customer', orderIds: [result.id] }))).toEqual([
      'orderIds.0 billed_by_sources',
    ])
    const invoice = await test.admin.post('invoices', { entityType: 'customer', orderIds: [source.id] })
    expect(invoice.status, JSON.stringify(invoice.body)).toBe(201)
    expect(invoice.body.lines).toMatchObject([{ orderId: source.id, unitPriceCents: 40_000 }])
    expect((await move(result, 'canceled')).status).toBe(200)
    expect(faultsOf(await test.admin.post('invoices', { entityType: 'customer', orderIds: [other.id] }))).toEqual([
      'orderIds.0 order_canceled',
    ])
  })

  it('has its POD where its result has one', async () => {
    const [source, , result] = await pair()
    expect(source.hasPod).toBe(false)
    await addDocument(result, 'PROOF_OF_DELIVERY')
    expect((await read(source)).hasPod).toBe(true)
  })
})

describe('unmerging', () => {
  it('makes the sources new again as they were, and cancels the result', async () => {
    const sources = [await create(), await create({ customerPriceCents: 52_000 }, { customerId: polder })]
    const result = await merged(sources)
    const { status, body } = await unmerge(result)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      id: result.id,
      status: 'canceled',
      version: 2,
      routes: [{ status: 'canceled' }],
      sources: [],
      unmergeObstacles: null,
      isMergeResult: true,
      undoUntil: null,
    })
    expect(body.cargo.map((line: { sourceOrder: { id: number } }) => line.sourceOrder.id)).toEqual(idsOf(sources))
    for (const source of sources) {
      const after = await read(source)
      expect(after).toEqual({
        ...source,
        version: 3,
        statusDates: { new: after.statusDates.new, merged: after.statusDates.merged },
      })
    }
    const { body: history } = await test.admin.get(`audit-entries?orderId=${result.id}`)
    expect(history.items[0]).toMatchObject({
      action: 'unmerged',
      reason: 'unmerged',
      changes: expect.arrayContaining([{ path: 'status', from: 'new', to: 'canceled' }]),
    })
    const { rows } = await test.database.pool.query(
      'select "from", "to", reason from status_move where "orderId" = any($1) order by id',
      [idsOf([...sources, result])],
    )
    expect(rows).toEqual([
      ...sources.map(() => ({ from: 'new', to: 'merged', reason: null })),
      { from: 'new', to: 'canceled', reason: 'unmerged' },
      ...sources.map(() => ({ from: 'merged', to: 'new', reason: null })),
    ])
    // They are orders like any other, and can be merged anew.
    expect((await merged([await read(sources[0]!), await read(sources[1]!)])).customerPriceCents).toBe(92_000)
  })

  it('is final: the result does not come back to life beside its sources', async () => {
    const result = await merged([await create(), await create()])
    const canceled = (await unmerge(result)).body as Order
    expect(faultsOf(await move(canceled, 'new'))).toEqual(['status merge_undone'])
    expect(faultsOf(await unmerge(canceled))).toEqual(['status merge_undone'])
  })

  it('needs the version read, and refuses an old one and an order that is foreign', async () => {
    const result = await merged([await create(), await create()])
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    expect((await test.admin.post(`orders/${result.id}/unmerge`)).body.code).toBe('version_required')
    expect((await unmerge({ ...result, version: 7 })).body).toMatchObject({
      code: 'stale_version',
      current: { id: result.id },
    })
    expect((await unmerge(result, caller)).body.code).toBe('not_found')
    expect(faultsOf(await unmerge(await create()))).toEqual(['status unmerge_not_result'])
  })

  it.each<[string, (result: Order) => Promise<unknown>, string[]]>([
    ['has left new', (result) => move(result, 'scheduled'), ['status unmerge_left_new']],
    [
      'has left new and is new again',
      async (result) => move((await move(result, 'scheduled')).body, 'new'),
      ['status unmerge_left_new'],
    ],
    [
      'was edited',
      (result) => test.admin.patch(`orders/${result.id}`, { description: 'call before' }, { version: result.version }),
      ['status unmerge_edited'],
    ],
    ['has documents', (result) => addDocument(result), ['status unmerge_has_documents']],
    [
      'has sent mails',
      (result) =>
        test.database.pool.query(
          `insert into email ("ownerKind", "ownerId", type, status, "to", cc, subject, html, frame, "messageId",
            "notBefore", "createdAt") values ('order', $1, 'order_resolved', 'sent', '{a@b.example}', '{}', 's',
            '<p>x</p>', '{}', $2, now(), now())`,
          [result.id, `mail-${result.id}@waybill.example`],
        ),
      ['status unmerge_has_mails'],
    ],
  ])('is refused once the result %s', async (_, happen, faults) => {
    const sources = [await create(), await create()]
    const result = await merged(sources)
    await happen(result)
    const now = await read(result)
    const answer = await unmerge(now)
    expect([answer.status, answer.body.code, ...faultsOf(answer)]).toEqual([409, 'conflict', ...faults])
    expect(now.unmergeObstacles!.map((code) => `status ${code}`)).toEqual(faults)
    expect((await read(sources[0]!)).mergedIntoId).toBe(result.id)
  })

  it('is still possible after a move that was taken back', async () => {
    const result = await merged([await create(), await create()])
    const scheduled = (await move(result, 'scheduled')).body as Order
    const undone = (await test.admin.post(`orders/${result.id}/status/undo`, { version: scheduled.version }))
      .body as Order
    expect((await unmerge(undone)).body.status).toBe('canceled')
  })
})

describe('at the same time', () => {
  it('a hundred overlapping merges never put an order into two results, and never leave half a merge', {
    tags: 'long',
  }, async () => {
    const people: Caller[] = [test.admin, (await test.userWith('ORDERS_MANAGEMENT')).caller]
    const orders: Order[] = []
    for (let place = 0; place < 30; place += 1) orders.push(await create({ customerPriceCents: 1000 + place }))
    const before = await count('"order"')
    // Each wants three that others want too, named in another order.
    const wanted = Array.from({ length: 100 }, (_, turn) =>
      [0, 7 + (turn % 5), 13 + (turn % 3)].map((step) => orders[(turn * 11 + step * (turn % 2 ? 1 : 29)) % 30]!),
    )
    const answers = await Promise.all(wanted.map((three, turn) => merge(three, {}, people[turn % 2])))
    const won = answers.flatMap(({ status, body }) => (status === 201 ? [body as Order] : []))
    for (const { status, body } of answers) expect([201, 422], JSON.stringify(body)).toContain(status)
    expect(won.length).toBeGreaterThan(0)
    expect(await count('"order"')).toBe(before + won.length)

    const taken = won.flatMap((result) => result.sources.map((source) => source.id))
    expect(new Set(taken).size).toBe(taken.length)
    for (const order of orders) {
      const after = await read(order)
      const result = won.find(({ sources }) => sources.some(({ id }) => id === order.id))
      expect([after.status, after.mergedIntoId, after.version]).toEqual(
        result ? ['merged', result.id, 2] : ['new', null, 1],
      )
    }
    for (const result of won) {
      expect([result.sources.length, result.cargo.length, result.locations.length]).toEqual([3, 3, 6])
      expect(result.customerPriceCents).toBe(
        result.sources.reduce((sum, source) => sum + source.customerPriceCents!, 0),
      )
    }
  })

  it('a save and a merge of one order end as one after the other, never mixed', { tags: 'long' }, async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [await create(), await create()]
      const [saved, made] = await Promise.all([
        test.admin.patch(`orders/${one.id}`, { routes: [carried(world)], customerPriceCents: 50_000 }, { version: 1 }),
        merge([one, other]),
      ])
      const after = await read(one)
      if (made.status === 201) {
        expect([409, after.status, after.routes.length, made.body.customerPriceCents]).toEqual([
          saved.status,
          'merged',
          0,
          80_000,
        ])
      } else {
        expect(faultsOf(made)).toEqual(['orderIds.0 merge_has_route'])
        expect([saved.status, after.status, after.customerPriceCents]).toEqual([200, 'new', 50_000])
      }
    }
  })

  it('two people who unmerge are one', async () => {
    const sources = [await create(), await create()]
    const result = await merged(sources)
    const answers = await Promise.all(Array.from({ length: 10 }, () => unmerge(result)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect((await read(sources[0]!)).version).toBe(3)
  })
})
