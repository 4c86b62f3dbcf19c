import { createSocket } from 'node:dgram'

export interface NameServer {
  /** as a resolver names it */
  address: string
  /** what names mean: IPv4 addresses, and IPv6 ones as 32 hex digits */
  names: Record<string, string[]>
  /** every question, `A name` or `AAAA name` */
  asked: string[]
  close(): void
}

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' }

function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (message[at] !== 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!))
    at += 1 + message[at]!
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** A name server on this machine (RFC 1035), for as much as a lookup needs. */
export async function openNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = { address: '', names: {}, asked: [], close: () => socket.close() }
  socket.on('message', (message, from) => {
    const { name, type, end } = questionIn(message)
    server.asked.push(`${TYPES[type]} ${name}`)
    const known = server.names[name]
    const records = (known ?? [])
      .filter((address) => address.includes('.') === (type === 1))
      .map((address) => {
        const bytes = type === 1 ? Buffer.from(address.split('.').map(Number)) : Buffer.from(address, 'hex')
        const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length])
        return Buffer.concat([head, bytes])
      })
    const head = Buffer.alloc(12)
    message.copy(head, 0, 0, 2)
    // An answer, with recursion; 3 where the name is unknown.
    head.writeUInt16BE(0x8180 + (known ? 0 : 3), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([head, message.subarray(12, end), ...records]), from.port, from.address)
  })
  await new Promise<void>((open) => socket.bind(0, '127.0.0.1', open))
  server.address = `127.0.0.1:${socket.address().port}`
  return server
}
