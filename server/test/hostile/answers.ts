// Sends a hostile request as it is, and says what is wrong with its answer.
import { Agent, request as startRequest } from 'node:http'
import { ERRORS } from '@waybill/contract/errors'
import type { HostileRequest } from './requests.ts'

export interface HostileAnswer {
  /** null: none came */
  status: number | null
  type: string
  text: string
  ms: number
}

/** Who has no answer by then gets none. */
const ANSWERED_WITHIN_MS = 20_000

/** Sends requests to a server, over connections that are kept. */
export function openSender(url: string): {
  send(request: HostileRequest, headers: Record<string, string>): Promise<HostileAnswer>
  close(): void
} {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port, pathname } = new URL(url)
  return {
    send: ({ method, path, headers: own, body }, headers) =>
      new Promise((resolve) => {
        const startedAt = performance.now()
        let answer: Pick<HostileAnswer, 'status' | 'type'> = { status: null, type: '' }
        const chunks: Buffer[] = []
        const end = (why = '') =>
          resolve({
            ...answer,
            text: why || Buffer.concat(chunks).toString('utf8'),
            ms: performance.now() - startedAt,
          })
        const asked = startRequest(
          {
            hostname,
            port,
            agent,
            method,
            path: `${pathname}${path}`,
            headers: { ...headers, ...own, ...(body !== null && { 'content-length': String(body.length) }) },
            signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
          },
          (response) => {
            const type = response.headers['content-type'] ?? ''
            answer = { status: response.statusCode!, type }
            // Events come for as long as somebody listens.
            if (type.startsWith('text/event-stream')) {
              response.destroy()
              return end()
            }
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('end', () => end())
            response.on('error', (error) => end(`broken off: ${error.message}`))
          },
        )
        // What is too large may be answered, and its line cut, before all of it has left.
        asked.on('error', (error) => answer.status === null && end(`no answer: ${error.message}`))
        asked.end(body)
      }),
    close: () => agent.destroy(),
  }
}

const NO_HTTP = '{"error":"Bad Request","message":"Client Error","statusCode":400}'

const INSIDE = /\.(ts|js|mjs):\d+|node_modules|\bselect\b.*\bfrom\b|\binsert into\b|violates|syntax error|pg_|ECONN/i

/** What is wrong with an answer; null = nothing. */
export function faultOf({ method }: HostileRequest, { status, type, text }: HostileAnswer): string | null {
  if (status === null) return text
  if (status >= 500) return `${status}: ${text}`
  if (status < 400 || method === 'HEAD') return null
  // What is no HTTP is refused before the product sees it.
  if (text === NO_HTTP) return null
  if (!type.startsWith('application/problem+json')) return `${status} as ${type}: ${text.slice(0, 300)}`
  if (INSIDE.test(text)) return `it tells of the inside: ${text.slice(0, 300)}`
  const { code } = JSON.parse(text) as { code: string }
  return code in ERRORS && code !== 'internal' ? null : `an unknown code: ${code}`
}
