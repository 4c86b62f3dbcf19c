import type pg from 'pg'
import { endRestoredAccess, holdNumbers, nextNumbers, renameInstallation, type NextNumber } from './after-restore.ts'
import { BackupError } from './backup-place.ts'
import { holdOutbox } from './restored-outbox.ts'

/** A database that PostgreSQL itself has put back to an earlier moment. */
export interface Rewound {
  /** the newest entry of its history */
  lastAt: string
  /** what waits for a word, by its table */
  held: Record<string, number>
  /** what the next invoices would be called: those that were sent since have these numbers already */
  numbers: NextNumber[]
}

async function refuseOther(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isEmpty: boolean; isStandby: boolean; isServing: boolean }>(
    `select to_regclass('public.restore_hold') is null as "isEmpty", pg_is_in_recovery() as "isStandby",
        exists (select 1 from pg_stat_activity where datname = current_database()
          and application_name in ('waybill jobs', 'waybill changes')) as "isServing"`,
  )
  const { isEmpty, isStandby, isServing } = rows[0]!
  if (isEmpty) throw new BackupError('This database holds no Waybill.')
  if (isStandby) throw new BackupError('PostgreSQL is still replaying: wait until it has taken over, then try again.')
  if (isServing) throw new BackupError('A Waybill runs on this database: stop it first.')
}

/**
 * Does for a database that was put back to an earlier moment past Waybill what a restored backup gets: what would leave
 * the house by itself waits for a word, companies send no invoices until their last numbers are said, nobody is signed
 * in, no job of then is run, and the database is an installation of its own. One transaction. Errors: BackupError.
 */
export async function settleRewound(client: pg.Client, now: Date): Promise<Rewound> {
  await refuseOther(client)
  await client.query('begin')
  const { rows } = await client.query<{ lastAt: string }>(
    `select to_char(coalesce(max(at), $1) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "lastAt"
      from audit_entry`,
    [now.toISOString()],
  )
  const { lastAt } = rows[0]!
  const times = { backupAt: lastAt, restoredAt: now.toISOString() }
  await endRestoredAccess(client, times.restoredAt)
  await renameInstallation(client)
  await holdNumbers(client, times)
  const held = await holdOutbox(client, times)
  // What was to be done then: the start makes the queue anew, and finds by itself what is left to do.
  await client.query('drop schema if exists job cascade')
  await client.query('commit')
  return { lastAt, held, numbers: await nextNumbers(client, now) }
}
