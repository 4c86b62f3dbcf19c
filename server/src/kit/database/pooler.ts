import pg from 'pg'
import { SESSION_SETTINGS } from './db.ts'

/** Works with a connection of its own, closed in any case. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * What each connection has to know is given to the role once, as a pooler does not pass on what a connection asks for
 * when it is opened. `directUrl` goes past the pooler; a role may do it for itself.
 */
export const settleRole = (directUrl: string): Promise<void> =>
  withClient(directUrl, async (client) => {
    await client.query('begin')
    // One node at a time: PostgreSQL refuses a second one that does.
    await client.query("select pg_advisory_xact_lock(hashtext('waybill role'))")
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const database = pg.escapeIdentifier(rows[0]!.name)
    for (const [name, value] of SESSION_SETTINGS)
      await client.query(
        `alter role current_user in database ${database} set ${pg.escapeIdentifier(name)} = ${pg.escapeLiteral(value)}`,
      )
    await client.query('commit')
  })

/** The names of those settings that a connection by this address does not have. */
export const missingSettings = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      `select name, setting as value from pg_settings where name = any($1)`,
      [SESSION_SETTINGS.map(([name]) => name)],
    )
    const found = new Map(rows.map(({ name, value }) => [name, value]))
    return SESSION_SETTINGS.filter(([name, value]) => found.get(name) !== value).map(([name]) => name)
  })
