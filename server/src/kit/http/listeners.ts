import type { FastifyInstance } from 'fastify'
import { createServer, type AddressInfo, type Server } from 'node:net'

/** Where a port is opened: `port` 0 takes a free one. */
export interface Place {
  port: number
  host: string
}

// Node takes in one new connection of a listening socket in each turn of its event loop: three hundred that come at
// once, as after a restart, waited for three hundred turns, and everybody who came later behind them.
const LISTENERS = 16

const listen = (server: Server, options: Place & { reusePort: boolean }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve()
    })
  })

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

/** Nobody else has this port: the system would let several programs share one. Error: `EADDRINUSE` and its kin. */
async function makeSureItIsFree(place: Place): Promise<void> {
  const alone = createServer()
  await listen(alone, { ...place, reusePort: false })
  await close(alone)
}

/**
 * Opens the application's port by several sockets, where the system can (Linux), else by one. What it gives back stops
 * listening at once, and resolves when the connections that came by the additional sockets have ended. Errors: those of
 * `listen`.
 */
export async function listenWidely(app: FastifyInstance, place: Place): Promise<() => Promise<void>> {
  if (place.port !== 0) await makeSureItIsFree(place)
  try {
    await app.listen({ ...place, reusePort: true } as Place)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTSUP') throw error
    await app.listen(place)
    return () => Promise.resolve()
  }
  const { port, address } = app.server.address() as AddressInfo
  const others: Server[] = []
  const stop = async () => void (await Promise.all(others.map(close)))
  while (others.length < LISTENERS - 1) {
    // Its connections are as those of Node's own HTTP server.
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      app.server.emit('connection', socket),
    )
    await listen(other, { port, host: address, reusePort: true })
    others.push(other)
  }
  return stop
}
