import type { Order } from '@waybill/contract/order/order'
import { describe, expect, test } from 'vitest'
import { statusMenu, stopsAskedFor } from './status-moves.ts'

const due = { kind: 'fix', dateFrom: '2026-12-01', timeFrom: null, dateTo: null, timeTo: null }
const stop = (id: number, kind: string, more: object = {}) => ({
  id,
  kind,
  termin: due,
  timeZone: 'Europe/Berlin',
  cargoActions: [],
  arrivedAt: null,
  loadedAt: null,
  unloadedAt: null,
  plannedAt: null,
  canceledAt: null,
  ...more,
})
const route = (status: string, assignment: object | null = { carrierCompanyId: 1, ownFleet: false }) => ({
  id: 1,
  status,
  locationIds: [1, 2],
  assignment,
})
const order = (value: object) =>
  ({
    status: 'new',
    disposition: null,
    hasPod: false,
    podWaiverReason: null,
    pods: [],
    clearances: [],
    locations: [stop(1, 'loading'), stop(2, 'unloading')],
    routes: [],
    ...value,
  }) as unknown as Order

const offered = (value: object, isAdmin = false) => {
  const { next, back, notYet } = statusMenu(order(value), { isAdmin })
  return {
    next: next.map(({ move, asks }) => `${move.to} ${asks ?? ''}`.trim()),
    back: back.map(({ move }) => move.to),
    notYet: notYet.map(({ to, why }) => {
      if ('need' in why) return `${to} ${why.need}`
      return 'backTo' in why ? `${to} first back to ${why.backTo}` : `${to} first ${why.first}`
    }),
  }
}

describe('the status menu of an order', () => {
  test('whose carrier is not cleared says so, and is planned once it is', () => {
    const planned = (isCleared: boolean) => offered({ routes: [route('new')], clearances: [{ routeId: 1, isCleared }] })
    expect(planned(false).notYet).toContain('scheduled carrier_not_cleared')
    expect(planned(true).next).toEqual(['scheduled'])
  })

  test('that is new without a carrier waits for one', () => {
    expect(offered({})).toEqual({
      next: [],
      back: ['canceled'],
      notYet: [
        'scheduled assignment_missing',
        'in_transit first scheduled',
        'arrived first in_transit',
        'delivered first in_transit',
        'completed first delivered',
      ],
    })
  })

  test('that is planned can be scheduled', () => {
    expect(offered({ routes: [route('new')] }).next).toEqual(['scheduled'])
    expect(offered({ disposition: 'OWN_FLEET' }).next).toEqual(['scheduled'])
    expect(offered({ routes: [route('new')], locations: [stop(1, 'loading')] }).notYet[0]).toBe(
      'scheduled pick_up_and_drop_off_missing',
    )
  })

  test('asks only for the times that are not known', () => {
    expect(offered({ status: 'scheduled', routes: [route('scheduled')] }).next).toEqual(['in_transit loadingTimes'])
    const loaded = [stop(1, 'loading', { loadedAt: '2026-12-01T08:00:00Z' }), stop(2, 'unloading')]
    expect(offered({ status: 'scheduled', routes: [route('scheduled')], locations: loaded }).next).toEqual([
      'in_transit',
    ])
    expect(offered({ status: 'in_transit', routes: [route('in_transit')], locations: loaded }).next).toEqual([
      'arrived arrivalTime',
      'delivered unloadingTimes',
    ])
  })

  test('asks for the POD only while there is none', () => {
    const next = (state: string) =>
      offered({ status: 'delivered', routes: [route('delivered')], pods: [{ routeId: 1, state }] }).next
    expect(next('missing')).toEqual(['completed podOrWaiver'])
    expect(next('toCheck')).toEqual(['completed podOrWaiver'])
    expect(next('accepted')).toEqual(['completed'])
  })

  test('gives administrators the ways back that others do not have', () => {
    const completed = { status: 'completed', routes: [route('completed')] }
    expect(offered(completed)).toEqual({ next: [], back: [], notYet: [] })
    expect(offered(completed, true).back).toEqual(['delivered'])
  })

  test('that is under way is canceled after a step back, and says so', () => {
    const underWay = { status: 'in_transit', routes: [route('in_transit')] }
    expect(offered(underWay).notYet).toContain('canceled first back to scheduled')
    expect(offered({ status: 'delivered', routes: [route('delivered')] }).notYet).toContain(
      'canceled first back to scheduled',
    )
    expect(offered(underWay, true).back).toContain('canceled')
    expect(offered({ status: 'canceled', routes: [route('canceled')] }, true).notYet.join()).not.toContain('canceled')
  })
})

test('canceled stops are asked nothing', () => {
  const locations = [
    stop(1, 'loading'),
    stop(2, 'loading', { canceledAt: '2026-12-01T00:00:00Z' }),
    stop(3, 'unloading'),
  ]
  expect(stopsAskedFor(order({ locations }), 'loadingTimes').map(({ id }) => id)).toEqual([1])
  expect(stopsAskedFor(order({ locations }), 'arrivalTime').map(({ id }) => id)).toEqual([3])
})
