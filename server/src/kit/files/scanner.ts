import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { connect, type NetConnectOpts, type Socket } from 'node:net'

declare module '../context/context.ts' {
  interface Ports {
    /** null: files are not scanned for viruses (api, Operations) */
    scanner: Scanner | null
  }
}

/** What a scanner says of a file; `unscanned` where it does not answer, or does not take the file. */
export type Verdict = { kind: 'clean' } | { kind: 'unscanned'; why: string } | { kind: 'infected'; virus: string }

export interface Scanner {
  /** Never rejects for the scanner's sake; a local file that cannot be read does. */
  scan(path: string): Promise<Verdict>
}

// A person waits for it; clamd takes 25 MB in a second or two.
const SILENCE_MS = 20_000
const DEFAULT_PORT = 3310
const MOST_REPLY_BYTES = 4096

/** Where `tcp://host:port` or `unix:/path` leads. */
function placeOf(url: string): NetConnectOpts {
  const { protocol, hostname, port, pathname } = new URL(url)
  return protocol === 'unix:'
    ? { path: decodeURIComponent(pathname) }
    : { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) }
}

/** Bytes as INSTREAM wants them: each part behind its length, 4 bytes, the highest first; at the end a length of 0. */
async function sendFile(socket: Socket, path: string): Promise<void> {
  socket.write('zINSTREAM\0')
  const lengthOf = (bytes: number) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes)
    return length
  }
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
    // It has answered already, mostly that this is too much for it.
    if (!socket.writable) return
    socket.write(lengthOf(part.length))
    // What breaks the connection is told by the reply, or by its absence.
    if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
  }
  if (socket.writable) socket.write(lengthOf(0))
}

function replyOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    socket.on('data', (bytes: Buffer) => {
      reply += bytes.toString('utf8')
      if (reply.includes('\0') || reply.length > MOST_REPLY_BYTES) resolve(reply.split('\0')[0]!)
    })
    socket.on('error', reject)
    socket.on('timeout', () => reject(new Error('it did not answer in time')))
    socket.on('close', () => reject(new Error('it closed the connection')))
  })
}

/**
 * ClamAV's daemon by its command INSTREAM (man 8 clamd), at `tcp://host:port` or `unix:/path`. The bytes go over a
 * connection of their own, so it may run on another machine.
 */
export function createScanner({ url, silenceMs = SILENCE_MS }: { url: string; silenceMs?: number }): Scanner {
  return {
    async scan(path) {
      const socket = connect(placeOf(url)).setTimeout(silenceMs)
      const reply = replyOf(socket).then(
        (text) => ({ text }),
        (error: Error) => ({ text: `${error.message} ERROR` }),
      )
      try {
        await sendFile(socket, path)
        const { text } = await reply
        const virus = /^stream: (.+) FOUND$/.exec(text)?.[1]
        if (virus !== undefined) return { kind: 'infected', virus }
        return text === 'stream: OK' ? { kind: 'clean' } : { kind: 'unscanned', why: text }
      } finally {
        socket.destroy()
      }
    },
  }
}
