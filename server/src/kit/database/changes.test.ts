import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import pg from 'pg'
import { freshDatabase, type FreshDatabase } from '../../../test/database/postgres.ts'
import { openSilentLine } from '../../../test/database/silent-line.ts'
import { listenForChanges } from './changes.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

// What a standby answers to `listen`, as the protocol writes it (PostgreSQL, Message Formats): an error, then ready.
function refusal(): Buffer {
  const fields = Buffer.from('SERROR\0C0A000\0Mcannot execute LISTEN during recovery\0\0')
  const error = Buffer.alloc(5)
  error.write('E')
  error.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([error, fields, Buffer.from([0x5a, 0, 0, 0, 5, 0x49])])
}

it('a database that refuses to be listened to is left, each time that it is tried', async () => {
  const upstream = new URL(fresh.url)
  const left: Promise<unknown>[] = []
  const between = createServer((client) => {
    const server = connect(Number(upstream.port), upstream.hostname)
    left.push(once(client, 'close'))
    server.pipe(client)
    client.on('data', (bytes) => (bytes.includes('listen changes') ? client.write(refusal()) : server.write(bytes)))
    client.on('close', () => server.destroy())
    client.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  const url = new URL(fresh.url)
  url.hostname = '127.0.0.1'
  url.port = String((between.address() as AddressInfo).port)
  const changes = listenForChanges({ url: url.href, onError: () => undefined })
  const hearer = { changed: () => undefined, missed: () => undefined }
  for (const tries of [1, 2]) {
    await expect(changes.hear(hearer)).rejects.toThrow('cannot execute LISTEN')
    expect(left).toHaveLength(tries)
    await left.at(-1)
  }
  await changes.close()
  between.close()
})

async function notify(payload: string): Promise<void> {
  const client = new pg.Client({ connectionString: fresh.url })
  await client.connect()
  await client.query('select pg_notify($1, $2)', ['changes', payload])
  await client.end()
}

it('a line that goes dead without a word is noticed: what happened meanwhile is unknown, and it goes on', async () => {
  const line = await openSilentLine(fresh.url)
  const changes = listenForChanges({ url: line.url, onError: () => undefined, askEveryMs: 50, answersInMs: 300 })
  const heard: string[] = []
  const stop = await changes.hear({
    changed: ({ kind }) => void heard.push(kind),
    missed: () => void heard.push('missed'),
  })
  await notify('{"kind":"order","ids":[1]}')
  await expect.poll(() => heard).toEqual(['order'])
  line.fallSilent()
  await notify('{"kind":"customer","ids":[1]}')
  await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['order', 'missed'])
  await notify('{"kind":"carrier","ids":[1]}')
  await expect.poll(() => heard).toEqual(['order', 'missed', 'carrier'])
  stop()
  await changes.close()
  line.close()
})

it('a message that is none of ours ends nothing: what it was about is not known', async () => {
  const changes = listenForChanges({ url: fresh.url, onError: () => undefined })
  let missed = 0
  await changes.hear({ changed: () => undefined, missed: () => void (missed += 1) })
  await notify('hello')
  await expect.poll(() => missed).toBe(1)
  await changes.close()
})
