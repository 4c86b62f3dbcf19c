import { describe, expect, it } from 'vitest'
import { ERRORS } from '@waybill/contract/errors'
import { useTestApp } from '../../test/app.ts'

const test = useTestApp()

const post = async (payload: Buffer | string, url = '/api/login') => {
  const { statusCode, body } = await test.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    payload,
  })
  return [statusCode, JSON.parse(body).code]
}

describe('a request', () => {
  it('in letters of another encoding is refused, not stored with marks in their place', async () => {
    expect(await post(Buffer.from('{"email":"m\u00fcller@example.de","password":"x"}', 'latin1'))).toEqual([
      400,
      'malformed',
    ])
    expect(await post(Buffer.from('{"email":"m\u00fcller@example.de","password":"x"}', 'utf8'))).not.toContain(
      'malformed',
    )
  })

  it('nested twenty thousand deep is refused before anything walks through it', async () => {
    expect(await post(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).toEqual([400, 'malformed'])
    const { body: country } = await test.admin.get('countries?perPage=10').then(({ body }) => ({ body: body.items[0] }))
    const deep: unknown = Array.from({ length: 60 }).reduce((inner) => ({ inner }), {})
    expect((await test.admin.patch(`countries/${country.id}`, { title: deep }, { version: 1 })).body.code).toBe(
      'malformed',
    )
  })

  it('with brackets inside of texts is not nested', async () => {
    expect(await post(`{"email":"${'['.repeat(200)}\\"${'{'.repeat(200)}","password":"x"}`)).not.toContain('malformed')
  })

  it('that is no JSON, or names what no body may hold, is refused', async () => {
    expect(await post('{"email":')).toEqual([400, 'malformed'])
    expect(await post('{"__proto__":{"isAdmin":true}}')).toEqual([400, 'malformed'])
  })

  it('whose address cannot be read is refused in our words, and none of it is said again', async () => {
    for (const id of ['%zz', '%', '%c0%ae', 'x'.repeat(501)]) {
      const { status, body, raw } = await test.admin.get(`orders/${id}`, { headers: { 'accept-language': 'de' } })
      expect([status, body.code, body.title], id).toEqual([400, 'malformed', ERRORS.malformed.text.de])
      expect(raw.toString()).not.toContain(id)
    }
  })

  it('with more than 500 pairs in its address is refused, not cut', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, id) => `ids[]=${id + 1}`).join('&')
    expect((await test.admin.get(`countries?${ids(501)}`)).body.code).toBe('malformed')
    expect((await test.admin.get(`countries?${ids(40)}`, { compact: true })).status).toBe(200)
  })
})
