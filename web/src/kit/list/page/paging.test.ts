import { describe, expect, it } from 'vitest'
import { pageCountOf, pageRange } from './paging.ts'

describe('the pager’s figures', () => {
  it('counts rows from one, over a short last page too', () => {
    expect(pageRange({ page: 1, perPage: 25 }, 25)).toEqual({ from: 1, to: 25 })
    expect(pageRange({ page: 9, perPage: 25 }, 14)).toEqual({ from: 201, to: 214 })
  })

  it('has one page at least, and a last one for the rest', () => {
    expect(pageCountOf({ total: 0, totalIsExact: true, page: 1, perPage: 25 })).toBe(1)
    expect(pageCountOf({ total: 25, totalIsExact: true, page: 1, perPage: 25 })).toBe(1)
    expect(pageCountOf({ total: 214, totalIsExact: true, page: 1, perPage: 25 })).toBe(9)
  })

  it('follows somebody who walks on past a total that is no longer counted', () => {
    expect(pageCountOf({ total: 10_000, totalIsExact: false, page: 1, perPage: 25 })).toBe(400)
    expect(pageCountOf({ total: 10_000, totalIsExact: false, page: 403, perPage: 25 })).toBe(403)
  })
})
