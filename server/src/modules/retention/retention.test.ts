import { beforeAll, describe, expect, it } from 'vitest'
import { PERSON_KINDS, type PersonKind } from '@waybill/contract/operations/retention'
import { ADMIN, useTestApp } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { sealAudit } from '../audit-entry/index.ts'
import { makeAnonymous } from './index.ts'

const app = useTestApp()
const PATH = 'operations/retention'
let world: OrderWorld
let customerId: number

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', {
    contactPersons: [{ fullName: 'Jan Petersen', lastName: 'Petersen', email: 'petersen@nordlicht.example' }],
  })
})

const KEPT = Object.fromEntries(PERSON_KINDS.map((kind) => [kind, null])) as Record<PersonKind, null>
const rowsOf = async (text: string) => (await app.database.pool.query(text)).rows
const night = () => makeAnonymous.handle(jobContext(app), {})
const seal = () => sealAudit.handle(jobContext(app), {})
const faults = () => rowsOf('select position, fault from audit_seal_faults()')
async function choose(periods: Partial<Record<PersonKind, number>>): Promise<void> {
  const { version } = (await app.admin.get(PATH)).body
  const { status, body } = await app.admin.put(PATH, { periods: { ...KEPT, ...periods } }, { version })
  expect([status, body.code]).toEqual([200, undefined])
}
const preview = async (kind: PersonKind, months: number) =>
  (await app.admin.get(`${PATH}/preview?kind=${kind}&months=${months}`)).body
/** As many entries of the history, of any record, as hold this text. */
const told = async (text: string): Promise<number> =>
  (await rowsOf(`select count(*)::int as count from audit_entry where changes::text like '%${text}%'`))[0].count

/** All orders become as old as that, and nobody was added later. */
const age = (years: number) =>
  app.asOwner(`alter table "order" disable trigger merged;
    update "order" set "createdAt" = now() - interval '${years} years',
      "lastUnloadingAt" = now() - interval '${years} years';
    alter table "order" enable trigger merged;
    update driver set "addedAt" = now() - interval '9 years';
    update carrier_contact set "addedAt" = now() - interval '9 years';
    update contact_person set "addedAt" = now() - interval '9 years'`)
const end = async ({ id, version }: { id: number; version: number }) =>
  app.admin.post(`orders/${id}/status`, { to: 'canceled', reason: 'Customer withdrew' }, { version })

/** An order that got the carrier’s driver with a save of its own. */
async function drivenOrder(): Promise<{ id: number; version: number }> {
  const made = await app.admin.post('orders', plainOrder(world, customerId, shipment(world)))
  const { id, version } = made.body
  const { status, body } = await app.admin.patch(`orders/${id}`, { routes: [carried(world)] }, { version })
  expect([status, body.errors]).toEqual([200, undefined])
  return body
}

describe('the periods', () => {
  it('are those that are offered, and never written over what somebody else has chosen', async () => {
    const put = async (periods: object, version?: number) => {
      const { status, body } = await app.admin.put(PATH, { periods }, version === undefined ? {} : { version })
      return [status, body.code]
    }
    expect(await put({ ...KEPT, driver: 7 }, 0)).toEqual([422, 'validation'])
    expect(await put({ driver: 24 }, 0)).toEqual([422, 'validation'])
    expect(await put({ ...KEPT, driver: 24 })).toEqual([428, 'version_required'])
    expect(await put({ ...KEPT, driver: 24 }, 3)).toEqual([409, 'stale_version'])
    expect((await app.admin.get(PATH)).body).toEqual({ version: 0, periods: KEPT, lastRun: null })
    expect(await put({ ...KEPT, driver: 120 }, 0)).toEqual([200, undefined])
    expect(await put({ ...KEPT, driver: 24 }, 0)).toEqual([409, 'stale_version'])
    const chosen = await Promise.all([put({ ...KEPT, driver: 60 }, 1), put({ ...KEPT, driver: 84 }, 1)])
    expect(chosen.map(([status]) => status).toSorted()).toEqual([200, 409])
    await choose({})
    expect((await app.admin.get(`${PATH}/preview?kind=driver&months=7`)).status).toBe(422)
  })
})

describe('a driver', () => {
  it('stays while no period is chosen, an order is open, or they drove since; the preview says why', async () => {
    const order = await drivenOrder()
    await age(3)
    await night()
    await choose({ driver: 24 })
    expect(await preview('driver', 24)).toEqual({ dueCount: 0, due: [], stays: [{ reason: 'openOrder', count: 1 }] })
    await night()
    await end(order)
    await age(3)
    expect(await preview('driver', 48)).toMatchObject({ dueCount: 0, stays: [{ reason: 'recent', count: 1 }] })
    expect(await preview('driver', 24)).toMatchObject({
      dueCount: 1,
      due: [{ id: world.carrier.driverId, title: 'Łukasz Żak', owner: 'Trans-Wielkopolska Sp. j.' }],
      stays: [],
    })
    const { body } = await app.admin.get(`carrier-companies/${world.carrier.id}`)
    expect(body.drivers[0]).toMatchObject({ fullName: 'Łukasz Żak', phone: '+48 600 100 200' })
  })

  it('is nobody’s name once the period is over: on the record, on orders, in the search, in the history', async () => {
    const order = await drivenOrder()
    await end(order)
    await age(3)
    const before = (await app.admin.get(`carrier-companies/${world.carrier.id}`)).body
    await app.admin.patch(
      `carrier-companies/${world.carrier.id}`,
      { drivers: [{ ...before.drivers[0], phone: '+48 600 999 999' }] },
      { version: before.version },
    )
    await seal()
    expect(await told('600 100 200')).toBeGreaterThan(0)
    expect(await told('Łukasz Żak')).toBeGreaterThan(0)
    await night()

    const name = `Fahrer Nr. ${world.carrier.driverId}`
    const { body } = await app.admin.get(`carrier-companies/${world.carrier.id}`)
    expect(body.drivers).toEqual([
      { id: world.carrier.driverId, fullName: name, phone: null, email: null, plateNumber: 'PO 4T112' },
    ])
    const shown = (await app.admin.get(`orders/${order.id}`)).body
    expect(shown.routes[0].assignment.drivers).toEqual([{ id: world.carrier.driverId, title: name }])
    expect(shown.routes[0].assignment.plateNumber).toBe('PO 4T112')
    expect((await app.admin.get(`orders?q=${encodeURIComponent('Łukasz Żak')}`)).body.total).toBe(0)
    for (const text of ['Łukasz Żak', '600 100 200', '600 999 999']) expect([text, await told(text)]).toEqual([text, 0])
    const history = (await app.admin.get(`audit-entries?carrierCompanyId=${world.carrier.id}`)).body.items
    expect(history[0]).toMatchObject({ action: 'madeAnonymous', actor: null })
    expect(history).toContainEqual(
      expect.objectContaining({
        changes: [
          {
            path: `drivers.${world.carrier.driverId}.phone`,
            from: { emptied: true },
            to: { emptied: true },
          },
        ],
      }),
    )
    expect((await app.admin.get(PATH)).body.lastRun.counts).toMatchObject({ driver: 1 })
    // Once is enough.
    await night()
    expect((await app.admin.get(PATH)).body.lastRun.counts).toMatchObject({ driver: 0 })
  })

  it('whose history was emptied breaks no seal, and whoever changes such an entry since does', async () => {
    await seal()
    expect(await faults()).toEqual([])
    const [{ id, changes }] = await rowsOf(
      `select id, changes from audit_entry where changes::text like '%emptied": true%' order by id limit 1`,
    )
    const write = (said: string) =>
      app.asOwner(`alter table audit_entry disable trigger append_only;
        update audit_entry set changes = '${said}' where id = ${id};
        alter table audit_entry enable trigger append_only`)
    await write('[]')
    expect(await faults()).toEqual([expect.objectContaining({ fault: 'content' })])
    // Nor by a row that says that it was emptied to this.
    await app.signIn(ADMIN.email, ADMIN.password)
    await app.asOwner(`insert into audit_emptied select "entryId", (select max(id) from audit_entry), m.hash,
      audit_entry_hash(e) from audit_emptied m join audit_entry e on e.id = m."entryId" where e.id = ${id} limit 1`)
    expect(await faults()).toEqual([expect.objectContaining({ fault: 'content' })])
    await app.asOwner(`alter table audit_emptied disable trigger append_only;
      delete from audit_emptied m where not exists (select 1 from audit_entry e
        where e.id = m."byId" and e.action = 'emptied');
      alter table audit_emptied enable trigger append_only`)
    await write(JSON.stringify(changes))
    expect(await faults()).toEqual([])
  })

  it('is somebody again where a name is typed', async () => {
    const { body } = await app.admin.get(`carrier-companies/${world.carrier.id}`)
    const [driver] = body.drivers
    const named = { drivers: [{ ...driver, fullName: 'Ewa Nowak' }] }
    await app.admin.patch(`carrier-companies/${world.carrier.id}`, named, { version: body.version })
    expect(await preview('driver', 24)).toMatchObject({ dueCount: 1, due: [{ title: 'Ewa Nowak' }] })
  })
})

describe('the role that serves', () => {
  it('can empty nothing past the function, and note nothing as emptied', async () => {
    for (const statement of [
      `update audit_entry set changes = '[]'`,
      'insert into audit_emptied select "entryId", "byId" + 1, hash, "nowHash" from audit_emptied',
      'update audit_emptied set hash = "nowHash"',
      'delete from audit_emptied',
    ])
      await expect(rowsOf(statement), statement).rejects.toThrow(/permission denied/)
    await expect(app.asOwner('delete from audit_emptied')).rejects.toThrow('append-only')
  })
})

describe('contacts and colleagues', () => {
  it('lose name, telephone and address once nothing of theirs was used for so long', async () => {
    await choose({ customerContact: 24, carrierContact: 24 })
    await night()
    const [contact] = (await app.admin.get(`customers/${customerId}`)).body.contactPersons
    expect(contact).toMatchObject({
      fullName: `Kontakt Nr. ${contact.id}`,
      lastName: null,
      email: null,
      phone: null,
    })
    expect(await told('petersen@nordlicht')).toBe(0)
  })

  it('who work here stay; who has left, and signed in nowhere since, goes with what they signed in with', async () => {
    const { id, email } = await app.userWith('ORDERS_MANAGEMENT')
    await choose({ user: 6 })
    const active = (await preview('user', 6)).stays
    expect(active).toEqual([{ reason: 'active', count: expect.any(Number) }])
    const { body } = await app.admin.get(`users/${id}`)
    await app.admin.patch(`users/${id}`, { state: 'inactive' }, { version: body.version })
    expect((await preview('user', 6)).stays).toContainEqual({ reason: 'recent', count: 1 })
    await app.asOwner(`alter table audit_entry disable trigger append_only;
      update audit_entry set at = at - interval '2 years' where "ownerKind" = 'user' and "ownerId" = ${id};
      alter table audit_entry enable trigger append_only;
      update "user" set "createdAt" = now() - interval '3 years' where id = ${id}`)
    await night()
    expect((await app.admin.get(`users/${id}`)).body).toMatchObject({
      fullName: `Ausgeschiedene Person Nr. ${id}`,
      email: `anonymous-${id}@waybill.invalid`,
      phone: null,
      hasPassword: false,
    })
    expect(await rowsOf(`select 1 from "user" where email = '${email}'`)).toEqual([])
    expect(await preview('user', 6)).toMatchObject({ dueCount: 0 })
  })
})

describe('who was typed at an order', () => {
  const TYPED = {
    driverText: 'Zdzisław Kmiecik, +48 601 222 333',
    disponentName: 'Halina Wróbel',
    disponentPhone: '+48 61 555 01 02',
    disponentEmail: 'h.wrobel@trans-wielkopolska.example',
    signedBy: 'Ignacy Sroka',
  }
  const CONTACT = { contactPerson: 'Frau Öztürk, Tor 3', phone: '+49 40 777 888' }
  const WORDS = ['Kmiecik', '601 222 333', 'Wróbel', '555 01 02', 'h.wrobel', 'Sroka', 'Öztürk', '777 888']

  /** Typed with a second save: the history does not tell what an order was made with. */
  async function namedOrder() {
    const made = (await app.admin.post('orders', plainOrder(world, customerId, shipment(world)))).body
    const [first, ...others] = made.locations
    const route = carried(world)
    const assignment = { ...route.assignment, driverIds: [], ...TYPED }
    const { status, body } = await app.admin.patch(
      `orders/${made.id}`,
      { routes: [{ ...route, assignment }], locations: [{ ...first, ...CONTACT }, ...others] },
      { version: made.version },
    )
    expect([status, body.errors]).toEqual([200, undefined])
    return body
  }

  it('stays while the order is open, its period runs, or none is chosen; the preview says who and where', async () => {
    const order = await namedOrder()
    await age(4)
    await choose({ driver: 24 })
    await night()
    expect((await preview('routePerson', 24)).stays).toEqual([{ reason: 'openOrder', count: 1 }])
    await end(order)
    expect((await preview('stopContact', 60)).dueCount).toBe(0)
    await age(4)
    const words = Object.values(TYPED).join(', ')
    expect((await preview('routePerson', 24)).due).toEqual([
      expect.objectContaining({ title: words, owner: order.number }),
    ])
    expect((await preview('stopContact', 24)).due).toContainEqual(
      expect.objectContaining({ title: 'Frau Öztürk, Tor 3, +49 40 777 888', owner: order.number }),
    )
    const kept = (await app.admin.get(`orders/${order.id}`)).body
    expect(kept.routes[0].assignment).toMatchObject(TYPED)
    expect((await app.admin.get(`orders?q=Kmiecik`)).body.total).toBe(1)
  })

  it('is on no order, in no search and nowhere in the history once it is over; plate and address stay', async () => {
    const { id } = (await app.admin.get('orders?q=Kmiecik')).body.items[0]
    const before = (await app.admin.get(`orders/${id}`)).body
    await seal()
    for (const word of WORDS) expect([word, await told(word)]).not.toEqual([word, 0])
    await choose({ routePerson: 24, stopContact: 24 })
    await night()

    const after = (await app.admin.get(`orders/${id}`)).body
    expect(after.version).toBeGreaterThan(before.version)
    expect(after.routes[0].assignment).toMatchObject({
      driverText: null,
      disponentName: null,
      disponentPhone: null,
      disponentEmail: null,
      signedBy: null,
      plateNumber: before.routes[0].assignment.plateNumber,
      carrierCompanyId: world.carrier.id,
    })
    expect(after.locations[0]).toMatchObject({
      contactPerson: null,
      phone: null,
      city: before.locations[0].city,
      companyTitle: before.locations[0].companyTitle,
    })
    expect((await app.admin.get('orders?q=Kmiecik')).body.total).toBe(0)
    for (const word of WORDS) expect([word, await told(word)]).toEqual([word, 0])
    const history = (await app.admin.get(`audit-entries?orderId=${id}`)).body.items
    const emptied = { from: { emptied: true }, to: null }
    expect(history.filter(({ action }: { action: string }) => action === 'madeAnonymous')).toEqual([
      expect.objectContaining({
        actor: null,
        changes: [
          { path: `locations.${after.locations[0].id}.contactPerson`, ...emptied },
          { path: `locations.${after.locations[0].id}.phone`, ...emptied },
        ],
      }),
      expect.objectContaining({
        changes: Object.keys(TYPED).map((field) => ({
          path: `routes.${after.routes[0].id}.assignment.${field}`,
          ...emptied,
        })),
      }),
    ])
    // What stood beside them in the same value is still told.
    expect(JSON.stringify(history)).toContain('"plateNumber":"PO 4T112"')
    await seal()
    expect(await faults()).toEqual([])
    await night()
    expect((await app.admin.get(PATH)).body.lastRun.counts).toMatchObject({ routePerson: 0, stopContact: 0 })
  })

  it('at the stops of a merged order goes too', async () => {
    const pair = []
    for (const names of [CONTACT, {}]) {
      const order = shipment(world)
      const [first, ...others] = order.locations ?? []
      const made = await app.admin.post(
        'orders',
        plainOrder(world, customerId, { ...order, locations: [{ ...first!, ...names }, ...others] }),
      )
      pair.push(made.body.id)
    }
    const merged = await app.admin.post('orders/merge', { orderIds: pair, carrierCompanyId: world.carrier.id })
    expect([merged.status, merged.body.errors]).toEqual([201, undefined])
    await end(merged.body)
    await age(4)
    await night()
    const { body } = await app.admin.get(`orders/${pair[0]}`)
    expect([body.status, body.locations[0].contactPerson, body.locations[0].phone]).toEqual(['merged', null, null])
    expect(await rowsOf(`select 1 from location where "contactPerson" is not null`)).toEqual([])
  })
})
