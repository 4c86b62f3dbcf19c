import { Resolver } from 'node:dns/promises'
import { Agent, request } from 'node:https'
import { isIP, type BlockList, type LookupFunction } from 'node:net'
import type { DeliveryFault } from '@waybill/contract/webhook/delivery'
import { faultOfAddress, hostOf, mayBeReached } from './address.rules.ts'

const LONGEST_MS = 5000
const MOST_BYTES = 64 * 1024

export interface Outcome {
  /** what was answered; null = nothing */
  status: number | null
  /** null = it has arrived */
  fault: DeliveryFault | null
}

interface Way {
  nets: BlockList
  /** every address of a name, asked once */
  resolve?: ((host: string, signal: AbortSignal) => Promise<string[]>) | undefined
  /** certificates that are trusted beside the usual ones */
  ca?: string | undefined
}

/**
 * Every address of a name, asked of the name servers alone (left out, those of this machine), without the pool of
 * threads that the system's own way of asking would fill.
 */
export async function askNames(host: string, signal: AbortSignal, servers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Answers the addresses that were checked, whatever the name means by now. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, answer) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) answer(null, all)
    else answer(null, all[0]!.address, all[0]!.family)
  }

const OF_CERTIFICATES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/

function faultOf(error: unknown, signal: AbortSignal): DeliveryFault {
  if (signal.aborted) return 'timeout'
  return OF_CERTIFICATES.test((error as NodeJS.ErrnoException).code ?? '') ? 'certificate' : 'connection'
}

const faultOfStatus = (status: number): DeliveryFault | null =>
  status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? 'redirect' : 'status'

/**
 * Posts a text to an address that somebody typed: the one place where the server does so (design §9, rule 8). The host
 * is looked up once, each of its addresses is checked, and the connection goes to these alone; a certificate has to fit
 * the name. No redirect is followed, all of it takes 5 seconds at most, and nothing of the answer is kept but its
 * status.
 */
export async function postOutside(
  { nets, resolve = askNames, ca }: Way,
  { url: text, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string },
): Promise<Outcome> {
  const failed = (fault: DeliveryFault): Outcome => ({ status: null, fault })
  if (faultOfAddress(text, nets) !== null) return failed('inside')
  const url = new URL(text)
  const host = hostOf(url)
  const signal = AbortSignal.timeout(LONGEST_MS)
  const isLate = new Promise<null>((late) => signal.addEventListener('abort', () => late(null)))
  const addresses = isIP(host) === 0 ? await Promise.race([resolve(host, signal), isLate]).catch(() => []) : [host]
  if (addresses === null) return failed('timeout')
  if (addresses.length === 0) return failed('name')
  if (!addresses.every((address) => mayBeReached(address, nets))) return failed('inside')
  // One for each message: no connection and no session is used for another one.
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 })
  return new Promise((done) => {
    const asked = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      lookup: pinned(addresses),
      rejectUnauthorized: true,
      signal,
      ...(ca !== undefined && { ca }),
    })
    // What it said first counts, whether or not it says the rest in time.
    let said: Outcome | null = null
    asked.on('error', (error) => done(said ?? failed(faultOf(error, signal))))
    asked.on('response', (answer) => {
      const status = answer.statusCode!
      said = { status, fault: faultOfStatus(status) }
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MOST_BYTES) answer.destroy()
      })
      answer.on('error', () => undefined)
      answer.on('close', () => done(said!))
    })
    asked.end(body)
  })
}
