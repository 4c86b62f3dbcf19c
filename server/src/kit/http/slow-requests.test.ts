import { connect, type AddressInfo, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutOffSlowRequests } from './slow-requests.ts'

const SIZE = 20_000
const LEAST = { bytes: 500, everyMs: 100 }

let app: FastifyInstance

beforeAll(async () => {
  app = Fastify()
  cutOffSlowRequests(app, LEAST)
  app.post('/', async ({ body }) => ({ length: (body as string).length }))
  await app.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(() => app.close())

/** Sends a request of 20,000 signs, so many every ten milliseconds; what was answered before the connection ended. */
async function sendBy(signs: number): Promise<string> {
  const socket: Socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
    socket.end()
  })
  // A connection that is cut off may say so, and is closed all the same.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: ${SIZE}\r\n\r\n`)
  let left = SIZE
  const drip = setInterval(() => {
    if (!socket.writable || left === 0) return
    const part = Math.min(signs, left)
    left -= part
    socket.write('a'.repeat(part))
  }, 10)
  await closed
  clearInterval(drip)
  return answer
}

describe('a request that is being sent', () => {
  it('is cut off without an answer where it comes in drips', async () => {
    expect(await sendBy(1)).toBe('')
  })

  it('is taken where it is slow and yet goes on', async () => {
    expect(await sendBy(500)).toContain(`{"length":${SIZE}}`)
  })

  it('is cut off where it stops in the middle', async () => {
    expect(await sendBy(0)).toBe('')
  })
})
