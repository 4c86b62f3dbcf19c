import type pg from 'pg'

const OLDEST_VERSION = 150_000

/** What PostgreSQL calls its version. Throws where it is older than Waybill needs, with a sentence. */
export async function serverVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  )
  const { number, name } = rows[0]!
  if (number < OLDEST_VERSION) throw new Error(`PostgreSQL ${name} is older than 15`)
  return name
}
