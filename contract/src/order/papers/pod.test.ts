import { describe, expect, test } from 'vitest'
import { dropOffsToProve, podState, podStateOfRoute, provenDropOffs, provesAlone } from './pod.ts'

const stop = (id: number, routeId: number | null, kind = 'unloading', canceledAt: string | null = null) => ({
  id,
  routeId,
  kind,
  canceledAt,
})
const STOPS = [stop(1, 7, 'loading'), stop(2, 7), stop(3, 7), stop(4, 8)]
const pod = (locationIds: number[] | null, routeId: number | null = null) => ({
  acceptance: 'accepted' as const,
  locationIds,
  routeId,
})

describe('what a proof of delivery proves', () => {
  test('is what it names, of the stops that are there and unload', () => {
    expect(provenDropOffs(pod([1, 3, 99]), STOPS).map(({ id }) => id)).toEqual([3])
  })
  test('is all of its route where it names none, and all of the order where it is about no route', () => {
    expect(provenDropOffs(pod(null, 7), STOPS).map(({ id }) => id)).toEqual([2, 3])
    expect(provenDropOffs(pod(null), STOPS).map(({ id }) => id)).toEqual([2, 3, 4])
  })
})

describe('the proof of delivery of a route', () => {
  test('is one that names a stop of it, or none of another', () => {
    expect(podStateOfRoute(7, [pod([2])], STOPS)).toBe('accepted')
    expect(podStateOfRoute(8, [pod([2])], STOPS)).toBe('missing')
    expect(podStateOfRoute(8, [pod(null)], STOPS)).toBe('accepted')
    expect(podStateOfRoute(8, [pod(null, 7)], STOPS)).toBe('missing')
    expect(podStateOfRoute(8, [pod([])], STOPS)).toBe('missing')
  })
  test('is the one that is furthest; a refused one is none', () => {
    expect(podState([{ acceptance: 'toCheck' }, { acceptance: 'accepted' }])).toBe('accepted')
    expect(podState([{ acceptance: 'refused' }, { acceptance: 'toCheck' }])).toBe('toCheck')
    expect(podState([{ acceptance: 'refused' }])).toBe('missing')
    expect(podState([])).toBe('missing')
  })
})

describe('a person is asked which drop-offs', () => {
  const order = (customerIds: number[], locations = STOPS) => ({ customerIds, locations })
  test('where there are several and several customers, or several routes', () => {
    expect(dropOffsToProve(order([1, 2]), 7).isAsked).toBe(true)
    expect(dropOffsToProve(order([1]), null).isAsked).toBe(true)
    expect(dropOffsToProve(order([1, 2], [stop(2, 7), stop(3, 7)]), null).isAsked).toBe(true)
  })
  test('nowhere else', () => {
    expect(dropOffsToProve(order([1]), 7)).toEqual({ dropOffs: [STOPS[1], STOPS[2]], isAsked: false })
    expect(dropOffsToProve(order([1, 2]), 8).isAsked).toBe(false)
    expect(dropOffsToProve(order([1, 2], [stop(2, 7), stop(3, 7, 'unloading', '2026-11-22')]), null)).toMatchObject({
      dropOffs: [{ id: 2 }],
      isAsked: false,
    })
  })
})

describe('a proof of delivery shows these lines alone', () => {
  const drop = (id: number, cargoIds: number[], canceledAt: string | null = null) => ({
    ...stop(id, 7, 'unloading', canceledAt),
    cargoActions: cargoIds.map((cargoId) => ({ cargoId, action: 'DROP_OFF' as const })),
  })
  const stops = [drop(1, [10]), drop(2, [10, 20]), drop(3, [20]), drop(4, [])]
  const own = new Set([10])
  test('where nothing else was dropped at the stops that it names', () => {
    expect(provesAlone(pod([1]), stops, own)).toBe(true)
    expect(provesAlone(pod([1]), stops, new Set([20]))).toBe(false)
    for (const named of [[2], [1, 3], [1, 4], [], [1, 99]]) expect(provesAlone(pod(named), stops, own)).toBe(false)
  })
  test('of a whole route or order where all that is dropped there is of these', () => {
    expect(provesAlone(pod(null), [drop(1, [10]), drop(3, [10], '2026-11-22')], own)).toBe(true)
    expect(provesAlone(pod(null, 7), stops, own)).toBe(false)
    expect(provesAlone(pod(null), [], own)).toBe(false)
  })
  test('not where a stop of others that it names was canceled since, nor where all of them were', () => {
    expect(provesAlone(pod([1, 3]), [drop(1, [10]), drop(3, [20], '2026-11-22')], own)).toBe(false)
    expect(provesAlone(pod(null), [drop(1, [10]), drop(3, [20], '2026-11-22')], own)).toBe(true)
    expect(provesAlone(pod([1]), [drop(1, [10], '2026-11-22')], own)).toBe(false)
  })
})
