import { describe, expect, test } from 'vitest'
import { addressOf, headersOf, type RequestInput } from './request.ts'

const headers = (input: RequestInput, asking: Partial<Parameters<typeof headersOf>[1]> = {}) =>
  Object.fromEntries(headersOf(input, { language: 'en', token: 'secret', groupFilter: 0, ...asking }))

describe('the headers of a call', () => {
  test('ask for JSON in the chosen language, with the token and in detail', () => {
    expect(headers({}, { language: 'pl' })).toEqual({
      accept: 'application/json',
      'accept-language': 'pl',
      authorization: 'Bearer secret',
      'additional-groups': 'detailed',
    })
  })

  test('carry no token on a public call, as the renewing of tokens is', () => {
    expect(headers({ body: { refreshToken: 'x' } }, { token: null })).not.toHaveProperty('authorization')
  })

  test('do not ask in detail where the query is a filter', () => {
    expect(headers({ isCompact: true })).not.toHaveProperty('additional-groups')
  })

  test('name the global filter only where there is one', () => {
    expect(headers({})).not.toHaveProperty('group-filter')
    expect(headers({}, { groupFilter: 7 })).toMatchObject({ 'group-filter': '7' })
  })

  test('name the version that was read and the key of the intention', () => {
    expect(headers({ version: 4, idempotencyKey: 'k', body: {} })).toMatchObject({
      'if-match': '"4"',
      'idempotency-key': 'k',
      'content-type': 'application/json',
    })
  })

  test('leave the type of a form to the browser, which knows its boundary', () => {
    expect(headers({ form: new FormData() })).not.toHaveProperty('content-type')
  })
})

describe('the address of a call', () => {
  test('fills the holes of the path, escaped', () => {
    expect(addressOf('/invoices/:id/status', { params: { id: 12 } })).toBe('/api/invoices/12/status')
    expect(addressOf('/upload-documents/:token', { params: { token: 'a/b?c' } })).toBe(
      '/api/upload-documents/a%2Fb%3Fc',
    )
  })

  test('writes the query with brackets, 1 and 0, and without empty texts', () => {
    const query = {
      q: '',
      delayed: true,
      mine: false,
      status: ['new', 'scheduled'],
      createdAt: { from: '2026-01-01', to: '' },
    }
    expect(addressOf('/orders', { query })).toBe(
      '/api/orders?delayed=1&mine=0&status[]=new&status[]=scheduled&createdAt[from]=2026-01-01',
    )
  })

  test('has no question mark without a question', () => {
    expect(addressOf('/orders', { query: { q: '' } })).toBe('/api/orders')
  })
})
