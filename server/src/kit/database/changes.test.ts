import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase, type FreshDatabase } from '../../../test/database/postgres.ts'
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
