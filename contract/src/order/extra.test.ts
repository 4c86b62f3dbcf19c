import { describe, expect, it } from 'vitest'
import { ExtraWrite } from './extra.ts'

describe('an extra', () => {
  it('is refused with more than three places, a kind that is not known, or a field of its own making', () => {
    const faulty = [
      { kind: 'waiting_time', quantity: 1.0005 },
      { kind: 'tips' },
      { kind: 'tolls', state: 'approved' },
      { kind: 'tolls', priceCents: 0.5 },
    ]
    for (const body of faulty) expect(ExtraWrite.safeParse(body).success, JSON.stringify(body)).toBe(false)
  })

  it('is one flat charge where nothing else is said', () => {
    expect(ExtraWrite.parse({ kind: 'tolls', costCents: 8500 })).toMatchObject({
      quantity: 1,
      unit: 'flat',
      priceCents: null,
      routeId: null,
    })
  })
})
