import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeKeys } from '../ksef/test-keys.ts'

export interface Message {
  headers: IncomingHttpHeaders
  text: string
  body: { id: string; type: string; occurredAt: string; version: number; data: Record<string, any> }
}

export interface Receiver {
  /** its address, by name */
  url: string
  port: number
  got: Message[]
  /** how it answers; `null` never does */
  answer: ((reply: ServerResponse, message: Message) => void) | null
  close(): Promise<void>
}

export const HOST = 'receiver.example'
/** Of every receiver: trusted by a line that is told so. */
export const KEYS = makeKeys({ kind: 'ec', name: HOST })

/** A receiver on this machine, under a name that only the test knows the way to. */
export async function openReceiver(): Promise<Receiver> {
  const server: Server = createServer({ key: KEYS.privateKey, cert: KEYS.certificate }, (request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const message = { headers: request.headers, text, body: JSON.parse(text) }
      receiver.got.push(message)
      receiver.answer?.(reply, message)
    })
  })
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `https://${HOST}:${port}/waybill`,
    port,
    got: [],
    answer: (reply) => void reply.writeHead(204).end(),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  return receiver
}

/** The signatures of a message that a secret fits. */
export function isSignedBy(secret: string, { headers, text }: Message): boolean {
  const parts = String(headers['waybill-signature'])
    .split(',')
    .map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1]
  const wanted = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
  return parts.some(([name, value]) => name === 'v1' && value === wanted)
}
