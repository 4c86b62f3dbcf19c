import { describe, expect, it } from 'vitest'
import { legKm, stretchesOf, travelMinutes, wheelMinutes } from './driving.ts'

const HAMBURG = { latitude: 53.55, longitude: 10 }
const MILAN = { latitude: 45.46, longitude: 9.19 }

describe('a drive of one driver', () => {
  it('is as long as its distance at 70 km/h, and not known without one', () => {
    expect(wheelMinutes(70)).toBe(60)
    expect(wheelMinutes(0)).toBe(0)
    expect(wheelMinutes(null)).toBeNull()
    expect(travelMinutes(null)).toBeNull()
  })

  it('has a break of 45 minutes after four and a half hours, and none where it ends there', () => {
    expect(stretchesOf(270)).toEqual([{ kind: 'drive', minutes: 270 }])
    expect(stretchesOf(271)).toEqual([
      { kind: 'drive', minutes: 270 },
      { kind: 'break', minutes: 45 },
      { kind: 'drive', minutes: 1 },
    ])
    expect(travelMinutes(315)).toBe(270)
    expect(travelMinutes(350)).toBe(300 + 45)
  })

  it('rests eleven hours after nine at the wheel', () => {
    expect(stretchesOf(600).map(({ kind }) => kind)).toEqual(['drive', 'break', 'drive', 'rest', 'drive'])
    expect(travelMinutes(700)).toBe(600 + 45 + 660)
    expect(travelMinutes(630)).toBe(540 + 45)
  })

  it('never drives more than four and a half hours at a stretch, nor nine between two rests, however far', () => {
    for (let minutes = 0; minutes < 4000; minutes += 37) {
      const stretches = stretchesOf(minutes)
      const driven = stretches.reduce((sum, one) => sum + (one.kind === 'drive' ? one.minutes : 0), 0)
      expect(driven).toBe(minutes)
      let ofDay = 0
      for (const { kind, minutes: long } of stretches) {
        ofDay = kind === 'rest' ? 0 : ofDay + (kind === 'drive' ? long : 0)
        expect(ofDay).toBeLessThanOrEqual(540)
        if (kind === 'drive') expect(long).toBeLessThanOrEqual(270)
      }
    }
  })
})

describe('a leg', () => {
  it('is the great circle and a third, and unknown where a place is', () => {
    expect(legKm(HAMBURG, MILAN)).toBe(1172)
    expect(legKm(HAMBURG, { latitude: null, longitude: 9 })).toBeNull()
  })
})
