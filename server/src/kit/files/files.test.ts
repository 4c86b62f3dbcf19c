import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFileStore, STORAGES, type TestFileStore } from '../../../test/file-stores.ts'
import { startS3Server, type S3Server } from '../../../test/s3-server.ts'
import { createLocalFileStore } from './files.ts'
import { createS3FileStore } from './s3-files.ts'

const MB = 1024 * 1024
const KEY = /^[0-9a-f]{32}$/
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

/** So many bytes, none like its neighbour, in the pieces of a network. */
function* bytes(size: number): Generator<Buffer> {
  const piece = Buffer.from(Array.from({ length: 65_537 }, (_, place) => (place * 31) % 251))
  for (let sent = 0; sent < size; sent += 65_536)
    yield piece.subarray((sent / 65_536) % 2).subarray(0, Math.min(65_536, size - sent))
}

describe.each(STORAGES)('files in a %s', (storage) => {
  let store: TestFileStore
  beforeAll(async () => {
    store = await openFileStore(storage)
  })
  afterAll(() => store.close())

  const keep = async (text: string) =>
    store.files.keep(await store.files.stage(Readable.from([Buffer.from(text)]), { maxBytes: 100 }))
  const nothingStaged = async () => expect(await store.staged()).toBe(0)

  it('come back byte for byte, as a whole and as a stream, with their size and hash', async () => {
    const whole = Buffer.concat([...bytes(3 * MB + 7)])
    const staged = await store.files.stage(Readable.from(bytes(whole.length)), { maxBytes: 25 * MB })
    expect(staged).toMatchObject({ sizeBytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') })
    const key = await store.files.keep(staged)
    await nothingStaged()
    expect((await store.files.read(key)).equals(whole)).toBe(true)
    expect((await buffer(await store.files.open(key))).equals(whole)).toBe(true)
  })

  it('may be empty', async () => {
    const key = await store.files.keep(await store.files.stage(Readable.from([]), { maxBytes: 0 }))
    expect(await store.files.read(key)).toHaveLength(0)
    expect(await buffer(await store.files.open(key))).toHaveLength(0)
  })

  it('of 25 MB are taken, of one byte more refused while they stream, and the rest is not asked for', {
    tags: 'long',
  }, async () => {
    const key = await store.files.keep(await store.files.stage(Readable.from(bytes(25 * MB)), { maxBytes: 25 * MB }))
    expect((await store.files.read(key)).length).toBe(25 * MB)
    await store.files.remove(key)
    const kept = await store.kept()
    let asked = 0
    async function* endless() {
      for (const piece of bytes(25 * MB + 1)) yield piece
      for (;;) yield Buffer.alloc(1, (asked += 1))
    }
    await expect(store.files.stage(endless(), { maxBytes: 25 * MB })).rejects.toMatchObject({ code: 'file_too_large' })
    expect(asked).toBe(0)
    await nothingStaged()
    expect(await store.kept()).toEqual(kept)
  })

  it('that break off on the way leave nothing', async () => {
    const kept = await store.kept()
    async function* broken() {
      yield Buffer.from('half')
      throw new Error('the caller is gone')
    }
    await expect(store.files.stage(broken(), { maxBytes: 100 })).rejects.toThrow('the caller is gone')
    await nothingStaged()
    expect(await store.kept()).toEqual(kept)
  })

  it('are thrown away before they are kept, once or twice, and stay when they are kept', async () => {
    const staged = await store.files.stage(Readable.from([Buffer.from('not wanted')]), { maxBytes: 100 })
    await store.files.discard(staged)
    await store.files.discard(staged)
    await nothingStaged()
    const wanted = await store.files.stage(Readable.from([Buffer.from('wanted')]), { maxBytes: 100 })
    const key = await store.files.keep(wanted)
    await store.files.discard(wanted)
    expect(String(await store.files.read(key))).toBe('wanted')
  })

  it('have names that say nothing, and no two the same', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => keep('the same')))
    expect(new Set(keys).size).toBe(20)
    for (const key of keys) expect(key).toMatch(KEY)
  })

  it('are gone once removed; to remove one twice is no error', async () => {
    const key = await keep('short-lived')
    await store.files.remove(key)
    await store.files.remove(key)
    expect(await store.kept()).not.toContain(key)
  })

  it('that are not there are said to be missing before the first byte', async () => {
    const key = 'f'.repeat(32)
    await expect(store.files.read(key)).rejects.toMatchObject({ code: 'file_missing' })
    await expect(store.files.open(key)).rejects.toMatchObject({ code: 'file_missing' })
  })

  it.each(['../../etc/passwd', 'F'.repeat(32), '', `${'f'.repeat(32)}/..`])('are not reached by %j', async (key) => {
    for (const reach of [store.files.open, store.files.read, store.files.remove])
      await expect(reach(key)).rejects.toThrow('not a key of this store')
  })

  it('that nothing knows are swept when they are old enough; others, and what is not ours, stay', async () => {
    const [known, stray] = [await keep('known'), await keep('stray')]
    await store.addForeign('readme')
    await store.files.stage(Readable.from([Buffer.from('half')]), { maxBytes: 100 })
    const before = new Set(await store.kept())
    const sweep = (at: Date) =>
      store.files.sweep({
        before: at,
        asideBefore: inHours(-1),
        known: async (keys) => keys.filter((key) => key !== stray),
      })
    const nothing = { staged: 0, putBack: 0, putAside: 0, removed: 0, refused: 0 }
    expect(await sweep(inHours(-1))).toEqual(nothing)
    expect(new Set(await store.kept())).toEqual(before)
    expect(await sweep(inHours(1))).toEqual({ ...nothing, staged: 1, putAside: 1 })
    expect(await store.aside()).toEqual([stray])
    expect(new Set(await store.kept())).toEqual(new Set([...before].filter((key) => key !== stray)))
    expect(String(await store.files.read(known))).toBe('known')
    await nothingStaged()
  })

  it('come back out of quarantine when something knows them again, and leave it when their time is over', async () => {
    const [wanted, stray] = [await keep('wanted'), await keep('stray')]
    const sweep = (asideBefore: Date, unknown: string[]) =>
      store.files.sweep({
        before: inHours(1),
        asideBefore,
        known: async (keys) => keys.filter((key) => !unknown.includes(key)),
      })
    expect(await sweep(inHours(-1), [wanted, stray])).toMatchObject({ putAside: 2 })
    await expect(store.files.read(wanted)).rejects.toMatchObject({ code: 'file_missing' })
    const unknown = [stray, ...(await store.aside()).filter((key) => key !== wanted)]
    expect(await sweep(inHours(-1), unknown)).toMatchObject({ putBack: 1, removed: 0 })
    expect(String(await store.files.read(wanted))).toBe('wanted')
    expect(await sweep(inHours(1), unknown)).toMatchObject({ putBack: 0, putAside: 0 })
    expect(await store.aside()).toEqual([])
    await expect(store.files.read(stray)).rejects.toMatchObject({ code: 'file_missing' })
  })

  it('stay where they are when too many belong to nothing', { tags: 'long' }, async () => {
    for (let kept = 0; kept < 120; kept += 12) await Promise.all(Array.from({ length: 12 }, () => keep('x')))
    const before = (await store.kept()).toSorted()
    const answer = await store.files.sweep({ before: inHours(1), asideBefore: inHours(1), known: async () => [] })
    expect(answer).toMatchObject({ putAside: 0, removed: 0 })
    expect(answer.refused).toBeGreaterThan(119)
    expect((await store.kept()).toSorted()).toEqual(before)
  })

  it('are those of the first installation that says so', async () => {
    expect(await store.files.claim('one')).toBe('one')
    expect(await store.files.claim('other')).toBe('one')
    expect(await store.files.claim('one')).toBe('one')
  })

  it('are swept over more than a page of a listing', async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => keep('x')))
    const wanted = new Set(keys)
    expect(
      await store.files.sweep({
        before: inHours(1),
        asideBefore: inHours(-1),
        known: async (batch) => batch.filter((key) => !wanted.has(key)),
      }),
    ).toMatchObject({ putAside: 12 })
    expect((await store.kept()).filter((key) => wanted.has(key))).toEqual([])
  })

  it('have a place that answers', async () => expect(await store.files.answers()).toBe(true))
})

describe('a bucket that does not answer', () => {
  let server: S3Server
  let stagingFolder: string
  beforeAll(async () => {
    server = await startS3Server()
    stagingFolder = await mkdtemp(join(tmpdir(), 'waybill-staging-'))
  })
  afterAll(async () => {
    await server.close()
    await rm(stagingFolder, { recursive: true, force: true })
  })

  it('is “unavailable” to anybody who wants a file, and works again when it is back', async () => {
    const files = createS3FileStore({ ...server.place, stagingFolder })
    const key = await files.keep(await files.stage(Readable.from([Buffer.from('kept')]), { maxBytes: 100 }))
    const staged = await files.stage(Readable.from([Buffer.from('waiting')]), { maxBytes: 100 })
    await server.stop()
    for (const ask of [() => files.open(key), () => files.read(key), () => files.remove(key), () => files.keep(staged)])
      await expect(ask()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(files.answers()).rejects.toThrow('ECONNREFUSED')
    await server.start()
    expect(await files.answers()).toBe(true)
    expect(String(await files.read(key))).toBe('kept')
    expect(String(await files.read(await files.keep(staged)))).toBe('waiting')
  })

  it('nor is it listed for ever where it says that more follows, and names nothing', async () => {
    const endless = createServer((_, response) =>
      response
        .setHeader('content-type', 'application/xml')
        .end('<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>'),
    )
    endless.listen(0, '127.0.0.1')
    await once(endless, 'listening')
    const { port } = endless.address() as AddressInfo
    const files = createS3FileStore({ ...server.place, endpoint: `http://127.0.0.1:${port}`, stagingFolder })
    const swept = files.sweep({ before: inHours(1), asideBefore: inHours(1), known: async () => [] })
    expect(await swept).toMatchObject({ putAside: 0, removed: 0 })
    endless.close()
  })

  it('or one that is not there, or not ours, is not taken for a missing file', async () => {
    const elsewhere = createS3FileStore({ ...server.place, bucket: 'nobodys', stagingFolder })
    await expect(elsewhere.answers()).rejects.toThrow('bucket does not exist')
    const locked = createS3FileStore({
      ...server.place,
      credentials: { accessKeyId: 'nobody', secretAccessKey: 'x' },
      stagingFolder,
    })
    await expect(locked.answers()).rejects.toThrow('Access Key Id')
    await expect(locked.read('f'.repeat(32))).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a folder that cannot be written', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-files-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('because it is full in the middle of a file takes none of it', async () => {
    // The system cuts the file at 100 blocks, as a full disk would: the last write takes a part and says so.
    const script = `
      import { Readable } from 'node:stream'
      import { createLocalFileStore } from ${JSON.stringify(new URL('./files.ts', import.meta.url).href)}
      const store = createLocalFileStore({ folder: ${JSON.stringify(join(folder, 'full'))} })
      const bytes = Buffer.alloc(300_000, 1)
      const said = await store.stage(Readable.from([bytes]), { maxBytes: 1e6 }).then(() => 'taken', ({ code }) => code)
      console.log(said)
    `
    const file = join(folder, 'stage.mjs')
    await writeFile(file, script)
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -f 100; exec "$0" "$1"', process.execPath, file])
    expect(stdout.trim()).toBe('unavailable')
    expect(await readdir(join(folder, 'full', 'staging'))).toEqual([])
  })

  it('because it is no folder says that it is not available, and readiness hears it', async () => {
    await writeFile(join(folder, 'taken'), '')
    const store = createLocalFileStore({ folder: join(folder, 'taken') })
    const stage = store.stage(Readable.from([Buffer.from('x')]), { maxBytes: 10 })
    await expect(stage).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.answers()).rejects.toThrow()
  })

  it('is tried by a write of its own, which leaves nothing', async () => {
    const store = createLocalFileStore({ folder: join(folder, 'good') })
    expect(await store.answers()).toBe(true)
    expect(await readdir(join(folder, 'good', 'staging'))).toEqual([])
  })
})
