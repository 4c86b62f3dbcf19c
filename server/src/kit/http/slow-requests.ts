import type { FastifyInstance } from 'fastify'

/** A request that is still being sent brings so many bytes in each so many milliseconds, or it is cut off. */
export interface LeastSpeed {
  bytes: number
  everyMs: number
}

/** A kilobyte a second: the slowest telephone brings more, and 25 MB at it are refused by the time for the whole. */
export const LEAST_SPEED: LeastSpeed = { bytes: 10_000, everyMs: 10_000 }

/**
 * Cuts off who sends a request so slowly that it looks as if a connection were to be held rather than used. The time
 * in which the server itself does not read (it waits for its disk or database) does not count.
 */
export function cutOffSlowRequests(app: FastifyInstance, { bytes, everyMs }: LeastSpeed): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const { socket } = raw
    let read = socket.bytesRead
    const timer = setInterval(() => {
      const waitsForUs = raw.readableLength > 0 || raw.isPaused()
      if (raw.complete) clearInterval(timer)
      else if (!waitsForUs && socket.bytesRead - read < bytes) socket.destroy()
      read = socket.bytesRead
    }, everyMs).unref()
    reply.raw.once('close', () => clearInterval(timer))
    done()
  })
}
