import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Below this nothing is won: it fits into two packets as it is. */
const LEAST_CHARACTERS = 2_000
/** Where the process works for more than this share of its time, packing would hold up what others wait for. */
const BUSY = 0.6
const LOOKED_AT_EVERY_MS = 500

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** At levels that take about half a millisecond for a list of 50 orders, which then has an eighth of its bytes. */
const PACKINGS = {
  br: (text: string) =>
    brotli(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
    }),
  gzip: (text: string) => zip(text, { level: 2 }),
} as const

type Packing = keyof typeof PACKINGS

/** `br;q=0` refuses one; a caller that names neither gets the text as it is. */
function packingFor(accepted: string | string[] | undefined): Packing | null {
  const named = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim()))
    .filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? ''))
    .map(([name]) => name)
  return named.includes('br') ? 'br' : named.includes('gzip') ? 'gzip' : null
}

let since = performance.eventLoopUtilization()
let lookedAt = performance.now()
let isBusy = false

function isProcessBusy(): boolean {
  const now = performance.now()
  if (now - lookedAt < LOOKED_AT_EVERY_MS) return isBusy
  const upToNow = performance.eventLoopUtilization()
  isBusy = performance.eventLoopUtilization(upToNow, since).utilization > BUSY
  since = upToNow
  lookedAt = now
  return isBusy
}

/**
 * The bytes of a JSON answer as they leave, with the headers that say so: packed as the caller takes them, unless it is
 * short or the process has too much to do.
 */
export async function packed(request: FastifyRequest, reply: FastifyReply, text: string): Promise<string | Buffer> {
  if (text.length < LEAST_CHARACTERS) return text
  void reply.header('Vary', 'Accept-Encoding')
  const packing = packingFor(request.headers['accept-encoding'])
  if (packing === null || isProcessBusy()) return text
  void reply.header('Content-Encoding', packing)
  return PACKINGS[packing](text)
}
