import fc from 'fast-check'
import { orderApi } from '@waybill/contract/order/order'
import { describe, expect, it } from 'vitest'
import { decodeQuery, encodeQuery } from '../../api/query-string.ts'
import { addressShape, readAddress, nestRanges, writeAddress, type ListShape } from './list-address.ts'

const shape = addressShape(orderApi.list.query.shape as unknown as ListShape)
const read = (text: string) => readAddress(shape, decodeQuery(text))
const write = (query: Record<string, unknown>) => encodeQuery(writeAddress(shape, query))

describe('the address of a list', () => {
  it('leaves out what it does not understand, value by value, and keeps the rest', () => {
    expect(
      read('status[]=new&status[]=stolen&departmentId[]=x&sort=-secret&perPage=7&page=0&colour=red&delayed=yes'),
    ).toEqual({ status: ['new'], perPage: 25 })
  })

  it('keeps the half of a range that is a day', () => {
    expect(read('createdAt[from]=2026-02-30&createdAt[to]=2026-03-01')).toMatchObject({
      createdAt: { to: '2026-03-01' },
    })
    expect(read('createdAt[from]=tomorrow').createdAt).toBeUndefined()
    expect(read('createdAt=2026-03-01').createdAt).toBeUndefined()
  })

  it('never takes a cursor in, and never writes one', () => {
    expect(read('cursor=abc').cursor).toBeUndefined()
    expect(write({ cursor: 'abc', page: 3 })).toBe('page=3')
  })

  it('says nothing of what is read of the rows, which follows from the columns', () => {
    expect(read('fields[]=id').fields).toBeUndefined()
    expect(write({ fields: ['id'], page: 3 })).toBe('page=3')
  })

  it('is bare for the plain list', () => {
    expect(write(read(''))).toBe('')
    expect(
      write({
        page: 1,
        perPage: 25,
        sort: undefined,
        q: '',
        status: [],
        createdAt: { from: undefined },
        delayed: false,
      }),
    ).toBe('')
  })

  it('reads as the API writes its query', () => {
    const query = {
      status: ['new', 'in_transit'],
      departmentId: [3],
      firstLoading: { from: '2026-11-24', to: '2026-12-04' },
      delayed: true,
      q: 'Łódź & Co',
      sort: 'firstLoadingAt',
      page: 2,
      perPage: 50,
      state: 'inactive',
    }
    expect(decodeURIComponent(write(query))).toBe(
      [
        'page=2&perPage=50&q=Łódź & Co&state=inactive&sort=firstLoadingAt&status[]=new&status[]=in_transit',
        'departmentId[]=3&delayed=1&firstLoading[from]=2026-11-24&firstLoading[to]=2026-12-04',
      ].join('&'),
    )
    expect(read(write(query))).toEqual(query)
  })

  it('gives each range under one roof a name of its own, and puts the roof back for the contract', () => {
    const text = 'statusDate.scheduled[from]=2026-01-01&statusDate.lost[from]=2026-01-01&statusDate.canceled[to]=soon'
    expect(read(text)).toEqual({ perPage: 25, 'statusDate.scheduled': { from: '2026-01-01' } })
    expect(write(read(text))).toBe('statusDate.scheduled[from]=2026-01-01')
    expect(nestRanges({ ...read(text), 'statusDate.new': undefined })).toEqual({
      perPage: 25,
      statusDate: { scheduled: { from: '2026-01-01' } },
    })
    expect(orderApi.sortOf(nestRanges(read(text)))).toBe('-statusDate.scheduled')
  })

  it('reads back whatever it wrote', () => {
    const day = fc
      .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 53 - 1 }), { minLength: 1, maxLength: 5 })
    const query = fc.record(
      {
        q: fc
          .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
          .filter((text) => text.length <= 100 && !text.includes('\u0000')),
        page: fc.integer({ min: 2, max: 400 }),
        perPage: fc.constantFrom(10, 50, 100),
        sort: fc.constantFrom('number', '-customerPriceCents', 'marginBp'),
        state: fc.constantFrom('active', 'inactive'),
        customerId: ids,
        status: fc.uniqueArray(fc.constantFrom('new', 'merged', 'canceled'), { minLength: 1 }),
        mine: fc.constant(true),
        'statusDate.in_transit': fc.record({ from: day, to: day }, { requiredKeys: ['to'] }),
        lastUnloading: fc.record({ from: day, to: day }, { requiredKeys: ['from'] }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(query, (written) => {
        expect(read(write(written))).toEqual({ perPage: 25, ...written })
      }),
    )
  })

  it('opens on any text', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (text) => {
        expect(read(text)).toMatchObject({ perPage: expect.any(Number) })
      }),
    )
  })
})
