import { describe, expect, it } from 'vitest'
import { createCursorTrail } from './list-cursors.ts'

describe('the trail of cursors', () => {
  it('knows nothing of a page that nobody walked to', () => {
    const trail = createCursorTrail()
    trail.remember('orders', 1, 'after-1')
    expect(trail.find('orders', 1)).toBeNull()
    expect(trail.find('orders', 3)).toBeNull()
    expect(trail.find('invoices', 2)).toBeNull()
  })

  it('opens the next page from where the one before it ended', () => {
    const trail = createCursorTrail()
    trail.remember('orders', 1, 'after-1')
    trail.remember('orders', 2, 'after-2')
    expect(trail.find('orders', 2)).toBe('after-1')
    expect(trail.find('orders', 3)).toBe('after-2')
  })

  it('forgets where a page led once it has become the last', () => {
    const trail = createCursorTrail()
    trail.remember('orders', 1, 'after-1')
    trail.remember('orders', 1, null)
    expect(trail.find('orders', 2)).toBeNull()
  })

  it('forgets a refused cursor, and that one alone', () => {
    const trail = createCursorTrail()
    trail.remember('orders', 1, 'after-1')
    trail.remember('orders', 2, 'after-2')
    trail.forget('orders', 2)
    expect(trail.find('orders', 2)).toBeNull()
    expect(trail.find('orders', 3)).toBe('after-2')
  })

  it('keeps the lists seen last, however many filters were tried', () => {
    const trail = createCursorTrail()
    trail.remember('first', 1, 'a')
    for (let list = 0; list < 7; list += 1) trail.remember(`other ${list}`, 1, 'x')
    trail.remember('first', 2, 'b')
    trail.remember('one more', 1, 'x')
    expect(trail.find('first', 2)).toBe('a')
    expect(trail.find('other 0', 2)).toBeNull()
  })
})
