import pg from 'pg'

/** Records that a committed transaction has changed, as the database tells it to every node. */
export interface Change {
  kind: string
  ids: number[]
  /** there are none of these any more */
  isGone?: boolean
  /** users for whom these are no longer there */
  lost?: number[] | null
}

interface Hearer {
  changed(change: Change): void
  /** The connection was down: what happened meanwhile is not known. */
  missed(): void
}

export interface Changes {
  /**
   * Hears every change committed after this resolves; answers how to stop. Rejects where the database cannot be
   * listened to.
   */
  hear(hearer: Hearer): Promise<() => void>
  close(): Promise<void>
}

const AGAIN_AFTER_MS = [200, 1000, 3000, 10_000]

/** One connection of its own that listens, opened when first somebody hears, and again when it is lost. */
export function listenForChanges({ url, onError }: { url: string; onError(error: unknown): void }): Changes {
  const hearers = new Set<Hearer>()
  let listening: Promise<pg.Client> | null = null
  let isClosed = false
  let again: NodeJS.Timeout | undefined

  async function listen(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'waybill changes',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    client.on('notification', ({ payload }) => {
      const change = JSON.parse(payload!) as Change
      for (const hearer of hearers) hearer.changed(change)
    })
    // An error ends the connection; `end` follows and sees to it.
    client.on('error', onError)
    try {
      await client.connect()
      await client.query('listen changes')
    } catch (error) {
      // Nobody else holds it, and each further try opens another.
      await client.end().catch(() => undefined)
      throw error
    }
    client.on('end', () => void lost())
    return client
  }

  function lost(turn = 0): void {
    listening = null
    if (isClosed || hearers.size === 0) return
    again = setTimeout(
      () => {
        connection().then(
          () => hearers.forEach((hearer) => hearer.missed()),
          (error: unknown) => {
            onError(error)
            lost(turn + 1)
          },
        )
      },
      AGAIN_AFTER_MS[Math.min(turn, AGAIN_AFTER_MS.length - 1)],
    )
  }

  function connection(): Promise<pg.Client> {
    if (listening === null) {
      const opening = listen()
      listening = opening
      opening.catch(() => {
        if (listening === opening) listening = null
      })
    }
    return listening
  }

  return {
    async hear(hearer) {
      await connection()
      hearers.add(hearer)
      return () => void hearers.delete(hearer)
    },
    async close() {
      isClosed = true
      clearTimeout(again)
      hearers.clear()
      await listening?.then(
        (client) => client.end(),
        () => undefined,
      )
    },
  }
}
