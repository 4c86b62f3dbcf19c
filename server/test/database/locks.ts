import { expect } from 'vitest'
import type { PoolClient } from 'pg'
import type { TestApp } from '../app.ts'

/**
 * Does `change` in a transaction, starts `call` before it is committed, commits once the call waits for it, and gives
 * the call's answer: what happens when two people act in the same moment.
 */
export async function raced<Answer>(
  { database }: Pick<TestApp, 'database'>,
  change: (client: PoolClient) => Promise<unknown>,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await change(client)
    let isAnswered = false
    const answer = call().finally(() => (isAnswered = true))
    await expect.poll(async () => isAnswered || (await waiting(database)), { timeout: 20_000, interval: 20 }).toBe(true)
    await client.query('commit')
    return await answer
  } finally {
    client.release()
  }
}

// Not by the client itself: within a transaction PostgreSQL shows the same picture again and again.
const waiting = async ({ pool }: TestApp['database']): Promise<boolean> =>
  (await pool.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .rows.length > 0
