import Fastify, { type FastifyInstance } from 'fastify'
import { createServer, Server, type AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, it, vi } from 'vitest'
import { listenWidely } from './listeners.ts'

const HOST = '127.0.0.1'
const CONNECTIONS = 64

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function opened(port = 0): Promise<{ app: FastifyInstance; port: number }> {
  const app = Fastify({ forceCloseConnections: true })
  app.get('/', async () => 'hello')
  const stop = await listenWidely(app, { port, host: HOST })
  closers.push(() => Promise.all([stop(), app.close()]))
  return { app, port: (app.server.address() as AddressInfo).port }
}

/** As many connections as are asked for, made by another thread; they stand before anybody here can take them in. */
function connectWhileNobodyTakesIn(port: number): void {
  const connected = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(
    `const { workerData: { port, host, connections, connected } } = require('node:worker_threads')
     for (let n = 0; n < connections; n += 1)
       require('node:net').connect(port, host, () => {
         if (Atomics.add(connected, 0, 1) === connections - 1) Atomics.notify(connected, 0)
       }).on('error', () => undefined)`,
    { eval: true, workerData: { port, host: HOST, connections: CONNECTIONS, connected } },
  )
  closers.push(() => worker.terminate())
  for (let count = 0; count < CONNECTIONS; count = Atomics.load(connected, 0)) Atomics.wait(connected, 0, count, 1000)
}

it('does not share its port with another Waybill', async () => {
  const { port } = await opened()
  await expect(opened(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

it('does not share its port with another program', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => void other.listen(0, HOST, resolve))
  closers.push(() => new Promise((resolve) => other.close(resolve)))
  await expect(opened((other.address() as AddressInfo).port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

it('listens by one socket where the system lets none share a port', async () => {
  const { listen } = Server.prototype
  const cannot = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...given: unknown[]) {
    if (!(given[0] as { reusePort?: boolean }).reusePort) return Reflect.apply(listen, this, given) as Server
    process.nextTick(() => this.emit('error', Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP' })))
    return this
  })
  closers.push(async () => cannot.mockRestore())
  const { port } = await opened()
  expect(await fetch(`http://${HOST}:${port}/`).then((response) => response.text())).toBe('hello')
  expect(cannot.mock.calls.filter(([options]) => !(options as { reusePort?: boolean }).reusePort)).toHaveLength(1)
})

it('takes in a crowd in far fewer turns than there are connections', async () => {
  const { app, port } = await opened()
  let taken = 0
  app.server.on('connection', () => (taken += 1))
  connectWhileNobodyTakesIn(port)
  let turns = 0
  for (; taken < CONNECTIONS && turns < 10 * CONNECTIONS; turns += 1) await turn()
  expect(taken).toBe(CONNECTIONS)
  expect(turns).toBeLessThan(CONNECTIONS / 2)
})

it('answers by every connection, ends them, and lets the port go', async () => {
  const { port } = await opened()
  const ask = () => fetch(`http://${HOST}:${port}/`).then((response) => response.text())
  const answers = await Promise.all(Array.from({ length: CONNECTIONS }, ask))
  expect([...new Set(answers)]).toEqual(['hello'])
  await closers.pop()!()
  await expect(ask()).rejects.toThrow('fetch failed')
  await opened(port)
  expect(await ask()).toBe('hello')
})
