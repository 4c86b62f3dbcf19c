// A pooler in its mode by transaction, as far as it matters to those behind it: each transaction gets the connection
// that has been free for longest, so that two of one client never share what they have left on a connection.
import { createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'

export interface Pooler {
  /** the same database through the pooler */
  url: string
  close(): Promise<void>
}

const SSL = 80877103
const CANCEL = 80877102

const message = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const text = (value: string): Buffer => Buffer.from(`${value}\0`)
const READY = message('Z', Buffer.from('I'))

/** Whole messages of a stream of bytes, and what is left. */
function split(bytes: Buffer): { whole: Buffer[]; rest: Buffer } {
  const whole: Buffer[] = []
  let rest = bytes
  while (rest.length >= 5 && rest.length >= rest.readInt32BE(1) + 1) {
    const length = rest.readInt32BE(1) + 1
    whole.push(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
  return { whole, rest }
}

interface Server {
  socket: Socket
  hear(bytes: Buffer): void
}

async function connect(url: string): Promise<{ server: Server; end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  // The driver has signed in; from here on the bytes are the pooler's.
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection
  socket.removeAllListeners('data')
  const server: Server = { socket, hear: () => undefined }
  socket.on('data', (bytes: Buffer) => server.hear(bytes))
  return {
    server,
    end: async () => void socket.destroy(),
  }
}

/** Like PgBouncer 1.18 it refuses what it does not know of a start, and hands on no named statements. */
export async function openPooler(url: string, size = 2): Promise<Pooler> {
  const connections = await Promise.all(Array.from({ length: size }, () => connect(url)))
  const free = connections.map(({ server }) => server)
  const waiting: ((server: Server) => void)[] = []
  const take = (): Promise<Server> =>
    new Promise((resolve) => {
      const server = free.shift()
      if (server) resolve(server)
      else waiting.push(resolve)
    })
  const giveBack = (server: Server): void => {
    const next = waiting.shift()
    if (next) next(server)
    else free.push(server)
  }
  const clients = new Set<Socket>()

  function serve(client: Socket): void {
    let isStarted = false
    let rest: Buffer = Buffer.alloc(0)
    let answer: Buffer = Buffer.alloc(0)
    let server: Server | null = null
    let asked = 0
    let sending: Promise<void> = Promise.resolve()

    const start = (packet: Buffer): void => {
      const parts = packet.subarray(8).toString().split('\0')
      if (parts.includes('options')) {
        const fault = [
          text('SFATAL'),
          text('C08P01'),
          text('Munsupported startup parameter: options'),
          Buffer.from('\0'),
        ]
        client.end(message('E', ...fault))
        return
      }
      isStarted = true
      client.write(Buffer.concat([message('R', Buffer.alloc(4)), READY]))
    }
    const hear = (bytes: Buffer): void => {
      client.write(bytes)
      const { whole, rest: left } = split(Buffer.concat([answer, bytes]))
      answer = left
      for (const one of whole) {
        if (one.toString('latin1', 0, 1) !== 'Z') continue
        asked -= 1
        if (asked > 0 || one.toString('latin1', 5, 6) !== 'I') continue
        const done = server!
        server = null
        done.hear = () => undefined
        giveBack(done)
      }
    }
    const send = async (one: Buffer): Promise<void> => {
      if (server === null) {
        server = await take()
        server.hear = hear
      }
      if (/[QS]/.test(one.toString('latin1', 0, 1))) asked += 1
      server.socket.write(one)
    }
    client.on('error', () => undefined)
    client.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      while (!isStarted && rest.length >= 8 && rest.length >= rest.readInt32BE(0)) {
        const packet = rest.subarray(0, rest.readInt32BE(0))
        rest = rest.subarray(packet.length)
        const code = packet.readInt32BE(4)
        if (code === SSL) client.write('N')
        else if (code === CANCEL) client.end()
        else start(packet)
      }
      if (!isStarted) return
      const { whole, rest: left } = split(rest)
      rest = left
      // A client that leaves takes no connection along.
      for (const one of whole)
        if (one.toString('latin1', 0, 1) === 'X') client.end()
        else sending = sending.then(() => send(one))
    })
  }

  const door = createServer((client) => {
    clients.add(client)
    client.once('close', () => clients.delete(client))
    serve(client)
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((door.address() as AddressInfo).port)
  return {
    url: through.href,
    async close() {
      for (const client of clients) client.destroy()
      for (const { end } of connections) await end()
      await new Promise((resolve) => door.close(resolve))
    },
  }
}
