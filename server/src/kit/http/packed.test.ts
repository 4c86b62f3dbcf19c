import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'

const test = useTestApp()
const LONG = 'countries?perPage=100'

const asked = (acceptEncoding?: string, path = LONG) =>
  test.admin.get(path, { headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding } })

/** What is asked for once the process has time: while it starts, or sets a test up, it has none. */
async function packedBy(acceptEncoding: string) {
  let answer = await asked(acceptEncoding)
  await expect
    .poll(async () => (answer = await asked(acceptEncoding)).headers['content-encoding'], {
      timeout: 20_000,
      interval: 100,
    })
    .toBeDefined()
  return answer
}

describe('a long answer', () => {
  it('leaves packed as its caller takes it, and says the same', async () => {
    const plain = await asked()
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toBe('Accept-Encoding')
    const brotli = await packedBy('gzip, deflate, br')
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(brotliDecompressSync(brotli.raw)).toEqual(plain.raw)
    const gzip = await packedBy('GZIP;q=0.8, identity')
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.raw)).toEqual(plain.raw)
    expect(gzip.raw.length).toBeLessThan(plain.raw.length / 3)
  })

  it('leaves as it is for a caller that refuses to have it packed', async () => {
    for (const refusal of ['identity', 'br;q=0, gzip;q=0.0', 'deflate', ''])
      expect((await asked(refusal)).headers['content-encoding'], refusal).toBeUndefined()
  })

  it('leaves as it is while the process has no time for it', { tags: 'long' }, async () => {
    expect((await packedBy('br')).headers['content-encoding']).toBe('br')
    const until = performance.now() + 1500
    while (performance.now() < until);
    expect((await asked('br')).headers['content-encoding']).toBeUndefined()
  })
})

describe('a short answer', () => {
  it('leaves as it is', async () => {
    const { headers } = await asked('br', 'countries?perPage=10&q=DE')
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).toBeUndefined()
  })
})
