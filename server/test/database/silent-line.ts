import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface SilentLine {
  /** the same address by way of this line */
  url: string
  /** what is connected gets nothing through any more, and nobody is told; new connections go through */
  fallSilent(): void
  close(): void
}

/** A line to a server that can go dead as one does behind a firewall, or when a machine loses its power. */
export async function openSilentLine(to: string): Promise<SilentLine> {
  const target = new URL(to)
  const alive = new Set<Socket>()
  const all: Socket[] = []
  const line = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const [from, into] of [
      [client, server],
      [server, client],
    ] as const) {
      alive.add(from)
      all.push(from)
      from.on('data', (bytes) => alive.has(from) && into.write(bytes))
      from.on('error', () => undefined)
      from.on('close', () => alive.has(from) && into.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String((line.address() as AddressInfo).port)
  return {
    url: url.href,
    fallSilent: () => alive.clear(),
    close() {
      line.close()
      for (const socket of all) socket.destroy()
    },
  }
}
