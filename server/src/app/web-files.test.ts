import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerError } from '../kit/http/problem.ts'
import { serveWeb } from './web-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'waybill-web-'))
const app = fastify() as unknown as FastifyInstance

beforeAll(async () => {
  mkdirSync(join(folder, 'dist/assets'), { recursive: true })
  mkdirSync(join(folder, 'dist/.vite'))
  for (const [name, text] of Object.entries({
    'secret.txt': 'beside the build',
    'dist/index.html': 'the page',
    'dist/track.html': 'the tracking page',
    'dist/assets/orders-ABCDEFGH.js': 'script',
    'dist/.vite/manifest.json': 'of the build',
    'dist/.build-stamp': 'of the build',
  }))
    writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'dist/assets/orders-ABCDEFGH.js.gz'), gzipSync('script'))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  await serveWeb(app, join(folder, 'dist'))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const asked = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
  const answer = await app.inject({ method, url, headers })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers }
}

describe('the files of the web', () => {
  it('have none beside the build, none of the build itself and none that is not there', async () => {
    for (const path of [
      'assets/../../secret.txt',
      'assets/..%2f..%2fsecret.txt',
      '..\\secret.txt',
      'assets',
      'assets/',
    ])
      expect((await asked(`/${path}`)).status, path).toBe(404)
    for (const path of ['.vite/manifest.json', '.build-stamp', 'assets/invoices-ABCDEFGH.js', 'api/nothing'])
      expect((await asked(`/${path}`)).text, path).toContain('not_found')
  })

  it('are kept for ever where their names say what is in them, and packed where the browser takes it', async () => {
    const plain = await asked('/assets/orders-ABCDEFGH.js?again')
    expect([plain.status, plain.text]).toEqual([200, 'script'])
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const packed = await asked('/assets/orders-ABCDEFGH.js', { 'accept-encoding': 'gzip' })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': expect.stringContaining('javascript'),
    })
    const { status, text, headers } = await asked('/assets/orders-ABCDEFGH.js', {}, 'HEAD')
    expect([status, text, headers['content-length']]).toEqual([200, '', '6'])
  })

  it('are the one page for every other path of a person, asked for anew each time', async () => {
    for (const path of ['', 'orders/7/edit', 'assets/old-ABCDEFGH.js']) {
      const answer = await asked(`/${path}`, { accept: 'text/html' })
      expect([answer.text, answer.headers['cache-control']], path).toEqual(['the page', 'no-cache'])
    }
    expect((await asked('/', { accept: '*/*' })).text).toBe('the page')
    expect((await asked('/', {}, 'HEAD')).status).toBe(200)
    expect((await asked('/orders', { accept: '*/*' })).status).toBe(404)
    const tracked = await asked('/track/some-link', { accept: 'text/html' })
    expect(tracked.text).toBe('the tracking page')
    expect(tracked.headers['x-robots-tag']).toBe('noindex, nofollow')
  })
})
