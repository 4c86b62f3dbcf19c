import { ApiError } from '../api/api-error.ts'

// With pauses of two seconds: two minutes.
const MOST_TRIES = 60

/**
 * Calls until the answer says what became of the matter: a broken connection, a busy server, a proxy that waits no
 * longer and a first call that still runs (`conflict`) leave it open. The call carries an idempotency key, so that it
 * acts once. `onOpen` is told before each pause. Throws what says that it was refused, or after too many tries what
 * came last.
 */
export async function untilKnown<Result>(
  call: () => Promise<Result>,
  { onOpen, pause }: { onOpen: () => void; pause: () => Promise<void> },
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      if (!isOpen(error) || tries >= MOST_TRIES) throw error
      onOpen()
      await pause()
    }
  }
}

const isOpen = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'offline' || error.code === 'conflict' || error.status === 429 || error.status >= 502)
