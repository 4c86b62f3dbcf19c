import { describe, expect, it } from 'vitest'
import { ENDPOINTS, RESOURCES } from '@waybill/contract/api'
import { useTestApp } from './app.ts'

const test = useTestApp()

interface Operation {
  responses: Record<string, unknown>
  security?: unknown[]
  requestBody?: unknown
}

interface Content {
  content: Record<string, { example?: unknown }>
}

describe('the API’s own document', () => {
  it('names every endpoint of the contract with its answers, and nothing else', async () => {
    const { status, body } = await test.anonymous.get<{
      openapi: string
      paths: Record<string, Record<string, Operation>>
    }>('openapi.json')
    expect(status).toBe(200)
    expect(body.openapi).toMatch(/^3\.1/)
    const named = Object.entries(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const wanted = [
      ...ENDPOINTS,
      ...RESOURCES.flatMap((api) => [api.list, api.export, api.get, api.create, api.replace, api.patch, api.remove]),
    ].map(({ method, path }) => `${method} /api${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(named.toSorted()).toEqual([...new Set(wanted)].toSorted())
    for (const operations of Object.values(body.paths)) {
      for (const operation of Object.values(operations)) {
        expect(Object.keys(operation.responses)).toContain('default')
        expect(Object.keys(operation.responses).length).toBeGreaterThan(1)
      }
    }
    expect(body.paths['/api/token']!.post!.security).toEqual([])
    expect(body.paths['/api/orders']!.post!.security).toBeUndefined()
    // A DELETE that asks for something says so.
    expect(body.paths['/api/profile/two-factor']!.delete!.requestBody).toMatchObject({
      content: { 'application/json': { schema: { required: ['code'] } } },
    })
    expect(body.paths['/api/orders/{id}']!.delete!.requestBody).toBeUndefined()
  })

  it('shows what is sent and answered by examples that are what the contract says', async () => {
    const { body: document } = await test.anonymous.get<{ paths: Record<string, Record<string, Operation>> }>(
      'openapi.json',
    )
    const lists = new Map(RESOURCES.map((api) => [`GET ${api.list.path}`, api.list]))
    const endpoints = [...ENDPOINTS, ...RESOURCES.flatMap((api) => [api.get, api.create, api.patch]), ...lists.values()]
    const shown = endpoints.flatMap((endpoint) => {
      const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
      const { requestBody, responses } = document.paths[path]![endpoint.method.toLowerCase()]!
      const { example: sent } = (requestBody as Content | undefined)?.content['application/json'] ?? {}
      const { example: answered } =
        (responses[endpoint.status] as Content | undefined)?.content?.['application/json'] ?? {}
      const name = `${endpoint.method} ${endpoint.path}`
      if (sent !== undefined) expect(endpoint.body.safeParse(sent).error, name).toBeUndefined()
      // Whole: what the shape would leave out is not answered.
      if (answered !== undefined) expect(endpoint.reply.parse(answered), name).toEqual(answered)
      return sent === undefined && answered === undefined ? [] : [name]
    })
    expect(shown).toEqual(
      expect.arrayContaining([
        'POST /token',
        'GET /orders',
        'POST /orders',
        'PATCH /orders/:id',
        'POST /orders/:id/status',
        'POST /customers',
        'GET /carrier-companies/:id',
        'POST /invoices',
        'GET /documents',
        'POST /webhooks',
        'POST /intake-mails',
      ]),
    )
    expect(shown).toHaveLength(27)
  })

  it('has a page for people', async () => {
    const response = await test.app.inject({ url: '/api/docs/' })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toContain('text/html')
    expect(response.headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe-inline/)
  })
})

describe('every answer', () => {
  it('carries a request id: the caller’s if it is a fair one, else a new one', async () => {
    const own = await test.anonymous.get('health/live', { headers: { 'x-request-id': 'Order-4711' } })
    expect(own.headers['x-request-id']).toBe('Order-4711')
    const foul = await test.anonymous.get('no-such-path', { headers: { 'x-request-id': 'a b\tc' } })
    expect(foul.status).toBe(404)
    expect(foul.headers['x-request-id']).toMatch(/^[A-Za-z0-9-]{1,64}$/)
    expect(foul.body).toMatchObject({
      type: 'about:blank',
      status: 404,
      code: 'not_found',
      requestId: foul.headers['x-request-id'],
    })
  })

  it('is an error of the caller for what cannot be read, in the language that was asked for', async () => {
    const headers = { 'content-type': 'application/json', 'accept-language': 'pl' }
    const broken = await test.app.inject({ method: 'POST', url: '/api/token', headers, payload: '{"email":' })
    expect(broken.statusCode).toBe(400)
    expect(broken.json()).toMatchObject({ code: 'malformed', detail: 'Nie udało się odczytać żądania.' })
    expect(
      (
        await test.app.inject({
          method: 'POST',
          url: '/api/token',
          headers: { 'content-type': 'text/xml' },
          payload: '<a/>',
        })
      ).json(),
    ).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    const huge = await test.app.inject({
      method: 'POST',
      url: '/api/token',
      headers,
      payload: JSON.stringify({ email: 'x'.repeat(5_000_000), password: 'y' }),
    })
    expect(huge.json()).toMatchObject({ status: 413, code: 'body_too_large' })
  })
})
