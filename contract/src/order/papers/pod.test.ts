import { describe, expect, test } from 'vitest'
import { dropOffsToProve, podState, podStateOfRoute, provenDropOffs } from './pod.ts'

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
