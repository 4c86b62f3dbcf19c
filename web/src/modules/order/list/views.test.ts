import { orderApi } from '@waybill/contract/order/order'
import { describe, expect, it } from 'vitest'
import { readAddress, writeAddress, type ListShape } from '../../../kit/list/page/list-address.ts'
import { impliedFilters, ORDER_VIEWS, viewFilters, viewInForce } from './views.ts'

const TODAY = '2026-12-02'

describe('the views of the orders list', () => {
  it.each(ORDER_VIEWS)('%s is known again from the address that it writes', (view) => {
    const shape = orderApi.list.query.shape as unknown as ListShape
    expect(viewInForce(readAddress(shape, writeAddress(shape, viewFilters(view, TODAY))), TODAY)).toBe(view)
  })

  it('is no view once a person has gone on from it', () => {
    expect(viewInForce({ status: ['new', 'scheduled'] }, TODAY)).toBeNull()
    expect(viewInForce({ delayed: true, status: ['in_transit'] }, TODAY)).toBeNull()
    expect(viewInForce({ firstLoading: { from: TODAY } }, TODAY)).toBeNull()
  })

  it('is not today’s loading list any more when the link is opened tomorrow', () => {
    expect(viewInForce(viewFilters('loadingToday', TODAY), '2026-12-03')).toBeNull()
  })

  it('keeps its name under filters that no view sets, and in any order of statuses', () => {
    expect(viewInForce({ departmentId: [3], mine: true, q: 'x' }, TODAY)).toBe('all')
    expect(viewInForce({ status: ['delivered', 'arrived', 'in_transit', 'scheduled', 'new'] }, TODAY)).toBe('open')
  })

  it('takes back what the view before it set', () => {
    expect(viewFilters('all', TODAY)).toEqual({ status: undefined, delayed: undefined, firstLoading: undefined })
    expect(Object.keys(viewFilters('delayed', TODAY))).toEqual(['status', 'delayed', 'firstLoading'])
  })

  it('says with its tab what would else need a chip', () => {
    expect(impliedFilters('open', TODAY)).toEqual(['status'])
    expect(impliedFilters('all', TODAY)).toEqual([])
    expect(impliedFilters(null, TODAY)).toEqual([])
  })
})
