import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order } from '@waybill/contract/order/order'
import { WEBHOOK_EVENTS } from '@waybill/contract/webhook/webhook'
import { useTestApp } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'
import { HOST, KEYS } from '../../../test/webhooks/receiver.ts'
import { createWebhookLine } from './index.ts'
import { signatureOf } from './secret.rules.ts'

// The script of the documentation as it stands there, against the whole server: HTTP, TLS, jobs and database.
const SCRIPT = join(import.meta.dirname, '../../../../docs/webhook-client.mjs')

const test = useTestApp()
let world: OrderWorld
let customerId: number
let folder: string
let address: string
let key: string
const running: ChildProcess[] = []

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Kartonwerk Süd GmbH', 'DE')
  folder = await mkdtemp(join(tmpdir(), 'waybill-webhook-'))
  await writeFile(join(folder, 'cert.pem'), KEYS.certificate)
  await writeFile(join(folder, 'key.pem'), KEYS.privateKey)
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
  const owner = await test.userWith('ORDERS_MANAGEMENT')
  const given = { title: 'Warehouse', ownerId: owner.id, permissions: ['ORDERS_MANAGEMENT'], days: 30 }
  key = (await test.admin.post('api-keys', given)).body.token
  await test.ports.webhooks.close()
  test.ports.webhooks = createWebhookLine({
    allowNets: ['127.0.0.1/32'],
    ca: KEYS.certificate,
    resolve: async () => ['127.0.0.1'],
  })
  await test.ports.jobs.work(jobContext(test))
})
afterAll(async () => {
  for (const child of running) child.kill()
  await test.ports.jobs.stop({ graceMs: 1000 })
  await rm(folder, { recursive: true })
})

/** The script under way: what it has said, and where it listens. */
async function begin(secret: string, port = 0) {
  const child = spawn(process.execPath, [SCRIPT], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      WEBHOOK_SECRET: secret,
      WAYBILL_URL: address,
      WAYBILL_API_KEY: key,
      PORT: String(port),
      TLS_CERT: 'cert.pem',
      TLS_KEY: 'key.pem',
    },
  })
  running.push(child)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await expect.poll(() => said, { timeout: 10_000 }).toMatch(/listening \d+/)
  return {
    port: Number(/listening (\d+)/.exec(said)![1]),
    lines: () => said.trim().split('\n'),
    end: () =>
      new Promise<void>((ended) => {
        child.on('exit', () => ended())
        child.kill()
      }),
  }
}

const post = (port: number, body: string, signature: string): Promise<number> =>
  new Promise((done, failed) => {
    const options = { host: '127.0.0.1', port, servername: HOST, ca: KEYS.certificate, method: 'POST' }
    const asked = request({ ...options, headers: { 'Waybill-Signature': signature } }, (answer) => {
      answer.resume()
      done(answer.statusCode!)
    })
    asked.on('error', failed)
    asked.end(body)
  })

it('is verified, done once, read with a key, and caught up with after a pause', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  const made = await test.admin.post('webhooks', {
    title: 'Warehouse',
    // Its port is known once the script listens.
    url: `https://${HOST}:8443/`,
    events: WEBHOOK_EVENTS,
  })
  const { id, version, secret, title } = made.body
  const script = await begin(secret)
  const url = `https://${HOST}:${script.port}/hook`
  expect((await test.admin.put(`webhooks/${id}`, { title, url, events: WEBHOOK_EVENTS }, { version })).status).toBe(200)

  // Refused: another secret, other words, a signature of ten minutes ago, none at all.
  const now = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ id: 'evt_1', type: 'webhook.test', data: {} })
  const refused = [
    [body, signatureOf(['whsec_other'], now, body)],
    [body.replace('evt_1', 'evt_2'), signatureOf([secret], now, body)],
    [body, signatureOf([secret], now - 600, body)],
    [body, signatureOf([secret], now + 600, body)],
    [body, `t=${now}`],
    [body, `t=${now},v1=zz`],
    [body, ''],
  ] as const
  for (const [text, signature] of refused) expect(await post(script.port, text, signature), signature).toBe(401)
  // A copy of a message that was taken is answered, and not done again.
  expect(await post(script.port, body, signatureOf([secret], now, body))).toBe(204)
  expect(await post(script.port, body, signatureOf(['whsec_former', secret], now, body))).toBe(204)
  await expect
    .poll(() => script.lines().filter((line) => line.includes('evt_1')))
    .toEqual(['event webhook.test evt_1', 'again evt_1'])
  expect(script.lines().filter((line) => line === 'refused')).toHaveLength(refused.length)

  const order = (await test.admin.post<Order>('orders', plainOrder(world, customerId))).body
  await expect.poll(() => script.lines(), { timeout: 10_000 }).toContain(`order ${order.number} new version 1`)
  expect(script.lines().some((line) => line.startsWith('event order.created evt_'))).toBe(true)
  await script.end()

  const changed = await test.admin.patch<Order>(
    `orders/${order.id}`,
    { description: 'Changed while nobody listened' },
    { version: order.version },
  )
  expect(changed.status).toBe(200)
  const next = await begin(secret)
  expect(next.lines()).toContain(`changed ${order.number} new`)
  await next.end()
  const last = await begin(secret)
  expect(last.lines().filter((line) => line.startsWith('changed'))).toEqual([])
})
