import { sql } from 'kysely'
import pg from 'pg'
import { KEEP_ALIVE, type Db } from './db.ts'

/** Records that a committed transaction has changed, as the database tells it to every node. */
export interface Change {
  kind: string
  ids: number[]
  /** there are none of these any more */
  isGone?: boolean
  /** users for whom these are no longer there */
  lost?: number[] | null
}

/** The kind of a change that is no record's: sessions of these people were ended. */
export const SESSIONS_ENDED = 'session'

/** Tells all nodes once the transaction is committed. It is not kept: a page that does not listen asks by itself. */
export async function tellNodes(db: Db, change: Change): Promise<void> {
  await sql`select pg_notify('changes', ${JSON.stringify(change)})`.execute(db)
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

/** How often the connection is asked for a sign of life: one that only listens would never notice that it is dead. */
const ASK_EVERY_MS = 10_000
const ANSWERS_IN_MS = 5000

function read(payload: string | undefined): Change | null {
  try {
    return JSON.parse(payload ?? '') as Change
  } catch {
    return null
  }
}

/** One connection of its own that listens, opened when first somebody hears, and again when it is lost. */
export function listenForChanges({
  url,
  onError,
  askEveryMs = ASK_EVERY_MS,
  answersInMs = ANSWERS_IN_MS,
}: {
  url: string
  onError(error: unknown): void
  askEveryMs?: number
  answersInMs?: number
}): Changes {
  const hearers = new Set<Hearer>()
  let listening: Promise<pg.Client> | null = null
  let isClosed = false
  let again: NodeJS.Timeout | undefined

  async function listen(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'waybill changes',
      connectionTimeoutMillis: 10_000,
      query_timeout: answersInMs,
      ...KEEP_ALIVE,
    })
    client.on('notification', ({ payload }) => {
      const change = read(payload)
      // Every role that may connect may notify, also what we do not understand.
      for (const hearer of hearers)
        if (change === null) hearer.missed()
        else hearer.changed(change)
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
    let asking: NodeJS.Timeout
    const askLater = () => {
      asking = setTimeout(() => {
        client.query('select 1').then(askLater, (error: unknown) => {
          onError(error)
          // The socket goes with the statement that is under way; `end` follows.
          client.end().catch(() => undefined)
        })
      }, askEveryMs).unref()
    }
    askLater()
    client.on('end', () => {
      clearTimeout(asking)
      lost()
    })
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
