import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SuppressedReason } from '@waybill/contract/email'
import { CARRIER_TEXTS, MINUTE, PREFERENCES, SECOND, STATUSES, World } from '../../../../test/mail-plan/model.ts'
import { PROPERTIES, sentOf, settledOf } from '../../../../test/mail-plan/properties.ts'
import { modelRuns } from '../../../../test/model-runs.ts'
import { arrivalOf, leavesCarrierUntold } from './mail-plan.rules.ts'

/** of the model */
const CUSTOMERS = [5, 6] as const

const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
beforeAll(() => console.log(`mail plan: WAYBILL_SEED=${seed}`))

type Act = { label: string; run(world: World): void }
const act = (label: string, run: (world: World) => void): Act => ({ label, run })
const aCustomer = fc.constantFrom(...CUSTOMERS)

const acts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...STATUSES).map((to) => act(`move ${to}`, (world) => world.move(to))) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(aCustomer, fc.integer({ min: -40, max: 240 }))
      .map(([id, minutes]) =>
        act(
          `arrival at ${id} in ${minutes} min`,
          (world) => (world.drops.get(id)!.arrival = world.now + minutes * MINUTE),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: aCustomer.map((id) => act(`no arrival at ${id}`, (world) => (world.drops.get(id)!.arrival = null))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(aCustomer, fc.boolean())
      .map(([id, is]) => act(`reached ${id} ${is}`, (world) => (world.drops.get(id)!.isReached = is))),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('Kowalski', 'Nowak', null)
      .map((driver) => act(`driver ${driver}`, (world) => world.assign({ driver }))),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(9, 10, null)
      .map((carrierId) => act(`carrier ${carrierId}`, (world) => world.assign({ carrierId }))),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(null, [5] as const, [6] as const)
      .map((ids) => act(`POD of ${ids ?? 'all'}`, (world) => world.prove(ids))),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        aCustomer,
        fc.constantFrom<readonly string[]>(PREFERENCES, ...PREFERENCES.map((one) => [one])),
        fc.boolean(),
      )
      .map(([id, switches, isOn]) =>
        act(`${id} wants ${switches.join()}: ${isOn}`, (world) => {
          for (const one of switches) world.prefer(id, one, isOn)
        }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...CARRIER_TEXTS)
      .map((text) => act(`transport order by hand: ${text}`, (world) => world.tellCarrier(text))),
  },
  {
    weight: 3,
    arbitrary: fc.nat(7).map((number) =>
      act(`planned mail ${number} canceled by mistake`, (world) => {
        // One that is due already would leave later for it, and an undo in between end its cause.
        const planned = world.rows.filter(({ state, dueAt }) => state === 'planned' && dueAt > world.now)
        const row = planned[number % planned.length]
        if (row === undefined) return
        world.cancel(row)
        world.plan()
        if (world.undoCancel(row) !== null) throw new Error(`stays canceled: ${row.key}`)
      }),
    ),
  },
  { weight: 3, arbitrary: fc.constant(act('route removed', (world) => world.removeRoute())) },
  { weight: 3, arbitrary: fc.constant(act('route made', (world) => world.addRoute())) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(5, 60, 1200, 7200)
      .map((seconds) => act(`no jobs for ${seconds} s`, (world) => (world.busyUntil = world.now + seconds * SECOND))),
  },
)
const steps = fc.array(fc.tuple(acts, fc.constantFrom(0, 1, 4, 7, 9, 60, 600, 1800, 7200)), {
  minLength: 8,
  maxLength: 40,
  size: 'max',
})

function run(sequence: [Act, number][]): World {
  const world = new World()
  world.plan()
  for (const [{ run: change }, seconds] of sequence) {
    change(world)
    world.plan()
    world.pass(seconds * SECOND)
  }
  world.pass(86_400 * SECOND)
  return world
}

describe('whatever becomes of an order', () => {
  const holds = (check: (world: World) => void, numRuns = modelRuns(150, 2500)) =>
    fc.assert(
      fc.property(steps, (sequence) => check(run(sequence))),
      { numRuns, seed },
    )

  it('its lives end mails for every reason that an order can give', () => {
    const all = new Set<SuppressedReason>()
    // The rarest comes up in one life of thirty: in fewer than these it may be missing by chance.
    holds(({ reasons }) => {
      for (const reason of reasons) all.add(reason)
    }, 1000)
    expect(all).toEqual(new Set(['overtaken', 'preference', 'tooLate', 'notOnTheWay', 'orderCanceled']))
  })

  it.each(Object.entries(PROPERTIES))('%s', (_says, expectOf) => holds((world) => expectOf(world)))

  it('an arrival that nothing changes any more is announced to whom it concerns', () =>
    holds((world) => {
      for (const customerId of CUSTOMERS) {
        const drop = world.drops.get(customerId)!
        if (world.status !== 'in_transit' || drop.isReached) continue
        if (settledOf(world, 'before_arriving', customerId).length > 0) continue
        world.prefer(customerId, 'delivery', true)
        drop.arrival = world.now + 45 * MINUTE
        world.plan()
        world.pass(86_400 * SECOND)
        const [mail] = sentOf(world, 'before_arriving', customerId)
        expect(mail!.at).toBe(mail!.drop!.arrival! - 30 * MINUTE)
      }
    }))
})

/** Each change with its mails: nine seconds later the next one. */
function life(...changes: ((world: World) => void)[]): World {
  const world = new World()
  for (const change of changes) {
    change(world)
    world.plan()
    world.pass(9 * SECOND)
  }
  return world
}

describe('a customer who wanted none before', () => {
  it('is sent the proofs of delivery that come later', () => {
    const world = life(
      (one) => one.prefer(5, 'pod', false),
      (one) => one.prove([5]),
      (one) => one.prefer(5, 'pod', true),
      (one) => one.prove([5]),
    )
    const pods = world.rows.filter(({ type }) => type === 'pods')
    expect(pods.map(({ state, told }) => [state, told])).toEqual([
      ['suppressed', '[100]'],
      ['rendered', '[101]'],
    ])
  })

  it('hears of another driver as of the first', () => {
    const world = life(
      (one) => one.prefer(5, 'driverInformation', false),
      (one) => {
        one.move('scheduled')
        one.driver = 'Kowalski'
      },
      (one) => one.prefer(5, 'driverInformation', true),
      (one) => (one.driver = 'Nowak'),
    )
    expect(sentOf(world, 'driver_information', 5).map(({ variant }) => variant)).toEqual(['first'])
    expect(sentOf(world, 'driver_information', 6).map(({ variant }) => variant)).toEqual(['first', 'changed'])
  })
})

describe('a route that was removed', () => {
  it('is not, while its carrier has a transport order, also one that a person wrote', () => {
    const world = life(
      (one) => one.tellCarrier('confirmed'),
      (one) => one.removeRoute(),
    )
    expect(world.routeId).toBe(world.ids.route)
  })

  it('leaves the announcement of an arrival to the one that is made for the same stops', () => {
    const world = life(
      (one) => (one.drops.get(5)!.arrival = one.now + 120 * MINUTE),
      (one) => one.move('scheduled'),
      (one) => one.move('new'),
      (one) => one.removeRoute(),
      (one) => one.addRoute(),
      (one) => one.move('scheduled'),
      (one) => one.move('in_transit'),
    )
    expect(world.routeId).toBe(world.ids.route + 1)
    world.pass(120 * MINUTE)
    const [mail, ...more] = sentOf(world, 'before_arriving', 5)
    expect([mail!.at, more]).toEqual([mail!.drop!.arrival! - 30 * MINUTE, []])
  })

  it('leaves it one that was let go because it was not on its way itself', () => {
    const world = life((one) => {
      one.drops.get(5)!.arrival = one.now + 31 * MINUTE
      one.move('scheduled')
    })
    world.pass(2 * MINUTE)
    expect(world.rows.find(({ type }) => type === 'before_arriving')).toMatchObject({ reason: 'notOnTheWay' })
    for (const change of [() => world.move('new'), () => world.removeRoute(), () => world.addRoute()]) {
      change()
      world.plan()
      world.pass(9 * SECOND)
    }
    expect(world.routeId).toBe(world.ids.route + 1)
    const underWayAt = world.now
    world.move('in_transit')
    world.plan()
    world.pass(60 * MINUTE)
    expect(sentOf(world, 'before_arriving', 5).map(({ at }) => at)).toEqual([underWayAt + 8 * SECOND])
  })
})

describe('a route that goes a step back and forth', () => {
  it('leaves an announcement that would be due in between the pause of the last move', () => {
    const world = life((one) => {
      one.drops.get(5)!.arrival = one.now + 31 * MINUTE
      one.move('in_transit')
    })
    world.pass(45 * SECOND)
    for (const to of ['new', 'in_transit'] as const) {
      world.move(to)
      world.plan()
    }
    const movedAt = world.now
    world.pass(60 * SECOND)
    expect(sentOf(world, 'before_arriving', 5).map(({ at }) => at)).toEqual([movedAt + 8 * SECOND])
  })
})

describe('a carrier who was told by hand', () => {
  it('hears once that it is withdrawn, also where that was planned, let go and planned again', () => {
    const world = life(
      (one) => one.move('scheduled'),
      (one) => {
        one.move('new')
        one.plan()
        one.tellCarrier('confirmed')
      },
      (one) => one.assign({ carrierId: 10 }),
      (one) => one.assign({ carrierId: null }),
    )
    const told = sentOf(world, 'order_resolved').map(({ key }) => key.split(':').slice(0, 3).join(':'))
    expect(told).toEqual(['resolved:7:9', 'changed:7:9', 'withdrawn:7:9'])
    expect(leavesCarrierUntold([7], world.known())).toBe(false)
  })

  it('keeps a transport order that a person calls withdrawn while it stands', () => {
    const world = life(
      (one) => one.move('scheduled'),
      (one) => {
        one.move('new')
        one.plan()
        one.move('scheduled')
        one.plan()
        one.tellCarrier('withdrawn')
      },
    )
    expect(sentOf(world, 'order_resolved').map(({ variant }) => variant)).toEqual(['confirmed'])
  })

  it('is told early anew only by what a person writes while the route is new, not by one that was withdrawn', () => {
    const world = life(
      (one) => one.tellCarrier('confirmed'),
      (one) => one.move('canceled'),
      (one) => {
        one.tellCarrier('confirmed')
        one.plan()
        one.move('new')
      },
    )
    const told = sentOf(world, 'order_resolved').map(({ variant }) => variant)
    expect(told).toEqual(['confirmed', 'withdrawn', 'confirmed', 'withdrawn'])
  })

  it('hears of a canceled transport that a person sent all the same', () => {
    const world = life(
      (one) => one.move('canceled'),
      (one) => one.tellCarrier('confirmed'),
    )
    expect(sentOf(world, 'order_resolved').map(({ variant }) => variant)).toEqual(['confirmed', 'withdrawn'])
  })
})

describe('a mail that somebody took back', () => {
  const rowOf = (world: World, key: string) => world.rows.find((row) => row.key === key)!
  const undone = (world: World, key: string) => {
    const against = world.undoCancel(rowOf(world, key))
    world.plan()
    world.pass(9 * SECOND)
    return against
  }
  const DRIVER = 'driver:7:5:0'
  /** A second before it leaves. */
  const scheduled = () => {
    const world = life((one) => one.assign({ driver: 'Kowalski' }))
    world.move('scheduled')
    world.plan()
    world.pass(7 * SECOND)
    return world
  }

  it('leaves at the time that it had, with what is so by then', () => {
    const world = scheduled()
    world.cancel(rowOf(world, DRIVER))
    world.assign({ driver: 'Nowak' })
    world.plan()
    const [due, dueAt] = [rowOf(world, DRIVER), rowOf(world, DRIVER).dueAt]
    expect(world.undoCancel(due)).toBeNull()
    expect([due.state, due.dueAt, due.told]).toEqual(['planned', dueAt, expect.stringContaining('Nowak')])
    world.plan()
    world.pass(9 * SECOND)
    // The one that was planned meanwhile for the other driver has nothing to say beside it.
    const mails = world.rows.filter(({ type, customerId }) => type === 'driver_information' && customerId === 5)
    expect(mails.map(({ key, state, reason }) => [key, state, reason])).toEqual([
      [DRIVER, 'rendered', null],
      ['driver:7:5:1', 'suppressed', 'overtaken'],
    ])
  })

  it('tells of a later change as of a change, though that was written down before', () => {
    const world = scheduled()
    world.cancel(rowOf(world, DRIVER))
    for (const driver of ['Nowak', 'Kowalski']) {
      world.assign({ driver })
      world.plan()
      if (driver === 'Nowak') undone(world, DRIVER)
      world.pass(9 * SECOND)
    }
    const sent = sentOf(world, 'driver_information', 5)
    expect(sent.map(({ key, variant }) => [key, variant])).toEqual([
      [DRIVER, 'first'],
      ['driver:7:5:1', 'changed'],
    ])
  })

  it('stays so where another one has told it since', () => {
    const world = scheduled()
    world.cancel(rowOf(world, DRIVER))
    world.assign({ driver: 'Nowak' })
    world.plan()
    world.pass(9 * SECOND)
    expect(sentOf(world, 'driver_information', 5).map(({ key }) => key)).toEqual(['driver:7:5:1'])
    expect(undone(world, DRIVER)).toBe('replaced')
  })

  it('takes the proofs of delivery along that were not told, and leaves those to the next that come', () => {
    const world = life((one) => one.move('scheduled'))
    world.prove([5])
    world.plan()
    world.cancel(rowOf(world, 'pods:5:0'))
    for (let count = 0; count < 2; count += 1) {
      world.prove([5])
      world.plan()
      world.pass(9 * SECOND)
      if (count === 0) expect(undone(world, 'pods:5:0')).toBeNull()
    }
    const pods = world.rows.filter(({ type, state }) => type === 'pods' && state === 'rendered')
    expect(pods.map(({ key, told }) => [key, told]).toSorted()).toEqual([
      ['pods:5:0', '[100]'],
      ['pods:5:1', '[101]'],
      ['pods:5:2', '[102]'],
    ])
  })

  it.each([
    ['the order is canceled', (world: World) => world.move('canceled'), 'orderCanceled'],
    ['its cause was taken back', (world: World) => world.move('new'), 'overtaken'],
  ])('stays so where %s', (_what, change, against) => {
    const world = scheduled()
    world.cancel(rowOf(world, DRIVER))
    change(world)
    world.plan()
    expect(undone(world, DRIVER)).toBe(against)
  })

  it('before an arrival comes back for the plan of now, and not once that is past', () => {
    const world = life(
      (one) => (one.drops.get(5)!.arrival = one.now + 120 * MINUTE),
      (one) => one.move('in_transit'),
    )
    const row = rowOf(world, 'arriving:22:5')
    world.cancel(row)
    world.drops.get(5)!.arrival = world.now + 180 * MINUTE
    world.plan()
    expect(world.undoCancel(row)).toBeNull()
    expect(row.dueAt).toBe(world.now + 150 * MINUTE)
    world.cancel(row)
    world.pass(181 * MINUTE)
    expect(world.undoCancel(row)).toBe('tooLate')
  })

  it('to a carrier is its transport order again, unless it was told by another', () => {
    const world = life()
    world.move('scheduled')
    world.plan()
    world.cancel(rowOf(world, 'resolved:7:9:0'))
    world.pass(9 * SECOND)
    expect(sentOf(world, 'order_resolved')).toEqual([])
    expect(undone(world, 'resolved:7:9:0')).toBeNull()
    world.tellCarrier('changed')
    const change = world.rows.find(({ key }) => key.startsWith('changed:'))
    world.cancel(change!)
    world.tellCarrier('changed')
    expect(undone(world, change!.key)).toBe('replaced')
  })
})

describe('the arrival at a stop', () => {
  const stop = (more: object) =>
    arrivalOf({ plannedAt: null, termin: null, timeZone: 'Europe/Warsaw', ...more } as never)
  const termin = (kind: string, timeFrom: string | null, dateFrom = '2026-11-24') => ({
    termin: { kind, dateFrom, timeFrom, dateTo: null, timeTo: null },
  })

  it.each([
    ['the plan', { plannedAt: '2026-11-24T10:00:00Z', ...termin('fix', '08:00') }, '2026-11-24T10:00:00.000Z'],
    ['a fixed time', termin('fix', '08:00'), '2026-11-24T07:00:00.000Z'],
    ['the beginning of a period', termin('period', '08:00'), '2026-11-24T07:00:00.000Z'],
    ['a time in summer', termin('fix', '08:00', '2026-07-01'), '2026-07-01T06:00:00.000Z'],
    ['the second of two hours of one name', termin('fix', '03:30', '2026-10-25'), '2026-10-25T02:30:00.000Z'],
  ])('is %s', (_what, more, expected) => {
    expect(new Date(stop(more)!).toISOString()).toBe(expected)
  })

  it.each([
    ['before a time', termin('before', '08:00')],
    ['a date alone', termin('fix', null)],
    ['nothing', {}],
  ])('is not known of %s', (_what, more) => expect(stop(more)).toBeNull())
})
